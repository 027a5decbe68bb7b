//===- AttrsTest.cpp - layouts as attributes, and types with them ----===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "RandomLayout.h"

#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace tessera::ir;
using namespace tessera::ir::layout;
using tessera::layout::kDims;

namespace {

/// Its columns, as they were given.
TileLayout::Bases basesOf(const TileLayout &layout) {
  TileLayout::Bases bases;
  for (const auto dim : kDims)
    bases[static_cast<size_t>(dim)].assign(layout.bases(dim).begin(), layout.bases(dim).end());
  return bases;
}

class LayoutAttrs : public testing::Test {
protected:
  LayoutAttrs() : context(mlir::MLIRContext::Threading::DISABLED) { context.loadDialect<LayoutDialect>(); }

  mlir::MLIRContext context;
  RandomLayout random;
};

TEST_F(LayoutAttrs, printedLayoutsParseToThemselves) {
  const std::vector<std::vector<int64_t>> shapes = {{}, {1}, {8}, {4, 128}, {2, 1, 16}, {2, 2, 2, 2, 2}};
  int tried = 0;
  for (int round = 0; round < 50; ++round)
    for (const std::vector<int64_t> &shape : shapes) {
      const TileLayout layout = random(shape);
      if (!whyNoTileLayout(shape, basesOf(layout)).empty())
        continue; // too many lanes or warps
      ++tried;
      const Attribute attribute = TileLayoutAttr::get(&context, layout);
      std::string text;
      llvm::raw_string_ostream(text) << attribute;
      EXPECT_EQ(mlir::parseAttribute(text, &context), attribute) << text;
    }
  EXPECT_GT(tried, 200);
}

TEST_F(LayoutAttrs, equalMapsAreEqualAttributes) {
  const TileLayout a({8}, {{{1}, {2, 4}, {}, {}}}), b({8}, {{{1}, {4, 2}, {}, {}}}), c({2, 4}, {{{1}, {2, 4}, {}, {}}});
  EXPECT_EQ(TileLayoutAttr::get(&context, a), TileLayoutAttr::get(&context, TileLayout(a)));
  EXPECT_NE(TileLayoutAttr::get(&context, a), TileLayoutAttr::get(&context, b));
  EXPECT_NE(TileLayoutAttr::get(&context, a), TileLayoutAttr::get(&context, c));
  const std::vector<int64_t> shape{4, 4};
  const std::vector<int> rows{1, 0}, columns{0, 1};
  EXPECT_EQ(SharedLayoutAttr::get(&context, SharedLayout::inOrder(shape, rows)),
            SharedLayoutAttr::get(&context, SharedLayout(shape, {1, 2, 4, 8})));
  EXPECT_NE(SharedLayoutAttr::get(&context, SharedLayout::inOrder(shape, rows)),
            SharedLayoutAttr::get(&context, SharedLayout::inOrder(shape, columns)));
}

TEST_F(LayoutAttrs, typesTakeAndGiveLayouts) {
  const Type f32 = mlir::Float32Type::get(&context), plain = RankedTensorType::get({8}, f32);
  const TileLayout layout({8}, {{{1}, {2, 4}, {}, {}}});
  const Type with = withLayout(plain, layout);
  EXPECT_EQ(layoutOf(with), layout);
  EXPECT_EQ(encodingOf(with), TileLayoutAttr::get(&context, layout));
  EXPECT_EQ(withoutLayout(with), plain);
  EXPECT_FALSE(encodingOf(plain));
  EXPECT_EQ(layoutOf(plain), TileLayout());
  EXPECT_EQ(withLayout(f32, layout), f32) << "a scalar has none";
  EXPECT_EQ(layoutOf(tile::withElement(with, mlir::Float16Type::get(&context))), layout)
      << "elements change, who holds them does not";
}

TEST_F(LayoutAttrs, buffersKnowTheirBytes) {
  const Type f16 = mlir::Float16Type::get(&context), i1 = IntegerType::get(&context, 1);
  const auto layout = SharedLayoutAttr::get(&context, SharedLayout({4, 8}, {1, 2, 4, 8, 16}));
  const BufferType one = BufferType::get(f16, layout), ring = BufferType::get(f16, layout, 3);
  EXPECT_EQ(one.bytes(), 64);
  EXPECT_EQ(ring.bytes(), 192);
  EXPECT_EQ(ring.slots(), 3);
  EXPECT_TRUE(ring.isRing());
  EXPECT_FALSE(one.isRing());
  EXPECT_EQ(ring.slotType(), one);
  EXPECT_EQ(BufferType::get(i1, layout).bytes(), 32) << "a truth value is a byte";
  EXPECT_EQ(BufferType::get(tile::PtrType::get(f16), layout).bytes(), 256);
  EXPECT_TRUE(BufferType::get(f16, layout, 1).isRing()) << "a ring of one is still a ring";
}

} // namespace
