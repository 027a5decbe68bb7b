//===- Box.cpp - parts of a tile in the threads that hold the whole ------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Layout/Box.h"

#include "Layout/FlatIndex.h"
#include "Layout/LinearMap.h"

#include <algorithm>
#include <unordered_map>

namespace tessera::layout {

namespace {

constexpr std::array kThreads{Dim::Lane, Dim::Warp, Dim::Block};

/// The index in the whole of an element of the box, whose shape is \p shape, were its offset 0.
std::uint32_t spread(std::span<const std::int64_t> whole, std::span<const std::int64_t> shape, std::uint32_t flat) {
  std::uint32_t result = 0;
  for (int axis = 0; axis != static_cast<int>(shape.size()); ++axis)
    result |= static_cast<std::uint32_t>(coordinateOf(shape, flat, axis)) << axisShiftOf(whole, axis);
  return result;
}

/// The index in the box of an element of the whole; nothing if it is outside.
std::optional<std::uint32_t> within(std::span<const std::int64_t> whole, std::span<const std::int64_t> shape,
                                    std::span<const std::int64_t> offsets, std::uint32_t flat) {
  std::uint32_t result = 0;
  for (std::size_t axis = 0; axis != shape.size(); ++axis) {
    const std::int64_t place = coordinateOf(whole, flat, static_cast<int>(axis)) - offsets[axis];
    if (place < 0 || place >= shape[axis])
      return std::nullopt;
    result |= static_cast<std::uint32_t>(place) << axisShiftOf(shape, static_cast<int>(axis));
  }
  return result;
}

/// The bits of indices in the whole that are the box' on axes where its offset is a multiple of its extent. On the
/// others every bit must be the registers'.
struct ThreadBits {
  std::uint32_t allowed = 0;

