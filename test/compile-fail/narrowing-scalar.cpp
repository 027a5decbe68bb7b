// A scalar does not become a smaller one by itself.
#include "tessera/lang/Lang.h"

using namespace tessera;

I32 lower(Int n) { return n; }
