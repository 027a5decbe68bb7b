//===- Prepare.cpp - what a kernel must say of itself ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Border.h"
#include "Target/AMD/Codegen.h"
#include "Target/Gpu/EmitCode.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Metadata.h"
#include "llvm/MC/MCSubtargetInfo.h"

#include <fmt/format.h>

namespace tessera::ir::amd {

/// The version of the code object's format.
static constexpr std::uint32_t kCodeObjectVersion = 500;
/// Alignment of a program's shared memory: that of the widest access.
static constexpr std::uint64_t kSharedAlign = 16;

static void prepareKernel(llvm::Function &kernel, const llvm::TargetMachine &machine, const LaunchShape &shape) {
  llvm::LLVMContext &context = kernel.getContext();
  kernel.setCallingConv(llvm::CallingConv::AMDGPU_KERNEL);
  kernel.setLinkage(llvm::GlobalValue::ExternalLinkage);
  kernel.setVisibility(llvm::GlobalValue::ProtectedVisibility);
  kernel.addFnAttr("amdgpu-flat-work-group-size", fmt::format("{0},{0}", shape.threads));
  kernel.addFnAttr("uniform-work-group-size", "true");
  if (shape.maxRegisters > 0) {
    // Where accumulators come from the same registers LLVM takes this for half of them, and we want none.
    const bool areShared = machine.getMCSubtargetInfo()->checkFeatures("+gfx90a-insts");
    kernel.addFnAttr("amdgpu-num-vgpr", fmt::format("{}", areShared ? shape.maxRegisters / 2 : shape.maxRegisters));
    kernel.addFnAttr("amdgpu-agpr-alloc", "0");
  }
  if (shape.wavesPerUnit > 0)
    kernel.addFnAttr("amdgpu-waves-per-eu", fmt::format("{}", shape.wavesPerUnit));
  llvm::Type *const word = llvm::Type::getInt32Ty(context);
  llvm::Metadata *const one = llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(word, 1));
  llvm::Metadata *const threads = llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(word, shape.threads));
  kernel.setMetadata("reqd_work_group_size", llvm::MDNode::get(context, {threads, one, one}));
}

static llvm::Error prepareShared(llvm::GlobalVariable &shared, std::uint32_t bytes) {
  if (shared.getAddressSpace() != border::kSharedSpace || !shared.isDeclaration())
    return llvm::createStringError("`tessera.shared` is no external array of shared memory");
  auto *type = llvm::ArrayType::get(llvm::Type::getInt8Ty(shared.getContext()), bytes);
  auto *array = new llvm::GlobalVariable(*shared.getParent(), type, /*isConstant=*/false,
                                         llvm::GlobalValue::InternalLinkage, llvm::PoisonValue::get(type), "", &shared,
                                         llvm::GlobalValue::NotThreadLocal, border::kSharedSpace);
  array->setAlignment(llvm::Align(kSharedAlign));
  shared.replaceAllUsesWith(array);
  array->takeName(&shared);
  shared.eraseFromParent();
  return llvm::Error::success();
}

llvm::Error prepareModule(llvm::Module &module, const llvm::TargetMachine &machine, const LaunchShape &shape) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  module.addModuleFlag(llvm::Module::Error, "amdhsa_code_object_version", kCodeObjectVersion);
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
    // Maxima and minima drop every NaN then, and need no instruction before them that tells signaling ones.
    function.addFnAttr("amdgpu-ieee", "false");
    if (&function == entry) {
      prepareKernel(function, machine, shape);
    } else {
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
      function.addFnAttr(llvm::Attribute::AlwaysInline);
    }
  }
  if (llvm::GlobalVariable *shared = module.getNamedGlobal(border::kSharedArray))
    return prepareShared(*shared, shape.sharedBytes);
  return llvm::Error::success();
}

void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  gpu::runPasses(module, machine,
                 "always-inline,function(early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,"
                 "loop-mssa(licm),instcombine<no-verify-fixpoint>,early-cse,dce,"
                 "loop-simplify,lcssa,loop(loop-rotate),simplifycfg)");
}

void dropUnusedInputs(llvm::Function &kernel) {
  struct Input {
    llvm::Intrinsic::ID id;
    const char *attribute;
  };
  static constexpr Input kInputs[] = {
      {llvm::Intrinsic::amdgcn_dispatch_id, "amdgpu-no-dispatch-id"},
      {llvm::Intrinsic::amdgcn_dispatch_ptr, "amdgpu-no-dispatch-ptr"},
      {llvm::Intrinsic::amdgcn_implicitarg_ptr, "amdgpu-no-implicitarg-ptr"},
      {llvm::Intrinsic::amdgcn_lds_kernel_id, "amdgpu-no-lds-kernel-id"},
      {llvm::Intrinsic::amdgcn_queue_ptr, "amdgpu-no-queue-ptr"},
      {llvm::Intrinsic::amdgcn_workgroup_id_y, "amdgpu-no-workgroup-id-y"},
      {llvm::Intrinsic::amdgcn_workgroup_id_z, "amdgpu-no-workgroup-id-z"},
      {llvm::Intrinsic::amdgcn_workitem_id_y, "amdgpu-no-workitem-id-y"},
      {llvm::Intrinsic::amdgcn_workitem_id_z, "amdgpu-no-workitem-id-z"},
  };
  for (const Input &input : kInputs) {
    const llvm::Function *read = llvm::Intrinsic::getDeclarationIfExists(kernel.getParent(), input.id);
    if (!read || read->use_empty())
      kernel.addFnAttr(input.attribute);
  }
  // Nothing here calls the host, allocates, starts kernels or meets other grids.
  for (const char *attribute : {"amdgpu-no-completion-action", "amdgpu-no-default-queue", "amdgpu-no-flat-scratch-init",
                                "amdgpu-no-heap-ptr", "amdgpu-no-hostcall-ptr", "amdgpu-no-multigrid-sync-arg"})
    kernel.addFnAttr(attribute);
}

} // namespace tessera::ir::amd
