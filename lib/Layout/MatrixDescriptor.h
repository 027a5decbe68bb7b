//===- MatrixDescriptor.h - matrices that a unit reads itself --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// wgmma reads operands from shared memory block by block. A descriptor says where the elements of a block lie after its
// start: runs of the contiguous axis one after another along the other one, eight to a group, and the distances between
// groups and between runs. The swizzle is by address, so that it is the same for all blocks.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LAYOUT_MATRIXDESCRIPTOR_H
#define TESSERA_LAYOUT_MATRIXDESCRIPTOR_H

#include "Layout/SharedLayout.h"

#include <optional>

namespace tessera::layout {

/// How blocks of a matrix in a buffer are read.
struct MatrixDescriptor {
  int swizzleBytes = 0;            ///< of a run: 32, 64 or 128; or 0, for runs of 16 that are not swizzled
  std::uint32_t leadingBytes = 16; ///< from a run, or group of runs, to the next one along one axis
  std::uint32_t strideBytes = 16;  ///< and along the other
  bool isTransposed = false;       ///< k is the axis across

  bool operator==(const MatrixDescriptor &) const = default;
  /// The bits of a descriptor but for the start, of which bits 4 to 17 are the lowest 14.
  std::uint64_t encode() const;
};

/// The rows of a block that is read at once, and its extent along k, in elements.
struct MatrixBlock {
  std::int64_t rows = 64, k = 16;
};

/// The descriptor for blocks of the matrix that \p shared, of rank 2 and elements of \p elementBytes, is the layout of.
/// \p kAxis is that of k, and rows lie along the other one. Nothing where the layout has none. Each block starts at the
/// offset of its first element, in a buffer that is aligned to the period of the swizzle.
std::optional<MatrixDescriptor> matrixDescriptor(const SharedLayout &shared, int elementBytes, int kAxis,
                                                 const MatrixBlock &block);

} // namespace tessera::layout

#endif // TESSERA_LAYOUT_MATRIXDESCRIPTOR_H
