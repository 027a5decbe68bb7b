//===- Schedule.cpp - the order of instructions that fits into registers --===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// LLVM has several ways to order the instructions of a block. Its usual one hides the time that loads take, and may
// keep more values at once than there are registers where others do not: next to the sums of a product it starts the
// loads of all steps along k. Which way fits is only known from its code. Scalar registers do not matter here: they
// wait in vector registers, and other ways have costs of their own.
//
//===---------------------------------------------------------------------===//

#include "Target/AMD/CodeObject.h"
#include "Target/AMD/Codegen.h"

#include "llvm/Transforms/Utils/Cloning.h"

namespace tessera::ir::amd {

/// The attribute of a function that names the way.
static constexpr llvm::StringLiteral kWay = "amdgpu-sched-strategy";
/// The order of interleaveReads() in the usual way.
static constexpr llvm::StringLiteral kAsAsked = "as asked";
/// What is tried where that does not fit, in this order; the usual way alone first.
static constexpr llvm::StringLiteral kOthers[] = {"", "max-ilp", "iterative-maxocc", "max-memory-clause"};

/// Has LLVM order the instructions of \p kernel in its \p way instead of what was asked for.
static void orderBy(llvm::Function &kernel, llvm::StringRef way) {
  forgetOrder(kernel);
  if (!way.empty())
    kernel.addFnAttr(kWay, way);
}

static llvm::Expected<CodeObject> compileAs(const llvm::Module &module, llvm::TargetMachine &machine,
                                            llvm::StringRef entry, llvm::StringRef way) {
  const std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
  if (way != kAsAsked)
    orderBy(*copy->getFunction(entry), way);
  CodeObject object;
  if (llvm::Error error = makeCodeObject(*copy, machine, object.code))
    return std::move(error);
  if (llvm::Expected<CodeObjectFacts> facts = readCodeObject(object.bytes(), entry))
    object.facts = std::move(*facts);
  else
    object.defect = llvm::toString(facts.takeError());
  return object;
}

llvm::Expected<CodeObject> makeFittingCode(llvm::Module &module, llvm::TargetMachine &machine, llvm::StringRef entry) {
  llvm::Expected<CodeObject> best = compileAs(module, machine, entry, kAsAsked);
  if (!best)
    return best;
  llvm::StringRef bestWay = kAsAsked;
  for (const llvm::StringRef way : kOthers) {
    if (best->facts.spilledRegisters == 0)
      break;
    llvm::Expected<CodeObject> other = compileAs(module, machine, entry, way);
    if (!other) {
      llvm::consumeError(other.takeError()); // the usual way's code is there
      continue;
    }
    if (other->facts.spilledRegisters < best->facts.spilledRegisters) {
      best = std::move(other);
      bestWay = way;
    }
  }
  if (bestWay != kAsAsked)
    orderBy(*module.getFunction(entry), bestWay);
  return best;
}

} // namespace tessera::ir::amd
