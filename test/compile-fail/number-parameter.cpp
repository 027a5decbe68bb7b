// A kernel parameter is traced, and an int is not.
#include "tessera/tessera.h"

using namespace tessera;

const auto zero = kernel("zero", [](Ptr<f32> x, int n) { store(x + arange(0, 64), 0, {.mask = arange(0, 64) < n}); });

void run(Stream stream, Buffer<f32> x) { zero.launch(stream, {1}, x, 64); }
