//===- BorderTest.cpp - what becomes of each function of the border -------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Target/AMD/Compile.h"
#include "unit/Target/AMD/InnerLoop.h"
#include "unit/Target/Gpu/CallOf.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

using namespace tessera;
using namespace tessera::test;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

namespace {

/// The instructions that `tessera.gpu.<name>` becomes.
std::string lowered(const std::string &chip, const std::string &name, const std::string &result,
                    const std::string &arguments, const std::string &attributes = "nounwind", bool used = true) {
  return amdAsmOf(callOf("tessera.gpu." + name, result, arguments, attributes, used), amdChip(chip));
}

std::string shuffled(const std::string &chip, const std::string &how, const std::string &argument) {
  return lowered(chip, "shuffle." + how, "i32", "i32 %i; i32 " + argument, "convergent nounwind");
}

const char *const kChips[] = {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"};

} // namespace

TEST(AmdBorder, numbersOfThreads) {
  // Two warps of 64, or four of 32.
  for (const auto &[chip, bits] : {std::pair("gfx942", "6"), std::pair("gfx1100", "5")}) {
    SCOPED_TRACE(chip);
    EXPECT_THAT(lowered(chip, "warp_id", "i32", ""), ContainsRegex(fmt::format("v_lshrrev_b32.*, {}, v0", bits)));
    EXPECT_THAT(lowered(chip, "lane_id", "i32", ""), ContainsRegex("v_(dual_)?and_b32"));
    // The other axes are never looked at.
    EXPECT_THAT(lowered(chip, "thread_id", "i32", ""),
                AllOf(Not(ContainsRegex("and_b32|bfe_u32")), HasSubstr(".amdhsa_system_vgpr_workitem_id 0")));
  }
}

TEST(AmdBorder, theOptimiserKnowsHowManyThreadsThereAre) {
  const std::string code = amdAsmOf(R"(
declare i32 @tessera.gpu.thread_id() memory(none) nounwind willreturn
define void @k(ptr addrspace(1) %out) {
  %t = call i32 @tessera.gpu.thread_id()
  %c = icmp ult i32 %t, 128
  %r = select i1 %c, i32 7, i32 9
  store i32 %r, ptr addrspace(1) %out
  ret void
}
)",
                                    amdChip("gfx942"));
  EXPECT_THAT(code, AllOf(HasSubstr(", 7"), Not(HasSubstr("v_cmp"))));
}

