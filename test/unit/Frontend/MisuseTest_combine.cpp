//===- MisuseTest_combine.cpp - wrong combine functions ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// SEMANTICS R3
//
//===---------------------------------------------------------------------===//

#include "Expect.h"

#include "tessera/lang/Combine.h"
#include "tessera/lang/Debug.h"
#include "tessera/lang/Math.h"
#include "tessera/lang/Memory.h"
#include "tessera/lang/Reduce.h"
#include "tessera/lang/Scan.h"

#include <functional>

using namespace tessera;
using test::Misuse;
using test::Values;

static const Misuse cases[] = {
    {"wrongDtype",
     [](Values &v) {
       v.next();
       reduce(v.index, 0, [](Tile a, Tile b) { return a.to(f32) + b.to(f32); });
     },
     "the combine function of reduce gives a scalar of f32 for a tile of i32 [128]; result must be a scalar of i32; "
     "convert with .to(i32), or convert the tile before"},
    {"literalRange",
     [](Values &v) {
       v.next();
       reduce(v.index.to(i8), 0, [](Tile, Tile) { return 300; });
     },
     "the number 300 does not fit i8; a literal takes the type of the other operand and must be in its range; convert "
     "the other operand with .to first, or change the number"},
    {"scalarTile",
     [](Values &v) {
       v.next();
       reduce(v.s, 0, [](Tile a, Tile b) { return a + b; });
     },
     "cannot reduce a scalar of f32; a scalar has no axes"},
    {"axis",
     [](Values &v) {
       v.next();
       scan(v.m, 2, [](Tile a, Tile b) { return a + b; });
     },
     "axis 2 of a tile with 2 axes; an axis is 0 to 1, or -2 to -1 counted from the end"},
    {"shapes",
     [](Values &v) {
       v.next();
       reduce(std::tuple{v.x, v.short_x}, 0, [](Tile a, Tile b, Tile c, Tile d) { return std::tuple{a + c, b + d}; });
     },
     "cannot reduce a tile of f32 [128] and a tile of f32 [64]: shapes do not broadcast (axis 0: 128 and 64); extents "
     "must be equal or 1, counted from the last axis; place a 1-D tile with .row() or .col()"},
    {"outerTile",
     [](Values &v) {
       v.next();
       reduce(v.short_x, 0, [&](Tile a, Tile b) { return a + b * v.x; });
     },
     "a combine function uses a tile of f32 [128] from outside; it works on single elements, so it may use its "
     "arguments, numbers and scalars only"},
    {"nested",
     [](Values &v) {
       v.next();
       reduce(v.m, 0, [](Tile a, Tile b) { return a + sum(b); });
     },
     "sum inside a combine function; it may only compute its results from its arguments; do this before or after the "
     "reduction"},
    {"nestedReduce",
     [](Values &v) {
       v.next();
       reduce(v.m, 0, [](Tile a, Tile b) { return reduce(a, 0, [](Tile x, Tile) { return x; }) + b; });
     },
     "reduce inside a combine function; it may only compute its results from its arguments; do this before or after "
     "the reduction"},
    {"load",
     [](Values &v) {
       v.next();
       reduce(v.x, 0, [&](Tile a, Tile b) { return a + b * load(v.p); });
     },
     "load inside a combine function; it may only compute its results from its arguments; do this before or after the "
     "reduction"},
    {"makesTile",
     [](Values &v) {
       v.next();
       reduce(v.x, 0, [](Tile a, Tile b) { return zeros(f32, {4}) + a + b; });
     },
     "the combine function of reduce holds a tile; it combines single elements, so it holds elementwise operations on "
     "scalars "
     "only; use where in place of if_"},
    {"condition",
     [](Values &v) {
       Tile total = v.s;
       reduce(v.x, 0, [&](Tile a, Tile b) {
         v.next();
         if_(a < b, [&] { a = b; });
         return a;
       });
     },
     "if_ inside a combine function; it may only compute its results from its arguments; do this before or after the "
     "reduction"},
    {"assignsOutside",
     [](Values &v) {
       Tile total = v.s;
       reduce(v.x, 0, [&](Tile a, Tile b) {
         v.next();
         total = a;
         return a + b;
       });
     },
     "a combine function assigns to a variable declared outside it; it runs for many pairs of elements in any order, "
     "so it "
     "may only compute its results from its arguments"},
    {"print",
     [](Values &v) {
       reduce(v.x, 0, [&](Tile a, Tile b) {
         v.next();
         device_print("a", a);
         return a + b;
       });
     },
     "device_print inside a combine function; it may only compute its results from its arguments; do this before or "
     "after the "
     "reduction"},
    {"recursion",
     [](Values &v) {
       std::function<Tile(Tile, Tile)> combine = [&](Tile a, Tile b) {
         v.next();
         Tile next = a + b;
         return combine(next, b);
       };
       reduce(v.x, 0, combine);
     },
     "the C++ stack is nearly used up while the kernel is recorded; a recursion whose end depends on a traced value "
     "never "
     "ends; bound it by a config field or use while_"},

    {"exclusiveWithoutIdentity",
     [](Values &v) {
       v.next();
       scan(v.x, 0, [](Tile a, Tile b) { return a + b; }, {.exclusive = true});
     },
     "an exclusive scan of 1 tile has 0 identities; it starts with one number for each tile; give .identity"},
    {"identityNotExclusive",
     [](Values &v) {
       v.next();
       scan(v.x, 0, [](Tile a, Tile b) { return a + b; }, {.identity = 0});
     },
     "a scan has an identity but is not exclusive; the identity is what an exclusive scan starts with; set .exclusive "
     "= true or leave it out"},
    {"identityTraced",
     [](Values &v) {
       v.next();
       scan(v.x, 0, [](Tile a, Tile b) { return a + b; }, {.exclusive = true, .identity = {v.s}});
     },
     "the identity of a scan is a scalar of f32; it must be a C++ number"},
};

TESSERA_MISUSE_TESTS(MisuseCombine, cases);
