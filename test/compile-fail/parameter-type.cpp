// A parameter's type says what the kernel takes; a C++ string says nothing.
#include "tessera/tessera.h"

using namespace tessera;

const auto scale = kernel("scale", [](Ptr<f32> x, std::string) { store(x, load(x)); });
