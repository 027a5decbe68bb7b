//===- MisuseTest_reduce.cpp - wrong reductions, scans and sorts ---------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// SEMANTICS R1, R1a, R2, R3, R5
//
//===---------------------------------------------------------------------===//

#include "Expect.h"

#include "tessera/lang/Reduce.h"
#include "tessera/lang/Scan.h"
#include "tessera/lang/Shape.h"
#include "tessera/lang/Sort.h"

using namespace tessera;
using test::Misuse;
using test::Values;

static const Misuse cases[] = {
    {"sumPointers",
     [](Values &v) {
       v.next();
       sum(v.pointers);
     },
     "cannot sum up a tile of pointers to f32 [128]; load the elements first"},
    {"sumAxis",
     [](Values &v) {
       v.next();
       sum(v.m, {.axis = 2});
     },
     "axis 2 of a tile with 2 axes; an axis is 0 to 1, or -2 to -1 counted from the end"},
    {"sumAxisTwice",
     [](Values &v) {
       v.next();
       sum(v.m, {.axis = {1, -1}});
     },
     "axis 1 of a tile of f32 [64, 32] is named twice; a reduction names each axis once"},
    {"sumScalarAxis",
     [](Values &v) {
       v.next();
       sum(v.n, {.axis = 0});
     },
     "axis 0 of a scalar; a scalar has no axes"},
    {"sumDtype",
     [](Values &v) {
       v.next();
       sum(v.mask, {.dtype = i1});
     },
     "cannot sum up a tile of i1 [128] with dtype = i1; the dtype is an integer or float type; any, all and xor_sum "
     "give i1"},
    {"maxBool",
     [](Values &v) {
       v.next();
       max(v.mask);
     },
     "cannot take the max of a tile of i1 [128]; it works on integers and floats; use any"},
    {"minPointers",
     [](Values &v) {
       v.next();
       min(v.pointers);
     },
     "cannot take the min of a tile of pointers to f32 [128]; load the elements first"},
    {"anyFloat",
     [](Values &v) {
       v.next();
       any(v.x);
     },
     "cannot take any of a tile of f32 [128]; it works on i1, as a comparison gives it; compare with != 0"},
    {"allInteger",
     [](Values &v) {
       v.next();
       all(v.index);
     },
     "cannot take all of a tile of i32 [128]; it works on i1, as a comparison gives it; compare with != 0"},
    {"xorFloat",
     [](Values &v) {
       v.next();
       xor_sum(v.x);
     },
     "cannot take the xor_sum of a tile of f32 [128]; it works on integers and i1; use sum, or bitcast floats to "
     "integers"},
    {"argmaxAxes",
     [](Values &v) {
       v.next();
       argmax(broadcast_to(v.m, {2, 64, 32}), {.axis = {0, 2}});
     },
     "argmax along 2 of the 3 axes of a tile of f32 [2, 64, 32]; it works along one axis, or along all with the place "
     "in row-major order; reshape the axes into one first"},
    {"argminBool",
     [](Values &v) {
       v.next();
       argmin(v.mask);
     },
     "cannot take the argmin of a tile of i1 [128]; it works on integers and floats; use it after .to(i32)"},
    {"cumsumScalar",
     [](Values &v) {
       v.next();
       cumsum(v.n);
     },
     "cannot take the cumsum of a scalar of i64; a scalar has no axes"},
    {"cumprodAxis",
     [](Values &v) {
       v.next();
       cumprod(v.m, {.axis = -3});
     },
     "axis -3 of a tile with 2 axes; an axis is 0 to 1, or -2 to -1 counted from the end"},
    {"cummaxBool",
     [](Values &v) {
       v.next();
       cummax(v.mask);
     },
     "cannot take the cummax of a tile of i1 [128]; it works on integers and floats; use it after .to(i32)"},
    {"sortPointers",
     [](Values &v) {
       v.next();
       sort(v.pointers);
     },
     "cannot sort a tile of pointers to f32 [128]; keys are numbers; pointers move along as a payload"},
    {"sortScalar",
     [](Values &v) {
       v.next();
       sort(v.n);
     },
     "cannot sort a scalar of i64; a scalar has no axes"},
    {"sortPayload",
     [](Values &v) {
       v.next();
       sort(v.short_x, v.x);
     },
     "the payload is a tile of f32 [128] for a tile of f32 [64]; it must broadcast to the shape of the key"},
    {"sortValid",
     [](Values &v) {
       v.next();
       sort(v.x, {.valid = v.index});
     },
     "`valid` is a tile of i32 [128]; it must be i1, as a comparison gives it; compare with != 0"},
    {"argsortValid",
     [](Values &v) {
       v.next();
       argsort(v.short_x, {.valid = v.mask});
     },
     "`valid` is a tile of i1 [128] for a tile of f32 [64]; it must broadcast to the shape of the key"},
    {"topkNone",
     [](Values &v) {
       v.next();
       topk(v.x, 0);
     },
     "topk of 0 elements along axis 0 of a tile of f32 [128]; k is 1 to 128"},
    {"topkTooMany",
     [](Values &v) {
       v.next();
       topk(v.m, 33);
     },
     "topk of 33 elements along axis 1 of a tile of f32 [64, 32]; k is 1 to 32"},
    {"histogramFloat",
     [](Values &v) {
       v.next();
       histogram(v.x, 16);
     },
     "cannot count a tile of f32 [128]; histogram takes a tile of integers; scale it and convert with .to(i32)"},
    {"histogramBins",
     [](Values &v) {
       v.next();
       histogram(v.index, 100);
     },
     "the histogram would have the extent 100 on axis 0; an extent is a power of two; use 128 and mask the elements "
     "from 100 on"},
};

TESSERA_MISUSE_TESTS(MisuseReduce, cases);
