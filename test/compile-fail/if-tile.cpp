// A tile has no truth value.
#include "tessera/lang/Lang.h"

using namespace tessera;

Tile half(Tile x) {
  Tile y = x;
  while (x < 1.0)
    y = y * 0.5;
  return y;
}
