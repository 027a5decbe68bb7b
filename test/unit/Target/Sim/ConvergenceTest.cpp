//===- ConvergenceTest.cpp - lanes and warps that part and meet -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Target/Sim/SimTest.h"

namespace tessera::ir::sim {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A kernel of one buffer; `%t` is the thread's number and `%q` its element.
std::string kernel(const std::string &body) {
  return "define void @k(ptr addrspace(1) %out) {\n"
         "entry:\n"
         "  %t = call i32 @tessera.gpu.thread_id()\n"
         "  %q = getelementptr i32, ptr addrspace(1) %out, i32 %t\n" +
         body + "}\n";
}

std::vector<std::int32_t> compute(const std::string &body, unsigned threads = 32, unsigned warpSize = 32) {
  Trial run;
  run.request.threads = threads;
  run.machine.warpSize = warpSize;
  run.buffer(std::vector<std::int32_t>(threads, -1));
  EXPECT_EQ(run(kernel(body)), "");
  return run.values<std::int32_t>(0);
}
std::string faultsOf(const std::string &body, unsigned threads = 32) {
  Trial run;
  run.request.threads = threads;
  run.request.maxSteps = 10000;
  run.buffer(std::vector<std::int32_t>(threads, -1));
  return run(kernel(body));
}

TEST(SimConvergence, lanesTakeBothSides) {
  const std::vector<std::int32_t> out = compute(R"(
  %odd = trunc i32 %t to i1
  br i1 %odd, label %a, label %b
a:
  br label %c
b:
  %m = mul i32 %t, 10
  br label %c
c:
  %r = phi i32 [ 7, %a ], [ %m, %b ]
  store i32 %r, ptr addrspace(1) %q
  ret void
)");
  EXPECT_EQ(out[3], 7);
  EXPECT_EQ(out[4], 40);
}

TEST(SimConvergence, lanesLeaveLoopsOneByOne) {
  // Sums 0 … t-1, and then meets in a shuffle.
  const std::vector<std::int32_t> out = compute(R"(
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %n, %body ]
  %s = phi i32 [ 0, %entry ], [ %u, %body ]
  %c = icmp slt i32 %i, %t
  br i1 %c, label %body, label %exit
body:
  %u = add i32 %s, %i
  %n = add i32 %i, 1
  br label %head
exit:
  %x = call i32 @tessera.gpu.shuffle.xor(i32 %s, i32 1)
  store i32 %x, ptr addrspace(1) %q
  ret void
)");
  EXPECT_EQ(out[4], 10);
  EXPECT_EQ(out[5], 6);
}

TEST(SimConvergence, phisMoveAtOnce) {
  const std::vector<std::int32_t> out = compute(R"(
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %n, %head ]
  %a = phi i32 [ 1, %entry ], [ %b, %head ]
  %b = phi i32 [ 2, %entry ], [ %a, %head ]
  %n = add i32 %i, 1
  %c = icmp slt i32 %n, 4
  br i1 %c, label %head, label %exit
exit:
  %r = mul i32 %a, 10
  %v = add i32 %r, %b
  store i32 %v, ptr addrspace(1) %q
  ret void
)");
  EXPECT_EQ(out[0], 21);
}

TEST(SimConvergence, switches) {
  const std::vector<std::int32_t> out = compute(R"(
  %k = and i32 %t, 3
  switch i32 %k, label %other [ i32 0, label %a
                                i32 1, label %b ]
a:
  br label %c
b:
  br label %c
other:
  br label %c
c:
  %r = phi i32 [ 10, %a ], [ 11, %b ], [ 12, %other ]
  store i32 %r, ptr addrspace(1) %q
  ret void
)");
  EXPECT_THAT(std::vector<std::int32_t>(out.begin(), out.begin() + 4), testing::ElementsAre(10, 11, 12, 12));
}

TEST(SimConvergence, shuffles) {
  const auto shuffle = [](const std::string &how, int argument, unsigned warpSize = 32) {
    return compute("  %r = call i32 @tessera.gpu.shuffle." + how + "(i32 %t, i32 " + std::to_string(argument) +
                       ")\n  store i32 %r, ptr addrspace(1) %q\n  ret void\n",
                   64, warpSize);
  };
  EXPECT_EQ(shuffle("xor", 16)[3], 19);
  EXPECT_EQ(shuffle("xor", 32, 64)[3], 35);
  EXPECT_EQ(shuffle("up", 1)[0], 0);
  EXPECT_EQ(shuffle("up", 1)[33], 32);
  EXPECT_EQ(shuffle("up", 1)[32], 32);
  EXPECT_EQ(shuffle("up", 1, 64)[32], 31);
  EXPECT_EQ(shuffle("down", 2)[31], 31);
  EXPECT_EQ(shuffle("idx", 5)[40], 37);
}

