//===- RandomKernel.h - random index arithmetic and what it gives ----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Random integer and pointer tiles are built in IR and evaluated lane by lane at the same time, for scalars near the
// limits of their types.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_ANALYSIS_RANDOMKERNEL_H
#define TESSERA_TEST_UNIT_ANALYSIS_RANDOMKERNEL_H

#include "Analysis/MaskForm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace tessera::ir {

namespace arith = mlir::arith;

using Numbers = std::vector<uint64_t>;

/// The low \p bits of \p number as a signed integer.
inline int64_t asSigned(uint64_t number, unsigned bits) {
  return bits == 64 ? static_cast<int64_t>(number) : static_cast<int64_t>(number << (64 - bits)) >> (64 - bits);
}
inline uint64_t asUnsigned(uint64_t number, unsigned bits) {
  return bits == 64 ? number : number & ((uint64_t(1) << bits) - 1);
}

/// A value of the kernel and what it is for the present scalars, lane by lane in row-major order. Pointers are
/// addresses.
struct Lanes {
  Value value;
  Numbers numbers;

  SmallVector<int64_t> shape() const { return SmallVector<int64_t>(tile::shapeOf(value.getType())); }
  unsigned bits() const { return tile::bitsOf(tile::elementOf(value.getType())); }
};

/// The index of lane \p number in \p shape.
inline SmallVector<int64_t> indexOf(size_t number, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> index(shape.size());
  for (size_t axis = shape.size(); axis-- > 0; number /= shape[axis])
    index[axis] = static_cast<int64_t>(number % shape[axis]);
  return index;
}
inline size_t numberOf(ArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  size_t number = 0;
  for (size_t axis = 0; axis < shape.size(); ++axis)
    number = number * shape[axis] + index[axis];
  return number;
}

/// Builds a kernel of random integer tiles.
class RandomKernel {
public:
  /// With \p aligned, arguments often are multiples and say so, and tiles come from more kinds of ops, among them some
  /// that have no affine form.
  RandomKernel(mlir::MLIRContext &context, unsigned seed, bool aligned = false)
      : random(seed), builder(&context), loc(builder.getUnknownLoc()), aligned(aligned) {
    module = ModuleOp::create(loc);
    builder.setInsertionPointToStart(module->getBody());
    const Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
    const Type pointer = tile::PtrType::get(builder.getF32Type());
    kernel = tile::KernelOp::create(builder, loc, "k", mlir::TypeRange{i32, i32, i64, i64, pointer});
    builder.setInsertionPointToStart(&kernel.getBody().front());
    for (BlockArgument argument : kernel.getArguments()) {
      scalars[argument] = scalarFor(argument.getType());
      if (aligned)
        align(argument);
    }
  }

  void align(BlockArgument argument) {
    uint64_t &number = scalars[argument];
    const uint64_t divisor = uint64_t(4) << pick(4);
    if (isa<tile::PtrType>(argument.getType()) || pick(3))
      number = (number & ~(divisor - 1)) | divisor;
    const uint64_t multiple = number & (~number + 1);
    if (multiple != 0 && multiple < 4096 && pick(4))
      kernel.setArgAttr(argument.getArgNumber(), tile::TileDialect::kMultipleOf,
                        builder.getI64IntegerAttr(static_cast<int64_t>(multiple)));
  }

  uint64_t pick(uint64_t below) { return std::uniform_int_distribution<uint64_t>(0, below - 1)(random); }

  /// A number that is small, or close to a limit of the type.
  uint64_t scalarFor(Type type) {
    const unsigned bits = tile::bitsOf(type);
    const int64_t near = static_cast<int64_t>(pick(41)) - 20;
    const int64_t most = static_cast<int64_t>(~uint64_t(0) >> (65 - bits));
    switch (pick(5)) {
    case 0:
      return asUnsigned(static_cast<uint64_t>(most) + near, bits);
    case 1:
      return asUnsigned(static_cast<uint64_t>(-most) + near, bits);
    case 2:
      return asUnsigned((uint64_t(1) << 31) + near, bits);
    default:
      return asUnsigned(static_cast<uint64_t>(near), bits);
    }
  }

  Lanes add(Value value, Numbers numbers) {
    for (uint64_t &number : numbers)
      number = asUnsigned(number, tile::bitsOf(tile::elementOf(value.getType())));
    return {value, std::move(numbers)};
  }

