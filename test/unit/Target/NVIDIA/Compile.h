//===- Compile.h - code at the border to PTX and cubins --------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_TARGET_NVIDIA_COMPILE_H
#define TESSERA_TEST_UNIT_TARGET_NVIDIA_COMPILE_H

#include "Support/Subprocess.h"
#include "Target/NVIDIA/Assembler.h"
#include "Target/NVIDIA/Codegen.h"
#include "Target/NVIDIA/Cubin.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tessera::test {

/// Every chip of family "cuda".
std::vector<const arch::Chip *> nvidiaChips();
const arch::Chip &nvidiaChip(std::string_view name);

/// The PTX of LLVM text at the border, whose kernel is `k` with 128 threads unless \p shape says otherwise. Fails the
/// test, and gives the error, if there is none.
std::string ptxOf(const std::string &text, const arch::Chip &chip, ir::nvidia::LaunchShape shape = {});
/// The error instead.
std::string ptxErrorOf(const std::string &text, const arch::Chip &chip, ir::nvidia::LaunchShape shape = {});

/// The assembler ptxas, or null: then tests skip, saying so.
const ir::nvidia::Assembler *ptxas();

/// Assembles \p ptx and reads the cubin. Fails the test on errors and on warnings.
ir::nvidia::CubinFacts assembled(const std::string &ptx, const arch::Chip &chip,
                                 std::vector<std::byte> *cubin = nullptr);

/// A folder with a shell script called ptxas.
struct FakePtxas {
  explicit FakePtxas(const std::string &script);
  std::string path() const { return folder.file("ptxas"); }

  support::PrivateFolder folder;
};

/// Neither a stack nor accesses whose memory is not known.
void expectNoStackNorFlat(const ir::nvidia::CubinFacts &facts);

} // namespace tessera::test

/// Ends a test that needs ptxas.
#define TESSERA_NEEDS_PTXAS()                                                                                          \
  if (!tessera::test::ptxas())                                                                                         \
  GTEST_SKIP() << "no ptxas on this machine"

#endif // TESSERA_TEST_UNIT_TARGET_NVIDIA_COMPILE_H