TEST(SimConvergence, ballotsAndReductions) {
  EXPECT_EQ(
      compute("  %o = trunc i32 %t to i1\n  %b = call i64 @tessera.gpu.ballot(i1 %o)\n  %r = trunc i64 %b to i32\n"
              "  store i32 %r, ptr addrspace(1) %q\n  ret void\n")[7],
      static_cast<std::int32_t>(0xaaaaaaaa));
  EXPECT_EQ(
      compute("  %r = call i32 @tessera.gpu.reduce.add(i32 %t)\n  store i32 %r, ptr addrspace(1) %q\n  ret void\n",
              64)[40],
      32 * 32 + 31 * 16);
}

TEST(SimConvergence, divergentShuffleIsAFault) {
  EXPECT_THAT(faultsOf(R"(
  %odd = trunc i32 %t to i1
  br i1 %odd, label %a, label %b
a:
  %x = call i32 @tessera.gpu.shuffle.xor(i32 %t, i32 1)
  br label %b
b:
  ret void
)"),
              HasSubstr("`tessera.gpu.shuffle.xor` is reached by 16 of 32 lanes of a warp; others have returned"));
}

TEST(SimConvergence, lanesInDifferentBarriersAreAFault) {
  EXPECT_THAT(faultsOf(R"(
  %odd = trunc i32 %t to i1
  br i1 %odd, label %a, label %b
a:
  call void @tessera.gpu.barrier()
  br label %c
b:
  call void @tessera.gpu.warp_sync()
  br label %c
c:
  ret void
)"),
              AllOf(HasSubstr("of 32 lanes of a warp"), HasSubstr("others wait at")));
}

TEST(SimConvergence, warpsInDifferentBarriersAreAFault) {
  const std::string body = R"(
  %w = call i32 @tessera.gpu.warp_id()
  %first = icmp eq i32 %w, 0
  br i1 %first, label %a, label %b
a:
  call void @tessera.gpu.barrier()
  br label %c
b:
  call void @tessera.gpu.barrier()
  br label %c
c:
  ret void
)";
  EXPECT_THAT(faultsOf(body, 64), HasSubstr("is a divergent barrier: other warps wait at"));
}

TEST(SimConvergence, barrierThatOthersNeverReachIsAFault) {
  EXPECT_THAT(faultsOf(R"(
  %w = call i32 @tessera.gpu.warp_id()
  %first = icmp eq i32 %w, 0
  br i1 %first, label %a, label %c
a:
  call void @tessera.gpu.barrier()
  br label %c
c:
  ret void
)",
                       64),
              HasSubstr("is a divergent barrier: warp 0 waits for ever; warp 1 has returned"));
}

TEST(SimConvergence, barriersLetAllGoOn) {
  EXPECT_EQ(faultsOf("  call void @tessera.gpu.barrier()\n  call void @tessera.gpu.barrier()\n  ret void\n", 128), "");
  EXPECT_EQ(faultsOf("  %w = call i32 @tessera.gpu.warp_id()\n  %p = lshr i32 %w, 1\n  %n = add i32 %p, 1\n"
                     "  call void @tessera.gpu.named_barrier(i32 %n, i32 64)\n  ret void\n",
                     128),
            "");
}

TEST(SimConvergence, endlessLoopsEnd) {
  EXPECT_THAT(faultsOf("  br label %l\nl:\n  br label %l\n"),
              HasSubstr("instructions of one block have been executed"));
}

TEST(SimConvergence, unreachableIsAFault) {
  EXPECT_THAT(faultsOf("  unreachable\n"), HasSubstr("`unreachable` is reached"));
}

TEST(SimConvergence, sameSeedSameOrder) {
  // The old values of an atomic counter tell the order of the warps.
  const std::string body = R"(
  %z = getelementptr i32, ptr addrspace(1) %out, i32 0
  %w = call i32 @tessera.gpu.warp_id()
  %l = call i32 @tessera.gpu.lane_id()
  %one = icmp eq i32 %l, 0
  %o = call i32 @tessera.gpu.atomic.add.i32.relaxed.device(ptr addrspace(1) %z, i32 1, i1 %one)
  %s = add i32 %w, 1
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %s
  call void @tessera.gpu.store.i32(ptr addrspace(1) %p, i32 %o, i1 %one, i32 0)
  ret void
)";
  const auto order = [&](std::uint64_t seed) {
    Trial run;
    run.request.threads = 512;
    run.request.seed = seed;
    run.buffer(std::vector<std::int32_t>(17));
    EXPECT_EQ(run(kernel(body)), "");
    return run.values<std::int32_t>(0);
  };
  EXPECT_EQ(order(1), order(1));
  EXPECT_NE(order(1), order(2));
}

} // namespace
} // namespace tessera::ir::sim
