//===- Access.cpp - how wide accesses are, and who makes them -------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Layout/Access.h"

#include "Layout/FlatIndex.h"
#include "Layout/Span.h"

#include <algorithm>

namespace tessera::layout {

std::uint32_t vectorElements(const TileLayout &layout, int axis, int elementBytes, std::int64_t alignmentBytes,
                             int maxBytes) {
  std::uint32_t count = contiguousRegisters(layout, axis);
  while (count > 1 &&
         (std::int64_t{count} * elementBytes > maxBytes || alignmentBytes % (std::int64_t{count} * elementBytes) != 0))
    count /= 2;
  return count;
}

OwnerMasks ownersOf(const TileLayout &layout) {
  return {.registers = layout.copyMask(Dim::Register),
          .lanes = layout.copyMask(Dim::Lane),
          .warps = layout.copyMask(Dim::Warp),
          .blocks = layout.copyMask(Dim::Block)};
}

std::vector<std::uint32_t> firstRegisters(const TileLayout &layout) {
  Span span;
  span.insertAll(layout.bases(Dim::Register));
  std::vector<std::uint32_t> result;
  for (std::uint32_t reg = 0; reg != layout.size(Dim::Register); ++reg)
    result.push_back(
        static_cast<std::uint32_t>(span.combinationOf(combined(layout.bases(Dim::Register), reg)).value_or(reg)));
  return result;
}

TileLayout::Bases offsetsOf(const TileLayout &layout, const SharedLayout &shared) {
  TileLayout::Bases offsets;
  for (const Dim dim : kDims)
    for (const std::uint32_t column : layout.bases(dim))
      offsets[static_cast<std::size_t>(dim)].push_back(shared.offset(column));
  return offsets;
}

std::vector<std::uint32_t> accessGroups(const TileLayout &layout, const SharedLayout &shared, std::uint32_t elements) {
  return accessGroups(offsetsOf(layout, shared), elements);
}

std::vector<std::uint32_t> accessGroups(const TileLayout::Bases &offsets, std::uint32_t elements) {
  for (const Dim dim : {Dim::Lane, Dim::Warp, Dim::Block})
    for (const std::uint32_t column : offsets[static_cast<std::size_t>(dim)])
      if ((column & (elements - 1)) != 0)
        return {}; // such threads would have the registers of an access in another order
  // Which registers are apart by 1, 2, 4 … elements; the others follow in their order.
  const std::vector<std::uint32_t> &columns = offsets[static_cast<std::size_t>(Dim::Register)];
  Span span, numbers;
  std::uint32_t copies = 0;
  for (std::size_t bit = 0; bit != columns.size(); ++bit)
    copies |= span.insert(columns[bit]) ? 0 : std::uint32_t{1} << bit;
  std::vector<std::uint32_t> apart;
  for (std::uint32_t distance = 1; distance != elements; distance *= 2) {
    const auto registers = span.combinationOf(distance);
    if (!registers)
      return {};
    apart.push_back(static_cast<std::uint32_t>(*registers));
  }
  numbers.insertAll(apart);
  std::vector<std::uint32_t> groups;
  for (std::uint32_t reg = 0; reg != std::uint32_t{1} << columns.size(); ++reg) {
    // The first register of a group has the lowest number among those that differ by `apart`, then its offset is
    // aligned.
    if ((reg & copies) != 0 || numbers.remainder(reg) != reg)
      continue;
    const std::uint32_t low = combined(columns, reg) & (elements - 1);
    for (std::uint32_t at = 0; at != elements; ++at)
      groups.push_back(reg ^ combined(apart, at ^ low));
  }
  return groups;
}

std::uint32_t widestAccess(const TileLayout &layout, const SharedLayout &shared, int elementBytes, int maxBytes) {
  return widestAccess(offsetsOf(layout, shared), elementBytes, maxBytes);
}

std::uint32_t widestAccess(const TileLayout::Bases &offsets, int elementBytes, int maxBytes) {
  std::uint32_t elements = 1;
  while (2 * elements * elementBytes <= static_cast<std::uint32_t>(maxBytes) &&
         !accessGroups(offsets, 2 * elements).empty())
    elements *= 2;
  return elements;
}

std::vector<std::uint32_t> lanesTogether(const TileLayout &layout, int accessBytes, const Service &service) {
  const std::span<const std::uint32_t> columns = layout.bases(Dim::Lane);
  std::vector<std::uint32_t> lanes(columns.begin(), columns.end());
  if (service.loads && accessBytes == 16 && lanes.size() == 6)
    lanes = {columns[0], columns[1], columns[2] ^ columns[4], columns[2] ^ columns[3], columns[2], columns[5]};
  const int together = log2Of(service.banks) - std::max(0, log2Of(accessBytes) - 2);
  lanes.resize(std::min<std::size_t>(lanes.size(), static_cast<std::size_t>(together)));
  return lanes;
}

Wavefronts bankConflicts(const TileLayout &layout, const SharedLayout &shared, std::uint32_t elements, int elementBytes,
                         const Service &service) {
  const int accessBytes = static_cast<int>(elements) * elementBytes;
  const std::vector<std::uint32_t> lanes = lanesTogether(layout, accessBytes, service);
  // What the words and the banks of these lanes span. All other bits of the thread only move them.
  Span words, banks;
  const auto add = [&](std::uint32_t byteAddress) {
    words.insert(byteAddress >> 2);
    banks.insert(byteAddress >> 2 & static_cast<std::uint32_t>(service.banks - 1));
  };
  for (const std::uint32_t lane : lanes)
    add(shared.offset(lane) * elementBytes);
  for (int bytes = 4; bytes < accessBytes; bytes *= 2)
    add(bytes);
  const int phases = 1 << (layout.bits(Dim::Lane) - static_cast<int>(lanes.size()));
  return {.actual = phases << (words.rank() - banks.rank()), .ideal = phases};
}

std::int64_t accessCost(const TileLayout &layout, const SharedLayout &shared, std::uint32_t elements, int elementBytes,
                        const Service &service) {
  const int registers = layout.bits(Dim::Register) - std::popcount(layout.copyMask(Dim::Register));
  const Wavefronts wavefronts = bankConflicts(layout, shared, elements, elementBytes, service);
  return (std::int64_t{wavefronts.actual} + 1) << (registers - log2Of(elements));
}

} // namespace tessera::layout
