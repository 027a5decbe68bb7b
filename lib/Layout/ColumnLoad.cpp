//===- ColumnLoad.cpp - lanes that exchange what they read ----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// With 2^t elements in 8 bytes, the bits of what a lane gives and gets are the same bits in other places:
//
//   of what it gets     lane 0 … t-1   lane t … 3       register 0 … t-1   lane 4, 5
//   of what it gives    element        lane 0 … 3-t     lane 4-t … 3       lane 4, 5
//
//===---------------------------------------------------------------------===//

#include "Layout/ColumnLoad.h"

#include "Layout/FlatIndex.h"
#include "Layout/Span.h"

#include <algorithm>

namespace tessera::layout {

/// Lanes that exchange what they read, and all lanes, as exponents.
static constexpr std::size_t kRowBits = 4, kWarpBits = 6;

namespace {

using Columns = std::vector<std::uint32_t>;

/// The columns of what threads get, as those of what they give.
struct Exchange {
  Columns elements; ///< of one address
  Columns lanes;
  std::uint32_t taken = 0;  ///< the bits of registers that tell lanes apart which give addresses
  std::uint32_t copies = 0; ///< those of registers that are copies
};

} // namespace

static const Columns &of(const TileLayout::Bases &bases, Dim dim) { return bases[static_cast<std::size_t>(dim)]; }

/// The bits of registers whose column lies in the span of those before it.
static std::uint32_t copiesOf(const Columns &registers) {
  Span span;
  std::uint32_t copies = 0;
  for (std::size_t bit = 0; bit != registers.size(); ++bit)
    copies |= span.insert(registers[bit]) ? 0 : std::uint32_t{1} << bit;
  return copies;
}

/// Nothing where lanes or registers are too few, or elements of another size than the instructions have.
static std::optional<Exchange> exchangeOf(const TileLayout::Bases &got, int elementBytes) {
  const Columns &lanes = of(got, Dim::Lane), &registers = of(got, Dim::Register);
  if ((elementBytes != 1 && elementBytes != 2) || lanes.size() != kWarpBits)
    return std::nullopt;
  const auto inElements = static_cast<std::size_t>(log2Of(kColumnBytes / elementBytes));
  Exchange result{.elements = Columns(lanes.begin(), lanes.begin() + inElements),
                  .lanes = Columns(lanes.begin() + inElements, lanes.begin() + kRowBits),
                  .copies = copiesOf(registers)};
  for (std::size_t bit = 0; bit != registers.size() && result.lanes.size() != kRowBits; ++bit)
    if ((result.copies >> bit & 1) == 0) {
      result.lanes.push_back(registers[bit]);
      result.taken |= std::uint32_t{1} << bit;
    }
  if (result.lanes.size() != kRowBits)
    return std::nullopt;
  result.lanes.insert(result.lanes.end(), lanes.begin() + kRowBits, lanes.end());
  return result;
}

std::optional<MatrixAccess> columnAccess(const TileLayout::Bases &offsets, int elementBytes) {
  const std::optional<Exchange> exchanged = exchangeOf(offsets, elementBytes);
  if (!exchanged)
    return std::nullopt;
  // The elements of an address are neighbours in their order, and all addresses are aligned to them.
  const std::uint32_t inAddress = kColumnBytes / elementBytes - 1;
  for (std::size_t bit = 0; bit != exchanged->elements.size(); ++bit)
    if (exchanged->elements[bit] != std::uint32_t{1} << bit)
      return std::nullopt;
  const auto isAligned = [&](std::uint32_t column) { return (column & inAddress) == 0; };
  for (const Columns *columns :
       {&exchanged->lanes, &of(offsets, Dim::Register), &of(offsets, Dim::Warp), &of(offsets, Dim::Block)})
    if (!std::ranges::all_of(*columns, isAligned))
      return std::nullopt;

  constexpr int kWordBytes = 4;
  MatrixAccess access{.kind = MatrixLoads::Columns,
                      .isTransposed = true,
                      .words = kColumnBytes / kWordBytes,
                      .wordElements = static_cast<std::uint32_t>(kWordBytes / elementBytes),
                      .registers = {},
                      .rows = offsets};
  access.rows[static_cast<std::size_t>(Dim::Lane)] = exchanged->lanes;
  std::vector<std::uint32_t> apart;
  for (std::uint32_t rest = exchanged->taken; rest != 0; rest &= rest - 1)
    apart.push_back(rest & -rest);
  const std::uint32_t size = std::uint32_t{1} << of(offsets, Dim::Register).size();
  for (std::uint32_t first = 0; first != size; ++first)
    if ((first & (exchanged->taken | exchanged->copies)) == 0)
      for (std::uint32_t at = 0; at != std::uint32_t{1} << apart.size(); ++at)
        access.registers.push_back(first ^ combined(apart, at));
  return access;
}

std::optional<ColumnSource> columnSource(const TileLayout &layout, int elementBytes) {
  TileLayout::Bases bases;
  for (const Dim dim : kDims)
    bases[static_cast<std::size_t>(dim)].assign(layout.bases(dim).begin(), layout.bases(dim).end());
  const std::optional<Exchange> exchanged = exchangeOf(bases, elementBytes);
  if (!exchanged)
    return std::nullopt;
  std::int64_t addresses = 1;
  const Columns registers = of(bases, Dim::Register);
  for (std::size_t bit = 0; bit != registers.size(); ++bit)
    if (((exchanged->taken | exchanged->copies) >> bit & 1) == 0) {
      bases[static_cast<std::size_t>(Dim::Block)].push_back(registers[bit]);
      addresses *= 2;
    }
  bases[static_cast<std::size_t>(Dim::Register)] = exchanged->elements;
  bases[static_cast<std::size_t>(Dim::Lane)] = exchanged->lanes;
  return ColumnSource{TileLayout({layout.shape().begin(), layout.shape().end()}, std::move(bases)), addresses};
}

} // namespace tessera::layout
