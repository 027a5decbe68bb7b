//===- WgmmaTest.cpp - products of a warpgroup ----------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Target/Sim/SimTest.h"

namespace tessera::ir::sim {
namespace {

using testing::HasSubstr;

const std::string kAcc = "{ float, float, float, float }";
const std::string kMma = "@tessera.nv.wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16";
const std::string kFence = "  call void @\"tessera.nv.fence.proxy.async.shared::cta\"()\n";
const std::string kBarrier = "  call void @tessera.gpu.barrier()\n";
const std::string kWait =
    "  %w = call " + kAcc + " @tessera.nv.wgmma.wait_group.sync.aligned(i32 0, " + kAcc + " %r)\n";

/// 128 threads multiply A (64 x 16, by rows) with B (8 x 16, by columns of B), both copied to shared memory in rows of
/// 32 bytes with the 32-byte swizzle, A at 0 and B at 2048. \p between stands before the product, \p after behind it.
std::string product(const std::string &between, const std::string &after, const std::string &value = "%w") {
  return "declare " + kAcc + " " + kMma + "(" + kAcc + ", i64, i64, i1, i32, i32, i32, i32)\ndeclare " + kAcc +
         " @tessera.nv.wgmma.wait_group.sync.aligned(i32, " + kAcc + R"()
declare void @tessera.nv.wgmma.fence.sync.aligned()
declare void @tessera.nv.wgmma.commit_group.sync.aligned()
declare void @"tessera.nv.fence.proxy.async.shared::cta"()
declare void @tessera.gpu.shared_store.v4i32(ptr addrspace(3), <4 x i32>, i1)
define void @k(ptr addrspace(1) %ab, ptr addrspace(1) %d) {
  %t = call i32 @tessera.gpu.thread_id()
  %in = icmp ult i32 %t, 72
  %row = mul i32 %t, 32
  %from = getelementptr i8, ptr addrspace(1) %ab, i32 %row
  %x = call <4 x i32> @tessera.gpu.load.v4i32(ptr addrspace(1) %from, i1 %in, <4 x i32> poison, i32 0)
  %from2 = getelementptr i8, ptr addrspace(1) %from, i32 16
  %y = call <4 x i32> @tessera.gpu.load.v4i32(ptr addrspace(1) %from2, i1 %in, <4 x i32> poison, i32 0)
  %swap = and i32 %t, 4
  %off = shl i32 %swap, 2
  %off2 = xor i32 %off, 16
  %at = add i32 %row, %off
  %at2 = add i32 %row, %off2
  %to = getelementptr i8, ptr addrspace(3) @tessera.shared, i32 %at
  %to2 = getelementptr i8, ptr addrspace(3) @tessera.shared, i32 %at2
  call void @tessera.gpu.shared_store.v4i32(ptr addrspace(3) %to, <4 x i32> %x, i1 %in)
  call void @tessera.gpu.shared_store.v4i32(ptr addrspace(3) %to2, <4 x i32> %y, i1 %in)
)" + between +
         R"(
  %base = ptrtoint ptr addrspace(3) @tessera.shared to i32
  %sa = lshr i32 %base, 4
  %sb = add i32 %sa, 128
  %za = zext i32 %sa to i64
  %zb = zext i32 %sb to i64
  %da = or i64 %za, -4611685949707845632
  %db = or i64 %zb, -4611685949707845632
  call void @tessera.nv.wgmma.fence.sync.aligned()
  %r = call )" +
         kAcc + " " + kMma + "(" + kAcc + " zeroinitializer, i64 %da, i64 %db, i1 true, i32 1, i32 1, i32 0, i32 0)\n" +
         "  call void @tessera.nv.wgmma.commit_group.sync.aligned()\n" + after + "  %v = extractvalue " + kAcc + " " +
         value + R"(, 2
  %warp = lshr i32 %t, 5
  %lane = and i32 %t, 31
  %g = lshr i32 %lane, 2
  %c = and i32 %lane, 3
  %m0 = mul i32 %warp, 16
  %m1 = add i32 %m0, %g
  %m = add i32 %m1, 8
  %n = mul i32 %c, 2
  %i0 = mul i32 %m, 8
  %i = add i32 %i0, %n
  %p = getelementptr float, ptr addrspace(1) %d, i32 %i
  store float %v, ptr addrspace(1) %p
  ret void
}
)";
}

/// A has 1 everywhere, but 2 in row 13; B has 1 everywhere, but 0 in its column 2.
struct Product : Trial {
  Product() {
    request.threads = 128;
    request.sharedBytes = 4096;
    std::vector<std::uint16_t> ab(72 * 16, 0x3c00);
    for (std::size_t k = 0; k != 16; ++k) {
      ab[13 * 16 + k] = 0x4000;
      ab[(64 + 2) * 16 + k] = 0;
    }
    ab[13 * 16 + 9] = 0x4200; // 3
    buffer(ab);
    buffer(std::vector<float>(64 * 8));
  }
};

TEST(SimWgmma, multiplies) {
  Product p;
  EXPECT_EQ(p(product(kFence + kBarrier, kWait)), "");
  const std::vector<float> d = p.values<float>(1);
  EXPECT_EQ(d[13 * 8], 33);
  EXPECT_EQ(d[13 * 8 + 2], 0);
  EXPECT_EQ(d[14 * 8 + 4], 16);
  EXPECT_EQ(d[(48 + 8) * 8 + 6], 16);
}

TEST(SimWgmma, swappedSwizzleBitsAreSeen) {
  Product p;
  p.request.sabotage.swapSwizzle = true;
  const std::string faults = p(product(kFence + kBarrier, kWait));
  EXPECT_TRUE(!faults.empty() || p.values<float>(1)[13 * 8] != 33);
}

TEST(SimWgmma, missingFencesAndBarriersAreFound) {
  Product p;
  EXPECT_THAT(p(product(kBarrier, kWait)), HasSubstr("without a proxy fence"));
  Product q;
  EXPECT_NE(q(product(kFence, kWait)), "");
}

TEST(SimWgmma, useBeforeTheWaitIsRefused) {
  Product p;
  EXPECT_THAT(p(product(kFence + kBarrier, "", "%r")), HasSubstr("is used before a wait for it"));
}

TEST(SimWgmma, aDroppedWaitIsSeen) {
  Product p;
  p.request.sabotage.dropWait = 0;
  (void)p(product(kFence + kBarrier, kWait));
  EXPECT_NE(p.values<float>(1)[13 * 8], 33);
}

TEST(SimWgmma, overwritingOperandsBeforeTheWaitIsFound) {
  Product p;
  EXPECT_THAT(p(product(kFence + kBarrier, "  store i32 0, ptr addrspace(3) %to\n" + kWait)),
              HasSubstr("races on shared memory"));
}

} // namespace
} // namespace tessera::ir::sim
