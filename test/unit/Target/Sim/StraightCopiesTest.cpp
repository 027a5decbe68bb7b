//===- StraightCopiesTest.cpp - copies of whole warps on the simulated GPU -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Target/Sim/SimTest.h"

#include <numeric>

namespace tessera::ir::sim {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string kBarrier = "  call void @tessera.gpu.barrier.shared()\n";

std::string wait(int kept) { return "  call void @tessera.gpu.copy_wait(i32 " + std::to_string(kept) + ")\n"; }

/// A copy of 4 bytes of each of 128 threads, from element t + 128 n of the buffer to shared element t + 128 n; threads
/// from \p end on are masked out.
std::string copy(int n, const std::string &end = "128", const std::string &warp = "%w") {
  const std::string k = std::to_string(n);
  return "  %i" + k + " = add i32 %t, " + std::to_string(128 * n) + "\n  %f" + k +
         " = getelementptr i32, ptr addrspace(1) %x, i32 %i" + k + "\n  %m" + k + " = icmp ult i32 %t, " + end +
         "\n  %b" + k + " = mul i32 " + warp + ", 256\n  %c" + k + " = add i32 %b" + k + ", " +
         std::to_string(512 * n) + "\n  %s" + k + " = getelementptr i8, ptr addrspace(3) @tessera.shared, i32 %c" + k +
         "\n  call void @tessera.gpu.copy_to_shared.i32(ptr addrspace(1) %f" + k + ", i1 %m" + k +
         ", ptr addrspace(3) %s" + k + ")\n";
}
/// Reads the element of copy \p n that thread `t xor far` copied and stores it where the thread's own is.
std::string use(int n, int far) {
  const std::string k = std::to_string(n);
  return "  %o" + k + " = xor i32 %i" + k + ", " + std::to_string(far) + "\n  %q" + k +
         " = getelementptr i32, ptr addrspace(3) @tessera.shared, i32 %o" + k + "\n  %v" + k +
         " = load i32, ptr addrspace(3) %q" + k + "\n  %y" + k + " = getelementptr i32, ptr addrspace(1) %out, i32 %i" +
         k + "\n  store i32 %v" + k + ", ptr addrspace(1) %y" + k + "\n";
}

struct Copies : Trial {
  Copies() {
    machine.warpSize = 64;
    request.threads = 128;
    request.sharedBytes = 2048;
    std::vector<std::int32_t> numbers(512);
    std::iota(numbers.begin(), numbers.end(), 1);
    buffer(numbers);
    buffer(std::vector<std::int32_t>(512));
  }
  std::string body(const std::string &text) {
    return (*this)("declare void @tessera.gpu.copy_to_shared.i32(ptr addrspace(1), i1, ptr addrspace(3))\n"
                   "declare void @tessera.gpu.copy_wait(i32)\n"
                   "declare void @tessera.gpu.barrier.shared()\n"
                   "define void @k(ptr addrspace(1) %x, ptr addrspace(1) %out) {\n"
                   "  %t = call i32 @tessera.gpu.thread_id()\n"
                   "  %w = lshr i32 %t, 6\n" +
                   text + "  ret void\n}\n");
  }
};

TEST(SimStraightCopies, waitedForAndInOrder) {
  Copies c;
  EXPECT_EQ(c.body(copy(0) + copy(1) + wait(1) + kBarrier + use(0, 64) + wait(0) + kBarrier + use(1, 65)), "");
  EXPECT_EQ(c.values<std::int32_t>(1)[3], 1 + 67);
  EXPECT_EQ(c.values<std::int32_t>(1)[128 + 4], 1 + 128 + 69);
}

TEST(SimStraightCopies, whoIsMaskedOutCopiesZeros) {
  Copies c;
  EXPECT_EQ(c.body(copy(0, "100") + wait(0) + kBarrier + use(0, 0)), "");
  EXPECT_EQ(c.values<std::int32_t>(1)[99], 100);
  EXPECT_EQ(c.values<std::int32_t>(1)[100], 0);
}

TEST(SimStraightCopies, aWaitForTooFewIsFound) {
  for (const std::string &body : {copy(0) + copy(1) + wait(1) + kBarrier + use(1, 0), copy(0) + kBarrier + use(0, 0),
                                  copy(0) + copy(1) + wait(2) + kBarrier + use(0, 0)}) {
    Copies c;
    EXPECT_THAT(c.body(body), HasSubstr("where an asynchronous copy is still writing"));
  }
}

TEST(SimStraightCopies, aDroppedOrWeakerWaitIsFound) {
  const std::string body = copy(0) + copy(1) + wait(1) + kBarrier + use(0, 64) + wait(0) + kBarrier + use(1, 64);
  for (const int which : {0, 1}) {
    Copies dropped, weakened;
    dropped.request.sabotage.dropWait = which;
    EXPECT_THAT(dropped.body(body), HasSubstr("still writing")) << which;
    weakened.request.sabotage.weakenWait = which;
    EXPECT_THAT(weakened.body(body), HasSubstr("still writing")) << which;
  }
}

TEST(SimStraightCopies, otherWarpsNeedABarrierToo) {
  Copies c;
  EXPECT_EQ(c.body(copy(0) + wait(0) + use(0, 0)), "");
  EXPECT_NE(c.body(copy(0) + wait(0) + use(0, 64)), "");
}

TEST(SimStraightCopies, aWarpHasOnePlace) {
  Copies c;
  EXPECT_THAT(c.body(copy(0, "128", "%t")), AllOf(HasSubstr("begins at"), HasSubstr("a warp copies to one place")));
}

TEST(SimStraightCopies, aBarrierOfSharedMemoryOrdersNoOther) {
  const std::string global = "  %p = getelementptr i32, ptr addrspace(1) %out, i32 %t\n"
                             "  store i32 %t, ptr addrspace(1) %p\n",
                    read = "  %far = xor i32 %t, 64\n  %q = getelementptr i32, ptr addrspace(1) %out, i32 %far\n"
                           "  %v = load i32, ptr addrspace(1) %q\n";
  Copies both, shared;
  EXPECT_EQ(both.body(global + "  call void @tessera.gpu.barrier()\n" + read), "");
  EXPECT_THAT(shared.body(global + kBarrier + read), HasSubstr("races on global memory"));
}

} // namespace
} // namespace tessera::ir::sim
