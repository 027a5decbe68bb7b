//===- SplitSorts.cpp - sorting by exchanges within warps ----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  %s, %p = tile.sort %key, %payload axis 0
// After:   words of (key, place) that are compared and exchanged with their mirror images in blocks of the axis, step
// by
//          step;  %s = tile.gather %key[places];  %p = tile.gather %payload[places]
// Needs:   layouts.  Gives: no `tile.sort`.
// Place:   before shared memory becomes explicit, which is what gathers use.
// Numerics: none; the order is that of SEMANTICS R5.
//
// A key becomes an unsigned integer of the same order (NaN above every number, -0 equal to +0), complemented for
// descending order, and is put before its place on the axis. These words all differ, so that any way of sorting them is
// stable. A bitonic network sorts them: in each step elements meet that differ in one bit of their place. Where that
// bit tells warps apart, the words move to a layout in which it does not. Where a thread has so many words that the
// code of all steps would be long and would spill, the steps are rounds of a loop, and elements meet through shared
// memory.
//
//===---------------------------------------------------------------------===//

#include "tessera-ir/Dialect/Layout/Transforms/Passes.h"

#include "Dialect/Layout/Transforms/TileBuilder.h"
#include "Layout/AxisBits.h"

#include "tessera-ir/Dialect/Tile/IR/AxisShape.h"
#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/MathExtras.h"

namespace tessera::ir::layout {

#define GEN_PASS_DEF_SPLITSORTSPASS
#include "tessera-ir/Dialect/Layout/Transforms/Passes.h.inc"

using namespace ::tessera::layout;
namespace arith = mlir::arith;
using tile::AxisShape;

namespace {

/// Registers that words may take for the sake of fewer conversions.
constexpr std::uint32_t kManyRegisters = 32;
/// Bits of words that a thread can hold while they meet.
constexpr std::uint32_t kMostBits = 64 * 32;

/// Arithmetic on tiles of integers.
class IntegerCode {
public:
  explicit IntegerCode(TileBuilder &t) : t(t) {}

  Value number(const APInt &value, Value like) {
    return t.constant(t.builder().getIntegerAttr(tile::elementOf(like.getType()), value), like.getType());
  }
  Value number(uint64_t value, Value like) {
    return number(APInt(widthOf(like), value, /*isSigned=*/false, /*implicitTrunc=*/true), like);
  }
  static unsigned widthOf(Value x) { return tile::elementOf(x.getType()).getIntOrFloatBitWidth(); }

  template <class Op> Value make(Value x, Value y) { return Op::create(t.builder(), t.location(), x, y); }
  Value bitAnd(Value x, Value y) { return make<arith::AndIOp>(x, y); }
  Value bitOr(Value x, Value y) { return make<arith::OrIOp>(x, y); }
  Value bitXor(Value x, Value y) { return make<arith::XOrIOp>(x, y); }
  Value bitNot(Value x) { return bitXor(x, number(APInt::getAllOnes(widthOf(x)), x)); }
  Value compare(arith::CmpIPredicate how, Value x, Value y) {
    return arith::CmpIOp::create(t.builder(), t.location(), how, x, y);
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(t.builder(), t.location(), condition, x, y);
  }
  /// \p x with \p width bits, zero-extended or cut.
  Value resize(Value x, unsigned width) {
    const Type type = tile::withElement(x.getType(), t.builder().getIntegerType(width));
    if (width > widthOf(x))
      return arith::ExtUIOp::create(t.builder(), t.location(), type, x);
    if (width < widthOf(x))
      return arith::TruncIOp::create(t.builder(), t.location(), type, x);
    return x;
  }
  Value splat(Value scalar, Type like) { return tile::SplatOp::create(t.builder(), t.location(), like, scalar); }
  /// Whether \p x has no bit of \p mask.
  Value isClear(Value x, Value mask) { return compare(arith::CmpIPredicate::eq, bitAnd(x, mask), number(0, x)); }

private:
  TileBuilder &t;
};

/// An unsigned integer in the order of \p key, as wide as it.
Value rankOf(TileBuilder &t, IntegerCode &code, Value key, bool isUnsigned) {
  using enum arith::CmpIPredicate;
  const Type element = tile::elementOf(key.getType());
  const unsigned width = element.getIntOrFloatBitWidth();
  auto number = dyn_cast<FloatType>(element);
  if (!number)
    return isUnsigned ? key : code.bitXor(key, code.number(APInt::getSignMask(width), key));
  const Type type = tile::withElement(key.getType(), t.builder().getIntegerType(width));
  const Value bits = tile::BitcastOp::create(t.builder(), t.location(), type, key);
  const Value sign = code.number(APInt::getSignMask(width), bits), zero = code.number(0, bits);
  const Value magnitude = code.bitAnd(bits, code.number(APInt::getSignedMaxValue(width), bits));
  Value rank = code.select(code.compare(slt, bits, zero), code.bitNot(bits), code.bitOr(bits, sign));
  rank = code.select(code.compare(eq, magnitude, zero), sign, rank);
  const llvm::fltSemantics &semantics = number.getFloatSemantics();
  Value isNaN;
  if (APFloat::getNaN(semantics).bitcastToAPInt().isSignMask()) { // the only one, in the place of -0
    isNaN = code.compare(eq, bits, sign);
  } else {
    const APFloat most =
        APFloat::semanticsHasInf(semantics) ? APFloat::getInf(semantics) : APFloat::getLargest(semantics);
    isNaN = code.compare(ugt, magnitude, code.number(most.bitcastToAPInt(), bits));
  }
  return code.select(isNaN, code.number(APInt::getAllOnes(width), bits), rank);
}

class SortSplitter {
public:
  explicit SortSplitter(tile::SortOp op)
      : b(op), t(b, op.getLoc()), code(t), op(op),
        shape(tile::axisShape(tile::shapeOf(op.getKey().getType()), static_cast<unsigned>(op.getAxis()))),
        placeBits(llvm::Log2_64(static_cast<uint64_t>(shape.extent))) {}

