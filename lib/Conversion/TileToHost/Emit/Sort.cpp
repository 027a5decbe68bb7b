//===- Sort.cpp - sorting along an axis ----------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A key becomes an unsigned integer of the same order (NaN above every number, -0 equal to +0), complemented for
// descending order, and is put before its place on the axis. These words all differ, so that any way of sorting them is
// stable; a bitonic network sorts them by vectors. The places then move keys and payloads.
//
// The first step of each merge compares places from both ends, so every comparison of the network has one direction.
//
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Emit/Combine.h"
#include "Conversion/TileToHost/Emit/Families.h"

#include "Conversion/Common/Numbers/Numbers.h"

#include "llvm/Support/MathExtras.h"

#include <limits>

namespace tessera::ir::host {

namespace {

/// Bits that hold a place on the axis, and the bit behind them that lets a lane go last.
constexpr unsigned kPlaceBits = 20;

/// Words to sort, one or two i64 vectors. Of one: last, key (32 bits), place. Of two: key; last, place.
using Words = Lanes;

class SortEmitter {
public:
  SortEmitter(tile::SortOp op, Emitter &e)
      : e(e), m(e.math()), op(op), axis(static_cast<unsigned>(op.getAxis())),
        shape(tile::shapeOf(op.getKey().getType())), extent(shape[axis]), key(tile::elementOf(op.getKey().getType())) {
    lanes = std::min<int64_t>(e.preferredLanes({e.builder().getI64Type()}), extent);
    isWide = key.getIntOrFloatBitWidth() == 64;
  }

  void emit() {
    const Type word = e.builder().getI64Type();
    for (unsigned i = 0; i != (isWide ? 2u : 1u); ++i)
      line.push_back(e.scratchBuffer({extent}, word));
    SmallVector<int64_t, 5> around(shape);
    around[axis] = 1;
    e.forDomain(domainOf(around, 1), 1, [&](ArrayRef<LaneBlock> blocks) {
      at = blocks[0].index;
      forVectors([&](Value place) { write(place, sortWithin(wordsAt(place), 2)); });
      merge();
      forVectors([&](Value place) { give(place); });
    });
  }

private:
  /// Runs through the line, a vector at a time.
  void forVectors(function_ref<void(Value)> body) { e.forRange(e.i64(0), e.i64(extent), lanes, body); }

  LaneBlock blockAt(Value place, unsigned count) const {
    LaneBlock block;
    block.index = at;
    block.index[axis] = place;
    block.axis = count == 1 ? 0 : axis;
    block.lanes = count;
    return block;
  }
  Words read(Value place) { return transfer(place, nullptr); }
  void write(Value place, const Words &words) { transfer(place, &words); }
  Words transfer(Value place, const Words *words) {
    LaneBlock block = elementAt({place});
    block.lanes = static_cast<unsigned>(lanes);
    Words result;
    for (auto [i, buffer] : llvm::enumerate(line))
      if (words)
        e.writeBuffer(buffer, (*words)[i], block);
      else
        result.push_back(e.readBuffer(buffer, block));
    return result;
  }

  Value number(int64_t value, Value like) { return m.constI(value, like); }

  //===--- Words ---===//

  /// An unsigned integer in the order of the key.
  Value rankOf(Value code) {
    const unsigned bits = key.getIntOrFloatBitWidth();
    if (!isa<FloatType>(key)) {
      if (op.getIsUnsigned())
        return code;
      return m.xorI(code, number(int64_t(1) << (bits - 1), code));
    }
    const Value value = numbers::widen(m, code, key);
    const Value word = m.toBits(value), zero = number(0, word);
    const Value sign = number(isWide ? std::numeric_limits<int64_t>::min() : int64_t(1) << 31, word);
    Value rank = m.select(m.ltS(word, zero), m.notI(word), m.orI(word, sign));
    rank = m.select(m.eq(value, m.constF(0, value)), sign, rank);
    return m.select(m.isNaN(value), number(-1, word), rank);
  }

