//===- MaskedMeanTest.cpp - masked_mean -----------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "KernelTest.h"

#include "masked_mean/masked_mean.h"
#include "reference/rows.h"

using namespace tessera;
using namespace tessera::kernels;

namespace {

template <class Tag> class MaskedMean : public testing::Test {
protected:
  static constexpr DType T = Tag::type;
  using Element = host_type<T>;

  /// Keeps elements with the given probability; what is not kept becomes a NaN, which must not reach the result.
  static void check(lab::Random &random, std::int64_t rows, std::int64_t cols, std::int64_t stride, double kept,
                    int block) {
    auto x = Matrix<T>::random(random, rows, cols, stride);
    std::vector<host_type<i1>> keep(x.elements.size(), host_type<i1>(1)); // true between the rows as well
    std::vector<bool> dense;
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t col = 0; col < cols; ++col) {
        dense.push_back(random.chance(kept));
        keep[static_cast<std::size_t>(row * stride + col)] = dense.back();
        if (!dense.back())
          x.at(row, col) = lab::poison<T>();
      }
    }
    const Device device = Device::current();
    const Buffer<T> in = device.upload(x.elements);
    const Buffer<i1> mask = device.template upload<i1>(keep);
    const Buffer<T> out = device.upload(std::vector<Element>(static_cast<std::size_t>(rows), lab::poison<T>()));
    masked_mean<T>.with({.block = block}).launch(device.stream(), {rows}, in, mask, out, stride, cols);
    const auto exact =
        reference::masked_mean(x.values(), dense, static_cast<std::size_t>(rows), static_cast<std::size_t>(cols));
    EXPECT_TRUE(
        agrees(lab::exactValues(out.download()), {exact.out, exact.magnitude}, lab::maskedMeanTolerance(T, cols)))
        << rows << " x " << cols << ", stride " << stride << ", block " << block << ", kept " << kept;
  }
};
TYPED_TEST_SUITE(MaskedMean, FloatTypes, FloatNames);

TYPED_TEST(MaskedMean, rowsOfOddSizes) {
  lab::Random random(1);
  for (std::int64_t cols : oddSizes)
    this->check(random, cols > 5000 ? 1 : 5, cols, std::max<std::int64_t>(cols, 1), 0.5, 1024);
}

TYPED_TEST(MaskedMean, stridedRows) {
  lab::Random random(2);
  this->check(random, 7, 100, 131, 0.5, 32);
}

TYPED_TEST(MaskedMean, everythingKept) {
  lab::Random random(3);
  this->check(random, 3, 300, 300, 1, 128);
}

// A mean over nothing is 0 here, not 0/0.
TYPED_TEST(MaskedMean, nothingKept) {
  lab::Random random(4);
  this->check(random, 3, 300, 300, 0, 128);
}

TYPED_TEST(MaskedMean, noRows) {
  lab::Random random(5);
  this->check(random, 0, 7, 7, 0.5, 8);
}

} // namespace
