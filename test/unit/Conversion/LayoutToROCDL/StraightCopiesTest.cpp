//===- StraightCopiesTest.cpp - copies past the registers ----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tessera::ir;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace {

/// A kernel of four warps that copies a tile of a view of f16, 16 bytes at a time, as code for \p target. Pieces of 8
/// columns are swizzled in the buffer; \p lanes copy.
std::string codeOf(const std::string &target, const std::string &lanes, const std::string &waits) {
  mlir::DialectRegistry registry;
  registry.insert<tile::TileDialect, layout::LayoutDialect, mlir::arith::ArithDialect, mlir::math::MathDialect,
                  mlir::scf::SCFDialect, mlir::vector::VectorDialect, mlir::LLVM::LLVMDialect>();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  const std::string text = "#a = #layout.tile<64x32, register = [(0, 1), (0, 2), (0, 4)], lane = [" + lanes +
                           "], warp = [(16, 0), (32, 0)]>\n" + R"(
#s = #layout.shared<64x32, offsets = [1, 2, 4, 8, 16, 32, 64, 136, 272, 512, 1024]>
tile.kernel @k(%x: !tile.ptr<f16>, %m: i64, %n: i64, %ld: i64, %i: i64, %c: i1)
    attributes {layout.num_warps = 4 : i64, layout.warp_size = 64 : i64, layout.shared_bytes = 4096 : i64} {
  %one = arith.constant 1 : i64
  %v = tile.make_view %x, [%m, %n], [%ld, %one] : !tile.view<f16, 2>
  %b = layout.shared_alloc offset 0 : !layout.buffer<64x32xf16, #s>
  layout.view_async_copy %v[%i, %i] by #a when %c into %b {layout.vector = 8} : !tile.view<f16, 2>, !layout.buffer<64x32xf16, #s>
  layout.async_commit
)" + waits + "\nlayout.shared_free %b : !layout.buffer<64x32xf16, #s>\ntile.return\n}";
  auto module = mlir::parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return "does not parse";
  const gpu::AmdHooks hooks(*tessera::arch::findChip(target));
  mlir::PassManager passes(&context);
  passes.addPass(gpu::createLayoutToLLVMPass({.target = target}, hooks));
  if (failed(passes.run(*module)))
    return "is refused";
  std::string code;
  llvm::raw_string_ostream stream(code);
  module->print(stream);
  return code;
}

const char *const kInOrder = "(0, 8), (0, 16), (1, 0), (2, 0), (4, 8), (8, 16)";
const char *const kByRows = "(0, 8), (0, 16), (1, 0), (2, 0), (4, 0), (8, 0)";

int countOf(const std::string &text, const std::string &words) {
  int count = 0;
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1))
    ++count;
  return count;
}

} // namespace

TEST(StraightCopies, warpsCopyWhereLanesFollowTheBuffer) {
  const std::string code = codeOf("hip:gfx950", kInOrder, "layout.async_wait pending 1 accesses 7\n");
  EXPECT_EQ(countOf(code, "call @tessera.gpu.copy_to_shared.v4i32("), 1);
  EXPECT_THAT(code, AllOf(HasSubstr("call @tessera.gpu.copy_wait(%c7_i32)"), Not(HasSubstr("call @tessera.gpu.load"))));
}

TEST(StraightCopies, otherLanesLoadAndStore) {
  const std::string code = codeOf("hip:gfx950", kByRows, "");
  EXPECT_THAT(code, AllOf(HasSubstr("call @tessera.gpu.load.v4i32("), HasSubstr("llvm.store"),
                          Not(HasSubstr("copy_to_shared"))));
}

/// Those of 16 bytes exist on one chip only, and none on others.
TEST(StraightCopies, chipsHaveTheirWidths) {
  EXPECT_THAT(codeOf("hip:gfx942", kInOrder, ""), Not(HasSubstr("copy_to_shared")));
  const std::string code = codeOf("hip:gfx1100", kInOrder, "layout.async_wait pending 0\n");
  EXPECT_THAT(code, AllOf(Not(HasSubstr("copy_to_shared")), Not(HasSubstr("copy_wait"))));
}

/// What is not known to be left is waited for.
TEST(StraightCopies, waitsWithoutANumberAreForAll) {
  const std::string code = codeOf("hip:gfx950", kInOrder, "layout.async_wait pending 3\n");
  EXPECT_THAT(code, HasSubstr("call @tessera.gpu.copy_wait(%c0_i32)"));
}