  Value argument(unsigned bits) { return kernel.getArgument((bits == 32 ? 0 : 2) + static_cast<unsigned>(pick(2))); }

  Lanes splat(Value scalar, ArrayRef<int64_t> shape) {
    const Value value = tile::SplatOp::create(builder, loc, scalar, shape);
    return add(value, Numbers(tile::elementCountOf(value.getType()), scalars.at(scalar)));
  }

  /// A tile of i32 or i64 from few ops.
  Lanes source(ArrayRef<int64_t> shape, unsigned bits) {
    if (aligned && pick(2))
      return counter(shape, bits);
    if (shape.size() != 1 || bits != 32 || pick(3) == 0)
      return splat(pick(3) ? argument(bits) : constant(bits), shape);
    const auto start = static_cast<int32_t>(pick(9)) - 4;
    Numbers numbers;
    for (int64_t i = 0; i < shape[0]; ++i)
      numbers.push_back(static_cast<uint64_t>(start + i));
    const Value value = tile::ArangeOp::create(builder, loc, start, start + static_cast<int32_t>(shape[0]));
    return add(value, numbers);
  }

  Value constant(unsigned bits) {
    const int64_t number = static_cast<int64_t>(pick(9)) - 3;
    const Value value =
        arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(builder.getIntegerType(bits), number));
    scalars[value] = asUnsigned(static_cast<uint64_t>(number), bits);
    return value;
  }

  /// The elements of \p source at other places: \p from maps an index of the result to one of the source.
  Lanes moved(Value result, const Lanes &source, function_ref<void(SmallVectorImpl<int64_t> &)> from) {
    const ArrayRef<int64_t> shape = tile::shapeOf(result.getType());
    Numbers numbers;
    for (int64_t i = 0; i < tile::elementCountOf(result.getType()); ++i) {
      SmallVector<int64_t> index = indexOf(i, shape);
      from(index);
      numbers.push_back(source.numbers[numberOf(index, source.shape())]);
    }
    return add(result, std::move(numbers));
  }

  /// A tile of \p shape and \p bits; \p depth bounds the ops behind it.
  Lanes tileOf(SmallVector<int64_t> shape, unsigned bits, unsigned depth) {
    if (depth == 0)
      return source(shape, bits);
    if (aligned && pick(4) == 0)
      return notAffine(shape, bits, depth);
    switch (pick(15)) {
    case 0:
    case 1:
    case 2: {
      const Lanes a = tileOf(shape, bits, depth - 1), b = tileOf(shape, bits, depth - 1);
      Numbers numbers;
      const bool minus = pick(2);
      for (size_t i = 0; i < a.numbers.size(); ++i)
        numbers.push_back(minus ? a.numbers[i] - b.numbers[i] : a.numbers[i] + b.numbers[i]);
      return add(minus ? arith::SubIOp::create(builder, loc, a.value, b.value).getResult()
                       : arith::AddIOp::create(builder, loc, a.value, b.value).getResult(),
                 numbers);
    }
    case 3: {
      const Lanes a = tileOf(shape, bits, depth - 1), b = splat(pick(2) ? constant(bits) : argument(bits), shape);
      Numbers numbers;
      for (size_t i = 0; i < a.numbers.size(); ++i)
        numbers.push_back(a.numbers[i] * b.numbers[i]);
      const bool flipped = pick(2);
      return add(arith::MulIOp::create(builder, loc, flipped ? b.value : a.value, flipped ? a.value : b.value),
                 numbers);
    }
    case 4: {
      const Lanes a = tileOf(shape, bits, depth - 1);
      const uint64_t amount = pick(4);
      const Value by = arith::ConstantOp::create(
          builder, loc, DenseElementsAttr::get(cast<mlir::ShapedType>(a.value.getType()), APInt(bits, amount)));
      Numbers numbers;
      for (uint64_t number : a.numbers)
        numbers.push_back(number << amount);
      return add(tile::ShlOp::create(builder, loc, a.value, by), numbers);
    }
    case 5:
    case 6:
    case 7: {
      const unsigned from = bits == 64 ? 32 : 64;
      const Lanes a = tileOf(shape, from, depth - 1);
      const Type type = tile::withElement(a.value.getType(), builder.getIntegerType(bits));
      if (bits == 32)
        return add(arith::TruncIOp::create(builder, loc, type, a.value), a.numbers);
      if (pick(3) == 0)
        return add(arith::ExtUIOp::create(builder, loc, type, a.value), a.numbers);
      Numbers numbers;
      for (uint64_t number : a.numbers)
        numbers.push_back(static_cast<uint64_t>(asSigned(number, 32)));
      return add(arith::ExtSIOp::create(builder, loc, type, a.value), numbers);
    }
    case 8: { // broadcast
      SmallVector<int64_t> narrow = shape;
      narrow[pick(shape.size())] = 1;
      const Lanes a = tileOf(narrow, bits, depth - 1);
      return moved(tile::BroadcastOp::create(builder, loc, a.value, shape), a, [&](SmallVectorImpl<int64_t> &index) {
        for (size_t axis = 0; axis < shape.size(); ++axis)
          if (narrow[axis] == 1)
            index[axis] = 0;
      });
    }
    case 9: { // expand_dims and broadcast
      if (shape.size() < 2)
        return tileOf(shape, bits, depth - 1);
      const size_t axis = pick(shape.size());
      SmallVector<int64_t> inner = shape;
      inner.erase(inner.begin() + axis);
      const Lanes a = tileOf(inner, bits, depth - 1);
      const Value wide = tile::ExpandDimsOp::create(builder, loc, a.value, static_cast<int32_t>(axis));
      return moved(tile::BroadcastOp::create(builder, loc, wide, shape), a,
                   [&](SmallVectorImpl<int64_t> &index) { index.erase(index.begin() + axis); });
    }
    case 10: { // reshape
      int64_t count = 1;
      for (int64_t extent : shape)
        count *= extent;
      SmallVector<int64_t> other = {count};
      if (count > 2 && pick(2))
        other = {2, count / 2};
      const Lanes a = tileOf(other, bits, depth - 1);
      return add(tile::ReshapeOp::create(builder, loc, a.value, shape), a.numbers);
    }
    case 11: { // trans
      if (shape.size() != 2)
        return tileOf(shape, bits, depth - 1);
      SmallVector<int64_t> other = {shape[1], shape[0]};
      const Lanes a = tileOf(other, bits, depth - 1);
      return moved(tile::TransOp::create(builder, loc, a.value, ArrayRef<int32_t>{1, 0}), a,
                   [](SmallVectorImpl<int64_t> &index) { std::swap(index[0], index[1]); });
    }
    case 12: { // slice
      SmallVector<int64_t> other = shape, offsets(shape.size());
      const size_t axis = pick(shape.size());
      other[axis] *= 2;
      offsets[axis] = static_cast<int64_t>(pick(static_cast<uint64_t>(shape[axis]) + 1));
      const Lanes a = tileOf(other, bits, depth - 1);
      return moved(tile::SliceOp::create(builder, loc, a.value, offsets, shape), a,
                   [&](SmallVectorImpl<int64_t> &index) {
                     for (size_t d = 0; d < index.size(); ++d)
                       index[d] += offsets[d];
                   });
    }
    case 13: { // flip
      const Lanes a = tileOf(shape, bits, depth - 1);
      const size_t axis = pick(shape.size());
      return moved(tile::FlipOp::create(builder, loc, a.value, static_cast<int32_t>(axis)), a,
                   [&](SmallVectorImpl<int64_t> &index) { index[axis] = shape[axis] - 1 - index[axis]; });
    }
    default: { // split
      SmallVector<int64_t> other = shape;
      other.push_back(2);
      const Lanes a = tileOf(other, bits, depth - 1);
      auto split = tile::SplitOp::create(builder, loc, a.value);
      const unsigned half = static_cast<unsigned>(pick(2));
      return moved(split->getResult(half), a, [&](SmallVectorImpl<int64_t> &index) { index.push_back(half); });
    }
    }
  }

  /// Each element of two tiles combined.
  Lanes combined(Value value, const Lanes &a, const Lanes &b, function_ref<uint64_t(uint64_t, uint64_t)> combine) {
    Numbers numbers;
    for (size_t i = 0; i < a.numbers.size(); ++i)
      numbers.push_back(combine(a.numbers[i], b.numbers[i]));
    return add(value, std::move(numbers));
  }

  /// A quotient or remainder, a choice, or something bitwise.
  Lanes notAffine(SmallVector<int64_t> shape, unsigned bits, unsigned depth) {
    const Lanes a = tileOf(shape, bits, depth - 1);
    switch (pick(4)) {
    case 0:
      return divided(a, bits);
    case 1: {
      const Lanes c = mask(shape, 1), b = tileOf(shape, bits, depth - 1);
      Numbers numbers;
      for (size_t i = 0; i < a.numbers.size(); ++i)
        numbers.push_back(c.numbers[i] ? a.numbers[i] : b.numbers[i]);
      return add(arith::SelectOp::create(builder, loc, c.value, a.value, b.value), numbers);
    }
    case 2: {
      const Lanes b = splat(pick(2) ? constant(bits) : argument(bits), shape);
      return combined(arith::AndIOp::create(builder, loc, a.value, b.value), a, b,
                      [](uint64_t x, uint64_t y) { return x & y; });
    }
    default: {
      const Lanes b = tileOf(shape, bits, depth - 1);
      return combined(arith::MinUIOp::create(builder, loc, a.value, b.value), a, b,
                      [](uint64_t x, uint64_t y) { return std::min(x, y); });
    }
    }
  }

  /// By a number that no quotient is undefined for.
  Lanes divided(const Lanes &a, unsigned bits) {
    const Lanes b = splat(pick(2) ? constant(bits) : argument(bits), a.shape());
    const int64_t by = asSigned(b.numbers[0], bits);
    if (by == 0 || by == -1)
      return a;
    const bool isUnsigned = pick(2), isRemainder = pick(2);
    const auto rounding = isUnsigned || pick(2) ? tile::DivRounding::Trunc : tile::DivRounding::Floor;
    const auto combine = [&](uint64_t x, uint64_t y) -> uint64_t {
      if (isUnsigned)
        return isRemainder ? x % y : x / y;
      const int64_t number = asSigned(x, bits);
      int64_t quotient = number / by, rest = number % by;
      if (rounding == tile::DivRounding::Floor && rest != 0 && (rest < 0) != (by < 0)) {
        --quotient;
        rest += by;
      }
      return static_cast<uint64_t>(isRemainder ? rest : quotient);
    };
    const Value value = isRemainder
                            ? tile::IRemOp::create(builder, loc, a.value, b.value, rounding, isUnsigned).getResult()
                            : tile::IDivOp::create(builder, loc, a.value, b.value, rounding, isUnsigned).getResult();
    return combined(value, a, b, combine);
  }

  Lanes pointers(SmallVector<int64_t> shape) {
    Lanes tile = splat(kernel.getArgument(4), shape);
    for (uint64_t count = 1 + pick(2); count > 0; --count) {
      const unsigned bits = pick(2) ? 32 : 64;
      const Lanes offset = tileOf(shape, bits, aligned ? static_cast<unsigned>(pick(3)) : 2);
      Numbers numbers;
      for (size_t i = 0; i < tile.numbers.size(); ++i)
        numbers.push_back(tile.numbers[i] + 4 * static_cast<uint64_t>(asSigned(offset.numbers[i], bits)));
      tile = add(tile::AddPtrOp::create(builder, loc, tile.value, offset.value), numbers);
    }
    if (pick(2))
      return tile;
    const Value address = tile::PtrToIntOp::create(builder, loc, tile.value);
    return add(tile::IntToPtrOp::create(builder, loc, tile.value.getType(), address), tile.numbers);
  }

  /// The index along one axis plus a number, as bounds are written.
  Lanes counter(ArrayRef<int64_t> shape, unsigned bits) {
    const size_t axis = pick(shape.size());
    Numbers numbers;
    for (int64_t i = 0; i < shape[axis]; ++i)
      numbers.push_back(static_cast<uint64_t>(i));
    Lanes tile = add(tile::ArangeOp::create(builder, loc, 0, static_cast<int32_t>(shape[axis])), numbers);
    if (bits == 64)
      tile = add(arith::ExtSIOp::create(builder, loc, tile::withElement(tile.value.getType(), builder.getI64Type()),
                                        tile.value),
                 numbers);
    const Lanes first = splat(argument(bits), shape[axis]);
    for (size_t i = 0; i < numbers.size(); ++i)
      numbers[i] += first.numbers[i];
    tile = add(arith::AddIOp::create(builder, loc, tile.value, first.value), numbers);
    for (size_t other = 0; other < shape.size(); ++other)
      if (other != axis)
        tile.value = tile::ExpandDimsOp::create(builder, loc, tile.value, static_cast<int32_t>(other));
    return moved(tile::BroadcastOp::create(builder, loc, tile.value, shape), {tile.value, tile.numbers},
                 [&](SmallVectorImpl<int64_t> &index) {
                   for (size_t other = 0; other < index.size(); ++other)
                     if (other != axis)
                       index[other] = 0;
                 });
  }

  Lanes mask(SmallVector<int64_t> shape, unsigned depth) {
    if (depth > 0 && pick(2)) {
      const Lanes a = mask(shape, depth - 1), b = mask(shape, depth - 1);
      Numbers numbers;
      for (size_t i = 0; i < a.numbers.size(); ++i)
        numbers.push_back(a.numbers[i] & b.numbers[i]);
      return add(arith::AndIOp::create(builder, loc, a.value, b.value), numbers);
    }
    if (depth > 0 && shape.size() == 2 && pick(2)) {
      const Lanes a = mask({shape[0]}, depth - 1);
      const Value wide = tile::ExpandDimsOp::create(builder, loc, a.value, 1);
      return moved(tile::BroadcastOp::create(builder, loc, wide, shape), a,
                   [](SmallVectorImpl<int64_t> &index) { index.pop_back(); });
    }
    const unsigned bits = pick(2) ? 32 : 64;
    Lanes a = pick(3) ? counter(shape, bits) : tileOf(shape, bits, 2),
          b = splat(pick(2) ? constant(bits) : argument(bits), shape);
    if (pick(2))
      std::swap(a, b);
    const auto predicate = static_cast<arith::CmpIPredicate>(pick(10));
    Numbers numbers;
    for (size_t i = 0; i < a.numbers.size(); ++i)
      numbers.push_back(arith::applyCmpPredicate(predicate, APInt(bits, a.numbers[i]), APInt(bits, b.numbers[i])));
    return add(arith::CmpIOp::create(builder, loc, predicate, a.value, b.value), numbers);
  }

  /// What an expression is for the present scalars.
  int64_t evaluate(UniformExpr expr) const {
    using Kind = UniformExpr::Kind;
    const auto wrapped = [](uint64_t number) { return static_cast<int64_t>(number); };
    switch (expr.kind()) {
    case Kind::Constant:
      return expr.constant();
    case Kind::SignExtended:
      return asSigned(scalars.at(expr.value()), tile::bitsOf(expr.value().getType()));
    case Kind::ZeroExtended:
      return wrapped(scalars.at(expr.value()));
    case Kind::ViewExtent:
    case Kind::ViewStride:
      break;
    default:
      break;
    }
    const int64_t a = evaluate(expr.lhs()), b = evaluate(expr.rhs());
    const auto ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
    switch (expr.kind()) {
    case Kind::Add:
      return wrapped(ua + ub);
    case Kind::Sub:
      return wrapped(ua - ub);
    case Kind::Mul:
      return wrapped(ua * ub);
    case Kind::SMin:
      return std::min(a, b);
    case Kind::SMax:
      return std::max(a, b);
    default:
      return static_cast<int64_t>(std::clamp<__int128>(static_cast<__int128>(a) - b, Range().lo, Range().hi));
    }
  }

  bool holds(ArrayRef<Condition> conditions) const {
    return llvm::all_of(conditions, [&](const Condition &condition) {
      const int64_t number = evaluate(condition.expr);
      return condition.range.lo <= number && number <= condition.range.hi;
    });
  }

  std::mt19937 random;
  mlir::OpBuilder builder;
  mlir::Location loc;
  const bool aligned;
  mlir::OwningOpRef<ModuleOp> module;
  tile::KernelOp kernel;
  std::map<Value, uint64_t, decltype([](Value a, Value b) { return a.getAsOpaquePointer() < b.getAsOpaquePointer(); })>
      scalars;
};

/// Loads the dialects.
class RandomKernelTest : public testing::Test {
protected:
  RandomKernelTest() : context(registry(), mlir::MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
  }
  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    registry.insert<tile::TileDialect, arith::ArithDialect, mlir::math::MathDialect, mlir::scf::SCFDialect>();
    return registry;
  }
  static std::string textOf(RandomKernel &kernel) {
    std::string text;
    llvm::raw_string_ostream os(text);
    kernel.kernel->print(os);
    return text;
  }

  mlir::MLIRContext context;
};

inline const SmallVector<int64_t> kShapes[] = {{8}, {1}, {4, 8}, {8, 2}, {1, 4}};

} // namespace tessera::ir

#endif // TESSERA_TEST_UNIT_ANALYSIS_RANDOMKERNEL_H
