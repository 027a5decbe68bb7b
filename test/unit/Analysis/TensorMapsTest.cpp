//===- TensorMapsTest.cpp - which views have descriptors ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A descriptor's boxes, put together as the chip puts them, must be what the buffer's layout says.
//
//===---------------------------------------------------------------------===//

#include "Analysis/TensorMaps.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::ir;
using tessera::layout::SharedLayout;

namespace {

using Shape = std::vector<std::int64_t>;
using Order = std::vector<int>;

constexpr const char *kParameters = "%x: !tile.ptr<f16> {tile.multiple_of = 16}, %m: i64, %n: i64, "
                                    "%ld: i64 {tile.multiple_of = 16}, %odd: i64, %short: i32 {tile.multiple_of = 16}";

class TensorMapsTest : public testing::Test {
protected:
  TensorMapsTest() : context(registry(), mlir::MLIRContext::Threading::DISABLED) {
    context.loadDialect<ir::layout::LayoutDialect>(); // no text names it
  }
  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    registry.insert<tile::TileDialect, ir::layout::LayoutDialect, mlir::arith::ArithDialect>();
    return registry;
  }

  /// What is said of the only view of \p body, at the coordinates of the only load or at its origin, and a buffer in
  /// \p layout.
  std::optional<TensorMapPlan> planOf(const std::string &body, const SharedLayout &layout, bool knowsMultiples = true,
                                      const std::string &parameters = kParameters) {
    module = mlir::parseSourceString<ModuleOp>(
        "tile.kernel @k(" + parameters + ") {\n%origin = arith.constant 0 : i64\n%one = arith.constant 1 : i64\n" +
            body + "\ntile.return }",
        &context);
    EXPECT_TRUE(module) << body;
    if (!module)
      return std::nullopt;
    tile::KernelOp kernel = *module->getOps<tile::KernelOp>().begin();
    UniformExprs exprs;
    AffineForms affine(exprs);
    const AxisInfos infos(kernel, affine);
    std::optional<TensorMapPlan> plan;
    kernel.walk([&](tile::MakeViewOp view) {
      SmallVector<Value> coords(view.getType().getRank(), kernel.getBody().front().front().getResult(0));
      kernel.walk([&](tile::ViewLoadOp load) { coords.assign(load.getCoords().begin(), load.getCoords().end()); });
      const auto attribute = ir::layout::SharedLayoutAttr::get(&context, layout);
      const auto buffer = ir::layout::BufferType::get(view.getType().getElement(), attribute);
      plan = tensorMapOf(view, coords, buffer, exprs, knowsMultiples ? &infos : nullptr);
    });
    return plan;
  }
  /// The same of a matrix of rows.
  std::optional<TensorMapPlan> planOf(const SharedLayout &layout) { return planOf(kRows, layout); }

  static constexpr const char *kRows = "%v = tile.make_view %x, [%m, %n], [%ld, %one] : !tile.view<f16, 2>";
  static constexpr const char *kColumns = "%v = tile.make_view %x, [%m, %n], [%one, %ld] : !tile.view<f16, 2>";

  mlir::MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

const SharedLayout kUsual = SharedLayout::tensorCopy(Shape{128, 64}, Order{1, 0}, 128, 2);

/// Where the chip puts element \p in of a box: rows of the box one after another, chunks of 16 bytes exchanged.
std::int64_t placeInBox(const TensorMapPlan &plan, ArrayRef<std::int64_t> in, std::int64_t elementBytes) {
  std::int64_t at = 0;
  for (size_t axis = plan.axes.size(); axis-- > 0;)
    at = at * plan.recipe.box[axis] + in[plan.axes[axis]];
  at *= elementBytes;
  const std::int64_t mask = (1 << static_cast<int>(plan.recipe.swizzle)) - 1;
  return at ^ ((at >> 7 & mask) << 4);
}

/// Puts all pieces together and compares.
void expectWhole(const TensorMapPlan &plan, const SharedLayout &layout, std::int64_t elementBytes) {
  const auto shape = layout.shape();
  std::vector<int> seen(static_cast<size_t>(layout.elements()));
  for (const TensorPiece &piece : plan.pieces) {
    std::int64_t elements = 1;
    for (const std::uint32_t extent : plan.recipe.box)
      elements *= extent;
    for (std::int64_t number = 0; number != elements; ++number) {
      SmallVector<std::int64_t> in(shape.size());
      std::int64_t rest = number;
      for (size_t axis = 0; axis != plan.axes.size(); ++axis) {
        in[plan.axes[axis]] = rest % plan.recipe.box[axis];
        rest /= plan.recipe.box[axis];
      }
      std::uint32_t flat = 0;
      for (size_t axis = 0; axis != shape.size(); ++axis)
        flat = static_cast<std::uint32_t>(flat * shape[axis] + piece.first[axis] + in[axis]);
      ++seen[flat];
      ASSERT_EQ(piece.byteOffset + placeInBox(plan, in, elementBytes), layout.offset(flat) * elementBytes)
          << layout.str() << " at " << flat;
    }
  }
  EXPECT_TRUE(llvm::all_of(seen, [](int times) { return times == 1; })) << layout.str();
}

} // namespace

