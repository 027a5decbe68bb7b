//===- mistakes.h - softmax as it is often written wrong ---*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Each looks right on random rows of some kind, and the lab has inputs that show it (--poison, --negative).
//
// Types, shapes and grid: those of softmax; 1 <= cols <= block.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_KERNELS_SOFTMAX_MISTAKES_H
#define TESSERA_KERNELS_SOFTMAX_MISTAKES_H

#include "tessera/tessera.h"

namespace tessera::kernels {

enum class Mistake {
  noMaximum, ///< exponentials of the elements as they are, which overflow
  otherZero, ///< lanes past the row read 0, whose exponential counts, and which is the maximum of a negative row
  nextRow    ///< reads the row below
};

struct MistakenConfig {
  int block = 1024;
  Mistake mistake = Mistake::noMaximum;
};

template <DType T>
const auto mistaken_softmax = kernel("mistaken_softmax", {"x", "out", "stride", "rows", "cols"},
                                     [](const MistakenConfig &c, Ptr<T> x, Ptr<T> out, Int stride, Int rows, Int cols) {
  Int row = program_id(0);
  Int from = row;
  if (c.mistake == Mistake::nextRow)
    from = (row + 1) % rows;
  Tile col = arange(0, c.block);
  Tile mask = col < cols;
  const double other = c.mistake == Mistake::otherZero ? 0 : -inf;
  Tile v = load(x + from * stride + col, {.mask = mask, .other = other}).to(promote(T, f32));
  if (c.mistake != Mistake::noMaximum)
    v = v - max(v);
  v = exp(v);
  store(out + row * stride + col, (v / sum(v)).to(T), {.mask = mask});
});

} // namespace tessera::kernels

#endif // TESSERA_KERNELS_SOFTMAX_MISTAKES_H
