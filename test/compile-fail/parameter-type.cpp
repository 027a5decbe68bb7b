// A parameter's type says what the kernel takes; a C++ double says nothing.
#include "tessera/tessera.h"

using namespace tessera;

const auto scale = kernel("scale", [](Ptr<f32> x, double s) { store(x, load(x) * s); });
