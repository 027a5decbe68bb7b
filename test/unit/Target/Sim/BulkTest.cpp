//===- BulkTest.cpp - barriers in memory and copies of boxes --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Sim/Memory/TensorMap.h"
#include "unit/Target/Sim/SimTest.h"

namespace tessera::ir::sim {
namespace {

using testing::HasSubstr;

/// One block of 64 threads over a tensor of 10 rows of 20 f32 and an output. The barrier is at 2048 of shared memory.
struct Bulk : Trial {
  explicit Bulk(rt::TensorSwizzle swizzle = rt::TensorSwizzle::None, std::uint64_t columns = 20) {
    request.threads = 64;
    request.sharedBytes = 4096;
    std::vector<float> x(200);
    for (std::size_t i = 0; i != x.size(); ++i)
      x[i] = static_cast<float>(i);
    buffer(x);
    buffer(std::vector<float>(128));
    numbers = {0};
    prepare = [this, swizzle, columns](const std::vector<std::uint64_t> &addresses) {
      rt::TensorMapValues values;
      values.address = addresses[0];
      values.dtype = f32;
      values.rank = 2;
      values.extents = {columns, 10};
      values.strideBytes = {80};
      values.box = {8, 8};
      values.swizzle = swizzle;
      encodeTensorMap(values, map);
      numbers[0] = reinterpret_cast<std::uint64_t>(map);
    };
  }
  std::string body(const std::string &text) {
    return (*this)(R"(
declare void @tessera.nv.mbarrier.init.shared.b64(ptr addrspace(3), i32)
declare i64 @tessera.nv.mbarrier.arrive.shared.b64(ptr addrspace(3))
declare i64 @tessera.nv.mbarrier.arrive.expect_tx.shared.b64(ptr addrspace(3), i32)
declare i1 @tessera.nv.mbarrier.try_wait.parity.shared.b64(ptr addrspace(3), i32)
declare void @"tessera.nv.cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"(ptr addrspace(3), ptr, i32, i32, ptr addrspace(3))
declare void @"tessera.nv.cp.async.bulk.tensor.2d.global.shared::cta.bulk_group"(ptr, i32, i32, ptr addrspace(3))
declare void @tessera.nv.cp.async.bulk.commit_group()
declare void @tessera.nv.cp.async.bulk.wait_group(i32)
declare void @"tessera.nv.fence.proxy.async.shared::cta"()
define void @k(ptr addrspace(1) %x, ptr addrspace(1) %out, i64 %m) {
entry:
  %t = call i32 @tessera.gpu.thread_id()
  %map = inttoptr i64 %m to ptr
  %bar = getelementptr i8, ptr addrspace(3) @tessera.shared, i32 2048
  %mine = getelementptr float, ptr addrspace(3) @tessera.shared, i32 %t
  %o = getelementptr float, ptr addrspace(1) %out, i32 %t
  %one = icmp eq i32 %t, 0
)" + text);
  }

  alignas(64) std::byte map[128];
};

const std::string kBarrier = "  call void @tessera.gpu.barrier()\n";

std::string once(const std::string &label, const std::string &body) {
  return "  br i1 %one, label %" + label + ", label %" + label + ".end\n" + label + ":\n" + body + "  br label %" +
         label + ".end\n" + label + ".end:\n";
}
std::string load(const std::string &x, const std::string &y, int bytes) {
  return "  %s = call i64 @tessera.nv.mbarrier.arrive.expect_tx.shared.b64(ptr addrspace(3) %bar, i32 " +
         std::to_string(bytes) +
         ")\n  call void "
         "@\"tessera.nv.cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes\"(ptr "
         "addrspace(3) @tessera.shared, ptr %map, i32 " +
         x + ", i32 " + y + ", ptr addrspace(3) %bar)\n";
}
const std::string kInit = "  call void @tessera.nv.mbarrier.init.shared.b64(ptr addrspace(3) %bar, i32 1)\n";
std::string wait(const std::string &before) {
  return "  br label %spin\nspin:\n  %d = call i1 @tessera.nv.mbarrier.try_wait.parity.shared.b64(ptr addrspace(3) "
         "%bar, "
         "i32 0)\n  br i1 %d, label %go, label %spin\ngo:\n" +
         before;
}
const std::string kUse = "  %v = load float, ptr addrspace(3) %mine\n  store float %v, ptr addrspace(1) %o\n";
const std::string kEnd = "  ret void\n}\n";

TEST(SimBulk, loadsABox) {
  Bulk b;
  EXPECT_EQ(b.body(once("init", kInit) + kBarrier + once("issue", load("16", "4", 256)) + wait("") + kUse + kEnd), "");
  EXPECT_EQ(b.values<float>(1)[0], 4 * 20 + 16);
  EXPECT_EQ(b.values<float>(1)[8 + 3], 5 * 20 + 16 + 3);
  EXPECT_EQ(b.values<float>(1)[4], 0);     // behind the row
  EXPECT_EQ(b.values<float>(1)[6 * 8], 0); // below the last row
}

TEST(SimBulk, swizzles) {
  Bulk b(rt::TensorSwizzle::Bytes32);
  EXPECT_EQ(b.body(once("init", kInit) + kBarrier + once("issue", load("0", "0", 256)) + wait("") + kUse + kEnd), "");
  // Rows of 32 bytes; in the second 128 bytes the halves of a row are exchanged.
  EXPECT_EQ(b.values<float>(1)[0], 0);
  EXPECT_EQ(b.values<float>(1)[32], 4 * 20 + 4);
}

TEST(SimBulk, useBeforeTheWaitIsFound) {
  Bulk b;
  EXPECT_THAT(b.body(once("init", kInit) + kBarrier + once("issue", load("0", "0", 256)) + kBarrier + kUse + kEnd),
              HasSubstr("where an asynchronous copy is still writing"));
}

TEST(SimBulk, barrierMustBeMadeAndKnown) {
  Bulk b;
  EXPECT_THAT(b.body(once("issue", load("0", "0", 256)) + kEnd), HasSubstr("uses a barrier that was not made"));
  EXPECT_NE(b.body(once("init", kInit) + once("issue", load("0", "0", 256)) + wait("") + kEnd), "");
}

TEST(SimBulk, wrongNumberOfBytesIsADeadlock) {
  Bulk b;
  EXPECT_THAT(b.body(once("init", kInit) + kBarrier + once("issue", load("0", "0", 260)) + wait("") + kUse + kEnd),
              HasSubstr("waits for ever; the barrier at 2048 has 0 phases behind it and lacks 0 arrivals and 4 bytes"));
}

TEST(SimBulk, arrivalsAreCounted) {
  const auto arrive = [](int count) {
    return once("init", "  call void @tessera.nv.mbarrier.init.shared.b64(ptr addrspace(3) %bar, i32 " +
                            std::to_string(count) + ")\n") +
           kBarrier + "  %s = call i64 @tessera.nv.mbarrier.arrive.shared.b64(ptr addrspace(3) %bar)\n" + wait("") +
           kEnd;
  };
  Bulk b;
  EXPECT_EQ(b.body(arrive(64)), "");
  EXPECT_THAT(b.body(arrive(65)), HasSubstr("lacks 1 arrivals"));
}

/// Every thread writes its number, and one stores the box.
std::string store(const std::string &fence, const std::string &after, const std::string &x = "16",
                  const std::string &y = "0") {
  return "  %f = uitofp i32 %t to float\n  store float %f, ptr addrspace(3) %mine\n" + fence + kBarrier +
         once("issue",
              "  call void @\"tessera.nv.cp.async.bulk.tensor.2d.global.shared::cta.bulk_group\"(ptr %map, i32 " + x +
                  ", i32 " + y +
                  ", ptr "
                  "addrspace(3) @tessera.shared)\n  call void @tessera.nv.cp.async.bulk.commit_group()\n" +
                  after) +
         kEnd;
}
const std::string kFence = "  call void @\"tessera.nv.fence.proxy.async.shared::cta\"()\n";
const std::string kWait = "  call void @tessera.nv.cp.async.bulk.wait_group(i32 0)\n";

TEST(SimBulk, storesABox) {
  Bulk b;
  EXPECT_EQ(b.body(store(kFence, kWait)), "");
  EXPECT_EQ(b.values<float>(0)[16], 0);
  EXPECT_EQ(b.values<float>(0)[20 + 17], 9);
  EXPECT_EQ(b.values<float>(0)[20], 20); // columns behind the row are dropped
}

TEST(SimBulk, boxesBeginAtMultiplesOf16Bytes) {
  for (const char *x : {"-4", "-8", "8", "20"}) {
    Bulk b;
    EXPECT_EQ(b.body(once("init", kInit) + kBarrier + once("issue", load(x, "-3", 256)) + wait("") + kUse + kEnd), "");
  }
  for (const char *x : {"-3", "-1", "2", "17"}) {
    Bulk b;
    EXPECT_THAT(b.body(once("init", kInit) + kBarrier + once("issue", load(x, "4", 256)) + wait("") + kUse + kEnd),
                HasSubstr("the copy unit begins at multiples of 16 bytes"));
  }
}

/// What the unit of a chip does wrong is found.
TEST(SimBulk, storesBeginInTheTensorAndEndWithGroups) {
  for (const auto &[x, y] : {std::pair{"-4", "0"}, {"0", "-1"}, {"-8", "-8"}}) {
    Bulk b;
    EXPECT_THAT(b.body(store(kFence, kWait, x, y)), HasSubstr("stores boxes that begin in the tensor"));
  }
  Bulk behind;
  EXPECT_EQ(behind.body(store(kFence, kWait, "24", "12")), "");
  EXPECT_EQ(behind.values<float>(0)[199], 199);
  Bulk cut(rt::TensorSwizzle::None, 19);
  EXPECT_THAT(cut.body(store(kFence, kWait)), HasSubstr("writes whole groups of 16 bytes"));
  EXPECT_EQ(cut.body(store(kFence, kWait, "8")), "");
}

TEST(SimBulk, storesNeedAProxyFence) {
  Bulk b;
  EXPECT_THAT(b.body(store("", kWait)), HasSubstr("which a thread wrote without a proxy fence behind it"));
  Bulk broken;
  broken.request.sabotage.dropFence = 0;
  EXPECT_THAT(broken.body(store(kFence, kWait)), HasSubstr("without a proxy fence"));
}

TEST(SimBulk, overwritingWhatIsStillReadIsFound) {
  Bulk b;
  EXPECT_THAT(b.body(store(kFence, "  store float 0.0, ptr addrspace(3) %mine\n")),
              HasSubstr("where an asynchronous copy is still reading"));
  EXPECT_EQ(b.body(store(kFence, kWait + "  store float 0.0, ptr addrspace(3) %mine\n")), "");
}

} // namespace
} // namespace tessera::ir::sim
