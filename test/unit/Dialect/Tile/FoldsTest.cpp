//===- FoldsTest.cpp - folders against plain C++ ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Integer folders for all pairs of i8, and float conversions for all values of the small formats against the
// interpreter's encoder: what a folder computes is what an executor would.
//
//===---------------------------------------------------------------------===//

#include "TileContext.h"

#include "Target/Interp/Float.h"

#include <cmath>
#include <cstdint>

using namespace tessera::ir;
using namespace tessera::ir::tile;

namespace {

struct Folds : TileContext {
  void SetUp() override { begin({}); }

  /// The value that an op folds to; nothing if it does not. Leaves the block as it was.
  template <typename Op, typename... Args> std::optional<Attribute> fold(Args &&...args) {
    OperationState state(loc, Op::getOperationName());
    Op::build(builder, state, std::forward<Args>(args)...);
    Operation *op = builder.create(state);
    SmallVector<OpFoldResult> results;
    const bool folded = succeeded(op->fold(results)) && !results.empty();
    std::optional<Attribute> value;
    if (folded) {
      value = dyn_cast_if_present<Attribute>(results.front());
      if (!value || !*value) // an operand
        mlir::matchPattern(cast<Value>(results.front()), mlir::m_Constant(&value.emplace()));
    }
    op->erase();
    return value;
  }

  Value int8(int n) { return constant(IntegerAttr::get(i8, static_cast<int8_t>(n))); }

  /// All i8 as constants, by their unsigned value.
  std::vector<Value> allInt8() {
    std::vector<Value> values;
    for (int n = 0; n < 256; ++n)
      values.push_back(int8(n));
    return values;
  }

