//===- InlineAsmCode.h - a target's own instructions -----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Each run of `pack` elements is one evaluation of the text. Elements of four bytes and more have a register each;
// narrower ones share registers of four bytes, low elements in low bits.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_COMMON_INLINEASMCODE_H
#define TESSERA_CONVERSION_COMMON_INLINEASMCODE_H

#include "Conversion/Common/MathBuilder.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include <string>

namespace tessera::ir {

/// The body whose key is the longest start of \p target; null if none is.
DictionaryAttr asmBodyFor(tile::InlineAsmOp op, StringRef target);
/// Why a target that has no body refuses the op, for Emitter::refuse().
std::string whyNoAsmBody(tile::InlineAsmOp op, StringRef target);

/// One evaluation of \p body: a run of `pack` elements in code for each operand makes one for each result.
SmallVector<SmallVector<Value>> evaluateAsm(OpBuilder &b, Location loc, MathBuilder &m, tile::InlineAsmOp op,
                                            DictionaryAttr body, ArrayRef<SmallVector<Value>> runs);

} // namespace tessera::ir

#endif // TESSERA_CONVERSION_COMMON_INLINEASMCODE_H
