//===- Compile.cpp - code at the border to PTX and cubins -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Target/NVIDIA/Compile.h"

#include "Support/Files.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <filesystem>

namespace tessera::test {

using namespace ir::nvidia;

std::vector<const arch::Chip *> nvidiaChips() {
  std::vector<const arch::Chip *> chips;
  for (const arch::Chip &chip : arch::chips())
    if (chip.family == "cuda")
      chips.push_back(&chip);
  return chips;
}

const arch::Chip &nvidiaChip(std::string_view name) { return arch::chipOf(Target("cuda:" + std::string(name))); }

static llvm::Expected<std::string> compile(const std::string &text, const arch::Chip &chip, LaunchShape shape) {
  if (shape.entry.empty())
    shape.entry = "k";
  if (shape.threads == 0)
    shape.threads = 128;
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
  optimize(*module, *machine, chip);
  std::string broken;
  llvm::raw_string_ostream stream(broken);
  if (llvm::verifyModule(*module, &stream))
    return llvm::createStringError(broken);
  if (llvm::Error error = lowerBorder(*module, chip))
    return error;
  return emitPtx(*module, *machine);
}

std::string ptxOf(const std::string &text, const arch::Chip &chip, LaunchShape shape) {
  llvm::Expected<std::string> ptx = compile(text, chip, std::move(shape));
  if (ptx)
    return *ptx;
  std::string words = llvm::toString(ptx.takeError());
  ADD_FAILURE() << chip.name << ": " << words;
  return words;
}

std::string ptxErrorOf(const std::string &text, const arch::Chip &chip, LaunchShape shape) {
  llvm::Expected<std::string> ptx = compile(text, chip, std::move(shape));
  if (!ptx)
    return llvm::toString(ptx.takeError());
  ADD_FAILURE() << "there is PTX:\n" << *ptx;
  return {};
}

const Assembler *ptxas() {
  const Assembler &assembler = chooseAssembler();
  return assembler.kind == Assembler::Kind::Ptxas && assembler.problem.empty() ? &assembler : nullptr;
}

CubinFacts assembled(const std::string &ptx, const arch::Chip &chip, std::vector<std::byte> *cubin) {
  llvm::Expected<Assembled> result = assemble(*ptxas(), ptx, chip, /*lineInfo=*/false);
  if (!result) {
    ADD_FAILURE() << chip.name << ": " << llvm::toString(result.takeError()) << '\n' << ptx;
    return {};
  }
  for (const std::string &warning : result->warnings)
    ADD_FAILURE() << chip.name << ": " << warning << '\n' << ptx;
  llvm::Expected<CubinFacts> facts = readCubin(result->code, "k");
  if (!facts) {
    ADD_FAILURE() << chip.name << ": " << llvm::toString(facts.takeError());
    return {};
  }
  if (cubin)
    *cubin = result->code;
  return *facts;
}

FakePtxas::FakePtxas(const std::string &script) {
  EXPECT_EQ(support::writeFile(folder.path(), "ptxas", "#!/bin/sh\n" + script), "");
  std::filesystem::permissions(folder.file("ptxas"), std::filesystem::perms::owner_all);
}

void expectNoStackNorFlat(const CubinFacts &facts) {
  EXPECT_EQ(facts.stackBytes, 0u);
  EXPECT_EQ(facts.localLoads.count() + facts.localStores.count(), 0u);
  EXPECT_EQ(facts.flatLoads.count() + facts.flatStores.count(), 0u);
}

} // namespace tessera::test
