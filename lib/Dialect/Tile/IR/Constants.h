//===- Constants.h - constants seen by folders -------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Folders work on scalars and on tiles whose elements are all one value; other constant tiles are only reshaped.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_TILE_IR_CONSTANTS_H
#define TESSERA_DIALECT_TILE_IR_CONSTANTS_H

#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

namespace tessera::ir::tile {

/// The one element of a constant: the attribute of a scalar, or of all elements of a tile; null for anything else.
Attribute uniformElement(Attribute constant);
/// The same as an integer or a float.
std::optional<APInt> uniformInt(Attribute constant);
std::optional<APFloat> uniformFloat(Attribute constant);

/// The constant of \p type, a scalar or tile, whose elements are all \p element; null if \p element is null.
Attribute splatConstant(Type type, Attribute element);
Attribute splatConstant(Type type, const APInt &element);
Attribute splatConstant(Type type, const APFloat &element);
/// All zeros (+0 for floats); null for pointers, which have no constants.
Attribute zeroConstant(Type type);

/// \p constant under the shape of \p type, which has as many elements; null if it is no constant tile.
Attribute reshapedConstant(Type type, Attribute constant);

/// Whether \p value is a constant whose elements are all zero (+0 for floats).
bool isZero(Attribute constant);
/// Whether \p mask is a constant of which every lane is true, or every lane false.
bool isAllTrue(Attribute mask);
bool isAllFalse(Attribute mask);

/// The constant that defines \p value; null if there is none.
Attribute constantOf(Value value);

} // namespace tessera::ir::tile

#endif // TESSERA_DIALECT_TILE_IR_CONSTANTS_H
