// ?: chooses in C++; `where` chooses while the kernel runs.
#include "tessera/lang/Lang.h"

using namespace tessera;

Tile relu(Tile x, F32 s) { return s > 0 ? x : x * 2; }
