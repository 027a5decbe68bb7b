// && works on C++ bools; masks combine with &.
#include "tessera/lang/Lang.h"

using namespace tessera;

Tile inside(Tile x, Int n) { return x >= 0 && x < n; }
