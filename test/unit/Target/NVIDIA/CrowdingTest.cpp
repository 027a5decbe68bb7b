//===- CrowdingTest.cpp - more blocks on a multiprocessor -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/NVIDIA/Crowding.h"
#include "unit/Target/NVIDIA/Compile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::test;
using namespace ir::nvidia;
using testing::ElementsAre;

namespace {

std::vector<std::uint32_t> asked(std::uint32_t threads, std::uint32_t registers, std::uint32_t shared = 0) {
  rt::Image image;
  image.threadsPerProgram = threads;
  image.sharedBytes = shared;
  CubinFacts facts;
  facts.registers = registers;
  return blocksToAskFor(image, facts, nvidiaChip("sm_90a"));
}

CubinFacts withStack(std::uint32_t bytes) {
  CubinFacts facts;
  facts.stackBytes = bytes;
  return facts;
}

} // namespace

// 65,536 registers: 512 threads of 80 fit once, of 64 twice; 128 threads of 80 six times, of 64 eight times.
TEST(NvidiaCrowding, asksForAQuarterOfTheRegisters) {
  EXPECT_THAT(asked(512, 80), ElementsAre(2));
  EXPECT_THAT(asked(128, 64), ElementsAre(10));
  EXPECT_THAT(asked(1024, 48), ElementsAre());
}

// 256 threads of 88 fit twice, of 72 three times, of 56 four times.
TEST(NvidiaCrowding, asksForMoreFirstWhereWarpsAreFew) {
  EXPECT_THAT(asked(256, 87), ElementsAre(4, 3));
  EXPECT_THAT(asked(512, 96), ElementsAre(2));
  EXPECT_THAT(asked(512, 128), ElementsAre());
}

TEST(NvidiaCrowding, onlyWhereRegistersAreTheLimit) {
  EXPECT_THAT(asked(512, 32), ElementsAre());             // all 2,048 threads are there
  EXPECT_THAT(asked(512, 80, 200 * 1024), ElementsAre()); // shared memory lets one in
}

TEST(NvidiaCrowding, changesTheDirective) {
  EXPECT_EQ(withBlocks(".entry k()\n.reqntid 32, 1, 1\n.minnctapersm 1\n{\n", 3),
            ".entry k()\n.reqntid 32, 1, 1\n.minnctapersm 3\n{\n");
  EXPECT_EQ(withBlocks(".entry k()\n.maxnreg 64\n{\n", 3), ""); // the user's own limit
}

TEST(NvidiaCrowding, takesNothingThatSpills) {
  EXPECT_TRUE(spillsNoMore(withStack(8), withStack(8)));
  EXPECT_FALSE(spillsNoMore(withStack(8), withStack(0)));
}
