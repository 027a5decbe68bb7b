//===- ScanOps.cpp - prefix combinations ----------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Level k of the tree (Combine.h) completes blocks of 2^(k+1) elements: the last element of the lower half, on the
// left, is combined into each element of the upper half. Half of all elements change at each level. A reverse scan is
// the same with positions counted from the end; an exclusive one is the inclusive one moved by one place, which never
// combines anything with the identity.
//
//===---------------------------------------------------------------------===//

#include "Target/Interp/Ops/Combine.h"
#include "Target/Interp/Ops/Families.h"

#include <algorithm>

namespace tessera::ir::interp {

using namespace mlir;

namespace {

struct ScanPayload : Payload {
  AxisShape shape;
  bool reverse = false, exclusive = false;
  SmallVector<Slot, 2> identity; ///< one scalar per input when exclusive

  /// The place on the axis of the element that a forward scan would find at \p i.
  std::int64_t at(std::int64_t i) const { return reverse ? shape.extent - 1 - i : i; }
};

/// Moves every element one place on, in scan order; the first becomes the identity.
void makeExclusive(const Inst &inst, Frame &frame, const ScanPayload &scan) {
  const AxisShape &shape = scan.shape;
  for (std::size_t v = 0; v != scan.identity.size(); ++v)
    dispatchWidth<int>(scan.identity[v].elem, [&]<class W>() {
      W *r = frame.out<W>(inst, static_cast<unsigned>(v));
      const W identity = *frame.at<W>(scan.identity[v]);
      for (std::int64_t o = 0; o != shape.outer; ++o, r += shape.extent * shape.inner) {
        const std::int64_t kept = (shape.extent - 1) * shape.inner;
        if (scan.reverse)
          std::copy(r + shape.inner, r + shape.inner + kept, r);
        else
          std::copy_backward(r, r + kept, r + kept + shape.inner);
        std::fill_n(r + scan.at(0) * shape.inner, shape.inner, identity);
      }
      return 0;
    });
}

// -- Well-known combines --------------------------------------------------------------------------

/// One slice of `extent` x `inner` elements, forward or in reverse.
template <class C> void scanSlice(typename C::Element *x, const ScanPayload &scan) {
  using T = typename C::Element;
  const std::int64_t extent = scan.shape.extent, inner = scan.shape.inner;
  for (std::int64_t half = 1; half != extent; half *= 2)
    for (std::int64_t block = 0; block != extent; block += 2 * half) {
      const T *last = x + scan.at(block + half - 1) * inner;
      if (inner == 1) {
        const T left = *last;
        T *__restrict upper = x + (scan.reverse ? scan.at(block + 2 * half - 1) : block + half);
        for (std::int64_t t = 0; t != half; ++t)
          upper[t] = C::apply(left, upper[t]);
        continue;
      }
      for (std::int64_t t = 0; t != half; ++t) {
        const T *__restrict left = last;
        T *__restrict right = x + scan.at(block + half + t) * inner;
        for (std::int64_t i = 0; i != inner; ++i)
          right[i] = C::apply(left[i], right[i]);
      }
    }
}

template <class C> void scanDirect(const Inst &inst, Frame &frame) {
  using T = typename C::Element;
  const auto &scan = inst.payload<ScanPayload>();
  copyBits(inst, frame);
  T *x = frame.out<T>(inst);
  for (std::int64_t o = 0; o != scan.shape.outer; ++o, x += scan.shape.extent * scan.shape.inner)
    scanSlice<C>(x, scan);
  makeExclusive(inst, frame, scan);
}

// -- Any combine ----------------------------------------------------------------------------------

struct ScanRegionPayload : ScanPayload {
  CombineBody body;
};

/// Calls `fn(lane, left, right, run)` for runs of neighbouring lanes that together are the pairs [first, first + n) of
/// the level with \p half: elements left, left + 1 … of the last rows, right, right + 1 … of the rows to change.
template <class Fn>
void forPairs(const ScanPayload &scan, std::int64_t half, std::int64_t first, std::int64_t n, Fn &&fn) {
  const std::int64_t extent = scan.shape.extent, inner = scan.shape.inner, perSlice = extent / 2;
  for (std::int64_t k = 0; k != n;) {
    const std::int64_t row = (first + k) / inner, i = (first + k) % inner, run = std::min(inner - i, n - k);
    const std::int64_t slice = row / perSlice, j = row % perSlice;
    const std::int64_t block = j / half * 2 * half, upper = block + half + j % half;
    const std::int64_t start = slice * extent;
    fn(k, (start + scan.at(block + half - 1)) * inner + i, (start + scan.at(upper)) * inner + i, run);
    k += run;
  }
}

void scanRegion(const Inst &inst, Frame &frame) {
  const auto &scan = inst.payload<ScanRegionPayload>();
  const CombineBody &body = scan.body;
  const std::size_t inputs = body.left.size();
  for (std::size_t v = 0; v != inputs; ++v)
    std::memcpy(frame.at<char>(inst.out[v]), frame.at<char>(inst.in[v]), inst.out[v].bytes());
  const std::int64_t pairs = scan.shape.count() / 2;
  for (std::int64_t half = 1; half != scan.shape.extent; half *= 2)
    for (std::int64_t pair = 0; pair < pairs; pair += body.lanes) {
      const std::int64_t n = std::min<std::int64_t>(body.lanes, pairs - pair);
      for (std::size_t v = 0; v != inputs; ++v)
        dispatchWidth<int>(body.left[v].elem, [&]<class W>() {
          const W *x = frame.at<W>(inst.out[v]);
          W *lefts = frame.at<W>(body.left[v]), *rights = frame.at<W>(body.right[v]);
          forPairs(scan, half, pair, n,
                   [&](std::int64_t lane, std::int64_t left, std::int64_t right, std::int64_t run) {
                     std::copy_n(x + left, run, lefts + lane);
                     std::copy_n(x + right, run, rights + lane);
                   });
          return 0;
        });
      body.pad(frame, static_cast<std::uint32_t>(n));
      execute(body.block, frame);
      for (std::size_t v = 0; v != inputs; ++v)
        dispatchWidth<int>(body.yielded[v].elem, [&]<class W>() {
          W *x = frame.at<W>(inst.out[v]);
          const W *from = frame.at<W>(body.yielded[v]);
          forPairs(scan, half, pair, n, [&](std::int64_t lane, std::int64_t, std::int64_t right, std::int64_t run) {
            std::copy_n(from + lane, run, x + right);
          });
          return 0;
        });
    }
  makeExclusive(inst, frame, scan);
}

// -- Lowering -------------------------------------------------------------------------------------

LogicalResult lowerScan(Operation &op, Builder &b) {
  auto scan = cast<tile::ScanOp>(op);
  SmallVector<Slot, 4> in, out;
  for (auto [input, result] : llvm::zip_equal(scan.getInputs(), scan.getResults())) {
    in.push_back(b.in(input));
    out.push_back(b.out(result));
  }
  const auto fill = [&](ScanPayload &payload) {
    payload.shape = axisShape(shapeOf(scan.getInputs()[0].getType()), static_cast<unsigned>(scan.getAxis()));
    payload.reverse = scan.getReverse();
    payload.exclusive = scan.getExclusive();
    if (payload.exclusive)
      for (auto [identity, slot] : llvm::zip_equal(*scan.getIdentity(), in))
        payload.identity.push_back(b.constant(slot.elem, 1, bytesOfAttribute(identity, slot.elem)));
  };
  if (const std::optional<tile::CombineKind> kind = tile::matchCombine(scan.getCombine())) {
    const ExecFn exec = dispatchCombine<ExecFn>(*kind, in[0].elem, []<class C>() -> ExecFn { return scanDirect<C>; });
    if (exec) {
      auto payload = std::make_unique<ScanPayload>();
      fill(*payload);
      b.emit(op, exec, in, out).extra = std::move(payload);
      return success();
    }
  }
  auto payload = std::make_unique<ScanRegionPayload>();
  fill(*payload);
  FailureOr<CombineBody> body = CombineBody::lower(scan.getCombine(), payload->shape.count() / 2, b);
  if (failed(body))
    return failure();
  payload->body = std::move(*body);
  b.emit(op, scanRegion, in, out).extra = std::move(payload);
  return success();
}

} // namespace

void registerScanOps(OpTable &table) { table.add<tile::ScanOp>(lowerScan); }

} // namespace tessera::ir::interp
