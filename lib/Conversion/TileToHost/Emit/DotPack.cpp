//===- DotPack.cpp - operands of dots, packed ----------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The loop that computes an operand writes it packed. Where its lanes are neighbours in the packed form they are
// written there at once. Otherwise the operand first goes to a piece of scratch with the lanes as neighbours, and is
// turned when the loop is over: pairs of rows are interleaved into words, then squares of words are transposed in
// registers.
//
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Emit/Dot.h"

#include "Conversion/Common/Numbers/Numbers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tessera::ir::host {

namespace arith = mlir::arith;

namespace {

/// A matrix of words in the arena, the elements of a row together.
struct WordRows {
  Value pointer;
  int64_t rows, columns;
};

class PackSink : public GroupSink {
public:
  PackSink(const Sink &sink, Emitter &e)
      : value(sink.value), view(sink.packed), layout(cast<tile::DotOp>(sink.op), view),
        element(tile::elementOf(value.getType())), rank(static_cast<unsigned>(tile::shapeOf(value.getType()).size())) {
    const bool depthLast = view.isB == view.transposed;
    depthAxis = depthLast ? rank - 1 : rank - 2;
    lineAxis = depthLast ? rank - 2 : rank - 1;
    batches = rank == 3 ? tile::shapeOf(value.getType())[0] : 1;
    lines = layout.lines;
    depth = tile::shapeOf(value.getType())[depthAxis];
    stored = element.isInteger(8) && !layout.isPaired ? layout.word : view.stored;
    packed = packedPointer(e, view);
  }

  SmallVector<Value> begin(Emitter &e, ValueRange, const Domain &domain) override {
    lanesAlongDepth = domain.axis == depthAxis;
    const unsigned together = layout.linesInner ? lineAxis : depthAxis;
    const bool pairsLieTogether = !layout.isPaired || !layout.linesInner;
    isStaged = (domain.lanes > 1 && domain.axis != together && domain.axis >= rank - 2) || !pairsLieTogether ||
               (layout.isPaired && !lanesAlongDepth);
    if (isStaged)
      stage = e.scratch(static_cast<uint64_t>(batches * lines * depth) * storedBytes(stored));
    return {};
  }

  SmallVector<Value> blocks(Emitter &e, ArrayRef<LaneBlock> blocks, ValueRange) override {
    for (const LaneBlock &block : blocks)
      write(e, inMemoryForm(e, e.lanes(value, block)), block);
    return {};
  }

  void end(Emitter &e, ValueRange, ValueRange) override {
    if (isStaged)
      e.forRange(e.i64(0), e.i64(batches), 1, [&](Value batch) { turn(e, batch); });
  }

private:
  /// Lanes as the packed form holds them: floats as f32 or f64, i8 as i16, or as i32 if k has one step.
  Value inMemoryForm(Emitter &e, Value lanes) {
    MathBuilder &m = e.math();
    if (isa<FloatType>(element))
      return numbers::widen(m, lanes, element);
    const Value wide = m.signExtend(lanes, 16);
    return layout.isPaired ? wide : m.signExtend(wide, 32);
  }

  void write(Emitter &e, Value lanes, const LaneBlock &block) {
    const unsigned count = lanesOf(lanes);
    const bool acrossBatches = count > 1 && block.axis < rank - 2;
    if (acrossBatches) { // of one element each
      for (unsigned lane = 0; lane != count; ++lane) {
        LaneBlock one = block;
        one.index[block.axis] = e.add(block.index[block.axis], e.i64(lane));
        one.lanes = 1;
        write(e, e.extractLane(lanes, lane), one);
      }
      return;
    }
    const bool acrossPanels = !isStaged && layout.linesInner && count > layout.panel;
    if (!acrossPanels)
      return e.store(stored, lanes, e.elementPointer(isStaged ? stage : packed, placeOf(e, block), stored),
                     Space::Arena);
    for (int64_t first = 0; first != count; first += layout.panel) {
      LaneBlock part = block;
      part.index[lineAxis] = e.add(block.index[lineAxis], e.i64(first));
      const auto chosen = llvm::to_vector(llvm::seq(first, first + layout.panel));
      const Value piece = layout.panel == 1 ? e.extractLane(lanes, first) : e.shuffle(lanes, lanes, chosen);
      write(e, piece, part);
    }
  }

  /// The number of the first element of \p block in the packed form or the stage.
  Value placeOf(Emitter &e, const LaneBlock &block) {
    const Value batch = rank == 3 ? block.index[0] : e.i64(0);
    const Value line = block.index[lineAxis], k = block.index[depthAxis];
    if (!isStaged && !layout.isPaired)
      return wordIndex(e, layout, batch, line, k);
    const int64_t lineStride = !isStaged || lanesAlongDepth ? depth : 1;
    const int64_t depthStride = !isStaged || lanesAlongDepth ? 1 : lines;
    Value index = e.mul(batch, e.i64(lines * depth));
    index = e.add(index, e.mul(line, e.i64(lineStride)));
    return e.add(index, e.mul(k, e.i64(depthStride)));
  }

  // -- From the stage to the packed form ----------------------------------------------------------

