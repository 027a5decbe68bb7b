//===- SoftmaxTest.cpp - softmax over rows --------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "KernelTest.h"

#include "reference/rows.h"
#include "softmax/softmax.h"

#include "gmock/gmock.h"

#include <algorithm>
#include <limits>

using namespace tessera;
using namespace tessera::kernels;

namespace {

template <class Tag> class Softmax : public testing::Test {
protected:
  static constexpr DType T = Tag::type;
  using Element = host_type<T>;

  static Matrix<T> run(const Matrix<T> &x, const SoftmaxConfig &config, const CompileOptions &options = {}) {
    const Device device = Device::current();
    Matrix<T> out(x.rows, x.cols, x.stride);
    const Buffer<T> in = device.upload(x.elements), result = device.upload(out.elements);
    softmax<T>.with(config, options).launch(device.stream(), {x.rows}, in, result, x.stride, x.cols);
    out.elements = result.download();
    return out;
  }
  static void check(const Matrix<T> &x, const SoftmaxConfig &config, const CompileOptions &options = {}) {
    const Matrix<T> out = run(x, config, options);
    EXPECT_EQ(out.overwrittenGaps(), 0);
    const auto exact =
        reference::softmax(x.values(), static_cast<std::size_t>(x.rows), static_cast<std::size_t>(x.cols));
    EXPECT_TRUE(agrees(out.values(), {exact}, lab::softmaxTolerance(T, x.cols)))
        << x.rows << " x " << x.cols << ", stride " << x.stride << ", block " << config.block << ", cluster "
        << options.cluster;
  }
};
TYPED_TEST_SUITE(Softmax, FloatTypes, FloatNames);

TYPED_TEST(Softmax, rowsOfOddSizes) {
  lab::Random random(1);
  for (std::int64_t cols : {1, 7, 781, 4095, 100'003}) {
    const std::int64_t rows = cols > 5000 ? 2 : 5;
    this->check(Matrix<TestFixture::T>::random(random, rows, cols, cols), SoftmaxConfig::forColumns(cols));
  }
}

// Where blocks form no clusters, one block computes the row.
TYPED_TEST(Softmax, rowsOfClusters) {
  lab::Random random(9);
  for (const auto &[cols, cluster] : {std::pair(3, 2), std::pair(781, 4), std::pair(9001, 8), std::pair(40'000, 8)}) {
    const auto config = SoftmaxConfig::forColumns(cols, TestFixture::T, cluster);
    this->check(Matrix<TestFixture::T>::random(random, 2, cols, cols + 3), config, {.cluster = cluster});
  }
}

TYPED_TEST(Softmax, stridedRows) {
  lab::Random random(2);
  this->check(Matrix<TestFixture::T>::random(random, 9, 100, 131), SoftmaxConfig::forColumns(100));
}

TYPED_TEST(Softmax, blockWiderThanTheRow) {
  lab::Random random(3);
  this->check(Matrix<TestFixture::T>::random(random, 3, 7, 7), {.block = 1024});
}

TYPED_TEST(Softmax, noRows) { EXPECT_TRUE(this->run({0, 7, 7}, {.block = 8}).elements.empty()); }

// The largest element is subtracted first, so that exponentials neither overflow nor all vanish.
TYPED_TEST(Softmax, largeElements) {
  lab::Random random(4);
  auto x = Matrix<TestFixture::T>::random(random, 2, 64, 64);
  for (auto &element : x.elements)
    element = static_cast<typename TestFixture::Element>(static_cast<double>(element) < 0 ? -60000 : 60000);
  this->check(x, {.block = 64});
}

// More than one step, the last one cut.
TYPED_TEST(Softmax, rowsInParts) {
  lab::Random random(6);
  for (std::int64_t cols : {1, 64, 200})
    this->check(Matrix<TestFixture::T>::random(random, 3, cols, cols + 1), {.block = 64, .parts = true});
}

TYPED_TEST(Softmax, infinitiesAndNaN) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  lab::Random random(5);
  using Element = typename TestFixture::Element;
  for (const SoftmaxConfig &config :
       {SoftmaxConfig{.block = 16}, SoftmaxConfig{.block = 4096}, SoftmaxConfig{.block = 8, .parts = true}}) {
    const std::int64_t cols = std::max(config.block, 16);
    auto x = Matrix<TestFixture::T>::random(random, 4, cols, cols);
    x.at(0, 3) = static_cast<Element>(-infinity);    // gives 0 there
    x.at(1, 3) = static_cast<Element>(infinity);     // gives NaN in the row
    x.at(2, 3) = static_cast<Element>(std::nan("")); // likewise
    for (std::int64_t col = 0; col < cols; ++col)
      x.at(3, col) = static_cast<Element>(-infinity); // likewise
    auto out = this->run(x, config);
    EXPECT_EQ(static_cast<double>(out.at(0, 3)), 0);
    EXPECT_FALSE(std::isnan(static_cast<double>(out.at(0, 0))));
    EXPECT_TRUE(std::isnan(static_cast<double>(out.at(1, 3))));
    EXPECT_TRUE(std::isnan(static_cast<double>(out.at(2, 0))));
    EXPECT_TRUE(std::isnan(static_cast<double>(out.at(3, 7))));
  }
}

// The largest element is found wherever it is, by its neighbours' half of a word too.
TYPED_TEST(Softmax, largestElementAnywhere) {
  using Element = typename TestFixture::Element;
  const std::int64_t rows = 40, cols = 2048;
  lab::Random random(7);
  auto x = Matrix<TestFixture::T>::random(random, rows, cols, cols);
  for (std::int64_t row = 0; row < rows; ++row)
    x.at(row, (row * 53) % cols) = static_cast<Element>(static_cast<double>(row % 7) + 10);
  this->check(x, {.block = 2048});
}

// SEMANTICS L3: the kernel's own assertion, instead of a row cut short.
TEST(SoftmaxMisuse, blockNarrowerThanTheRow) {
  const Device device = Device::get("interp");
  const Buffer<f32> x = device.upload(std::vector<float>(100)), out = device.buffer<f32>(100);
  try {
    softmax<f32>.with({.block = 64}).launch(device.stream(), {1}, x, out, 100, 100);
    device.synchronize();
    FAIL() << "not reported";
  } catch (const DeviceError &error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("a row must fit the block"));
    EXPECT_THAT(error.what(), testing::HasSubstr("softmax.h:"));
  }
}

} // namespace
