// A Ptr<f32> is never absent.
#include "tessera/tessera.h"

using namespace tessera;

const auto zero = kernel("zero", [](Ptr<f32> x, Int n) { store(x + arange(0, 64), 0, {.mask = arange(0, 64) < n}); });

void run(Stream stream) { zero.launch(stream, {1}, nullptr, 64); }
