//===- DequantMatmulTest.cpp - dequant_matmul -----------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "KernelTest.h"

#include "dequant_matmul/dequant_matmul.h"
#include "reference/dequant.h"
#include "reference/matmul.h"

using namespace tessera;
using namespace tessera::kernels;

namespace {

struct Sizes {
  std::int64_t m, n, k;
};

template <class Tag> class DequantMatmul : public testing::Test {
protected:
  static constexpr DType T = Tag::type;

  /// With weights of 8 bits and of 4.
  static void check(lab::Random &random, Sizes sizes, DequantConfig config, const CompileOptions &options = {}) {
    for (int bits : {8, 4}) {
      config.bits = bits;
      const auto [m, n, k] = sizes;
      const std::int64_t bytes = cdiv(k * bits, 8), scales = cdiv(k, config.span);
      const auto x = Matrix<T>::random(random, m, k, k), scale = Matrix<T>::random(random, n, scales, scales);
      const auto w = Matrix<u8>::random(random, n, bytes, bytes);
      Matrix<T> out(m, n, n);
      const Device device = Device::current();
      const Buffer<T> left = device.upload(x.elements), factors = device.upload(scale.elements);
      const Buffer<u8> weights = device.upload(w.elements);
      const Buffer<T> result = device.upload(out.elements);
      dequant_matmul<T>.with(config, options).launch(device.stream(), Grid(cdiv(m, config.bm) * cdiv(n, config.bn)), left, weights, factors, result, m, n, k);
      out.elements = result.download();
      const auto rows = static_cast<std::size_t>(m), cols = static_cast<std::size_t>(n),
                 depth = static_cast<std::size_t>(k);
      const auto exact = reference::matmul(
          x.values(),
          reference::dequantised(w.values(), scale.values(), cols, depth, bits, static_cast<std::size_t>(config.span)),
          rows, cols, depth);
      EXPECT_TRUE(agrees(out.values(), {exact.out, exact.magnitude}, lab::dequantMatmulTolerance(T, k)))
          << m << " x " << n << " x " << k << ", config " << detail::configText(config);
    }
  }
};
using Types = testing::Types<TypeTag<f16>, TypeTag<bf16>, TypeTag<f32>>;
TYPED_TEST_SUITE(DequantMatmul, Types, FloatNames);

TYPED_TEST(DequantMatmul, oddSizes) {
  lab::Random random(1);
  for (Sizes sizes : {Sizes{1, 1, 1}, {7, 5, 3}, {33, 65, 17}, {1, 70, 130}, {5, 6, 0}})
    this->check(random, sizes, {.bm = 16, .bn = 32, .bk = 32, .group = 2, .span = 32});
}

TYPED_TEST(DequantMatmul, wholeBlocks) {
  lab::Random random(2);
  this->check(random, {64, 64, 128}, {.bm = 32, .bn = 64, .bk = 64, .span = 64});
}

// Several scales a step, and several steps a scale.
TYPED_TEST(DequantMatmul, anySpan) {
  lab::Random random(3);
  for (int span : {8, 16, 128})
    this->check(random, {20, 40, 150}, {.bm = 16, .bn = 32, .bk = 32, .span = span});
}

TYPED_TEST(DequantMatmul, anyStagesAndWarps) {
  lab::Random random(4);
  for (int stages : {1, 2, 4})
    for (int warps : {2, 8})
      this->check(random, {40, 70, 200}, {.bm = 32, .bn = 32, .bk = 32, .span = 32},
                  {.num_warps = warps, .num_stages = stages});
}

} // namespace
