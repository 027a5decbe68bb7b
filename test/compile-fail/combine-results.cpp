// A combine function of two tiles gives two values.
#include "tessera/lang/Reduce.h"

using namespace tessera;

auto extreme(Tile x, Tile i) {
  return reduce(std::tuple{x, i}, 0, [](Tile a, Tile, Tile, Tile) { return a; });
}
