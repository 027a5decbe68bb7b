//===- BufferView.cpp - shapes of tiles in memory -------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Ops that move no elements are arithmetic on offsets and strides.
//
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Plan/Contents.h"

#include "llvm/ADT/TypeSwitch.h"

namespace tessera::ir::host {

BufferView denseView(Type type) {
  BufferView view;
  view.stored = storedType(tile::elementOf(type));
  const ArrayRef<int64_t> shape = tile::shapeOf(type);
  view.strides.resize(shape.size());
  int64_t stride = 1;
  for (size_t axis = shape.size(); axis-- > 0; stride *= shape[axis])
    view.strides[axis] = shape[axis] == 1 ? 0 : stride;
  return view;
}

BufferView PlanContents::addBuffer(Type type) {
  BufferView view = denseView(type);
  view.slot = addSlot(tile::elementCountOf(type) * (tile::bitsOf(view.stored) / 8));
  return view;
}

/// Extents are powers of two: each bit of the row-major number of an element has a stride of its own.
static bool reshapeStrides(BufferView &view, ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  SmallVector<int64_t> strides; // from the lowest bit
  for (size_t axis = from.size(); axis-- > 0;)
    for (int64_t step = 1; step < from[axis]; step *= 2)
      strides.push_back(view.strides[axis] * step);
  view.strides.assign(to.size(), 0);
  size_t bit = 0;
  for (size_t axis = to.size(); axis-- > 0;)
    for (int64_t step = 1; step < to[axis]; step *= 2, ++bit) {
      if (step == 1)
        view.strides[axis] = strides[bit];
      else if (view.strides[axis] * step != strides[bit])
        return false;
    }
  return true;
}

/// Splits wide elements into narrow ones along a new last axis, or joins those of the last axis.
static bool castElements(BufferView &view, Type stored, ArrayRef<int64_t> from) {
  const int64_t wide = tile::bitsOf(view.stored), narrow = tile::bitsOf(stored);
  view.stored = stored;
  if (wide >= narrow) {
    const int64_t ratio = wide / narrow;
    view.offset *= ratio;
    for (int64_t &stride : view.strides)
      stride *= ratio;
    if (ratio > 1)
      view.strides.push_back(1);
    return true;
  }
  const int64_t ratio = narrow / wide;
  if (from.back() != ratio || view.strides.pop_back_val() != 1)
    return false;
  const auto isWhole = [&](int64_t number) { return number % ratio == 0; };
  if (!isWhole(view.offset) || !llvm::all_of(view.strides, isWhole))
    return false;
  view.offset /= ratio;
  for (int64_t &stride : view.strides)
    stride /= ratio;
  return true;
}

std::optional<BufferView> viewThrough(Operation *op, unsigned number, const BufferView &source) {
  const ArrayRef<int64_t> from = tile::shapeOf(op->getOperand(0).getType());
  const ArrayRef<int64_t> to = tile::shapeOf(op->getResult(number).getType());
  BufferView view = source;
  const bool possible =
      llvm::TypeSwitch<Operation *, bool>(op)
          .Case([](tile::BroadcastOp) { return true; }) // axes of extent 1 have stride 0
          .Case([&](tile::ExpandDimsOp op) {
            view.strides.insert(view.strides.begin() + op.getAxis(), 0);
            return true;
          })
          .Case([&](tile::ReshapeOp) { return reshapeStrides(view, from, to); })
          .Case([&](tile::TransOp op) {
            for (auto [axis, old] : llvm::enumerate(op.getPermutation()))
              view.strides[axis] = source.strides[old];
            return true;
          })
          .Case([&](tile::SliceOp op) {
            for (auto [offset, stride] : llvm::zip_equal(op.getOffsets(), source.strides))
              view.offset += offset * stride;
            return true;
          })
          .Case([&](tile::FlipOp op) {
            int64_t &stride = view.strides[op.getAxis()];
            view.offset += stride * (from[op.getAxis()] - 1);
            stride = -stride;
            return true;
          })
          .Case([&](tile::SplitOp) {
            view.offset += view.strides.pop_back_val() * static_cast<int64_t>(number);
            return true;
          })
          .Case([&](tile::BitcastOp op) { return castElements(view, storedType(tile::elementOf(op.getType())), from); })
          .Default([](Operation *) { return false; });
  if (!possible)
    return std::nullopt;
  for (auto [stride, extent] : llvm::zip_equal(view.strides, to))
    if (extent == 1)
      stride = 0;
  return view;
}

} // namespace tessera::ir::host
