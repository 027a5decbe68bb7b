//===- RmsNormTest.cpp - rms_norm ---===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "KernelTest.h"

#include "reference/rows.h"
#include "rms_norm/rms_norm.h"

#include <limits>

using namespace tessera;
using namespace tessera::kernels;

namespace {

constexpr float kEps = 1e-5f;

template <class Tag> class RmsNorm : public testing::Test {
protected:
  static constexpr DType T = Tag::type;
  using Element = host_type<T>;

  static Matrix<T> weightOf(std::int64_t cols) {
    lab::Random random(11);
    return Matrix<T>::random(random, 1, cols, cols);
  }
  static Matrix<T> run(const Matrix<T> &x, const RmsNormConfig &config) {
    const Device device = Device::current();
    Matrix<T> out(x.rows, x.cols, x.stride);
    const Buffer<T> in = device.upload(x.elements), w = device.upload(weightOf(x.cols).elements),
                    result = device.upload(out.elements);
    rms_norm<T>.with(config).launch(device.stream(), {x.rows}, in, w, result, x.stride, x.cols, kEps);
    out.elements = result.download();
    return out;
  }
  static void check(const Matrix<T> &x, const RmsNormConfig &config) {
    const Matrix<T> out = run(x, config);
    EXPECT_EQ(out.overwrittenGaps(), 0);
    const auto exact =
        reference::rms_norm(x.values(), weightOf(x.cols).values(), static_cast<std::size_t>(x.rows), kEps);
    EXPECT_TRUE(agrees(out.values(), {exact}, lab::rmsNormTolerance(T, x.cols)))
        << x.rows << " x " << x.cols << ", stride " << x.stride << ", block " << config.block;
  }
};
TYPED_TEST_SUITE(RmsNorm, FloatTypes, FloatNames);

TYPED_TEST(RmsNorm, rowsOfOddSizes) {
  lab::Random random(1);
  for (std::int64_t cols : {1, 7, 781, 4095})
    this->check(Matrix<TestFixture::T>::random(random, 5, cols, cols), RmsNormConfig::forColumns(cols));
}

TYPED_TEST(RmsNorm, stridedRows) {
  lab::Random random(2);
  this->check(Matrix<TestFixture::T>::random(random, 9, 100, 131), RmsNormConfig::forColumns(100));
}

TYPED_TEST(RmsNorm, blockWiderThanTheRow) {
  lab::Random random(3);
  this->check(Matrix<TestFixture::T>::random(random, 3, 7, 7), {.block = 1024});
}

TYPED_TEST(RmsNorm, zerosStayZeros) {
  constexpr DType T = TestFixture::T;
  Matrix<T> x(1, 8, 8);
  for (auto &element : x.elements)
    element = static_cast<typename TestFixture::Element>(0);
  for (double value : this->run(x, {.block = 16}).values())
    EXPECT_EQ(value, 0);
}

TYPED_TEST(RmsNorm, infinityAndNaN) {
  constexpr DType T = TestFixture::T;
  using Element = typename TestFixture::Element;
  lab::Random random(5);
  auto x = Matrix<T>::random(random, 3, 8, 8);
  x.at(1, 3) = static_cast<Element>(std::numeric_limits<double>::infinity());
  x.at(2, 3) = static_cast<Element>(std::nan(""));
  const auto out = this->run(x, {.block = 8}).values();
  EXPECT_FALSE(std::isnan(out[7]));
  EXPECT_EQ(out[8], 0);
  EXPECT_TRUE(std::isnan(out[8 + 3]));
  EXPECT_TRUE(std::isnan(out[16]));
}

} // namespace
