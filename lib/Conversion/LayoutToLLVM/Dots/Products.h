//===- Products.h - the forms of products after layouts --------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Each form has a file in this folder. A function replaces a product by its form and erases it.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_LAYOUTTOLLVM_DOTS_PRODUCTS_H
#define TESSERA_CONVERSION_LAYOUTTOLLVM_DOTS_PRODUCTS_H

#include "Conversion/Common/MatrixUnit.h"
#include "Layout/OperandBuffer.h"

namespace tessera::ir::gpu {

class OperandStores;

/// Groups of warps multiply on \p unit.
void useGroups(tile::DotOp dot, const MatrixUnit &unit, OperandStores &stores);
/// Each warp multiplies on \p unit, from buffers that serve \p use.
void useWarps(tile::DotOp dot, const MatrixUnit &unit, ::tessera::layout::BufferUse use, OperandStores &stores);
/// Every thread multiplies by itself.
void useThreads(tile::DotOp dot, OperandStores &stores);

} // namespace tessera::ir::gpu

#endif // TESSERA_CONVERSION_LAYOUTTOLLVM_DOTS_PRODUCTS_H
