// Users have macros of one letter; no public header minds. `I` is the C library's own, in complex.h.
#ifndef TESSERA_TEST_HEADERS_USER_MACROS_H
#define TESSERA_TEST_HEADERS_USER_MACROS_H

#define A one letter
#define B one letter
#define C one letter
#define D one letter
#define E one letter
#define F one letter
#define G one letter
#define H one letter
#define I one letter
#define J one letter
#define K one letter
#define L one letter
#define M one letter
#define N one letter
#define O one letter
#define P one letter
#define Q one letter
#define R one letter
#define S one letter
#define T one letter
#define U one letter
#define V one letter
#define W one letter
#define X one letter
#define Y one letter
#define Z one letter

#include "tessera/tessera.h"

#endif // TESSERA_TEST_HEADERS_USER_MACROS_H
