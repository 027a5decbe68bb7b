//===- TensorMaps.cpp - views that the chip copies box by box -------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Analysis/TensorMaps.h"

#include "Analysis/LaunchExpr.h"
#include "Analysis/SharedMemory.h"
#include "Layout/FlatIndex.h"
#include "Layout/SharedLayout.h"

#include "tessera-ir/Dialect/Tile/IR/DTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <algorithm>
#include <bit>

namespace tessera::ir {

using ::tessera::layout::axisShiftOf;
using ::tessera::layout::log2Of;
using ::tessera::layout::SharedLayout;

namespace {

/// Extents and box, what the chip takes.
constexpr int64_t kMostRank = 5, kMostBox = 256, kAlignment = 16, kMostStride = (int64_t(1) << 40) - kAlignment;
/// Coordinates have 32 bits with a sign.
constexpr int64_t kMostCoordinate = std::numeric_limits<int32_t>::max();

//===----------------------------------------------------------------------===//
// The buffer's side
//===----------------------------------------------------------------------===//

/// A layout as boxes one after another.
struct Boxes {
  SmallVector<int, 5> order;     ///< the axes, fastest first
  SmallVector<int64_t, 5> shape; ///< of a box, by axis
  int swizzleBytes = 0;
};

/// The axes of \p layout by how far apart their neighbours lie, but \p fastest first.
SmallVector<int, 5> orderOf(const SharedLayout &layout, int fastest) {
  SmallVector<std::pair<uint32_t, int>, 5> keys;
  for (int axis = 0; axis != layout.rank(); ++axis) {
    const bool isLong = layout.shape()[axis] > 1;
    const uint32_t first = isLong ? layout.bases()[axisShiftOf(layout.shape(), axis)] : 0;
    keys.emplace_back(axis == fastest ? 0 : isLong ? std::bit_floor(first) : ~uint32_t{0}, axis);
  }
  llvm::sort(keys, [&](const auto &a, const auto &b) {
    return std::pair(a.second != fastest, a) < std::pair(b.second != fastest, b);
  });
  SmallVector<int, 5> order;
  for (const auto &[key, axis] : keys)
    order.push_back(axis);
  return order;
}

/// Whether elements of the first box of \p layout lie as one copy puts them, and each other box lies like it.
bool isMadeOf(const SharedLayout &layout, const Boxes &boxes, const SharedLayout &box) {
  const auto elements = static_cast<uint32_t>(box.elements());
  for (int axis = 0; axis != layout.rank(); ++axis) {
    const int inside = log2Of(boxes.shape[axis]);
    for (int bit = 0; bit != log2Of(layout.shape()[axis]); ++bit) {
      const uint32_t base = layout.bases()[axisShiftOf(layout.shape(), axis) + bit];
      if (bit < inside ? base != box.bases()[axisShiftOf(box.shape(), axis) + bit] : base % elements != 0)
        return false;
    }
  }
  return true;
}

/// \p layout as boxes, the widest swizzle that it has; nothing if it is none of these.
std::optional<Boxes> boxesOf(const SharedLayout &layout, int fastest, int64_t elementBytes) {
  for (const int swizzle : {128, 64, 32}) {
    Boxes boxes{orderOf(layout, fastest), {}, swizzle};
    for (int axis = 0; axis != layout.rank(); ++axis)
      boxes.shape.push_back(
          std::min(layout.shape()[axis], axis == fastest ? std::max<int64_t>(1, swizzle / elementBytes) : kMostBox));
    if (boxes.shape[fastest] * elementBytes != swizzle)
      continue;
    const auto box = SharedLayout::tensorCopy(boxes.shape, boxes.order, swizzle, static_cast<int>(elementBytes));
    // The swizzle repeats every 8 of its rows: it is of the address, so all boxes must begin at such a multiple.
    if (box.elements() * elementBytes >= 8 * swizzle && isMadeOf(layout, boxes, box))
      return boxes;
  }
  return std::nullopt;
}

SmallVector<TensorPiece> piecesOf(const SharedLayout &layout, const Boxes &boxes, int64_t elementBytes) {
  SmallVector<TensorPiece> pieces;
  const int64_t count = layout.elements() / [&] {
    int64_t elements = 1;
    for (const int64_t extent : boxes.shape)
      elements *= extent;
    return elements;
  }();
  for (int64_t number = 0; number != count; ++number) {
    TensorPiece piece;
    int64_t rest = number;
    uint32_t flat = 0;
    for (int axis = layout.rank(); axis-- > 0;) {
      const int64_t along = layout.shape()[axis] / boxes.shape[axis], at = rest % along * boxes.shape[axis];
      rest /= along;
      piece.first.insert(piece.first.begin(), at);
      flat |= static_cast<uint32_t>(at) << axisShiftOf(layout.shape(), axis);
    }
    piece.byteOffset = static_cast<int64_t>(layout.offset(flat)) * elementBytes;
    pieces.push_back(std::move(piece));
  }
  llvm::sort(pieces, [](const TensorPiece &a, const TensorPiece &b) { return a.byteOffset < b.byteOffset; });
  return pieces;
}

//===----------------------------------------------------------------------===//
// The view's side
//===----------------------------------------------------------------------===//

/// Collects what a recipe needs of one view.
class Recipe {
public:
  Recipe(tile::MakeViewOp view, UniformExprs &exprs) : view(view), exprs(exprs) {}

