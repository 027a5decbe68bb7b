//===- AffineFormTest.cpp - forms against the values of all lanes -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Random integer and pointer tiles are built in IR and evaluated lane by lane at the same time, for scalars near the
// limits of their types. Whatever an analysis says must hold for every lane whenever its conditions do.
//
//===---------------------------------------------------------------------===//

#include "Analysis/MaskForm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

using namespace tessera::ir;
namespace arith = mlir::arith;

namespace {

using Numbers = std::vector<uint64_t>;

/// The low \p bits of \p number as a signed integer.
int64_t asSigned(uint64_t number, unsigned bits) {
  return bits == 64 ? static_cast<int64_t>(number) : static_cast<int64_t>(number << (64 - bits)) >> (64 - bits);
}
uint64_t asUnsigned(uint64_t number, unsigned bits) {
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
SmallVector<int64_t> indexOf(size_t number, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> index(shape.size());
  for (size_t axis = shape.size(); axis-- > 0; number /= shape[axis])
    index[axis] = static_cast<int64_t>(number % shape[axis]);
  return index;
}
size_t numberOf(ArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  size_t number = 0;
  for (size_t axis = 0; axis < shape.size(); ++axis)
    number = number * shape[axis] + index[axis];
  return number;
}

/// Builds a kernel of random integer tiles.
class RandomKernel {
public:
  RandomKernel(mlir::MLIRContext &context, unsigned seed)
      : random(seed), builder(&context), loc(builder.getUnknownLoc()) {
    module = ModuleOp::create(loc);
    builder.setInsertionPointToStart(module->getBody());
    const Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
    const Type pointer = tile::PtrType::get(builder.getF32Type());
    kernel = tile::KernelOp::create(builder, loc, "k", mlir::TypeRange{i32, i32, i64, i64, pointer});
    builder.setInsertionPointToStart(&kernel.getBody().front());
    for (Value argument : kernel.getArguments())
      scalars[argument] = scalarFor(argument.getType());
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

  Lanes pointers(SmallVector<int64_t> shape) {
    Lanes tile = splat(kernel.getArgument(4), shape);
    for (uint64_t count = 1 + pick(2); count > 0; --count) {
      const unsigned bits = pick(2) ? 32 : 64;
      const Lanes offset = tileOf(shape, bits, 2);
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
  mlir::OwningOpRef<ModuleOp> module;
  tile::KernelOp kernel;
  std::map<Value, uint64_t, decltype([](Value a, Value b) { return a.getAsOpaquePointer() < b.getAsOpaquePointer(); })>
      scalars;
};

class AffineFormTest : public testing::Test {
protected:
  AffineFormTest() : context(registry(), mlir::MLIRContext::Threading::DISABLED) { context.loadAllAvailableDialects(); }
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

const SmallVector<int64_t> kShapes[] = {{8}, {1}, {4, 8}, {8, 2}, {1, 4}};

} // namespace

TEST_F(AffineFormTest, lanesAreBasePlusStrides) {
  unsigned forms = 0, conditional = 0;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    RandomKernel kernel(context, seed);
    UniformExprs exprs;
    AffineForms affine(exprs);
    const bool isPointer = seed % 4 == 0;
    const SmallVector<int64_t> &shape = kShapes[kernel.pick(std::size(kShapes))];
    const Lanes lanes = isPointer ? kernel.pointers(shape) : kernel.tileOf(shape, seed % 2 ? 32 : 64, 4);
    const AffineForm *form = affine.of(lanes.value);
    if (!form || !kernel.holds(form->needs))
      continue;
    ++forms;
    conditional += !form->isExact();
    const uint64_t pointer = form->pointer ? kernel.scalars.at(form->pointer) : 0;
    for (size_t i = 0; i < lanes.numbers.size(); ++i) {
      uint64_t expected = pointer + static_cast<uint64_t>(kernel.evaluate(form->base));
      for (auto [stride, place] : llvm::zip_equal(form->strides, indexOf(i, lanes.shape())))
        expected += static_cast<uint64_t>(kernel.evaluate(stride)) * static_cast<uint64_t>(place);
      ASSERT_EQ(asUnsigned(expected, lanes.bits()), lanes.numbers[i]) << "seed " << seed << " lane " << i << "\n"
                                                                      << textOf(kernel);
    }
  }
  EXPECT_GT(forms, 500u);
  EXPECT_GT(conditional, 20u);
}

TEST_F(AffineFormTest, exactFormsDoNotWrap) {
  unsigned exact = 0, refused = 0;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    RandomKernel kernel(context, seed);
    UniformExprs exprs;
    AffineForms affine(exprs);
    const unsigned bits = seed % 2 ? 32 : 64;
    const Lanes lanes = kernel.tileOf(kShapes[kernel.pick(std::size(kShapes))], bits, 4);
    const bool isSigned = kernel.pick(2);
    SmallVector<Condition> needs;
    if (!(isSigned ? affine.isExactSigned(lanes.value, needs) : affine.isExactUnsigned(lanes.value, needs)) ||
        !kernel.holds(needs)) {
      ++refused;
      continue;
    }
    ++exact;
    const AffineForm *form = affine.of(lanes.value);
    for (size_t i = 0; i < lanes.numbers.size(); ++i) {
      __int128 expected = kernel.evaluate(form->base);
      for (auto [stride, place] : llvm::zip_equal(form->strides, indexOf(i, lanes.shape())))
        expected += static_cast<__int128>(kernel.evaluate(stride)) * place;
      const __int128 number = isSigned ? __int128(asSigned(lanes.numbers[i], bits)) : __int128(lanes.numbers[i]);
      ASSERT_TRUE(expected == number) << "seed " << seed << " lane " << i << "\n" << textOf(kernel);
    }
  }
  EXPECT_GT(exact, 200u);
  EXPECT_GT(refused, 200u);
}

TEST_F(AffineFormTest, masksAreBoxes) {
  unsigned boxes = 0, conditional = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    RandomKernel kernel(context, seed);
    UniformExprs exprs;
    AffineForms affine(exprs);
    MaskForms masks(affine);
    const Lanes lanes = kernel.mask(kShapes[kernel.pick(std::size(kShapes))], 2);
    const MaskForm &form = masks.of(lanes.value);
    if (!form.isBox() || !kernel.holds(form.needs))
      continue;
    ++boxes;
    conditional += !form.isExact();
    for (size_t i = 0; i < lanes.numbers.size(); ++i) {
      bool inside = true;
      for (auto [interval, place] : llvm::zip_equal(form.box, indexOf(i, lanes.shape())))
        inside &= (!interval.lo || kernel.evaluate(interval.lo) <= place) &&
                  (!interval.hi || place < kernel.evaluate(interval.hi));
      ASSERT_EQ(inside, lanes.numbers[i] != 0) << "seed " << seed << " lane " << i << "\n" << textOf(kernel);
    }
  }
  EXPECT_GT(boxes, 300u);
  EXPECT_GT(conditional, 100u);
}

TEST_F(AffineFormTest, rangesHoldWhatExpressionsAre) {
  for (unsigned seed = 0; seed < 1000; ++seed) {
    RandomKernel kernel(context, seed);
    UniformExprs exprs;
    SmallVector<UniformExpr> known;
    for (Value argument : kernel.kernel.getArguments().drop_back()) {
      known.push_back(exprs.signExtended(argument));
      known.push_back(exprs.zeroExtended(argument));
    }
    known.push_back(exprs.constant(static_cast<int64_t>(kernel.scalarFor(kernel.builder.getI64Type()))));
    for (unsigned count = 0; count < 8; ++count) {
      const UniformExpr a = known[kernel.pick(known.size())], b = known[kernel.pick(known.size())];
      UniformExpr results[] = {exprs.add(a, b),  exprs.sub(a, b),  exprs.mul(a, b),
                               exprs.smin(a, b), exprs.smax(a, b), exprs.subSat(a, b)};
      const UniformExpr result = results[kernel.pick(std::size(results))];
      const int64_t number = kernel.evaluate(result);
      ASSERT_LE(result.range().lo, number) << "seed " << seed;
      ASSERT_GE(result.range().hi, number) << "seed " << seed;
      known.push_back(result);
    }
  }
}

namespace {

class ScalarRangeTest : public AffineFormTest {
protected:
  /// What the offset `%r` of the first address lies in; \p before stands before what gives it.
  Range rangeOf(const std::string &body, const std::string &before = "") {
    auto module = mlir::parseSourceString<ModuleOp>(
        "tile.kernel @k(%p: !tile.ptr<i64>, %a: i64, %b: i32) {\n" + before + body +
            "\n%q = tile.addptr %p, %r : !tile.ptr<i64>, i64\n%v = tile.load %q : !tile.ptr<i64>\ntile.return }",
        &context);
    if (!module) {
      ADD_FAILURE() << "does not parse";
      return {};
    }
    UniformExprs exprs;
    Range range;
    module->walk([&](tile::AddPtrOp op) {
      range = exprs.signExtended(op.getOffset()).range();
      return mlir::WalkResult::interrupt();
    });
    return range;
  }
};

} // namespace

TEST_F(ScalarRangeTest, followsScalars) {
  const int64_t programs = int64_t(1) << 40;
  EXPECT_EQ(rangeOf("%r = tile.program_id x"), (Range{0, programs - 1}));
  EXPECT_EQ(rangeOf("%c = arith.constant 64 : i64\n%x = tile.program_id x\n%r = arith.muli %x, %c : i64"),
            (Range{0, (programs - 1) * 64}));
  EXPECT_EQ(rangeOf("%r = arith.addi %a, %a : i64"), Range());
  EXPECT_EQ(rangeOf("%r = arith.extsi %b : i32 to i64"), Range::ofSigned(32));
  EXPECT_EQ(rangeOf("%r = arith.extui %b : i32 to i64"), Range::ofUnsigned(32));
  EXPECT_EQ(rangeOf("%c = arith.constant 7 : i64\n%r = tile.irem %a, %c : i64"), (Range{-6, 6}));
  EXPECT_EQ(rangeOf("%c = arith.constant 7 : i64\n%r = tile.irem %a, %c rounding floor : i64"), (Range{0, 6}));
  EXPECT_EQ(rangeOf("%c = arith.constant 7 : i64\n%x = tile.program_id x\n%r = tile.irem %x, %c : i64"), (Range{0, 6}));
  EXPECT_EQ(rangeOf("%c = arith.constant 7 : i64\n%r = arith.andi %a, %c : i64"), (Range{0, 7}));
  EXPECT_EQ(rangeOf("%r = tile.irem %a, %a : i64"), Range());
}

TEST_F(ScalarRangeTest, quotientsByConstants) {
  const auto quotient = [&](const std::string &rounding) {
    return rangeOf("%c = arith.constant 3 : i64\n%x = arith.extsi %b : i32 to i64\n%r = tile.idiv %x, %c rounding " +
                   rounding + " : i64");
  };
  const Range source = Range::ofSigned(32);
  EXPECT_TRUE(quotient("floor").contains({source.lo / 3 - 1, source.hi / 3}));
  EXPECT_TRUE(quotient("ceil").contains({source.lo / 3, source.hi / 3 + 1}));
  EXPECT_TRUE(source.contains(quotient("trunc")));
}

TEST_F(ScalarRangeTest, countersOfLoops) {
  const auto counter = [&](const std::string &from, const std::string &to, int step) {
    const std::string loop = "%from = " + from + "\n%to = " + to + "\n%step = arith.constant " + std::to_string(step) +
                             " : i64\nscf.for %r = %from to %to step %step : i64 {\n" +
                             "%q = tile.addptr %p, %r : !tile.ptr<i64>, i64\n%v = tile.load %q : !tile.ptr<i64>\n}\n";
    return rangeOf("%r = arith.addi %a, %a : i64", loop);
  };
  const std::string zero = "arith.constant 0 : i64", hundred = "arith.constant 100 : i64";
  const std::string any = "arith.addi %a, %a : i64";
  const int64_t most = Range().hi;
  EXPECT_EQ(counter(zero, hundred, 1), (Range{0, 99}));
  EXPECT_EQ(counter(zero, hundred, 64), (Range{0, 64}));
  EXPECT_EQ(counter(zero, any, 64), (Range{0, most - 63}));
  EXPECT_EQ(counter(any, hundred, 64), (Range{Range().lo, 99}));
  EXPECT_EQ(counter(hundred, zero, -1), Range());
}