TEST(AmdBorder, numbersOfBlocksAreReadWhereAsked) {
  const std::string none = lowered("gfx942", "block_id.x", "i32", "");
  EXPECT_THAT(none, Not(HasSubstr("hidden_")));
  const std::string counts = lowered("gfx942", "num_blocks.y", "i32", "");
  EXPECT_THAT(counts, AllOf(HasSubstr("hidden_block_count_y"), Not(HasSubstr("hidden_hostcall_buffer")),
                            Not(HasSubstr("hidden_heap")), Not(HasSubstr("hidden_queue_ptr"))));
  EXPECT_THAT(counts, HasSubstr(".amdhsa_user_sgpr_dispatch_ptr 0"));
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

TEST(AmdBorder, flipsInARowAreOperands) {
  for (const char *chip : kChips) {
    SCOPED_TRACE(chip);
    const bool hasRowXor = std::string_view(chip).starts_with("gfx1");
    for (int mask = 1; mask != 16; ++mask) {
      const std::string code = shuffled(chip, "xor", std::to_string(mask));
      EXPECT_THAT(code, Not(ContainsRegex("ds_|v_readlane|permlane"))) << mask;
      const int moves = countOf(code, "_dpp");
      EXPECT_GE(moves, 1) << mask;
      EXPECT_LE(moves, hasRowXor ? 1 : 2) << mask;
    }
    EXPECT_THAT(shuffled(chip, "xor", "1"), HasSubstr("quad_perm:[1,0,3,2]"));
    EXPECT_THAT(shuffled(chip, "xor", "2"), HasSubstr("quad_perm:[2,3,0,1]"));
    EXPECT_THAT(shuffled(chip, "xor", "8"), HasSubstr(hasRowXor ? "row_xmask:8" : "row_ror:8"));
    EXPECT_THAT(shuffled(chip, "xor", "4"), HasSubstr(hasRowXor ? "row_xmask:4" : "row_half_mirror"));
    EXPECT_THAT(shuffled(chip, "xor", "15"), HasSubstr(hasRowXor ? "row_xmask:15" : "row_mirror"));
  }
}

TEST(AmdBorder, flipsBetweenRows) {
  EXPECT_THAT(shuffled("gfx942", "xor", "16"), HasSubstr("ds_swizzle_b32"));
  EXPECT_THAT(shuffled("gfx942", "xor", "23"), AllOf(HasSubstr("ds_swizzle_b32"), Not(HasSubstr("_dpp"))));
  EXPECT_THAT(shuffled("gfx90a", "xor", "32"), HasSubstr("ds_bpermute_b32"));
  EXPECT_THAT(shuffled("gfx950", "xor", "16"), AllOf(HasSubstr("v_permlane16_swap_b32"), Not(HasSubstr("ds_"))));
  EXPECT_THAT(shuffled("gfx950", "xor", "32"), AllOf(HasSubstr("v_permlane32_swap_b32"), Not(HasSubstr("ds_"))));
  EXPECT_THAT(shuffled("gfx950", "xor", "50"),
              AllOf(HasSubstr("v_permlane16_swap_b32"), HasSubstr("v_permlane32_swap_b32"), HasSubstr("_dpp")));
  for (const char *chip : {"gfx1100", "gfx1201"})
    for (const char *mask : {"16", "21"})
      EXPECT_THAT(shuffled(chip, "xor", mask),
                  AllOf(HasSubstr("v_permlanex16_b32"), Not(HasSubstr("ds_")), Not(HasSubstr("_dpp"))));
}

TEST(AmdBorder, otherShuffles) {
  for (const char *chip : kChips) {
    SCOPED_TRACE(chip);
    EXPECT_THAT(shuffled(chip, "idx", "3"), AllOf(Not(HasSubstr("ds_")), Not(HasSubstr("_dpp"))));
    EXPECT_THAT(shuffled(chip, "idx", "%i"), HasSubstr("ds_bpermute_b32"));
    EXPECT_THAT(shuffled(chip, "xor", "%i"), HasSubstr("ds_bpermute_b32"));
    EXPECT_THAT(shuffled(chip, "up", "1"), HasSubstr("ds_bpermute_b32"));
    EXPECT_THAT(shuffled(chip, "down", "1"), HasSubstr("ds_bpermute_b32"));
  }
}

namespace {

/// Each lane reads lane \p lane, an expression of `%lane`.
std::string readsLane(const char *chip, const char *lane) {
  return amdAsmOf(fmt::format(R"(
declare i32 @tessera.gpu.lane_id() memory(none) nounwind willreturn
declare i32 @tessera.gpu.thread_id() memory(none) nounwind willreturn
declare i32 @tessera.gpu.shuffle.idx(i32, i32) memory(none) convergent nounwind willreturn
define void @k(ptr addrspace(1) %out, i32 %n) {{
  %lane = call i32 @tessera.gpu.lane_id()
  %t = call i32 @tessera.gpu.thread_id()
  %from = {}
  %v = mul i32 %t, %n
  %r = call i32 @tessera.gpu.shuffle.idx(i32 %v, i32 %from)
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r, ptr addrspace(1) %o
  ret void
}}
)",
                              lane),
                  amdChip(chip));
}

} // namespace

TEST(AmdBorder, lanesOfAGroupReadItsFirst) {
  for (const char *chip : kChips) {
    SCOPED_TRACE(chip);
    EXPECT_THAT(readsLane(chip, "and i32 %lane, -4"), HasSubstr("quad_perm:[0,0,0,0]"));
    EXPECT_THAT(readsLane(chip, "or i32 %lane, 1"), HasSubstr("quad_perm:[1,1,3,3]"));
    EXPECT_THAT(readsLane(chip, "and i32 %lane, -16"), ContainsRegex("row_(new)?(bcast|share):0"));
    EXPECT_THAT(readsLane(chip, "or i32 %lane, 15"), ContainsRegex("row_(new)?(bcast|share):15"));
    EXPECT_THAT(readsLane(chip, "and i32 %lane, 0"), AllOf(HasSubstr("v_readlane"), Not(HasSubstr("ds_"))));
    EXPECT_THAT(readsLane(chip, "add i32 %lane, 0"), Not(ContainsRegex("ds_|_dpp|lane")));
    // No instruction says this, so that addresses do.
    EXPECT_THAT(readsLane(chip, "mul i32 %lane, 3"), HasSubstr("ds_bpermute_b32"));
    EXPECT_THAT(readsLane(chip, "add i32 %t, %n"), HasSubstr("ds_bpermute_b32"));
  }
  EXPECT_THAT(readsLane("gfx942", "and i32 %lane, -8"), HasSubstr("ds_swizzle_b32"));
  EXPECT_THAT(readsLane("gfx942", "and i32 %lane, -32"), HasSubstr("ds_swizzle_b32"));
  EXPECT_THAT(readsLane("gfx1100", "and i32 %lane, -8"), HasSubstr("v_permlane16_b32"));
  EXPECT_THAT(readsLane("gfx1100", "and i32 %lane, 7"), HasSubstr("ds_swizzle_b32"));
}