TEST_F(TensorMapsTest, rowsOfAMatrix) {
  const std::optional<TensorMapPlan> plan = planOf(kUsual);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->recipe.base, 0);
  EXPECT_EQ(plan->recipe.dtype, f16);
  EXPECT_EQ(plan->recipe.offset, rt::Expr());
  EXPECT_EQ(plan->recipe.extents, (std::vector{rt::Expr::argument(2), rt::Expr::argument(1)}));
  EXPECT_EQ(plan->recipe.strides, std::vector{rt::Expr::argument(3) * 2});
  EXPECT_EQ(plan->recipe.box, (std::vector<std::uint32_t>{64, 128}));
  EXPECT_EQ(plan->recipe.swizzle, rt::TensorSwizzle::Bytes128);
  EXPECT_EQ(plan->axes, (SmallVector<unsigned, 5>{1, 0}));
  ASSERT_EQ(plan->pieces.size(), 1u);
  EXPECT_EQ(plan->bytes, 128 * 64 * 2);
}

TEST_F(TensorMapsTest, columnsAreContiguousToo) {
  const auto layout = SharedLayout::tensorCopy(Shape{64, 32}, Order{0, 1}, 128, 2);
  const std::optional<TensorMapPlan> plan = planOf(kColumns, layout);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->axes, (SmallVector<unsigned, 5>{0, 1}));
  EXPECT_EQ(plan->recipe.extents, (std::vector{rt::Expr::argument(1), rt::Expr::argument(2)}));
  expectWhole(*plan, layout, 2);
  // The buffer must have them one after another, too.
  EXPECT_FALSE(planOf(kColumns, kUsual));
  EXPECT_FALSE(planOf(kRows, layout));
}

TEST_F(TensorMapsTest, piecesMakeUpTheBuffer) {
  for (const Shape &shape : {Shape{8, 64}, Shape{128, 64}, Shape{16, 128}, Shape{64, 256}, Shape{512, 32},
                             Shape{1024, 128}, Shape{16, 16}, Shape{32, 32}})
    for (const int swizzle : {32, 64, 128}) {
      if (shape[1] * 2 < swizzle)
        continue;
      const auto layout = SharedLayout::tensorCopy(shape, Order{1, 0}, swizzle, 2);
      const std::optional<TensorMapPlan> plan = planOf(layout);
      ASSERT_TRUE(plan) << layout.str();
      EXPECT_EQ(16 << static_cast<int>(plan->recipe.swizzle), swizzle);
      EXPECT_EQ(plan->pieces.size(),
                static_cast<size_t>(shape[1] * 2 / swizzle * std::max<std::int64_t>(1, shape[0] / 256)));
      expectWhole(*plan, layout, 2);
    }
}

TEST_F(TensorMapsTest, moreAxes) {
  const std::string body = "%v = tile.make_view %x, [%m, %n, %n, %n], [%ld, %ld, %ld, %one] : !tile.view<f16, 4>";
  const auto layout = SharedLayout::tensorCopy(Shape{1, 1, 64, 128}, Order{3, 2, 1, 0}, 128, 2);
  const std::optional<TensorMapPlan> plan = planOf(body, layout);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->axes.front(), 3u);
  EXPECT_EQ(plan->axes[1], 2u);
  EXPECT_EQ(plan->recipe.strides.size(), 3u);
  expectWhole(*plan, layout, 2);
  const auto cube = SharedLayout::tensorCopy(Shape{2, 4, 8, 64}, Order{3, 1, 0, 2}, 64, 2);
  const std::optional<TensorMapPlan> other = planOf(body, cube);
  ASSERT_TRUE(other);
  expectWhole(*other, cube, 2);
}

