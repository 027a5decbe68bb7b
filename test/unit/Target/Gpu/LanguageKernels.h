//===- LanguageKernels.h - parts of the language ---------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Small kernels for parts of the language that have instructions of their own.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_TARGET_GPU_LANGUAGEKERNELS_H
#define TESSERA_TEST_UNIT_TARGET_GPU_LANGUAGEKERNELS_H

#include "tessera/tessera.h"

namespace tessera::test {

struct OneConfig {
  int block = 256; ///< elements of the program
};

template <DType T>
const auto add_in_memory = kernel("add_in_memory", {"x", "y"}, [](const OneConfig &c, Ptr<T> x, Ptr<T> y) {
  Tile i = arange(0, c.block);
  atomic_add(x + i, load(y + i));
});

template <DType T>
const auto max_in_memory = kernel("max_in_memory", {"x", "y"}, [](const OneConfig &c, Ptr<T> x, Ptr<T> y) {
  Tile i = arange(0, c.block);
  store(y + i, atomic_max(x + i, load(y + i)));
});

template <DType T, DType U>
const auto convert_elements = kernel("convert_elements", {"x", "y"}, [](const OneConfig &c, Ptr<T> x, Ptr<U> y) {
  Tile i = arange(0, c.block);
  store(y + i, load(x + i).to(U));
});

inline const auto prints = kernel("prints", {"x"}, [](const OneConfig &c, Ptr<f32> x) {
  Tile v = load(x + arange(0, c.block));
  device_print("large", {v}, {.when = v > 100});
  device_assert(v < 1000, "too large");
});

inline const auto sorts = kernel("sorts", {"x"}, [](const OneConfig &c, Ptr<f32> x) {
  Tile i = arange(0, c.block);
  store(x + i, cumsum(sort(load(x + i))));
});

inline const auto draws = kernel("draws", {"x"}, [](const OneConfig &c, Ptr<f32> x) {
  Tile i = arange(0, c.block);
  store(x + i, rand(7, i) + randn(8, i));
});

inline const auto functions = kernel("functions", {"x"}, [](const OneConfig &c, Ptr<f32> x) {
  Tile i = arange(0, c.block);
  Tile v = load(x + i);
  store(x + i, sin(v) + pow(v, v) + erf(v) + tanh(v) + log1p(v) + rsqrt(v) + fast_tanh(v) + fast_div(v, 3));
});

} // namespace tessera::test

#endif // TESSERA_TEST_UNIT_TARGET_GPU_LANGUAGEKERNELS_H
