//===- CodegenTest.cpp - whole kernels from the border to machine code ----===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Target/NVIDIA/Compile.h"

#include <gmock/gmock.h>

using namespace tessera;
using namespace tessera::test;
using ir::nvidia::CubinFacts;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

namespace {

/// out[i] = x[i] + y[i], four elements a thread in each of two registers of 16 bytes, masked by i < n.
const char *const kVectorAdd = R"(
declare i32 @tessera.gpu.thread_id() memory(none) nounwind willreturn
declare i32 @tessera.gpu.block_id.x() memory(none) nounwind willreturn
declare <4 x i32> @tessera.gpu.load.v4i32(ptr addrspace(1), i1, <4 x i32>, i32) memory(argmem: read) nounwind willreturn
declare void @tessera.gpu.store.v4i32(ptr addrspace(1), <4 x i32>, i1, i32) memory(argmem: write) nounwind willreturn
define void @k(ptr addrspace(1) %x, ptr addrspace(1) %y, ptr addrspace(1) %out, i64 %n) {
  %pid = call i32 @tessera.gpu.block_id.x()
  %pid64 = zext i32 %pid to i64
  %start = mul i64 %pid64, 1024
  %xb = getelementptr float, ptr addrspace(1) %x, i64 %start
  %yb = getelementptr float, ptr addrspace(1) %y, i64 %start
  %ob = getelementptr float, ptr addrspace(1) %out, i64 %start
  %left = sub i64 %n, %start
  %tid = call i32 @tessera.gpu.thread_id()
  %at0 = mul i32 %tid, 4
  %at1 = add i32 %at0, 512
  %w0 = zext i32 %at0 to i64
  %w1 = zext i32 %at1 to i64
  %m0 = icmp slt i64 %w0, %left
  %m1 = icmp slt i64 %w1, %left
  %x0 = getelementptr float, ptr addrspace(1) %xb, i32 %at0
  %x1 = getelementptr float, ptr addrspace(1) %xb, i32 %at1
  %y0 = getelementptr float, ptr addrspace(1) %yb, i32 %at0
  %y1 = getelementptr float, ptr addrspace(1) %yb, i32 %at1
  %o0 = getelementptr float, ptr addrspace(1) %ob, i32 %at0
  %o1 = getelementptr float, ptr addrspace(1) %ob, i32 %at1
  %a0 = call <4 x i32> @tessera.gpu.load.v4i32(ptr addrspace(1) %x0, i1 %m0, <4 x i32> zeroinitializer, i32 0)
  %a1 = call <4 x i32> @tessera.gpu.load.v4i32(ptr addrspace(1) %x1, i1 %m1, <4 x i32> zeroinitializer, i32 0)
  %b0 = call <4 x i32> @tessera.gpu.load.v4i32(ptr addrspace(1) %y0, i1 %m0, <4 x i32> zeroinitializer, i32 8)
  %b1 = call <4 x i32> @tessera.gpu.load.v4i32(ptr addrspace(1) %y1, i1 %m1, <4 x i32> zeroinitializer, i32 8)
  %fa0 = bitcast <4 x i32> %a0 to <4 x float>
  %fb0 = bitcast <4 x i32> %b0 to <4 x float>
  %fa1 = bitcast <4 x i32> %a1 to <4 x float>
  %fb1 = bitcast <4 x i32> %b1 to <4 x float>
  %s0 = fadd <4 x float> %fa0, %fb0
  %s1 = fadd <4 x float> %fa1, %fb1
  %i0 = bitcast <4 x float> %s0 to <4 x i32>
  %i1 = bitcast <4 x float> %s1 to <4 x i32>
  call void @tessera.gpu.store.v4i32(ptr addrspace(1) %o0, <4 x i32> %i0, i1 %m0, i32 0)
  call void @tessera.gpu.store.v4i32(ptr addrspace(1) %o1, <4 x i32> %i1, i1 %m1, i32 0)
  ret void
}
)";

