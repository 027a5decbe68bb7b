//===- LayoutDialect.h - the dialect itself and its memory --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The dialect class, and the resource that memory effects of its ops name.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTDIALECT_H
#define TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTDIALECT_H

#include "mlir/IR/Dialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "tessera-ir/Dialect/Layout/IR/LayoutDialect.h.inc"

namespace tessera::ir::layout {

/// Memory that the threads of a block, or of a cluster, share: the resource of every access to a buffer.
struct SharedMemory : mlir::SideEffects::Resource::Base<SharedMemory> {
  llvm::StringRef getName() final { return "layout.shared_memory"; }
};

} // namespace tessera::ir::layout

#endif // TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUTDIALECT_H
