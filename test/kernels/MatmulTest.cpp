//===- MatmulTest.cpp - matmul --------------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "KernelTest.h"

#include "matmul/matmul.h"
#include "reference/matmul.h"

using namespace tessera;
using namespace tessera::kernels;

namespace {

struct Sizes {
  std::int64_t m, n, k;
};

constexpr MatmulConfig small{.bm = 32, .bn = 16, .bk = 16, .group = 2};

/// \p gap is how many elements lie between the rows of each matrix as it is stored.
template <DType T, DType Out = productType(T)>
void checkMatmul(lab::Random &random, Sizes sizes, const MatmulConfig &config, std::int64_t gap = 0,
                 const CompileOptions &options = {}) {
  const auto [m, n, k] = sizes;
  const auto stored = [&](std::int64_t rows, std::int64_t cols, bool transposed, std::int64_t between) {
    return transposed ? Matrix<T>::random(random, cols, rows, rows + between)
                      : Matrix<T>::random(random, rows, cols, cols + between);
  };
  const Matrix<T> a = stored(m, k, config.ta, gap), b = stored(k, n, config.tb, 2 * gap);
  Matrix<Out> out(m, n, n + 3 * gap);
  const Device device = Device::current();
  const Buffer<T> left = device.upload(a.elements), right = device.upload(b.elements);
  const Buffer<Out> result = device.upload(out.elements);
  const Grid grid = cdiv(m, config.bm) * cdiv(n, config.bn);
  matmul<T, Out>.with(config, options).launch(device.stream(), grid, left, right, result, m, n, k, a.stride, b.stride, out.stride);
  out.elements = result.download();
  EXPECT_EQ(out.overwrittenGaps(), 0);
  const auto exact =
      reference::matmul(config.ta ? a.transposedValues() : a.values(), config.tb ? b.transposedValues() : b.values(),
                        static_cast<std::size_t>(m), static_cast<std::size_t>(n), static_cast<std::size_t>(k));
  EXPECT_TRUE(agrees(out.values(), {exact.out, exact.magnitude}, lab::matmulTolerance(T, Out, k, config.precision)))
      << m << " x " << n << " x " << k << ", " << T.name() << " to " << Out.name() << ", config "
      << detail::configText(config) << ", gap " << gap << ", stages " << options.num_stages;
}

/// Both operands as they are, and as their transposes.
template <DType T, DType Out = productType(T)>
void checkOrders(lab::Random &random, Sizes sizes, MatmulConfig config, std::int64_t gap = 0,
                 const CompileOptions &options = {}) {
  for (int order = 0; order != 4; ++order) {
    config.ta = order % 2 != 0, config.tb = order / 2 != 0;
    checkMatmul<T, Out>(random, sizes, config, gap, options);
  }
}

template <class Tag> class Matmul : public testing::Test {
protected:
  static void check(lab::Random &random, Sizes sizes, const MatmulConfig &config, std::int64_t gap = 0) {
    checkMatmul<Tag::type>(random, sizes, config, gap);
  }
};
TYPED_TEST_SUITE(Matmul, FloatTypes, FloatNames);

TYPED_TEST(Matmul, oddSizes) {
  lab::Random random(1);
  for (Sizes sizes : {Sizes{1, 1, 1}, {7, 5, 3}, {33, 65, 17}, {1, 781, 7}, {64, 1, 100}})
    this->check(random, sizes, small);
}

TYPED_TEST(Matmul, longDimensions) {
  lab::Random random(2);
  this->check(random, {3, 2, 4095}, small);
  this->check(random, {100'003, 1, 2}, {.bm = 1024, .bn = 1, .bk = 2, .group = 8});
}

TYPED_TEST(Matmul, wholeBlocks) {
  lab::Random random(3);
  this->check(random, {64, 32, 48}, small);
  this->check(random, {128, 128, 64}, {});
}

TYPED_TEST(Matmul, stridedRows) {
  lab::Random random(4);
  this->check(random, {37, 41, 29}, small, 5);
}

// The walk in stripes visits every block once, whatever the stripe.
TYPED_TEST(Matmul, anyGroup) {
  lab::Random random(5);
  for (int group : {1, 3, 100})
    this->check(random, {100, 50, 8}, {.bm = 16, .bn = 16, .bk = 8, .group = group});
}

TYPED_TEST(Matmul, emptySum) {
  lab::Random random(6);
  this->check(random, {5, 6, 0}, small);
}

TYPED_TEST(Matmul, emptyResult) {
  lab::Random random(7);
  this->check(random, {0, 6, 4}, small);
  this->check(random, {6, 0, 4}, small);
}

TYPED_TEST(Matmul, transposedOperands) {
  lab::Random random(8);
  checkOrders<TypeParam::type>(random, {37, 21, 50}, small, 3);
  checkOrders<TypeParam::type>(random, {64, 32, 48}, small);
}

// Dtypes of which results have another one.
template <class Tag> class MatmulNarrow : public testing::Test {};
using NarrowTypes = testing::Types<TypeTag<e4m3>, TypeTag<e5m2>, TypeTag<i8>>;
TYPED_TEST_SUITE(MatmulNarrow, NarrowTypes, FloatNames);

TYPED_TEST(MatmulNarrow, oddSizes) {
  lab::Random random(9);
  for (Sizes sizes : {Sizes{1, 1, 1}, {33, 65, 17}, {5, 6, 0}, {64, 32, 96}})
    checkOrders<TypeParam::type>(random, sizes, {.bm = 32, .bn = 16, .bk = 32}, 3);
}

TYPED_TEST(MatmulNarrow, wholeBlocks) {
  lab::Random random(10);
  checkOrders<TypeParam::type>(random, {128, 128, 256}, {.bm = 64, .bn = 64, .bk = 128});
}

TEST(MatmulTypes, widerResults) {
  lab::Random random(11);
  checkMatmul<f16, f32>(random, {33, 65, 40}, small);
  checkMatmul<bf16, f32>(random, {33, 65, 40}, small);
  checkMatmul<e4m3, bf16>(random, {33, 65, 40}, small);
  checkMatmul<e5m2, f32>(random, {33, 65, 40}, small);
}

TEST(MatmulTypes, tf32) {
  lab::Random random(12);
  MatmulConfig config = small;
  for (Precision precision : {Precision::tf32, Precision::tf32x3}) {
    config.precision = precision;
    checkOrders<f32>(random, {45, 33, 70}, config, 1);
    checkOrders<f32>(random, {64, 32, 64}, config);
  }
}

// Groups of warps multiply, and read operands along k alone.
TEST(MatmulTypes, tf32OfGroups) {
  lab::Random random(15);
  for (int stages : {1, 3}) {
    checkOrders<f32>(random, {128, 136, 100}, {.bm = 64, .bn = 64, .bk = 32, .precision = Precision::tf32}, 4,
                     {.num_warps = 4, .num_stages = stages});
    checkOrders<f32>(random, {129, 260, 70}, {.bm = 64, .bn = 128, .bk = 16, .precision = Precision::tf32}, 0,
                     {.num_warps = 8, .num_stages = stages});
  }
}

// What runs beside the loop must not change results (SEMANTICS L2), whatever the number of rounds.
TEST(MatmulTypes, anyStagesAndWarps) {
  lab::Random random(13);
  for (int stages : {1, 2, 3, 4, 5})
    for (std::int64_t k : {8, 40, 128}) {
      const MatmulConfig config{.bm = 64, .bn = 32, .bk = 32};
      checkOrders<f16>(random, {70, 48, k}, config, 0, {.num_warps = 4, .num_stages = stages});
      checkMatmul<f16>(random, {70, 40, k}, config, 8, {.num_warps = 8, .num_stages = stages});
      checkMatmul<f32>(random, {70, 48, k}, config, 0, {.num_warps = 2, .num_stages = stages});
      checkMatmul<i8>(random, {70, 48, k}, config, 0, {.num_warps = 4, .num_stages = stages});
    }
}

} // namespace