TEST(AmdBorder, ballotHasABitALane) {
  for (const char *chip : kChips) {
    SCOPED_TRACE(chip);
    const std::string code = amdAsmOf(R"(
declare i32 @tessera.gpu.thread_id() memory(none) nounwind willreturn
declare i64 @tessera.gpu.ballot(i1) memory(none) convergent nounwind willreturn
define void @k(ptr addrspace(1) %out, i32 %n) {
  %t = call i32 @tessera.gpu.thread_id()
  %c = icmp ult i32 %t, %n
  %r = call i64 @tessera.gpu.ballot(i1 %c)
  store i64 %r, ptr addrspace(1) %out
  ret void
}
)",
                                      amdChip(chip));
    EXPECT_THAT(code, HasSubstr("v_cmp"));
    EXPECT_THAT(code, ContainsRegex("global_store_(dwordx2|b64)"));
  }
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

TEST(AmdBorder, barriersAndFences) {
  const auto call = [](const char *chip, const char *name) {
    return lowered(chip, name, "void", "", "convergent nounwind");
  };
  EXPECT_THAT(call("gfx942", "barrier"), HasSubstr("s_barrier"));
  EXPECT_THAT(call("gfx1201", "barrier"), AllOf(HasSubstr("s_barrier_signal"), HasSubstr("s_barrier_wait")));
  EXPECT_THAT(call("gfx1100", "barrier"), Not(HasSubstr("buffer_gl0_inv"))); // one compute unit, one cache
  EXPECT_THAT(call("gfx942", "warp_sync"), Not(HasSubstr("s_barrier")));
  EXPECT_THAT(call("gfx942", "fence.block"), Not(HasSubstr("buffer_")));
  EXPECT_THAT(call("gfx942", "fence.device"), AllOf(HasSubstr("buffer_wbl2 sc1"), HasSubstr("buffer_inv sc1")));
  EXPECT_THAT(call("gfx942", "fence.system"), AllOf(HasSubstr("buffer_wbl2 sc0 sc1"), HasSubstr("buffer_inv sc0 sc1")));
}

TEST(AmdBorder, aBarrierOrdersBothMemories) {
  const std::string code = amdAsmOf(R"(
@tessera.shared = external addrspace(3) global [4096 x i8], align 16
declare void @tessera.gpu.barrier() convergent nounwind
define void @k(ptr addrspace(1) %p, ptr addrspace(1) %out, i32 %i) {
  %s = getelementptr i8, ptr addrspace(3) @tessera.shared, i32 %i
  store i32 %i, ptr addrspace(3) %s
  store i32 %i, ptr addrspace(1) %p
  call void @tessera.gpu.barrier()
  %v = load i32, ptr addrspace(3) @tessera.shared
  %w = load i32, ptr addrspace(1) %p
  %r = add i32 %v, %w
  store i32 %r, ptr addrspace(1) %out
  ret void
}
)",
                                    amdChip("gfx942"));
  const std::size_t barrier = code.find("s_barrier");
  ASSERT_NE(barrier, std::string::npos);
  const std::string before = code.substr(0, barrier), after = code.substr(barrier);
  EXPECT_THAT(before, AllOf(HasSubstr("ds_write_b32"), HasSubstr("global_store_dword"), HasSubstr("lgkmcnt(0)")));
  EXPECT_THAT(after, AllOf(HasSubstr("ds_read_b32"), HasSubstr("global_load_dword")));
}

/// A program that loads global memory ahead, stores to shared memory, meets and reads there.
static std::string meetingBesideLoads(const char *barrier) {
  return fmt::format(R"(
@tessera.shared = external addrspace(3) global [4096 x i8], align 16
declare i32 @tessera.gpu.thread_id() memory(none) nounwind willreturn
declare void @tessera.gpu.{0}() convergent nounwind
define void @k(ptr addrspace(1) %p, ptr addrspace(1) %out, i32 %i) {{
  %t = call i32 @tessera.gpu.thread_id()
  %f = getelementptr i32, ptr addrspace(1) %p, i32 %t
  %ahead = load i32, ptr addrspace(1) %f
  %s = getelementptr i8, ptr addrspace(3) @tessera.shared, i32 %i
  store i32 %i, ptr addrspace(3) %s
  call void @tessera.gpu.{0}()
  %v = load i32, ptr addrspace(3) @tessera.shared
  %r = add i32 %v, %ahead
  store i32 %r, ptr addrspace(1) %out
  ret void
}}
)",
                     barrier);
}

