//===- LayoutOps.cpp - the generated bodies of all ops ---------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "tessera-ir/Dialect/Layout/IR/LayoutOps.h"

#include "IRSupport/LLVM.h"

#define GET_OP_CLASSES
#include "tessera-ir/Dialect/Layout/IR/LayoutOps.cpp.inc"

namespace tessera::ir::layout {

void LayoutDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "tessera-ir/Dialect/Layout/IR/LayoutOps.cpp.inc"
      >();
}

} // namespace tessera::ir::layout
