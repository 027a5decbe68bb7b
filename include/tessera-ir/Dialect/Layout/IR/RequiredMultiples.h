//===- RequiredMultiples.h - arguments that a kernel is for ----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A kernel may be made for some arguments only: integers, and addresses, that are multiples of powers of two. The
// launcher takes another variant of the kernel for the others.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_LAYOUT_IR_REQUIREDMULTIPLES_H
#define TESSERA_IR_DIALECT_LAYOUT_IR_REQUIREDMULTIPLES_H

#include "llvm/ADT/StringRef.h"

namespace tessera::ir::layout {

/// On `tile.kernel`, an array of i64: what must divide each parameter, 1 for any.
inline constexpr llvm::StringLiteral kRequiredMultiples{"layout.required_multiples"};

} // namespace tessera::ir::layout

#endif // TESSERA_IR_DIALECT_LAYOUT_IR_REQUIREDMULTIPLES_H
