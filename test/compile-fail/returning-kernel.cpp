// A kernel stores its results.
#include "tessera/tessera.h"

using namespace tessera;

const auto twice = kernel("twice", [](Ptr<f32> x) { return load(x) * 2; });
