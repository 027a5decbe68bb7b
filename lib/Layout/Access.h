//===- Access.h - how wide accesses are, and who makes them ----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LAYOUT_ACCESS_H
#define TESSERA_LAYOUT_ACCESS_H

#include "Layout/SharedLayout.h"
#include "Layout/TileLayout.h"

namespace tessera::layout {

// -- Global memory ----------------------------------------------------------------------------------------------------

/// How many neighbouring registers make one access of at most \p maxBytes, where elements of \p elementBytes lie one
/// after another along \p axis and each run of them starts at a multiple of \p alignmentBytes.
std::uint32_t vectorElements(const TileLayout &layout, int axis, int elementBytes, std::int64_t alignmentBytes,
                             int maxBytes = 16);

// -- Copies -----------------------------------------------------------------------------------------------------------

/// Who makes a store or an atomic where elements have copies: the holder with none of these bits, of which there is one
/// for each element.
struct OwnerMasks {
  std::uint32_t registers = 0, lanes = 0, warps = 0, blocks = 0;

  bool operator==(const OwnerMasks &) const = default;
  bool everybody() const { return *this == OwnerMasks(); }
  bool owns(std::uint32_t reg, std::uint32_t lane, std::uint32_t warp, std::uint32_t block) const {
    return (reg & registers) == 0 && (lane & lanes) == 0 && (warp & warps) == 0 && (block & blocks) == 0;
  }
};
OwnerMasks ownersOf(const TileLayout &layout);

/// For each register the lowest one that holds the same element in every thread.
std::vector<std::uint32_t> firstRegisters(const TileLayout &layout);

// -- Shared memory ----------------------------------------------------------------------------------------------------

/// The columns of \p layout as offsets into a buffer of \p shared.
TileLayout::Bases offsetsOf(const TileLayout &layout, const SharedLayout &shared);

/// The registers of a thread in groups of \p elements, each group one access: the i-th of a group lies i elements after
/// its first, which lies at a multiple of the group's size. Registers that are copies are left out. Empty if this width
/// cannot be had.
std::vector<std::uint32_t> accessGroups(const TileLayout &layout, const SharedLayout &shared, std::uint32_t elements);
/// The same where offsets have the columns \p offsets.
std::vector<std::uint32_t> accessGroups(const TileLayout::Bases &offsets, std::uint32_t elements);
/// The most elements of an access of at most \p maxBytes.
std::uint32_t widestAccess(const TileLayout &layout, const SharedLayout &shared, int elementBytes, int maxBytes = 16);

std::uint32_t widestAccess(const TileLayout::Bases &offsets, int elementBytes, int maxBytes = 16);

/// How many words the banks serve one after another, for one access of a warp.
struct Wavefronts {
  int actual = 1;
  int ideal = 1; ///< were no two words of a wavefront in one bank
  bool operator==(const Wavefronts &) const = default;
};

/// Who serves an access: so many banks of 4 bytes.
struct Service {
  bool loads = false;
  int banks = 32;
};

/// What single bits of the number of lanes that are served together contribute to the flat index, for accesses of \p
/// accessBytes. Lanes are served together as far as their accesses make up a word of each bank; of 32 banks 32 lanes up
/// to 4 bytes, 16 for 8, 8 for 16. These are lanes in a row, but for loads of 16 bytes by warps of 64, which are served
/// in rows of four: 0, 5, 3, 6 …
std::vector<std::uint32_t> lanesTogether(const TileLayout &layout, int accessBytes, const Service &service);

/// The wavefronts of an access of \p elements elements of \p elementBytes bytes by each lane of a warp. Who reads the
/// same word is served at once.
Wavefronts bankConflicts(const TileLayout &layout, const SharedLayout &shared, std::uint32_t elements, int elementBytes,
                         const Service &service = {});

/// Wavefronts and instructions of a warp for all its registers, in accesses of this width, which can be had. Of warps
/// of 32 wider ones never cost more: lanes served together are a part of those served together in narrower ones, and
/// the words of one lane are in different banks.
std::int64_t accessCost(const TileLayout &layout, const SharedLayout &shared, std::uint32_t elements, int elementBytes,
                        const Service &service = {});

} // namespace tessera::layout

#endif // TESSERA_LAYOUT_ACCESS_H
