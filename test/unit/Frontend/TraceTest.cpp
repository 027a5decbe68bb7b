//===- TraceTest.cpp - the kernels of the design, traced -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "TraceSupport.h"

#include "tessera/lang/ControlFlow.h"
#include "tessera/lang/Dot.h"
#include "tessera/lang/Math.h"
#include "tessera/lang/Memory.h"
#include "tessera/lang/Program.h"
#include "tessera/lang/Reduce.h"
#include "tessera/lang/View.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tessera;
using test::trace;

struct AddConfig {
  int block = 1024;
};

TEST(Trace, vectorAdd) {
  const auto body = [](const AddConfig &c, Ptr<f32> x, Ptr<f32> y, Ptr<f32> out, Int n) {
    Tile offs = program_id(0) * c.block + arange(0, c.block);
    Tile mask = offs < n;
    store(out + offs, load(x + offs, {.mask = mask}) + load(y + offs, {.mask = mask}), {.mask = mask});
  };
  std::printf("%s\n", trace(body, {"x", "y", "out", "n"}).c_str());
}

struct RowConfig {
  int block = 1024;
};

TEST(Trace, softmax) {
  const auto body = [](const RowConfig &c, Ptr<f16> x, Ptr<f16> out, Int stride, Int cols) {
    Int row = program_id(0);
    Tile col = arange(0, c.block);
    Tile mask = col < cols;
    Tile v = load(x + row * stride + col, {.mask = mask, .other = -inf}).to(f32);
    v = exp(v - max(v));
    store(out + row * stride + col, (v / sum(v)).to(f16), {.mask = mask});
  };
  std::printf("%s\n", trace(body, {"x", "out", "stride", "cols"}).c_str());
}

struct MatmulConfig {
  int bm = 128, bn = 128, bk = 64, group = 8;
};

TEST(Trace, loops) {
  std::printf("%s\n", trace([](Ptr<i64> out, Int n) {
                        Int i = 0;
                        while_([&] { return i * i < n; }, [&] { i += 1; });
                        store(out, i);
                      }).c_str());
}

TEST(Trace, matmul) {
  const auto body = [](const MatmulConfig &c, Ptr<f16> a, Ptr<f16> b, Ptr<f16> out, Int m, Int n, Int k, Int lda,
                       Int ldb, Int ldc) {
    auto [pm, pn] = grouped_program_id(cdiv(m, c.bm), cdiv(n, c.bn), c.group);
    View A = view(a, {m, k}, {lda, 1}), B = view(b, {k, n}, {ldb, 1}), C = view(out, {m, n}, {ldc, 1});
    Tile acc = zeros(f32, {c.bm, c.bn});
    for_range(0, k, c.bk, [&](Int kk) {
      acc = dot(A.load({pm * c.bm, kk}, {c.bm, c.bk}), B.load({kk, pn * c.bn}, {c.bk, c.bn}), acc);
    });
    C.store({pm * c.bm, pn * c.bn}, acc.to(f16));
  };
  std::printf("%s\n", trace(body, {"a", "b", "out", "m", "n", "k", "lda", "ldb", "ldc"}).c_str());
}
