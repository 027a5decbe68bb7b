//===- UnitElements.cpp - what matrix units multiply ----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToNVVM/UnitElements.h"

namespace tessera::ir::gpu {

bool isOcpFp8(Type element) { return isa<mlir::Float8E4M3FNType, mlir::Float8E5M2Type>(element); }

StringRef nameOfFp8(Type element) { return isa<mlir::Float8E4M3FNType>(element) ? "e4m3" : "e5m2"; }

Type unitElement(bool multipliesFp8, Type left, bool isBounded, Type element) {
  const bool isFp8 = isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 8;
  // A bound on imprecise sums is kept by sums of f32.
  const bool hasUnit = multipliesFp8 && isOcpFp8(left) && !isBounded;
  return isFp8 && !hasUnit ? Type(mlir::Float16Type::get(element.getContext())) : element;
}

} // namespace tessera::ir::gpu
