//===- WideAccess.cpp - how wide accesses may be --------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Analysis/WideAccess.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>

namespace tessera::ir {

static int64_t bytesInMemory(Type element) { return std::max<int64_t>(1, tile::bitsOf(element) / 8); }

static bool isOne(Value number) {
  APInt constant;
  return mlir::matchPattern(number, mlir::m_ConstantInt(&constant)) && constant.isOne();
}

namespace {

/// Answers for one access.
class Finder {
public:
  Finder(const AxisInfos &infos, AffineForms &affine, int64_t mostBytes, bool isFull)
      : infos(infos), affine(affine), mostBytes(mostBytes), isFull(isFull) {}

  /// Through the tile \p pointers where \p mask, if there is one, is true.
  std::optional<WideAccess> throughPointers(Value pointers, Value mask) const {
    if (!isa<RankedTensorType>(pointers.getType()))
      return std::nullopt;
    const int64_t bytes = bytesInMemory(cast<tile::PtrType>(tile::elementOf(pointers.getType())).getPointee());
    const AxisInfo info = infos.of(pointers);
    WideAccess best;
    int64_t longest = 1;
    for (auto [axis, facts] : llvm::enumerate(info))
      if (facts.contiguity > longest) {
        longest = facts.contiguity;
        best.axis = static_cast<int>(axis);
      }
    if (best.axis == -1)
      return WideAccess{unitStride(pointers, bytes), 1};
    const AxisFacts &facts = info[best.axis];
    best.elements = std::min({facts.contiguity, facts.divisor / bytes, mostBytes / bytes});
    if (mask && !isFull)
      best.elements = std::min(best.elements, infos.of(mask)[best.axis].constancy);
    best.elements = std::max<int64_t>(1, best.elements);
    return best;
  }

  /// Through a view; \p rows are given where they are tiles of row numbers, and then \p coords is the column.
  std::optional<WideAccess> throughView(Value view, mlir::ValueRange coords, Value rows, Type tileType) const {
    const ArrayRef<int64_t> shape = tile::shapeOf(tileType);
    const int64_t bytes = bytesInMemory(tile::elementOf(tileType));
    WideAccess access;
    auto make = view.getDefiningOp<tile::MakeViewOp>();
    if (!make) {
      access.axis = static_cast<int>(cast<tile::ViewType>(view.getType()).getContiguous());
      return access;
    }
    const unsigned first = rows ? 1 : 0; // the axis that coords[0] is on
    for (unsigned axis = shape.size(); axis-- > first && access.axis == -1;)
      if (isOne(make.getStrides()[axis]))
        access.axis = static_cast<int>(axis);
    if (access.axis == -1)
      return access;
    const Value coord = coords[access.axis - first];
    int64_t elements = std::min(
        {shape[access.axis], mostBytes / bytes, infos.divisorOf(coord), infos.divisorOf(make.getBase()) / bytes});
    if (!isFull)
      elements = std::min(elements, infos.divisorOf(make.getExtents()[access.axis]));
    for (unsigned axis = 0; axis < shape.size(); ++axis) {
      if (static_cast<int>(axis) == access.axis)
        continue;
      // What the axis adds to the address: its stride times a coordinate, which may be any if the tile has some extent.
      int64_t divisor = infos.divisorOf(make.getStrides()[axis]);
      if (axis >= first && shape[axis] == 1)
        divisor = std::min(kMostDivisor, divisor * std::min<int64_t>(infos.divisorOf(coords[axis - first]), 1 << 20));
      elements = std::min(elements, divisor);
    }
    access.elements = std::max<int64_t>(1, elements);
    return access;
  }

private:
  /// The axis along which addresses certainly grow by one element, if only their form says so.
  int unitStride(Value pointers, int64_t bytes) const {
    const AffineForm *form = affine.of(pointers);
    if (!form)
      return -1;
    for (size_t axis = form->strides.size(); axis-- > 0;)
      if (form->strides[axis].isConstant(bytes))
        return static_cast<int>(axis);
    return -1;
  }

  const AxisInfos &infos;
  AffineForms &affine;
  int64_t mostBytes;
  bool isFull;
};

} // namespace

std::optional<WideAccess> wideAccessOf(Operation *op, const AxisInfos &infos, AffineForms &affine, int64_t mostBytes,
                                       bool isFull) {
  const Finder finder(infos, affine, mostBytes, isFull);
  const auto withoutWidth = [](std::optional<WideAccess> access) {
    if (access)
      access->elements = 1;
    return access;
  };
  return llvm::TypeSwitch<Operation *, std::optional<WideAccess>>(op)
      .Case<tile::LoadOp, tile::StoreOp>(
          [&](auto access) { return finder.throughPointers(access.getPtr(), access.getMask()); })
      .Case([&](tile::ViewLoadOp load) {
        return finder.throughView(load.getView(), load.getCoords(), {}, load.getType());
      })
      .Case([&](tile::ViewStoreOp store) {
        return finder.throughView(store.getView(), store.getCoords(), {}, store.getValue().getType());
      })
      .Case([&](tile::ViewLoadRowsOp load) {
        return finder.throughView(load.getView(), load.getCol(), load.getRows(), load.getType());
      })
      .Case([&](tile::ViewStoreRowsOp store) {
        return finder.throughView(store.getView(), store.getCol(), store.getRows(), store.getValue().getType());
      })
      .Case<tile::AtomicRMWOp, tile::AtomicCASOp, tile::AtomicLoadOp, tile::AtomicStoreOp>(
          [&](auto access) { return withoutWidth(finder.throughPointers(access.getPtr(), access.getMask())); })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace tessera::ir
