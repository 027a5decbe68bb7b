//===- Scan.cpp - prefix combinations ------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Level k of the tree (Combine.h) completes blocks of 2^(k+1) elements: the last element of the lower half, on the
// left, is combined into each element of the upper half. Along the last axis the first levels happen inside vectors;
// the others take vectors for elements. A reverse scan counts positions from the end, and an exclusive one is the
// inclusive one moved by a place, which never combines anything with the identity.
//
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Emit/Combine.h"
#include "Conversion/TileToHost/Emit/Core.h"
#include "Conversion/TileToHost/Emit/Families.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

namespace tessera::ir::host {

namespace {

class ScanEmitter {
public:
  ScanEmitter(tile::ScanOp op, Emitter &e)
      : e(e), op(op), combine(op.getCombine()), axis(static_cast<unsigned>(op.getAxis())),
        shape(tile::shapeOf(op.getInputs()[0].getType())), around(axisShape(shape, axis)), isAlong(around.inner == 1) {
    for (Value input : op.getInputs())
      elements.push_back(tile::elementOf(input.getType()));
    lanes = std::min<int64_t>(e.preferredLanes(elements), isAlong ? around.extent : around.inner);
  }

  void emit() {
    takeInputs();
    e.forRange(e.i64(0), e.i64(around.outer), 1, [&](Value outer) {
      start = e.mul(outer, e.i64(around.extent * around.inner));
      if (isAlong)
        scanVectors();
      scanLevels();
    });
    giveResults();
  }

private:
  /// Leaves all inputs in dense memory, with room for a vector's reach before and behind.
  void takeInputs() {
    const Domain all = domainOf(shape, static_cast<unsigned>(lanes));
    for (Type element : elements) {
      constexpr int64_t kRoom = 64;
      const auto bytes = static_cast<uint64_t>(around.outer * around.extent * around.inner * storedBytes(element));
      const Value memory = e.scratch(bytes + 2 * kRoom);
      work.push_back({e.elementPointer(memory, e.i64(kRoom), e.builder().getI8Type()), denseStrides(shape), element});
    }
    e.forDomain(all, 1, [&](ArrayRef<LaneBlock> blocks) {
      for (auto [input, buffer] : llvm::zip_equal(op.getInputs(), work))
        e.writeBuffer(buffer, e.lanes(input, blocks[0]), blocks[0]);
    });
  }

  /// The lanes that a scan finds at \p position of the axis, and \p inner behind it.
  Lanes read(Value position, Value inner, int64_t count) { return transfer(position, inner, count, nullptr); }
  void write(Value position, Value inner, const Lanes &code) {
    transfer(position, inner, static_cast<int64_t>(lanesOf(code[0])), &code);
  }

  Lanes transfer(Value position, Value inner, int64_t count, const Lanes *code) {
    const bool mirrored = op.getReverse() && isAlong && count > 1;
    if (op.getReverse())
      position = e.sub(e.i64(around.extent - (mirrored ? count : 1)), position);
    LaneBlock place;
    place.lanes = static_cast<unsigned>(count);
    place.index = {e.add(start, e.add(e.mul(position, e.i64(around.inner)), inner))};
    Lanes result;
    for (auto [i, buffer] : llvm::enumerate(work)) {
      const Buffer flat{buffer.pointer, {1}, buffer.element};
      if (code) {
        e.writeBuffer(flat, mirrored ? mirror((*code)[i]) : (*code)[i], place);
      } else {
        const Value lanes = e.readBuffer(flat, place);
        result.push_back(mirrored ? mirror(lanes) : lanes);
      }
    }
    return result;
  }
  Value mirror(Value code) {
    const SmallVector<int64_t> order(llvm::reverse(llvm::seq<int64_t>(lanesOf(code))));
    return e.shuffle(code, code, order);
  }

  /// The levels inside vectors.
  void scanVectors() {
    if (lanes == 1)
      return;
    e.forRange(e.i64(0), e.i64(around.extent), lanes, [&](Value at) {
      Lanes code = read(at, e.i64(0), lanes);
      for (int64_t half = 1; half != lanes; half *= 2) {
        SmallVector<int64_t> last;
        SmallVector<bool> isUpper;
        for (int64_t lane = 0; lane != lanes; ++lane) {
          last.push_back(lane / (2 * half) * 2 * half + half - 1);
          isUpper.push_back((lane & half) != 0);
        }
        const Value upper =
            e.constant(DenseElementsAttr::get(mlir::VectorType::get({lanes}, e.builder().getI1Type()), isUpper));
        Lanes left;
        for (Value vector : code)
          left.push_back(e.shuffle(vector, vector, last));
        for (auto [vector, combined] : llvm::zip_equal(code, combineLanes(e, combine, left, code)))
          vector = e.math().select(upper, combined, vector);
      }
      write(at, e.i64(0), code);
    });
  }

