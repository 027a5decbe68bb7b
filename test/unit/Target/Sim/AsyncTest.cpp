//===- AsyncTest.cpp - asynchronous copies on the simulated GPU -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Target/Sim/SimTest.h"

namespace tessera::ir::sim {
namespace {

using testing::HasSubstr;

const std::string kBarrier = "  call void @tessera.gpu.barrier()\n";
const std::string kCommit = "  call void @tessera.nv.cp.async.commit_group()\n";

std::string wait(int kept) { return "  call void @tessera.nv.cp.async.wait_group(i32 " + std::to_string(kept) + ")\n"; }
/// A copy of 4 bytes of each thread, from element t + 64 n of the buffer to shared element t + 64 n.
std::string copy(int n) {
  const std::string k = std::to_string(n);
  return "  %i" + k + " = add i32 %t, " + std::to_string(64 * n) + "\n  %f" + k +
         " = getelementptr i32, ptr addrspace(1) %x, i32 %i" + k + "\n  %s" + k +
         " = getelementptr i32, ptr addrspace(3) @tessera.shared, i32 %i" + k +
         "\n  call void @tessera.nv.cp.async.ca.shared.global(ptr addrspace(3) %s" + k + ", ptr addrspace(1) %f" + k +
         ", i32 4)\n";
}
/// Reads the element of copy \p n that thread `t xor far` copied and stores it where the thread's own is.
std::string use(int n, int far) {
  const std::string k = std::to_string(n);
  return "  %o" + k + " = xor i32 %i" + k + ", " + std::to_string(far) + "\n  %q" + k +
         " = getelementptr i32, ptr addrspace(3) @tessera.shared, i32 %o" + k + "\n  %v" + k +
         " = load i32, ptr addrspace(3) %q" + k + "\n  %y" + k + " = getelementptr i32, ptr addrspace(1) %out, i32 %i" +
         k + "\n  store i32 %v" + k + ", ptr addrspace(1) %y" + k + "\n";
}

struct Async : Trial {
  Async() {
    request.threads = 64;
    request.sharedBytes = 4096;
    std::vector<std::int32_t> numbers(256);
    for (std::size_t i = 0; i != numbers.size(); ++i)
      numbers[i] = static_cast<std::int32_t>(i);
    buffer(numbers);
    buffer(std::vector<std::int32_t>(256));
  }
  std::string body(const std::string &text) {
    return (*this)("declare void @tessera.nv.cp.async.ca.shared.global(ptr addrspace(3), ptr addrspace(1), i32)\n"
                   "declare void @\"tessera.nv.cp.async.cg.shared.global.L2::128B\"(ptr addrspace(3), ptr "
                   "addrspace(1), i32, i32)\n"
                   "declare void @tessera.nv.cp.async.commit_group()\n"
                   "declare void @tessera.nv.cp.async.wait_group(i32)\n"
                   "declare void @tessera.nv.cp.async.wait_all()\n"
                   "define void @k(ptr addrspace(1) %x, ptr addrspace(1) %out) {\n"
                   "  %t = call i32 @tessera.gpu.thread_id()\n" +
                   text + "  ret void\n}\n");
  }
};

TEST(SimAsync, waitedForAndInOrder) {
  Async a;
  EXPECT_EQ(
      a.body(copy(0) + kCommit + copy(1) + kCommit + wait(1) + kBarrier + use(0, 32) + wait(0) + kBarrier + use(1, 33)),
      "");
  EXPECT_EQ(a.values<std::int32_t>(1)[3], 35);
  EXPECT_EQ(a.values<std::int32_t>(1)[64 + 4], 64 + 37);
  EXPECT_EQ(a.body(copy(0) + "  call void @tessera.nv.cp.async.wait_all()\n" + use(0, 0)), "");
}

TEST(SimAsync, aWaitForTooFewIsFound) {
  Async a;
  EXPECT_THAT(a.body(copy(0) + kCommit + copy(1) + kCommit + wait(1) + kBarrier + use(1, 0)),
              HasSubstr("where an asynchronous copy is still writing"));
  EXPECT_THAT(a.body(copy(0) + kCommit + use(0, 0)), HasSubstr("where an asynchronous copy is still writing"));
  EXPECT_THAT(a.body(copy(0) + wait(0) + use(0, 0)), HasSubstr("where an asynchronous copy is still writing"));
}

TEST(SimAsync, aDroppedWaitIsFound) {
  const std::string body =
      copy(0) + kCommit + copy(1) + kCommit + wait(1) + kBarrier + use(0, 32) + wait(0) + kBarrier + use(1, 32);
  for (int which : {0, 1}) {
    Async a;
    a.request.sabotage.dropWait = which;
    EXPECT_THAT(a.body(body), HasSubstr("still writing")) << which;
  }
}

TEST(SimAsync, otherWarpsNeedABarrierToo) {
  Async a;
  EXPECT_EQ(a.body(copy(0) + kCommit + wait(0) + use(0, 0)), "");
  EXPECT_NE(a.body(copy(0) + kCommit + wait(0) + use(0, 32)), "");
}

TEST(SimAsync, overwritingWhatIsStillToComeIsFound) {
  Async a;
  EXPECT_THAT(a.body(copy(0) + kCommit + "  store i32 0, ptr addrspace(3) %s0\n"),
              HasSubstr("writes shared memory at 0, where an asynchronous copy is still writing"));
}

TEST(SimAsync, whatIsNotReadIsZero) {
  Async a;
  EXPECT_EQ(
      a.body("  %b = mul i32 %t, 16\n  %s = getelementptr i8, ptr addrspace(3) @tessera.shared, i32 %b\n"
             "  %odd = and i32 %t, 1\n  %n = mul i32 %odd, 8\n  %m = and i32 %t, 15\n  %e = mul i32 %m, 16\n"
             "  %f = getelementptr i8, ptr addrspace(1) %x, i32 %e\n"
             "  call void @\"tessera.nv.cp.async.cg.shared.global.L2::128B\"(ptr addrspace(3) %s, ptr addrspace(1) %f, "
             "i32 16, i32 %n)\n" +
             kCommit + wait(0) +
             "  %v = load <4 x i32>, ptr addrspace(3) %s\n  %c = extractelement <4 x i32> %v, i32 1\n"
             "  %y = getelementptr i32, ptr addrspace(1) %out, i32 %t\n  store i32 %c, ptr addrspace(1) %y\n"),
      "");
  EXPECT_EQ(a.values<std::int32_t>(1)[3], 4 * 3 + 1);
  EXPECT_EQ(a.values<std::int32_t>(1)[2], 0);
}

} // namespace
} // namespace tessera::ir::sim
