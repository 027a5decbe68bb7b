// A launch gives one argument for each parameter.
#include "tessera/tessera.h"

using namespace tessera;

const auto zero = kernel("zero", [](Ptr<f32> x, Int n) { store(x + arange(0, 64), 0, {.mask = arange(0, 64) < n}); });

void run(Stream stream, Buffer<f32> x) { zero.launch(stream, {1}, x); }
