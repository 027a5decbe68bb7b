//===- TraceTest.cpp - the kernels of the design, recorded ---------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The IR of vector_add, softmax and matmul, then what every kernel's IR carries: names, lines, loop hints.
//
//===---------------------------------------------------------------------===//

#include "TraceSupport.h"

#include "tessera/lang/Lang.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tessera;
using test::trace;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct AddConfig {
  int block = 1024;
};

TEST(Trace, vectorAdd) {
  const auto body = [](const AddConfig &c, Ptr<f32> x, Ptr<f32> y, Ptr<f32> out, Int n) {
    Tile offs = program_id(0) * c.block + arange(0, c.block);
    Tile mask = offs < n;
    Tile total = load(x + offs, {.mask = mask});
    total += load(y + offs, {.mask = mask});
    store(out + offs, total, {.mask = mask});
  };
  EXPECT_EQ(trace(body, {"x", "y", "out", "n"}, {}, {.block = 64}), R"(module {
  tile.kernel @k(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %out: !tile.ptr<f32>, %n: i64) {
    %0 = tile.program_id x
    %c64_i64 = arith.constant 64 : i64
    %1 = arith.muli %0, %c64_i64 : i64
    %2 = tile.arange 0 to 64 : tensor<64xi32>
    %3 = arith.extsi %2 : tensor<64xi32> to tensor<64xi64>
    %4 = tile.splat %1 : tensor<64xi64>
    %5 = arith.addi %4, %3 : tensor<64xi64>
    %6 = tile.splat %n : tensor<64xi64>
    %7 = arith.cmpi slt, %5, %6 : tensor<64xi64>
    %8 = tile.splat %x : tensor<64x!tile.ptr<f32>>
    %9 = tile.addptr %8, %5 : tensor<64x!tile.ptr<f32>>, tensor<64xi64>
    %10 = tile.load %9 mask %7 : tensor<64x!tile.ptr<f32>>
    %11 = tile.splat %y : tensor<64x!tile.ptr<f32>>
    %12 = tile.addptr %11, %5 : tensor<64x!tile.ptr<f32>>, tensor<64xi64>
    %13 = tile.load %12 mask %7 : tensor<64x!tile.ptr<f32>>
    %14 = arith.addf %10, %13 : tensor<64xf32>
    %15 = tile.splat %out : tensor<64x!tile.ptr<f32>>
    %16 = tile.addptr %15, %5 : tensor<64x!tile.ptr<f32>>, tensor<64xi64>
    tile.store %16, %14 mask %7 : tensor<64x!tile.ptr<f32>>
    tile.return
  }
}
)");
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
  EXPECT_THAT(trace(body, {"x", "out", "stride", "cols"}),
              AllOf(HasSubstr("tile.addptr %x, "), HasSubstr("arith.constant 0xFC00 : f16"),
                    HasSubstr("tensor<1024xf32> -> f32 by tile.maxnum"), HasSubstr("math.exp"),
                    HasSubstr("tensor<1024xf32> -> f32 by arith.addf"),
                    HasSubstr("tile.convert_float %22 : tensor<1024xf32> -> tensor<1024xf16>")));
}

struct MatmulConfig {
  int bm = 128, bn = 128, bk = 64, group = 8;
};

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
  EXPECT_THAT(
      trace(body, {"a", "b", "out", "m", "n", "k", "lda", "ldb", "ldc"}),
      AllOf(HasSubstr("tile.idiv %m, %c128_i64 rounding ceil : i64"),
            HasSubstr("tile.make_view %a, [%m, %k], [%lda, %c1_i64] : !tile.view<f16, 2>"),
            HasSubstr("iter_args(%arg10 = %cst) -> (tensor<128x128xf32>)  : i64 {"),
            HasSubstr("tile.dot %20, %22, %arg10 : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>"),
            HasSubstr("tile.view_store %14[%16, %17], %18 : !tile.view<f16, 2>, tensor<128x128xf16>")));
}

