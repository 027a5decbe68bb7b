//===- RulesTest.cpp - which layouts the operands and results of an op have -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "RandomLayout.h"

#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Parser/Parser.h"

#include <functional>
#include <gtest/gtest.h>

using namespace tessera::ir;
using namespace tessera::ir::layout;
using tessera::layout::Dim;

namespace {

class LayoutRules : public testing::Test {
protected:
  LayoutRules() : context(mlir::MLIRContext::Threading::DISABLED) {
    context.loadDialect<LayoutDialect, tile::TileDialect, mlir::arith::ArithDialect>();
  }
  /// The op that defines `%y` in \p text, where `%x` is a tile of 4x8, `%col` one of 4x1.
  Operation *op(const std::string &text) {
    module = mlir::parseSourceString<ModuleOp>("tile.kernel @k(%s: f32) {\n%x = tile.splat %s : tensor<4x8xf32>\n"
                                               "%col = tile.splat %s : tensor<4x1xf32>\n" +
                                                   text + "\ntile.return }",
                                               &context);
    Block &body = (*module->getOps<tile::KernelOp>().begin()).getBody().front();
    return body.back().getPrevNode();
  }

  /// Every holder of element i of \p from holds element `moved(i)` of \p to, in the same register.
  static void expectMoved(const TileLayout &from, const TileLayout &to,
                          const std::function<uint32_t(uint32_t)> &moved) {
    ASSERT_EQ(from.size(Dim::Register), to.size(Dim::Register));
    for (uint32_t warp = 0; warp != from.size(Dim::Warp); ++warp)
      for (uint32_t lane = 0; lane != from.size(Dim::Lane); ++lane)
        for (uint32_t reg = 0; reg != from.size(Dim::Register); ++reg)
          ASSERT_EQ(to.at(reg, lane, warp), moved(from.at(reg, lane, warp))) << from.str() << " to " << to.str();
  }

  /// Both ways of a rule that moves element i of a source of 4x8 to `moved(i)`.
  void expectBothWays(const std::string &text, const std::function<uint32_t(uint32_t)> &moved) {
    Operation *const y = op(text);
    for (int round = 0; round != 20; ++round) {
      const TileLayout layout = random({4, 8});
      const std::optional<TileLayout> result = resultLayoutOf(y, layout);
      ASSERT_TRUE(result);
      expectMoved(layout, *result, moved);
      EXPECT_EQ(sourceLayoutOf(y, *result), layout);
    }
  }

  mlir::MLIRContext context;
  OwningOpRef<ModuleOp> module;
  RandomLayout random;
};

TEST_F(LayoutRules, elementwiseKeepsLayouts) {
  expectBothWays("%y = arith.addf %x, %x : tensor<4x8xf32>", [](uint32_t i) { return i; });
  EXPECT_EQ(ruleOf(op("%y = tile.float_to_int %x : tensor<4x8xf32> -> tensor<4x8xi32>")), LayoutRule::Same);
}

TEST_F(LayoutRules, reshapesKeepFlatIndices) {
  expectBothWays("%y = tile.reshape %x : tensor<4x8xf32> -> tensor<2x16xf32>", [](uint32_t i) { return i; });
  expectBothWays("%y = tile.expand_dims %x axis 1 : tensor<4x8xf32> -> tensor<4x1x8xf32>",
                 [](uint32_t i) { return i; });
}

TEST_F(LayoutRules, transExchangesCoordinates) {
  expectBothWays("%y = tile.trans %x [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>",
                 [](uint32_t i) { return i % 8 * 4 + i / 8; });
  Operation *const cycle = op("%z = tile.reshape %x : tensor<4x8xf32> -> tensor<2x2x8xf32>\n"
                              "%y = tile.trans %z [2, 0, 1] : tensor<2x2x8xf32> -> tensor<8x2x2xf32>");
  const TileLayout layout = random({2, 2, 8});
  const TileLayout result = *resultLayoutOf(cycle, layout);
  expectMoved(layout, result, [](uint32_t i) { return i % 8 * 4 + i / 8; });
  EXPECT_EQ(sourceLayoutOf(cycle, result), layout);
}

TEST_F(LayoutRules, broadcastsAndReductionsDropAnAxis) {
  Operation *const y = op("%y = tile.broadcast %col : tensor<4x1xf32> -> tensor<4x8xf32>");
  const TileLayout layout = random({4, 8});
  expectMoved(layout, *sourceLayoutOf(y, layout), [](uint32_t i) { return i / 8; });
  EXPECT_FALSE(resultLayoutOf(y, random({4, 1}))) << "the source says nothing about the repeated axis";
  Operation *const sum = op("%y = tile.reduce %x axis 1 : tensor<4x8xf32> -> tensor<4xf32> by arith.addf");
  expectMoved(layout, *resultLayoutOf(sum, layout), [](uint32_t i) { return i / 8; });
  EXPECT_FALSE(sourceLayoutOf(sum, random({4})));
}

TEST_F(LayoutRules, othersSayNothing) {
  Operation *const cat = op("%y = tile.cat %x, %x axis 0 : tensor<4x8xf32> -> tensor<8x8xf32>");
  EXPECT_EQ(ruleOf(cat), LayoutRule::Special);
  EXPECT_FALSE(resultLayoutOf(cat, random({4, 8})));
  EXPECT_EQ(ruleOf(op("%y = tile.arange 0 to 8 : tensor<8xi32>")), LayoutRule::None);
  EXPECT_EQ(ruleOf(op("%y = tile.program_id x")), LayoutRule::None);
}

} // namespace
