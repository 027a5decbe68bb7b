//===- CodeObjectTest.cpp - what a code object says of its kernel ---------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Lld.h"
#include "unit/Target/AMD/Compile.h"
#include "unit/Target/Gpu/Kernels.h"

#include <gmock/gmock.h>

#include <random>

using namespace tessera;
using namespace tessera::test;
using ir::amd::CodeObjectFacts;
using ir::amd::readCodeObject;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

namespace {

std::vector<std::byte> someObject() {
  llvm::Expected<AmdCode> code = compileForAmd(kRowSum, amdChip("gfx942"));
  EXPECT_TRUE(static_cast<bool>(code)) << llvm::toString(code.takeError());
  return code ? code->object : std::vector<std::byte>();
}

std::string errorOf(const std::vector<std::byte> &object, const char *entry = "k") {
  llvm::Expected<CodeObjectFacts> facts = readCodeObject(object, entry);
  return facts ? "" : llvm::toString(facts.takeError());
}

} // namespace

TEST(AmdCodeObject, saysWhatTheKernelTakes) {
  for (const arch::Chip *chip : amdChips()) {
    SCOPED_TRACE(chip->name);
    const CodeObjectFacts facts = amdFactsOf(kRowSum, *chip);
    EXPECT_EQ(facts.warpSize, static_cast<std::uint32_t>(chip->warpSize));
    EXPECT_EQ(facts.threads, 128u);
    EXPECT_EQ(facts.sharedBytes, 4096u);
    EXPECT_GT(facts.registers, 0u);
    EXPECT_LT(facts.registers, 32u);
    EXPECT_EQ(facts.stackBytes, 0u);
    EXPECT_EQ(facts.spilledRegisters, 0u);
    EXPECT_GT(facts.codeBytes, 100u);
    ASSERT_EQ(facts.parameters.size(), 3u);
    EXPECT_EQ(facts.parameters[1].offset, 8u);
    EXPECT_EQ(facts.parameters[1].bytes, 8u);
    EXPECT_EQ(facts.parameters[2].offset, 16u);
    EXPECT_EQ(facts.parameters[2].bytes, 4u);
    EXPECT_EQ(facts.parameterBytes, 20u); // none that are hidden
  }
}

TEST(AmdCodeObject, spillsWhereRegistersAreFew) {
  for (const char *chip : {"gfx942", "gfx1100"}) {
    SCOPED_TRACE(chip);
    const CodeObjectFacts many = amdFactsOf(manyValues(), amdChip(chip));
    EXPECT_GE(many.registers, 64u);
    EXPECT_EQ(many.spilledRegisters, 0u);
    const CodeObjectFacts few = amdFactsOf(manyValues(), amdChip(chip), {.entry = "k", .maxRegisters = 32});
    EXPECT_LE(few.registers, 32u);
    EXPECT_GT(few.spilledRegisters, 0u);
    EXPECT_GT(few.stackBytes, 0u);
  }
}

TEST(AmdCodeObject, wavesToAimForBoundRegisters) {
  const CodeObjectFacts facts = amdFactsOf(manyValues(), amdChip("gfx942"), {.entry = "k", .wavesPerUnit = 8});
  EXPECT_LE(facts.registers, 64u);
}

TEST(AmdCodeObject, sharedMemoryUpToAllThereIs) {
  EXPECT_EQ(amdFactsOf(kRowSum, amdChip("gfx950"), {.entry = "k", .sharedBytes = 160 * 1024}).sharedBytes, 160u * 1024);
  EXPECT_THAT(amdErrorOf(kRowSum, amdChip("gfx942"), {.entry = "k", .sharedBytes = 160 * 1024}),
              HasSubstr("local memory"));
}

TEST(AmdCodeObject, numbersKeepDenormalsAndNans) {
  for (const arch::Chip *chip : amdChips()) {
    SCOPED_TRACE(chip->name);
    const std::string code = amdAsmOf(kVectorAdd, *chip);
    EXPECT_THAT(code, HasSubstr(".amdhsa_float_denorm_mode_32 3"));
    EXPECT_THAT(code, HasSubstr(".amdhsa_float_denorm_mode_16_64 3"));
    EXPECT_THAT(code, HasSubstr(".amdhsa_code_object_version 5"));
    EXPECT_THAT(code, Not(ContainsRegex("flat_(load|store)|scratch_(load|store)")));
  }
}

TEST(AmdCodeObject, isReadForTheKernelThatIsAskedFor) {
  const std::vector<std::byte> object = someObject();
  EXPECT_EQ(errorOf(object), "");
  EXPECT_EQ(errorOf(object, "other"), "it has no code for `other`");
  EXPECT_NE(errorOf({}), "");
}

TEST(AmdCodeObject, ofAnotherMachineIsRefused) {
  std::vector<std::byte> object = someObject();
  object[18] = std::byte{62}; // x86-64
  object[19] = std::byte{0};
  EXPECT_EQ(errorOf(object), "it is no code for a GPU of AMD");
}

// Whatever the bytes are, reading ends with facts or words.
TEST(AmdCodeObject, damagedBytesAreRead) {
  const std::vector<std::byte> object = someObject();
  for (std::size_t size = 0; size < object.size(); size += 37)
    EXPECT_NE(errorOf({object.begin(), object.begin() + static_cast<std::ptrdiff_t>(size)}), "") << size;
  std::mt19937 random(7);
  int refused = 0;
  for (int round = 0; round != 3000; ++round) {
    std::vector<std::byte> damaged = object;
    for (int flips = 1 + static_cast<int>(random() % 8); flips != 0; --flips)
      damaged[random() % damaged.size()] = static_cast<std::byte>(random());
    refused += errorOf(damaged) != "";
  }
  EXPECT_GT(refused, 100);
}

TEST(AmdCodeObject, theNoteMustBeThere) {
  std::vector<std::byte> object = someObject();
  const std::string_view name("amdhsa.kernels");
  const std::string_view text(reinterpret_cast<const char *>(object.data()), object.size());
  const std::size_t at = text.find(name);
  ASSERT_NE(at, std::string_view::npos);
  object[at] = std::byte{'b'};
  EXPECT_EQ(errorOf(object), "its note cannot be read");
}

TEST(AmdCodeObject, theLinkersWordsAreKept) {
  llvm::SmallString<0> out;
  std::string words;
  EXPECT_TRUE(llvm::failed(ir::linkSharedObject({'n', 'o', 'n', 'e'}, out, words, {.keepSymbols = true})));
  EXPECT_NE(words, "");
  // A function that is nowhere.
  EXPECT_THAT(amdErrorOf("declare void @nowhere(i32)\n"
                         "define void @k(i32 %i) {\n  call void @nowhere(i32 %i)\n  ret void\n}\n",
                         amdChip("gfx942")),
              HasSubstr("nowhere"));
}
