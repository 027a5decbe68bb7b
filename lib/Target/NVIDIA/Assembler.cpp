//===- Assembler.cpp - from PTX to a cubin --------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/NVIDIA/Assembler.h"

#include "Support/Environment.h"
#include "Support/Files.h"
#include "Support/Subprocess.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstdlib>
#include <fmt/format.h>
#include <map>
#include <mutex>

namespace tessera::ir::nvidia {

using support::Variable;

/// A large kernel takes ptxas a few seconds; whatever takes minutes has gone wrong.
static constexpr std::chrono::minutes kLimit{5};

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

static Assembler choose(const std::string &wanted) {
  Assembler result;
  if (wanted == "driver") {
    result.identity = "driver";
    return result;
  }
  if (wanted == "nvjitlink") {
    result.path = findJitLink();
    if (result.path.empty())
      result.problem = "TESSERA_PTXAS is `nvjitlink`, but there is no library libnvJitLink";
  } else if (!wanted.empty()) {
    result.kind = Assembler::Kind::Ptxas;
    result.path = wanted.front() == '/' ? wanted : support::findProgram(wanted);
    if (result.path.empty() || ::access(result.path.c_str(), X_OK) != 0)
      result.problem =
          fmt::format("TESSERA_PTXAS is `{}`, which is no program; it takes the path of ptxas, `nvjitlink` "
                      "or `driver`",
                      wanted);
    result.identity = support::identifyFile(result.path);
    return result;
  } else if (std::string ptxas = support::findProgram("ptxas", {kToolkitPrograms}); !ptxas.empty()) {
    result.kind = Assembler::Kind::Ptxas;
    result.path = ptxas;
  } else {
    result.path = findJitLink();
  }
  if (result.kind == Assembler::Kind::Driver && !result.path.empty())
    result.kind = Assembler::Kind::JitLink;
  result.identity = result.path.empty() ? "driver" : support::identifyFile(result.path);
  return result;
}

const Assembler &chooseAssembler() {
  static std::mutex mutex;
  static auto *const known = new std::map<std::string, Assembler>;
  const std::string wanted = support::environment(Variable::Ptxas);
  const char *path = std::getenv("PATH");
  const std::string key = fmt::format("{}\n{}", wanted, path ? path : "");
  const std::lock_guard lock(mutex);
  const auto found = known->find(key);
  return found != known->end() ? found->second : known->emplace(key, choose(wanted)).first->second;
}

//===----------------------------------------------------------------------===//
// Assembling
//===----------------------------------------------------------------------===//

std::vector<std::string> warningsIn(llvm::StringRef log) {
  std::vector<std::string> warnings;
  for (llvm::StringRef line : llvm::split(log, '\n'))
    if (line.contains("warning") || line.contains("advisory") || line.contains("(C7"))
      warnings.push_back(line.trim().str());
  return warnings;
}

/// The words of a failed run, without the lines that say nothing.
static std::string wordsOf(const support::SubprocessResult &result) {
  if (!result.problem.empty())
    return result.problem;
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(result.output).split(lines, '\n', -1, /*KeepEmpty=*/false);
  return lines.empty() ? fmt::format("exit status {}", result.status) : llvm::join(lines, "\n");
}

static llvm::Expected<Assembled> assembleByPtxas(const std::string &ptxas, llvm::StringRef ptx, const arch::Chip &chip,
                                                 bool lineInfo) {
  const support::PrivateFolder folder;
  if (!folder.problem().empty())
    return llvm::createStringError(folder.problem());
  if (const std::string problem = support::writeFile(folder.path(), "kernel.ptx", ptx); !problem.empty())
    return llvm::createStringError(problem);
  // Not --Ofast-compile: it saves a fifth of the time of large kernels, nothing of small ones, and costs registers.
  std::vector<std::string> arguments{ptxas, fmt::format("-arch={}", chip.name), "-O3",
                                     "-o",  folder.file("kernel.cubin"),        folder.file("kernel.ptx")};
  if (lineInfo)
    arguments.emplace_back("-lineinfo");
  const support::SubprocessResult result = support::runProgram(arguments, kLimit);
  if (!result.ok())
    return llvm::createStringError("ptxas: " + wordsOf(result));

  const auto file = llvm::MemoryBuffer::getFile(folder.file("kernel.cubin"), /*IsText=*/false,
                                                /*RequiresNullTerminator=*/false, /*IsVolatile=*/true);
  if (!file)
    return llvm::createStringError("ptxas: wrote no cubin: " + file.getError().message());
  const llvm::StringRef bytes = (*file)->getBuffer();
  Assembled assembled;
  assembled.format = "cubin";
  const auto *begin = reinterpret_cast<const std::byte *>(bytes.data());
  assembled.code.assign(begin, begin + bytes.size());
  assembled.warnings = warningsIn(result.output);
  return assembled;
}

llvm::Expected<Assembled> assemble(const Assembler &assembler, llvm::StringRef ptx, const arch::Chip &chip,
                                   bool lineInfo) {
  if (!assembler.problem.empty())
    return llvm::createStringError(assembler.problem);
  switch (assembler.kind) {
  case Assembler::Kind::Ptxas:
    return assembleByPtxas(assembler.path, ptx, chip, lineInfo);
  case Assembler::Kind::JitLink:
    return assembleByJitLink(assembler.path, ptx, chip, lineInfo);
  case Assembler::Kind::Driver:
    break;
  }
  Assembled assembled;
  assembled.format = "ptx";
  const auto *begin = reinterpret_cast<const std::byte *>(ptx.data());
  assembled.code.assign(begin, begin + ptx.size());
  return assembled;
}

} // namespace tessera::ir::nvidia