  void split() {
    SmallVector<Value> sources{op.getKey()};
    llvm::append_range(sources, op.getPayload());
    SmallVector<Value> results = sources;
    if (shape.extent > 1) {
      const TileLayout given = layoutOf(flat(op.getKey()).getType());
      if (fitsRegisters(given)) {
        chooseLayouts(given);
        words = makeWords();
        for (unsigned size = 0; size != placeBits; ++size)
          for (unsigned bit = size + 1; bit-- != 0;)
            exchange(bit, size + 1);
        move(given);
      } else {
        layouts = {given};
        words = makeWords();
        exchangeInLoop();
      }
      const Value word = code.resize(words.back(), 32);
      const Value places = code.bitAnd(word, code.number(static_cast<uint64_t>(shape.extent - 1), word));
      for (Value &result : results)
        result = gather(flat(result), places);
    }
    for (auto [result, value] : llvm::zip_equal(op.getResults(), results))
      result.replaceAllUsesWith(
          t.convert(t.reshape(value, tile::shapeOf(result.getType())), layoutOf(result.getType())));
    op.erase();
  }

private:
  /// \p x with the axis in the middle of three.
  Value flat(Value x) { return t.reshape(x, {shape.outer, shape.extent, shape.inner}); }

  Value gather(Value x, Value places) {
    const Type type = tile::withElement(places.getType(), tile::elementOf(x.getType()));
    return tile::GatherOp::create(b, op.getLoc(), type, x, places, 1U);
  }

  //===--- Words ---===//

  /// Words that sort as the elements do. One: key before place, and before both whether the element goes last. Two, for
  /// keys that leave no room: key; whether it goes last, and place.
  SmallVector<Value> makeWords() {
    Value rank = rankOf(t, code, t.convert(flat(op.getKey()), layouts[0]), op.getIsUnsigned());
    if (op.getDescending())
      rank = code.bitNot(rank);
    const unsigned keyBits = IntegerCode::widthOf(rank), bits = 1 + keyBits + placeBits;
    const Value place = t.coordinate(layouts[0], 1);
    const Value valid = op.getValid() ? t.convert(flat(op.getValid()), layouts[0]) : Value();
    const auto last = [&](Value word, unsigned flag) {
      return code.bitOr(word, code.number(APInt::getOneBitSet(IntegerCode::widthOf(word), flag), word));
    };
    if (bits > 64) {
      if (!valid)
        return {rank, place};
      const Value most = code.number(APInt::getAllOnes(keyBits), rank);
      return {code.select(valid, rank, most), code.select(valid, place, last(place, placeBits))};
    }
    const unsigned width = bits > 32 ? 64 : 32;
    const Value low = code.resize(place, width), high = code.resize(rank, width);
    const Value word = code.bitOr(code.make<arith::MulIOp>(high, code.number(uint64_t(1) << placeBits, high)), low);
    return {valid ? code.select(valid, word, last(low, keyBits + placeBits)) : word};
  }

  //===--- Network ---===//

  /// Layouts such that each bit of the place is within warps in one of them. The words begin in the first.
  void chooseLayouts(const TileLayout &given) {
    const TileLayout gathered = alongAxis(given, 1);
    if (axisHolders(given, 1) && !spansWarps(given, 1))
      layouts = {given};
    else if (gathered.size(Dim::Register) <= std::max(kManyRegisters, 2 * given.size(Dim::Register)))
      layouts = {gathered};
    else
      layouts = {alongAxis(given, 1, AxisWarps::Highest), alongAxis(given, 1, AxisWarps::Lowest), gathered};
  }
  static bool isWithinWarps(const TileLayout &layout, unsigned bit) {
    const std::optional<std::vector<Holder>> holders = axisHolders(layout, 1);
    return holders && (*holders)[bit].dim != Dim::Warp && (*holders)[bit].dim != Dim::Block;
  }
  void move(const TileLayout &layout) {
    for (Value &word : words)
      word = t.convert(word, layout);
  }

