//===- kernel.cpp - a kernel made by the build's compiler -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A shared object as the back end makes them: one exported function, no other library.
//
//===---------------------------------------------------------------------===//

using Int = long long;

struct Arguments {
  Int *out;
  Int value;
};

static Int calls;

/// out[program] = value + program; the first program's thread leaves 1 in its arena; out[programs] counts calls of this
/// copy of the library.
extern "C" __attribute__((visibility("default"))) void fill(const Arguments *arguments, const Int *grid, Int *arena,
                                                            Int x0, Int x1, Int y, Int z) {
  for (Int x = x0; x != x1; ++x) {
    const Int program = (z * grid[1] + y) * grid[0] + x;
    arguments->out[program] = arguments->value + program;
    arena[8191] = 1;
  }
  if (z == 0 && y == 0 && x0 == 0)
    arguments->out[grid[0] * grid[1] * grid[2]] = ++calls;
}
