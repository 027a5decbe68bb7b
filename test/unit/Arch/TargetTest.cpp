//===- TargetTest.cpp - names of targets and facts about chips -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Arch/Chip.h"
#include "unit/Expect.h"

#include "tessera/core/Target.h"

using namespace tessera;
using tessera::test::wordsOf;
using testing::HasSubstr;

TEST(Target, readsAndPrints) {
  for (const std::string &name : Target::known()) {
    const Target target(name);
    EXPECT_EQ(target.str(), name);
    EXPECT_EQ(target, Target(name));
  }
  const Target hopper("cuda:sm_90a");
  EXPECT_EQ(hopper.family(), "cuda");
  EXPECT_EQ(hopper.chip(), "sm_90a");
  EXPECT_EQ(Target("interp").chip(), "");
}

TEST(Target, listsWhatTheDesignNames) {
  const std::vector<std::string> known = Target::known();
  for (const char *name :
       {"cuda:sm_80", "cuda:sm_86", "cuda:sm_89",  "cuda:sm_90a", "cuda:sm_100a", "cuda:sm_120", "hip:gfx90a",
        "hip:gfx942", "hip:gfx950", "hip:gfx1100", "hip:gfx1201", "cpu",          "interp",      "sim:sm_80",
        "sim:sm_90a", "sim:gfx90a", "sim:gfx942",  "sim:gfx950",  "sim:gfx1100",  "sim:gfx1201"})
    EXPECT_THAT(known, testing::Contains(name));
}

TEST(Target, unknownOnesListTheKnown) {
  const std::string words = wordsOf<UsageError>([] { Target("cuda:sm_52"); });
  EXPECT_THAT(words, HasSubstr("unknown target `cuda:sm_52`; known targets: "));
  EXPECT_THAT(words, HasSubstr("cuda:sm_90a"));
  EXPECT_THAT(words, HasSubstr("interp"));
  EXPECT_THROW(Target(""), UsageError);
  EXPECT_THROW(Target("interp:"), UsageError);
  EXPECT_THROW(Target("CUDA:sm_80"), UsageError);
}

// The target that measures the library itself exists, but is nobody's choice.
TEST(Target, nullIsNotListed) {
  EXPECT_EQ(Target("null").family(), "null");
  EXPECT_THAT(Target::known(), testing::Not(testing::Contains("null")));
  EXPECT_THAT(wordsOf<UsageError>([] { Target("gpu"); }), testing::Not(HasSubstr("null")));
}

TEST(Target, unknownOnesSuggestTheNearest) {
  EXPECT_THAT(wordsOf<UsageError>([] { Target("cuda:sm_90"); }), HasSubstr("did you mean `cuda:sm_90a`?"));
  EXPECT_THAT(wordsOf<UsageError>([] { Target("gfx942"); }), HasSubstr("did you mean `hip:gfx942`?"));
}

TEST(Target, knowsItsChip) {
  EXPECT_EQ(Target("cuda:sm_90a").warp_size(), 32);
  EXPECT_EQ(Target("cuda:sm_90a").shared_bytes(), 227 * 1024);
  EXPECT_EQ(Target("hip:gfx942").warp_size(), 64);
  EXPECT_EQ(Target("hip:gfx1100").warp_size(), 32);
  EXPECT_EQ(Target("hip:gfx950").shared_bytes(), 160 * 1024);
  EXPECT_EQ(Target("interp").warp_size(), 0);
  EXPECT_EQ(Target("cpu").max_threads(), 0);
  EXPECT_EQ(Target("cuda:sm_90a").max_cluster(), 8);
  EXPECT_EQ(Target("sim:sm_90a").max_cluster(), 8);
  EXPECT_EQ(Target("cuda:sm_80").max_cluster(), 1);
  EXPECT_EQ(Target("hip:gfx942").max_cluster(), 1);
  EXPECT_EQ(Target("cpu").max_cluster(), 1);
}

TEST(Chip, answersByName) {
  using arch::Feature;
  EXPECT_TRUE(arch::chipOf(Target("cuda:sm_90a")).has(Feature::Wgmma));
  EXPECT_FALSE(arch::chipOf(Target("cuda:sm_100a")).has(Feature::Wgmma));
  EXPECT_TRUE(arch::chipOf(Target("cuda:sm_80")).has(Feature::AsyncCopy));
  EXPECT_FALSE(arch::chipOf(Target("cuda:sm_80")).has(Feature::TensorMemoryAccess));
  EXPECT_TRUE(arch::chipOf(Target("hip:gfx942")).has(Feature::Fp8Fnuz));
  EXPECT_TRUE(arch::chipOf(Target("sim:gfx942")).has(Feature::Mfma));
  EXPECT_EQ(arch::chipOf(Target("hip:gfx942")).directToSharedBytes, 4);
  EXPECT_TRUE(arch::chipOf(Target("cuda:sm_80")).has(Feature::WarpReduce));
  EXPECT_FALSE(arch::chipOf(Target("hip:gfx942")).has(Feature::WarpReduce));
  EXPECT_FALSE(arch::chipOf(Target("cuda:sm_89")).has(Feature::Bf16Atomics));
  EXPECT_TRUE(arch::chipOf(Target("cuda:sm_90a")).has(Feature::Bf16Atomics));
  EXPECT_FALSE(arch::chipOf(Target("cuda:sm_90a")).has(Feature::Access256));
  EXPECT_TRUE(arch::chipOf(Target("cuda:sm_120")).has(Feature::Access256));
  EXPECT_EQ(arch::chipOf(Target("cuda:sm_90a")).ptxVersion, 84);
  EXPECT_EQ(arch::chipOf(Target("hip:gfx942")).ptxVersion, 0);
}

TEST(Chip, computeUnits) {
  const arch::Chip &wide = arch::chipOf(Target("hip:gfx942")), &narrow = arch::chipOf(Target("hip:gfx1100"));
  // Four execution units of 8 waves that share 512 registers of 64 lanes, and two of 16 with 1536 of 32.
  EXPECT_EQ(wide.maxThreadsOfCore, 2048);
  EXPECT_EQ(narrow.maxThreadsOfCore, 1024);
  EXPECT_EQ(wide.registersOfCore, 4 * 512 * 64);
  EXPECT_EQ(narrow.registersOfCore, 2 * 1536 * 32);
  EXPECT_EQ(wide.maxRegistersOfThread, 512);
  EXPECT_EQ(narrow.maxRegistersOfThread, 256);
  EXPECT_EQ(arch::chipOf(Target("hip:gfx950")).sharedUnit, 1280);
}

TEST(Chip, simulatedOnesAreTheRealOnes) {
  const arch::Chip &real = arch::chipOf(Target("cuda:sm_90a")), &played = arch::chipOf(Target("sim:sm_90a"));
  EXPECT_EQ(played.family, "sim");
  EXPECT_EQ(played.vendor, real.vendor);
  EXPECT_EQ(real.sharedBytesOfProgram, played.sharedBytesOfProgram);
  EXPECT_EQ(real.features, played.features);
}
