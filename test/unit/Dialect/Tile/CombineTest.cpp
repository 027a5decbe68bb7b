//===- CombineTest.cpp - well-known combine regions ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "TileContext.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace tessera::ir;
using namespace tessera::ir::tile;
namespace arith = mlir::arith;

namespace {

struct Combine : TileContext {
  /// A reduction whose combine region \p fill builds from its arguments and yields the results of.
  ReduceOp reduce(ValueRange inputs, function_ref<SmallVector<Value>(Block::BlockArgListType)> fill) {
    auto op = ReduceOp::create(builder, loc, inputs, 0);
    SmallVector<Type> types;
    for (int side = 0; side < 2; ++side)
      for (Value input : inputs)
        types.push_back(elementOf(input.getType()));
    OpBuilder::InsertionGuard guard(builder);
    Block *body = builder.createBlock(&op.getCombine(), {}, types, SmallVector<Location>(types.size(), loc));
    YieldOp::create(builder, loc, fill(body->getArguments()));
    return op;
  }
};

TEST_F(Combine, everyKindIsBuiltAndRecognised) {
  const SmallVector<Value> args = begin({f32, i32});
  Value x = SplatOp::create(builder, loc, args[0], ArrayRef<int64_t>{8});
  Value n = SplatOp::create(builder, loc, args[1], ArrayRef<int64_t>{8});
  for (int index = 0; index <= static_cast<int>(CombineKind::Xor); ++index) {
    const auto kind = static_cast<CombineKind>(index);
    const Value input = kind < CombineKind::AddI ? x : n;
    auto op = ReduceOp::create(builder, loc, ValueRange{input}, 0);
    buildCombine(builder, loc, op.getCombine(), kind, elementOf(input.getType()));
    EXPECT_EQ(matchCombine(op.getCombine()), kind) << combineOpName(kind).str();
    EXPECT_TRUE(succeeded(mlir::verify(op)));
  }
  EXPECT_TRUE(endIsValid());
}

TEST_F(Combine, negative_otherBodies) {
  const SmallVector<Value> args = begin({f32});
  Value x = SplatOp::create(builder, loc, args[0], ArrayRef<int64_t>{8});
  const auto matched = [&](ReduceOp op) { return matchCombine(op.getCombine()).has_value(); };
  EXPECT_FALSE(matched(reduce(x, [&](auto a) { // operands swapped
    return SmallVector<Value>{arith::AddFOp::create(builder, loc, a[1], a[0])};
  })));
  EXPECT_FALSE(matched(reduce(x, [&](auto a) { // one operand twice
    return SmallVector<Value>{arith::AddFOp::create(builder, loc, a[0], a[0])};
  })));
  EXPECT_FALSE(matched(reduce(x, [&](auto a) { // a value from outside
    return SmallVector<Value>{arith::AddFOp::create(builder, loc, a[0], args[0])};
  })));
  EXPECT_FALSE(matched(reduce(x, [&](auto a) { return SmallVector<Value>{a[0]}; })));
  EXPECT_FALSE(matched(reduce(x, [&](auto a) { // no well-known op
    return SmallVector<Value>{arith::SubFOp::create(builder, loc, a[0], a[1])};
  })));
  EXPECT_FALSE(matched(reduce(x, [&](auto a) { // more than one op
    Value sum = arith::AddFOp::create(builder, loc, a[0], a[1]);
    return SmallVector<Value>{mlir::math::AbsFOp::create(builder, loc, sum)};
  })));
  EXPECT_FALSE(matched(reduce(x, [&](auto a) { // flags
    return SmallVector<Value>{arith::AddFOp::create(builder, loc, a[0], a[1], arith::FastMathFlags::contract)};
  })));
  EXPECT_FALSE(matched(reduce({x, x}, [&](auto a) { // two inputs
    return SmallVector<Value>{a[0], a[1]};
  })));
  Region empty;
  EXPECT_FALSE(matchCombine(empty).has_value());
}

} // namespace
