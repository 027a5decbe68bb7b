//===- NativeMathTest.cpp - what instructions functions take --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// How many instructions of the chip a thread's values take. What they compute is compared on the simulated GPU, whose
// approximate instructions err as real ones may: `tessera-ulp`, the tests of kernels and of casts.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/LayoutToLLVM.h"
#include "Conversion/LayoutToROCDL/AmdHooks.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace {

using namespace tessera::ir;

/// The code for \p chip of a row of \p from, four a thread, of which \p body makes %q, a tile of f32, stored as \p to.
std::string codeOf(const char *chip, const std::string &from, const std::string &body, const std::string &to) {
  mlir::DialectRegistry registry;
  registry.insert<tile::TileDialect, layout::LayoutDialect, mlir::arith::ArithDialect, mlir::math::MathDialect,
                  mlir::scf::SCFDialect, mlir::vector::VectorDialect, mlir::LLVM::LLVMDialect>();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  const auto tileOf = [](const std::string &type) { return "tensor<256x" + type + ", #row>"; };
  const auto convert = [&](const std::string &result, const std::string &value, const std::string &a,
                           const std::string &b) {
    return a == b ? ""
                  : "  " + result + " = tile.convert_float " + value + " : " + tileOf(a) + " -> " + tileOf(b) + "\n";
  };
  const auto pointers = [&](const std::string &name, const std::string &type) {
    return "  %" + name + "s = tile.splat %" + name + " : " + tileOf("!tile.ptr<" + type + ">") + "\n  %" + name +
           "p = tile.addptr %" + name + "s, %i : " + tileOf("!tile.ptr<" + type + ">") + ", " + tileOf("i32") + "\n";
  };
  const std::string text =
      "#row = #layout.tile<256, register = [(1), (2)], lane = [(4), (8), (16), (32), (64), (128)]>\n"
      "tile.kernel @k(%x: !tile.ptr<" +
      from + ">, %y: !tile.ptr<" + to +
      ">) attributes {layout.num_warps = 1 : i64, layout.warp_size = 64 : i64} {\n"
      "  %i = tile.arange 0 to 256 : tensor<256xi32, #row>\n" +
      pointers("x", from) + pointers("y", to) + "  %" + (from == "f32" ? "v" : "h") +
      " = tile.load %xp : " + tileOf("!tile.ptr<" + from + ">") + "\n" + convert("%v", "%h", from, "f32") + body +
      convert("%r", "%q", "f32", to) + "  tile.store %yp, %" + (to == "f32" ? "q" : "r") + " : " +
      tileOf("!tile.ptr<" + to + ">") + "\n  tile.return\n}";
  auto module = mlir::parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return "does not parse: " + text;
  const gpu::AmdHooks hooks(*tessera::arch::findChip(chip));
  mlir::PassManager emission(&context);
  emission.addPass(gpu::createLayoutToLLVMPass({.target = chip}, hooks));
  if (failed(emission.run(*module)))
    return "fails";
  std::string code;
  llvm::raw_string_ostream stream(code);
  module->print(stream);
  return code;
}

std::string functionOf(const std::string &function) {
  return codeOf("hip:gfx942", "f32", "  %q = " + function + " : tensor<256xf32, #row>\n", "f32");
}
std::string castOf(const char *chip, const std::string &from, const std::string &to) {
  return codeOf(chip, from, from == "f32" || to == "f32" ? "  %q = arith.negf %v : tensor<256xf32, #row>\n" : "", to);
}

int countOf(std::string_view text, std::string_view words) {
  int count = 0;
  for (std::size_t at = text.find(words); at != std::string_view::npos; at = text.find(words, at + 1))
    ++count;
  return count;
}

} // namespace

TEST(AmdNativeMath, exponentialsTakeOnePowerEach) {
  for (const char *function : {"math.exp %v", "math.exp2 %v"}) {
    const std::string code = functionOf(function);
    EXPECT_EQ(countOf(code, "call @tessera.amd.exp2("), 4) << code;
    EXPECT_EQ(countOf(code, "call @tessera.amd.fmed3("), 4);
    EXPECT_EQ(countOf(code, "llvm.intr.ldexp("), 4);
  }
  const std::string beside = functionOf("math.exp %v {layout.beside_one}");
  EXPECT_EQ(countOf(beside, "call @tessera.amd.exp2("), 4) << beside;
  EXPECT_EQ(countOf(beside, "math.fma"), 8);
  EXPECT_EQ(countOf(beside, "llvm.intr.ldexp("), 0);
}

