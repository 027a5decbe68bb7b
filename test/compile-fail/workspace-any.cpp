// A workspace has an element type.
#include "tessera/lang/Workspace.h"

using namespace tessera;

auto scratch(Int n) { return workspace<any>(n); }
