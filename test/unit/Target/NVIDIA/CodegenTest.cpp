//===- CodegenTest.cpp - whole kernels from the border to machine code ----===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Target/Gpu/Kernels.h"
#include "unit/Target/NVIDIA/Compile.h"

#include <gmock/gmock.h>

using namespace tessera;
using namespace tessera::test;
using ir::nvidia::CubinFacts;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

TEST(NvidiaCodegen, vectorAddUsesPredicatedWideAccesses) {
  for (const arch::Chip *chip : nvidiaChips()) {
    SCOPED_TRACE(chip->name);
    const std::string ptx = ptxOf(kVectorAdd, *chip);
    EXPECT_THAT(ptx, ContainsRegex("@%p[0-9]+ ld.global.v4.b32 \\{%r[0-9]+, %r[0-9]+, %r[0-9]+, %r[0-9]+\\}, "
                                   "\\[%rd[0-9]+\\];"));
    // The second register lies a constant behind the first.
    EXPECT_THAT(ptx, ContainsRegex("@%p[0-9]+ ld.global.v4.b32 \\{[^}]*\\}, \\[%rd[0-9]+ \\+ 2048\\];"));
    EXPECT_THAT(ptx, ContainsRegex("@%p[0-9]+ ld.global.L1::evict_first.v4.b32"));
    EXPECT_THAT(ptx, ContainsRegex("@%p[0-9]+ st.global.v4.b32 \\[%rd[0-9]+ \\+ 2048\\], \\{"));
    EXPECT_THAT(ptx, AllOf(HasSubstr(".visible .entry k("), HasSubstr(".reqntid 128, 1, 1"),
                           HasSubstr(".minnctapersm 1"), Not(HasSubstr("tessera."))));
    EXPECT_THAT(ptx, HasSubstr("add.rn.f32"));
    if (!ptxas())
      continue;
    const CubinFacts facts = assembled(ptx, *chip);
    expectNoStackNorFlat(facts);
    EXPECT_EQ(facts.globalLoads.ofWidth(16), 4u);
    EXPECT_EQ(facts.globalLoads.count(), 4u);
    EXPECT_EQ(facts.globalStores.ofWidth(16), 2u);
    EXPECT_EQ(facts.globalStores.count(), 2u);
  }
}

TEST(NvidiaCodegen, accessesOf32BytesAreCounted) {
  TESSERA_NEEDS_PTXAS();
  const char *const copy = R"(
define void @k(ptr addrspace(1) %x, ptr addrspace(1) %y) {
  %v = load <8 x i32>, ptr addrspace(1) %x, align 32
  store <8 x i32> %v, ptr addrspace(1) %y, align 32
  ret void
}
)";
  for (const arch::Chip *chip : nvidiaChips()) {
    const CubinFacts facts = assembled(ptxOf(copy, *chip), *chip);
    const bool isWide = chip->has(arch::Feature::Access256);
    EXPECT_EQ(facts.globalLoads.ofWidth(32), isWide ? 1u : 0u);
    EXPECT_EQ(facts.globalStores.ofWidth(32), isWide ? 1u : 0u);
    EXPECT_EQ(facts.globalLoads.bytes(), 32u);
    EXPECT_EQ(facts.globalStores.bytes(), 32u);
  }
}

TEST(NvidiaCodegen, rowSumUsesShufflesAndSharedMemory) {
  for (const arch::Chip *chip : nvidiaChips()) {
    SCOPED_TRACE(chip->name);
    const std::string ptx = ptxOf(kRowSum, *chip);
    EXPECT_THAT(ptx, HasSubstr(".extern .shared .align 1024 .b8 tessera_shared[]"));
    EXPECT_THAT(ptx, ContainsRegex("shfl.sync.bfly.b32 *\t?%r[0-9]+, %r[0-9]+, 16, 31, -1;"));
    EXPECT_THAT(ptx, HasSubstr("bar.sync"));
    EXPECT_THAT(ptx, ContainsRegex("@%p[0-9]+ st.shared.b32 \\[%r[0-9]+\\], %r[0-9]+;"));
    EXPECT_THAT(ptx, ContainsRegex("@%p[0-9]+ ld.shared.b32 %r[0-9]+, \\[%r[0-9]+\\];"));
    if (!ptxas())
      continue;
    const CubinFacts facts = assembled(ptx, *chip);
    expectNoStackNorFlat(facts);
    EXPECT_EQ(facts.staticSharedBytes, 0u); // all of it comes with the launch
  }
}

TEST(NvidiaCodegen, optionsOfTheLaunchAreDirectives) {
  const arch::Chip &chip = nvidiaChip("sm_90a");
  EXPECT_THAT(ptxOf(kVectorAdd, chip, {.threads = 256, .maxRegisters = 64}),
              AllOf(HasSubstr(".reqntid 256, 1, 1"), HasSubstr(".maxnreg 64"), Not(HasSubstr(".minnctapersm"))));
  EXPECT_THAT(ptxOf(kVectorAdd, chip, {.cluster = 2}), HasSubstr(".reqnctapercluster 2, 1, 1"));
}

TEST(NvidiaCodegen, eachChipHasItsVersionOfPtx) {
  for (const arch::Chip *chip : nvidiaChips())
    EXPECT_THAT(ptxOf(kVectorAdd, *chip), AllOf(HasSubstr(".target " + std::string(chip->name)),
                                                HasSubstr(".version " + std::to_string(chip->ptxVersion / 10) + "." +
                                                          std::to_string(chip->ptxVersion % 10))));
}

TEST(NvidiaCodegen, contractsWhatIsFlaggedAndNothingElse) {
  const std::string ptx = ptxOf(R"(
define void @k(ptr addrspace(1) %p, float %a, float %b, float %c) {
  %m = fmul float %a, %b
  %s = fadd float %m, %c
  %m2 = fmul contract float %b, %c
  %s2 = fadd contract float %m2, %a
  %d = fdiv float %s, %s2
  store float %d, ptr addrspace(1) %p
  ret void
}
)",
                                nvidiaChip("sm_80"));
  EXPECT_THAT(ptx, AllOf(HasSubstr("mul.rn.f32"), HasSubstr("add.rn.f32"), HasSubstr("fma.rn.f32"),
                         HasSubstr("div.rn.f32"), Not(HasSubstr(".ftz")), Not(HasSubstr("approx"))));
}

TEST(NvidiaCodegen, refusesWhatIsNoKernel) {
  const arch::Chip &chip = nvidiaChip("sm_80");
  EXPECT_EQ(ptxErrorOf(kVectorAdd, chip, {.entry = "other"}), "no function `other` is left");
  EXPECT_THAT(
      ptxErrorOf("declare void @tessera.gpu.nonsense()\ndefine void @k() {\n call void @tessera.gpu.nonsense()\n"
                 " ret void\n}\n",
                 chip),
      HasSubstr("`tessera.gpu.nonsense` is no function of the border"));
}
