// A kernel's lambda may be recorded by several threads, so it keeps no state.
#include "tessera/tessera.h"

using namespace tessera;

const auto count = kernel("count", [calls = 0](Ptr<f32> x) mutable { store(x, ++calls); });