  /// The parameter that the base starts from and the bytes behind it.
  bool takeBase(rt::TensorMapRecipe &recipe) {
    rt::Expr offset;
    Value pointer = view.getBase();
    for (Operation *op = pointer.getDefiningOp(); op; op = pointer.getDefiningOp()) {
      if (auto moved = dyn_cast<tile::AddPtrOp>(op)) {
        const std::optional<rt::Expr> count = launchExprOf(moved.getOffset());
        if (!count)
          return false;
        const Type pointee = cast<tile::PtrType>(moved.getPtr().getType()).getPointee();
        offset = offset + *count * std::max<int64_t>(1, tile::bitsOf(pointee) / 8);
      } else if (!isa<tile::HintOp>(op)) {
        return false;
      }
      pointer = op->getOperand(0);
    }
    auto argument = cast<BlockArgument>(pointer);
    if (!isa<tile::KernelOp>(argument.getOwner()->getParentOp()))
      return false;
    recipe.base = static_cast<int>(argument.getArgNumber());
    recipe.offset = std::move(offset);
    requirements.push_back(rt::Expr::argument(recipe.base)); // descriptors of null do not exist
    return true;
  }

  /// \p value times \p factor, which is required to lie in \p range; nothing if it does not or cannot be told.
  std::optional<rt::Expr> take(Value value, int64_t factor, const Range &range) {
    const std::optional<rt::Expr> number = launchExprOf(value);
    if (!number)
      return std::nullopt;
    const rt::Expr scaled = *number * factor;
    if (number->isConstant() && !scaled.isConstant()) // too large
      return std::nullopt;
    const Condition condition{exprs.mul(exprs.signExtended(value), exprs.constant(factor)), range};
    if (condition.known() == false)
      return std::nullopt;
    if (condition.expr.range().lo < range.lo)
      add(rt::Expr::binary(rt::ExprCode::Ge, scaled, range.lo));
    if (condition.expr.range().hi > range.hi)
      add(rt::Expr::binary(rt::ExprCode::Le, scaled, range.hi));
    return scaled;
  }

  SmallVector<rt::Expr> requirements;

private:
  void add(rt::Expr requirement) {
    if (!llvm::is_contained(requirements, requirement))
      requirements.push_back(std::move(requirement));
  }

