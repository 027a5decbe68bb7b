//===- Constants.cpp - constants seen by folders ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Dialect/Tile/IR/Constants.h"

#include "mlir/IR/Matchers.h"

namespace tessera::ir::tile {

Attribute uniformElement(Attribute constant) {
  if (isa_and_nonnull<IntegerAttr, FloatAttr>(constant))
    return constant;
  auto elements = dyn_cast_if_present<DenseElementsAttr>(constant);
  if (!elements || !elements.isSplat() || !isa<IntegerType, FloatType>(elements.getElementType()))
    return {};
  return elements.getSplatValue<Attribute>();
}

std::optional<APInt> uniformInt(Attribute constant) {
  auto element = dyn_cast_if_present<IntegerAttr>(uniformElement(constant));
  return element ? std::optional(element.getValue()) : std::nullopt;
}

std::optional<APFloat> uniformFloat(Attribute constant) {
  auto element = dyn_cast_if_present<FloatAttr>(uniformElement(constant));
  return element ? std::optional(element.getValue()) : std::nullopt;
}

Attribute splatConstant(Type type, Attribute element) {
  auto typed = dyn_cast_if_present<TypedAttr>(element);
  if (!typed || !isa<IntegerAttr, FloatAttr>(element) || typed.getType() != elementOf(type))
    return {};
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? DenseElementsAttr::get(tensor, element) : element;
}

Attribute splatConstant(Type type, const APInt &element) {
  auto integer = dyn_cast<IntegerType>(elementOf(type));
  if (!integer || integer.getWidth() != element.getBitWidth())
    return {};
  return splatConstant(type, IntegerAttr::get(integer, element));
}

Attribute splatConstant(Type type, const APFloat &element) {
  auto real = dyn_cast<FloatType>(elementOf(type));
  if (!real || &real.getFloatSemantics() != &element.getSemantics())
    return {};
  return splatConstant(type, FloatAttr::get(real, element));
}

Attribute zeroConstant(Type type) {
  const Type element = elementOf(type);
  if (auto integer = dyn_cast<IntegerType>(element))
    return splatConstant(type, APInt::getZero(integer.getWidth()));
  if (auto real = dyn_cast<FloatType>(element))
    return splatConstant(type, APFloat::getZero(real.getFloatSemantics()));
  return {};
}

Attribute reshapedConstant(Type type, Attribute constant) {
  if (Attribute element = uniformElement(constant))
    return splatConstant(type, element);
  auto elements = dyn_cast_if_present<DenseElementsAttr>(constant);
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!elements || !tensor || elements.getNumElements() != tensor.getNumElements())
    return {};
  return elements.reshape(tensor);
}

bool isZero(Attribute constant) {
  if (std::optional<APInt> integer = uniformInt(constant))
    return integer->isZero();
  std::optional<APFloat> real = uniformFloat(constant);
  return real && real->isPosZero();
}

bool isAllTrue(Attribute mask) {
  std::optional<APInt> element = uniformInt(mask);
  return element && element->isAllOnes();
}

bool isAllFalse(Attribute mask) {
  std::optional<APInt> element = uniformInt(mask);
  return element && element->isZero();
}

Attribute constantOf(Value value) {
  Attribute constant;
  if (value)
    mlir::matchPattern(value, mlir::m_Constant(&constant));
  return constant;
}

} // namespace tessera::ir::tile
