//===- ReduceOps.cpp - reductions ----------------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Each level of the tree (Combine.h) halves the axis: element 2 i meets element 2 i + 1, for all i and all other
// positions at once. `deterministic` changes nothing here: this order is the promised one.
//
//===---------------------------------------------------------------------===//

#include "Target/Interp/Ops/Combine.h"
#include "Target/Interp/Ops/Families.h"

#include <algorithm>

namespace tessera::ir::interp {

using namespace mlir;

namespace {

// -- Well-known combines --------------------------------------------------------------------------

struct ReducePayload : Payload {
  AxisShape shape;
};

/// Joins 2 \p rows rows of \p inner elements into \p rows.
template <class C>
void joinRows(const typename C::Element *__restrict from, typename C::Element *__restrict to, std::int64_t rows,
              std::int64_t inner) {
  if (inner == 1) {
    for (std::int64_t r = 0; r != rows; ++r)
      to[r] = C::apply(from[2 * r], from[2 * r + 1]);
    return;
  }
  for (std::int64_t r = 0; r != rows; ++r) {
    const auto *__restrict left = from + 2 * r * inner, *__restrict right = left + inner;
    auto *__restrict result = to + r * inner;
    for (std::int64_t i = 0; i != inner; ++i)
      result[i] = C::apply(left[i], right[i]);
  }
}

template <class C> void reduceDirect(const Inst &inst, Frame &frame) {
  using T = typename C::Element;
  const AxisShape &shape = inst.payload<ReducePayload>().shape;
  const std::int64_t slice = shape.extent * shape.inner;
  const T *from = frame.in<T>(inst, 0);
  T *to = frame.out<T>(inst);
  T *pads[] = {frame.scratch<T>(1, slice / 2), frame.scratch<T>(2, slice / 2)};
  for (std::int64_t o = 0; o != shape.outer; ++o, from += slice, to += shape.inner) {
    const T *level = from;
    unsigned pad = 0;
    for (std::int64_t rows = shape.extent / 2; rows > 1; rows /= 2) {
      joinRows<C>(level, pads[pad], rows, shape.inner);
      level = pads[pad];
      pad ^= 1;
    }
    joinRows<C>(level, to, 1, shape.inner);
  }
}

// -- Any combine ----------------------------------------------------------------------------------

struct ReduceRegionPayload : ReducePayload {
  CombineBody body;
  SmallVector<Slot, 2> levels; ///< per input: the elements of the current level
};

/// The operands of pairs [first, first + n) of a level: pair (r, i) is made of elements (2 r, i) and (2 r + 1, i).
template <class W>
void takePairs(const W *from, W *left, W *right, std::int64_t first, std::int64_t n, std::int64_t inner) {
  if (inner == 1) {
    for (std::int64_t k = 0; k != n; ++k) {
      left[k] = from[2 * (first + k)];
      right[k] = from[2 * (first + k) + 1];
    }
    return;
  }
  for (std::int64_t k = 0; k != n;) {
    const std::int64_t r = (first + k) / inner, i = (first + k) % inner, run = std::min(inner - i, n - k);
    std::copy_n(from + 2 * r * inner + i, run, left + k);
    std::copy_n(from + (2 * r + 1) * inner + i, run, right + k);
    k += run;
  }
}

void reduceRegion(const Inst &inst, Frame &frame) {
  const auto &reduce = inst.payload<ReduceRegionPayload>();
  const CombineBody &body = reduce.body;
  const std::int64_t inner = reduce.shape.inner, positions = reduce.shape.outer * inner;
  const std::size_t inputs = reduce.levels.size();
  for (std::int64_t rows = reduce.shape.extent / 2; rows != 0; rows /= 2) {
    const bool isFirst = rows == reduce.shape.extent / 2, isLast = rows == 1;
    // A level is rewritten in place: pairs are read from places at or behind those already written.
    for (std::int64_t pair = 0, pairs = positions * rows; pair < pairs; pair += body.lanes) {
      const std::int64_t n = std::min<std::int64_t>(body.lanes, pairs - pair);
      for (std::size_t v = 0; v != inputs; ++v)
        dispatchWidth<int>(body.left[v].elem, [&]<class W>() {
          takePairs(frame.at<const W>(isFirst ? inst.in[v] : reduce.levels[v]), frame.at<W>(body.left[v]),
                    frame.at<W>(body.right[v]), pair, n, inner);
          return 0;
        });
      body.pad(frame, static_cast<std::uint32_t>(n));
      execute(body.block, frame);
      for (std::size_t v = 0; v != inputs; ++v) {
        const unsigned size = bytesOf(body.yielded[v].elem);
        std::memcpy(frame.at<char>(isLast ? inst.out[v] : reduce.levels[v]) + pair * size,
                    frame.at<char>(body.yielded[v]), n * size);
      }
    }
  }
}

// -- Lowering -------------------------------------------------------------------------------------

LogicalResult lowerReduce(Operation &op, Builder &b) {
  auto reduce = cast<tile::ReduceOp>(op);
  const AxisShape shape = axisShape(shapeOf(reduce.getInputs()[0].getType()), static_cast<unsigned>(reduce.getAxis()));
  if (shape.extent == 1) {
    for (auto [input, result] : llvm::zip_equal(reduce.getInputs(), reduce.getResults()))
      b.emit(op, copyBits, b.in(input), b.out(result));
    return success();
  }
  if (const std::optional<tile::CombineKind> kind = tile::matchCombine(reduce.getCombine())) {
    const Slot in = b.in(reduce.getInputs()[0]), out = b.out(reduce.getResults()[0]);
    const ExecFn exec = dispatchCombine<ExecFn>(*kind, in.elem, []<class C>() -> ExecFn { return reduceDirect<C>; });
    if (exec) {
      auto payload = std::make_unique<ReducePayload>();
      payload->shape = shape;
      b.emit(op, exec, in, out).extra = std::move(payload);
      return success();
    }
  }
  auto payload = std::make_unique<ReduceRegionPayload>();
  payload->shape = shape;
  SmallVector<Slot, 4> in, out;
  for (auto [input, result] : llvm::zip_equal(reduce.getInputs(), reduce.getResults())) {
    in.push_back(b.in(input));
    out.push_back(b.out(result));
    payload->levels.push_back(b.temporary(in.back().elem, std::max<std::uint32_t>(1, in.back().count / 2)));
  }
  FailureOr<CombineBody> body = CombineBody::lower(reduce.getCombine(), shape.count() / 2, b);
  if (failed(body))
    return failure();
  payload->body = std::move(*body);
  b.emit(op, reduceRegion, in, out).extra = std::move(payload);
  return success();
}

} // namespace

void registerReduceOps(OpTable &table) { table.add<tile::ReduceOp>(lowerReduce); }

} // namespace tessera::ir::interp
