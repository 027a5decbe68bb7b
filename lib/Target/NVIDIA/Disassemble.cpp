//===- Disassemble.cpp - a cubin for people -------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/NVIDIA/Disassemble.h"

#include "Support/Files.h"
#include "Support/Subprocess.h"
#include "Target/NVIDIA/Assembler.h"

#include <fmt/format.h>

namespace tessera::ir::nvidia {

static constexpr std::chrono::seconds kLimit{60};

std::string disassemble(llvm::ArrayRef<std::byte> cubin) {
  const std::string disassembler = support::findProgram("nvdisasm", {kToolkitPrograms});
  const std::string dumper = support::findProgram("cuobjdump", {kToolkitPrograms});
  if (disassembler.empty() && dumper.empty())
    return fmt::format("no code is shown: neither nvdisasm nor cuobjdump is in PATH or {}\n", kToolkitPrograms);
  const support::PrivateFolder folder;
  if (!folder.problem().empty())
    return folder.problem() + "\n";
  const std::string_view bytes(reinterpret_cast<const char *>(cubin.data()), cubin.size());
  if (const std::string problem = support::writeFile(folder.path(), "kernel.cubin", bytes); !problem.empty())
    return problem + "\n";
  const std::string file = folder.file("kernel.cubin");
  const support::SubprocessResult result =
      support::runProgram(disassembler.empty() ? std::vector<std::string>{dumper, "-sass", file}
                                               : std::vector<std::string>{disassembler, "-c", file},
                          kLimit);
  if (!result.ok())
    return fmt::format("no code is shown: {}{}\n", result.problem, result.output);
  return result.output;
}

} // namespace tessera::ir::nvidia