  /// Elements whose places differ in \p bit meet. The lower place takes what goes first where bit \p direction of the
  /// place is 0, else what goes last.
  void exchange(unsigned bit, unsigned direction) {
    const TileLayout now = layoutOf(words[0].getType());
    if (!isWithinWarps(now, bit))
      move(*llvm::find_if(layouts, [&](const TileLayout &layout) { return isWithinWarps(layout, bit); }));
    const TileLayout layout = layoutOf(words[0].getType());
    const Value place = t.coordinate(layout, 1);
    const auto isClear = [&](unsigned number) {
      return code.isClear(place, code.number(uint64_t(1) << number, place));
    };
    Value takesFirst = isClear(bit);
    if (direction != placeBits)
      takesFirst = code.compare(arith::CmpIPredicate::eq, takesFirst, isClear(direction));
    SmallVector<Value> others;
    for (const Value word : words)
      others.push_back(mirrored(word, bit));
    meet(others, takesFirst);
  }

  /// Each word becomes the first or the last of itself and its other one.
  void meet(ArrayRef<Value> others, Value takesFirst) {
    if (words.size() == 1) {
      const Value first = code.make<arith::MinUIOp>(words[0], others[0]);
      const Value last = code.make<arith::MaxUIOp>(words[0], others[0]);
      words[0] = code.select(takesFirst, first, last);
      return;
    }
    using enum arith::CmpIPredicate;
    const Value tie = code.bitAnd(code.compare(eq, words[0], others[0]), code.compare(ult, words[1], others[1]));
    const Value isFirst = code.bitOr(code.compare(ult, words[0], others[0]), tie);
    const Value keeps = code.compare(eq, isFirst, takesFirst);
    for (auto [word, other] : llvm::zip_equal(words, others))
      word = code.select(keeps, word, other);
  }

  /// Whether the words of a thread, under \p layout, can meet in registers.
  bool fitsRegisters(const TileLayout &layout) {
    const unsigned keyBits = IntegerCode::widthOf(op.getKey()), bits = 1 + keyBits + placeBits;
    const unsigned wordBits = bits > 64 ? keyBits + 32 : bits > 32 ? 64 : 32;
    return layout.size(Dim::Register) * wordBits <= kMostBits;
  }

  /// All steps, as rounds of one loop.
  void exchangeInLoop() {
    const Location loc = op.getLoc();
    const auto scalar = [&](int64_t value) { return t.constant(b.getI32IntegerAttr(value), b.getI32Type()); };
    const Value place = t.coordinate(layouts.front(), 1);
    SmallVector<Value> carried = words;
    carried.append({scalar(1), scalar(2)}); // the bit in which elements differ, and that of the direction
    const size_t count = words.size();
    auto loop = mlir::scf::ForOp::create(b, loc, scalar(0), scalar(int64_t(placeBits) * (placeBits + 1) / 2), scalar(1),
                                         carried);
    {
      const OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      const ValueRange before = loop.getRegionIterArgs();
      words.assign(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(count));
      const Value bit = before[count], direction = before[count + 1];
      const Value half = code.splat(bit, place.getType());
      SmallVector<Value> others;
      for (const Value word : words)
        others.push_back(gather(word, code.bitXor(place, half)));
      meet(others, code.compare(arith::CmpIPredicate::eq, code.isClear(place, half),
                                code.isClear(place, code.splat(direction, place.getType()))));
      const Value isLast = code.compare(arith::CmpIPredicate::eq, bit, scalar(1));
      SmallVector<Value> after = words;
      after.push_back(
          code.select(isLast, direction, tile::ShrOp::create(b, loc, bit, scalar(1), /*is_unsigned=*/true)));
      after.push_back(code.select(isLast, code.make<arith::AddIOp>(direction, direction), direction));
      mlir::scf::YieldOp::create(b, loc, after);
    }
    words.assign(loop.result_begin(), loop.result_begin() + static_cast<std::ptrdiff_t>(count));
  }

  /// \p word of the elements whose places differ in \p bit.
  Value mirrored(Value word, unsigned bit) {
    const int64_t half = int64_t(1) << bit;
    const Value halves = t.reshape(word, {shape.outer * (shape.extent / (2 * half)), 2, half * shape.inner});
    return t.reshape(tile::FlipOp::create(b, op.getLoc(), halves.getType(), halves, 1U),
                     {shape.outer, shape.extent, shape.inner});
  }

  OpBuilder b;
  TileBuilder t;
  IntegerCode code;
  tile::SortOp op;
  AxisShape shape;
  unsigned placeBits; ///< of a place on the axis
  SmallVector<TileLayout> layouts;
  SmallVector<Value> words;
};

struct SplitSortsPass : impl::SplitSortsPassBase<SplitSortsPass> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<tile::SortOp> sorts;
    getOperation()->walk([&](tile::SortOp sort) {
      if (encodingOf(sort.getKey().getType()))
        sorts.push_back(sort);
    });
    for (tile::SortOp sort : sorts)
      SortSplitter(sort).split();
  }
};

} // namespace

} // namespace tessera::ir::layout
