//===- AttentionTest.cpp - attention --------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "KernelTest.h"

#include "attention/attention.h"
#include "reference/attention.h"

#include <cmath>

using namespace tessera;
using namespace tessera::kernels;

namespace {

template <class Tag> class Attention : public testing::Test {
protected:
  static constexpr DType T = Tag::type;

  static void check(lab::Random &random, std::int64_t heads, std::int64_t seq, const AttentionConfig &config,
                    const CompileOptions &options = {}, double spread = 1) {
    const std::int64_t d = config.d;
    const double scale = spread / std::sqrt(static_cast<double>(d));
    const auto q = Matrix<T>::random(random, heads * seq, d, d), k = Matrix<T>::random(random, heads * seq, d, d),
               v = Matrix<T>::random(random, heads * seq, d, d);
    Matrix<T> out(heads * seq, d, d);
    Matrix<f32> lse(heads, seq, seq);
    const Device device = Device::current();
    const Buffer<T> queries = device.upload(q.elements), keys = device.upload(k.elements),
                    values = device.upload(v.elements), results = device.upload(out.elements);
    const Buffer<f32> sums = device.upload(lse.elements);
    attention<T>.with(config, options).launch(device.stream(), Grid(cdiv(seq, config.bm), heads), queries, keys, values, results, sums, heads, seq, static_cast<float>(scale));
    out.elements = results.download();
    lse.elements = sums.download();
    const auto exact =
        reference::attention(q.values(), k.values(), v.values(), static_cast<std::size_t>(heads),
                             static_cast<std::size_t>(seq), static_cast<std::size_t>(d), scale, config.causal);
    const std::string title = std::to_string(heads) + " heads, " + std::to_string(seq) + " keys, config " +
                              detail::configText(config) + ", warps " + std::to_string(options.num_warps) +
                              ", stages " + std::to_string(options.num_stages);
    EXPECT_TRUE(agrees(out.values(), {exact.out, exact.magnitude}, lab::attentionTolerance(T, seq, d, scale))) << title;
    EXPECT_TRUE(agrees(lse.values(), {exact.lse}, {.absolute = 1e-4, .reason = "an approximate power of two"}))
        << title;
  }

  static void checkBoth(lab::Random &random, std::int64_t heads, std::int64_t seq, AttentionConfig config,
                        const CompileOptions &options = {}) {
    for (bool causal : {false, true}) {
      config.causal = causal;
      check(random, heads, seq, config, options);
    }
  }
};
using Types = testing::Types<TypeTag<f16>, TypeTag<bf16>, TypeTag<f32>>;
TYPED_TEST_SUITE(Attention, Types, FloatNames);

TYPED_TEST(Attention, oddSizes) {
  lab::Random random(1);
  for (std::int64_t seq : {1, 7, 33, 100})
    this->checkBoth(random, 2, seq, {.bm = 32, .bn = 16, .d = 16});
}

TYPED_TEST(Attention, wholeBlocks) {
  lab::Random random(2);
  this->checkBoth(random, 1, 128, {.bm = 64, .bn = 64, .d = 64});
  // All chips have room for the operands of halves, not all for those of words.
  const int rows = TypeParam::type == f32 ? 32 : 128;
  this->checkBoth(random, 1, 128, {.bm = rows, .bn = rows / 2, .d = 128});
}

TYPED_TEST(Attention, blocksOfAnyProportion) {
  lab::Random random(3);
  this->checkBoth(random, 1, 75, {.bm = 16, .bn = 64, .d = 32});
  this->checkBoth(random, 1, 75, {.bm = 64, .bn = 16, .d = 32});
}

TYPED_TEST(Attention, nothing) {
  lab::Random random(4);
  this->checkBoth(random, 2, 0, {.bm = 16, .bn = 16, .d = 16});
  this->checkBoth(random, 0, 20, {.bm = 16, .bn = 16, .d = 16});
}

TYPED_TEST(Attention, anyStagesAndWarps) {
  lab::Random random(5);
  for (int stages : {1, 2, 4})
    for (int warps : {4, 8})
      this->checkBoth(random, 1, 150, {.bm = 64, .bn = 32, .d = 64}, {.num_warps = warps, .num_stages = stages});
}

// Scores so far apart that a few keys count.
TYPED_TEST(Attention, farScores) {
  lab::Random random(6);
  for (bool causal : {false, true})
    this->check(random, 1, 90, {.bm = 32, .bn = 32, .d = 32, .causal = causal}, {}, 30);
}

// Without the logarithms the kernel has no argument for them.
TYPED_TEST(Attention, logarithmsAreOptional) {
  constexpr DType T = TypeParam::type;
  lab::Random random(7);
  const Device device = Device::current();
  const auto x = Matrix<T>::random(random, 40, 16, 16);
  const Buffer<T> in = device.upload(x.elements);
  const Buffer<T> with = device.buffer<T>(40 * 16), without = device.buffer<T>(40 * 16);
  const Buffer<f32> sums = device.buffer<f32>(40);
  const auto bound = attention<T>.with({.bm = 32, .bn = 32, .d = 16});
  bound.launch(device.stream(), Grid(2, 1), in, in, in, with, sums, 1, 40, 0.25f);
  bound.launch(device.stream(), Grid(2, 1), in, in, in, without, none, 1, 40, 0.25f);
  EXPECT_EQ(lab::exactValues(with.download()), lab::exactValues(without.download()));
}

} // namespace
