//===- TripCount.cpp - how often a loop runs -----------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Two i64 are up to 2^64 - 1 apart, so their distance, 0 where the range is empty, is an unsigned number. The division
// rounds up; its quotient is beyond i64 only for steps of 1 and 2. A step of 1 needs none, and a distance beyond i64
// reads as a negative number.
//
//===---------------------------------------------------------------------===//

#include "Frontend/TripCount.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <cstdint>
#include <limits>
#include <optional>

namespace tessera::ir {

namespace arith = mlir::arith;

static std::optional<std::int64_t> constantOf(Value value) {
  APInt number;
  if (!mlir::matchPattern(value, mlir::m_ConstantInt(&number)))
    return std::nullopt;
  return number.getSExtValue();
}

Value tripCount(OpBuilder &builder, Location loc, Value lo, Value hi, Value step) {
  const auto constant = [&](std::int64_t number) -> Value {
    return arith::ConstantIntOp::create(builder, loc, number, 64);
  };
  const auto isNegative = [&](Value x) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, x, constant(0));
  };
  const auto minus = [&](Value x, Value y) -> Value { return arith::SubIOp::create(builder, loc, x, y); };
  const auto select = [&](Value condition, Value x, Value y) -> Value {
    return arith::SelectOp::create(builder, loc, condition, x, y);
  };
  const auto upward = [&] { return minus(arith::MaxSIOp::create(builder, loc, lo, hi), lo); };
  const auto downward = [&] { return minus(lo, arith::MinSIOp::create(builder, loc, lo, hi)); };
  const Value most = constant(std::numeric_limits<std::int64_t>::max());

  const std::optional<std::int64_t> known = constantOf(step);
  Value distance, stride;
  if (known) {
    distance = *known > 0 ? upward() : downward();
    if (*known == 1 || *known == -1)
      return select(isNegative(distance), most, distance);
    stride = *known > 0 ? step : constant(static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(*known)));
  } else {
    const Value isDown = isNegative(step);
    distance = select(isDown, downward(), upward());
    stride = select(isDown, minus(constant(0), step), step);
  }
  const Value count = tile::IDivOp::create(builder, loc, distance.getType(), distance, stride, tile::DivRounding::Ceil,
                                           /*is_unsigned=*/true);
  const bool fits = known && (*known < -2 || *known > 2);
  return fits ? count : Value(arith::MinUIOp::create(builder, loc, count, most));
}

Value indexOfTrip(OpBuilder &builder, Location loc, Value lo, Value trip, Value step) {
  const Value offset = arith::MulIOp::create(builder, loc, trip, step);
  return arith::AddIOp::create(builder, loc, lo, offset);
}

bool nearsTheEnds(Value lo, Value hi, std::int64_t step) {
  const std::optional<std::int64_t> first = constantOf(lo), last = constantOf(hi);
  std::int64_t ignored = 0;
  return first && last && *first < *last &&
         (__builtin_sub_overflow(*last, *first, &ignored) || __builtin_add_overflow(*last - 1, step, &ignored));
}

} // namespace tessera::ir
