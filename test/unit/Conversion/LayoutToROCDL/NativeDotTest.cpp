//===- NativeDotTest.cpp - which products AMD's units take ----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToROCDL/AmdHooks.h"
#include "unit/Conversion/ProductCode.h"

#include <gmock/gmock.h>

#include <set>

using namespace tessera::ir;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

std::string codeOf(const char *target, std::string_view a, std::string_view b, std::string_view acc,
                   std::array<int, 3> shape, std::string_view how = "") {
  return test::codeOfProduct(target, gpu::AmdHooks(*tessera::arch::findChip(target)), a, b, acc, shape, how);
}

/// The matrix instructions of \p code.
std::set<std::string> instructionsOf(const std::string &code) {
  std::set<std::string> all;
  const std::string prefix = "llvm.call @tessera.amd.";
  for (size_t at = code.find(prefix); at != std::string::npos; at = code.find(prefix, at + 1)) {
    const size_t first = at + prefix.size();
    const std::string name = code.substr(first, code.find('(', first) - first);
    if (name.starts_with("mfma") || name.starts_with("wmma"))
      all.insert(name);
  }
  return all;
}

/// What multiplies on \p target.
std::set<std::string> unitOf(const char *target, std::string_view a, std::string_view acc, std::array<int, 3> shape,
                             std::string_view how = "") {
  return instructionsOf(codeOf(target, a, a, acc, shape, how));
}

TEST(AmdDot, halves) {
  EXPECT_THAT(unitOf("hip:gfx90a", "f16", "f32", {32, 32, 16}), ElementsAre("mfma.f32.32x32x8f16"));
  EXPECT_THAT(unitOf("hip:gfx90a", "f16", "f32", {16, 32, 32}), ElementsAre("mfma.f32.16x16x16f16"));
  EXPECT_THAT(unitOf("hip:gfx942", "f16", "f32", {64, 16, 32}), ElementsAre("mfma.f32.16x16x16f16"));
  EXPECT_THAT(unitOf("hip:gfx942", "bf16", "f32", {32, 32, 16}), ElementsAre("mfma.f32.32x32x8bf16.1k"));
  EXPECT_THAT(unitOf("hip:gfx90a", "bf16", "f32", {16, 16, 16}), ElementsAre("mfma.f32.16x16x16bf16.1k"));
  EXPECT_THAT(unitOf("hip:gfx950", "f16", "f32", {32, 32, 16}), ElementsAre("mfma.f32.32x32x16.f16"));
  EXPECT_THAT(unitOf("hip:gfx950", "bf16", "f32", {16, 16, 32}), ElementsAre("mfma.f32.16x16x32.bf16"));
  EXPECT_THAT(unitOf("hip:gfx1100", "f16", "f32", {32, 32, 16}), ElementsAre("wmma.f32.16x16x16.f16"));
  EXPECT_THAT(unitOf("hip:gfx1201", "bf16", "f32", {16, 16, 32}), ElementsAre("wmma.f32.16x16x16.bf16"));
}

TEST(AmdDot, theDeepestInstructionThatTheProductFills) {
  EXPECT_THAT(unitOf("hip:gfx950", "f16", "f32", {16, 16, 16}), ElementsAre("mfma.f32.16x16x16f16"));
  EXPECT_THAT(unitOf("hip:gfx950", "i8", "i32", {32, 32, 16}), ElementsAre("mfma.i32.32x32x16.i8"));
}

TEST(AmdDot, integers) {
  EXPECT_THAT(unitOf("hip:gfx90a", "i8", "i32", {32, 32, 32}), ElementsAre("mfma.i32.32x32x8i8"));
  EXPECT_THAT(unitOf("hip:gfx90a", "i8", "i32", {16, 16, 64}), ElementsAre("mfma.i32.16x16x16i8"));
  EXPECT_THAT(unitOf("hip:gfx942", "i8", "i32", {32, 64, 32}), ElementsAre("mfma.i32.32x32x16.i8"));
  EXPECT_THAT(unitOf("hip:gfx942", "i8", "i32", {16, 16, 64}), ElementsAre("mfma.i32.16x16x32.i8"));
  EXPECT_THAT(unitOf("hip:gfx950", "i8", "i32", {32, 32, 64}), ElementsAre("mfma.i32.32x32x32.i8"));
  EXPECT_THAT(unitOf("hip:gfx950", "i8", "i32", {16, 16, 64}), ElementsAre("mfma.i32.16x16x64.i8"));
  EXPECT_THAT(unitOf("hip:gfx1100", "i8", "i32", {16, 16, 16}), ElementsAre("wmma.i32.16x16x16.iu8"));
  EXPECT_THAT(unitOf("hip:gfx1201", "i8", "i32", {16, 16, 32}), ElementsAre("wmma.i32.16x16x16.iu8"));
}

TEST(AmdDot, doubles) {
  EXPECT_THAT(unitOf("hip:gfx90a", "f64", "f64", {32, 32, 8}), ElementsAre("mfma.f64.16x16x4f64"));
  EXPECT_THAT(unitOf("hip:gfx942", "f64", "f64", {16, 16, 4}), ElementsAre("mfma.f64.16x16x4f64"));
  EXPECT_THAT(codeOf("hip:gfx1100", "f64", "f64", "f64", {16, 16, 4}), HasSubstr("layout.shared_dot"));
}

