//===- KernelShape.cpp - threads of a kernel -------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "tessera-ir/Dialect/Layout/IR/KernelShape.h"

#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Layout/IR/LayoutDialect.h"

namespace tessera::ir::layout {

static std::optional<int64_t> numberOf(tile::KernelOp kernel, StringRef name) {
  auto number = kernel->getAttrOfType<IntegerAttr>(name);
  return number ? std::optional(number.getInt()) : std::nullopt;
}

static void setNumber(tile::KernelOp kernel, StringRef name, int64_t number) {
  kernel->setAttr(name, IntegerAttr::get(IntegerType::get(kernel.getContext(), 64), number));
}

std::optional<KernelShape> kernelShapeOf(tile::KernelOp kernel) {
  const std::optional<int64_t> numWarps = numberOf(kernel, LayoutDialect::kNumWarps);
  const std::optional<int64_t> warpSize = numberOf(kernel, LayoutDialect::kWarpSize);
  if (!numWarps || !warpSize)
    return std::nullopt;
  return KernelShape{*numWarps, *warpSize, numberOf(kernel, LayoutDialect::kNumBlocks).value_or(1),
                     numberOf(kernel, LayoutDialect::kProgramsPerBlock).value_or(1)};
}

void setKernelShape(tile::KernelOp kernel, const KernelShape &shape) {
  setNumber(kernel, LayoutDialect::kNumWarps, shape.numWarps);
  setNumber(kernel, LayoutDialect::kWarpSize, shape.warpSize);
  setNumber(kernel, LayoutDialect::kNumBlocks, shape.numBlocks);
  setNumber(kernel, LayoutDialect::kProgramsPerBlock, shape.programsPerBlock);
}

std::optional<int64_t> sharedBytesOf(tile::KernelOp kernel) { return numberOf(kernel, LayoutDialect::kSharedBytes); }

void setSharedBytes(tile::KernelOp kernel, int64_t bytes) { setNumber(kernel, LayoutDialect::kSharedBytes, bytes); }

} // namespace tessera::ir::layout
