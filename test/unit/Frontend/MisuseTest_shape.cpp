//===- MisuseTest_shape.cpp - wrong calls of the shape operations --------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// SEMANTICS S1, S3, T2, M2
//
//===---------------------------------------------------------------------===//

#include "Expect.h"

#include "tessera/lang/Shape.h"

using namespace tessera;
using test::Misuse;
using test::Values;

static const Misuse cases[] = {
    {"reshapeCount",
     [](Values &v) {
       v.next();
       reshape(v.x, {64});
     },
     "cannot reshape a tile of f32 [128] to [64]: 128 elements and 64; a reshape keeps the number of elements; use "
     "broadcast_to to repeat or slice to cut"},
    {"reshapeExtent",
     [](Values &v) {
       v.next();
       reshape(v.x, {96});
     },
     "the reshape of a tile of f32 [128] would have the extent 96 on axis 0; an extent is a power of two; use 128 and "
     "mask "
     "the elements from 96 on"},
    {"reshapeRank",
     [](Values &v) {
       v.next();
       reshape(v.x, {2, 2, 2, 2, 2, 4});
     },
     "the reshape of a tile of f32 [128] would have 6 axes; a tile has at most 5"},
    {"transRank",
     [](Values &v) {
       v.next();
       trans(v.x);
     },
     "cannot transpose a tile of f32 [128]; without a permutation trans exchanges the last two axes; place a 1-D tile "
     "with "
     ".row() or .col()"},
    {"transPermutation",
     [](Values &v) {
       v.next();
       trans(v.m, {0, 0});
     },
     "the permutation [0, 0] of a tile of f32 [64, 32] names an axis twice; it names each axis once"},
    {"transTooShort",
     [](Values &v) {
       v.next();
       trans(v.m, {0});
     },
     "1 axes in the permutation for a tile of f32 [64, 32]; there is one for each axis, 2 here"},
    {"joinShapes",
     [](Values &v) {
       v.next();
       join(v.x, v.short_x);
     },
     "cannot join a tile of f32 [128] and a tile of f32 [64]: shapes do not broadcast (axis 0: 128 and 64); extents "
     "must be "
     "equal or 1, counted from the last axis; place a 1-D tile with .row() or .col()"},
    {"joinTypes",
     [](Values &v) {
       v.next();
       join(v.index, v.index.to(u32));
     },
     "cannot join a tile of i32 [128] and a tile of u32 [128]: i32 and u32 do not mix, since neither holds the values "
     "of the "
     "other; cast one side with .to"},
    {"splitExtent",
     [](Values &v) {
       v.next();
       split(v.m);
     },
     "cannot split a tile of f32 [64, 32]; its last axis must have the extent 2; reshape it to end in 2 first"},
    {"catShapes",
     [](Values &v) {
       v.next();
       cat(v.x, v.short_x, 0);
     },
     "cannot concatenate a tile of f32 [128] and a tile of f32 [64]: the shapes differ; both must have one shape, so "
     "that the "
     "result's extent is a power of two; use broadcast_to, or insert to fill a part"},
    {"catScalars",
     [](Values &v) {
       v.next();
       cat(v.n, v.n, 0);
     },
     "cannot concatenate a scalar of i64 and a scalar of i64; scalars have no axes; join makes a tile of two"},
    {"flipAxis",
     [](Values &v) {
       v.next();
       flip(v.m, 2);
     },
     "axis 2 of a tile with 2 axes; an axis is 0 to 1, or -2 to -1 counted from the end"},
    {"flipScalar",
     [](Values &v) {
       v.next();
       flip(v.s);
     },
     "cannot flip a scalar of f32; it works on the axes of a tile; make one with broadcast_to or full"},
    {"sliceOutside",
     [](Values &v) {
       v.next();
       slice(v.m, {0, 8}, {64, 32});
     },
     "cannot slice 32 elements from 8 on along axis 1 of a tile of f32 [64, 32]; the box must lie inside, so the "
     "offset is 0 "
     "to 0"},
    {"sliceSizes",
     [](Values &v) {
       v.next();
       slice(v.m, {0, 0}, {24, 32});
     },
     "the slice of a tile of f32 [64, 32] would have the extent 24 on axis 0; an extent is a power of two; use 32 and "
     "mask "
     "the elements from 24 on"},
    {"insertRank",
     [](Values &v) {
       v.next();
       insert(v.m, v.x, {0, 0});
     },
     "cannot insert a tile of f32 [128] into a tile of f32 [64, 32]; both must have one rank, since the value's "
     "extents say "
     "how much is replaced; use full, reshape or expand_dims"},
    {"insertType",
     [](Values &v) {
       v.next();
       insert(v.h, v.m, {0, 0});
     },
     "the value inserted is a tile of f32 [64, 32] where f16 is wanted; only conversions that keep every value are "
     "implicit; "
     "convert it with .to(f16)"},
    {"gatherFloats",
     [](Values &v) {
       v.next();
       gather(v.x, v.x, 0);
     },
     "cannot gather from a tile of f32 [128] by a tile of f32 [128]; indices are integers; convert them with .to(i32)"},
    {"gatherRank",
     [](Values &v) {
       v.next();
       gather(v.m, v.index, 0);
     },
     "cannot gather from a tile of f32 [64, 32] by a tile of i32 [128]; the index has the rank of the tile, one index "
     "an "
     "element of the result; use expand_dims, or extract_at for one index a program"},
    {"gatherExtents",
     [](Values &v) {
       v.next();
       gather(v.m, v.index.row(), 0);
     },
     "cannot gather from a tile of f32 [64, 32] by a tile of i32 [1, 128] along axis 0; on the other axes the index "
     "has the "
     "tile's extents, or 1"},
    {"extractNumber",
     [](Values &v) {
       v.next();
       extract_at(v.m, 1, 32);
     },
     "index 32 on axis 1 of a tile of f32 [64, 32]; an index is 0 to 31"},
    {"extractTile",
     [](Values &v) {
       v.next();
       extract_at(v.m, 1, v.index);
     },
     "the index is a tile of i32 [128]; it must be one integer a program"},
    {"insertAtShape",
     [](Values &v) {
       v.next();
       insert_at(v.m, 0, v.n, v.x);
     },
     "cannot insert a tile of f32 [128] at an index on axis 0 of a tile of f32 [64, 32]; the value must broadcast to "
     "the "
     "shape without that axis, [32]"},
    {"expandDims",
     [](Values &v) {
       v.next();
       expand_dims(v.m, 3);
     },
     "cannot insert axis 3 into a tile of f32 [64, 32]; a new axis is 0 to 2, or -3 to -1 counted from the end"},
    {"broadcastTo",
     [](Values &v) {
       v.next();
       broadcast_to(v.x, {64, 32});
     },
     "cannot broadcast a tile of f32 [128] to [64, 32]; counted from the last axis, each extent must be that of the "
     "result or "
     "1; place a 1-D tile with .row() or .col()"},
    {"broadcastElements",
     [](Values &v) {
       v.next();
       broadcast_to(v.x, {16384, 128});
     },
     "the broadcast of a tile of f32 [128] would have the shape [16384, 128]; a tile has at most 1048576 elements; use "
     "a "
     "smaller block and loop over it"},
};

TESSERA_MISUSE_TESTS(MisuseShape, cases);
