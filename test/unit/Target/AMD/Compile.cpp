//===- Compile.cpp - code at the border to code objects -------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Target/AMD/Compile.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

namespace tessera::test {

using namespace ir::amd;

std::vector<const arch::Chip *> amdChips() {
  std::vector<const arch::Chip *> chips;
  for (const arch::Chip &chip : arch::chips())
    if (chip.family == "hip")
      chips.push_back(&chip);
  return chips;
}

const arch::Chip &amdChip(std::string_view name) { return arch::chipOf(Target("hip:" + std::string(name))); }

static llvm::Error verify(const llvm::Module &module) {
  std::string broken;
  llvm::raw_string_ostream stream(broken);
  return llvm::verifyModule(module, &stream) ? llvm::createStringError(broken) : llvm::Error::success();
}

llvm::Expected<AmdCode> compileForAmd(const std::string &text, const arch::Chip &chip, LaunchShape shape) {
  if (shape.entry.empty())
    shape.entry = "k";
  if (shape.threads == 0)
    shape.threads = 128;
  if (shape.sharedBytes == 0)
    shape.sharedBytes = 4096;
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  const std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, diagnostic, context);
  if (!module)
    return llvm::createStringError(diagnostic.getMessage());
  std::string problem;
  const std::unique_ptr<llvm::TargetMachine> machine = makeTargetMachine(chip, problem);
  if (!machine)
    return llvm::createStringError(problem);
  if (llvm::Error error = prepareModule(*module, *machine, shape))
    return error;
  if (llvm::Error error = lowerIds(*module, chip, shape.threads))
    return error;
  optimize(*module, *machine);
  carryVectors(*module->getFunction(shape.entry));
  if (llvm::Error error = lowerBorder(*module, chip, *machine))
    return error;
  if (llvm::Error error = verify(*module))
    return error;
  dropUnusedInputs(*module->getFunction(shape.entry));
  AmdCode code;
  llvm::Expected<std::string> assembly = assemblyText(*module, *machine);
  if (!assembly)
    return assembly.takeError();
  code.assembly = std::move(*assembly);
  llvm::SmallString<0> object;
  if (llvm::Error error = makeCodeObject(*module, *machine, object))
    return error;
  const auto *const bytes = reinterpret_cast<const std::byte *>(object.data());
  code.object.assign(bytes, bytes + object.size());
  return code;
}

std::string amdAsmOf(const std::string &text, const arch::Chip &chip, LaunchShape shape) {
  llvm::Expected<AmdCode> code = compileForAmd(text, chip, std::move(shape));
  if (code)
    return code->assembly;
  std::string words = llvm::toString(code.takeError());
  ADD_FAILURE() << chip.name << ": " << words;
  return words;
}

std::string amdErrorOf(const std::string &text, const arch::Chip &chip, LaunchShape shape) {
  llvm::Expected<AmdCode> code = compileForAmd(text, chip, std::move(shape));
  if (!code)
    return llvm::toString(code.takeError());
  ADD_FAILURE() << "there is code:\n" << code->assembly;
  return {};
}

CodeObjectFacts amdFactsOf(const std::string &text, const arch::Chip &chip, LaunchShape shape) {
  llvm::Expected<AmdCode> code = compileForAmd(text, chip, std::move(shape));
  if (!code) {
    ADD_FAILURE() << chip.name << ": " << llvm::toString(code.takeError());
    return {};
  }
  llvm::Expected<CodeObjectFacts> facts = readCodeObject(code->object, "k");
  if (facts)
    return *facts;
  ADD_FAILURE() << chip.name << ": " << llvm::toString(facts.takeError());
  return {};
}

int countOf(const std::string &text, std::string_view word) {
  int found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + word.size()))
    ++found;
  return found;
}

} // namespace tessera::test
