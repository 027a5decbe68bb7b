// load_rows gathers rows of a matrix.
#include "tessera/lang/Lang.h"

using namespace tessera;

Tile rows(View<f32, 3> v, Tile which) { return v.load_rows(which, 0, {16, 64}); }
