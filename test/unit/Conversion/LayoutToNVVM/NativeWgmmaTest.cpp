//===- NativeWgmmaTest.cpp - code of products of groups of warps ----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/LayoutToLLVM.h"
#include "Conversion/LayoutToNVVM/NvidiaHooks.h"
#include "Layout/MatrixUnits.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"
#include "tessera-ir/Dialect/Layout/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <array>
#include <fmt/format.h>
#include <gmock/gmock.h>

using namespace tessera::ir;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
namespace algebra = tessera::layout;

namespace {

struct Operands {
  std::string a, b, acc;
  std::array<std::int64_t, 3> shape{64, 64, 64}; ///< m, n, k
  int numWarps = 4;
  std::string how = "";
  bool isZero = false; ///< the accumulator
};

/// The code of the product of two tiles, in the layouts of the unit's accumulators.
std::string codeOf(const Operands &o) {
  mlir::DialectRegistry registry;
  registry.insert<tile::TileDialect, layout::LayoutDialect, mlir::arith::ArithDialect, mlir::math::MathDialect,
                  mlir::scf::SCFDialect, mlir::vector::VectorDialect, mlir::LLVM::LLVMDialect>();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  const auto [m, n, k] = o.shape;
  const auto tile = [&](std::int64_t rows, std::int64_t columns, std::string_view element) {
    const auto held = algebra::TileLayout::blocked(std::array{rows, columns}, std::array<std::int64_t, 2>{1, 1},
                                                   std::array<std::int64_t, 2>{1, 32},
                                                   std::array<std::int64_t, 2>{o.numWarps, 1}, std::array{1, 0});
    return fmt::format("tensor<{}x{}x{}, #layout.tile<{}>>", rows, columns, element, held.str());
  };
  const std::string text = fmt::format(
      "tile.kernel @k(%x: {0}, %y: {1}, %z: {2}, %p: !tile.ptr<{2}>) attributes {{layout.num_warps = {9} : i64,"
      "    layout.warp_size = 32 : i64}} {{\n"
      "  %a = tile.splat %x : {3}\n  %b = tile.splat %y : {4}\n  {8}\n"
      "  %d = tile.dot %a, %b, %c {7} : {3}, {4} -> {5}\n"
      "  %q = tile.splat %p : {6}\n  tile.store %q, %d : {6}\n  tile.return\n}}",
      o.a, o.b, o.acc, tile(m, k, o.a), tile(k, n, o.b), tile(m, n, o.acc),
      tile(m, n, fmt::format("!tile.ptr<{}>", o.acc)), o.how,
      o.isZero ? fmt::format("%c = arith.constant dense<0.0> : {}", tile(m, n, o.acc))
               : fmt::format("%c = tile.splat %z : {}", tile(m, n, o.acc)),
      o.numWarps);
  auto module = mlir::parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return "does not parse: " + text;
  const gpu::NvidiaHooks hooks(*tessera::arch::findChip("cuda:sm_90a"));
  mlir::PassManager passes(&context);
  passes.addPass(gpu::createExpandDotsPass(hooks.chip(), hooks));
  passes.addPass(layout::createExpandSharedPass());
  passes.addPass(layout::createAllocateSharedPass({"cuda:sm_90a"}));
  passes.addPass(layout::createInsertBarriersPass());
  passes.addPass(gpu::createLayoutToLLVMPass({.target = "cuda:sm_90a"}, hooks));
  std::string code;
  llvm::raw_string_ostream stream(code);
  if (failed(passes.run(*module)))
    return "fails: " + text;
  module->print(stream);
  return code;
}

TEST(NativeWgmma, accumulatorsGoThroughProductsAndWaits) {
  const std::string code = codeOf({"f16", "f16", "f32", {64, 8, 32}});
  EXPECT_THAT(code, ContainsRegex("llvm.func @tessera.nv.wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16\\("
                                  "!llvm.struct<\\(f32, f32, f32, f32\\)>, i64, i64, i1, i32, i32, i32, i32\\)"));
  EXPECT_THAT(code, HasSubstr("@tessera.nv.wgmma.fence.sync.aligned()"));
  EXPECT_THAT(code, HasSubstr("@tessera.nv.wgmma.commit_group.sync.aligned()"));
  EXPECT_THAT(code, ContainsRegex("llvm.func @tessera.nv.wgmma.wait_group.sync.aligned\\(i32, "
                                  "!llvm.struct<\\(f32, f32, f32, f32\\)>\\) -> !llvm.struct"));
  EXPECT_THAT(code, HasSubstr("fence.proxy.async.shared::cta"));
  EXPECT_THAT(code, HasSubstr("unit = \"wgmma.m64n8k16.f32.f16.f16\""));
}

TEST(NativeWgmma, operandsAreThoseOfTheOpcode) {
  // Integers have no signs, and bytes and tf32 no transposition.
  EXPECT_THAT(codeOf({"i8", "i8", "i32"}), ContainsRegex("m64n64k32.s32.s8.s8\\(!llvm.struct<[^>]*>, i64, i64, i1\\)"));
  EXPECT_THAT(codeOf({"f8E4M3FN", "f8E5M2", "f32"}),
              ContainsRegex("m64n64k32.f32.e4m3.e5m2\\(!llvm.struct<[^>]*>, i64, i64, i1, i32, i32\\)"));
  EXPECT_THAT(codeOf({"f32", "f32", "f32", {64, 64, 64}, 4, "precision tf32"}),
              ContainsRegex("m64n64k8.f32.tf32.tf32\\(!llvm.struct<[^>]*>, i64, i64, i1, i32, i32\\)"));
}

TEST(NativeWgmma, groupsShareRowsFirst) {
  EXPECT_THAT(codeOf({"f16", "f16", "f32", {128, 256, 16}, 8}), HasSubstr("m64n256k16"));
  EXPECT_THAT(codeOf({"f16", "f16", "f32", {64, 256, 16}, 8}), HasSubstr("m64n128k16"));
  EXPECT_THAT(codeOf({"f16", "f16", "f32", {64, 512, 16}, 8}), HasSubstr("m64n256k16"));
}

TEST(NativeWgmma, zerosAreNoRegisters) {
  const std::string code = codeOf({"f16", "f16", "f32", {64, 8, 16}, 4, "", true});
  EXPECT_THAT(code, HasSubstr("llvm.mlir.undef : !llvm.struct<(f32, f32, f32, f32)>"));
}

TEST(NativeWgmma, smallProductsAreOfWarps) {
  EXPECT_THAT(codeOf({"f16", "f16", "f32", {32, 64, 64}}), Not(HasSubstr("wgmma")));
  EXPECT_THAT(codeOf({"f16", "f16", "f32", {64, 64, 64}, 2}), Not(HasSubstr("wgmma")));
  EXPECT_THAT(codeOf({"f32", "f32", "f32", {64, 64, 64}}), Not(HasSubstr("wgmma")));
}

/// Accumulators of groups take registers of their own, and threads have 255.
TEST(NativeWgmma, largeAccumulatorsAreOfWarps) {
  EXPECT_THAT(codeOf({"f16", "f16", "f32", {64, 512, 16}, 4}), Not(HasSubstr("wgmma")));
}

} // namespace
