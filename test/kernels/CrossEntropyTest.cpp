//===- CrossEntropyTest.cpp - loss and gradient over a vocabulary ---===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "KernelTest.h"

#include "cross_entropy/cross_entropy.h"
#include "reference/rows.h"

#include <limits>

using namespace tessera;
using namespace tessera::kernels;

namespace {

constexpr float kScale = 0.25f;

template <class Tag> class CrossEntropy : public testing::Test {
protected:
  static constexpr DType T = Tag::type;
  static constexpr DType kWork = promote(T, f32);
  using Element = host_type<T>;
  struct Result {
    std::vector<double> loss;
    Matrix<T> dx;
  };

  static Result run(const Matrix<T> &x, const std::vector<std::int64_t> &labels, const CrossEntropyConfig &config) {
    const Device device = Device::current();
    Matrix<T> dx(x.rows, x.cols, x.stride);
    const Buffer<T> in = device.upload(x.elements), out = device.upload(dx.elements);
    const Buffer<i64> ids = device.upload<i64>(labels);
    const Buffer<kWork> loss =
        device.upload(std::vector<host_type<kWork>>(static_cast<std::size_t>(x.rows), lab::poison<kWork>()));
    cross_entropy<T>.with(config).launch(device.stream(), {x.rows}, in, ids, loss, out, x.stride, x.cols, kScale);
    dx.elements = out.download();
    return {lab::exactValues(loss.download()), std::move(dx)};
  }
  static void check(const Matrix<T> &x, const std::vector<std::int64_t> &labels, const CrossEntropyConfig &config) {
    const Result result = run(x, labels, config);
    EXPECT_EQ(result.dx.overwrittenGaps(), 0);
    const auto exact = reference::cross_entropy(x.values(), labels, static_cast<std::size_t>(x.cols), kScale);
    EXPECT_TRUE(agrees(result.dx.values(), {exact.dx.out, exact.dx.magnitude}, lab::crossEntropyTolerance(T, x.cols)))
        << x.rows << " x " << x.cols << ", block " << config.block;
    lab::Tolerance tolerance = lab::softmaxTolerance(kWork, x.cols);
    tolerance.absolute = 4 * tolerance.relative; // the loss is a difference of numbers of a few units
    EXPECT_TRUE(agrees(result.loss, {exact.loss}, tolerance));
  }
};
TYPED_TEST_SUITE(CrossEntropy, FloatTypes, FloatNames);

TYPED_TEST(CrossEntropy, vocabulariesOfOddSizes) {
  lab::Random random(1);
  for (std::int64_t cols : {1, 7, 781, 5003})
    this->check(Matrix<TestFixture::T>::random(random, 3, cols, cols), {0, cols - 1, cols / 2}, {.block = 256});
}

TYPED_TEST(CrossEntropy, blockWiderThanTheRow) {
  lab::Random random(2);
  this->check(Matrix<TestFixture::T>::random(random, 2, 100, 131), {3, 99}, {.block = 1024});
}

TYPED_TEST(CrossEntropy, labelsOutsideDoNotCount) {
  lab::Random random(3);
  const auto x = Matrix<TestFixture::T>::random(random, 4, 10, 10);
  this->check(x, {-100, 10, -1, 9}, {.block = 8});
  EXPECT_EQ(this->run(x, {-100, 10, -1, 9}, {.block = 8}).loss[1], 0);
}

// The largest logit may come last, after sums that must then vanish.
TYPED_TEST(CrossEntropy, risingLogits) {
  Matrix<TestFixture::T> x(1, 64, 64);
  for (std::int64_t col = 0; col < 64; ++col)
    x.at(0, col) = static_cast<typename TestFixture::Element>(static_cast<double>(col) * 512);
  const auto result = this->run(x, {0}, {.block = 8});
  EXPECT_EQ(result.loss[0], 63 * 512);
  EXPECT_EQ(result.dx.values()[63], kScale);
  EXPECT_EQ(result.dx.values()[0], -kScale);
}

TYPED_TEST(CrossEntropy, impossibleClasses) {
  using Element = typename TestFixture::Element;
  const auto nothing = static_cast<Element>(-std::numeric_limits<double>::infinity());
  Matrix<TestFixture::T> x(1, 16, 16);
  for (std::int64_t col = 0; col < 16; ++col)
    x.at(0, col) = col < 12 ? nothing : static_cast<Element>(1); // a whole block of them, and more
  const auto result = this->run(x, {12}, {.block = 8});
  EXPECT_NEAR(result.loss[0], std::log(4.0), 1e-6);
  EXPECT_EQ(result.dx.values()[0], 0);
  EXPECT_EQ(result.dx.values()[13], kScale / 4);
}

} // namespace
