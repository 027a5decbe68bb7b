//===- Kernels.h - kernels as they are at the border -----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_TARGET_GPU_KERNELS_H
#define TESSERA_TEST_UNIT_TARGET_GPU_KERNELS_H

#include <string>

namespace tessera::test {

/// out[i] = x[i] + y[i], four elements a thread in each of two registers of 16 bytes, masked by i < n.
inline constexpr const char *kVectorAdd = R"(
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
inline constexpr const char *kRowSum = R"(
@tessera.shared = external addrspace(3) global [4096 x i8], align 16
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

/// 64 values of every thread, loaded one after the other and stored from the last to the first, all of them alive at
/// once.
inline std::string manyValues() {
  std::string loads, stores;
  for (int i = 0; i != 64; ++i) {
    const std::string n = std::to_string(i);
    loads += "  %p" + n + " = getelementptr i32, ptr addrspace(1) %at, i32 " + std::to_string(128 * i) + "\n  %v" + n +
             " = load volatile i32, ptr addrspace(1) %p" + n + "\n";
    stores = "  store volatile i32 %v" + n + ", ptr addrspace(1) %p" + n + "\n" + stores;
  }
  return "declare i32 @tessera.gpu.thread_id() memory(none) nounwind willreturn\n"
         "define void @k(ptr addrspace(1) %x, i8 %flag, i64 %n) {\n"
         "  %tid = call i32 @tessera.gpu.thread_id()\n"
         "  %at = getelementptr i32, ptr addrspace(1) %x, i32 %tid\n" +
         loads + stores + "  ret void\n}\n";
}

/// A kernel with shared memory of its own, beside that of the launch.
inline constexpr const char *kStaticShared = R"(
@table = internal addrspace(3) global [100 x i32] poison, align 16
declare i32 @tessera.gpu.thread_id() memory(none) nounwind willreturn
declare void @tessera.gpu.barrier() convergent nounwind
define void @k(ptr addrspace(1) %x) {
  %tid = call i32 @tessera.gpu.thread_id()
  %slot = getelementptr i32, ptr addrspace(3) @table, i32 %tid
  store i32 %tid, ptr addrspace(3) %slot
  call void @tessera.gpu.barrier()
  %other = xor i32 %tid, 1
  %from = getelementptr i32, ptr addrspace(3) @table, i32 %other
  %v = load i32, ptr addrspace(3) %from
  %to = getelementptr i32, ptr addrspace(1) %x, i32 %tid
  store i32 %v, ptr addrspace(1) %to
  ret void
}
)";

} // namespace tessera::test

#endif // TESSERA_TEST_UNIT_TARGET_GPU_KERNELS_H
