//===- TypesTest.cpp - questions about types -------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "TileContext.h"

using namespace tessera::ir;
using namespace tessera::ir::tile;

namespace {

struct Types : TileContext {};

// SEMANTICS T2
TEST_F(Types, tilesHavePowersOfTwoUpToTheLimits) {
  EXPECT_TRUE(whyNoTile({1}).empty());
  EXPECT_TRUE(whyNoTile({1024, 1024}).empty());
  EXPECT_TRUE(whyNoTile({2, 2, 2, 2, 2}).empty());
  EXPECT_EQ(whyNoTile({}), "a tile has rank 1 to 5, got rank 0");
  EXPECT_EQ(whyNoTile({1, 1, 1, 1, 1, 1}), "a tile has rank 1 to 5, got rank 6");
  EXPECT_EQ(whyNoTile({4, 3}), "the extents of a tile are powers of two, got 3 on axis 1");
  EXPECT_EQ(whyNoTile({-8}), "the extents of a tile are powers of two, got -8 on axis 0");
  EXPECT_EQ(whyNoTile({0}), "the extents of a tile are powers of two, got 0 on axis 0");
  EXPECT_EQ(whyNoTile({mlir::ShapedType::kDynamic}), "the extents of a tile are powers of two, got ? on axis 0");
  EXPECT_EQ(whyNoTile({1024, 2048}), "a tile holds at most 1048576 elements");
  EXPECT_EQ(whyNoTile({int64_t(1) << 62, int64_t(1) << 62}), "a tile holds at most 1048576 elements");
}

// SEMANTICS T1
TEST_F(Types, elementsAreThoseOfTheLanguage) {
  for (Type type : {i1, i8, i32, i64, f16, f32, Type(PtrType::get(f32)), Type(PtrType::get(PtrType::get(i1)))})
    EXPECT_TRUE(isElement(type));
  const Type others[] = {IntegerType::get(&context, 7),
                         IntegerType::get(&context, 32, IntegerType::Signed),
                         builder.getIndexType(),
                         mlir::Float8E4M3Type::get(&context),
                         mlir::Float80Type::get(&context),
                         mlir::NoneType::get(&context),
                         ViewType::get(f32, 2)};
  for (Type type : others)
    EXPECT_FALSE(isElement(type));
}

TEST_F(Types, scalarsAndTilesAreShapedAlike) {
  const Type tile = RankedTensorType::get({8, 4}, f32), pointer = PtrType::get(f16);
  EXPECT_EQ(elementOf(tile), f32);
  EXPECT_EQ(elementOf(f32), f32);
  EXPECT_EQ(shapeOf(tile), ArrayRef<int64_t>({8, 4}));
  EXPECT_TRUE(shapeOf(f32).empty());
  EXPECT_EQ(elementCountOf(tile), 32);
  EXPECT_EQ(elementCountOf(f32), 1);
  EXPECT_EQ(withElement(tile, i1), RankedTensorType::get({8, 4}, i1));
  EXPECT_EQ(withElement(f32, i1), i1);
  EXPECT_EQ(valueType({}, f32), f32);
  EXPECT_EQ(valueType({8, 4}, f32), tile);
  EXPECT_EQ(pointeeOf(pointer), f16);
  EXPECT_EQ(pointeeOf(RankedTensorType::get({8}, pointer)), RankedTensorType::get({8}, f16));
  EXPECT_EQ(pointeeOf(f32), f32) << "what is no pointer is left for the verifier";
  EXPECT_EQ(pointerToElementOf(ViewType::get(f16, 2)), pointer);
  EXPECT_EQ(bitsOf(pointer), 64u);
  EXPECT_EQ(bitsOf(f16), 16u);
}

TEST_F(Types, viewsAreContiguousInTheLastAxisUnlessSaid) {
  EXPECT_EQ(ViewType::get(f32, 3).getContiguous(), 2u);
  EXPECT_EQ(ViewType::get(&context, f32, 3, 0).getContiguous(), 0u);
  EXPECT_NE(ViewType::get(f32, 3), ViewType::get(&context, f32, 3, 0));
}

} // namespace
