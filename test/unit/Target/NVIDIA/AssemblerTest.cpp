//===- AssemblerTest.cpp - from PTX to a cubin ----------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/ScopedEnvironment.h"
#include "unit/Target/Gpu/Kernels.h"
#include "unit/Target/NVIDIA/Compile.h"

#include <gmock/gmock.h>

using namespace tessera;
using namespace tessera::test;
using namespace ir::nvidia;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

std::string errorOf(const Assembler &assembler, bool lineInfo = false) {
  llvm::Expected<Assembled> result = assemble(assembler, ".version 8.0\n", nvidiaChip("sm_90a"), lineInfo);
  return result ? std::string() : llvm::toString(result.takeError());
}

} // namespace

TEST(NvidiaAssembler, isTheOneTheEnvironmentNames) {
  const FakePtxas fake("exit 0\n");
  {
    const ScopedEnvironment named("TESSERA_PTXAS", fake.path());
    EXPECT_EQ(chooseAssembler().kind, Assembler::Kind::Ptxas);
    EXPECT_EQ(chooseAssembler().path, fake.path());
    EXPECT_EQ(chooseAssembler().problem, "");
  }
  {
    const ScopedEnvironment path("PATH", fake.folder.path());
    const ScopedEnvironment none("TESSERA_PTXAS", "");
    EXPECT_EQ(chooseAssembler().path, fake.path());
    const ScopedEnvironment named("TESSERA_PTXAS", "ptxas");
    EXPECT_EQ(chooseAssembler().path, fake.path());
  }
  {
    const ScopedEnvironment named("TESSERA_PTXAS", "driver");
    EXPECT_EQ(chooseAssembler().kind, Assembler::Kind::Driver);
    EXPECT_EQ(chooseAssembler().identity, "driver");
  }
  const ScopedEnvironment named("TESSERA_PTXAS", "/no/such/ptxas");
  EXPECT_THAT(chooseAssembler().problem, HasSubstr("TESSERA_PTXAS is `/no/such/ptxas`, which is no program"));
  EXPECT_EQ(errorOf(chooseAssembler()), chooseAssembler().problem);
}

TEST(NvidiaAssembler, identityIsPathSizeAndTime) {
  const FakePtxas one("exit 0\n"), two("exit 0 # longer\n");
  const auto identity = [](const FakePtxas &fake) {
    const ScopedEnvironment named("TESSERA_PTXAS", fake.path());
    return chooseAssembler().identity;
  };
  EXPECT_THAT(identity(one), AllOf(HasSubstr(one.path()), HasSubstr(" 17 ")));
  EXPECT_THAT(identity(two), HasSubstr(" 26 "));
}

TEST(NvidiaAssembler, itsWordsAreTheError) {
  const FakePtxas fake("echo 'line 12; error   : unknown modifier'\necho 'fatal: aborted' >&2\nexit 255\n");
  const ScopedEnvironment named("TESSERA_PTXAS", fake.path());
  EXPECT_EQ(errorOf(chooseAssembler()), "ptxas: line 12; error   : unknown modifier\nfatal: aborted");
  const FakePtxas silent("exit 3\n");
  const ScopedEnvironment other("TESSERA_PTXAS", silent.path());
  EXPECT_EQ(errorOf(chooseAssembler()), "ptxas: exit status 3");
  const FakePtxas lazy("exit 0\n");
  const ScopedEnvironment third("TESSERA_PTXAS", lazy.path());
  EXPECT_THAT(errorOf(chooseAssembler()), HasSubstr("ptxas: wrote no cubin"));
}

TEST(NvidiaAssembler, warningsAreKept) {
  const FakePtxas fake("for a; do case $last in -o) echo cubin > $a;; esac; last=$a; done\n"
                       "echo 'ptxas info    : (C7508) Potential Performance Loss: setmaxnreg ignored'\n"
                       "echo 'ptxas info    : 0 bytes gmem'\necho 'ptxas warning : something'\n");
  const ScopedEnvironment named("TESSERA_PTXAS", fake.path());
  llvm::Expected<Assembled> result = assemble(chooseAssembler(), ".version 8.0\n", nvidiaChip("sm_90a"), false);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(result->code.size(), 6u);
  EXPECT_THAT(result->warnings, ElementsAre(HasSubstr("(C7508)"), HasSubstr("something")));
}

TEST(NvidiaAssembler, getsChipAndLineInfo) {
  const FakePtxas fake("echo \"$@\"\nexit 1\n");
  const ScopedEnvironment named("TESSERA_PTXAS", fake.path());
  EXPECT_THAT(errorOf(chooseAssembler()), AllOf(HasSubstr("-arch=sm_90a"), testing::Not(HasSubstr("-lineinfo"))));
  EXPECT_THAT(errorOf(chooseAssembler(), /*lineInfo=*/true), HasSubstr("-lineinfo"));
}

TEST(NvidiaAssembler, refusesBadPtx) {
  TESSERA_NEEDS_PTXAS();
  llvm::Expected<Assembled> result =
      assemble(*ptxas(), ".version 8.0\n.target sm_90a\nnonsense\n", nvidiaChip("sm_90a"), false);
  ASSERT_FALSE(bool(result));
  EXPECT_THAT(llvm::toString(result.takeError()), AllOf(HasSubstr("ptxas: "), HasSubstr("line 3")));
}

TEST(NvidiaAssembler, theDriverTakesThePtxItself) {
  const ScopedEnvironment named("TESSERA_PTXAS", "driver");
  llvm::Expected<Assembled> result = assemble(chooseAssembler(), "text", nvidiaChip("sm_90a"), false);
  ASSERT_TRUE(bool(result));
  EXPECT_EQ(result->format, "ptx");
  EXPECT_EQ(result->code.size(), 4u);
}

TEST(NvidiaAssembler, theLibraryGivesTheSameKernel) {
  const ScopedEnvironment named("TESSERA_PTXAS", "nvjitlink");
  const Assembler &library = chooseAssembler();
  if (library.kind != Assembler::Kind::JitLink)
    GTEST_SKIP() << library.problem;
  for (const arch::Chip *chip : nvidiaChips()) {
    SCOPED_TRACE(chip->name);
    llvm::Expected<Assembled> result = assemble(library, ptxOf(kVectorAdd, *chip), *chip, false);
    ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
    EXPECT_EQ(result->format, "cubin");
    llvm::Expected<CubinFacts> facts = readCubin(result->code, "k");
    ASSERT_TRUE(bool(facts)) << llvm::toString(facts.takeError());
    EXPECT_EQ(facts->globalLoads.ofWidth(16), 4u);
    expectNoStackNorFlat(*facts);
    EXPECT_THAT(facts->assembler, HasSubstr("nvJitLink"));
  }
  llvm::Expected<Assembled> refused =
      assemble(library, ".version 8.0\n.target sm_90a\nnonsense\n", nvidiaChip("sm_90a"), false);
  ASSERT_FALSE(bool(refused));
  EXPECT_THAT(llvm::toString(refused.takeError()), HasSubstr("nvJitLink: code"));
}
