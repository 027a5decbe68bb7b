//===- LayerNormBackwardTest.cpp - gradients of layer_norm ---===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "KernelTest.h"

#include "layer_norm_backward/layer_norm_backward.h"
#include "reference/rows.h"

using namespace tessera;
using namespace tessera::kernels;

namespace {

constexpr float kEps = 1e-5f;

template <class Tag> class LayerNormBackward : public testing::Test {
protected:
  static constexpr DType T = Tag::type;
  static constexpr DType kWork = promote(T, f32);

  /// Compares all three gradients with plain loops.
  static void check(std::int64_t rows, std::int64_t cols, std::int64_t stride, std::int64_t programs) {
    lab::Random random(static_cast<std::uint64_t>(rows * 100 + cols));
    const auto x = Matrix<T>::random(random, rows, cols, stride), dout = Matrix<T>::random(random, rows, cols, stride);
    const auto weight = Matrix<T>::random(random, 1, cols, cols);
    Matrix<T> dx(rows, cols, stride), dweight(1, cols, cols), dbias(1, cols, cols);

    const Device device = Device::current();
    const Stream stream = device.stream();
    const Buffer<T> xs = device.upload(x.elements), ws = device.upload(weight.elements),
                    douts = device.upload(dout.elements), dxs = device.upload(dx.elements),
                    dweights = device.upload(dweight.elements), dbiases = device.upload(dbias.elements);
    const std::vector<host_type<kWork>> poisoned(static_cast<std::size_t>(programs * cols), lab::poison<kWork>());
    const Buffer<kWork> weightParts = device.upload(poisoned), biasParts = device.upload(poisoned);
    layer_norm_backward<T>.with(LayerNormBackwardConfig::forColumns(cols)).launch(stream, {programs}, xs, ws, douts, dxs, weightParts, biasParts, rows, stride, cols, kEps);
    const SumPartsConfig sums;
    sum_parts<T>.with(sums).launch(stream, {cdiv(cols, sums.block)}, weightParts, dweights, programs, cols);
    sum_parts<T>.with(sums).launch(stream, {cdiv(cols, sums.block)}, biasParts, dbiases, programs, cols);
    dx.elements = dxs.download();
    dweight.elements = dweights.download();
    dbias.elements = dbiases.download();

    EXPECT_EQ(dx.overwrittenGaps(), 0);
    const auto exact = reference::layer_norm_backward(x.values(), weight.values(), dout.values(),
                                                      static_cast<std::size_t>(rows), kEps);
    const auto tolerance = lab::layerNormTolerance(T, rows + cols);
    EXPECT_TRUE(agrees(dx.values(), {exact.dx.out, exact.dx.magnitude}, tolerance)) << rows << " x " << cols;
    EXPECT_TRUE(agrees(dweight.values(), {exact.dweight.out, exact.dweight.magnitude}, tolerance));
    EXPECT_TRUE(agrees(dbias.values(), {exact.dbias.out, exact.dbias.magnitude}, tolerance));
  }
};
TYPED_TEST_SUITE(LayerNormBackward, FloatTypes, FloatNames);

TYPED_TEST(LayerNormBackward, rowsOfOddSizes) {
  this->check(5, 1, 1, 2);
  this->check(33, 7, 7, 4);
  this->check(20, 781, 781, 8);
}

TYPED_TEST(LayerNormBackward, stridedRows) { this->check(9, 100, 131, 3); }

TYPED_TEST(LayerNormBackward, moreProgramsThanRows) { this->check(3, 64, 64, 16); }

TYPED_TEST(LayerNormBackward, noRows) { this->check(0, 7, 7, 2); }

} // namespace
