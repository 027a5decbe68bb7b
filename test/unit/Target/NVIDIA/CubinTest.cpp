//===- CubinTest.cpp - what a cubin says of its kernel --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Support/Files.h"
#include "Support/Subprocess.h"
#include "unit/Target/Gpu/Kernels.h"
#include "unit/Target/NVIDIA/Compile.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <random>
#include <regex>

using namespace tessera;
using namespace tessera::test;
using ir::nvidia::CubinFacts;
using ir::nvidia::readCubin;
using testing::HasSubstr;

namespace {

/// What `ptxas -v` says of the kernel.
struct Report {
  unsigned registers = 0, stack = 0, spillStores = 0, spillLoads = 0, shared = 0, constant = 0;
};

unsigned numberBefore(const std::string &text, const std::string &words) {
  std::smatch match;
  return std::regex_search(text, match, std::regex("([0-9]+) " + words)) ? std::stoul(match[1]) : 0;
}

Report reportOf(const std::string &ptx, const arch::Chip &chip) {
  const support::PrivateFolder folder;
  support::writeFile(folder.path(), "k.ptx", ptx);
  const support::SubprocessResult result = support::runProgram(
      {ptxas()->path, "-v", fmt::format("-arch={}", chip.name), folder.file("k.ptx"), "-o", folder.file("k.cubin")},
      std::chrono::minutes(1));
  EXPECT_TRUE(result.ok()) << result.output;
  return {numberBefore(result.output, "registers"),          numberBefore(result.output, "bytes stack frame"),
          numberBefore(result.output, "bytes spill stores"), numberBefore(result.output, "bytes spill loads"),
          numberBefore(result.output, "bytes smem"),         numberBefore(result.output, "bytes cmem\\[0\\]")};
}

void expectSameAsReport(const std::string &ptx, const arch::Chip &chip, const CubinFacts &facts) {
  const Report report = reportOf(ptx, chip);
  EXPECT_NE(report.registers, 0u);
  EXPECT_EQ(facts.registers, report.registers);
  EXPECT_EQ(facts.stackBytes, report.stack);
  EXPECT_EQ(facts.localStores.bytes(), report.spillStores);
  EXPECT_EQ(facts.localLoads.bytes(), report.spillLoads);
  EXPECT_EQ(facts.staticSharedBytes, report.shared);
  if (report.constant) // not said of every chip
    EXPECT_EQ(facts.constantBytes, report.constant);
}

std::vector<std::byte> someCubin() {
  std::vector<std::byte> cubin;
  assembled(ptxOf(kVectorAdd, nvidiaChip("sm_90a")), nvidiaChip("sm_90a"), &cubin);
  return cubin;
}

std::string errorOf(const std::vector<std::byte> &cubin, llvm::StringRef entry = "k") {
  llvm::Expected<CubinFacts> facts = readCubin(cubin, entry);
  return facts ? std::string() : llvm::toString(facts.takeError());
}

} // namespace

TEST(Cubin, saysWhatTheAssemblerReports) {
  TESSERA_NEEDS_PTXAS();
  for (const arch::Chip *chip : nvidiaChips())
    for (const std::string &text : {std::string(kVectorAdd), std::string(kRowSum), std::string(kStaticShared)}) {
      SCOPED_TRACE(chip->name);
      const std::string ptx = ptxOf(text, *chip);
      const CubinFacts facts = assembled(ptx, *chip);
      expectSameAsReport(ptx, *chip, facts);
      EXPECT_THAT(facts.assembler, testing::StartsWith("ptxas V"));
      EXPECT_GT(facts.instructions, 10u);
    }
}

TEST(Cubin, spilledRegistersAreFound) {
  TESSERA_NEEDS_PTXAS();
  for (const arch::Chip *chip : nvidiaChips()) {
    SCOPED_TRACE(chip->name);
    const std::string ptx = ptxOf(manyValues(), *chip, {.maxRegisters = 32});
    const CubinFacts facts = assembled(ptx, *chip);
    EXPECT_GT(facts.stackBytes, 0u);
    EXPECT_GT(facts.localStores.bytes(), 0u);
    expectSameAsReport(ptx, *chip, facts);
    // With room enough nothing is spilled.
    expectNoStackNorFlat(assembled(ptxOf(manyValues(), *chip), *chip));
  }
}

TEST(Cubin, parametersAreThoseOfTheFunction) {
  TESSERA_NEEDS_PTXAS();
  for (const arch::Chip *chip : nvidiaChips()) {
    const CubinFacts facts = assembled(ptxOf(manyValues(), *chip), *chip); // pointer, i8, i64
    ASSERT_EQ(facts.parameters.size(), 3u);
    EXPECT_EQ(facts.parameterBytes, 24u);
    const std::vector<std::pair<unsigned, unsigned>> expected{{0, 8}, {8, 1}, {16, 8}};
    for (unsigned i = 0; i != 3; ++i) {
      EXPECT_EQ(facts.parameters[i].ordinal, i);
      EXPECT_EQ(facts.parameters[i].offset, expected[i].first);
      EXPECT_EQ(facts.parameters[i].bytes, expected[i].second);
    }
  }
}

TEST(Cubin, otherFilesAreErrors) {
  EXPECT_NE(errorOf({}), "");
  EXPECT_NE(errorOf(std::vector<std::byte>(4096)), "");
  TESSERA_NEEDS_PTXAS();
  std::vector<std::byte> cubin = someCubin();
  EXPECT_THAT(errorOf(cubin, "other"), HasSubstr("it has no code for `other`"));
  cubin[18] = std::byte{62}; // the machine of the ELF header
  EXPECT_THAT(errorOf(cubin), HasSubstr("it is no code for a GPU of NVIDIA"));
}

TEST(Cubin, damagedFilesDoNoHarm) {
  TESSERA_NEEDS_PTXAS();
  const std::vector<std::byte> cubin = someCubin();
  ASSERT_EQ(errorOf(cubin), "");
  for (std::size_t size = 0; size < cubin.size(); size += size < 1024 ? 1 : 7)
    (void)errorOf({cubin.begin(), cubin.begin() + static_cast<std::ptrdiff_t>(size)});
  EXPECT_NE(errorOf({cubin.begin(), cubin.begin() + static_cast<std::ptrdiff_t>(cubin.size() / 2)}), "");
  std::mt19937 random(1);
  for (int i = 0; i != 3000; ++i) {
    std::vector<std::byte> damaged = cubin;
    for (int changes = 0; changes != 4; ++changes)
      damaged[random() % damaged.size()] = static_cast<std::byte>(random());
    (void)errorOf(damaged);
  }
}
