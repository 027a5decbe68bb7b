//===- AsyncDot.cpp - products beside the program ------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// All of them are the vendor's.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Emitter.h"
#include "Conversion/LayoutToLLVM/Lanes/Families.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"

namespace tessera::ir::gpu {

static void emitDot(Operation &op, Emitter &e) { e.hooks().startProduct(e, cast<layout::AsyncDotOp>(op)); }
static void emitCommit(Operation &op, Emitter &e) { e.hooks().commitProducts(e, cast<layout::AsyncDotCommitOp>(op)); }
static void emitWait(Operation &op, Emitter &e) { e.hooks().waitForProducts(e, cast<layout::AsyncDotWaitOp>(op)); }

void registerAsyncDotOps(OpTable &table) {
  table.add<layout::AsyncDotOp>(emitDot);
  table.add<layout::AsyncDotCommitOp>(emitCommit);
  table.add<layout::AsyncDotWaitOp>(emitWait);
}

} // namespace tessera::ir::gpu
