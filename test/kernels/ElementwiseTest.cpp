//===- ElementwiseTest.cpp - vector_add and relu_add ----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "KernelTest.h"

#include "reference/elementwise.h"
#include "relu_add/relu_add.h"
#include "vector_add/vector_add.h"

#include <limits>

using namespace tessera;
using namespace tessera::kernels;

namespace {

using Reference = std::vector<double> (*)(const std::vector<double> &, const std::vector<double> &);

template <class Tag> class Elementwise : public testing::Test {
protected:
  static constexpr DType T = Tag::type;
  using Element = host_type<T>;

  /// Runs the kernel on x and y, with an output that is longer than they are, and compares every element.
  template <class Kernel, class Config>
  void check(const Kernel &kernel, const Config &config, Reference reference, const std::vector<Element> &x,
             const std::vector<Element> &y) {
    const auto n = static_cast<std::int64_t>(x.size());
    const Device device = Device::current();
    const Buffer<T> left = device.upload(x), right = device.upload(y);
    const Buffer<T> out = device.upload(std::vector<Element>(x.size() + 64, lab::poison<T>()));
    kernel.with(config).launch(device.stream(), {cdiv(n, config.block)}, left, right, out, n);
    std::vector<double> result = lab::exactValues(out.download());
    for (std::size_t i = x.size(); i < result.size(); ++i)
      ASSERT_TRUE(std::isnan(result[i])) << "wrote element " << i << " of " << n;
    result.resize(x.size());
    // SEMANTICS A3, T4: computed in f32 and rounded once, so equal to the last bit.
    EXPECT_TRUE(agrees(result, {reference(lab::exactValues(x), lab::exactValues(y))}, lab::Tolerance::oneRounding(T)))
        << "n = " << n << ", block = " << config.block;
  }

  std::vector<Element> specialValues() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    std::vector<Element> values;
    for (double value : {0.0, -0.0, 1.0, -1.0, infinity, -infinity, std::nan(""), lab::smallest(T), -lab::smallest(T)})
      values.push_back(static_cast<Element>(value));
    return values;
  }
  /// Each special value beside each.
  std::pair<std::vector<Element>, std::vector<Element>> specialPairs() {
    std::pair<std::vector<Element>, std::vector<Element>> pairs;
    for (Element a : specialValues())
      for (Element b : specialValues())
        pairs.first.push_back(a), pairs.second.push_back(b);
    return pairs;
  }
};
TYPED_TEST_SUITE(Elementwise, FloatTypes, FloatNames);

TYPED_TEST(Elementwise, vectorAddOfOddSizes) {
  lab::Random random(1);
  for (std::int64_t n : oddSizes) {
    const auto size = static_cast<std::size_t>(n);
    this->check(vector_add<TestFixture::T>, AddConfig{}, reference::vector_add, random.values<TestFixture::T>(size),
                random.values<TestFixture::T>(size));
  }
}

TYPED_TEST(Elementwise, vectorAddOfAnyBlock) {
  lab::Random random(2);
  for (int block : {1, 2, 64, 4096}) {
    for (std::size_t n : {1, 64, 781})
      this->check(vector_add<TestFixture::T>, AddConfig{block}, reference::vector_add, random.values<TestFixture::T>(n),
                  random.values<TestFixture::T>(n));
  }
}

TYPED_TEST(Elementwise, vectorAddOfSpecialValues) {
  const auto [x, y] = this->specialPairs();
  this->check(vector_add<TestFixture::T>, AddConfig{}, reference::vector_add, x, y);
}

TYPED_TEST(Elementwise, reluAddOfOddSizes) {
  lab::Random random(3);
  for (std::int64_t n : oddSizes) {
    const auto size = static_cast<std::size_t>(n);
    this->check(relu_add<TestFixture::T>, ReluAddConfig{}, reference::relu_add, random.values<TestFixture::T>(size),
                random.values<TestFixture::T>(size));
  }
}

// SEMANTICS A5: NaN propagates on request, and -0 lies below +0.
TYPED_TEST(Elementwise, reluAddOfSpecialValues) {
  const auto [x, y] = this->specialPairs();
  this->check(relu_add<TestFixture::T>, ReluAddConfig{}, reference::relu_add, x, y);
}

} // namespace
