//===- AtomicTest.cpp - memory shared by programs ------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Expect.h"

#include "tessera/lang/Atomic.h"

#include <gtest/gtest.h>

using namespace tessera;
using test::expectIR;

// SEMANTICS M5
TEST(Atomic, kindsFollowTheElements) {
  expectIR([](Ptr<i32> p) { atomic_add(p, 1); }, {"tile.atomic_rmw add relaxed device %"});
  expectIR([](Ptr<f16> p) { atomic_add(p, 1); }, {"tile.atomic_rmw fadd relaxed device %"});
  expectIR([](Ptr<u8> p) { atomic_sub(p, 1); }, {"tile.atomic_rmw sub"});
  expectIR([](Ptr<bf16> p) { atomic_sub(p, 1); }, {"tile.atomic_rmw fsub"});
  expectIR([](Ptr<i64> p) { atomic_max(p, 1); }, {"tile.atomic_rmw max"});
  expectIR([](Ptr<u64> p) { atomic_max(p, 1); }, {"tile.atomic_rmw umax"});
  expectIR([](Ptr<f32> p) { atomic_max(p, 1); }, {"tile.atomic_rmw fmax"});
  expectIR([](Ptr<i16> p) { atomic_min(p, 1); }, {"tile.atomic_rmw min"});
  expectIR([](Ptr<u32> p) { atomic_min(p, 1); }, {"tile.atomic_rmw umin"});
  expectIR([](Ptr<f64> p) { atomic_min(p, 1); }, {"tile.atomic_rmw fmin"});
  expectIR([](Ptr<i32> p) { atomic_and(p, 1); }, {"tile.atomic_rmw and"});
  expectIR([](Ptr<i32> p) { atomic_or(p, 1); }, {"tile.atomic_rmw or"});
  expectIR([](Ptr<i32> p) { atomic_xor(p, 1); }, {"tile.atomic_rmw xor"});
}

// SEMANTICS M5
TEST(Atomic, orders) {
  expectIR([](Ptr<i32> p) { atomic_add(p, 1, {.order = Order::release, .scope = Scope::system}); },
           {"tile.atomic_rmw add release system %"});
  expectIR([](Ptr<e4m3> p) { atomic_xchg(p, 1); }, {"tile.atomic_rmw xchg acq_rel device %"});
  expectIR([](Ptr<i32> p) { atomic_cas(p, 0, 1); }, {"tile.atomic_cas acq_rel device %"});
  expectIR([](Ptr<i32> p) { atomic_cas(p, 0, 1, {.order = Order::relaxed, .scope = Scope::block}); },
           {"tile.atomic_cas relaxed block %"});
  expectIR([](Ptr<i32> p) { atomic_load(p, {.order = Order::acquire}); }, {"tile.atomic_load acquire device %"});
  expectIR([](Ptr<i32> p) { atomic_store(p, 1, {.order = Order::release}); }, {"tile.atomic_store release device %"});
}

// SEMANTICS M5, M2
TEST(Atomic, valuesAndMasksTakeThePointersShape) {
  expectIR(
      [](Ptr<f32> p, Int n) {
        Tile lane = arange(0, 64);
        const Tile old = atomic_add(p + lane, 1.0, {.mask = lane < n});
        EXPECT_EQ(old.dtype(), f32);
        EXPECT_EQ(old.shape(), Shape({64}));
      },
      {"tile.splat", "tile.atomic_rmw fadd relaxed device %", "mask %", "tensor<64x!tile.ptr<f32>>"});
  expectIR([](Ptr<f32> p) { atomic_add(p + arange(0, 64), zeros(f16, {1})); },
           {"tile.convert_float", "tile.broadcast", "tile.atomic_rmw fadd"});
}

// SEMANTICS M4
TEST(Atomic, lastProgram) {
  expectIR([](Ptr<i32> p) { Bool last = last_program(p); },
           {"tile.num_programs x", "tile.num_programs y", "arith.muli", "tile.num_programs z", "arith.muli",
            "tile.atomic_rmw add acq_rel device %", "arith.trunci", "arith.subi", "arith.cmpi eq"});
  expectIR([](Ptr<u64> p, Int i, Int splits) { Bool last = last_program(p + i, splits); },
           {"tile.addptr", "tile.atomic_rmw add acq_rel device %", "arith.subi", "arith.cmpi eq"});
}
