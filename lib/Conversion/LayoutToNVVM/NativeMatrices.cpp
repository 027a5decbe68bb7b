//===- NativeMatrices.cpp - small matrices in shared memory ---------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Emitter.h"
#include "Conversion/LayoutToNVVM/NvidiaHooks.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tessera::ir::gpu {

namespace vector = mlir::vector;

void NvidiaHooks::storeMatrices(Emitter &e, Value row, ArrayRef<Value> words, bool isTransposed) const {
  const std::string name =
      ("stmatrix.sync.aligned.m8n8.x" + Twine(words.size()) + (isTransposed ? ".trans" : "") + ".shared.b16").str();
  const auto type = mlir::VectorType::get({static_cast<std::int64_t>(words.size())}, e.builder().getI32Type());
  const Value group = vector::FromElementsOp::create(e.builder(), e.loc(), type, SmallVector<Value>(words));
  e.border().native("nv", name, Type(), {row, group}, {.memory = border::Memory::Any, .isConvergent = true});
}

} // namespace tessera::ir::gpu