/// What comes before the barrier.
static std::string beforeBarrier(const std::string &code) { return code.substr(0, code.find("s_barrier")); }

TEST(AmdBorder, aBarrierOfSharedMemoryWaitsForNothingElse) {
  const auto before = [](const char *chip, const char *barrier) {
    return beforeBarrier(amdAsmOf(meetingBesideLoads(barrier), amdChip(chip)));
  };
  EXPECT_THAT(before("gfx1100", "barrier"), ContainsRegex("vmcnt\\(0\\)"));
  EXPECT_THAT(before("gfx1201", "barrier"), HasSubstr("s_wait_loadcnt"));
  EXPECT_THAT(before("gfx1100", "barrier.shared"), AllOf(HasSubstr("lgkmcnt(0)"), Not(HasSubstr("vmcnt"))));
  EXPECT_THAT(before("gfx1201", "barrier.shared"), AllOf(HasSubstr("dscnt 0x0"), Not(HasSubstr("loadcnt"))));
  EXPECT_THAT(before("gfx942", "barrier.shared"), AllOf(HasSubstr("lgkmcnt(0)"), Not(HasSubstr("vmcnt"))));
}

/// What comes round a loop is waited for where threads meet at its head, though nothing comes there from above.
TEST(AmdBorder, whatIsWrittenARoundBeforeIsWaitedFor) {
  const auto loop = [](const char *chip, const char *order) {
    return innermostLoop(amdAsmOf(fmt::format(R"(
@tessera.shared = external addrspace(3) global [4096 x i8], align 16
declare i32 @tessera.gpu.thread_id() memory(none) nounwind willreturn
declare void @tessera.gpu.barrier() convergent nounwind
declare void @tessera.gpu.barrier.shared() convergent nounwind
declare void @tessera.gpu.fence.device() nounwind
declare void @tessera.gpu.atomic.store.i32.release.device(ptr addrspace(1), i32, i1) nounwind
define void @k(ptr addrspace(1) %p, ptr addrspace(1) %flag, i32 %n) {{
  %t = call i32 @tessera.gpu.thread_id()
  %g = getelementptr i32, ptr addrspace(1) %p, i32 %t
  %s = getelementptr i32, ptr addrspace(3) @tessera.shared, i32 %t
  br label %loop
loop:
  %i = phi i32 [0, %0], [%i1, %loop]
  call void @tessera.gpu.{0}
  %next = xor i32 %t, %i
  %from = getelementptr i32, ptr addrspace(3) @tessera.shared, i32 %next
  %v = load i32, ptr addrspace(3) %from
  call void @tessera.gpu.barrier.shared()
  store i32 %v, ptr addrspace(3) %s
  store i32 %v, ptr addrspace(1) %g
  %i1 = add i32 %i, 1
  %c = icmp ult i32 %i1, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}}
)",
                                              order),
                                  amdChip(chip)));
  };
  const char *const release = "atomic.store.i32.release.device(ptr addrspace(1) %flag, i32 %i, i1 true)";
  for (const char *chip : {"gfx90a", "gfx942", "gfx950", "gfx1100"}) {
    SCOPED_TRACE(chip);
    EXPECT_THAT(loop(chip, "barrier.shared()"), ContainsRegex("lgkmcnt\\(0\\)[^_]*s_barrier"));
    for (const char *order : {"barrier()", "fence.device()", release}) {
      SCOPED_TRACE(order);
      const std::string code = loop(chip, order);
      EXPECT_THAT(code.substr(0, code.find("ds_")), ContainsRegex("vmcnt\\(0\\) lgkmcnt\\(0\\)"));
      if (std::string_view(chip) == "gfx1100")
        EXPECT_THAT(code.substr(0, code.find("ds_")), HasSubstr("s_waitcnt_vscnt null, 0x0"));
    }
  }
  EXPECT_THAT(loop("gfx1201", "barrier.shared()"), ContainsRegex("s_wait_dscnt 0x0\n[^b]*s_barrier_signal"));
  for (const char *order : {"barrier()", "fence.device()", release}) {
    const std::string code = loop("gfx1201", order);
    EXPECT_THAT(code.substr(0, code.find("ds_load")), ContainsRegex("s_wait_storecnt(_dscnt)? 0x0")) << order;
  }
}

//===----------------------------------------------------------------------===//
// Copies straight to shared memory
//===----------------------------------------------------------------------===//

