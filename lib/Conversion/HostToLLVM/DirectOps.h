//===- DirectOps.h - ops that have a twin in the llvm dialect --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_HOSTTOLLVM_DIRECTOPS_H
#define TESSERA_CONVERSION_HOSTTOLLVM_DIRECTOPS_H

#include "IRSupport/LLVM.h"

namespace tessera::ir::host {

/// Replaces the ops below \p root, on numbers and vectors of one dimension, that one op of the llvm dialect (or one for
/// each element) does with the same types. Most are of this kind, and no framework is needed for them.
void convertDirectOps(Operation *root);

} // namespace tessera::ir::host

#endif // TESSERA_CONVERSION_HOSTTOLLVM_DIRECTOPS_H
