//===- RaceTest.cpp - races that the simulated GPU finds ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Each case has its twin in which one thing puts the accesses in order.
//
//===---------------------------------------------------------------------===//

#include "unit/Target/Sim/SimTest.h"

namespace tessera::ir::sim {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string faultsOf(const std::string &body, unsigned threads, std::int64_t blocks = 1, Sabotage sabotage = {}) {
  Trial run;
  run.request.threads = threads;
  run.request.grid = {blocks, 1, 1};
  run.request.sharedBytes = 4096;
  run.request.sabotage = sabotage;
  run.buffer(std::vector<std::int32_t>(1024));
  return run("define void @k(ptr addrspace(1) %x) {\nentry:\n  %t = call i32 @tessera.gpu.thread_id()\n"
             "  %b = call i32 @tessera.gpu.block_id.x()\n" +
             body + "  ret void\n}\n");
}

/// Every thread writes its element of shared memory and reads that of thread `t xor far`.
std::string exchange(const std::string &between, int far) {
  return "  %p = getelementptr i32, ptr addrspace(3) @tessera.shared, i32 %t\n  store i32 %t, ptr addrspace(3) %p\n" +
         between + "  %o = xor i32 %t, " + std::to_string(far) +
         "\n  %q = getelementptr i32, ptr addrspace(3) @tessera.shared, i32 %o\n  %v = load i32, ptr addrspace(3) %q\n";
}
const std::string kBarrier = "  call void @tessera.gpu.barrier()\n",
                  kWarpSync = "  call void @tessera.gpu.warp_sync()\n";

TEST(SimRace, warpsNeedABarrier) {
  EXPECT_EQ(faultsOf(exchange(kBarrier, 32), 64), "");
  EXPECT_THAT(faultsOf(exchange("", 32), 64),
              testing::AnyOf(HasSubstr("races on shared memory"), HasSubstr("never written")));
  EXPECT_THAT(faultsOf(exchange(kWarpSync, 32), 64),
              testing::AnyOf(HasSubstr("warps need a barrier"), HasSubstr("never written")));
}

TEST(SimRace, lanesNeedAWarpSync) {
  EXPECT_EQ(faultsOf(exchange(kWarpSync, 1), 32), "");
  EXPECT_EQ(faultsOf(exchange(kBarrier, 1), 32), "");
  EXPECT_THAT(faultsOf(exchange("", 1), 32), AllOf(HasSubstr("races on shared memory: reads 4 bytes at"),
                                                   HasSubstr("lanes of a warp need a warp_sync")));
  EXPECT_EQ(faultsOf(exchange("", 0), 32), "");
}

TEST(SimRace, writeAfterReadNeedsABarrier) {
  const auto body = [](const std::string &between) {
    return exchange(kBarrier, 32) + between + "  store i32 0, ptr addrspace(3) %p\n";
  };
  EXPECT_EQ(faultsOf(body(kBarrier), 64), "");
  EXPECT_THAT(faultsOf(body(""), 64), HasSubstr("races on shared memory"));
}

TEST(SimRace, droppedBarriersAreFound) {
  const std::string body = exchange(kBarrier, 32) + kBarrier + "  store i32 0, ptr addrspace(3) %p\n";
  EXPECT_EQ(faultsOf(body, 64), "");
  for (int which : {0, 1}) {
    Sabotage sabotage;
    sabotage.dropBarrier = which;
    EXPECT_NE(faultsOf(body, 64, 1, sabotage), "") << which;
  }
}

TEST(SimRace, droppedWarpSyncsAreFound) {
  Sabotage sabotage;
  sabotage.dropWarpSync = 0;
  EXPECT_THAT(faultsOf(exchange(kWarpSync, 1), 32, 1, sabotage), HasSubstr("races"));
}

TEST(SimRace, namedBarriersOrderThoseThatMeet) {
  const std::string pair = "  %w = lshr i32 %t, 6\n  %n = add i32 %w, 1\n"
                           "  call void @tessera.gpu.named_barrier(i32 %n, i32 64)\n";
  EXPECT_EQ(faultsOf(exchange(pair, 32), 128), "");
  EXPECT_NE(faultsOf(exchange(pair, 64), 128), "");
}

TEST(SimRace, bytesOfOneWordAreApart) {
  EXPECT_EQ(
      faultsOf("  %p = getelementptr i8, ptr addrspace(3) @tessera.shared, i32 %t\n  store i8 1, ptr addrspace(3) %p\n"
               "  %v = load i8, ptr addrspace(3) %p\n",
               64),
      "");
}

TEST(SimRace, copiesMustBeEqual) {
  // All warps store the same element in one operation.
  const auto store = [](const std::string &value) {
    return "  %l = call i32 @tessera.gpu.lane_id()\n  %p = getelementptr i32, ptr addrspace(3) @tessera.shared, i32 "
           "%l\n"
           "  store i32 " +
           value + ", ptr addrspace(3) %p\n";
  };
  EXPECT_EQ(faultsOf(store("%l"), 64), "");
  EXPECT_THAT(faultsOf(store("%t"), 64), HasSubstr("writes another value at"));
}

TEST(SimRace, oneStoreToGlobalMemoryMayOverlap) { // SEMANTICS M3: one of them wins
  EXPECT_EQ(faultsOf("  store i32 %t, ptr addrspace(1) %x\n", 64), "");
}

TEST(SimRace, globalMemoryBetweenWarps) { // SEMANTICS M3: the compiler places a barrier
  const auto body = [](const std::string &between) {
    return "  %p = getelementptr i32, ptr addrspace(1) %x, i32 %t\n  store i32 %t, ptr addrspace(1) %p\n" + between +
           "  %o = xor i32 %t, 32\n  %q = getelementptr i32, ptr addrspace(1) %x, i32 %o\n"
           "  %v = load i32, ptr addrspace(1) %q\n";
  };
  EXPECT_EQ(faultsOf(body(kBarrier), 64), "");
  EXPECT_THAT(faultsOf(body(""), 64), HasSubstr("races on global memory"));
}

TEST(SimRace, programsOfAGrid) { // SEMANTICS M4
  EXPECT_THAT(faultsOf("  store i32 %b, ptr addrspace(1) %x\n", 32, 2),
              AllOf(HasSubstr("races on global memory"), HasSubstr("of program ("),
                    HasSubstr("programs of a grid run in any order")));
  EXPECT_EQ(faultsOf("  %v = load i32, ptr addrspace(1) %x\n", 32, 4), "");
  EXPECT_EQ(
      faultsOf("  %i = mul i32 %b, 32\n  %j = add i32 %i, %t\n  %p = getelementptr i32, ptr addrspace(1) %x, i32 %j\n"
               "  store i32 %b, ptr addrspace(1) %p\n",
               32, 8),
      "");
}

/// The last block to arrive reads what all others wrote.
std::string lastBlock(const std::string &order, const std::string &before) {
  return "  %i = add i32 %b, 1\n  %p = getelementptr i32, ptr addrspace(1) %x, i32 %i\n"
         "  %first = icmp eq i32 %t, 0\n"
         "  call void @tessera.gpu.store.i32(ptr addrspace(1) %p, i32 7, i1 %first, i32 0)\n" +
         before + "  %o = call i32 @tessera.gpu.atomic.add.i32." + order +
         ".device(ptr addrspace(1) %x, i32 1, i1 %first)\n"
         "  %s = call i32 @tessera.gpu.shuffle.idx(i32 %o, i32 0)\n"
         "  %last = icmp eq i32 %s, 3\n"
         "  br i1 %last, label %read, label %end\n"
         "read:\n" +
         before +
         "  %j = and i32 %t, 3\n  %k = add i32 %j, 1\n  %q = getelementptr i32, ptr addrspace(1) %x, i32 %k\n"
         "  %v = load i32, ptr addrspace(1) %q\n  br label %end\nend:\n";
}

TEST(SimRace, releaseAndAcquireOrderPrograms) { // SEMANTICS M5
  EXPECT_EQ(faultsOf(lastBlock("acq_rel", ""), 32, 4), "");
  EXPECT_THAT(faultsOf(lastBlock("relaxed", ""), 32, 4), HasSubstr("races on global memory"));
  EXPECT_THAT(faultsOf(lastBlock("release", ""), 32, 4), HasSubstr("races on global memory"));
}

// What one warp has learnt of other programs a barrier tells the others.
TEST(SimRace, barriersPassOnWhatWasAcquired) { // SEMANTICS M5
  const auto body = [](const std::string &order) {
    return "  %i = add i32 %b, 1\n  %p = getelementptr i32, ptr addrspace(1) %x, i32 %i\n"
           "  %first = icmp eq i32 %t, 0\n"
           "  call void @tessera.gpu.store.i32(ptr addrspace(1) %p, i32 7, i1 %first, i32 0)\n"
           "  %o = call i32 @tessera.gpu.atomic.add.i32." +
           order +
           ".device(ptr addrspace(1) %x, i32 1, i1 %first)\n"
           "  br i1 %first, label %tell, label %wait\ntell:\n"
           "  store i32 %o, ptr addrspace(3) @tessera.shared\n  br label %wait\nwait:\n" +
           kBarrier +
           "  %s = load i32, ptr addrspace(3) @tessera.shared\n  %last = icmp eq i32 %s, 3\n"
           "  br i1 %last, label %read, label %end\nread:\n"
           "  %j = and i32 %t, 3\n  %k = add i32 %j, 1\n  %q = getelementptr i32, ptr addrspace(1) %x, i32 %k\n"
           "  %v = load i32, ptr addrspace(1) %q\n  br label %end\nend:\n";
  };
  EXPECT_EQ(faultsOf(body("acq_rel"), 64, 4), "");
  EXPECT_THAT(faultsOf(body("relaxed"), 64, 4), HasSubstr("programs of a grid run in any order"));
}

TEST(SimRace, fencesOrderPrograms) {
  EXPECT_EQ(faultsOf(lastBlock("relaxed", "  call void @tessera.gpu.fence.device()\n"), 32, 4), "");
}

TEST(SimRace, atomicsDoNotRaceWithEachOther) {
  const std::string add =
      "  %o = call i32 @tessera.gpu.atomic.add.i32.relaxed.device(ptr addrspace(1) %x, i32 1, i1 true)\n";
  EXPECT_EQ(faultsOf(add, 64, 2), "");
  EXPECT_THAT(faultsOf(add + "  %v = load i32, ptr addrspace(1) %x\n", 64), HasSubstr("races on global memory"));
  EXPECT_EQ(faultsOf(add + kBarrier + "  %v = load i32, ptr addrspace(1) %x\n", 64), "");
}

} // namespace
} // namespace tessera::ir::sim
