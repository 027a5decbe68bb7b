// || works on C++ bools; a Bool and a C++ bool combine with |.
#include "tessera/lang/Lang.h"

using namespace tessera;

Bool either(Bool a, bool b) { return b || a; }