  tile::MakeViewOp view;
  UniformExprs &exprs;
};

bool isFitElement(Type element) {
  if (auto integer = dyn_cast<IntegerType>(element))
    return integer.getWidth() >= 8 && integer.getWidth() <= 64;
  return isa<FloatType>(element);
}

/// Whether base, strides but that of \p contiguous, and the coordinate along it are multiples of what the chip asks
/// for.
bool isAligned(tile::MakeViewOp view, mlir::ValueRange coords, unsigned contiguous, int64_t elementBytes,
               const AxisInfos &infos) {
  if (infos.divisorOf(view.getBase()) < kAlignment ||
      infos.divisorOf(coords[contiguous]) * elementBytes % kAlignment != 0)
    return false;
  for (auto [axis, stride] : llvm::enumerate(view.getStrides()))
    if (axis != contiguous && infos.divisorOf(stride) * elementBytes % kAlignment != 0)
      return false;
  return true;
}

} // namespace

std::optional<unsigned> contiguousAxisOf(Value view) {
  auto make = view.getDefiningOp<tile::MakeViewOp>();
  if (!make)
    return std::nullopt;
  for (size_t axis = make.getStrides().size(); axis-- > 0;) {
    APInt stride;
    if (mlir::matchPattern(make.getStrides()[axis], mlir::m_ConstantInt(&stride)) && stride.isOne())
      return static_cast<unsigned>(axis);
  }
  return std::nullopt;
}

std::optional<TensorMapPlan> tensorMapOf(Value view, mlir::ValueRange coords, layout::BufferType buffer,
                                         UniformExprs &exprs, const AxisInfos *infos) {
  const std::optional<unsigned> contiguous = contiguousAxisOf(view);
  const Type element = buffer.getElement();
  const SharedLayout &layout = buffer.getLayout().getLayout();
  if (!contiguous || !isFitElement(element) || layout.rank() > kMostRank ||
      cast<tile::ViewType>(view.getType()).getElement() != element ||
      cast<tile::ViewType>(view.getType()).getRank() != static_cast<unsigned>(layout.rank()))
    return std::nullopt;
  auto make = view.getDefiningOp<tile::MakeViewOp>();
  const int64_t elementBytes = buffer.bytesOfElement();
  const std::optional<Boxes> boxes = boxesOf(layout, static_cast<int>(*contiguous), elementBytes);
  if (!boxes || (infos && !isAligned(make, coords, *contiguous, elementBytes, *infos)))
    return std::nullopt;

  Recipe recipe(make, exprs);
  TensorMapPlan plan;
  if (!recipe.takeBase(plan.recipe))
    return std::nullopt;
  plan.recipe.dtype = tile::dtypeOf(element);
  plan.recipe.swizzle = static_cast<rt::TensorSwizzle>(log2Of(boxes->swizzleBytes / 16));
  for (const int axis : boxes->order) {
    // A box that begins at the last coordinate that is aligned ends at one that exists, too.
    const Range extents{1, kMostCoordinate - layout.shape()[axis] - kAlignment};
    const std::optional<rt::Expr> extent = recipe.take(make.getExtents()[axis], 1, extents);
    if (!extent)
      return std::nullopt;
    plan.recipe.extents.push_back(*extent);
    plan.recipe.box.push_back(static_cast<uint32_t>(boxes->shape[axis]));
    plan.axes.push_back(static_cast<unsigned>(axis));
    if (axis == static_cast<int>(*contiguous))
      continue;
    const std::optional<rt::Expr> stride =
        recipe.take(make.getStrides()[axis], elementBytes, {kAlignment, kMostStride});
    if (!stride)
      return std::nullopt;
    plan.recipe.strides.push_back(*stride);
  }
  plan.pieces = piecesOf(layout, *boxes, elementBytes);
  plan.requirements = std::move(recipe.requirements);
  plan.bytes = buffer.bytesOfSlot();
  return plan;
}

} // namespace tessera::ir