TEST_F(TensorMapsTest, otherLayoutsHaveNone) {
  EXPECT_FALSE(planOf(SharedLayout::inOrder(Shape{64, 64}, Order{1, 0})));
  EXPECT_FALSE(planOf(SharedLayout::swizzled(Shape{64, 64}, Order{1, 0}, 8, 2, 4)));
  // Boxes that do not begin where the swizzle does.
  EXPECT_FALSE(planOf(SharedLayout::tensorCopy(Shape{4, 64}, Order{1, 0}, 128, 2)));
  // The swizzle of other elements.
  EXPECT_FALSE(planOf(SharedLayout::tensorCopy(Shape{64, 64}, Order{1, 0}, 128, 4)));
}

TEST_F(TensorMapsTest, theBaseComesFromAParameter) {
  const std::string moved = "%d = arith.muli %m, %ld : i64\n%y = tile.addptr %x, %d : !tile.ptr<f16>, i64\n"
                            "%v = tile.make_view %y, [%m, %n], [%ld, %one] : !tile.view<f16, 2>";
  const std::optional<TensorMapPlan> plan = planOf(moved, kUsual);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->recipe.offset, rt::Expr::argument(1) * rt::Expr::argument(3) * 2);
  const std::string byProgram = "%p = tile.program_id x\n%d = arith.muli %p, %ld : i64\n"
                                "%y = tile.addptr %x, %d : !tile.ptr<f16>, i64\n"
                                "%v = tile.make_view %y, [%m, %n], [%ld, %one] : !tile.view<f16, 2>";
  EXPECT_FALSE(planOf(byProgram, kUsual));
  const std::string unaligned = "%y = tile.addptr %x, %odd : !tile.ptr<f16>, i64\n"
                                "%v = tile.make_view %y, [%m, %n], [%ld, %one] : !tile.view<f16, 2>";
  EXPECT_FALSE(planOf(unaligned, kUsual));
  EXPECT_TRUE(planOf(unaligned, kUsual, /*knowsMultiples=*/false));
}

TEST_F(TensorMapsTest, stridesAreMultiples) {
  EXPECT_FALSE(planOf("%v = tile.make_view %x, [%m, %n], [%odd, %one] : !tile.view<f16, 2>", kUsual));
  EXPECT_FALSE(planOf("%v = tile.make_view %x, [%m, %n], [%ld, %odd] : !tile.view<f16, 2>", kUsual));
  EXPECT_FALSE(planOf("%v = tile.make_view %x, [%m, %n], [%one, %one] : !tile.view<f16, 2>", kUsual));
  const std::string narrow = "%w = arith.extsi %short : i32 to i64\n"
                             "%v = tile.make_view %x, [%m, %n], [%w, %one] : !tile.view<f16, 2>";
  const std::optional<TensorMapPlan> plan = planOf(narrow, kUsual);
  ASSERT_TRUE(plan);
  // 2^31 elements of 2 bytes are below any limit: that it is positive is all that is left to require.
  EXPECT_EQ(llvm::count(plan->requirements, rt::Expr::binary(rt::ExprCode::Ge, rt::Expr::argument(5) * 2, 16)), 1);
  for (const rt::Expr &requirement : plan->requirements)
    EXPECT_EQ(requirement.str().find("arg5 * 2 <="), std::string::npos) << requirement.str();
}

