//===- LowerBorder.h - the walk over calls of the border -------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Back ends replace calls of the functions of Conversion/LayoutToLLVM/Border.h one by one; this is what they share of
// it.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_GPU_LOWERBORDER_H
#define TESSERA_TARGET_GPU_LOWERBORDER_H

#include "Arch/Chip.h"
#include "Conversion/LayoutToLLVM/Border.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <optional>

namespace tessera::ir::gpu {

/// One call of the border on its way to instructions. The builder stands before it.
struct BorderCall {
  llvm::CallInst &call;
  const border::Callee &callee;
  const arch::Chip &chip;
  llvm::IRBuilderBase &b;

  const llvm::DataLayout &layout() const { return call.getDataLayout(); }
  llvm::Value *operand(unsigned number) const { return call.getArgOperand(number); }
};

/// What takes the place of the call's result; null for a call without. The error says what the chip lacks.
using Lowered = llvm::Expected<llvm::Value *>;
/// The same, or nothing for a call that stays.
using MaybeLowered = std::optional<Lowered>;

/// Replaces every call of the border's functions in \p module by what \p lower gives for it. \p lower may split the
/// call's block. An error names the function.
llvm::Error lowerCalls(llvm::Module &module, const arch::Chip &chip,
                       llvm::function_ref<MaybeLowered(const BorderCall &)> lower);

/// Whether a mask is known.
bool isTrue(const llvm::Value *mask);
bool isFalse(const llvm::Value *mask);
/// The hints of an access.
border::Hints hintsOf(const llvm::Value *operand);

} // namespace tessera::ir::gpu

#endif // TESSERA_TARGET_GPU_LOWERBORDER_H