  void turn(Emitter &e, Value batch) {
    const Value from = e.elementPointer(stage, e.mul(batch, e.i64(lines * depth)), stored);
    const Value to = e.elementPointer(packed, e.mul(batch, e.i64(layout.batchWords())), layout.word);
    if (lanesAlongDepth) // pairs lie together already
      return transpose(e, {from, lines, layout.depth}, to);
    if (!layout.isPaired)
      return transpose(e, {from, layout.depth, lines}, to);
    if (layout.linesInner)
      return interleave(e, from, to, layout.panel);
    const Value words = e.scratch(static_cast<uint64_t>(layout.batchWords()) * 4);
    interleave(e, from, words, lines);
    transpose(e, {words, layout.depth, lines}, to);
  }

  /// Words of i16 pairs from rows 2 k and 2 k + 1 of \p from, which has a row for each k. Of the result, \p together
  /// lines form a panel.
  void interleave(Emitter &e, Value from, Value to, int64_t together) {
    const Type i16 = e.builder().getI16Type();
    const auto lanes = static_cast<unsigned>(std::min<int64_t>(together, e.options().vectorBytes / 4));
    SmallVector<int64_t, 64> pairs;
    for (int64_t lane = 0; lane != lanes; ++lane)
      pairs.append({lane, lanes + lane});
    const Value zero = e.i64(0);
    e.forRange(zero, e.i64(layout.depth), 1, [&](Value k) {
      e.forRange(zero, e.i64(lines), together, [&](Value panel) {
        e.forRange(zero, e.i64(together), lanes, [&](Value within) {
          const Value at = e.add(e.mul(k, e.i64(2 * lines)), e.add(panel, within));
          const Value first = e.load(i16, lanes, e.elementPointer(from, at, i16), Space::Arena);
          const Value second = e.load(i16, lanes, e.elementPointer(from, e.add(at, e.i64(lines)), i16), Space::Arena);
          Value word = e.add(e.mul(panel, e.i64(layout.depth)), e.add(e.mul(k, e.i64(together)), within));
          word = e.elementPointer(to, word, layout.word);
          if (lanes != 1)
            return e.store(i16, e.shuffle(first, second, pairs), word, Space::Arena);
          e.store(i16, first, word, Space::Arena);
          e.store(i16, second, e.elementPointer(word, e.i64(1), i16), Space::Arena);
        });
      });
    });
  }

  /// Writes columns of \p from as rows: whole ones, or, where the packed form has panels, \p panel words of each.
  void transpose(Emitter &e, const WordRows &from, Value to) {
    const int64_t panel = layout.linesInner ? layout.panel : from.rows;
    const int64_t most = e.options().vectorBytes / (layout.word.getIntOrFloatBitWidth() / 8);
    const int64_t side = std::min({most, panel, from.columns});
    const Value zero = e.i64(0);
    e.forRange(zero, e.i64(from.rows), side, [&](Value row) {
      const Value within = e.builder().createOrFold<arith::AndIOp>(e.loc(), row, e.i64(panel - 1));
      const Value start = e.add(e.mul(e.sub(row, within), e.i64(from.columns)), within);
      e.forRange(zero, e.i64(from.columns), side, [&](Value column) {
        SmallVector<Value> square;
        for (int64_t i = 0; i != side; ++i) {
          const Value at = e.add(e.mul(e.add(row, e.i64(i)), e.i64(from.columns)), column);
          square.push_back(e.load(layout.word, static_cast<unsigned>(side),
                                  e.elementPointer(from.pointer, at, layout.word), Space::Arena));
        }
        transposeSquare(e, square);
        for (int64_t i = 0; i != side; ++i) {
          const Value at = e.add(start, e.mul(e.add(column, e.i64(i)), e.i64(panel)));
          e.store(layout.word, square[static_cast<size_t>(i)], e.elementPointer(to, at, layout.word), Space::Arena);
        }
      });
    });
  }

  /// As many vectors as each has lanes. Exchanges ever larger blocks across the diagonal.
  static void transposeSquare(Emitter &e, SmallVector<Value> &square) {
    const size_t side = square.size();
    for (size_t half = 1; half < side; half *= 2) {
      SmallVector<int64_t, 64> upper, lower;
      for (size_t lane = 0; lane != side; ++lane) {
        const bool second = lane & half;
        upper.push_back(static_cast<int64_t>(second ? side + lane - half : lane));
        lower.push_back(static_cast<int64_t>(second ? side + lane : lane + half));
      }
      for (size_t row = 0; row != side; ++row) {
        if (row & half)
          continue;
        const Value a = square[row], b = square[row + half];
        square[row] = e.shuffle(a, b, upper);
        square[row + half] = e.shuffle(a, b, lower);
      }
    }
  }

  Value value;
  PackedView view;
  PackedLayout layout;
  Type element; ///< of the operand
  unsigned rank, depthAxis, lineAxis;
  int64_t batches, lines, depth; ///< in elements
  Type stored;                   ///< of what the loop writes
  Value packed, stage;
  bool lanesAlongDepth = false;
  bool isStaged = false;
};

} // namespace

std::unique_ptr<GroupSink> makePackSink(const Sink &sink, Emitter &e) { return std::make_unique<PackSink>(sink, e); }

} // namespace tessera::ir::host
