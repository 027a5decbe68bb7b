//===- TileToLayout.h - from tiles to tiles with layouts --------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_TILETOLAYOUT_TILETOLAYOUT_H
#define TESSERA_CONVERSION_TILETOLAYOUT_TILETOLAYOUT_H

#include "Conversion/Common/MatrixUnit.h"

#include "mlir/Pass/PassManager.h"

#include <cstdint>
#include <string>

namespace tessera::ir::layout {

/// What layouts are chosen for.
struct TileToLayoutOptions {
  std::string target;    ///< as text: "cuda:sm_90a"
  int64_t numWarps = 4;  ///< of a program; a power of two
  int64_t numBlocks = 1; ///< blocks of a cluster that compute a program, a power of two; 1 where chips have no clusters
  /// The kernel may have `layout.required_multiples`: where they do not hold, another variant runs.
  bool mayRequire = false;
};

/// Adds the passes that take a module from the tile stage, canonical, to one in which every tile has a layout. Products
/// are multiplied on the units that \p unitsOf gives for the chip; null: there are none.
void addTileToLayoutPasses(mlir::OpPassManager &pm, const TileToLayoutOptions &options, MatrixUnitsOf unitsOf);

/// Makes the passes known by their names, for chips with these units.
void registerTileToLayout(MatrixUnitsOf unitsOf);

} // namespace tessera::ir::layout

#endif // TESSERA_CONVERSION_TILETOLAYOUT_TILETOLAYOUT_H
