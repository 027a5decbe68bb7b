//===- OperandBuffer.cpp - the buffer from which warps multiply -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Layout/OperandBuffer.h"

#include "Layout/MatrixLoad.h"
#include "Layout/Swizzle.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <tuple>

namespace tessera::layout {

namespace {

/// What it takes a warp to read all its registers.
struct Reading {
  bool isByMatrices = false;
  std::int64_t cost = 0; ///< wavefronts and instructions
};

/// What a warp reads at a time, and how often it does.
struct Step {
  TileLayout load;
  std::int64_t count = 1;
};

} // namespace

/// One step of \p load: registers of other steps, and of other matrices, are as apart as those of other threads.
static Step stepOf(const TileLayout &load, const BufferUse &use) {
  if (use.step == 0 || use.loadsMatrices)
    return {load};
  const int axis = load.rank() - 1 - use.axis;
  std::uint32_t others = 0;
  for (int each = 0; each != load.rank() - 2; ++each)
    others |= load.axisMask(each);
  const std::uint32_t along = load.axisMask(axis);
  others |= along & ~((static_cast<std::uint32_t>(use.step) - 1) * (along & -along));
  TileLayout::Bases bases;
  std::int64_t count = 1;
  for (const Dim dim : kDims)
    for (const std::uint32_t column : load.bases(dim)) {
      const bool isApart = dim == Dim::Register && (column & others) != 0;
      bases[static_cast<std::size_t>(isApart ? Dim::Block : dim)].push_back(column);
      count *= isApart ? 2 : 1;
    }
  return {TileLayout({load.shape().begin(), load.shape().end()}, std::move(bases)), count};
}

static Reading readingOf(const TileLayout &load, const SharedLayout &shared, int elementBytes, const BufferUse &use) {
  if (const auto matrices = use.loadsMatrices ? matrixAccess(offsetsOf(load, shared), elementBytes) : std::nullopt) {
    const auto count = static_cast<std::int64_t>(matrices->registers.size()) / matrices->accessElements();
    return {true, count * (bankConflicts(*matrices, elementBytes).actual + 1)};
  }
  const std::uint32_t elements = widestAccess(load, shared, elementBytes);
  // What is read in less than words is put together afterwards.
  const int accessBytes = static_cast<int>(elements) * elementBytes;
  const std::int64_t packing = accessBytes < 4 ? std::int64_t{load.size(Dim::Register)} : 0;
  const Service service{.loads = true, .banks = use.loadBanks};
  return {false, accessCost(load, shared, elements, elementBytes, service) + packing};
}

/// Rows along \p axis as tensor copies write them; nothing if they have less than such a copy has.
static std::optional<SharedLayout> inRows(std::span<const std::int64_t> shape, int axis, int elementBytes) {
  constexpr std::int64_t kLeast = 32, kMost = 128;
  const std::int64_t bytes = std::min(kMost, shape[axis] * elementBytes);
  std::vector<int> order{axis};
  for (int other = static_cast<int>(shape.size()); other-- != 0;)
    if (other != axis)
      order.push_back(other);
  if (bytes < kLeast)
    return std::nullopt;
  return SharedLayout::tensorCopy(shape, order, static_cast<int>(bytes), elementBytes);
}

SharedLayout operandBuffer(const TileLayout &store, const TileLayout &load, int elementBytes, const BufferUse &use) {
  constexpr int kWordBytes = 4;
  using Rank = std::tuple<bool, bool, std::int64_t>; // the greatest is best
  const Step step = stepOf(load, use);
  std::optional<SharedLayout> best;
  Rank most;
  const auto consider = [&](const SharedLayout &shared) {
    const std::uint32_t elements = widestAccess(store, shared, elementBytes);
    const Reading reading = readingOf(step.load, shared, elementBytes, use);
    const bool storesWords = use.keepsOrder && static_cast<int>(elements) * elementBytes >= kWordBytes;
    const Rank rank{storesWords, reading.isByMatrices,
                    -(accessCost(store, shared, elements, elementBytes) + step.count * reading.cost)};
    if (best && rank <= most)
      return;
    best = shared;
    most = rank;
  };
  const int rank = store.rank();
  for (const int axis : {rank - 1, rank - 2})
    if (const auto rows = inRows(store.shape(), axis, elementBytes))
      consider(*rows);
  consider(chooseSwizzle(store, step.load, elementBytes, 16, step.count, use.loadBanks).shared);
  return *best;
}

} // namespace tessera::layout
