//===- MisuseTest_debug.cpp - wrong printing, assembly, hints, random numbers and workspaces -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// SEMANTICS L3, P2, N1, P1b
//
//===---------------------------------------------------------------------===//

#include "Expect.h"

#include "tessera/lang/Atomic.h"
#include "tessera/lang/ControlFlow.h"
#include "tessera/lang/Debug.h"
#include "tessera/lang/Hints.h"
#include "tessera/lang/Memory.h"
#include "tessera/lang/Random.h"
#include "tessera/lang/Reduce.h"
#include "tessera/lang/Workspace.h"

using namespace tessera;
using test::Misuse;
using test::Values;

static const Misuse cases[] = {
    {"printWhen",
     [](Values &v) {
       v.next();
       device_print("x", v.x, {.when = v.index});
     },
     "`when` is a tile of i32 [128]; it must be i1, as a comparison gives it; compare with != 0"},
    {"printShapes",
     [](Values &v) {
       v.next();
       device_print("x", {v.short_x, v.n}, {.when = v.mask});
     },
     "cannot print lane by lane a tile of f32 [64] and a tile of i1 [128]: shapes do not broadcast (axis 0: 64 and "
     "128); extents must be equal or 1, counted from the last axis; place a 1-D tile with .row() or .col()"},
    {"assertType",
     [](Values &v) {
       v.next();
       device_assert(v.n, "n");
     },
     "the condition of device_assert is a scalar of i64; it must be i1, as a comparison gives it; compare with != 0"},
    {"asmTarget",
     [](Values &v) {
       v.next();
       inline_asm({{"nvidia", "", ""}}, f32, {v.x});
     },
     "inline_asm for the target \"nvidia\"; no target's name begins so; name a family (cpu, cuda, hip, interp, "
     "sim) or the start of a "
     "chip's name (\"cuda:sm_90\")"},
    {"asmTwice",
     [](Values &v) {
       v.next();
       inline_asm({{"cuda", "", ""}, {"cuda", "", ""}}, f32, {v.x});
     },
     "inline_asm with two bodies for \"cuda\"; there is one for each start of a target's name"},
    {"asmNone",
     [](Values &v) {
       v.next();
       inline_asm({}, f32, {v.x});
     },
     "inline_asm without a body; give one for each family of targets: {\"cuda\", text, constraints}"},
    {"asmPack",
     [](Values &v) {
       v.next();
       inline_asm({{"cuda", "", ""}}, f32, {v.x}, {.pack = 3});
     },
     "inline_asm with pack = 3; it is a power of two, how many neighbouring elements one run of the text takes"},
    {"asmShapes",
     [](Values &v) {
       v.next();
       inline_asm({{"cuda", "", ""}}, f32, {v.x, v.short_x});
     },
     "cannot pass to inline_asm a tile of f32 [128] and a tile of f32 [64]: shapes do not broadcast (axis 0: 128 and "
     "64); extents must be equal or 1, counted from the last axis; place a 1-D tile with .row() or .col()"},
    {"hintFloat",
     [](Values &v) {
       v.next();
       multiple_of(v.x, 16);
     },
     "multiple_of on a tile of f32 [128]; it is for integers and pointers"},
    {"hintCount",
     [](Values &v) {
       v.next();
       multiple_of(v.m.to(i32), 16);
     },
     "multiple_of with 1 number for a tile of i32 [64, 32]; there is one for each axis, 2 here"},
    {"hintZero",
     [](Values &v) {
       v.next();
       multiple_of(v.n, 0);
     },
     "multiple_of with 0 for a scalar of i64; the number is at least 1"},
    {"hintScalar",
     [](Values &v) {
       v.next();
       max_contiguous(v.n, 16);
     },
     "max_contiguous on a scalar of i64; it is for tiles; use multiple_of for one number"},
    {"assumeTile",
     [](Values &v) {
       v.next();
       assume(v.mask);
     },
     "the condition of assume is a tile of i1 [128]; it must be one i1 a program; reduce it with any or all, or choose "
     "element by element with where or a mask"},
    {"seedFloat",
     [](Values &v) {
       v.next();
       rand(v.s, v.index);
     },
     "the seed is a scalar of f32; it must be an integer; convert with .to(i64)"},
    {"offsetLiteral",
     [](Values &v) {
       v.next();
       randn(7, 0.5);
     },
     "the offset is the number 0.5; it must be an integer"},
    {"rounds",
     [](Values &v) {
       v.next();
       rand(7, v.index, {.rounds = 0});
     },
     "philox with 0 rounds; it has 1 to 16, 10 unless speed matters more than quality"},
    {"counterShapes",
     [](Values &v) {
       v.next();
       philox(7, v.index, arange(0, 64), 0, 0);
     },
     "cannot draw random numbers from a scalar of u32, a scalar of u32, a tile of u32 [128], a tile of u32 [64], a "
     "scalar of u32 and a scalar of u32: shapes do not broadcast (axis 0: 128 and 64); extents must be equal or 1, "
     "counted from the last axis; place a 1-D tile with .row() or .col()"},
    {"workspaceProgramId",
     [](Values &v) {
       v.next();
       workspace<f32>(program_id(0) + 1);
     },
     "the count of a workspace depends on program_id; the launcher must know it before the launch: make it of integer "
     "arguments of the kernel, num_programs and numbers by + - * /, cdiv, floor_div, minimum, maximum and where"},
    {"workspaceLoad",
     [](Values &v) {
       v.next();
       workspace<f32>(load(v.counter));
     },
     "the count of a workspace depends on a value read from memory; the launcher must know it before the launch: make "
     "it of integer arguments of the kernel, num_programs and numbers by + - * /, cdiv, floor_div, minimum, maximum "
     "and where"},
    {"workspaceReduction",
     [](Values &v) {
       v.next();
       workspace<f32>(sum(v.index));
     },
     "the count of a workspace depends on a reduction; the launcher must know it before the launch: make it of integer "
     "arguments of the kernel, num_programs and numbers by + - * /, cdiv, floor_div, minimum, maximum and where"},
    {"workspaceUnsigned",
     [](Values &v) {
       v.next();
       workspace<f32>(v.n.to(u32) / 2);
     },
     "the count of a workspace depends on unsigned arithmetic; the launcher must know it before the launch: make it of "
     "integer arguments of the kernel, num_programs and numbers by + - * /, cdiv, floor_div, minimum, maximum and "
     "where"},
    {"workspaceLong",
     [](Values &v) {
       Int count = v.n;
       for (int i = 0; i < 10; ++i)
         count = count + count;
       v.next();
       workspace<f32>(count);
     },
     "the count of a workspace depends on more operations than a launcher evaluates; the launcher must know it before "
     "the launch: make "
     "it of integer arguments of the kernel, num_programs and numbers by + - * /, cdiv, floor_div, minimum, maximum "
     "and "
     "where"},
    {"workspaceNegative",
     [](Values &v) {
       v.next();
       workspace<f32>(-1);
     },
     "workspace of -1 elements; the count is at least 0"},
    {"workspaceTile",
     [](Values &v) {
       v.next();
       workspace<f32>(v.index);
     },
     "the count of a workspace is a tile of i32 [128]; it must be one integer a program"},
    {"workspaceAfterReturn",
     [](Values &v) {
       return_if(v.n == 0);
       v.next();
       workspace<f32>(v.n);
     },
     "workspace inside a loop, an if_ or after a return_if; it is one piece of memory for the whole launch; ask for it "
     "at the start of the kernel"},
};

TESSERA_MISUSE_TESTS(MisuseDebug, cases);
