//===- NativeMathTest.cpp - what instructions rows of halves take ---------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What LayoutToNVVM/NativeMath.cpp says of its arithmetic, with an ex2 that is rounded correctly; and that its
// instructions are what is emitted.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/LayoutToLLVM.h"
#include "Conversion/LayoutToNVVM/NvidiaHooks.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace {

/// The largest f32 not above a * b, which is exact in double.
float productDown(float a, float b) {
  const double product = double(a) * b;
  const auto nearest = static_cast<float>(product);
  return nearest > product ? std::nextafter(nearest, -INFINITY) : nearest;
}

float saturated(float x) { return x > 0 ? std::min(x, 1.0F) : 0.0F; }

float flushed(float x) { return std::fabs(x) < std::numeric_limits<float>::min() ? 0.0F : x; }

float expBesideOne(float x) {
  const float t = productDown(x, 0x1.715478p0F), d = saturated(std::fma(t, -0x1.62e43p-1F, x));
  const float power = flushed(static_cast<float>(std::exp2(static_cast<double>(t))));
  return std::fma(power, d, power);
}

/// Calls \p fn with numbers from \p first down, each of the \p step-th encodings.
template <class Fn> void forNumbersDown(float first, float last, std::uint32_t step, Fn fn) {
  for (std::uint32_t bits = std::bit_cast<std::uint32_t>(first); bits < std::bit_cast<std::uint32_t>(last);
       bits += step)
    fn(std::bit_cast<float>(bits));
}

} // namespace

/// The greatest error, in ULP, of numbers between 0 and \p last.
static double worstUntil(float last) {
  double worst = 0;
  forNumbersDown(-0x1p-40F, last, 97, [&](float x) {
    const double exact = std::exp(static_cast<double>(x));
    const double ulp = std::ldexp(1.0, std::ilogb(exact) - 23);
    worst = std::max(worst, std::fabs(expBesideOne(x) - exact) / ulp);
  });
  return worst;
}

TEST(ExpBesideOne, isCloseWhereItIsTold) {
  EXPECT_LT(worstUntil(-18.03F), 1.75);
  EXPECT_LT(worstUntil(-5.55F), 1.25);
}

TEST(ExpBesideOne, isCloseToZeroElsewhere) {
  forNumbersDown(-18.03F, -INFINITY, 997, [&](float x) {
    const double error = std::fabs(expBesideOne(x) - std::exp(static_cast<double>(x)));
    EXPECT_LT(error, 0x1p-49) << x;
  });
}

TEST(ExpBesideOne, ends) {
  EXPECT_EQ(expBesideOne(0.0F), 1);
  EXPECT_EQ(expBesideOne(-0.0F), 1);
  EXPECT_EQ(expBesideOne(-std::numeric_limits<float>::denorm_min()), 1);
  EXPECT_EQ(expBesideOne(std::numeric_limits<float>::lowest()), 0);
  EXPECT_EQ(expBesideOne(-INFINITY), 0);
  EXPECT_FALSE(std::signbit(expBesideOne(-INFINITY)));
  EXPECT_TRUE(std::isnan(expBesideOne(NAN)));
}

namespace {

using namespace tessera::ir;

/// A row of halves, eight a thread, of which \p body makes %r, a tile of f16.
std::string codeOf(const std::string &body) {
  mlir::DialectRegistry registry;
  registry.insert<tile::TileDialect, layout::LayoutDialect, mlir::arith::ArithDialect, mlir::math::MathDialect,
                  mlir::scf::SCFDialect, mlir::vector::VectorDialect, mlir::LLVM::LLVMDialect>();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  const std::string text =
      "#row = #layout.tile<256, register = [(1), (2), (4)], lane = [(8), (16), (32), (64), (128)]>\n"
      "tile.kernel @k(%x: !tile.ptr<f16>, %m: f32, %s: f32) attributes {layout.num_warps = 1 : i64,"
      "    layout.warp_size = 32 : i64} {\n"
      "  %i = tile.arange 0 to 256 : tensor<256xi32, #row>\n"
      "  %xs = tile.splat %x : tensor<256x!tile.ptr<f16>, #row>\n"
      "  %xp = tile.addptr %xs, %i : tensor<256x!tile.ptr<f16>, #row>, tensor<256xi32, #row>\n"
      "  %h = tile.load %xp {layout.vector = 8 : i64} : tensor<256x!tile.ptr<f16>, #row>\n"
      "  %v = tile.convert_float %h : tensor<256xf16, #row> -> tensor<256xf32, #row>\n" +
      body +
      "  %r = tile.convert_float %q : tensor<256xf32, #row> -> tensor<256xf16, #row>\n"
      "  tile.store %xp, %r {layout.vector = 8 : i64} : tensor<256x!tile.ptr<f16>, #row>\n"
      "  tile.return\n}";
  auto module = mlir::parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return "does not parse: " + text;
  const gpu::NvidiaHooks hooks(*tessera::arch::findChip("cuda:sm_90a"));
  mlir::PassManager emission(&context);
  emission.addPass(gpu::createLayoutToLLVMPass({.target = "cuda:sm_90a"}, hooks));
  if (failed(emission.run(*module)))
    return "fails";
  std::string code;
  llvm::raw_string_ostream stream(code);
  module->print(stream);
  return code;
}

int countOf(std::string_view text, std::string_view words) {
  int count = 0;
  for (std::size_t at = text.find(words); at != std::string_view::npos; at = text.find(words, at + 1))
    ++count;
  return count;
}

} // namespace

