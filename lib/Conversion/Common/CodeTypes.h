//===- CodeTypes.h - elements in code and in memory ------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What emitters of code make of the dialect's types.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_COMMON_CODETYPES_H
#define TESSERA_CONVERSION_COMMON_CODETYPES_H

#include "IRSupport/LLVM.h"

#include <string>

namespace tessera::ir {

/// The form in code of an element type of the dialect: f32, f64 and integers are themselves, narrower floats integers
/// of their width, pointers i64.
Type laneElement(Type element);
/// The form in memory: that in code, but i1 is a byte.
Type storedType(Type element);
/// Bytes of it.
unsigned storedBytes(Type element);
/// An element of a constant of type \p element in its form in code.
TypedAttr laneConstant(Attribute value, Type element);
/// Text of a type for messages.
std::string typeText(Type type);

/// A view's scalars, i64 each.
struct ViewParts {
  Value base; ///< an address
  SmallVector<Value, 5> extents, strides;
};

} // namespace tessera::ir

#endif // TESSERA_CONVERSION_COMMON_CODETYPES_H
