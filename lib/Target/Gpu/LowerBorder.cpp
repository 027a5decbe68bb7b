//===- LowerBorder.cpp - the walk over calls of the border ----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Gpu/LowerBorder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"

namespace tessera::ir::gpu {

llvm::Error lowerCalls(llvm::Module &module, const arch::Chip &chip,
                       llvm::function_ref<MaybeLowered(const BorderCall &)> lower) {
  for (llvm::Function &function : llvm::make_early_inc_range(module)) {
    if (!function.isDeclaration() || !function.getName().starts_with(border::kPrefix))
      continue;
    const std::string name = function.getName().str();
    const std::optional<border::Callee> callee = border::parse(name);
    if (!callee)
      return llvm::createStringError("`%s` is no function of the border", name.c_str());
    for (llvm::User *user : llvm::make_early_inc_range(function.users())) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(user);
      if (!call || call->getCalledFunction() != &function)
        return llvm::createStringError("`%s` is used as a value", name.c_str());
      llvm::IRBuilder<> builder(call);
      MaybeLowered value = lower({*call, *callee, chip, builder});
      if (!value)
        continue;
      if (!*value)
        return llvm::createStringError("`" + name + "`: " + llvm::toString(value->takeError()));
      if (**value)
        call->replaceAllUsesWith(**value);
      call->eraseFromParent();
    }
    if (function.use_empty())
      function.eraseFromParent();
  }
  return llvm::Error::success();
}

bool isTrue(const llvm::Value *mask) {
  const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(mask);
  return constant && constant->isOne();
}

bool isFalse(const llvm::Value *mask) {
  const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(mask);
  return constant && constant->isZero();
}

border::Hints hintsOf(const llvm::Value *operand) {
  const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(operand);
  return border::Hints::decode(constant ? static_cast<std::uint32_t>(constant->getZExtValue()) : 0);
}

} // namespace tessera::ir::gpu
