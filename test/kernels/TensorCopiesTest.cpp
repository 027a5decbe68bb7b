//===- TensorCopiesTest.cpp - copies of boxes under launches of every kind -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// One kernel whose loop may copy boxes through descriptors, launched with what descriptors cannot say and with what
// they say of other launches. Wherever it runs, results are those of plain loops, exactly.
//
//===---------------------------------------------------------------------===//

#include "KernelTest.h"

#include <random>
#include <thread>

using namespace tessera;

namespace {

constexpr int kM = 64, kN = 64, kK = 64;

const auto product =
    kernel("product", {"a", "b", "out", "m", "n", "k", "lda", "ldb"},
           [](Ptr<f16> a, Ptr<f16> b, Ptr<f32> out, Int m, Int n, Int k, Int lda, Int ldb) {
             const Int i = program_id(0) * kM, j = program_id(1) * kN;
             View A = view(a, {m, k}, {lda, 1}), B = view(b, {k, n}, {ldb, 1});
             View C = view(out, {m, n}, {n, 1});
             Tile acc = zeros(f32, {kM, kN});
             for_range(0, k, kK, [&](Int at) { acc = dot(A.load({i, at}, {kM, kK}), B.load({at, j}, {kK, kN}), acc); });
             C.store({i, j}, acc);
           });
const auto deep = product.with({}, {.num_warps = 4, .num_stages = 3});

/// Numbers of which sums of products are exact.
std::vector<float> small(std::int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> values(static_cast<std::size_t>(std::max<std::int64_t>(1, count)));
  for (float &value : values)
    value = static_cast<float>(random() % 9) - 4;
  return values;
}

/// A launch of given extents; the operands begin `shift` elements into their buffers.
struct Product {
  std::int64_t m, n, k, lda, ldb;
  std::int64_t shift = 0;
  unsigned seed = 1;
  std::vector<float> a = small(shift + m * lda, seed), b = small(shift + k * ldb, seed + 1);

  std::vector<float> expected() const {
    std::vector<float> out(static_cast<std::size_t>(m * n));
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t p = 0; p < k; ++p)
        for (std::int64_t j = 0; j < n; ++j)
          out[static_cast<std::size_t>(i * n + j)] +=
              a[static_cast<std::size_t>(shift + i * lda + p)] * b[static_cast<std::size_t>(shift + p * ldb + j)];
    return out;
  }
  /// Launches several times, into poisoned memory.
  void expectRight(int times = 2) const {
    Device device = Device::current();
    const Buffer<f16> left = device.upload<f16>(a), right = device.upload<f16>(b);
    Buffer<f32> out = device.buffer<f32>(static_cast<std::size_t>(m * n));
    for (int time = 0; time != times; ++time) {
      out.fill(12345.0f);
      deep.launch(device, {(m + kM - 1) / kM, (n + kN - 1) / kN}, left.from(shift), right.from(shift), out, m, n, k,
                  lda, ldb);
      ASSERT_EQ(out.download(), expected())
          << m << " x " << n << " x " << k << ", rows " << lda << " and " << ldb << " apart, shifted by " << shift;
    }
  }
};

} // namespace

TEST(TensorCopies, whatDescriptorsSay) {
  Product{64, 64, 64, 64, 64}.expectRight();
  Product{128, 64, 256, 256, 64}.expectRight();
  Product{80, 96, 176, 176, 96}.expectRight();
  Product{16, 16, 16, 48, 32}.expectRight();
}

TEST(TensorCopies, whatDescriptorsCannotSay) {
  Product{64, 64, 0, 16, 64}.expectRight();       // no depth
  Product{70, 65, 33, 33, 65}.expectRight();      // rows at any address
  Product{64, 64, 128, 128, 64, 1}.expectRight(); // bases too
  Product{64, 64, 128, 128, 64, 8}.expectRight(); // bases that are multiples of 16 bytes
  Product{64, 64, 128, 136, 72}.expectRight();    // rows, too
  Product{1, 64, 64, 64, 64}.expectRight();
}

TEST(TensorCopies, launchesTakeTurns) {
  const Product first{64, 64, 128, 128, 64, 0, 3}, second{128, 64, 64, 64, 64, 0, 5}, third{64, 64, 128, 144, 80, 0, 7};
  for (int round = 0; round != 3; ++round)
    for (const Product *each : {&first, &second, &third})
      each->expectRight(1);
}

TEST(TensorCopies, threadsLaunchAtOnce) {
  const Product first{64, 64, 128, 128, 64, 0, 3}, second{64, 64, 64, 64, 64, 0, 5};
  first.expectRight(1);
  std::thread other([&] { second.expectRight(4); });
  first.expectRight(4);
  other.join();
}

TEST(TensorCopies, areMadeInTheAlignedVariantOnly) {
  const Target hopper("sim:sm_90a");
  EXPECT_NE(deep.print("layout", hopper, {}).find("layout.tensor_load"), std::string::npos);
  EXPECT_EQ(deep.print("layout", hopper, {.aligned = false}).find("layout.tensor_load"), std::string::npos);
  EXPECT_EQ(deep.print("layout", Target("sim:sm_80"), {}).find("layout.tensor_load"), std::string::npos);
}