namespace {

/// A ring of three slots that waves fill two rounds ahead of where they read; a round has two copies of \p bytes a
/// lane.
/// \p address is that in memory of the lane (`%w` bytes from `%x`) and may use `%l`, an i64.
std::string ring(int bytes, const char *address = "  %f = getelementptr i8, ptr addrspace(1) %x, i64 %w") {
  const std::string type = bytes == 16 ? "v4i32" : "i32";
  return fmt::format(R"(
@tessera.shared = external addrspace(3) global [49152 x i8], align 16
declare i32 @tessera.gpu.thread_id() memory(none) nounwind willreturn
declare i32 @tessera.gpu.shuffle.idx(i32, i32) memory(none) convergent nounwind willreturn
declare void @tessera.gpu.barrier.shared() convergent nounwind
declare void @tessera.gpu.copy_to_shared.{0}(ptr addrspace(1), i1, ptr addrspace(3)) convergent nounwind
declare void @tessera.gpu.copy_wait(i32) convergent nounwind
define void @k(ptr addrspace(1) %x, ptr addrspace(1) %out, i32 %n, i64 %l) {{
  %t = call i32 @tessera.gpu.thread_id()
  %mine = mul i32 %t, {1}
  %w = zext i32 %mine to i64
  %wave = lshr i32 %t, 6
  %all = call i32 @tessera.gpu.shuffle.idx(i32 %wave, i32 0)
  %part = mul i32 %all, {2}
{3}
  br label %loop
loop:
  %i = phi i32 [0, %0], [%i1, %loop]
  %slot = phi i32 [0, %0], [%slot1, %loop]
  %sum = phi i32 [0, %0], [%sum1, %loop]
  call void @tessera.gpu.copy_wait(i32 2)
  call void @tessera.gpu.barrier.shared()
  %inside = icmp ult i32 %t, %n
  %so = mul i32 %slot, 8192
  %to = add i32 %so, %part
  %s = getelementptr i8, ptr addrspace(3) @tessera.shared, i32 %to
  call void @tessera.gpu.copy_to_shared.{0}(ptr addrspace(1) %f, i1 %inside, ptr addrspace(3) %s)
  %s2 = getelementptr i8, ptr addrspace(3) %s, i32 4096
  %f2 = getelementptr i8, ptr addrspace(1) %f, i64 4096
  call void @tessera.gpu.copy_to_shared.{0}(ptr addrspace(1) %f2, i1 %inside, ptr addrspace(3) %s2)
  %next = add i32 %slot, 1
  %end = icmp eq i32 %next, 3
  %slot1 = select i1 %end, i32 0, i32 %next
  %ro = mul i32 %slot1, 8192
  %far = xor i32 %mine, 64
  %at = add i32 %ro, %far
  %r = getelementptr i8, ptr addrspace(3) @tessera.shared, i32 %at
  %v = load i32, ptr addrspace(3) %r
  %sum1 = add i32 %sum, %v
  %i1 = add i32 %i, 1
  %done = icmp eq i32 %i1, 100
  br i1 %done, label %exit, label %loop
exit:
  %q = getelementptr i8, ptr addrspace(1) %out, i64 %w
  store i32 %sum1, ptr addrspace(1) %q
  ret void
}}
)",
                     type, bytes, 64 * bytes, address);
}

} // namespace

/// The wait stays as it is asked for, though shared memory is read and threads meet: LLVM adds none.
TEST(AmdBorder, copiesGoStraightAndWaitsAreCounted) {
  for (const auto &[chip, bytes, words] : {std::tuple("gfx90a", 4, "dword "), std::tuple("gfx942", 4, "dword "),
                                           std::tuple("gfx950", 16, "dwordx4 "), std::tuple("gfx950", 4, "dword ")}) {
    SCOPED_TRACE(fmt::format("{} {}", chip, bytes));
    const std::string loop = innermostLoop(amdAsmOf(ring(bytes), amdChip(chip)));
    EXPECT_EQ(countOf(loop, std::string("buffer_load_") + words), 2);
    EXPECT_EQ(countOf(loop, " lds"), 2);
    EXPECT_THAT(loop, AllOf(HasSubstr("vmcnt(2)"), Not(HasSubstr("vmcnt(0)")), HasSubstr("s_barrier"),
                            HasSubstr("ds_read_b32"), Not(HasSubstr("ds_write"))));
  }
}