TEST_F(TensorMapsTest, whatIsRequired) {
  const std::optional<TensorMapPlan> plan = planOf(kUsual);
  ASSERT_TRUE(plan);
  const auto holds = [&](std::int64_t x, std::int64_t m, std::int64_t n, std::int64_t ld) {
    const std::int64_t arguments[] = {x, m, n, ld, 0, 0};
    return llvm::all_of(plan->requirements, [&](const rt::Expr &requirement) {
      const rt::ExprResult result = requirement.evaluate({.arguments = arguments});
      return !result.error && result.value;
    });
  };
  constexpr std::int64_t kMost = 0x7fffffff;
  EXPECT_TRUE(holds(16, 1, 1, 16));
  EXPECT_TRUE(holds(16, kMost - 144, kMost - 80, 16));
  EXPECT_FALSE(holds(0, 1, 1, 16));
  EXPECT_FALSE(holds(16, 0, 1, 16));
  EXPECT_FALSE(holds(16, 1, 0, 16));
  EXPECT_FALSE(holds(16, -1, 1, 16));
  EXPECT_FALSE(holds(16, 1, 1, 0));
  EXPECT_FALSE(holds(16, 1, 1, -16));
  EXPECT_FALSE(holds(16, kMost - 143, 1, 16));
  EXPECT_FALSE(holds(16, 1, kMost - 79, 16));
  EXPECT_TRUE(holds(16, 1, 1, (std::int64_t(1) << 39) - 8));
  EXPECT_FALSE(holds(16, 1, 1, std::int64_t(1) << 39));
}

/// The chip stops at boxes that begin elsewhere along the contiguous axis; along others they begin anywhere.
TEST_F(TensorMapsTest, boxesBeginAtMultiplesOf16Bytes) {
  const auto planAt = [&](const std::string &row, const std::string &column, bool knowsMultiples = true) {
    return planOf(std::string(kRows) + "\n%c8 = arith.constant 8 : i64\n%c12 = arith.constant -12 : i64\n" +
                      "%wide = arith.muli %odd, %c8 : i64\n%t = tile.view_load %v[" + row + ", " + column +
                      "] : !tile.view<f16, 2> -> tensor<128x64xf16>",
                  kUsual, knowsMultiples);
  };
  EXPECT_TRUE(planAt("%odd", "%origin"));
  EXPECT_TRUE(planAt("%c12", "%c8"));
  EXPECT_TRUE(planAt("%odd", "%wide"));
  EXPECT_FALSE(planAt("%origin", "%c12"));
  EXPECT_FALSE(planAt("%origin", "%one"));
  EXPECT_FALSE(planAt("%origin", "%odd"));
  EXPECT_TRUE(planAt("%origin", "%odd", /*knowsMultiples=*/false));
}

TEST_F(TensorMapsTest, constantsAreTestedNow) {
  const std::string body = "%z = arith.constant 0 : i64\n"
                           "%v = tile.make_view %x, [%z, %n], [%ld, %one] : !tile.view<f16, 2>";
  EXPECT_FALSE(planOf(body, kUsual));
  const std::string fixed = "%r = arith.constant 1000 : i64\n%c = arith.constant 4096 : i64\n"
                            "%v = tile.make_view %x, [%r, %c], [%c, %one] : !tile.view<f16, 2>";
  const std::optional<TensorMapPlan> plan = planOf(fixed, kUsual);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->requirements.size(), 1u); // an address
  EXPECT_EQ(plan->recipe.extents, (std::vector<rt::Expr>{4096, 1000}));
}

TEST_F(TensorMapsTest, elements) {
  const auto layout = [](int bytes) {
    return SharedLayout::tensorCopy(Shape{64, 128 / bytes}, Order{1, 0}, 128, bytes);
  };
  for (const auto &[type, bytes, dtype] : {std::tuple("f8E4M3FN", 1, e4m3),
                                           {"i8", 1, i8},
                                           {"bf16", 2, bf16},
                                           {"f32", 4, f32},
                                           {"i64", 8, i64},
                                           {"f64", 8, f64}}) {
    const std::string parameters = std::string("%x: !tile.ptr<") + type +
                                   "> {tile.multiple_of = 16}, %m: i64, %n: i64, %ld: i64 {tile.multiple_of = 16}";
    const std::string body = std::string("%v = tile.make_view %x, [%m, %n], [%ld, %one] : !tile.view<") + type + ", 2>";
    const std::optional<TensorMapPlan> plan = planOf(body, layout(bytes), true, parameters);
    ASSERT_TRUE(plan) << type;
    EXPECT_EQ(plan->recipe.dtype, dtype);
    expectWhole(*plan, layout(bytes), bytes);
  }
  const std::string flags =
      "%x: !tile.ptr<i1> {tile.multiple_of = 16}, %m: i64, %n: i64, %ld: i64 {tile.multiple_of = 16}";
  EXPECT_FALSE(planOf("%v = tile.make_view %x, [%m, %n], [%ld, %one] : !tile.view<i1, 2>", layout(1), true, flags));
}
