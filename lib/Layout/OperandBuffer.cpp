//===- OperandBuffer.cpp - the buffer from which warps multiply -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Layout/OperandBuffer.h"

#include "Layout/ColumnLoad.h"
#include "Layout/MatrixLoad.h"
#include "Layout/StraightCopy.h"
#include "Layout/Swizzle.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <tuple>

namespace tessera::layout {

namespace {

/// What it takes a warp to read all its registers.
struct Reading {
  bool isByRows = false; ///< of small matrices
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
  if (use.step == 0 || use.loads == MatrixLoads::Rows)
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

/// The instructions that put words of neighbouring registers together which are not read as words. Where Columns would
/// read them as words, those whose elements are read with others count, too.
static std::int64_t packingOf(const TileLayout &load, const SharedLayout &shared, std::uint32_t elements,
                              int elementBytes, MatrixLoads loads) {
  constexpr std::uint32_t kWordBytes = 4;
  const std::uint32_t inWord = std::max(1U, kWordBytes / static_cast<std::uint32_t>(elementBytes));
  const std::int64_t registers = load.size(Dim::Register);
  if (elements < inWord)
    return registers;
  if (loads != MatrixLoads::Columns)
    return 0;
  for (std::uint32_t bit = 0, apart = 1; apart != inWord; ++bit, apart *= 2)
    if (bit >= static_cast<std::uint32_t>(load.bits(Dim::Register)) ||
        shared.offset(load.bases(Dim::Register)[bit]) != apart)
      return registers - registers / inWord;
  return 0;
}

static Reading readingOf(const TileLayout &load, const SharedLayout &shared, int elementBytes, const BufferUse &use) {
  if (const auto matrices = matrixAccess(offsetsOf(load, shared), elementBytes, use.loads)) {
    const auto count = static_cast<std::int64_t>(matrices->registers.size()) / matrices->accessElements();
    return {use.loads == MatrixLoads::Rows, count * (bankConflicts(*matrices, elementBytes, use.loadBanks).actual + 1)};
  }
  const std::uint32_t elements = widestAccess(load, shared, elementBytes);
  const std::int64_t packing = packingOf(load, shared, elements, elementBytes, use.loads);
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

/// What it takes a warp to bring in all that it holds as \p store.
static std::int64_t writingCost(const TileLayout &store, const SharedLayout &shared, int elementBytes,
                                const BufferUse &use) {
  const auto elements = static_cast<std::uint32_t>(use.straightBytes / elementBytes);
  if (const auto copy = elements == 0 ? std::nullopt : straightCopy(store, shared, elements, elementBytes))
    return std::int64_t{copy->layout.size(Dim::Register) / elements} * (copy->lines + 1);
  return accessCost(store, shared, widestAccess(store, shared, elementBytes), elementBytes);
}

/// Calls \p consider with rows along \p axis whose pieces of \p elements are swizzled in all ways.
template <class Consider>
static void forSwizzledRows(std::span<const std::int64_t> shape, int axis, std::int64_t elements, Consider consider) {
  constexpr std::int64_t kMostPhases = 16;
  std::vector<int> order{axis};
  for (int other = static_cast<int>(shape.size()); other-- != 0;)
    if (other != axis)
      order.push_back(other);
  for (std::int64_t phases = 2; phases <= kMostPhases && phases * elements <= shape[axis]; phases *= 2)
    for (std::int64_t perPhase = 1; perPhase <= kMostPhases / 2; perPhase *= 2)
      consider(SharedLayout::swizzled(shape, order, elements, perPhase, phases));
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
    const Rank rank{storesWords, reading.isByRows,
                    -(writingCost(store, shared, elementBytes, use) + step.count * reading.cost)};
    if (best && rank <= most)
      return;
    best = shared;
    most = rank;
  };
  const int rank = store.rank();
  for (const int axis : {rank - 1, rank - 2})
    if (const auto rows = inRows(store.shape(), axis, elementBytes))
      consider(*rows);
  if (const int pieces = use.straightBytes / elementBytes; pieces != 0)
    for (const int axis : {rank - 1, rank - 2})
      forSwizzledRows(store.shape(), axis, pieces, consider);
  consider(chooseSwizzle(store, step.load, elementBytes, 16, step.count, use.loadBanks).shared);
  const auto source =
      use.loads == MatrixLoads::Columns ? columnSource(step.load, elementBytes) : std::optional<ColumnSource>();
  if (source)
    if (const auto swizzle = chooseSwizzleForLoadsOf(kColumnBytes, store, source->layout, elementBytes,
                                                     step.count * source->addresses, use.loadBanks))
      consider(swizzle->shared);
  return *best;
}

} // namespace tessera::layout