/// out[program] = the sum of a row of 128 numbers: shuffles in the warps, then through shared memory.
const char *const kRowSum = R"(
@tessera.shared = external addrspace(3) global [0 x i8], align 16
declare i32 @tessera.gpu.thread_id() memory(none) nounwind willreturn
declare i32 @tessera.gpu.lane_id() memory(none) nounwind willreturn
declare i32 @tessera.gpu.warp_id() memory(none) nounwind willreturn
declare i32 @tessera.gpu.block_id.x() memory(none) nounwind willreturn
declare i32 @tessera.gpu.shuffle.xor(i32, i32) memory(none) convergent nounwind willreturn
declare void @tessera.gpu.barrier() convergent nounwind
declare i32 @tessera.gpu.load.i32(ptr addrspace(1), i1, i32, i32) memory(argmem: read) nounwind willreturn
declare void @tessera.gpu.store.i32(ptr addrspace(1), i32, i1, i32) memory(argmem: write) nounwind willreturn
declare void @tessera.gpu.shared_store.i32(ptr addrspace(3), i32, i1) memory(argmem: write) nounwind willreturn
declare i32 @tessera.gpu.shared_load.i32(ptr addrspace(3), i1, i32) memory(argmem: read) nounwind willreturn
define float @step(float %v, i32 %mask) {
  %bits = bitcast float %v to i32
  %other = call i32 @tessera.gpu.shuffle.xor(i32 %bits, i32 %mask)
  %f = bitcast i32 %other to float
  %sum = fadd float %v, %f
  ret float %sum
}
define void @k(ptr addrspace(1) %x, ptr addrspace(1) %out, i32 %n) {
  %tid = call i32 @tessera.gpu.thread_id()
  %lane = call i32 @tessera.gpu.lane_id()
  %warp = call i32 @tessera.gpu.warp_id()
  %pid = call i32 @tessera.gpu.block_id.x()
  %at = getelementptr float, ptr addrspace(1) %x, i32 %tid
  %m = icmp ult i32 %tid, %n
  %bits = call i32 @tessera.gpu.load.i32(ptr addrspace(1) %at, i1 %m, i32 0, i32 0)
  %v = bitcast i32 %bits to float
  %v1 = call float @step(float %v, i32 16)
  %v2 = call float @step(float %v1, i32 8)
  %v3 = call float @step(float %v2, i32 4)
  %v4 = call float @step(float %v3, i32 2)
  %v5 = call float @step(float %v4, i32 1)
  %first = icmp eq i32 %lane, 0
  %slot = getelementptr float, ptr addrspace(3) @tessera.shared, i32 %warp
  %w = bitcast float %v5 to i32
  call void @tessera.gpu.shared_store.i32(ptr addrspace(3) %slot, i32 %w, i1 %first)
  call void @tessera.gpu.barrier()
  %inside = icmp ult i32 %lane, 4
  %mine = getelementptr float, ptr addrspace(3) @tessera.shared, i32 %lane
  %p = call i32 @tessera.gpu.shared_load.i32(ptr addrspace(3) %mine, i1 %inside, i32 0)
  %q = bitcast i32 %p to float
  %q1 = call float @step(float %q, i32 2)
  %q2 = call float @step(float %q1, i32 1)
  %r = bitcast float %q2 to i32
  %o = getelementptr float, ptr addrspace(1) %out, i32 %pid
  %one = icmp eq i32 %tid, 0
  call void @tessera.gpu.store.i32(ptr addrspace(1) %o, i32 %r, i1 %one, i32 0)
  ret void
}
)";

void expectNoStackNorFlat(const CubinFacts &facts) {
  EXPECT_EQ(facts.stackBytes, 0u);
  EXPECT_EQ(facts.localLoads.count() + facts.localStores.count(), 0u);
  EXPECT_EQ(facts.flatLoads.count() + facts.flatStores.count(), 0u);
}

} // namespace

TEST(NvidiaCodegen, vectorAddUsesPredicatedWideAccesses) {
  for (const arch::Chip *chip : nvidiaChips()) {
    SCOPED_TRACE(chip->name);
    const std::string ptx = ptxOf(kVectorAdd, *chip);
    EXPECT_THAT(ptx, ContainsRegex("@%p[0-9]+ ld.global.v4.b32 \\{%r[0-9]+, %r[0-9]+, %r[0-9]+, %r[0-9]+\\}, "
                                   "\\[%rd[0-9]+\\];"));
    // The second register lies a constant behind the first.
    EXPECT_THAT(ptx, ContainsRegex("@%p[0-9]+ ld.global.v4.b32 \\{[^}]*\\}, \\[%rd[0-9]+ \\+ 2048\\];"));
    EXPECT_THAT(ptx, ContainsRegex("@%p[0-9]+ ld.global.L1::evict_first.v4.b32"));
    EXPECT_THAT(ptx, ContainsRegex("@%p[0-9]+ st.global.v4.b32 \\[%rd[0-9]+ \\+ 2048\\], \\{"));
    EXPECT_THAT(ptx, AllOf(HasSubstr(".visible .entry k("), HasSubstr(".reqntid 128, 1, 1"),
                           HasSubstr(".minnctapersm 1"), Not(HasSubstr("tessera."))));
    EXPECT_THAT(ptx, HasSubstr("add.rn.f32"));
    if (!ptxas())
      continue;
    const CubinFacts facts = assembled(ptx, *chip);
    expectNoStackNorFlat(facts);
    EXPECT_EQ(facts.globalLoads.ofWidth(16), 4u);
    EXPECT_EQ(facts.globalLoads.count(), 4u);
    EXPECT_EQ(facts.globalStores.ofWidth(16), 2u);
    EXPECT_EQ(facts.globalStores.count(), 2u);
  }
}

