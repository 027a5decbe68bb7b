//===- BorderTest.cpp - names of the border's functions -------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Border.h"

#include <gtest/gtest.h>

namespace tessera::ir::border {

TEST(Border, namesAreRead) {
  for (const char *name : {"tessera.gpu.thread_id",
                           "tessera.gpu.block_id.z",
                           "tessera.gpu.num_blocks.x",
                           "tessera.gpu.barrier",
                           "tessera.gpu.cluster_barrier",
                           "tessera.gpu.barrier.shared",
                           "tessera.gpu.named_barrier",
                           "tessera.gpu.fence.system",
                           "tessera.gpu.shuffle.xor",
                           "tessera.gpu.ballot",
                           "tessera.gpu.reduce.umax",
                           "tessera.gpu.load.v4i32",
                           "tessera.gpu.volatile_load.i8",
                           "tessera.gpu.store.v2i64",
                           "tessera.gpu.shared_load.i16",
                           "tessera.gpu.shared_store.v4i32",
                           "tessera.gpu.cluster_store.v2i64",
                           "tessera.gpu.atomic.fadd.bf16.relaxed.device",
                           "tessera.gpu.atomic.cas.i32.acq_rel.system",
                           "tessera.gpu.atomic.load.i64.acquire.block",
                           "tessera.gpu.atomic.store.i32.release.device",
                           "tessera.gpu.shared_atomic.add.i32.relaxed.block",
                           "tessera.gpu.copy_to_shared.v4i32",
                           "tessera.gpu.copy_wait",
                           "tessera.nv.ex2.approx.f32"}) {
    const std::optional<Callee> callee = parse(name);
    ASSERT_TRUE(callee) << name;
    EXPECT_EQ(nameOf(*callee), name);
  }
}

TEST(Border, fieldsAreRead) {
  const std::optional<Callee> callee = parse("tessera.gpu.shared_atomic.smin.i64.release.system");
  ASSERT_TRUE(callee);
  EXPECT_EQ(callee->function, Function::Atomic);
  EXPECT_EQ(callee->atomic, Atomic::SMin);
  EXPECT_EQ(callee->type, integers(64));
  EXPECT_EQ(callee->order, Order::Release);
  EXPECT_EQ(callee->scope, Scope::System);
  EXPECT_TRUE(callee->isShared);
  EXPECT_EQ(parse("tessera.gpu.load.v4i32")->type.bytes(), 16U);
  EXPECT_EQ(parse("tessera.nv.mma.m16n8k16")->instruction, "mma.m16n8k16");
}

TEST(Border, otherNamesAreNot) {
  for (const char *name :
       {"", "tessera", "tessera.nv", "tessera.shared", "tessera.gpu.", "tessera.gpu.loads.i32", "tessera.gpu.load",
        "tessera.gpu.load.i24", "tessera.gpu.load.v1i32", "tessera.gpu.load.vi32", "tessera.gpu.load.i32.i32",
        "tessera.gpu.barrier.global", "tessera.gpu.block_id", "tessera.gpu.block_id.w",
        "tessera.gpu.atomic.cas.i32.device", "llvm.fma.f32"})
    EXPECT_FALSE(parse(name)) << name;
}

TEST(Border, lanesMeetInConvergentFunctions) {
  EXPECT_TRUE(effectsOf(*parse("tessera.gpu.barrier")).isConvergent);
  EXPECT_TRUE(effectsOf(*parse("tessera.gpu.barrier.shared")).isConvergent);
  EXPECT_TRUE(effectsOf(*parse("tessera.gpu.copy_to_shared.i32")).isConvergent);
  EXPECT_TRUE(effectsOf(*parse("tessera.gpu.shuffle.idx")).isConvergent);
  EXPECT_FALSE(effectsOf(*parse("tessera.gpu.load.i32")).isConvergent);
  EXPECT_EQ(effectsOf(*parse("tessera.gpu.load.i32")).memory, Memory::ReadsArgument);
  EXPECT_EQ(effectsOf(*parse("tessera.gpu.volatile_load.i32")).memory, Memory::Any);
  EXPECT_EQ(effectsOf(*parse("tessera.gpu.atomic.add.i32.relaxed.device")).memory, Memory::Argument);
  EXPECT_EQ(effectsOf(*parse("tessera.gpu.atomic.add.i32.acquire.device")).memory, Memory::Any);
}

TEST(Border, hintsAreDecoded) {
  for (unsigned cache = 0; cache != 6; ++cache)
    for (unsigned evict = 0; evict != 3; ++evict)
      EXPECT_EQ(Hints::decode(Hints{cache, evict}.encode()), (Hints{cache, evict}));
}

} // namespace tessera::ir::border
