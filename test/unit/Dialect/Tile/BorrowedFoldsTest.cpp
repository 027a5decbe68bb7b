//===- BorrowedFoldsTest.cpp - folders of arith on halves against the executors -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// SEMANTICS A3: f16 and bf16 compute in f32 and round once. The folders of `arith` compute in the half type itself,
// which is the same wherever f32 holds enough of the exact result.
//
//===---------------------------------------------------------------------===//

#include "TileContext.h"

#include "Target/Interp/Float.h"

#include <cmath>
#include <cstdint>
#include <limits>

using namespace tessera::ir;
using namespace tessera::ir::tile;
namespace arith = mlir::arith;

namespace {

struct BorrowedFolds : TileContext {
  void SetUp() override { begin({}); }

  /// The bits that \p Op folds to on two constants given by their bits; nothing if it does not fold.
  template <typename Op> std::optional<uint64_t> fold(FloatType type, uint64_t lhs, uint64_t rhs) {
    const unsigned width = type.getWidth();
    const auto operand = [&](uint64_t bits) {
      return constant(FloatAttr::get(type, APFloat(type.getFloatSemantics(), APInt(width, bits))));
    };
    Value x = operand(lhs), y = operand(rhs);
    Operation *op = Op::create(builder, loc, x, y);
    SmallVector<OpFoldResult> results;
    std::optional<uint64_t> bits;
    if (succeeded(op->fold(results)) && !results.empty())
      if (auto value = dyn_cast_if_present<FloatAttr>(dyn_cast<Attribute>(results.front())))
        bits = value.getValue().bitcastToAPInt().getZExtValue();
    op->erase();
    x.getDefiningOp()->erase();
    y.getDefiningOp()->erase();
    return bits;
  }

  /// Compares the folds of \p Op with computing in f32 and rounding once, over a sample of all pairs.
  template <typename Op, typename T> int compare(FloatType type, float (*compute)(float, float)) {
    int compared = 0;
    uint32_t random = 12345;
    for (int sample = 0; sample < 20000; ++sample) {
      random = random * 1664525u + 1013904223u;
      const T x{static_cast<uint16_t>(random >> 16)};
      random = random * 1664525u + 1013904223u;
      // Every other pair is close, where sums cancel and quotients are near 1.
      const T y{static_cast<uint16_t>(sample % 2 ? random >> 16 : x.bits + (random >> 28) - 8)};
      const float exact = compute(interp::widen(x), interp::widen(y));
      const bool enough = exact == 0 || std::fabs(exact) >= std::numeric_limits<float>::min();
      const std::optional<uint64_t> folded = fold<Op>(type, x.bits, y.bits);
      if (!folded || !enough)
        continue;
      ++compared;
      const T expected = interp::narrow<T>(exact);
      if (std::isnan(exact))
        EXPECT_TRUE(std::isnan(interp::widen(T{static_cast<uint16_t>(*folded)})));
      else
        EXPECT_EQ(*folded, expected.bits) << interp::widen(x) << " and " << interp::widen(y);
    }
    return compared;
  }

  template <typename T> void compareAll(FloatType type) {
    EXPECT_GT((compare<arith::AddFOp, T>(type, [](float x, float y) { return x + y; })), 5000);
    EXPECT_GT((compare<arith::SubFOp, T>(type, [](float x, float y) { return x - y; })), 5000);
    EXPECT_GT((compare<arith::MulFOp, T>(type, [](float x, float y) { return x * y; })), 5000);
    EXPECT_GT((compare<arith::DivFOp, T>(type, [](float x, float y) { return x / y; })), 5000);
    EXPECT_GT((compare<arith::RemFOp, T>(type, [](float x, float y) { return std::fmod(x, y); })), 5000);
  }
};

TEST_F(BorrowedFolds, f16) { compareAll<interp::F16>(mlir::Float16Type::get(&context)); }
TEST_F(BorrowedFolds, bf16) { compareAll<interp::BF16>(mlir::BFloat16Type::get(&context)); }

} // namespace
