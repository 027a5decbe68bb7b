//===- UnitElements.h - what matrix units multiply -------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_LAYOUTTONVVM_UNITELEMENTS_H
#define TESSERA_CONVERSION_LAYOUTTONVVM_UNITELEMENTS_H

#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Tile/IR/TileOps.h"

namespace tessera::ir::gpu {

/// Whether \p element is one of the two fp8 types of OCP, and its name in instructions.
bool isOcpFp8(Type element);
StringRef nameOfFp8(Type element);

/// What operands of type \p element, of a product whose left one has elements of type \p left, are converted to: fp8
/// that the unit lacks is multiplied as f16, which holds it exactly; so is what it sums too coarsely, where how many
/// sums may be imprecise \p isBounded. \p multipliesFp8 says whether it takes fp8 of OCP.
Type unitElement(bool multipliesFp8, Type left, bool isBounded, Type element);

} // namespace tessera::ir::gpu

#endif // TESSERA_CONVERSION_LAYOUTTONVVM_UNITELEMENTS_H