  /// The levels between vectors, or between rows: `number` of them, of `step` elements of the axis.
  void scanLevels() {
    const int64_t step = isAlong ? lanes : 1, number = around.extent / step;
    const unsigned levels = llvm::Log2_64(static_cast<uint64_t>(number));
    MathBuilder &m = e.math();
    e.forRange(e.i64(0), e.i64(levels), 1, [&](Value level) {
      const Value half = m.shl(e.i64(1), level);
      e.forRange(e.i64(0), e.i64(number / 2), 1, [&](Value pair) {
        const Value block = m.shl(m.shl(m.shrU(pair, level), e.i64(1)), level);
        const Value middle = e.add(block, half);
        const Value right = e.add(middle, m.andI(pair, e.sub(half, e.i64(1))));
        const Value last = e.sub(e.mul(middle, e.i64(step)), e.i64(1)), at = e.mul(right, e.i64(step));
        if (isAlong) {
          Lanes left = read(last, e.i64(0), 1);
          for (Value &scalar : left)
            scalar = e.splat(scalar, static_cast<unsigned>(lanes));
          write(at, e.i64(0), combineLanes(e, combine, left, read(at, e.i64(0), lanes)));
          return;
        }
        e.forRange(e.i64(0), e.i64(around.inner), lanes, [&](Value inner) {
          write(at, inner, combineLanes(e, combine, read(last, inner, lanes), read(at, inner, lanes)));
        });
      });
    });
  }

  void giveResults() {
    const Domain all = domainOf(shape, static_cast<unsigned>(lanes));
    e.forDomain(all, 1, [&](ArrayRef<LaneBlock> blocks) {
      for (auto [i, result] : llvm::enumerate(op.getResults()))
        if (e.hasBuffer(result))
          e.writeBuffer(e.bufferOf(result), op.getExclusive() ? moved(i, blocks[0]) : e.readBuffer(work[i], blocks[0]),
                        blocks[0]);
    });
  }

  /// Of input \p i what a scan finds one place before \p block; the identity where that is outside.
  Value moved(size_t i, const LaneBlock &block) {
    OpBuilder &b = e.builder();
    const bool hasLanes = block.lanes > 1 && block.axis == axis;
    const Value first = e.i64(op.getReverse() ? around.extent - 1 : 0);
    Value position = block.index[axis];
    if (hasLanes)
      position = mlir::arith::AddIOp::create(b, e.loc(), e.splat(position, block.lanes), e.iota(64, block.lanes));
    Value isFirst = mlir::arith::CmpIOp::create(b, e.loc(), mlir::arith::CmpIPredicate::eq, position,
                                                e.splat(first, hasLanes ? block.lanes : 1));
    LaneBlock before = block;
    before.index[axis] = e.add(block.index[axis], e.i64(op.getReverse() ? 1 : -1));
    if (!hasLanes) // a row of its own, which must not be read beyond the ends
      before.index[axis] = e.math().select(isFirst, block.index[axis], before.index[axis]);
    const Value identity = e.constant(laneConstant((*op.getIdentity())[i], elements[i]));
    return e.math().select(e.splat(isFirst, block.lanes), e.splat(identity, block.lanes),
                           e.splat(e.readBuffer(work[i], before), block.lanes));
  }

  Emitter &e;
  tile::ScanOp op;
  Region &combine;
  unsigned axis;
  ArrayRef<int64_t> shape;
  AxisShape around;
  bool isAlong; ///< nothing lies behind the axis, so that a vector's lanes are scanned
  int64_t lanes = 1;
  SmallVector<Type, 2> elements;
  SmallVector<Buffer, 2> work; ///< the elements being scanned
  Value start;                 ///< elements before the current slice
};

void emitScan(Operation &op, Emitter &e) { ScanEmitter(cast<tile::ScanOp>(op), e).emit(); }

} // namespace

void registerScanOps(OpTable &table) { table.add<tile::ScanOp>(emitScan); }

} // namespace tessera::ir::host
