//===- TileToHost.h - tile IR to loops over short vectors ------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The pass and what it leaves on the `llvm.func` of the kernel for the image. The function is
//
//   void kernel(const void *packed, const int64_t grid[3], void *arena, int64_t x0, int64_t x1, int64_t y, int64_t z)
//
// and runs the programs x0 <= x < x1. `packed` holds the arguments as rt::Image::layOut() places them: the parameters,
// the workspaces in the order of a walk, the print buffer if kPrints is there, the fault flag if kChecks is.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_TILETOHOST_TILETOHOST_H
#define TESSERA_CONVERSION_TILETOHOST_TILETOHOST_H

#include "Conversion/TileToHost/HostOptions.h"

#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringRef.h"

#include <memory>

namespace tessera::ir::host {

/// i64: bytes of arena that a thread needs.
inline constexpr llvm::StringLiteral kArenaBytes{"host.arena_bytes"};
/// Unit: the programs run on one thread, in the order of their numbers.
inline constexpr llvm::StringLiteral kInGridOrder{"host.in_grid_order"};
/// Units: the kernel has an argument for printed records; one for its first fault.
inline constexpr llvm::StringLiteral kPrints{"host.prints"};
inline constexpr llvm::StringLiteral kChecks{"host.checks"};
/// String: how operands of dots multiply where a dot allows less than the exact product, "ieee".
inline constexpr llvm::StringLiteral kDotPrecision{"host.dot_precision"};
/// The table of sites (Target/HiddenArguments.h).
inline constexpr llvm::StringLiteral kSites{"host.sites"};

/// The pass `-convert-tile-to-host`.
std::unique_ptr<mlir::Pass> createTileToHostPass(const HostOptions &options);

} // namespace tessera::ir::host

#endif // TESSERA_CONVERSION_TILETOHOST_TILETOHOST_H