TEST(NativeRows, exponentialsBesideOneTakeFour) {
  const std::string code = codeOf("  %q = math.exp %v {layout.beside_one} : tensor<256xf32, #row>\n");
  for (const char *instruction : {"call @tessera.nv.fma.rm.f32(", "call @tessera.nv.fma.rn.sat.f32(", "math.fma"})
    EXPECT_EQ(countOf(code, instruction), 8) << code;
  EXPECT_EQ(countOf(code, "arith.shli"),
            countOf(codeOf("  %q = arith.addf %v, %v : tensor<256xf32, #row>\n"), "arith.shli"));
}

// The eight of a thread share a test.
TEST(NativeRows, exponentialsSeenAsPartsAskForTheWholePower) {
  const std::string code = codeOf("  %q = math.exp %v {layout.seen_as_parts} : tensor<256xf32, #row>\n");
  EXPECT_EQ(countOf(code, "scf.if"), 1) << code;
  EXPECT_EQ(countOf(code, "call @tessera.nv.ex2.approx.ftz.f32("), 8 + 8) << code;
  EXPECT_EQ(countOf(code, "call @tessera.nv.fma.rm.f32("), 8) << code;
  EXPECT_EQ(countOf(code, "arith.minnumf"), 7) << code;
  EXPECT_EQ(countOf(codeOf("  %q = math.exp %v : tensor<256xf32, #row>\n"), "scf.if"), 0);
}

TEST(NativeRows, partsOfSumsAreTestedByTheirLeast) {
  const std::string code = codeOf("  %ss = tile.splat %s : tensor<256xf32, #row>\n"
                                  "  %p = arith.divf %v, %ss {layout.part_of_sum} : tensor<256xf32, #row>\n"
                                  "  %q = arith.addf %p, %v : tensor<256xf32, #row>\n");
  EXPECT_EQ(countOf(code, "arith.minnumf"), 7) << code;
  EXPECT_EQ(countOf(code, "scf.if"), 2) << code;
}

TEST(NativeRows, partsOfSumsAreNotTested) {
  const std::string sum = "  %ss = tile.splat %s : tensor<256xf32, #row>\n  %q = arith.divf %v, %ss ";
  EXPECT_EQ(countOf(codeOf(sum + "{layout.part_of_sum} : tensor<256xf32, #row>\n"), "scf.if"), 0);
  EXPECT_EQ(countOf(codeOf(sum + ": tensor<256xf32, #row>\n"), "scf.if"), 1);
}

// Four words meet, and the halves of the last one.
TEST(NativeRows, halvesMeetAsWords) {
  const auto codeBy = [](const std::string &combine) {
    return codeOf("  %most = tile.reduce %v axis 0 : tensor<256xf32, #row> -> f32 by " + combine +
                  "\n  %ms = tile.splat %most : tensor<256xf32, #row>\n"
                  "  %q = arith.subf %v, %ms : tensor<256xf32, #row>\n");
  };
  EXPECT_EQ(countOf(codeBy("tile.maxnum"), "call @tessera.nv.max.f16x2("), 3);
  EXPECT_EQ(countOf(codeBy("tile.maxnum"), "call @tessera.nv.max.f32("), 1 + 5);
  EXPECT_EQ(countOf(codeBy("arith.minimumf"), "call @tessera.nv.min.NaN.f16x2("), 3);
  EXPECT_EQ(countOf(codeBy("arith.addf"), "f16x2("), 0);
}