// SEMANTICS M6: the stride written as 1 names the contiguous axis
TEST(Trace, viewsKnowTheirContiguousAxis) {
  EXPECT_THAT(trace([](Ptr<f16> a, Int m, Int n) {
                View v = view(a, {m, n}, {1, m});
                v.store({0, 0}, 0.0 + v.load({0, 0}, {16, 16}));
              }),
              HasSubstr("!tile.view<f16, 2, contiguous = 0>"));
  EXPECT_THAT(trace([](View<f16, 3, 1> v) { v.store({0, 0, 0}, zeros(f16, {2, 2, 2})); }),
              HasSubstr("!tile.view<f16, 3, contiguous = 1>"));
}

TEST(Trace, valuesKeepTheUsersNames) {
  const std::string text = trace([](Ptr<f32> x, Int n) {
    Int row = program_id(0).named("row");
    Tile v = load(x + row + arange(0, 8)).named("v");
    Tile acc = zeros(f32, {8}).named("acc");
    for_range(0, n, [&](Int i) {
      i.named("i");
      acc += v;
    });
    store(x + arange(0, 8), acc);
  });
  EXPECT_THAT(text, AllOf(HasSubstr("%row = tile.program_id x"), HasSubstr("%v = tile.load"),
                          HasSubstr("scf.for %i = "), HasSubstr("iter_args(%acc_0 = %acc)")));
}

static Tile twice(Tile x) { return x + x; }

TEST(Trace, everyOperationCarriesTheUsersLine) {
  const unsigned twiceLine = __LINE__ - 3, first = __LINE__ + 3;
  const std::string text = trace(
      [](Ptr<f32> x, Int n) {
        Tile t = load(x + arange(0, 8));
        for_range(0, n, [&](Int) { t = exp(twice(t)); });
        if_(n > 3, [&] { t *= 2; });
        store(x + arange(0, 8), t);
      },
      {}, {}, {}, /*locations=*/true);
  for (std::size_t at = text.find(" = tile.arange"); at < text.find("tile.return"); at = text.find('\n', at) + 1) {
    const std::string line = text.substr(at, text.find('\n', at) - at);
    if (line.find(" = ") != std::string::npos && line.find('{') == std::string::npos)
      EXPECT_THAT(line, HasSubstr("TraceTest.cpp:"));
  }
  for (const unsigned line : {twiceLine, first, first + 1, first + 2, first + 3})
    EXPECT_THAT(text, HasSubstr("TraceTest.cpp:" + std::to_string(line) + ":"));
}

// SEMANTICS L2
TEST(Trace, loopHints) {
  EXPECT_THAT(trace([](Ptr<f32> x, Int n) {
                for_range(0, n, [&](Int i) { store(x + i, 1); },
                          {.num_stages = 3, .unroll = 2, .warp_specialize = true});
              }),
              HasSubstr("{tile.num_stages = 3 : i64, tile.unroll = 2 : i64, tile.warp_specialize}"));
}

TEST(Trace, untouchedVariablesAreNotCarried) {
  const std::string text = trace([](Ptr<f32> x, Int n) {
    Tile a = load(x + arange(0, 8)), b = a * 2, c = b;
    for_range(0, n, [&](Int) { for_range(0, n, [&](Int) { c = a + b; }); });
    store(x + arange(0, 8), c);
  });
  EXPECT_THAT(text, Not(HasSubstr("iter_args(%arg3 = %3, ")));
  EXPECT_THAT(text, HasSubstr("-> (tensor<8xf32>)  : i64"));
}

TEST(Trace, emptyBranchesLeaveNothing) {
  EXPECT_THAT(trace([](Int n, Ptr<i64> out) {
                if_(n > 3, [] {});
                store(out, n);
                return_if(n > 5);
              }),
              Not(HasSubstr("scf.if")));
}