  Words wordsAt(Value place) {
    const LaneBlock block = blockAt(place, static_cast<unsigned>(lanes));
    Value rank = rankOf(e.lanes(op.getKey(), block));
    if (op.getDescending())
      rank = m.notI(rank);
    if (!isWide)
      rank = m.zeroExtend(rank, 64);
    Value places = e.splat(place, block.lanes);
    if (lanes > 1)
      places = m.addI(places, e.iota(64, block.lanes));
    Value last;
    if (Value valid = op.getValid()) {
      const Value isValid = e.lanes(valid, block);
      const Value none = number(0, places);
      last = m.select(isValid, none, number(int64_t(1) << (isWide ? kPlaceBits : kPlaceBits + 32), places));
      rank = m.select(isValid, rank, number(isWide ? -1 : 0, rank));
    }
    Words words;
    if (isWide)
      words = {rank, places};
    else
      words = {m.orI(m.shl(rank, kPlaceBits), places)};
    if (last)
      words.back() = m.orI(words.back(), last);
    return words;
  }

  /// Whether \p a goes before \p b.
  Value isBefore(const Words &a, const Words &b) {
    if (!isWide)
      return m.ltS(a[0], b[0]);
    return m.orI(m.ltU(a[0], b[0]), m.andI(m.eqI(a[0], b[0]), m.ltS(a[1], b[1])));
  }
  std::pair<Words, Words> inOrder(const Words &a, const Words &b) {
    const Value keep = isBefore(a, b);
    Words low, high;
    for (auto [x, y] : llvm::zip_equal(a, b)) {
      low.push_back(m.select(keep, x, y));
      high.push_back(m.select(keep, y, x));
    }
    return {low, high};
  }

  //===--- Network ---===//

  /// Compares each lane with the one given by \p partner; the lower lane takes what goes first.
  Words exchange(const Words &words, function_ref<int64_t(int64_t)> partner) {
    SmallVector<int64_t> from;
    SmallVector<bool> isLower;
    for (int64_t lane = 0; lane != lanes; ++lane) {
      from.push_back(partner(lane));
      isLower.push_back(lane < from.back());
    }
    Words other, result;
    for (Value word : words)
      other.push_back(e.shuffle(word, word, from));
    const auto type = mlir::VectorType::get({lanes}, e.builder().getI1Type());
    // Words differ, so a lane keeps its own exactly if its partner does.
    const Value keep = m.eqI(isBefore(words, other), e.constant(DenseElementsAttr::get(type, isLower)));
    for (auto [mine, theirs] : llvm::zip_equal(words, other))
      result.push_back(m.select(keep, mine, theirs));
    return result;
  }
  /// Halving steps from distance \p distance on, in a vector.
  Words finish(Words words, int64_t distance) {
    for (; distance >= 1; distance /= 2)
      words = exchange(words, [&](int64_t lane) { return lane ^ distance; });
    return words;
  }
  /// Merges sorted runs of half of \p size lanes, and so on up to the vector.
  Words sortWithin(Words words, int64_t size) {
    for (; size <= lanes; size *= 2) {
      words = exchange(words, [&](int64_t lane) { return lane ^ (size - 1); });
      words = finish(words, size / 4);
    }
    return words;
  }

  /// Merges sorted vectors into a sorted line. Sizes and distances are counted in vectors.
  void merge() {
    const auto number = static_cast<unsigned>(llvm::Log2_64(static_cast<uint64_t>(extent / lanes)));
    const Value one = e.i64(1), pairs = e.i64(extent / lanes / 2);
    e.forRange(e.i64(0), e.i64(number), 1, [&](Value level) {
      const Value size = m.shl(e.i64(2), level), half = m.shl(one, level);
      e.forRange(e.i64(0), pairs, 1, [&](Value pair) {
        const Value start = m.shl(m.shl(m.shrU(pair, level), one), level), offset = m.andI(pair, e.sub(half, one));
        const Value low = e.add(start, offset), high = e.sub(e.add(start, e.sub(size, one)), offset);
        exchangeVectors(low, high, true);
      });
      e.forRange(e.i64(0), level, 1, [&](Value step) {
        const Value shift = e.sub(e.sub(level, one), step), distance = m.shl(one, shift);
        e.forRange(e.i64(0), pairs, 1, [&](Value pair) {
          const Value start = m.shl(m.shl(m.shrU(pair, shift), one), shift);
          const Value low = e.add(start, m.andI(pair, e.sub(distance, one)));
          exchangeVectors(low, e.add(low, distance), false);
        });
      });
      if (lanes > 1)
        forVectors([&](Value place) { write(place, finish(read(place), lanes / 2)); });
    });
  }
  void exchangeVectors(Value low, Value high, bool isMirrored) {
    const Value first = e.mul(low, e.i64(lanes)), second = e.mul(high, e.i64(lanes));
    const auto turn = [&](Words words) {
      if (isMirrored && lanes > 1)
        for (Value &word : words)
          word = e.shuffle(word, word, SmallVector<int64_t>(llvm::reverse(llvm::seq<int64_t>(lanes))));
      return words;
    };
    const auto [before, behind] = inOrder(read(first), turn(read(second)));
    write(first, before);
    write(second, turn(behind));
  }

