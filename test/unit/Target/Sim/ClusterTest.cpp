//===- ClusterTest.cpp - blocks that share their memory -------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// In every kernel thread t of block b writes to place b of the next block, and thread 0 of that one reads it.
//
//===---------------------------------------------------------------------===//

#include "unit/Target/Sim/SimTest.h"

namespace tessera::ir::sim {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

constexpr unsigned kBlocks = 4;
const std::string kBarrier = "  call void @tessera.gpu.cluster_barrier()\n";

/// Writes 100 + its number to the next block of the cluster, and what it was given by the one before to x.
std::string ring(const std::string &before, const std::string &between, const std::string &behind = "",
                 int blocks = kBlocks) {
  return "define void @k(ptr addrspace(1) %x) {\n"
         "  %t = call i32 @tessera.gpu.thread_id()\n"
         "  %b = call i32 @tessera.gpu.block_id.x()\n"
         "  %rank = and i32 %b, 3\n"
         "  %up = add i32 %rank, 1\n"
         "  %next = urem i32 %up, " +
         std::to_string(blocks) +
         "\n"
         "  %value = add i32 %b, 100\n"
         "  %is = icmp eq i32 %t, 0\n"
         "  %place = getelementptr i32, ptr addrspace(3) @tessera.shared, i32 5\n" +
         before +
         "  call void @tessera.gpu.cluster_store.i32(ptr addrspace(3) %place, i32 %next, i32 %value, i1 %is)\n" +
         between +
         "  %got = load i32, ptr addrspace(3) %place\n"
         "  %to = getelementptr i32, ptr addrspace(1) %x, i32 %b\n"
         "  store i32 %got, ptr addrspace(1) %to\n" +
         behind + "  ret void\n}\n";
}

struct Ring {
  Trial run;
  explicit Ring(std::int64_t blocks = 2 * kBlocks) {
    run.request.threads = 64;
    run.request.grid = {blocks, 1, 1};
    run.request.cluster = kBlocks;
    run.request.sharedBytes = 64;
    run.buffer(std::vector<std::int32_t>(static_cast<std::size_t>(blocks)));
  }
};

TEST(SimCluster, blocksWriteToEachOther) {
  Ring ring;
  EXPECT_EQ(ring.run(sim::ring(kBarrier, kBarrier)), "");
  EXPECT_EQ(ring.run.values<std::int32_t>(0), (std::vector<std::int32_t>{103, 100, 101, 102, 107, 104, 105, 106}));
}

TEST(SimCluster, blocksMustHaveBegun) {
  EXPECT_THAT(Ring().run(ring("", kBarrier)), HasSubstr("which may not have begun"));
}

TEST(SimCluster, blocksMustNotHaveReturned) {
  std::string found;
  for (std::uint64_t seed = 0; seed != 20 && found.empty(); ++seed) {
    Ring trial;
    trial.run.request.seed = seed;
    // Block 0 of each cluster returns at once.
    found =
        trial.run("define void @k(ptr addrspace(1) %x) {\nentry:\n"
                  "  call void @tessera.gpu.cluster_barrier()\n"
                  "  %b = call i32 @tessera.gpu.block_id.x()\n"
                  "  %rank = and i32 %b, 3\n"
                  "  %first = icmp eq i32 %rank, 0\n"
                  "  br i1 %first, label %out, label %on\n"
                  "on:\n"
                  "  %t = call i32 @tessera.gpu.thread_id()\n"
                  "  %place = getelementptr i32, ptr addrspace(3) @tessera.shared, i32 %t\n"
                  "  call void @tessera.gpu.cluster_store.i32(ptr addrspace(3) @tessera.shared, i32 0, i32 1, i1 1)\n"
                  "  br label %out\n"
                  "out:\n"
                  "  ret void\n}\n");
    if (found.find("which has returned") == std::string::npos)
      found.clear();
  }
  EXPECT_THAT(found, HasSubstr("which has returned"));
}

TEST(SimCluster, readsNeedABarrierOfTheCluster) {
  for (const std::string between : {"", "  call void @tessera.gpu.barrier()\n"}) {
    std::string found;
    for (std::uint64_t seed = 0; seed != 20 && found.empty(); ++seed) {
      Ring trial;
      trial.run.request.seed = seed;
      found = trial.run(ring(kBarrier, between));
    }
    EXPECT_THAT(found,
                AnyOf(HasSubstr("blocks of a cluster need a barrier of the cluster"), HasSubstr("never written")));
  }
}

TEST(SimCluster, droppedBarriersAreFound) {
  for (const int which : {0, 1}) {
    Ring trial;
    trial.run.request.sabotage.dropClusterBarrier = which;
    EXPECT_NE(trial.run(ring(kBarrier, kBarrier)), "") << which;
  }
}

TEST(SimCluster, thereAreNoMoreBlocks) {
  EXPECT_THAT(Ring().run(ring(kBarrier, kBarrier, "", 8)), HasSubstr("writes to block 4 of the cluster"));
}

TEST(SimCluster, allComeToItsBarriers) {
  const std::string some =
      "  %w = icmp ult i32 %t, 32\n  br i1 %w, label %on, label %out\non:\n" + kBarrier + "  br label %out\nout:\n";
  EXPECT_THAT(Ring().run(ring(kBarrier, kBarrier, some)), HasSubstr("is a divergent barrier"));
}

TEST(SimCluster, globalMemoryIsOrderedToo) {
  const auto body = [](const std::string &between) {
    return "define void @k(ptr addrspace(1) %x) {\n"
           "  %b = call i32 @tessera.gpu.block_id.x()\n"
           "  %to = getelementptr i32, ptr addrspace(1) %x, i32 %b\n"
           "  store i32 %b, ptr addrspace(1) %to\n" +
           between +
           "  %o = xor i32 %b, 1\n"
           "  %from = getelementptr i32, ptr addrspace(1) %x, i32 %o\n"
           "  %v = load i32, ptr addrspace(1) %from\n"
           "  ret void\n}\n";
  };
  EXPECT_EQ(Ring().run(body(kBarrier)), "");
  EXPECT_THAT(Ring().run(body("  call void @tessera.gpu.barrier()\n")), HasSubstr("races on global memory"));
}

} // namespace
} // namespace tessera::ir::sim
