//===- NativeMatricesTest.cpp - which tiles are stored as small matrices --===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/LayoutToLLVM.h"
#include "Conversion/LayoutToNVVM/NvidiaHooks.h"
#include "Layout/MatrixUnits.h"
#include "Layout/SharedLayout.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

using namespace tessera::ir;
using tessera::layout::SharedLayout;
using tessera::layout::TileLayout;
using testing::HasSubstr;
using testing::Not;

namespace {

/// Code for \p target that stores a tile of \p layout into a buffer.
std::string codeOf(const char *target, const TileLayout &layout, const SharedLayout &shared, const char *element) {
  mlir::DialectRegistry registry;
  registry.insert<tile::TileDialect, layout::LayoutDialect, mlir::arith::ArithDialect, mlir::math::MathDialect,
                  mlir::scf::SCFDialect, mlir::vector::VectorDialect, mlir::LLVM::LLVMDialect>();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  const std::string shape = fmt::format("{}x{}", layout.shape()[0], layout.shape()[1]);
  const std::string text =
      fmt::format("#a = #layout.tile<{0}>\n#s = #layout.shared<{1}>\n"
                  "tile.kernel @k(%p: !tile.ptr<{2}>) attributes {{layout.num_warps = {4} : i64,"
                  "    layout.warp_size = 32 : i64, layout.shared_bytes = 65536 : i64}} {{\n"
                  "  %q = tile.splat %p : tensor<{3}x!tile.ptr<{2}>, #a>\n"
                  "  %x = tile.load %q : tensor<{3}x!tile.ptr<{2}>, #a>\n"
                  "  %b = layout.shared_alloc offset 0 : !layout.buffer<{3}x{2}, #s>\n"
                  "  layout.shared_store %b, %x : !layout.buffer<{3}x{2}, #s>, tensor<{3}x{2}, #a>\n"
                  "  layout.shared_free %b : !layout.buffer<{3}x{2}, #s>\n  tile.return\n}}",
                  layout.str(), shared.str(), element, shape, layout.size(tessera::layout::Dim::Warp));
  auto module = mlir::parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return "does not parse: " + text;
  const gpu::NvidiaHooks hooks(*tessera::arch::findChip(target));
  mlir::PassManager emission(&context);
  emission.addPass(gpu::createLayoutToLLVMPass({.target = target}, hooks));
  if (failed(emission.run(*module)))
    return "fails";
  std::string code;
  llvm::raw_string_ostream stream(code);
  module->print(stream);
  return code;
}

const std::vector<std::int64_t> kShape{64, 64};
const TileLayout kResult = tessera::layout::wgmmaAccumulator(kShape, {4, 1});
SharedLayout along(int axis, int swizzle, int bytes) {
  return SharedLayout::tensorCopy(kShape, std::array{axis, 1 - axis}, swizzle, bytes);
}

} // namespace

TEST(NativeMatrices, resultsAreStoredFourAtATime) {
  for (const int swizzle : {32, 64, 128}) {
    const std::string code = codeOf("cuda:sm_90a", kResult, along(1, swizzle, 2), "f16");
    EXPECT_THAT(code, HasSubstr("call @tessera.nv.stmatrix.sync.aligned.m8n8.x4.shared.b16("));
    EXPECT_THAT(code, Not(HasSubstr("!llvm.ptr<3>, i32, i1")));
  }
}

TEST(NativeMatrices, columnsAreStoredTransposed) {
  EXPECT_THAT(codeOf("cuda:sm_90a", kResult, along(0, 128, 2), "bf16"),
              HasSubstr("call @tessera.nv.stmatrix.sync.aligned.m8n8.x4.trans.shared.b16("));
}

TEST(NativeMatrices, negativeOlderChips) {
  EXPECT_THAT(codeOf("cuda:sm_80", kResult, along(1, 128, 2), "f16"), Not(HasSubstr("stmatrix")));
}

TEST(NativeMatrices, negativeOtherWidths) {
  EXPECT_THAT(codeOf("cuda:sm_90a", kResult, along(1, 128, 4), "f32"), Not(HasSubstr("stmatrix")));
  EXPECT_THAT(codeOf("cuda:sm_90a", kResult, along(1, 64, 1), "i8"), Not(HasSubstr("stmatrix")));
}

TEST(NativeMatrices, negativeCopiesInWarps) {
  const TileLayout copied = tessera::layout::mmaAccumulator(std::array<std::int64_t, 2>{16, 64}, 32, {4, 1});
  const SharedLayout rows = SharedLayout::tensorCopy(std::array<std::int64_t, 2>{16, 64}, std::array{1, 0}, 128, 2);
  EXPECT_THAT(codeOf("cuda:sm_90a", copied, rows, "f16"), Not(HasSubstr("stmatrix")));
}

// A thread that holds whole rows stores 16 bytes at once, which is no worse.
TEST(NativeMatrices, negativeWideRuns) {
  const TileLayout rows =
      TileLayout::blocked(kShape, std::array<std::int64_t, 2>{1, 8}, std::array<std::int64_t, 2>{4, 8},
                          std::array<std::int64_t, 2>{4, 1}, std::array{1, 0});
  EXPECT_THAT(codeOf("cuda:sm_90a", rows, along(1, 128, 2), "f16"), Not(HasSubstr("stmatrix")));
}
