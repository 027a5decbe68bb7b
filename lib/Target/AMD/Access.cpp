//===- Access.cpp - accesses of the border --------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/AMD/Access.h"

namespace tessera::ir::amd {

/// The numbers of border::Hints that say: used once.
static constexpr unsigned kCacheStreaming = 3, kCacheVolatile = 4, kEvictFirst = 1;

static border::Hints hintsOf(const Access &access) {
  return access.isShared() || access.isCopy() ? border::Hints() : gpu::hintsOf(access.call->getArgOperand(3));
}

bool Access::isVolatile() const {
  return callee.function == border::Function::VolatileLoad || hintsOf(*this).cache == kCacheVolatile;
}

bool Access::isUsedOnce() const {
  const border::Hints hints = hintsOf(*this);
  return hints.cache == kCacheStreaming || (hints.cache == 0 && hints.evict == kEvictFirst);
}

void Access::replaceWith(llvm::Value *value) const {
  if (value)
    call->replaceAllUsesWith(value);
  call->eraseFromParent();
}

Access accessOf(llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function *const function = call ? call->getCalledFunction() : nullptr;
  if (!function || !function->getName().starts_with(border::kGpuPrefix))
    return {};
  std::optional<border::Callee> callee = border::parse(function->getName());
  if (!callee)
    return {};
  switch (callee->function) {
  case border::Function::Load:
  case border::Function::VolatileLoad:
  case border::Function::Store:
  case border::Function::SharedLoad:
  case border::Function::SharedStore:
  case border::Function::CopyToShared:
    return {call, std::move(*callee)};
  default:
    return {};
  }
}

} // namespace tessera::ir::amd
