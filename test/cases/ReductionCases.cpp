//===- ReductionCases.cpp - reported mistakes in reductions ------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "cases/Cases.h"

namespace tessera::test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

// #429: rows of 1/128 summed, then the sums; every lane of the result is 128.
TEST(ReductionCases, sumOfSumsBroadcast) {
  const auto k = kernel("sum_of_sums", {"x", "out"}, [](Ptr<f32> x, Ptr<f32> out) {
    Tile i = arange(0, 128);
    Tile v = load(x + i.col() * 128 + i.row());
    store(out + i, broadcast_to(reshape(sum(sum(v, {.axis = 1})), {1}), {128}));
  });
  const Buffer<f32> x = device().upload(std::vector<float>(128 * 128, 1.0f / 128));
  for (const CompileOptions &options : variants()) {
    Buffer<f32> out = device().buffer<f32>(128);
    k.with({}, options).launch(device(), 1, x, out);
    EXPECT_THAT(out.download(), Each(128.0f));
  }
}

// #3013: scores reshaped to a column; the maximum and the sum run over axis 0 of [16, 1].
TEST(ReductionCases, maximumOverTheFirstAxisOfAColumn) {
  const auto k =
      kernel("scores", {"q", "keys", "most", "total"}, [](Ptr<f32> q, Ptr<f32> keys, Ptr<f32> most, Ptr<f32> total) {
        Tile r = arange(0, 16), d = arange(0, 64);
        Tile scores = sum(load(q + d).row() * load(keys + r.col() * 64 + d.row()), {.axis = 1});
        Tile column = reshape(scores, {16, 1});
        Tile m = max(column, {.axis = 0});
        store(most + arange(0, 1), m);
        store(total + arange(0, 1), sum(exp(column - m.row()), {.axis = 0}));
      });
  std::vector<float> q = eighths(64, 1), keys = eighths(16 * 64, 2);
  for (float &value : keys)
    value /= 64;
  double most = -1e30, total = 0;
  std::vector<double> scores;
  for (int r = 0; r != 16; ++r) {
    double score = 0;
    for (int d = 0; d != 64; ++d)
      score += double(q[d]) * keys[r * 64 + d];
    scores.push_back(score);
    most = std::max(most, score);
  }
  for (double score : scores)
    total += std::exp(score - most);
  const Buffer<f32> bq = device().upload(q), bk = device().upload(keys);
  for (const CompileOptions &options : variants()) {
    Buffer<f32> m = device().buffer<f32>(1), t = device().buffer<f32>(1);
    k.with({}, options).launch(device(), 1, bq, bk, m, t);
    EXPECT_FLOAT_EQ(m.download()[0], static_cast<float>(most));
    EXPECT_NEAR(t.download()[0], total, 1e-5);
  }
}

// #4379: a masked window of k x k around each place, summed twice along axis 2.
TEST(ReductionCases, windowSums) {
  const auto k = kernel("windows", {"x", "out", "h", "w"}, [](Ptr<f32> x, Ptr<f32> out, Int h, Int w) {
    Tile i = reshape(arange(0, 8), {8, 1, 1, 1}), j = reshape(arange(0, 8), {1, 8, 1, 1});
    Tile a = reshape(arange(0, 2), {1, 1, 2, 1}), b = reshape(arange(0, 2), {1, 1, 1, 2});
    Tile r = i + a, c = j + b;
    Tile v = load(x + r * w + c, {.mask = (r < h) & (c < w)});
    Tile s = sum(sum(v, {.axis = 2}), {.axis = 2});
    Tile row = arange(0, 8).col(), column = arange(0, 8).row();
    store(out + row * w + column, s, {.mask = (row < h) & (column < w)});
  });
  const int h = 7, w = 5;
  const std::vector<float> x = eighths(h * w);
  const Buffer<f32> bx = device().upload(x);
  for (const CompileOptions &options : variants()) {
    Buffer<f32> out = device().buffer<f32>(h * w);
    k.with({}, options).launch(device(), 1, bx, out, h, w);
    const std::vector<float> got = out.download();
    for (int i = 0; i != h; ++i)
      for (int j = 0; j != w; ++j) {
        float want = 0;
        for (int r = i; r <= std::min(i + 1, h - 1); ++r)
          for (int c = j; c <= std::min(j + 1, w - 1); ++c)
            want += x[r * w + c];
        EXPECT_EQ(got[i * w + j], want) << i << ", " << j;
      }
  }
}

// #11186: a loop adds row sums to an accumulator; the rows come out in order.
TEST(ReductionCases, rowSumsAccumulatedInALoop) {
  const auto k = kernel("row_sums", {"x", "out", "cols"}, [](Ptr<f32> x, Ptr<f32> out, Int cols) {
    Tile row = arange(0, 256), c = arange(0, 16);
    Tile acc = zeros(f32, {256});
    for_range(0, cols, 16,
              [&](Int start) { acc = acc + sum(load(x + row.col() * cols + (start + c).row()), {.axis = 1}); });
    store(out + row, acc);
  });
  const int cols = 64;
  const std::vector<float> x = eighths(256 * cols);
  const Buffer<f32> bx = device().upload(x);
  for (const CompileOptions &options : variants()) {
    Buffer<f32> out = device().buffer<f32>(256);
    k.with({}, options).launch(device(), 1, bx, out, cols);
    const std::vector<float> got = out.download();
    for (int r = 0; r != 256; ++r)
      EXPECT_EQ(got[r], std::accumulate(x.begin() + r * cols, x.begin() + (r + 1) * cols, 0.0f)) << r;
  }
}

// #11682: the result of a reduction carried by a loop is used twice after it.
TEST(ReductionCases, loopResultUsedTwice) {
  const auto k = kernel("twice", {"x", "out", "n"}, [](Ptr<f32> x, Ptr<f32> out, Int n) {
    F32 r = 0.0f;
    for_range(0, n, 32, [&](Int i) { r = sum(load(x + i + arange(0, 32))) + r; });
    store(out, r + r);
  });
  const std::vector<float> x = eighths(128);
  const Buffer<f32> bx = device().upload(x);
  for (const CompileOptions &options : variants()) {
    Buffer<f32> out = device().buffer<f32>(1);
    k.with({}, options).launch(device(), 1, bx, out, 128);
    EXPECT_EQ(out.download()[0], 2 * std::accumulate(x.begin(), x.end(), 0.0f));
  }
}

// SEMANTICS R2
// #6635: the maximum of NaN and infinity is infinity, and NaN when NaN propagates.
TEST(ReductionCases, maximumOfNanAndInfinity) {
  const auto k = kernel("extrema", {"x", "out"}, [](Ptr<f32> x, Ptr<f32> out) {
    Tile v = load(x + arange(0, 2));
    store(out, max(v));
    store(out + 1, max(v, {.nan = Nan::propagate}));
    store(out + 2, min(-v));
    store(out + 3, min(-v, {.nan = Nan::propagate}));
  });
  for (const std::vector<float> &x : {std::vector<float>{kNan, kInf}, std::vector<float>{kInf, kNan}}) {
    Buffer<f32> bx = device().upload(x), out = device().buffer<f32>(4);
    k.launch(device(), 1, bx, out);
    const std::vector<float> got = out.download();
    EXPECT_EQ(got[0], kInf);
    EXPECT_TRUE(std::isnan(got[1]));
    EXPECT_EQ(got[2], -kInf);
    EXPECT_TRUE(std::isnan(got[3]));
  }
}

} // namespace
} // namespace tessera::test
