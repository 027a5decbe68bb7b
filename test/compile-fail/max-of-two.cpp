// max reduces one tile; the greater of two values is another word.
#include "tessera/lang/Reduce.h"

using namespace tessera;

Tile relu(Tile x) { return max(x, 0); }
