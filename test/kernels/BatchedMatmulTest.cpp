//===- BatchedMatmulTest.cpp - batched_matmul -----------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "KernelTest.h"

#include "batched_matmul/batched_matmul.h"
#include "reference/matmul.h"

using namespace tessera;
using namespace tessera::kernels;

namespace {

struct Sizes {
  std::int64_t batch, m, n, k;
};

template <class Tag> class BatchedMatmul : public testing::Test {
protected:
  static constexpr DType T = Tag::type;
  static constexpr MatmulConfig small{.bm = 32, .bn = 16, .bk = 16, .group = 2};

  /// All matrices row-major, \p gap elements between the rows; with \p shared there is one b for all.
  static void check(lab::Random &random, Sizes sizes, const MatmulConfig &config, std::int64_t gap = 0,
                    bool shared = false) {
    const auto [batch, m, n, k] = sizes;
    const auto a = Matrix<T>::random(random, batch * m, k, k + gap);
    const auto b = Matrix<T>::random(random, shared ? k : batch * k, n, n + 2 * gap);
    Matrix<T> out(batch * m, n, n + gap);
    const Device device = Device::current();
    const Buffer<T> left = device.upload(a.elements), right = device.upload(b.elements);
    const Buffer<T> result = device.upload(out.elements);
    const Grid grid(cdiv(m, config.bm) * cdiv(n, config.bn), batch);
    batched_matmul<T>.with(config).launch(device.stream(), grid, left, right, result, batch, m, n, k, a.stride,
                                          b.stride, out.stride, m * a.stride, shared ? 0 : k * b.stride,
                                          m * out.stride);
    out.elements = result.download();
    EXPECT_EQ(out.overwrittenGaps(), 0);
    std::vector<double> right64 = b.values();
    for (std::int64_t p = 1; shared && p < batch; ++p) {
      const auto one = b.values();
      right64.insert(right64.end(), one.begin(), one.end());
    }
    const auto exact =
        reference::batchedMatmul(a.values(), right64, static_cast<std::size_t>(batch), static_cast<std::size_t>(m),
                                 static_cast<std::size_t>(n), static_cast<std::size_t>(k));
    EXPECT_TRUE(agrees(out.values(), {exact.out, exact.magnitude}, lab::matmulTolerance(T, k)))
        << batch << " x " << m << " x " << n << " x " << k << ", gap " << gap;
  }
};
TYPED_TEST_SUITE(BatchedMatmul, FloatTypes, FloatNames);

TYPED_TEST(BatchedMatmul, oddSizes) {
  lab::Random random(1);
  for (Sizes sizes : {Sizes{1, 1, 1, 1}, {3, 7, 5, 3}, {2, 33, 65, 17}, {5, 6, 4, 0}})
    this->check(random, sizes, this->small);
}

TYPED_TEST(BatchedMatmul, noMatrices) {
  lab::Random random(2);
  this->check(random, {0, 6, 4, 8}, this->small);
}

// A block that reaches past its matrix must not touch the next one.
TYPED_TEST(BatchedMatmul, blocksEndAtTheirMatrix) {
  lab::Random random(3);
  this->check(random, {4, 31, 17, 20}, this->small, 3);
}

TYPED_TEST(BatchedMatmul, sharedOperand) {
  lab::Random random(4);
  this->check(random, {3, 20, 18, 24}, this->small, 1, true);
}

TYPED_TEST(BatchedMatmul, wholeBlocks) {
  lab::Random random(5);
  this->check(random, {2, 64, 64, 64}, {.bm = 64, .bn = 64, .bk = 32});
}

} // namespace
