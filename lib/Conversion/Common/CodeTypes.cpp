//===- CodeTypes.cpp - elements in code and in memory ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/Common/CodeTypes.h"

#include "tessera-ir/Dialect/Tile/IR/TileTypes.h"

#include <algorithm>

namespace tessera::ir {

Type laneElement(Type element) {
  if (isa<tile::PtrType>(element))
    return IntegerType::get(element.getContext(), 64);
  if (isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32)
    return IntegerType::get(element.getContext(), element.getIntOrFloatBitWidth());
  return element;
}

Type storedType(Type element) {
  return element.isInteger(1) ? Type(IntegerType::get(element.getContext(), 8)) : laneElement(element);
}

unsigned storedBytes(Type element) { return std::max(tile::bitsOf(element) / 8, 1u); }

TypedAttr laneConstant(Attribute value, Type element) {
  if (auto number = dyn_cast<FloatAttr>(value); number && isa<IntegerType>(laneElement(element)))
    return IntegerAttr::get(laneElement(element), number.getValue().bitcastToAPInt());
  return cast<TypedAttr>(value);
}

std::string typeText(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

} // namespace tessera::ir
