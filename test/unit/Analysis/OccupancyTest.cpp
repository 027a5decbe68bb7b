//===- OccupancyTest.cpp - blocks that run on one multiprocessor -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Analysis/Occupancy.h"

#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::ir;
using Limit = Occupancy::Limit;

namespace {

/// Expects so many blocks, limited so.
void expectBlocks(const char *target, const BlockNeeds &needs, int64_t blocks, Limit limit, double share) {
  const arch::Chip *chip = arch::findChip(target);
  ASSERT_TRUE(chip);
  const Occupancy occupancy = occupancyOf(*chip, needs);
  EXPECT_EQ(occupancy.blocks, blocks);
  EXPECT_EQ(nameOf(occupancy.limit), nameOf(limit));
  EXPECT_DOUBLE_EQ(occupancy.share, share);
}

// By hand, from the tables of the CUDA C++ Programming Guide.
TEST(Occupancy, numbersOfNvidia) {
  // 64 registers * 32 = 2048 a warp: 32 warps, 4 blocks of 8.
  expectBlocks("cuda:sm_90a", {256, 64, 0}, 4, Limit::Registers, 0.5);
  // 32 registers leave room for 64 warps, as many as there may be.
  expectBlocks("cuda:sm_90a", {256, 32, 0}, 8, Limit::Threads, 1.0);
  // 33 registers are 40: 51 warps, of which 48 count.
  expectBlocks("cuda:sm_90a", {256, 33, 0}, 6, Limit::Registers, 0.75);
  // 100 KB and the system's 1 KB, twice in 228.
  expectBlocks("cuda:sm_90a", {128, 32, 100 * 1024}, 2, Limit::SharedMemory, 0.125);
  // 113 KB fit twice, one byte more does not.
  expectBlocks("cuda:sm_90a", {128, 32, 113 * 1024}, 2, Limit::SharedMemory, 0.125);
  expectBlocks("cuda:sm_90a", {128, 32, 113 * 1024 + 1}, 1, Limit::SharedMemory, 0.0625);
  // One warp a block: there are no more than 32 blocks.
  expectBlocks("cuda:sm_80", {32, 16, 0}, 32, Limit::Blocks, 0.5);
  // The smaller multiprocessor: 1536 threads, 24 blocks.
  expectBlocks("cuda:sm_89", {512, 40, 0}, 3, Limit::Threads, 1.0);
  expectBlocks("cuda:sm_89", {1024, 40, 0}, 1, Limit::Threads, 1024.0 / 1536);
  // 255 registers are 256: 8 warps a block leave room for one.
  expectBlocks("cuda:sm_90a", {256, 255, 0}, 1, Limit::Registers, 0.125);
  expectBlocks("cuda:sm_90a", {1024, 255, 0}, 0, Limit::Registers, 0.0);
}

TEST(Occupancy, whatIsNotKnownDoesNotLimit) {
  expectBlocks("cuda:sm_90a", {256, 0, 0}, 8, Limit::Threads, 1.0);
  EXPECT_EQ(occupancyOf(arch::Chip{.family = "x", .name = "y", .warpSize = 64}, {256, 64, 1024}).blocks, 0);
}

} // namespace
