// ! works on C++ bools; the opposite of a mask is ~.
#include "tessera/lang/Lang.h"

using namespace tessera;

Tile outside(Tile mask) { return !mask; }
