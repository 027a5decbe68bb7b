//===- Compile.h - code at the border to code objects ----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_TARGET_AMD_COMPILE_H
#define TESSERA_TEST_UNIT_TARGET_AMD_COMPILE_H

#include "Target/AMD/CodeObject.h"
#include "Target/AMD/Codegen.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tessera::test {

/// Every chip of family "hip".
std::vector<const arch::Chip *> amdChips();
const arch::Chip &amdChip(std::string_view name);

/// What came of LLVM text at the border.
struct AmdCode {
  std::string assembly;
  std::vector<std::byte> object; ///< linked
};

/// Compiles text whose kernel is `k` with 128 threads and 4096 bytes of shared memory unless \p shape says otherwise.
llvm::Expected<AmdCode> compileForAmd(const std::string &text, const arch::Chip &chip, ir::amd::LaunchShape shape = {});
/// The instructions. Fails the test, and gives the error, if there are none.
std::string amdAsmOf(const std::string &text, const arch::Chip &chip, ir::amd::LaunchShape shape = {});
/// The error instead.
std::string amdErrorOf(const std::string &text, const arch::Chip &chip, ir::amd::LaunchShape shape = {});
/// What the code object says of itself.
ir::amd::CodeObjectFacts amdFactsOf(const std::string &text, const arch::Chip &chip, ir::amd::LaunchShape shape = {});

/// How often \p word stands in \p text.
int countOf(const std::string &text, std::string_view word);

} // namespace tessera::test

#endif // TESSERA_TEST_UNIT_TARGET_AMD_COMPILE_H
