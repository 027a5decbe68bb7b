//===- NativeDotTest.cpp - which products matrix units take --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace tessera::ir;

namespace {

/// A product of two tiles of \p shape m x n x k, as code for \p target.
std::string codeOf(const char *target, std::string_view a, std::string_view b, std::string_view acc,
                   std::array<int, 3> shape, std::string_view how = "") {
  mlir::DialectRegistry registry;
  registry.insert<tile::TileDialect, layout::LayoutDialect, mlir::arith::ArithDialect, mlir::math::MathDialect,
                  mlir::scf::SCFDialect, mlir::vector::VectorDialect, mlir::LLVM::LLVMDialect>();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  const auto [m, n, k] = shape;
  // One warp, whose lanes hold copies of what registers hold: any layout will do.
  const auto layoutOf = [](int rows, int columns) {
    std::string registers;
    for (int column = 1; column != columns; column *= 2)
      registers += fmt::format("{}(0, {})", registers.empty() ? "" : ", ", column);
    for (int row = 1; row != rows; row *= 2)
      registers += fmt::format("{}({}, 0)", registers.empty() ? "" : ", ", row);
    return fmt::format("#layout.tile<{}x{}, register = [{}], lane = [(0, 0), (0, 0), (0, 0), (0, 0), (0, 0)]>", rows,
                       columns, registers);
  };
  const auto tile = [&](int rows, int columns, std::string_view element) {
    return fmt::format("tensor<{}x{}x{}, {}>", rows, columns, element, layoutOf(rows, columns));
  };
  const std::string text = fmt::format(
      "tile.kernel @k(%x: {0}, %y: {1}, %z: {2}, %p: !tile.ptr<{2}>) attributes {{layout.num_warps = 1 : i64,"
      "    layout.warp_size = 32 : i64}} {{\n"
      "  %a = tile.splat %x : {3}\n  %b = tile.splat %y : {4}\n  %c = tile.splat %z : {5}\n"
      "  %d = tile.dot %a, %b, %c {7} : {3}, {4} -> {5}\n"
      "  %q = tile.splat %p : {6}\n  tile.store %q, %d : {6}\n  tile.return\n}}",
      a, b, acc, tile(m, k, a), tile(k, n, b), tile(m, n, acc), tile(m, n, fmt::format("!tile.ptr<{}>", acc)), how);
  auto module = mlir::parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return "does not parse: " + text;
  const gpu::NvidiaHooks hooks(*tessera::arch::findChip(target));
  mlir::PassManager passes(&context);
  passes.addPass(gpu::createExpandDotsPass(hooks.chip(), hooks));
  if (failed(passes.run(*module)))
    return "fails";
  std::string code;
  llvm::raw_string_ostream stream(code);
  module->print(stream);
  mlir::PassManager emission(&context);
  emission.addPass(gpu::createLayoutToLLVMPass({.target = target}, hooks));
  if (code.find("layout.shared_dot") == std::string::npos && succeeded(emission.run(*module)))
    module->print(stream);
  return code;
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
