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

template <class Tag> class Matmul : public testing::Test {
protected:
  static constexpr DType T = Tag::type;
  static constexpr MatmulConfig small{.bm = 32, .bn = 16, .bk = 16, .group = 2};

  /// \p gap is how many elements lie between the rows of each matrix.
  static void check(lab::Random &random, Sizes sizes, const MatmulConfig &config, std::int64_t gap = 0) {
    const auto [m, n, k] = sizes;
    const auto a = Matrix<T>::random(random, m, k, k + gap), b = Matrix<T>::random(random, k, n, n + 2 * gap);
    Matrix<T> out(m, n, n + 3 * gap);
    const Device device = Device::current();
    const Buffer<T> left = device.upload(a.elements), right = device.upload(b.elements);
    const Buffer<T> result = device.upload(out.elements);
    const Grid grid = cdiv(m, config.bm) * cdiv(n, config.bn);
    matmul<T>.with(config).launch(device.stream(), grid, left, right, result, m, n, k, a.stride, b.stride, out.stride);
    out.elements = result.download();
    EXPECT_EQ(out.overwrittenGaps(), 0);
    const auto exact = reference::matmul(a.values(), b.values(), static_cast<std::size_t>(m),
                                         static_cast<std::size_t>(n), static_cast<std::size_t>(k));
    EXPECT_TRUE(agrees(out.values(), {exact.out, exact.magnitude}, lab::matmulTolerance(T, k)))
        << m << " x " << n << " x " << k << ", config " << detail::configText(config) << ", gap " << gap;
  }
};
TYPED_TEST_SUITE(Matmul, FloatTypes, FloatNames);

TYPED_TEST(Matmul, oddSizes) {
  lab::Random random(1);
  for (Sizes sizes : {Sizes{1, 1, 1}, {7, 5, 3}, {33, 65, 17}, {1, 781, 7}, {64, 1, 100}})
    this->check(random, sizes, this->small);
}

TYPED_TEST(Matmul, longDimensions) {
  lab::Random random(2);
  this->check(random, {3, 2, 4095}, this->small);
  this->check(random, {100'003, 1, 2}, {.bm = 1024, .bn = 1, .bk = 2, .group = 8});
}

TYPED_TEST(Matmul, wholeBlocks) {
  lab::Random random(3);
  this->check(random, {64, 32, 48}, this->small);
  this->check(random, {128, 128, 64}, {});
}

TYPED_TEST(Matmul, stridedRows) {
  lab::Random random(4);
  this->check(random, {37, 41, 29}, this->small, 5);
}

// The walk in stripes visits every block once, whatever the stripe.
TYPED_TEST(Matmul, anyGroup) {
  lab::Random random(5);
  for (int group : {1, 3, 100})
    this->check(random, {100, 50, 8}, {.bm = 16, .bn = 16, .bk = 8, .group = group});
}

TYPED_TEST(Matmul, emptySum) {
  lab::Random random(6);
  this->check(random, {5, 6, 0}, this->small);
}

TYPED_TEST(Matmul, emptyResult) {
  lab::Random random(7);
  this->check(random, {0, 6, 4}, this->small);
  this->check(random, {6, 0, 4}, this->small);
}

} // namespace