TEST(AmdNativeMath, logarithmsAndRootsTakeOneInstructionAndAScale) {
  EXPECT_EQ(countOf(functionOf("math.log %v"), "call @tessera.amd.log("), 4);
  EXPECT_EQ(countOf(functionOf("math.log2 %v"), "call @tessera.amd.log("), 4);
  EXPECT_EQ(countOf(functionOf("math.rsqrt %v"), "call @tessera.amd.rsq("), 4);
  EXPECT_EQ(countOf(functionOf("math.sqrt %v"), "tessera.amd."), 0) << "rounded correctly by LLVM";
  EXPECT_EQ(countOf(functionOf("arith.divf %v, %v"), "tessera.amd."), 0);
}

TEST(AmdNativeMath, fastFormsTakeTheInstructionAlone) {
  const std::string fast = functionOf("math.exp2 %v fastmath<afn>");
  EXPECT_EQ(countOf(fast, "call @tessera.amd.exp2("), 4) << fast;
  EXPECT_EQ(countOf(fast, "tessera.amd.fmed3"), 0);
  EXPECT_EQ(countOf(functionOf("math.sin %v fastmath<afn>"), "call @tessera.amd.fract("), 4);
  EXPECT_EQ(countOf(functionOf("math.sqrt %v fastmath<afn>"), "call @tessera.amd.sqrt("), 4);
  EXPECT_EQ(countOf(functionOf("arith.divf %v, %v fastmath<afn>"), "call @tessera.amd.fdiv.fast("), 4);
}

TEST(AmdNativeMath, extremesAreLlvms) {
  EXPECT_EQ(countOf(functionOf("tile.maxnum %v, %v"), "llvm.call_intrinsic \"llvm.maximumnum\""), 4);
  EXPECT_EQ(countOf(functionOf("arith.minimumf %v, %v"), "llvm.call_intrinsic \"llvm.minimum\""), 4);
}

TEST(AmdNativeCasts, areOfTheChipsOwnFp8) {
  for (const auto &[chip, type, other] :
       {std::tuple("hip:gfx942", "f8E4M3FNUZ", "f8E4M3FN"), std::tuple("hip:gfx950", "f8E4M3FN", "f8E4M3FNUZ"),
        std::tuple("hip:gfx1201", "f8E4M3FN", "f8E4M3FNUZ")}) {
    EXPECT_EQ(countOf(castOf(chip, "f32", type), "call @tessera.amd.cvt.pk.fp8.f32("), 2) << castOf(chip, "f32", type);
    EXPECT_EQ(countOf(castOf(chip, type, "f32"), "call @tessera.amd.cvt.pk.f32.fp8("), 2);
    EXPECT_EQ(countOf(castOf(chip, "f32", other), "tessera.amd.cvt"), 0);
    EXPECT_EQ(countOf(castOf(chip, other, "f32"), "tessera.amd.cvt"), 0);
  }
  EXPECT_EQ(countOf(castOf("hip:gfx942", "f32", "f8E5M2FNUZ"), "call @tessera.amd.cvt.pk.bf8.f32("), 2);
  EXPECT_EQ(countOf(castOf("hip:gfx90a", "f32", "f8E4M3FNUZ"), "tessera.amd.cvt"), 0);
}

TEST(AmdNativeCasts, halvesAreMadeInPairs) {
  const std::string nearest = castOf("hip:gfx950", "f32", "bf16");
  EXPECT_EQ(countOf(nearest, "arith.truncf"), 2) << nearest;
  EXPECT_EQ(countOf(nearest, "vector<2xbf16>"), 4) << "a cast and a change of type for each pair";
  const auto towardZero = [](const std::string &type) {
    const std::string row = "tensor<256x" + type + ", #row>";
    return codeOf("hip:gfx942", "f32",
                  "  %q = arith.negf %v : tensor<256xf32, #row>\n  %z = tile.convert_float %q rounding toward_zero : "
                  "tensor<256xf32, #row> -> " +
                      row + "\n  tile.store %yp, %z : tensor<256x!tile.ptr<" + type + ">, #row>\n",
                  type);
  };
  const std::string half = towardZero("f16");
  EXPECT_EQ(countOf(half, "call @tessera.amd.cvt.pkrtz("), 2) << half;
  EXPECT_EQ(countOf(towardZero("bf16"), "f64"), 0) << "nothing is computed in 64 bits";
}
