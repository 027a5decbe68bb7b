//===- TileContext.h - a context with the dialect, for its unit tests --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_DIALECT_TILE_TILECONTEXT_H
#define TESSERA_TEST_UNIT_DIALECT_TILE_TILECONTEXT_H

#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"
#include <gtest/gtest.h>

namespace tessera::ir::tile {

/// A module with one kernel, and a builder at the end of its body. Scalars are the kernel's parameters.
struct TileContext : testing::Test {
  TileContext() {
    context.loadDialect<TileDialect>();
    module = ModuleOp::create(loc);
    builder.setInsertionPointToEnd(module->getBody());
  }

  /// Starts the kernel; the result are its parameters.
  SmallVector<Value> begin(TypeRange parameters) {
    auto kernel = KernelOp::create(builder, loc, "k", parameters);
    builder.setInsertionPointToEnd(&kernel.getBody().front());
    return SmallVector<Value>(kernel.getBody().getArguments());
  }

  /// Ends the kernel and verifies the module.
  bool endIsValid() {
    ReturnOp::create(builder, loc);
    return succeeded(mlir::verify(*module));
  }

  Value constant(TypedAttr value) { return mlir::arith::ConstantOp::create(builder, loc, value); }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  OpBuilder builder{&context};
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module;
  Type i1 = builder.getI1Type(), i8 = builder.getI8Type(), i32 = builder.getI32Type(), i64 = builder.getI64Type();
  Type f16 = builder.getF16Type(), f32 = builder.getF32Type();
};

} // namespace tessera::ir::tile

#endif // TESSERA_TEST_UNIT_DIALECT_TILE_TILECONTEXT_H
