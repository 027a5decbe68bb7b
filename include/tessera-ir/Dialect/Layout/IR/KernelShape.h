//===- KernelShape.h - threads of a kernel -----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The `layout.…` attributes of a kernel as numbers.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_LAYOUT_IR_KERNELSHAPE_H
#define TESSERA_IR_DIALECT_LAYOUT_IR_KERNELSHAPE_H

#include "tessera-ir/Dialect/Tile/IR/TileOps.h"

#include <cstdint>
#include <optional>

namespace tessera::ir::layout {

/// How many threads run a program: warps of one block, of several blocks of a cluster, or of a part of a block.
struct KernelShape {
  int64_t numWarps = 1; ///< in each of its blocks
  int64_t warpSize = 1;
  int64_t numBlocks = 1; ///< of the cluster that computes one program
  int64_t programsPerBlock = 1;

  /// In each of its blocks.
  int64_t threadsOfProgram() const { return numWarps * warpSize; }
  int64_t threadsOfBlock() const { return threadsOfProgram() * programsPerBlock; }
  bool operator==(const KernelShape &) const = default;
};

/// What the attributes say; nothing while the kernel has no `layout.num_warps` and `layout.warp_size`.
std::optional<KernelShape> kernelShapeOf(tile::KernelOp kernel);
void setKernelShape(tile::KernelOp kernel, const KernelShape &shape);

/// `layout.shared_bytes`; nothing before allocation.
std::optional<int64_t> sharedBytesOf(tile::KernelOp kernel);
void setSharedBytes(tile::KernelOp kernel, int64_t bytes);

} // namespace tessera::ir::layout

#endif // TESSERA_IR_DIALECT_LAYOUT_IR_KERNELSHAPE_H
