//===- Conversion.h - a tile from one layout to another --------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// How the threads of a program bring a tile from one layout to another without shared memory. A plan is a short program
// on values of a thread, with two instructions: a choice between two values by the number of the thread, and a shuffle
// that reads a word of another lane. It is found by elimination over F2, and has as few shuffles as there can be.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LAYOUT_CONVERSION_H
#define TESSERA_LAYOUT_CONVERSION_H

#include "Layout/TileLayout.h"

namespace tessera::layout {

/// What it takes to convert a tile. The order is that of cost.
enum class ConversionKind : std::uint8_t {
  Identity,  ///< nothing: each register holds what it must
  Registers, ///< registers of the thread in another order, fewer or more of them
  Warp,      ///< the elements of a warp stay in the warp
  Shared,    ///< elements move between warps or blocks
};

/// A yes or no that depends on who asks: whether the selected bits of lane, warp and block have an odd number of ones.
struct ThreadParity {
  std::uint32_t lanes = 0, warps = 0, blocks = 0;

  bool operator==(const ThreadParity &) const = default;
  bool of(std::uint32_t lane, std::uint32_t warp, std::uint32_t block) const;
};

/// An instruction of a plan. Values are numbered: first the registers of the source, then what steps result in.
struct ConversionStep {
  enum class Kind : std::uint8_t {
    Select,  ///< `values[1]` where the parity is odd, else `values[0]`
    Shuffle, ///< all lanes pack `values` into one word of 32 bits (or more for wider elements) and read the word of the
             ///< lane `plan.sourceLane(…) ^ laneXor`; its parts are the results
  };
  Kind kind;
  std::vector<std::uint32_t> values;
  std::uint32_t firstResult; ///< its results have this number and, of a shuffle, the following ones
  ThreadParity parity{};
  std::uint32_t laneXor = 0;
};

/// How to convert a tile where the kind is not `Shared`; a step uses results of earlier ones only.
struct ConversionPlan {
  ConversionKind kind = ConversionKind::Shared;
  std::vector<ConversionStep> steps;
  std::vector<std::uint32_t> results; ///< the value of each register of the destination
  /// What each bit of the lane, the warp and the block contributes to the lane that shuffles read.
  std::vector<std::uint32_t> laneColumns, warpColumns, blockColumns;

  int shuffles() const;
  int selects() const;
  std::uint32_t sourceLane(std::uint32_t lane, std::uint32_t warp, std::uint32_t block) const;
  /// Whether every shuffle reads the lane `lane ^ laneXor`.
  bool shufflesByXor() const;
};

/// What it takes to convert a tile between layouts of one shape. Bits that one of them lacks hold copies there.
ConversionKind conversionKind(const TileLayout &from, const TileLayout &to);

/// Whether each block of a cluster holds under \p from all that it is to hold under \p to.
bool staysInBlocks(const TileLayout &from, const TileLayout &to);

/// The plan for elements of \p elementBits, of which a word holds as many as fit in 32 bits, at least one.
///
/// The number of shuffles is the least: some thread lacks as many words, where each word comes from one lane. Only
/// where lanes need more different registers of some lanes than they have registers themselves, those lanes bound the
/// number, and it is the least but for words that stay in their lane.
ConversionPlan planConversion(const TileLayout &from, const TileLayout &to, int elementBits = 32);

} // namespace tessera::layout

#endif // TESSERA_LAYOUT_CONVERSION_H
