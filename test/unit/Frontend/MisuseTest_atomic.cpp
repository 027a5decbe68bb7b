//===- MisuseTest_atomic.cpp - wrong atomics -----------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// SEMANTICS M4, M5
//
//===---------------------------------------------------------------------===//

#include "Expect.h"

#include "tessera/lang/Atomic.h"

using namespace tessera;
using test::Misuse;
using test::Values;

static const Misuse cases[] = {
    {"noPointers",
     [](Values &v) {
       v.next();
       atomic_add(v.x, 1);
     },
     "cannot atomic_add on a tile of f32 [128]; atomic_add takes pointers; add offsets to a Ptr parameter, or use the "
     "view's own .load and .store"},
    {"bits",
     [](Values &v) {
       v.next();
       atomic_and(v.pointers, 1);
     },
     "atomic_and on a tile of pointers to f32 [128]; it works on integers of 8 to 64 bits; read the memory as one with "
     ".as(dtype)"},
    {"fp8",
     [](Values &v) {
       v.next();
       atomic_add(v.p.as(e4m3), 1);
     },
     "atomic_add on a pointer to e4m3; it works on integers of 8 to 64 bits and on f16, bf16, f32 and f64; keep the "
     "sum in one of these"},
    {"bool",
     [](Values &v) {
       v.next();
       atomic_xchg(v.p.as(i1), true);
     },
     "atomic_xchg on a pointer to i1; i1 has no atomics; use u8 or a wider integer"},
    {"valueType",
     [](Values &v) {
       v.next();
       atomic_add(v.ipointers, v.x);
     },
     "the value is a tile of f32 [128] where i32 is wanted; only conversions that keep every value are implicit; "
     "convert it with .to(i32)"},
    {"valueShape",
     [](Values &v) {
       v.next();
       atomic_add(v.pointers, v.short_x);
     },
     "the value is a tile of f32 [64] for a tile of pointers to f32 [128]; it must broadcast to the shape of the "
     "pointers, which are never broadcast to it"},
    {"valueToOnePointer",
     [](Values &v) {
       v.next();
       atomic_add(v.p, v.x);
     },
     "the value is a tile of f32 [128] for a pointer to f32; it must broadcast to the shape of the pointers, which are "
     "never broadcast to it"},
    {"mask",
     [](Values &v) {
       v.next();
       atomic_max(v.p, 1, {.mask = v.mask});
     },
     "the mask is a tile of i1 [128] for a pointer to f32; it must broadcast to the shape of the pointers"},
    {"maskType",
     [](Values &v) {
       v.next();
       atomic_max(v.pointers, 1, {.mask = v.index});
     },
     "the mask is a tile of i32 [128]; it must be i1, as a comparison gives it; compare with != 0"},
    {"loadOrder",
     [](Values &v) {
       v.next();
       atomic_load(v.counter, {.order = Order::release});
     },
     "atomic_load with Order::release; it takes Order::relaxed or Order::acquire"},
    {"storeOrder",
     [](Values &v) {
       v.next();
       atomic_store(v.counter, 1, {.order = Order::acq_rel});
     },
     "atomic_store with Order::acq_rel; it takes Order::relaxed or Order::release"},
    {"literalRange",
     [](Values &v) {
       v.next();
       atomic_add(v.ipointers, 1LL << 40);
     },
     "the number 1099511627776 does not fit i32; a literal takes the type of the other operand and must be in its "
     "range; convert the other operand with .to first, or change the number"},
    {"counterTile",
     [](Values &v) {
       v.next();
       last_program(v.ipointers);
     },
     "the counter is a tile of pointers to i32 [128]; it must be one pointer to i32, u32, i64 or u64, whose memory was "
     "zeroed before the launch"},
    {"counterType",
     [](Values &v) {
       v.next();
       last_program(v.p);
     },
     "the counter is a pointer to f32; it must be one pointer to i32, u32, i64 or u64, whose memory was zeroed before "
     "the launch"},
    {"noArrivals",
     [](Values &v) {
       v.next();
       last_program(v.counter, 0);
     },
     "last_program of 0 arrivals; at least 1 program arrives"},
};

TESSERA_MISUSE_TESTS(MisuseAtomic, cases);
