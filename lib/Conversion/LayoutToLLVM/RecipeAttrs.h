//===- RecipeAttrs.h - recipes for the launcher on a function --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Expressions over the kernel's arguments, and descriptors made of them, as attributes: an expression is the list of
// its steps, a code and an operand each. There arguments are the signed numbers that they are in IR; what users wrote
// as unsigned and narrow becomes that when it is read back.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_LAYOUTTOLLVM_RECIPEATTRS_H
#define TESSERA_CONVERSION_LAYOUTTOLLVM_RECIPEATTRS_H

#include "IRSupport/LLVM.h"
#include "Runtime/Image.h"

#include "mlir/IR/Builders.h"

#include <optional>

namespace tessera::ir::gpu {

mlir::DenseI64ArrayAttr attributeOf(Builder &b, const rt::Expr &expr);
DictionaryAttr attributeOf(Builder &b, const rt::TensorMapRecipe &recipe);

/// What attributeOf() wrote, for arguments of types \p dtypes; nothing for anything else.
std::optional<rt::Expr> exprOf(Attribute attribute, ArrayRef<DType> dtypes);
std::optional<rt::TensorMapRecipe> recipeOf(Attribute attribute, ArrayRef<DType> dtypes);

} // namespace tessera::ir::gpu

#endif // TESSERA_CONVERSION_LAYOUTTOLLVM_RECIPEATTRS_H
