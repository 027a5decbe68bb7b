//===- Access.cpp - what accesses of memory ask of layouts ----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/TileToLayout/Access.h"

#include "Layout/FlatIndex.h"
#include "Layout/Span.h"

#include "tessera-ir/Dialect/Layout/IR/LayoutDialect.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <numeric>

namespace tessera::ir::layout {

namespace algebra = ::tessera::layout;
using algebra::Dim;

/// Memory moves in pieces of so many bytes.
static constexpr int64_t kLineBytes = 128;

std::optional<Access> accessOf(Operation *op, const AxisInfos &infos, MaskForms &masks, int64_t mostBytes) {
  const bool isFull = op->hasAttr(LayoutDialect::kInBounds);
  const std::optional<WideAccess> wide = wideAccessOf(op, infos, masks.getAffine(), mostBytes, isFull);
  if (!wide)
    return std::nullopt;
  Access access;
  access.wide = *wide;
  access.isStore = op->getNumResults() == 0;
  // The tile that is read or written: the result, or else the value stored.
  Type type = op->getNumResults() != 0 ? op->getResult(0).getType() : Type();
  if (auto store = dyn_cast<tile::ViewStoreOp>(op))
    type = store.getValue().getType();
  else if (auto store = dyn_cast<tile::ViewStoreRowsOp>(op))
    type = store.getValue().getType();
  else if (!type)
    type = tile::pointeeOf(op->getOperand(0).getType());
  access.shape.assign(tile::shapeOf(type).begin(), tile::shapeOf(type).end());
  access.bytes = std::max(1u, tile::bitsOf(tile::elementOf(type)) / 8);
  access.strides.resize(access.shape.size());
  const AccessForm *form = masks.accessOf(op);
  if (form && form->address)
    for (auto [stride, expr] : llvm::zip_equal(access.strides, form->address->strides))
      stride = expr.asConstant();
  if (access.wide.axis != -1)
    access.strides[access.wide.axis] = access.bytes;
  for (auto [stride, extent] : llvm::zip_equal(access.strides, access.shape))
    if (extent == 1)
      stride = 0;
  return access;
}

/// \p layout of the warps of all blocks, with the last of them as those of other blocks.
static TileLayout spreadOverBlocks(const TileLayout &layout, int64_t numBlocks) {
  TileLayout::Bases bases;
  for (const Dim dim : algebra::kDims)
    bases[static_cast<size_t>(dim)].assign(layout.bases(dim).begin(), layout.bases(dim).end());
  std::vector<std::uint32_t> &warps = bases[static_cast<size_t>(Dim::Warp)],
                             &blocks = bases[static_cast<size_t>(Dim::Block)];
  const auto first = warps.end() - algebra::log2Of(numBlocks);
  blocks.assign(first, warps.end());
  warps.erase(first, warps.end());
  return TileLayout({layout.shape().begin(), layout.shape().end()}, std::move(bases));
}

TileLayout blockedLayout(ArrayRef<int64_t> shape, ArrayRef<int> order, int64_t run, const KernelShape &kernel,
                         bool warpsLast) {
  const size_t rank = shape.size();
  SmallVector<int64_t> perThread(rank, 1), lanes(rank, 1), warps(rank, 1);
  perThread[order[0]] = std::min(run, shape[order[0]]);
  // Gives \p count threads to axes that have elements left for them; the rest hold copies.
  const auto distribute = [&](SmallVectorImpl<int64_t> &threads, int64_t count, ArrayRef<int> axes) {
    for (const int axis : axes) {
      const int64_t some = std::clamp<int64_t>(shape[axis] / (perThread[axis] * lanes[axis] * warps[axis]), 1, count);
      threads[axis] *= some;
      count /= some;
    }
    threads[order[0]] *= count;
  };
  distribute(lanes, kernel.warpSize, order);
  SmallVector<int> warpOrder(order);
  if (warpsLast)
    std::reverse(warpOrder.begin(), warpOrder.end());
  distribute(warps, kernel.numWarps * kernel.numBlocks, warpOrder);
  const TileLayout layout = TileLayout::blocked({shape.data(), rank}, perThread, lanes, warps, {order.data(), rank});
  return kernel.numBlocks == 1 ? layout : spreadOverBlocks(layout, kernel.numBlocks);
}

/// The contiguous axis, then known strides, short ones first, and of equal ones the last axes.
static SmallVector<int> orderOf(const Access &access) {
  SmallVector<int> order(access.shape.size());
  std::iota(order.begin(), order.end(), 0);
  const auto rankOf = [&](int axis) {
    const std::optional<int64_t> stride = access.strides[axis];
    return std::tuple(axis != access.wide.axis, access.shape[axis] == 1, !stride, stride ? std::abs(*stride) : 0,
                      -axis);
  };
  llvm::sort(order, [&](int a, int b) { return rankOf(a) < rankOf(b); });
  return order;
}

SmallVector<TileLayout> coalescedLayouts(const Access &access, const KernelShape &kernel) {
  const SmallVector<int> order = orderOf(access);
  const int64_t elements = std::accumulate(access.shape.begin(), access.shape.end(), int64_t(1), std::multiplies<>());
  const int64_t share = std::max<int64_t>(1, elements / (kernel.threadsOfProgram() * kernel.numBlocks));
  SmallVector<TileLayout> layouts;
  for (int64_t run = std::min({access.wide.elements, share}); run >= 1; run /= 2)
    for (const bool warpsLast : {true, false}) {
      TileLayout layout = blockedLayout(access.shape, order, run, kernel, warpsLast);
      if (!llvm::is_contained(layouts, layout))
        layouts.push_back(std::move(layout));
    }
  return layouts;
}

std::optional<TileLayout> coalescedWithin(const Access &access, const TileLayout &holder, const KernelShape &kernel) {
  algebra::Span apart, own;
  for (const Dim dim : {Dim::Warp, Dim::Block})
    apart.insertAll(holder.bases(dim));
  for (const Dim dim : {Dim::Register, Dim::Lane})
    own.insertAll(holder.bases(dim));
  // The bits of the index that a warp has: of the contiguous axis, and of others in their order.
  SmallVector<std::uint32_t, 32> along, others;
  const SmallVector<int> order = orderOf(access);
  for (const int axis : order)
    for (std::uint32_t rest = holder.axisMask(axis); rest != 0; rest &= rest - 1) {
      const std::uint32_t bit = rest & -rest;
      if (own.contains(bit) && apart.insert(bit))
        (axis == order[0] ? along : others).push_back(bit);
    }
  if (apart.rank() != algebra::log2Of(holder.elements()))
    return std::nullopt;
  const auto take = [](SmallVectorImpl<std::uint32_t> &from) {
    const std::uint32_t bit = from.front();
    from.erase(from.begin());
    return bit;
  };
  // Runs in registers; lanes along the axis for a line, along others, and along the axis again; the rest in registers.
  TileLayout::Bases bases;
  const auto columnsOf = [&](Dim dim) -> std::vector<std::uint32_t> & { return bases[static_cast<size_t>(dim)]; };
  const std::uint32_t lowest = std::uint32_t{1} << holder.axisShift(order[0]);
  int64_t run = 1;
  for (; run < access.wide.elements && !along.empty() && along.front() == lowest * run; run *= 2)
    columnsOf(Dim::Register).push_back(take(along));
  int64_t reach = run * access.bytes;
  while (columnsOf(Dim::Lane).size() < static_cast<size_t>(llvm::Log2_64(kernel.warpSize))) {
    const bool isAlong = !along.empty() && (reach < kLineBytes || others.empty());
    reach *= isAlong ? 2 : 1;
    columnsOf(Dim::Lane).push_back(isAlong ? take(along) : others.empty() ? 0 : take(others));
  }
  for (SmallVectorImpl<std::uint32_t> *rest : {&along, &others})
    columnsOf(Dim::Register).insert(columnsOf(Dim::Register).end(), rest->begin(), rest->end());
  for (const Dim dim : {Dim::Warp, Dim::Block})
    columnsOf(dim).assign(holder.bases(dim).begin(), holder.bases(dim).end());
  return TileLayout({holder.shape().begin(), holder.shape().end()}, std::move(bases));
}

/// How many lines the lanes of a warp touch in one access of \p run elements each.
static int64_t linesOf(const Access &access, const TileLayout &layout, int64_t run) {
  std::uint32_t unknown = 0; // bits of the index whose elements may be anywhere
  bool isKnown = false;
  for (size_t axis = 0; axis < access.shape.size(); ++axis) {
    isKnown |= access.strides[axis].has_value();
    if (!access.strides[axis])
      unknown |= layout.axisMask(static_cast<int>(axis));
  }
  if (!isKnown)
    unknown = ~std::uint32_t{0};
  SmallVector<std::pair<std::uint32_t, int64_t>, 64> lines;
  for (std::uint32_t lane = 0; lane < layout.size(Dim::Lane); ++lane) {
    const std::uint32_t flat = layout.at(0, lane, 0);
    int64_t offset = 0;
    for (size_t axis = 0; axis < access.shape.size(); ++axis)
      offset += access.strides[axis].value_or(0) * layout.coordinate(flat, static_cast<int>(axis));
    const int64_t last = offset + run * access.bytes - 1;
    for (int64_t line = offset >> 7; line <= last >> 7; ++line)
      lines.emplace_back(flat & unknown, line);
  }
  static_assert(kLineBytes == 1 << 7);
  llvm::sort(lines);
  return std::unique(lines.begin(), lines.end()) - lines.begin();
}

double costOf(const Access &access, const TileLayout &layout) {
  const auto countOf = [&](Dim dim, bool copies) {
    return std::int64_t{1} << (layout.bits(dim) - (copies ? 0 : std::popcount(layout.copyMask(dim))));
  };
  const std::int64_t run =
      access.wide.axis == -1
          ? 1
          : std::min<int64_t>(access.wide.elements, algebra::contiguousRegisters(layout, access.wide.axis));
  const std::int64_t registers = std::max<int64_t>(run, countOf(Dim::Register, false));
  const std::int64_t warps = countOf(Dim::Warp, !access.isStore);
  return static_cast<double>(registers / run * warps * (1 + linesOf(access, layout, run)));
}

} // namespace tessera::ir::layout