// The kinds that a chip has; others as halves, as bf16 where small halves would be lost.
TEST(AmdDot, bytesOfFloats) {
  const std::array<int, 3> shape{32, 32, 32};
  EXPECT_THAT(unitOf("hip:gfx942", "f8E4M3FNUZ", "f32", shape), ElementsAre("mfma.f32.32x32x16.fp8.fp8"));
  EXPECT_THAT(unitOf("hip:gfx942", "f8E4M3FN", "f32", shape), ElementsAre("mfma.f32.32x32x8f16"));
  EXPECT_THAT(unitOf("hip:gfx950", "f8E5M2", "f32", shape), ElementsAre("mfma.f32.32x32x16.bf8.bf8"));
  EXPECT_THAT(unitOf("hip:gfx950", "f8E5M2FNUZ", "f32", shape), ElementsAre("mfma.f32.32x32x16.f16"));
  EXPECT_THAT(unitOf("hip:gfx90a", "f8E5M2", "f32", shape), ElementsAre("mfma.f32.32x32x8bf16.1k"));
  EXPECT_THAT(unitOf("hip:gfx1201", "f8E4M3FN", "f32", shape), ElementsAre("wmma.f32.16x16x16.fp8.fp8"));
  EXPECT_THAT(unitOf("hip:gfx1100", "f8E4M3FN", "f32", shape), ElementsAre("wmma.f32.16x16x16.f16"));
  EXPECT_THAT(unitOf("hip:gfx950", "f8E5M2", "f32", {32, 32, 64}), ElementsAre("mfma.scale.f32.32x32x64.f8f6f4"));
  EXPECT_THAT(unitOf("hip:gfx950", "f8E4M3FN", "f32", {16, 16, 128}), ElementsAre("mfma.scale.f32.16x16x128.f8f6f4"));
  // The right operand is an instruction's A.
  EXPECT_THAT(instructionsOf(codeOf("hip:gfx942", "f8E4M3FNUZ", "f8E5M2FNUZ", "f32", shape)),
              ElementsAre("mfma.f32.32x32x16.bf8.fp8"));
}

TEST(AmdDot, floatsAreExact) {
  const std::array<int, 3> shape{32, 32, 8};
  for (const char *chip : {"hip:gfx90a", "hip:gfx942", "hip:gfx950"}) {
    EXPECT_THAT(unitOf(chip, "f32", "f32", shape), ElementsAre("mfma.f32.32x32x2f32"));
    EXPECT_THAT(unitOf(chip, "f32", "f32", {16, 8, 16}), ElementsAre("mfma.f32.16x16x4f32"));
    EXPECT_THAT(unitOf(chip, "f32", "f32", shape, "precision tf32x3"), ElementsAre("mfma.f32.32x32x2f32"));
  }
  EXPECT_THAT(codeOf("hip:gfx1100", "f32", "f32", "f32", shape), HasSubstr("layout.shared_dot"));
  EXPECT_THAT(codeOf("hip:gfx1201", "f32", "f32", "f32", shape, "precision tf32x3"), HasSubstr("layout.shared_dot"));
}

TEST(AmdDot, lessExactFloats) {
  const std::array<int, 3> shape{32, 32, 16};
  EXPECT_THAT(unitOf("hip:gfx942", "f32", "f32", shape, "precision tf32"), ElementsAre("mfma.f32.32x32x4.xf32"));
  EXPECT_THAT(unitOf("hip:gfx942", "f32", "f32", {16, 16, 16}, "precision tf32"), ElementsAre("mfma.f32.16x16x8.xf32"));
  EXPECT_THAT(unitOf("hip:gfx950", "f32", "f32", shape, "precision tf32"), ElementsAre("mfma.f32.32x32x16.bf16"));
  EXPECT_THAT(unitOf("hip:gfx90a", "f32", "f32", shape, "precision tf32"), ElementsAre("mfma.f32.32x32x2f32"));
  EXPECT_THAT(unitOf("hip:gfx1100", "f32", "f32", shape, "precision tf32"), ElementsAre("wmma.f32.16x16x16.bf16"));
  EXPECT_THAT(unitOf("hip:gfx942", "f32", "f32", shape, "precision bf16x3"), ElementsAre("mfma.f32.32x32x8bf16.1k"));
  EXPECT_THAT(unitOf("hip:gfx1201", "f32", "f32", shape, "precision bf16x3"), ElementsAre("wmma.f32.16x16x16.bf16"));
  EXPECT_THAT(unitOf("hip:gfx90a", "f32", "f32", shape, "precision bf16x3"), ElementsAre("mfma.f32.32x32x2f32"));
}

TEST(AmdDot, smallProductsAreFilled) {
  EXPECT_THAT(unitOf("hip:gfx942", "f16", "f32", {1, 2, 16}), ElementsAre("mfma.f32.16x16x16f16"));
  EXPECT_THAT(unitOf("hip:gfx942", "f16", "f32", {16, 16, 2}), ElementsAre("mfma.f32.16x16x16f16"));
  EXPECT_THAT(unitOf("hip:gfx1100", "i8", "i32", {16, 16, 1}), ElementsAre("wmma.i32.16x16x16.iu8"));
}

} // namespace
