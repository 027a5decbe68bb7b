//===- LayoutMapTest.cpp - layouts of operands and results ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What a thread holds of a tile must be what the op makes of what it holds, for random layouts.
//
//===---------------------------------------------------------------------===//

#include "Conversion/TileToLayout/LayoutMap.h"

#include "unit/Layout/RandomLayouts.h"

#include <gtest/gtest.h>

using namespace tessera::ir;
using tessera::ir::layout::holdsInRegisters;
using tessera::ir::layout::LayoutMap;
using tessera::layout::Dim;
using tessera::layout::TileLayout;
using tessera::layout::test::forEachHolder;
using tessera::layout::test::Random;

namespace {

/// Every holder of an element of the op holds, in the same register or the one \p toRegister names, the element of the
/// tile that \p elementOf names.
void expectHolds(const TileLayout &ofOp, const TileLayout &ofTile,
                 llvm::function_ref<std::uint32_t(std::uint32_t)> elementOf, unsigned registerShift = 0) {
  forEachHolder(ofOp, [&](std::uint32_t reg, std::uint32_t lane, std::uint32_t warp, std::uint32_t block) {
    EXPECT_EQ(ofTile.at(reg >> registerShift, lane, warp, block), elementOf(ofOp.at(reg, lane, warp, block)));
  });
}

/// The inverse leads back, but for copies in registers.
void expectInverts(const LayoutMap &map, const TileLayout &ofTile) {
  using tessera::layout::withoutRegisterCopies;
  const TileLayout back = map.apply(map.invert(ofTile));
  EXPECT_EQ(withoutRegisterCopies(back).str(), withoutRegisterCopies(ofTile).str());
}

const std::vector<std::int64_t> kShape = {4, 8, 2};

/// The row-major index of coordinates over a shape.
std::uint32_t flatOf(llvm::ArrayRef<std::int64_t> coordinates, llvm::ArrayRef<std::int64_t> shape) {
  std::uint32_t flat = 0;
  for (auto [coordinate, extent] : llvm::zip_equal(coordinates, shape))
    flat = static_cast<std::uint32_t>(flat * extent + coordinate);
  return flat;
}

llvm::SmallVector<std::int64_t> coordinatesOf(const TileLayout &layout, std::uint32_t flat) {
  llvm::SmallVector<std::int64_t> coordinates;
  for (int axis = 0; axis < layout.rank(); ++axis)
    coordinates.push_back(layout.coordinate(flat, axis));
  return coordinates;
}

} // namespace

TEST(LayoutMap, renamings) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const TileLayout op = random.layout(kShape, 3, 1);
    const LayoutMap reshaped = LayoutMap::reshaped(kShape, {8, 8});
    expectHolds(op, reshaped.apply(op), [](std::uint32_t flat) { return flat; });
    expectInverts(reshaped, random.layout({8, 8}, 3, 1));
    // Axis i of the op is axis permutation[i] of the tile: the tile is 2x4x8.
    const LayoutMap permuted = LayoutMap::permuted({1, 2, 0});
    expectHolds(op, permuted.apply(op), [&](std::uint32_t flat) {
      const auto at = coordinatesOf(op, flat);
      return flatOf({at[2], at[0], at[1]}, {2, 4, 8});
    });
    expectInverts(permuted, random.layout({2, 4, 8}, 3, 1));
  }
}

TEST(LayoutMap, axesThatGo) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const TileLayout op = random.layout(kShape, 3, 1);
    const LayoutMap dropped = LayoutMap::dropped(kShape, 1);
    expectHolds(op, dropped.apply(op), [&](std::uint32_t flat) {
      const auto at = coordinatesOf(op, flat);
      return flatOf({at[0], at[2]}, {4, 2});
    });
    expectInverts(dropped, random.layout({4, 2}, 3, 1));
    const LayoutMap squeezed = LayoutMap::squeezed(kShape, {4, 1, 2});
    expectHolds(op, squeezed.apply(op), [&](std::uint32_t flat) {
      const auto at = coordinatesOf(op, flat);
      return flatOf({at[0], 0, at[2]}, {4, 1, 2});
    });
    expectInverts(squeezed, random.layout({4, 1, 2}, 3, 1));
  }
}

/// Lanes and warps that would hold copies take over the axis that comes, before registers do.
TEST(LayoutMap, copiesAreSpread) {
  const std::vector<std::int64_t> shape = {4};
  const TileLayout rows(shape, {{{}, {1, 2, 0}, {0}, {}}});
  const TileLayout tile = LayoutMap::dropped({4, 8}, 1).invert(rows);
  EXPECT_EQ(tile.str(), "4x8, register = [(0, 4)], lane = [(1, 0), (2, 0), (0, 1)], warp = [(0, 2)]");
}

TEST(LayoutMap, partsInRegisters) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const LayoutMap joined = LayoutMap::joined({4, 8, 4}, 2);
    const TileLayout tile = random.layout({4, 8}, 3, 1);
    const TileLayout op = joined.invert(tile);
    EXPECT_TRUE(holdsInRegisters(op, 2));
    EXPECT_EQ(joined.apply(op), tile);
    expectHolds(op, tile, [](std::uint32_t flat) { return flat >> 2; }, 2);
    forEachHolder(op, [&](std::uint32_t reg, std::uint32_t lane, std::uint32_t warp, std::uint32_t block) {
      EXPECT_EQ(op.at(reg, lane, warp, block) & 3, reg & 3);
    });
  }
  const std::vector<std::int64_t> shape = {4, 2};
  EXPECT_FALSE(holdsInRegisters(TileLayout(shape, {{{2}, {1, 4}, {}, {}}}), 1));
  EXPECT_FALSE(holdsInRegisters(TileLayout(shape, {{{1, 2}, {5}, {}, {}}}), 1));
}
