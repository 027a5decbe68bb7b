//===- ProductsTest.cpp - products on the matrix units of sm_90a ----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What the assembler makes of products of groups of warps: it must not serialise them (warnings C7508, C7514), nor
// spill or move accumulators.
//
//===---------------------------------------------------------------------===//

#include "tessera/tessera.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

using namespace tessera;
using testing::ContainsRegex;
using testing::HasSubstr;

namespace {

struct ProductConfig {
  int m = 128, n = 128, k = 64;
  bool isByColumns = false; ///< the right operand
  Precision precision = Precision::ieee;
};

struct ViewedConfig {
  int m = 128, n = 256, k = 32;
  bool leftByColumns = false, rightByColumns = false;
};

/// One tile of a product with a loop over k, of operands that lie in memory by rows.
template <DType T, DType R>
const auto multiply = kernel("product", {"a", "b", "out", "depth"},
                             [](const ProductConfig &c, Ptr<T> a, Ptr<T> b, Ptr<R> out, Int depth) {
                               Tile i = arange(0, c.m), j = arange(0, c.n), k = arange(0, c.k);
                               Tile acc = zeros(R, {c.m, c.n});
                               for_range(0, depth, c.k, [&](Int start) {
                                 Tile x = load(a + (i.col() * depth + (k + start).row()));
                                 Tile y = c.isByColumns ? trans(load(b + (j.col() * depth + (k + start).row())))
                                                        : load(b + ((k + start).col() * c.n + j.row()));
                                 acc = dot(x, y, acc, {.precision = c.precision});
                               });
                               store(out + (i.col() * c.n + j.row()), acc);
                             });

/// The same of views, of operands that lie in memory by rows or by columns.
const auto viewed =
    kernel("viewed", {"a", "b", "out", "rows", "columns", "depth"},
           [](const ViewedConfig &c, Ptr<f32> a, Ptr<f32> b, Ptr<f32> out, Int rows, Int columns, Int depth) {
             View left = c.leftByColumns ? view(a, {rows, depth}, {1, rows}) : view(a, {rows, depth}, {depth, 1});
             View right =
                 c.rightByColumns ? view(b, {depth, columns}, {1, depth}) : view(b, {depth, columns}, {columns, 1});
             Int row = program_id(0) * c.m, column = program_id(1) * c.n;
             Tile acc = zeros(f32, {c.m, c.n});
             for_range(0, depth, c.k, [&](Int start) {
               acc = dot(left.load({row, start}, {c.m, c.k}), right.load({start, column}, {c.k, c.n}), acc,
                         {.precision = Precision::tf32});
             });
             view(out, {rows, columns}, {columns, 1}).store({row, column}, acc);
           });

/// The left operand of the second product is computed from the first.
const auto twice = kernel("twice", {"a", "b", "c", "out", "length"},
                          [](const ProductConfig &c, Ptr<f16> a, Ptr<f16> b, Ptr<f16> v, Ptr<f32> out, Int length) {
                            Tile i = arange(0, c.m), j = arange(0, c.n), k = arange(0, c.k);
                            Tile x = load(a + (i.col() * c.k + k.row()));
                            Tile acc = zeros(f32, {c.m, c.k});
                            for_range(0, length, c.n, [&](Int start) {
                              Tile y = trans(load(b + ((j + start).col() * c.k + k.row())));
                              Tile z = load(v + ((j + start).col() * c.k + k.row()));
                              acc = dot(fast_exp2(dot(x, y)).to(f16), z, acc);
                            });
                            store(out + (i.col() * c.k + k.row()), acc);
                          });

/// Compiles for sm_90a, and expects that the assembler has no complaint; gives the facts.
template <class Kernel> std::map<std::string, std::string> factsOf(const Kernel &kernel) {
  const Binary binary = kernel.compile(Target("cuda:sm_90a"));
  std::map<std::string, std::string> facts(binary.facts().begin(), binary.facts().end());
  if (binary.format() == "cubin") {
    EXPECT_EQ(facts["assembler_warnings"], "");
    EXPECT_EQ(facts["spill_bytes"], "0");
    EXPECT_EQ(facts["stack_bytes"], "0");
  }
  return facts;
}

template <class Kernel> void expectUnit(const Kernel &kernel, const std::string &unit) {
  EXPECT_EQ(factsOf(kernel)["matrix_unit"], unit);
}

} // namespace

