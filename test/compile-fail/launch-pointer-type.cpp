// A Ptr<f32> does not take a buffer of another type.
#include "tessera/tessera.h"

using namespace tessera;

const auto zero = kernel("zero", [](Ptr<f32> x, Int n) { store(x + arange(0, 64), 0, {.mask = arange(0, 64) < n}); });

void run(Stream stream, Buffer<f16> x) { zero.launch(stream, {1}, x, 64); }