/// Where no buffer is known to hold what is copied, masked lanes copy zeros from elsewhere.
TEST(AmdBorder, copiesFromAnywhere) {
  const char *const far = "  %d = mul i64 %w, %l\n  %f = getelementptr i8, ptr addrspace(1) %x, i64 %d";
  const std::string code = amdAsmOf(ring(16, far), amdChip("gfx950")), loop = innermostLoop(code);
  EXPECT_EQ(countOf(loop, "global_load_lds_dwordx4"), 2);
  EXPECT_THAT(code, HasSubstr("tessera.zeros"));
  EXPECT_THAT(loop, AllOf(HasSubstr("vmcnt(2)"), Not(HasSubstr("vmcnt(0)")), Not(HasSubstr("saveexec"))));
}

/// A barrier of both memories waits for the copies, too.
TEST(AmdBorder, aBarrierOfBothMemoriesWaitsForCopies) {
  std::string text = ring(16);
  for (std::size_t at = text.find("barrier.shared"); at != std::string::npos; at = text.find("barrier.shared"))
    text.replace(at, 14, "barrier");
  EXPECT_THAT(innermostLoop(amdAsmOf(text, amdChip("gfx950"))), HasSubstr("vmcnt(0)"));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

TEST(AmdBorder, accessesOfEveryWidth) {
  struct Case {
    const char *type, *llvmType, *load, *store, *sharedLoad;
  };
  static constexpr Case kCases[] = {
      {"i8", "i8", "global_load_ubyte", "global_store_byte", "ds_read_u8"},
      {"i16", "i16", "global_load_ushort", "global_store_short", "ds_read_u16"},
      {"i32", "i32", "global_load_dword ", "global_store_dword ", "ds_read_b32"},
      {"i64", "i64", "global_load_dwordx2", "global_store_dwordx2", "ds_read_b64"},
      {"v8i8", "<8 x i8>", "global_load_dwordx2", "global_store_dwordx2", "ds_read_b64"},
      {"v4i32", "<4 x i32>", "global_load_dwordx4", "global_store_dwordx4", "ds_read_b128"},
      {"v2i64", "<2 x i64>", "global_load_dwordx4", "global_store_dwordx4", "ds_read_b128"},
      {"v8i16", "<8 x i16>", "global_load_dwordx4", "global_store_dwordx4", "ds_read_b128"},
  };
  for (const Case &c : kCases) {
    SCOPED_TRACE(c.type);
    const std::string zero = std::string(c.llvmType) + (c.llvmType[0] == '<' ? " zeroinitializer" : " 0");
    for (const char *mask : {"%m", "true"}) {
      const std::string global = lowered("gfx942", fmt::format("load.{}", c.type), c.llvmType,
                                         fmt::format("ptr addrspace(1) %q; i1 {}; {}; i32 0", mask, zero));
      EXPECT_THAT(global, AllOf(HasSubstr(c.load), HasSubstr(c.store), Not(ContainsRegex("flat_(load|store)"))));
      EXPECT_EQ(countOf(global, "cbranch") != 0, mask[0] == '%');
      EXPECT_THAT(lowered("gfx942", fmt::format("shared_load.{}", c.type), c.llvmType,
                          fmt::format("ptr addrspace(3) %s; i1 {}; {}", mask, zero)),
                  HasSubstr(c.sharedLoad));
    }
  }
  EXPECT_THAT(amdErrorOf(callOf("tessera.gpu.load.v8i32", "<8 x i32>",
                                "ptr addrspace(1) %p; i1 %m; <8 x i32> zeroinitializer; i32 0"),
                         amdChip("gfx942")),
              HasSubstr("no access of 32 bytes"));
}

TEST(AmdBorder, aMaskThatIsFalseTouchesNothing) {
  const std::string code = lowered("gfx942", "load.i32", "i32", "ptr addrspace(1) %p; i1 false; i32 77; i32 0");
  EXPECT_THAT(code, AllOf(HasSubstr("0x4d"), Not(HasSubstr("global_load"))));
  EXPECT_THAT(lowered("gfx942", "store.i32", "void", "ptr addrspace(1) %p; i32 %i; i1 false; i32 0"),
              Not(HasSubstr("global_store")));
}

TEST(AmdBorder, hints) {
  const auto load = [](int hints, const char *name = "load.i32") {
    return lowered("gfx942", name, "i32", fmt::format("ptr addrspace(1) %q; i1 true; i32 0; i32 {}", hints));
  };
  EXPECT_THAT(load(0), Not(ContainsRegex("global_load_dword .* (nt|sc)")));
  EXPECT_THAT(load(3), ContainsRegex("global_load_dword .* nt"));
  EXPECT_THAT(load(8), ContainsRegex("global_load_dword .* nt"));
  EXPECT_THAT(load(4), ContainsRegex("global_load_dword .* sc0 sc1"));
  EXPECT_THAT(load(0, "volatile_load.i32"), ContainsRegex("global_load_dword .* sc0 sc1"));
}

// Addresses may lie anywhere, so that no buffer holds them.
TEST(AmdBorder, accessesOfOneMaskShareABranch) {
  const auto kernel = [](const char *second) {
    return fmt::format(R"(
declare i32 @tessera.gpu.thread_id() memory(none) nounwind willreturn
declare i32 @tessera.gpu.load.i32(ptr addrspace(1), i1, i32, i32) memory(argmem: read) nounwind willreturn
declare void @tessera.gpu.store.i32(ptr addrspace(1), i32, i1, i32) memory(argmem: write) nounwind willreturn
define void @k(ptr addrspace(1) %x, ptr addrspace(1) %y, ptr addrspace(1) %out, i32 %n, i32 %stride) {{
  %t = call i32 @tessera.gpu.thread_id()
  %m = icmp ult i32 %t, %n
  %o = icmp ugt i32 %t, %n
  %f = mul i32 %t, %stride
  %p = getelementptr i32, ptr addrspace(1) %x, i32 %f
  %a = call i32 @tessera.gpu.load.i32(ptr addrspace(1) %p, i1 %m, i32 1, i32 0)
  %d = mul i32 %a, %a
  %u = add i32 %f, 7
  %q = getelementptr i32, ptr addrspace(1) %y, i32 {}
  %b = call i32 @tessera.gpu.load.i32(ptr addrspace(1) %q, i1 %{}, i32 2, i32 0)
  %r = add i32 %d, %b
  %w = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r, ptr addrspace(1) %w
  ret void
}}
)",
                       std::string_view(second) == "depends" ? "%d" : "%u",
                       std::string_view(second) == "other" ? "o" : "m");
  };
  for (const arch::Chip *chip : amdChips()) {
    SCOPED_TRACE(chip->name);
    EXPECT_EQ(countOf(amdAsmOf(kernel("same"), *chip), "s_cbranch_execz"), 1);
    EXPECT_EQ(countOf(amdAsmOf(kernel("depends"), *chip), "s_cbranch_execz"), 2);
    EXPECT_EQ(countOf(amdAsmOf(kernel("other"), *chip), "s_cbranch_execz"), 2);
  }
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

TEST(AmdBorder, atomics) {
  const auto update = [](const char *chip, const char *name, const char *value, bool used = false,
                         const char *pointer = "ptr addrspace(1) %q") {
    const std::string type = std::string_view(value).substr(0, std::string_view(value).find(' ')).data();
    return lowered(chip, name, type.substr(0, type.find(' ')), fmt::format("{}; {}; i1 true", pointer, value),
                   "nounwind", used);
  };
  EXPECT_THAT(update("gfx942", "atomic.add.i32.relaxed.device", "i32 %i"), HasSubstr("global_atomic_add v"));
  EXPECT_THAT(update("gfx942", "atomic.smax.i64.relaxed.device", "i64 %l"), HasSubstr("global_atomic_smax_x2"));
  EXPECT_THAT(update("gfx942", "atomic.xchg.i32.relaxed.device", "i32 %i", true),
              ContainsRegex("global_atomic_swap .* sc0"));
  EXPECT_THAT(update("gfx942", "atomic.fadd.f32.relaxed.device", "float %f32"), HasSubstr("global_atomic_add_f32"));
  EXPECT_THAT(update("gfx90a", "atomic.fadd.f64.relaxed.device", "double %f64"), HasSubstr("global_atomic_add_f64"));
  // An addition that loses denormals, or is not there, is a loop.
  EXPECT_THAT(update("gfx90a", "atomic.fadd.f32.relaxed.device", "float %f32"),
              AllOf(HasSubstr("global_atomic_cmpswap"), Not(HasSubstr("global_atomic_add_f32"))));
  EXPECT_THAT(update("gfx1100", "atomic.fadd.f64.relaxed.device", "double %f64"),
              HasSubstr("global_atomic_cmpswap_b64"));
  EXPECT_THAT(update("gfx942", "shared_atomic.fadd.f32.relaxed.block", "float %f32", false, "ptr addrspace(3) %s"),
              HasSubstr("ds_add_f32"));
  EXPECT_THAT(update("gfx942", "atomic.add.i32.acq_rel.device", "i32 %i"),
              AllOf(HasSubstr("buffer_wbl2 sc1"), HasSubstr("buffer_inv sc1")));
  EXPECT_THAT(update("gfx942", "atomic.add.i32.acq_rel.block", "i32 %i"), Not(HasSubstr("buffer_wbl2")));
  EXPECT_THAT(lowered("gfx942", "atomic.cas.i32.acq_rel.device", "i32", "ptr addrspace(1) %q; i32 %i; i32 7; i1 %m"),
              AllOf(HasSubstr("global_atomic_cmpswap"), HasSubstr("s_cbranch")));
  EXPECT_THAT(lowered("gfx942", "atomic.load.i32.acquire.device", "i32", "ptr addrspace(1) %q; i1 true"),
              ContainsRegex("global_load_dword .* sc1"));
  EXPECT_THAT(lowered("gfx942", "atomic.store.i32.release.system", "void", "ptr addrspace(1) %q; i32 %i; i1 true"),
              AllOf(HasSubstr("buffer_wbl2 sc0 sc1"), ContainsRegex("global_store_dword .* sc0 sc1")));
}

//===----------------------------------------------------------------------===//
// Natives
//===----------------------------------------------------------------------===//

namespace {

std::string native(const std::string &name, const std::string &result, const std::string &arguments) {
  return callOf("tessera.amd." + name, result, arguments, "convergent nounwind memory(none)");
}

} // namespace

TEST(AmdBorder, nativesAreIntrinsics) {
  const arch::Chip &chip = amdChip("gfx942");
  EXPECT_THAT(amdAsmOf(native("readfirstlane", "i32", "i32 %i"), chip), HasSubstr("v_"));
  EXPECT_THAT(amdAsmOf(native("fmed3", "float", "float %f32; float 0.0; float 1.0"), chip),
              ContainsRegex("v_med3_f32|clamp"));
  EXPECT_THAT(amdAsmOf(native("s.setprio", "void", "i16 2"), chip), HasSubstr("s_setprio 2"));
  EXPECT_THAT(amdAsmOf(native("mfma.f32.32x32x8f16", "<16 x float>",
                              "<4 x half> zeroinitializer; <4 x half> zeroinitializer; <16 x float> zeroinitializer; "
                              "i32 0; i32 0; i32 0"),
                       chip),
              HasSubstr("v_mfma_f32_32x32x8_f16"));
  // Calls of other types have a number behind the name.
  EXPECT_THAT(amdAsmOf(native("fmed3@1", "half", "half %f16; half %f16; half 0xH3C00"), chip), HasSubstr("v_med3_f16"));
}

TEST(AmdBorder, nativesThatAreNone) {
  const arch::Chip &chip = amdChip("gfx942");
  EXPECT_THAT(amdErrorOf(native("no.such", "i32", "i32 %i"), chip),
              HasSubstr("`tessera.amd.no.such`: LLVM has no intrinsic `llvm.amdgcn.no.such`"));
  EXPECT_THAT(amdErrorOf(native("readlane", "i32", "float %f32; i32 3"), chip),
              HasSubstr("its types are not those of `llvm.amdgcn.readlane`"));
  EXPECT_THAT(amdErrorOf(native("ds.swizzle", "i32", "i32 %i; i32 %i"), chip),
              HasSubstr("operand 1 must be a constant"));
  EXPECT_THAT(amdErrorOf(callOf("tessera.nv.ex2", "float", "float %f32"), chip),
              HasSubstr("it is no function of AMD's chips"));
}

// LLVM ends the process for an intrinsic that it has no instruction for. Here the next kernel compiles as ever.
TEST(AmdBorder, nativesOfOtherChipsAreRefused) {
  const std::string swap = native("permlane16.swap", "{ i32, i32 }", "i32 %i; i32 %i; i1 false; i1 false");
  for (int round = 0; round != 3; ++round) {
    EXPECT_THAT(amdErrorOf(swap, amdChip("gfx942")), HasSubstr("permlane16.swap"));
    EXPECT_THAT(amdAsmOf(swap, amdChip("gfx950")), HasSubstr("v_permlane16_swap_b32"));
  }
}

TEST(AmdBorder, whatChipsDoNotHaveIsRefused) {
  EXPECT_THAT(amdErrorOf(callOf("tessera.gpu.named_barrier", "void", "i32 1; i32 64", "convergent nounwind"),
                         amdChip("gfx942")),
              HasSubstr("no barriers for some of a program's warps"));
  EXPECT_THAT(amdErrorOf(callOf("tessera.gpu.reduce.add", "i32", "i32 %i", "convergent nounwind"), amdChip("gfx942")),
              HasSubstr("reduces no warps"));
  EXPECT_THAT(amdErrorOf(callOf("tessera.gpu.nonsense", "i32", "i32 %i"), amdChip("gfx942")),
              HasSubstr("is no function of the border"));
}