TEST(NvidiaProducts, allTypes) {
  expectUnit(multiply<f16, f32>.with({}), "wgmma.m64n128k16.f32.f16.f16");
  expectUnit(multiply<bf16, f32>.with({.isByColumns = true}), "wgmma.m64n128k16.f32.bf16.bf16");
  expectUnit(multiply<e4m3, f32>.with({.n = 64, .isByColumns = true}), "wgmma.m64n64k32.f32.e4m3.e4m3");
  expectUnit(multiply<e5m2, f32>.with({.n = 64}), "wgmma.m64n64k32.f32.e5m2.e5m2");
  expectUnit(multiply<i8, i32>.with({.n = 64, .isByColumns = true}), "wgmma.m64n64k32.s32.s8.s8");
  expectUnit(multiply<f32, f32>.with({.n = 64, .k = 32, .precision = Precision::tf32}),
             "wgmma.m64n128k8.f32.tf32.tf32");
}

// ptxas has no instruction for them there, and makes wrong code of operands that are constants (Nvidia.def).
TEST(NvidiaProducts, warpsMultiplyFp8AsF16) {
  expectUnit(multiply<e4m3, f32>.with({.m = 16, .n = 8, .k = 32}, {.num_warps = 1}), "mma.m16n8k16.f32.f16.f16");
  expectUnit(multiply<e5m2, f32>.with({.m = 16, .n = 8, .k = 32}, {.num_warps = 1}), "mma.m16n8k16.f32.f16.f16");
}

// The unit reads operands along k: one that does not lie so is the left operand, which threads read, of the product or
// of the transposed one.
TEST(NvidiaProducts, wordsAcross) {
  const CompileOptions options{.num_warps = 8, .num_stages = 3};
  expectUnit(viewed.with({.m = 256, .n = 128}, options), "wgmma.m64n256k8.f32.tf32.tf32");
  expectUnit(viewed.with({.m = 128, .n = 256}, options), "wgmma.m64n128k8.f32.tf32.tf32");
  expectUnit(viewed.with({.rightByColumns = true}, options), "wgmma.m64n256k8.f32.tf32.tf32");
  expectUnit(viewed.with({.leftByColumns = true, .rightByColumns = true}, options), "wgmma.m64n256k8.f32.tf32.tf32");
  expectUnit(viewed.with({.m = 128, .n = 128, .leftByColumns = true}, options), "wgmma.m64n128k8.f32.tf32.tf32");
}

TEST(NvidiaProducts, otherUnits) {
  expectUnit(multiply<f16, f32>.with({.m = 32, .n = 32, .k = 32}), "mma.m16n8k16.f32.f16.f16");
  expectUnit(multiply<f16, f32>.with({.m = 64, .n = 32, .k = 32}, {.num_warps = 2}), "mma.m16n8k16.f32.f16.f16");
  expectUnit(multiply<f32, f32>.with({.m = 64, .n = 32, .k = 32}), "fma");
}

TEST(NvidiaProducts, shapesAndWarps) {
  expectUnit(multiply<f16, f32>.with({.m = 64, .n = 256, .k = 64}, {.num_warps = 8}), "wgmma.m64n128k16.f32.f16.f16");
  expectUnit(multiply<f16, f32>.with({.m = 256, .n = 128, .k = 32}, {.num_warps = 8}), "wgmma.m64n128k16.f32.f16.f16");
  expectUnit(multiply<f16, f32>.with({.m = 64, .n = 8, .k = 16}), "wgmma.m64n8k16.f32.f16.f16");
}

TEST(NvidiaProducts, productsOfProducts) {
  expectUnit(twice.with({.m = 64, .n = 128, .k = 128}), "wgmma.m64n128k16.f32.f16.f16");
  expectUnit(twice.with({.m = 128, .n = 64, .k = 64}, {.num_warps = 8}), "wgmma.m64n64k16.f32.f16.f16");
}

TEST(NvidiaProducts, wideTilesKeepTheirAccumulators) {
  const auto kernel = multiply<f16, f32>.with({.m = 128, .n = 256, .k = 64}, {.num_warps = 8});
  const auto facts = factsOf(kernel);
  if (!facts.contains("registers"))
    GTEST_SKIP() << "no assembler on this machine";
  EXPECT_EQ(facts.at("matrix_unit"), "wgmma.m64n256k16.f32.f16.f16");
  EXPECT_LE(std::stoi(facts.at("registers")), 255);
}
