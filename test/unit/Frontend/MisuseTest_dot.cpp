//===- MisuseTest_dot.cpp - wrong products of matrices -------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// SEMANTICS D1, D1a, D3
//
//===---------------------------------------------------------------------===//

#include "Expect.h"

#include "tessera/lang/Dot.h"
#include "tessera/lang/Shape.h"

using namespace tessera;
using test::Misuse;
using test::Values;

static const Misuse cases[] = {
    {"inner",
     [](Values &v) {
       v.next();
       dot(v.m, v.m);
     },
     "cannot multiply a tile of f32 [64, 32] and a tile of f32 [64, 32]: 32 columns and 64 rows; the left has as many "
     "columns as the right has rows; use trans"},
    {"dtypes",
     [](Values &v) {
       v.next();
       dot(v.h, trans(v.m));
     },
     "cannot multiply a tile of f16 [64, 32] and a tile of f32 [32, 64]: both sides have one dtype (e4m3 and e5m2 "
     "may mix); convert one with .to"},
    {"halfKinds",
     [](Values &v) {
       v.next();
       dot(v.h, trans(v.m).to(bf16));
     },
     "cannot multiply a tile of f16 [64, 32] and a tile of bf16 [32, 64]: both sides have one dtype (e4m3 and e5m2 "
     "may mix); convert one with .to"},
    {"wideIntegers",
     [](Values &v) {
       v.next();
       dot(v.m.to(i32), trans(v.m).to(i32));
     },
     "cannot multiply a tile of i32 [64, 32] and a tile of i32 [32, 64]: dot takes f16, bf16, fp8, f32, f64 and "
     "i8; convert with .to"},
    {"unsignedBytes",
     [](Values &v) {
       v.next();
       dot(v.m.to(u8), trans(v.m).to(u8));
     },
     "cannot multiply a tile of u8 [64, 32] and a tile of u8 [32, 64]: dot multiplies signed bytes; convert with "
     ".to(i8) where all values are below 128, or with .to(f16)"},
    {"fp8Families",
     [](Values &v) {
       v.next();
       dot(v.q, trans(v.m).to(e5m2fnuz));
     },
     "cannot multiply a tile of e4m3 [64, 32] and a tile of e5m2fnuz [32, 64]: fp8 kinds of OCP mix with each other, "
     "and fnuz kinds with each other; convert one side with .to"},
    {"ranks",
     [](Values &v) {
       v.next();
       dot(v.x, v.x);
     },
     "cannot multiply a tile of f32 [128] and a tile of f32 [128]: both have 2 axes, or 3 with one product for each "
     "place on the first; use reshape, expand_dims, .row() or .col()"},
    {"rankMix",
     [](Values &v) {
       v.next();
       dot(expand_dims(v.m, 0), trans(v.m));
     },
     "cannot multiply a tile of f32 [1, 64, 32] and a tile of f32 [32, 64]: both have 2 axes, or 3 with one product "
     "for each place on the first; use reshape, expand_dims, .row() or .col()"},
    {"batches",
     [](Values &v) {
       v.next();
       dot(zeros(f32, {2, 8, 8}), zeros(f32, {4, 8, 8}));
     },
     "cannot multiply a tile of f32 [2, 8, 8] and a tile of f32 [4, 8, 8]: 2 products and 4; the first extents are "
     "equal; use broadcast_to"},
    {"accumulatorDtype",
     [](Values &v) {
       v.next();
       dot(v.h, trans(v.h), zeros(f16, {64, 64}));
     },
     "the accumulator is a tile of f16 [64, 64] where a tile of f16 [64, 32] times a tile of f16 [32, 64] gives a tile "
     "of f32 [64, 64]; it must be exactly that; start with zeros(f32, {...}) or leave it out"},
    {"accumulatorShape",
     [](Values &v) {
       v.next();
       dot(v.h, trans(v.h), zeros(f32, {64, 32}));
     },
     "the accumulator is a tile of f32 [64, 32] where a tile of f16 [64, 32] times a tile of f16 [32, 64] gives a tile "
     "of f32 [64, 64]; it must be exactly that; start with zeros(f32, {...}) or leave it out"},
    {"accumulatorLiteral",
     [](Values &v) {
       v.next();
       dot(v.h, trans(v.h), 0);
     },
     "the accumulator is the number 0 where a tile of f16 [64, 32] times a tile of f16 [32, 64] gives a tile of f32 "
     "[64, 64]; it must be exactly that; start with zeros(f32, {...}) or leave it out"},
    {"impreciseK",
     [](Values &v) {
       v.next();
       dot(v.q, trans(v.q), {.max_imprecise_k = -1});
     },
     "max_imprecise_k is -1; it is at least 1, or 0 to leave it to the unit"},
    {"tooLarge",
     [](Values &v) {
       v.next();
       dot(zeros(f16, {2048, 16}), zeros(f16, {16, 1024}));
     },
     "the product of a tile of f16 [2048, 16] and a tile of f16 [16, 1024] would have the shape [2048, 1024]; a tile "
     "has at most 1048576 elements; use a smaller block and loop over it"},
};

TESSERA_MISUSE_TESTS(MisuseDot, cases);
