//===- SplitMatmulTest.cpp - split_matmul ---------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "KernelTest.h"

#include "reference/matmul.h"
#include "split_matmul/split_matmul.h"

using namespace tessera;
using namespace tessera::kernels;

namespace {

struct Sizes {
  std::int64_t m, n, k;
};

template <class Tag> class SplitMatmul : public testing::Test {
protected:
  static constexpr DType T = Tag::type;

  static void check(lab::Random &random, Sizes sizes, SplitMatmulConfig config, std::int64_t gap = 0) {
    const auto [m, n, k] = sizes;
    const auto a = Matrix<T>::random(random, m, k, k + gap);
    const auto b = config.tb ? Matrix<T>::random(random, n, k, k + gap) : Matrix<T>::random(random, k, n, n + gap);
    Matrix<T> out(m, n, n + gap);
    const Device device = Device::current();
    const Buffer<T> left = device.upload(a.elements), right = device.upload(b.elements);
    const Buffer<T> result = device.upload(out.elements);
    const Grid grid(cdiv(m, config.bm) * cdiv(n, config.bn), config.splits);
    for (int launches = 0; launches != 2; ++launches) // each starts to count from 0
      split_matmul<T>.with(config).launch(device.stream(), grid, left, right, result, m, n, k, a.stride, b.stride,
                                          out.stride);
    out.elements = result.download();
    EXPECT_EQ(out.overwrittenGaps(), 0);
    const auto exact =
        reference::matmul(a.values(), config.tb ? b.transposedValues() : b.values(), static_cast<std::size_t>(m),
                          static_cast<std::size_t>(n), static_cast<std::size_t>(k));
    EXPECT_TRUE(agrees(out.values(), {exact.out, exact.magnitude}, lab::matmulTolerance(T, k)))
        << m << " x " << n << " x " << k << ", config " << detail::configText(config);
  }
};
TYPED_TEST_SUITE(SplitMatmul, FloatTypes, FloatNames);

TYPED_TEST(SplitMatmul, oddSizes) {
  lab::Random random(1);
  for (Sizes sizes : {Sizes{1, 1, 1}, {7, 5, 300}, {33, 65, 170}, {40, 20, 0}})
    this->check(random, sizes, {.bm = 32, .bn = 16, .bk = 16, .splits = 3}, 3);
}

// More programs than steps along k, one for each, and a single one.
TYPED_TEST(SplitMatmul, anySplits) {
  lab::Random random(2);
  for (int splits : {1, 2, 8})
    this->check(random, {48, 32, 64}, {.bm = 32, .bn = 32, .bk = 16, .splits = splits});
}

TYPED_TEST(SplitMatmul, transposedOperand) {
  lab::Random random(3);
  this->check(random, {16, 64, 256}, {.bm = 16, .bn = 32, .bk = 32, .splits = 4, .tb = true});
}

} // namespace
