// A block is loaded inside the kernel; it is not a parameter.
#include "tessera/tessera.h"

using namespace tessera;

const auto scale = kernel("scale", [](Ptr<f32> x, Tile y) { store(x, y); });
