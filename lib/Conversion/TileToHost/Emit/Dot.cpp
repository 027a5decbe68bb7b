//===- Dot.cpp - products of tiles --------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Operands were packed before (DotPack.cpp). For each panel of B, and each block of rows of A, a micro-kernel keeps a
// piece of the result in registers through all of k (MicroKernel.cpp); the panel stays in the first-level cache
// meanwhile. Each element is summed in the order of k, so that bits depend on the shape alone.
//
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Emit/Dot.h"

#include "Conversion/TileToHost/Emit/Core.h"
#include "Conversion/TileToHost/Emit/Families.h"
#include "Conversion/TileToHost/TileToHost.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tessera::ir::host {

namespace arith = mlir::arith;

DotShape::DotShape(tile::DotOp op) {
  const ArrayRef<int64_t> a = tile::shapeOf(op.getA().getType()), result = tile::shapeOf(op.getType());
  if (result.size() == 3)
    batches = result[0];
  rows = result[result.size() - 2];
  columns = result.back();
  depth = a.back();
}

PackedLayout::PackedLayout(tile::DotOp op, const PackedView &view) : isB(view.isB) {
  const DotShape shape(op);
  const bool isInteger = tile::elementOf(op.getA().getType()).isInteger(8);
  isPaired = isInteger && shape.depth > 1;
  word = isInteger ? IntegerType::get(op.getContext(), 32) : view.stored;
  lines = isB ? shape.columns : shape.rows;
  depth = isPaired ? shape.depth / 2 : shape.depth;
  linesInner = isB || view.transposed;
  panel = isB ? view.panel : linesInner ? lines : 1;
}

Value wordIndex(Emitter &e, const PackedLayout &layout, Value batch, Value line, Value k) {
  Value index = e.mul(batch, e.i64(layout.batchWords()));
  if (layout.linesInner && layout.panel != layout.lines) {
    const Value within = e.builder().createOrFold<arith::AndIOp>(e.loc(), line, e.i64(layout.panel - 1));
    // The panel's number times its words: its first line times the words of a line.
    index = e.add(index, e.mul(e.sub(line, within), e.i64(layout.depth)));
    line = within;
  }
  index = e.add(index, e.mul(line, e.i64(layout.lineStride())));
  return e.add(index, e.mul(k, e.i64(layout.depthStride())));
}

Value packedPointer(Emitter &e, const PackedView &view) {
  return arenaPointer(e, static_cast<uint64_t>(e.plan().slots()[view.slot].offset));
}

namespace {

class DotEmitter {
public:
  DotEmitter(tile::DotOp op, Emitter &e)
      : op(op), e(e), shape(op), viewA(e.plan().packed(op, 0)), viewB(e.plan().packed(op, 1)), a(op, viewA),
        b(op, viewB) {
    const auto wordBytes = a.word.getIntOrFloatBitWidth() / 8;
    rows = std::min<int64_t>(e.options().mr, shape.rows);
    lanes = static_cast<unsigned>(std::min<int64_t>(e.options().vectorBytes / wordBytes, b.panel));
  }

  void emit() {
    pointerA = packedPointer(e, viewA);
    pointerB = packedPointer(e, viewB);
    result = e.bufferOf(op.getResult());
    const Value zero = e.i64(0);
    e.forRange(zero, e.i64(shape.batches), 1, [&](Value batch) {
      e.forRange(zero, e.i64(shape.columns), b.panel, [&](Value column) {
        e.forRange(zero, e.i64(shape.rows), rows, [&](Value row) { emitPiece(batch, row, column); });
      });
    });
  }

private:
  /// The result's elements of some rows and a panel's columns.
  void emitPiece(Value batch, Value row, Value column) {
    const auto vectors = static_cast<int64_t>(b.panel / lanes);
    SmallVector<LaneBlock> places;
    SmallVector<Value> sums;
    for (int64_t i = 0; i != rows; ++i)
      for (int64_t v = 0; v != vectors; ++v) {
        LaneBlock place;
        if (tile::shapeOf(op.getType()).size() == 3)
          place.index.push_back(batch);
        place.index.push_back(e.add(row, e.i64(i)));
        place.index.push_back(e.add(column, e.i64(v * lanes)));
        place.axis = static_cast<unsigned>(place.index.size()) - 1;
        place.lanes = lanes;
        sums.push_back(e.lanes(op.getAcc(), place));
        places.push_back(std::move(place));
      }
    const Value rowPointer = e.elementPointer(pointerA, wordIndex(e, a, batch, row, e.i64(0)), a.word);
    const Value panelPointer = e.elementPointer(pointerB, wordIndex(e, b, batch, column, e.i64(0)), b.word);
    const MicroKernel kernel{a, b, rows, lanes, rowPointer, panelPointer};
    for (auto [place, sum] : llvm::zip_equal(places, kernel.emit(e, std::move(sums))))
      e.writeBuffer(result, sum, place);
  }

  tile::DotOp op;
  Emitter &e;
  DotShape shape;
  const PackedView &viewA, &viewB;
  PackedLayout a, b;
  int64_t rows;
  unsigned lanes;
  Value pointerA, pointerB;
  Buffer result;
};

} // namespace

static void emitDot(Operation &op, Emitter &e) {
  auto dot = cast<tile::DotOp>(op);
  if (dot.getPrecision() != tile::DotPrecision::IEEE) // SEMANTICS D2: the report says that more was done
    e.state().function->setAttr(kDotPrecision, e.builder().getStringAttr("ieee"));
  DotEmitter(dot, e).emit();
}

void registerDotOps(OpTable &table) { table.add<tile::DotOp>(emitDot, makePackSink); }

} // namespace tessera::ir::host