TEST(NvidiaCodegen, rowSumUsesShufflesAndSharedMemory) {
  for (const arch::Chip *chip : nvidiaChips()) {
    SCOPED_TRACE(chip->name);
    const std::string ptx = ptxOf(kRowSum, *chip);
    EXPECT_THAT(ptx, HasSubstr(".extern .shared .align 1024 .b8 tessera_shared[]"));
    EXPECT_THAT(ptx, ContainsRegex("shfl.sync.bfly.b32 *\t?%r[0-9]+, %r[0-9]+, 16, 31, -1;"));
    EXPECT_THAT(ptx, HasSubstr("bar.sync"));
    EXPECT_THAT(ptx, ContainsRegex("@%p[0-9]+ st.shared.b32 \\[%r[0-9]+\\], %r[0-9]+;"));
    EXPECT_THAT(ptx, ContainsRegex("@%p[0-9]+ ld.shared.b32 %r[0-9]+, \\[%r[0-9]+\\];"));
    if (ptxas())
      expectNoStackNorFlat(assembled(ptx, *chip));
  }
}

TEST(NvidiaCodegen, optionsOfTheLaunchAreDirectives) {
  const arch::Chip &chip = nvidiaChip("sm_90a");
  EXPECT_THAT(ptxOf(kVectorAdd, chip, {.threads = 256, .maxRegisters = 64}),
              AllOf(HasSubstr(".reqntid 256, 1, 1"), HasSubstr(".maxnreg 64"), Not(HasSubstr(".minnctapersm"))));
  EXPECT_THAT(ptxOf(kVectorAdd, chip, {.cluster = 2}), HasSubstr(".reqnctapercluster 2, 1, 1"));
}

TEST(NvidiaCodegen, eachChipHasItsVersionOfPtx) {
  for (const arch::Chip *chip : nvidiaChips())
    EXPECT_THAT(ptxOf(kVectorAdd, *chip), AllOf(HasSubstr(".target " + std::string(chip->name)),
                                                HasSubstr(".version " + std::to_string(chip->ptxVersion / 10) + "." +
                                                          std::to_string(chip->ptxVersion % 10))));
}

TEST(NvidiaCodegen, contractsWhatIsFlaggedAndNothingElse) {
  const std::string ptx = ptxOf(R"(
define void @k(ptr addrspace(1) %p, float %a, float %b, float %c) {
  %m = fmul float %a, %b
  %s = fadd float %m, %c
  %m2 = fmul contract float %b, %c
  %s2 = fadd contract float %m2, %a
  %d = fdiv float %s, %s2
  store float %d, ptr addrspace(1) %p
  ret void
}
)",
                                nvidiaChip("sm_80"));
  EXPECT_THAT(ptx, AllOf(HasSubstr("mul.rn.f32"), HasSubstr("add.rn.f32"), HasSubstr("fma.rn.f32"),
                         HasSubstr("div.rn.f32"), Not(HasSubstr(".ftz")), Not(HasSubstr("approx"))));
}

TEST(NvidiaCodegen, refusesWhatIsNoKernel) {
  const arch::Chip &chip = nvidiaChip("sm_80");
  EXPECT_EQ(ptxErrorOf(kVectorAdd, chip, {.entry = "other"}), "no function `other` is left");
  EXPECT_THAT(
      ptxErrorOf("declare void @tessera.gpu.nonsense()\ndefine void @k() {\n call void @tessera.gpu.nonsense()\n"
                 " ret void\n}\n",
                 chip),
      HasSubstr("`tessera.gpu.nonsense` is no function of the border"));
}
