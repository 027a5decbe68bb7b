//===- LayerNormTest.cpp - layer_norm -------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "KernelTest.h"

#include "layer_norm/layer_norm.h"
#include "reference/rows.h"

#include <limits>

using namespace tessera;
using namespace tessera::kernels;

namespace {

constexpr float kEps = 1e-5f;

template <class Tag> class LayerNorm : public testing::Test {
protected:
  static constexpr DType T = Tag::type;
  using Element = host_type<T>;

  static Matrix<T> vector(std::uint64_t seed, std::int64_t cols) {
    lab::Random random(seed);
    return Matrix<T>::random(random, 1, cols, cols);
  }
  static Matrix<T> run(const Matrix<T> &x, const Matrix<T> &weight, const Matrix<T> &bias,
                       const LayerNormConfig &config) {
    const Device device = Device::current();
    Matrix<T> out(x.rows, x.cols, x.stride);
    const Buffer<T> in = device.upload(x.elements), w = device.upload(weight.elements),
                    b = device.upload(bias.elements), result = device.upload(out.elements);
    layer_norm<T>.with(config).launch(device.stream(), {x.rows}, in, w, b, result, x.stride, x.cols, kEps);
    out.elements = result.download();
    return out;
  }
  static void check(const Matrix<T> &x, const LayerNormConfig &config) {
    const Matrix<T> weight = vector(11, x.cols), bias = vector(12, x.cols), out = run(x, weight, bias, config);
    EXPECT_EQ(out.overwrittenGaps(), 0);
    const auto exact =
        reference::layer_norm(x.values(), weight.values(), bias.values(), static_cast<std::size_t>(x.rows), kEps);
    EXPECT_TRUE(agrees(out.values(), {exact.out, exact.magnitude}, lab::layerNormTolerance(T, x.cols)))
        << x.rows << " x " << x.cols << ", stride " << x.stride << ", block " << config.block;
  }
};
TYPED_TEST_SUITE(LayerNorm, FloatTypes, FloatNames);

TYPED_TEST(LayerNorm, rowsOfOddSizes) {
  lab::Random random(1);
  for (std::int64_t cols : {1, 7, 781, 4095})
    this->check(Matrix<TestFixture::T>::random(random, 5, cols, cols), LayerNormConfig::forColumns(cols));
}

TYPED_TEST(LayerNorm, stridedRows) {
  lab::Random random(2);
  this->check(Matrix<TestFixture::T>::random(random, 9, 100, 131), LayerNormConfig::forColumns(100));
}

TYPED_TEST(LayerNorm, blockWiderThanTheRow) {
  lab::Random random(3);
  this->check(Matrix<TestFixture::T>::random(random, 3, 7, 7), {.block = 1024});
}

// Differences to the mean, not squares less the squared mean: that would cancel.
TYPED_TEST(LayerNorm, smallDifferencesOnALargeMean) {
  lab::Random random(4);
  auto x = Matrix<TestFixture::T>::random(random, 2, 64, 64);
  for (auto &element : x.elements)
    element = static_cast<typename TestFixture::Element>(100 + 2 * static_cast<double>(element));
  this->check(x, {.block = 64});
}

TYPED_TEST(LayerNorm, equalElementsGiveTheBias) {
  constexpr DType T = TestFixture::T;
  Matrix<T> x(1, 8, 8);
  for (auto &element : x.elements)
    element = static_cast<typename TestFixture::Element>(0.5);
  const Matrix<T> bias = this->vector(12, 8);
  EXPECT_EQ(this->run(x, this->vector(11, 8), bias, {.block = 16}).values(), bias.values());
}

TYPED_TEST(LayerNorm, infinityGivesNaN) {
  constexpr DType T = TestFixture::T;
  lab::Random random(5);
  auto x = Matrix<T>::random(random, 2, 8, 8);
  x.at(1, 3) = static_cast<typename TestFixture::Element>(std::numeric_limits<double>::infinity());
  const auto out = this->run(x, this->vector(11, 8), this->vector(12, 8), {.block = 8}).values();
  EXPECT_FALSE(std::isnan(out[7]));
  EXPECT_TRUE(std::isnan(out[8]));
}

TYPED_TEST(LayerNorm, noRows) {
  EXPECT_TRUE(this->run({0, 7, 7}, this->vector(1, 7), this->vector(2, 7), {.block = 8}).elements.empty());
}

} // namespace
