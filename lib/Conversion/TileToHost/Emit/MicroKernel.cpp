//===- MicroKernel.cpp - a piece of a product in registers ------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Emit/Dot.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tessera::ir::host {

using mlir::VectorType;
namespace arith = mlir::arith;

/// Steps of k in one turn of the loop.
static constexpr int64_t kSteps = 2;

/// Halves of words as i32, twice as many lanes.
static Value halvesOf(Emitter &e, Value words) {
  const int64_t count = 2 * int64_t(lanesOf(words));
  OpBuilder &b = e.builder();
  if (!isa<VectorType>(words.getType()))
    words = mlir::vector::BroadcastOp::create(b, e.loc(), VectorType::get({1}, words.getType()), words);
  const Value halves = mlir::vector::BitCastOp::create(b, e.loc(), VectorType::get({count}, b.getI16Type()), words);
  return arith::ExtSIOp::create(b, e.loc(), VectorType::get({count}, b.getI32Type()), halves);
}

/// \p sum plus, per lane, both products of a pair. The form in which processors with an instruction for it find it.
static Value addPairs(Emitter &e, Value sum, Value x, Value y) {
  const Value products = arith::MulIOp::create(e.builder(), e.loc(), halvesOf(e, x), halvesOf(e, y));
  SmallVector<int64_t, 32> even, odd;
  for (int64_t lane = 0, count = lanesOf(sum); lane != count; ++lane) {
    even.push_back(2 * lane);
    odd.push_back(2 * lane + 1);
  }
  const Value pairs = arith::AddIOp::create(e.builder(), e.loc(), e.shuffle(products, products, even),
                                            e.shuffle(products, products, odd));
  const Value added = lanesOf(sum) == 1 ? e.extractLane(pairs, 0) : pairs;
  return arith::AddIOp::create(e.builder(), e.loc(), sum, added);
}

SmallVector<Value> MicroKernel::emit(Emitter &e, SmallVector<Value> sums) const {
  const int64_t vectors = b.panel / lanes, steps = std::min(kSteps, b.depth);
  MathBuilder &m = e.math();
  const auto add = [&](Value sum, Value x, Value y) -> Value {
    if (isa<FloatType>(a.word))
      return e.options().hasFma ? m.fma(x, y, sum) : m.add(sum, m.mul(x, y));
    return a.isPaired ? addPairs(e, sum, x, y) : m.addI(sum, m.mulI(x, y));
  };
  return e.forRange(e.i64(0), e.i64(b.depth), steps, sums, [&](Value first, ValueRange carried) {
    SmallVector<Value> next(carried);
    for (int64_t step = 0; step != steps; ++step) {
      const Value k = e.add(first, e.i64(step));
      const Value rowOfB = e.mul(k, e.i64(b.depthStride())), columnOfA = e.mul(k, e.i64(a.depthStride()));
      SmallVector<Value, 4> right;
      for (int64_t v = 0; v != vectors; ++v) {
        const Value at = e.add(rowOfB, e.i64(v * lanes));
        right.push_back(e.load(b.word, lanes, e.elementPointer(panelPointer, at, b.word), Space::Arena));
      }
      for (int64_t row = 0; row != rows; ++row) {
        const Value at = e.add(columnOfA, e.i64(row * a.lineStride()));
        const Value left = e.load(a.word, 1, e.elementPointer(rowPointer, at, a.word), Space::Arena);
        const Value spread = e.splat(left, lanes);
        for (int64_t v = 0; v != vectors; ++v) {
          Value &sum = next[static_cast<size_t>(row * vectors + v)];
          sum = add(sum, spread, right[static_cast<size_t>(v)]);
        }
      }
    }
    return next;
  });
}

} // namespace tessera::ir::host