  static std::optional<int> asInt(std::optional<Attribute> value) {
    return value ? std::optional(static_cast<int>(cast<IntegerAttr>(*value).getInt())) : std::nullopt;
  }
};

int floorDiv(int a, int b) { return static_cast<int>(std::floor(static_cast<double>(a) / b)); }
int ceilDiv(int a, int b) { return static_cast<int>(std::ceil(static_cast<double>(a) / b)); }
int wrapped(int n) { return static_cast<int8_t>(n); }

// SEMANTICS A1
TEST_F(Folds, signedDivisionAgreesWithCpp) {
  const std::vector<Value> all = allInt8();
  for (int a = -128; a < 128; a += 3)
    for (int b = -128; b < 128; ++b) {
      const Value x = all[a & 255], y = all[b & 255];
      const auto quotient = [&](DivRounding rounding) { return asInt(fold<IDivOp>(x, y, rounding, false)); };
      const auto remainder = [&](DivRounding rounding) { return asInt(fold<IRemOp>(x, y, rounding, false)); };
      if (b == 0 || (a == -128 && b == -1)) {
        EXPECT_EQ(quotient(DivRounding::Trunc), std::nullopt) << a << " / " << b;
        EXPECT_EQ(remainder(DivRounding::Floor), std::nullopt) << a << " % " << b;
        continue;
      }
      EXPECT_EQ(quotient(DivRounding::Trunc), a / b);
      EXPECT_EQ(quotient(DivRounding::Floor), floorDiv(a, b));
      EXPECT_EQ(quotient(DivRounding::Ceil), ceilDiv(a, b));
      EXPECT_EQ(remainder(DivRounding::Trunc), a % b);
      EXPECT_EQ(remainder(DivRounding::Floor), a - b * floorDiv(a, b));
    }
}

// SEMANTICS A1
TEST_F(Folds, unsignedDivisionAgreesWithCpp) {
  const std::vector<Value> all = allInt8();
  for (int a = 0; a < 256; a += 3)
    for (int b = 0; b < 256; ++b) {
      const auto quotient = [&](DivRounding r) { return asInt(fold<IDivOp>(all[a], all[b], r, true)); };
      if (b == 0) {
        EXPECT_EQ(quotient(DivRounding::Ceil), std::nullopt);
        continue;
      }
      EXPECT_EQ(quotient(DivRounding::Trunc), wrapped(a / b));
      EXPECT_EQ(quotient(DivRounding::Floor), wrapped(a / b));
      EXPECT_EQ(quotient(DivRounding::Ceil), wrapped((a + b - 1) / b));
      EXPECT_EQ(asInt(fold<IRemOp>(all[a], all[b], DivRounding::Trunc, true)), wrapped(a % b));
      EXPECT_EQ(asInt(fold<UMulHiOp>(all[a], all[b])), wrapped((a * b) >> 8));
    }
}

// SEMANTICS A2
TEST_F(Folds, shiftsAgreeWithCpp) {
  const std::vector<Value> all = allInt8();
  for (int a = -128; a < 128; ++a)
    for (int by = 0; by < 256; ++by) {
      const Value x = all[a & 255], y = all[by];
      const bool specified = by < 8;
      EXPECT_EQ(asInt(fold<ShlOp>(x, y)), specified ? std::optional(wrapped(a << by)) : std::nullopt);
      EXPECT_EQ(asInt(fold<ShrOp>(x, y, false)), specified ? std::optional(a >> by) : std::nullopt);
      EXPECT_EQ(asInt(fold<ShrOp>(x, y, true)), specified ? std::optional(wrapped((a & 255) >> by)) : std::nullopt);
    }
}

/// A float format of the dialect beside the interpreter's description of it.
struct Format {
  FloatType type;
  interp::Format format;
};

std::vector<Format> formats(MLIRContext *context) {
  using namespace interp;
  return {{mlir::Float8E4M3FNType::get(context), FormatOf<E4M3>::value},
          {mlir::Float8E5M2Type::get(context), FormatOf<E5M2>::value},
          {mlir::Float8E4M3FNUZType::get(context), FormatOf<E4M3Fnuz>::value},
          {mlir::Float8E5M2FNUZType::get(context), FormatOf<E5M2Fnuz>::value},
          {mlir::Float16Type::get(context), FormatOf<F16>::value},
          {mlir::BFloat16Type::get(context), FormatOf<BF16>::value},
          {mlir::Float32Type::get(context), FormatOf<float>::value},
          {mlir::Float64Type::get(context), FormatOf<double>::value}};
}

struct ConvertFolds : Folds {
  /// Compares the fold of one conversion, where there is one, with the interpreter's encoder.
  void check(const Format &from, uint64_t bits, const Format &to, FloatRounding rounding, bool saturate) {
    const APFloat value(from.type.getFloatSemantics(), APInt(from.format.bits, bits));
    Value source = constant(FloatAttr::get(from.type, value));
    const auto folded = fold<ConvertFloatOp>(source, to.type, rounding, saturate);
    source.getDefiningOp()->erase();
    if (!folded)
      return;
    ++compared;
    const auto mode = rounding == FloatRounding::Nearest ? interp::Rounding::Nearest : interp::Rounding::TowardZero;
    const uint64_t expected = interp::encode(interp::decode(bits, from.format), to.format, mode, saturate);
    const APFloat result = cast<FloatAttr>(*folded).getValue();
    if (value.isNaN())
      EXPECT_TRUE(result.isNaN());
    else
      EXPECT_EQ(result.bitcastToAPInt().getZExtValue(), expected)
          << "from bits " << bits << " of " << from.format.bits << " to " << to.format.bits;
  }

  int compared = 0;
};

// SEMANTICS C1, C3
TEST_F(ConvertFolds, fromEveryFp8) {
  const std::vector<Format> all = formats(&context);
  for (const Format &from : ArrayRef(all).take_front(4))
    for (const Format &to : all)
      for (uint64_t bits = 0; bits < 256; ++bits)
        for (FloatRounding rounding : {FloatRounding::Nearest, FloatRounding::TowardZero})
          check(from, bits, to, rounding, bits % 2);
  EXPECT_GT(compared, 10000);
}

// SEMANTICS C1
TEST_F(ConvertFolds, fromHalvesAndWider) {
  const std::vector<Format> all = formats(&context);
  uint64_t random = 1;
  const auto lowBits = [](unsigned count) { return ~uint64_t(0) >> (64 - count); };
  for (const Format &from : ArrayRef(all).drop_front(4))
    for (const Format &to : all)
      for (int sample = 0; sample < 1500; ++sample) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        uint64_t bits = random >> (64 - from.format.bits);
        if (sample % 2) // near values of the other format, where ties are
          bits = interp::encode(interp::decode((random >> 20) & lowBits(to.format.bits), to.format), from.format,
                                interp::Rounding::Nearest, true) +
                 sample % 5 - 2;
        bits &= lowBits(from.format.bits);
        check(from, bits, to, sample % 3 ? FloatRounding::Nearest : FloatRounding::TowardZero, sample % 7 == 0);
      }
  EXPECT_GT(compared, 20000);
}

} // namespace
