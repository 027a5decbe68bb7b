//===- CanonicalizeTest.cpp - one kernel, one text -------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The canonical form depends on the kernel alone, since caches hash it.
//
//===---------------------------------------------------------------------===//

#include "TileContext.h"

#include "tessera-ir/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

using namespace tessera::ir;
using namespace tessera::ir::tile;

namespace {

constexpr StringRef kKernel = R"(
tile.kernel @k(%p: !tile.ptr<f32>, %n: i64) {
  %zero = arith.constant 0 : i64
  %step = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %a = arith.muli %two, %n : i64
  %b = arith.muli %n, %two : i64
  %c = arith.addi %a, %b : i64
  %q = tile.addptr %p, %c : !tile.ptr<f32>, i64
  %x = tile.load %q : !tile.ptr<f32>
  %sum = scf.for %i = %zero to %c step %step iter_args(%acc = %x) -> (f32) : i64 {
    %d = arith.subi %a, %b : i64
    %r = tile.addptr %q, %d : !tile.ptr<f32>, i64
    %y = tile.load %r : !tile.ptr<f32>
    %s = arith.addf %acc, %y : f32
    scf.yield %s : f32
  }
  tile.store %p, %sum : !tile.ptr<f32>
  tile.return
}
)";

/// The canonical form of kKernel in \p context.
std::string canonicalText(MLIRContext &context) {
  OwningOpRef<ModuleOp> module = mlir::parseSourceString<ModuleOp>(kKernel, &context);
  mlir::PassManager pm(&context);
  buildTilePipeline(pm);
  if (!module || failed(pm.run(*module)))
    return "failed";
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream);
  return text;
}

TEST(Canonicalize, otherLoadedDialectsDoNotMatter) {
  MLIRContext small(MLIRContext::Threading::DISABLED), large(MLIRContext::Threading::DISABLED);
  large.loadDialect<mlir::func::FuncDialect>();
  small.loadDialect<TileDialect>();
  large.loadDialect<TileDialect>();
  const std::string text = canonicalText(small);
  EXPECT_NE(text, "failed");
  EXPECT_EQ(text, canonicalText(large));
}

TEST(Canonicalize, neitherEarlierKernelsNorThreadsMatter) {
  MLIRContext used, fresh(MLIRContext::Threading::DISABLED);
  used.loadDialect<TileDialect>();
  fresh.loadDialect<TileDialect>();
  const std::string text = canonicalText(used);
  for (int again = 0; again < 5; ++again)
    EXPECT_EQ(text, canonicalText(used));
  EXPECT_EQ(text, canonicalText(fresh));
}

TEST(Canonicalize, equalOpsAreOne) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<TileDialect>();
  const std::string text = canonicalText(context);
  EXPECT_EQ(StringRef(text).count("arith.muli"), 1u) << text;
  EXPECT_EQ(StringRef(text).count("arith.subi"), 0u) << text;
  EXPECT_EQ(StringRef(text).count("tile.addptr"), 1u) << text;
}

} // namespace