  //===--- Results ---===//

  void give(Value place) {
    SmallVector<Value, 4> from{op.getKey()}, results;
    llvm::append_range(from, op.getPayload());
    SmallVector<Value, 4> wantedFrom;
    SmallVector<Type, 4> types;
    for (auto [source, result] : llvm::zip_equal(from, op.getResults()))
      if (e.hasBuffer(result)) {
        wantedFrom.push_back(source);
        results.push_back(result);
        types.push_back(laneElement(tile::elementOf(result.getType())));
      }
    const Value word = read(place).back();
    const Value places = m.andI(word, number((int64_t(1) << kPlaceBits) - 1, word));
    const SmallVector<Value> moved = e.mapLanes({places}, types, [&](Value, ValueRange scalars) {
      SmallVector<Value> elements;
      for (Value source : wantedFrom)
        elements.push_back(e.lanes(source, blockAt(scalars[0], 1)));
      return elements;
    });
    for (auto [result, code] : llvm::zip_equal(results, moved))
      e.writeBuffer(e.bufferOf(result), code, blockAt(place, static_cast<unsigned>(lanes)));
  }

  Emitter &e;
  MathBuilder &m;
  tile::SortOp op;
  unsigned axis;
  ArrayRef<int64_t> shape;
  int64_t extent; ///< of the axis
  Type key;
  bool isWide = false; ///< keys of 64 bits, which take words of their own
  int64_t lanes = 1;
  SmallVector<Buffer, 2> line;
  SmallVector<Value, 5> at; ///< coordinates of the current line
};

void emitSort(Operation &op, Emitter &e) { SortEmitter(cast<tile::SortOp>(op), e).emit(); }

/// Counts lane after lane, since several may fall into one bin.
void emitHistogram(Operation &op, Emitter &e) {
  auto histogram = cast<tile::HistogramOp>(op);
  if (!e.hasBuffer(histogram.getResult()))
    return;
  MathBuilder &m = e.math();
  const Buffer counts = e.bufferOf(histogram.getResult());
  const int64_t bins = tile::shapeOf(histogram.getType())[0];
  e.forDomain(domainOf({bins}, e.preferredLanes({counts.element})), 1, [&](ArrayRef<LaneBlock> blocks) {
    e.writeBuffer(counts, e.splat(e.integer(32, 0), blocks[0].lanes), blocks[0]);
  });
  const Type element = tile::elementOf(histogram.getSource().getType());
  const bool isUnsigned = histogram.getIsUnsigned() || element.isInteger(1);
  const Domain all =
      domainOf(tile::shapeOf(histogram.getSource().getType()), e.preferredLanes({e.builder().getI64Type()}));
  e.forDomain(all, 1, [&](ArrayRef<LaneBlock> blocks) {
    Value bin = e.lanes(histogram.getSource(), blocks[0]);
    if (!element.isInteger(64))
      bin = isUnsigned ? m.zeroExtend(bin, 64) : m.signExtend(bin, 64);
    Value counted = m.ltU(bin, m.constI(bins, bin));
    if (Value mask = histogram.getMask())
      counted = m.andI(counted, e.lanes(mask, blocks[0]));
    e.forLanes({bin, counted}, [&](Value, ValueRange lane) {
      e.ifThen(lane[1], [&] {
        const LaneBlock place = elementAt({lane[0]});
        e.writeBuffer(counts, m.addI(e.readBuffer(counts, place), e.integer(32, 1)), place);
      });
    });
  });
}

} // namespace

void registerSortOps(OpTable &table) {
  table.add<tile::SortOp>(emitSort);
  table.add<tile::HistogramOp>(emitHistogram);
}

} // namespace tessera::ir::host