  ThreadBits(std::span<const std::int64_t> whole, std::span<const std::int64_t> shape,
             std::span<const std::int64_t> offsets) {
    for (std::size_t axis = 0; axis != shape.size(); ++axis)
      if (offsets[axis] % shape[axis] == 0)
        allowed |= static_cast<std::uint32_t>(shape[axis] - 1) << axisShiftOf(whole, static_cast<int>(axis));
  }
  /// Whether which thread it is never decides on being in the box.
  bool admit(const TileLayout &layout) const {
    return std::ranges::all_of(kThreads, [&](Dim dim) {
      return std::ranges::all_of(layout.bases(dim), [&](std::uint32_t column) { return (column & ~allowed) == 0; });
    });
  }
};

} // namespace

std::optional<std::vector<std::uint32_t>> boxRegisters(const TileLayout &whole, const TileLayout &box,
                                                       std::span<const std::int64_t> offsets) {
  if (!ThreadBits(whole.shape(), box.shape(), offsets).admit(whole))
    return std::nullopt;
  for (const Dim dim : kThreads)
    for (int bit = 0; bit != std::max(whole.bits(dim), box.bits(dim)); ++bit) {
      const auto column = [&](const TileLayout &layout) {
        return bit < layout.bits(dim) ? layout.bases(dim)[static_cast<std::size_t>(bit)] : 0;
      };
      if (column(whole) != spread(whole.shape(), box.shape(), column(box)))
        return std::nullopt;
    }
  std::unordered_map<std::uint32_t, std::uint32_t> found; // registers of the box, by what they hold in thread 0
  for (std::uint32_t reg = 0; reg != box.size(Dim::Register); ++reg)
    found.try_emplace(box.at(reg, 0, 0), reg);
  std::vector<std::uint32_t> result;
  std::size_t met = 0;
  std::vector<bool> isMet(box.size(Dim::Register));
  for (std::uint32_t reg = 0; reg != whole.size(Dim::Register); ++reg) {
    result.push_back(kOutsideBox);
    const std::optional<std::uint32_t> flat = within(whole.shape(), box.shape(), offsets, whole.at(reg, 0, 0));
    if (!flat)
      continue;
    const auto holder = found.find(*flat);
    if (holder == found.end())
      return std::nullopt;
    result.back() = holder->second;
    met += isMet[holder->second] ? 0 : 1;
    isMet[holder->second] = true;
  }
  if (met != found.size())
    return std::nullopt;
  return result;
}

std::optional<TileLayout> boxLayout(const TileLayout &whole, std::span<const std::int64_t> offsets,
                                    std::span<const std::int64_t> shape) {
  const ThreadBits bits(whole.shape(), shape, offsets);
  if (!bits.admit(whole))
    return std::nullopt;
  const std::vector<std::int64_t> none(shape.size(), 0);
  const auto shrunk = [&](std::uint32_t column) {
    return within(whole.shape(), shape, none, column & bits.allowed).value_or(0);
  };
  TileLayout::Bases bases;
  for (const Dim dim : kThreads)
    for (const std::uint32_t column : whole.bases(dim))
      bases[static_cast<std::size_t>(dim)].push_back(shrunk(column));
  std::vector<std::uint32_t> &registers = bases[static_cast<std::size_t>(Dim::Register)];
  // Axes that lie in registers alone are counted from the offset on, lowest bits first.
  for (int axis = static_cast<int>(shape.size()) - 1; axis >= 0; --axis)
    if (offsets[static_cast<std::size_t>(axis)] % shape[static_cast<std::size_t>(axis)] != 0)
      for (std::int64_t place = 1; place != shape[static_cast<std::size_t>(axis)]; place *= 2)
        registers.push_back(static_cast<std::uint32_t>(place) << axisShiftOf(shape, axis));
  for (const std::uint32_t column : whole.bases(Dim::Register))
    if (const std::uint32_t kept = shrunk(column); kept != 0)
      registers.push_back(kept);
  TileLayout box = withoutRegisterCopies(TileLayout({shape.begin(), shape.end()}, std::move(bases)));
  // Columns with bits inside and outside of the box may move what it holds.
  if (!boxRegisters(whole, box, offsets))
    return std::nullopt;
  return box;
}

std::optional<TileLayout> layoutOfParts(const TileLayout &whole, int axis, std::int64_t extent) {
  const std::uint32_t parts = whole.axisMask(axis) & ~(static_cast<std::uint32_t>(extent - 1) << whole.axisShift(axis));
  TileLayout::Bases bases;
  for (const Dim dim : kDims)
    bases[static_cast<std::size_t>(dim)].assign(whole.bases(dim).begin(), whole.bases(dim).end());
  std::vector<std::uint32_t> &registers = bases[static_cast<std::size_t>(Dim::Register)];
  auto next = registers.rbegin(); // the highest first: accesses keep their neighbours
  for (const Dim dim : kThreads)
    for (std::uint32_t &column : bases[static_cast<std::size_t>(dim)]) {
      if ((column & parts) == 0)
        continue;
      while (next != registers.rend() && (*next == 0 || (*next & parts) != 0))
        ++next;
      if (next == registers.rend())
        return std::nullopt;
      std::swap(column, *next++);
    }
  return TileLayout({whole.shape().begin(), whole.shape().end()}, std::move(bases));
}

std::optional<std::pair<std::uint32_t, std::uint32_t>> mirrorHolder(const TileLayout &layout, int axis) {
  const int registers = layout.bits(Dim::Register), lanes = layout.bits(Dim::Lane);
  const std::uint64_t inWarp = (std::uint64_t{1} << (registers + lanes)) - 1;
  const std::optional<std::uint64_t> holder = LinearMap::of(layout).ofInputs(inWarp).solve(layout.axisMask(axis));
  if (!holder)
    return std::nullopt;
  return std::pair(static_cast<std::uint32_t>(*holder & ((std::uint64_t{1} << registers) - 1)),
                   static_cast<std::uint32_t>(*holder >> registers));
}

} // namespace tessera::layout
