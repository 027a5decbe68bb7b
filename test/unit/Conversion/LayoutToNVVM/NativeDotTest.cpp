//===- NativeDotTest.cpp - which products matrix units take --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToNVVM/NvidiaHooks.h"
#include "unit/Conversion/ProductCode.h"

#include <gtest/gtest.h>

using namespace tessera::ir;

namespace {

std::string codeOf(const char *target, std::string_view a, std::string_view b, std::string_view acc,
                   std::array<int, 3> shape, std::string_view how = "") {
  return test::codeOfProduct(target, gpu::NvidiaHooks(*tessera::arch::findChip(target)), a, b, acc, shape, how);
}

bool has(const std::string &code, std::string_view word) { return code.find(word) != std::string::npos; }

TEST(NativeDot, halvesBytesAndDoublesHaveInstructions) {
  EXPECT_TRUE(has(codeOf("cuda:sm_80", "f16", "f16", "f32", {16, 8, 16}),
                  "@tessera.nv.mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"));
  EXPECT_TRUE(has(codeOf("cuda:sm_80", "bf16", "bf16", "f32", {32, 16, 32}), "m16n8k16.row.col.f32.bf16.bf16.f32"));
  EXPECT_TRUE(has(codeOf("cuda:sm_86", "i8", "i8", "i32", {16, 8, 32}), "m16n8k32.row.col.s32.s8.s8.s32"));
  EXPECT_TRUE(has(codeOf("cuda:sm_80", "f64", "f64", "f64", {8, 8, 4}), "m8n8k4.row.col.f64.f64.f64.f64"));
}

TEST(NativeDot, smallRowsAndColumnsAreCopies) {
  EXPECT_TRUE(has(codeOf("cuda:sm_90a", "f16", "f16", "f32", {1, 2, 16}), "m16n8k16.row.col.f32.f16.f16.f32"));
}

TEST(NativeDot, smallDepthIsFilledWithZeros) {
  const std::string quarter = codeOf("cuda:sm_90a", "f16", "f16", "f32", {16, 8, 4});
  EXPECT_TRUE(has(quarter, "m16n8k16.row.col.f32.f16.f16.f32"));
  EXPECT_TRUE(has(quarter, "arith.select"));
  EXPECT_TRUE(has(codeOf("cuda:sm_90a", "i8", "i8", "i32", {16, 8, 1}), "m16n8k32.row.col.s32.s8.s8.s32"));
}

TEST(NativeDot, floatsAreExactUnlessAskedOtherwise) {
  EXPECT_TRUE(has(codeOf("cuda:sm_80", "f32", "f32", "f32", {16, 8, 8}), "layout.shared_dot"));
  EXPECT_TRUE(has(codeOf("cuda:sm_80", "f32", "f32", "f32", {16, 8, 8}, "precision tf32"), "m16n8k8.row.col.f32.tf32"));
  EXPECT_TRUE(
      has(codeOf("cuda:sm_80", "f32", "f32", "f32", {16, 8, 8}, "precision tf32x3"), "m16n8k8.row.col.f32.tf32"));
  EXPECT_TRUE(has(codeOf("cuda:sm_80", "f32", "f32", "f32", {16, 8, 16}, "precision bf16x3"),
                  "m16n8k16.row.col.f32.bf16.bf16.f32"));
}

TEST(NativeDot, bytesOfFloatsAreHalvesWhereTheUnitLacksThem) {
  EXPECT_TRUE(
      has(codeOf("cuda:sm_89", "f8E4M3FN", "f8E5M2", "f32", {16, 8, 32}), "m16n8k32.row.col.f32.e4m3.e5m2.f32"));
  EXPECT_TRUE(has(codeOf("cuda:sm_80", "f8E4M3FN", "f8E5M2", "f32", {16, 8, 32}), "m16n8k16.row.col.f32.f16.f16.f32"));
  EXPECT_TRUE(has(codeOf("cuda:sm_89", "f8E4M3FNUZ", "f8E4M3FNUZ", "f32", {16, 8, 32}), "m16n8k16.row.col.f32.f16"));
  // A bound on imprecise sums.
  EXPECT_TRUE(has(codeOf("cuda:sm_90a", "f8E4M3FN", "f8E4M3FN", "f32", {16, 8, 32}, "max_imprecise_k 32"),
                  "m16n8k16.row.col.f32.f16.f16.f32"));
}

} // namespace
