//===- DropoutTest.cpp - elements zeroed at random ---===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "KernelTest.h"

#include "dropout/dropout.h"
#include "reference/dropout.h"

#include <limits>

using namespace tessera;
using namespace tessera::kernels;

namespace {

template <class Tag> class Dropout : public testing::Test {
protected:
  static constexpr DType T = Tag::type;
  using Element = host_type<T>;

  static std::vector<double> run(const std::vector<Element> &x, float p, std::int64_t seed, int block) {
    const Device device = Device::current();
    const auto n = static_cast<std::int64_t>(x.size());
    const Buffer<T> in = device.upload(x), out = device.upload(std::vector<Element>(x.size(), lab::poison<T>()));
    dropout<T>.with({.block = block}).launch(device.stream(), {cdiv(n, block)}, in, out, n, p, seed);
    return lab::exactValues(out.download());
  }
};
TYPED_TEST_SUITE(Dropout, FloatTypes, FloatNames);

TYPED_TEST(Dropout, oddSizes) {
  lab::Random random(1);
  for (std::int64_t n : oddSizes) {
    const auto x = random.values<TestFixture::T>(static_cast<std::size_t>(n));
    const auto exact = reference::dropout(lab::exactValues(x), 0.25, 99);
    EXPECT_TRUE(agrees(this->run(x, 0.25f, 99, 1024), {exact}, lab::dropoutTolerance(TestFixture::T))) << n;
  }
}

TYPED_TEST(Dropout, seedsOf64Bits) {
  lab::Random random(2);
  const auto x = random.values<TestFixture::T>(1000);
  const std::int64_t seed = -0x123456789abcdef;
  const auto exact = reference::dropout(lab::exactValues(x), 0.5, static_cast<std::uint64_t>(seed));
  EXPECT_TRUE(agrees(this->run(x, 0.5f, seed, 256), {exact}, lab::dropoutTolerance(TestFixture::T)));
}

// What a block holds does not matter: an element's number comes from its index.
TYPED_TEST(Dropout, blocksDoNotMatter) {
  lab::Random random(3);
  const auto x = random.values<TestFixture::T>(777);
  EXPECT_EQ(this->run(x, 0.5f, 7, 64), this->run(x, 0.5f, 7, 1024));
}

TYPED_TEST(Dropout, allOrNothing) {
  lab::Random random(4);
  auto x = random.values<TestFixture::T>(300);
  EXPECT_EQ(this->run(x, 0, 7, 128), lab::exactValues(x));
  x[5] = static_cast<typename TestFixture::Element>(std::numeric_limits<double>::infinity());
  x[6] = lab::poison<TestFixture::T>();
  for (double value : this->run(x, 1, 7, 128))
    EXPECT_EQ(value, 0);
}

} // namespace
