//===- MatrixDescriptor.cpp - matrices that a unit reads itself -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before the swizzle each bit of a coordinate moves an element by one power of two, and the bits within a block by
// those that the unit computes. Layout and swizzle are linear, so that bits tell all.
//
//===---------------------------------------------------------------------===//

#include "Layout/MatrixDescriptor.h"

#include <algorithm>
#include <bit>

namespace tessera::layout {

/// Runs across that are one group.
static constexpr int kGroupBits = 3;
/// A run without swizzle.
static constexpr int kPlainRun = 16;

std::uint64_t MatrixDescriptor::encode() const {
  const auto field = [](std::uint32_t bytes) { return std::uint64_t{bytes >> 4 & 0x3fff}; };
  const std::uint64_t mode = swizzleBytes == 128 ? 1 : swizzleBytes == 64 ? 2 : swizzleBytes == 32 ? 3 : 0;
  return field(leadingBytes) << 16 | field(strideBytes) << 32 | mode << 62;
}

namespace {

/// Reads one matrix under the assumption of a swizzle and of an axis that is contiguous.
class Reader {
public:
  Reader(const SharedLayout &shared, int elementBytes, int kAxis, const MatrixBlock &block, int swizzleBytes,
         bool isTransposed)
      : shared(shared), elementBytes(elementBytes), swizzleBytes(swizzleBytes),
        runBytes(swizzleBytes ? swizzleBytes : kPlainRun), isTransposed(isTransposed) {
    const int along = isTransposed ? 1 - kAxis : kAxis;
    const auto bitsOf = [&](int axis) { return log2Of(axis == kAxis ? block.k : block.rows); };
    isRead = read(along, bitsOf(along), /*isAlong=*/true) && read(1 - along, bitsOf(1 - along), /*isAlong=*/false);
  }

  std::optional<MatrixDescriptor> descriptor() const {
    if (!isRead)
      return std::nullopt;
    // Along the contiguous axis runs follow each other at one distance, and across it groups at another. Without a
    // swizzle both have the other name where k lies across.
    const bool swaps = swizzleBytes == 0 && isTransposed;
    MatrixDescriptor result;
    result.swizzleBytes = swizzleBytes;
    result.isTransposed = isTransposed;
    result.leadingBytes = swaps ? groupBytes : nextRunBytes;
    result.strideBytes = swaps ? nextRunBytes : groupBytes;
    return result;
  }

private:
  /// Learns from the bits of \p axis, of which the lowest \p inBlock are within a block; false if they do not fit.
  bool read(int axis, int inBlock, bool isAlong) {
    const int shift = axisShiftOf(shared.shape(), axis), bits = log2Of(shared.shape()[static_cast<std::size_t>(axis)]);
    if (bits < inBlock)
      return false;
    // Those that a group, or a run, has.
    const int known = isAlong ? log2Of(runBytes / elementBytes) : kGroupBits;
    const std::uint32_t first =
        isAlong ? static_cast<std::uint32_t>(elementBytes) : static_cast<std::uint32_t>(runBytes);
    std::uint32_t &next = isAlong ? nextRunBytes : groupBytes;
    for (int bit = 0; bit != bits; ++bit) {
      const std::uint32_t bytes =
          shared.bases()[static_cast<std::size_t>(shift + bit)] * static_cast<std::uint32_t>(elementBytes);
      const std::uint32_t plain = swizzled(bytes);
      if (!std::has_single_bit(plain))
        return false;
      if (bit >= inBlock) { // moves the start, which has no part in the swizzle
        if (plain != bytes)
          return false;
      } else if (bit < known) {
        if (plain != first << bit)
          return false;
      } else if (bit == known) {
        next = plain;
      } else if (plain != next << (bit - known)) {
        return false;
      }
    }
    return next < 1U << 18 && next % 16 == 0;
  }

  /// Chunks of 16 bytes are permuted by the bits of the address from 7 on. The same twice changes nothing.
  std::uint32_t swizzled(std::uint32_t bytes) const {
    const std::uint32_t mask = swizzleBytes ? static_cast<std::uint32_t>(swizzleBytes / 16 - 1) : 0;
    return bytes ^ (bytes >> 7 & mask) << 4;
  }

  const SharedLayout &shared;
  const int elementBytes, swizzleBytes, runBytes;
  const bool isTransposed;
  std::uint32_t nextRunBytes = 16, groupBytes = 16;
  bool isRead = false;
};

} // namespace

std::optional<MatrixDescriptor> matrixDescriptor(const SharedLayout &shared, int elementBytes, int kAxis,
                                                 const MatrixBlock &block) {
  for (const bool isTransposed : {false, true})
    for (const int swizzleBytes : {128, 64, 32, 0})
      if (const auto found = Reader(shared, elementBytes, kAxis, block, swizzleBytes, isTransposed).descriptor())
        return found;
  return std::nullopt;
}

} // namespace tessera::layout
