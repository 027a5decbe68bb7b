//===- Optimize.cpp - LLVM's share in making code fast --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Border.h"
#include "Target/Gpu/EmitCode.h"
#include "Target/NVIDIA/Codegen.h"
#include "Target/NVIDIA/Crowding.h"

#include <fmt/format.h>

namespace tessera::ir::nvidia {

/// Alignment of a block's shared memory: swizzles of 128 bytes repeat every 1024.
static constexpr std::uint64_t kSharedAlign = 1024;
/// Its name in PTX, where names have no dots.
static constexpr const char *kSharedName = "tessera_shared";

static void prepareKernel(llvm::Function &kernel, const LaunchShape &shape) {
  kernel.setCallingConv(llvm::CallingConv::PTX_Kernel);
  kernel.setLinkage(llvm::GlobalValue::ExternalLinkage);
  kernel.setVisibility(llvm::GlobalValue::DefaultVisibility);
  kernel.addFnAttr("nvvm.reqntid", fmt::format("{},1,1", shape.threads));
  if (shape.cluster > 1)
    kernel.addFnAttr("nvvm.cluster_dim", fmt::format("{},1,1", shape.cluster));
  // Descriptors are used where the launch puts them; their copies have other addresses, which instructions refuse.
  for (llvm::Argument &argument : kernel.args())
    if (argument.hasByValAttr())
      argument.addAttr(llvm::Attribute::get(kernel.getContext(), "nvvm.grid_constant"));
  // With a number of programs that must fit, the assembler knows the registers there are, which setmaxnreg needs.
  if (shape.maxRegisters > 0)
    kernel.addFnAttr("nvvm.maxnreg", fmt::format("{}", shape.maxRegisters));
  else
    kernel.addFnAttr("nvvm.minctasm", "1");
}

/// The array must have no size: ptxas takes one with a size for memory of the kernel's own, beside that of the launch.
static llvm::Error prepareShared(llvm::GlobalVariable &shared) {
  if (shared.getAddressSpace() != border::kSharedSpace || !shared.isDeclaration())
    return llvm::createStringError("`tessera.shared` is no external array of shared memory");
  auto *type = llvm::ArrayType::get(llvm::Type::getInt8Ty(shared.getContext()), 0);
  auto *array = new llvm::GlobalVariable(*shared.getParent(), type, /*isConstant=*/false, shared.getLinkage(),
                                         /*Initializer=*/nullptr, kSharedName, &shared,
                                         llvm::GlobalValue::NotThreadLocal, border::kSharedSpace);
  array->setAlignment(llvm::Align(kSharedAlign));
  shared.replaceAllUsesWith(array);
  shared.eraseFromParent();
  return llvm::Error::success();
}

llvm::Error prepareModule(llvm::Module &module, const llvm::TargetMachine &machine, const LaunchShape &shape) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  llvm::Function *entry = module.getFunction(shape.entry);
  if (!entry || entry->isDeclaration())
    return llvm::createStringError("no function `%s` is left", shape.entry.c_str());
  if (shape.threads == 0)
    return llvm::createStringError("the kernel does not say how many threads run it");
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("no-builtins");
    function.addFnAttr(llvm::Attribute::NoUnwind);
    function.addFnAttr(llvm::Attribute::Convergent);
    if (&function == entry) {
      prepareKernel(function, shape);
    } else {
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
      function.addFnAttr(llvm::Attribute::AlwaysInline);
    }
  }
  if (llvm::GlobalVariable *shared = module.getNamedGlobal(border::kSharedArray))
    return prepareShared(*shared);
  return llvm::Error::success();
}

void optimize(llvm::Module &module, llvm::TargetMachine &machine, const arch::Chip &chip) {
  gpu::runPasses(module, machine,
                 "always-inline,function(early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,"
                 "loop-mssa(licm),instcombine<no-verify-fixpoint>,"
                 "separate-const-offset-from-gep<lower-gep>,early-cse,dce)");
  for (llvm::Function &function : module)
    if (!function.isDeclaration()) {
      const std::int64_t blocks = computeAgain(function, chip);
      if (blocks == 0)
        widenAgain(function);
      askForBlocks(function, chip, blocks);
    }
}

} // namespace tessera::ir::nvidia
