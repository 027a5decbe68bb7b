//===- DotCases.cpp - reported mistakes in products of tiles ------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "cases/Cases.h"

namespace tessera::test {
namespace {

std::vector<float> transposed(const std::vector<float> &x, int rows, int columns) {
  std::vector<float> t(x.size());
  for (int r = 0; r != rows; ++r)
    for (int c = 0; c != columns; ++c)
      t[c * rows + r] = x[r * columns + c];
  return t;
}

// SEMANTICS D1
// #1162: the product of two products.
TEST(DotCases, chainedDots) {
  const auto k = kernel("chain", {"a", "b", "c", "out"}, [](Ptr<f16> a, Ptr<f16> b, Ptr<f16> c, Ptr<f32> out) {
    Tile i = arange(0, 16);
    Tile at = i.col() * 16 + i.row();
    store(out + at, dot(dot(load(a + at), load(b + at)).to(f16), load(c + at)));
  });
  std::vector<float> a = eighths(256, 1), b = eighths(256, 2), c = eighths(256, 3);
  for (float &value : b)
    value = std::floor(value); // products stay exact in f16
  const std::vector<float> want = product(product(a, b, 16, 16, 16), c, 16, 16, 16);
  const Buffer<f16> ba = device().upload<f16>(a), bb = device().upload<f16>(b), bc = device().upload<f16>(c);
  for (const CompileOptions &options : variants()) {
    Buffer<f32> out = device().buffer<f32>(256);
    k.with({}, options).launch(device(), 1, ba, bb, bc, out);
    EXPECT_EQ(out.download(), want);
  }
}

// #1840: the right operand is a transposed tile.
TEST(DotCases, transposedRightOperand) {
  const auto k = kernel("abt", {"a", "b", "out"}, [](Ptr<f16> a, Ptr<f16> b, Ptr<f32> out) {
    Tile m = arange(0, 32), n = arange(0, 64), p = arange(0, 16);
    Tile x = load(a + m.col() * 16 + p.row()), y = load(b + n.col() * 16 + p.row());
    store(out + m.col() * 64 + n.row(), dot(x, trans(y)));
  });
  const std::vector<float> a = eighths(32 * 16, 1), b = eighths(64 * 16, 2),
                           want = product(a, transposed(b, 64, 16), 32, 64, 16);
  const Buffer<f16> ba = device().upload<f16>(a), bb = device().upload<f16>(b);
  for (const CompileOptions &options : variants()) {
    Buffer<f32> out = device().buffer<f32>(32 * 64);
    k.with({}, options).launch(device(), 1, ba, bb, out);
    EXPECT_EQ(out.download(), want);
  }
}

// #1666: the left operand is loaded against the grain of its memory.
TEST(DotCases, leftOperandFromAStridedLoad) {
  const auto k = kernel("atb", {"a", "b", "out"}, [](Ptr<f16> a, Ptr<f16> b, Ptr<f32> out) {
    Tile m = arange(0, 32), n = arange(0, 64), p = arange(0, 16);
    Tile x = load(a + p.row() * 32 + m.col()), y = load(b + p.col() * 64 + n.row());
    store(out + m.col() * 64 + n.row(), dot(x, y));
  });
  const std::vector<float> a = eighths(16 * 32, 1), b = eighths(16 * 64, 2),
                           want = product(transposed(a, 16, 32), b, 32, 64, 16);
  const Buffer<f16> ba = device().upload<f16>(a), bb = device().upload<f16>(b);
  for (const CompileOptions &options : variants()) {
    Buffer<f32> out = device().buffer<f32>(32 * 64);
    k.with({}, options).launch(device(), 1, ba, bb, out);
    EXPECT_EQ(out.download(), want);
  }
}

// SEMANTICS M6
// #7385: boxes of views that begin at no multiple of 16 bytes along a row, and outside of the view; the fault was that
// the program stopped with an illegal instruction.
TEST(DotCases, boxesThatBeginAnywhere) {
  constexpr int kRows = 70, kDepth = 136, kColumns = 96, kOutRows = 66, kOutColumns = 72;
  const auto k = kernel("boxes", {"a", "b", "out"}, [](Ptr<f16> a, Ptr<f16> b, Ptr<f32> out) {
    const auto x = view(a, {kRows, kDepth - 2}, {kDepth, 1});
    const auto y = view(b, {kDepth - 2, kColumns - 3}, {kColumns, 1});
    Tile sum = zeros(f32, {64, 64});
    for_range(0, kDepth + 8, 32,
              [&](Int i) { sum = dot(x.load({-1, i - 3}, {64, 32}), y.load({i - 3, 5}, {32, 64}), sum); });
    view(out, {kOutRows - 5, kOutColumns - 1}, {kOutColumns, 1}).store({-2, 3}, sum);
  });
  const std::vector<float> a = eighths(kRows * kDepth, 1), b = eighths(kDepth * kColumns, 2);
  std::vector<float> want(kOutRows * kOutColumns, 7.0F);
  for (int r = 0; r != 64; ++r)
    for (int c = 0; c != 64; ++c) {
      double sum = 0;
      for (int p = 0; p < kDepth - 2; ++p)
        if (r >= 1 && c + 5 < kColumns - 3)
          sum += double(a[(r - 1) * kDepth + p]) * b[p * kColumns + c + 5];
      if (r >= 2 && r - 2 < kOutRows - 5 && c + 3 < kOutColumns - 1)
        want[(r - 2) * kOutColumns + c + 3] = static_cast<float>(sum);
    }
  const Buffer<f16> ba = device().upload<f16>(a), bb = device().upload<f16>(b);
  for (const CompileOptions &options : variants()) {
    Buffer<f32> out = device().upload<f32>(std::vector<float>(want.size(), 7.0F));
    k.with({}, options).launch(device(), 1, ba, bb, out);
    EXPECT_EQ(out.download(), want);
  }
}

// #11583: rows of a view that end within a group of 16 bytes, and a block that begins before the view: the bytes behind
// each row stay as they were.
TEST(DotCases, boxesAcrossTheEndOfRows) {
  constexpr int kRows = 61, kColumns = 45, kStride = 64;
  const auto k =
      kernel("ends", {"a", "b", "out", "row", "column"}, [](Ptr<f16> a, Ptr<f16> b, Ptr<f16> out, Int row, Int column) {
        Tile i = arange(0, 64);
        Tile at = i.col() * 64 + i.row();
        Tile x = dot(load(a + at), load(b + at)).to(f16);
        view(out, {kRows, kColumns}, {kStride, 1}).store({row, column * 8}, x);
      });
  std::vector<float> a = eighths(64 * 64, 1), b = eighths(64 * 64, 2);
  for (std::vector<float> *values : {&a, &b})
    for (float &value : *values)
      value = std::floor(value / 2); // sums stay exact in f16
  const std::vector<float> sums = product(a, b, 64, 64, 64);
  const Buffer<f16> ba = device().upload<f16>(a), bb = device().upload<f16>(b);
  for (const auto [row, column] : {std::pair{0, 0}, {-2, 0}, {0, -1}, {3, 2}, {-70, 0}, {0, 6}}) {
    std::vector<float> want(64 * kStride, 77.0F);
    for (int r = std::max(0, row); r < std::min(kRows, row + 64); ++r)
      for (int c = std::max(0, column * 8); c < std::min(kColumns, column * 8 + 64); ++c)
        want[r * kStride + c] = sums[(r - row) * 64 + c - column * 8];
    for (const CompileOptions &options : variants()) {
      Buffer<f16> out = device().upload<f16>(std::vector<float>(want.size(), 77.0F));
      k.with({}, options).launch(device(), 1, ba, bb, out, row, column);
      EXPECT_EQ(floats(out.download()), want) << row << " " << column;
    }
  }
}

struct MatmulShape {
  int m = 128, n = 8, k = 16;
};

// SEMANTICS D3, L2
// #7830: tall and narrow, pipelined four deep: no NaN, and the product.
TEST(DotCases, narrowPipelinedProduct) {
  const auto k = kernel("narrow", {"a", "b", "out", "depth"},
                        [](const MatmulShape &c, Ptr<f16> a, Ptr<f16> b, Ptr<f32> out, Int depth) {
                          Tile m = arange(0, c.m), n = arange(0, c.n), p = arange(0, c.k);
                          Tile acc = zeros(f32, {c.m, c.n});
                          for_range(0, depth, c.k,
                                    [&](Int start) {
                                      Tile x = load(a + m.col() * depth + (start + p).row()),
                                           y = load(b + (start + p).col() * c.n + n.row());
                                      acc = dot(x, y, acc);
                                    },
                                    {.num_stages = 4});
                          store(out + m.col() * c.n + n.row(), acc);
                        });
  for (const MatmulShape &c : {MatmulShape{128, 8, 16}, MatmulShape{64, 8, 16}, MatmulShape{16, 2, 4}})
    for (int trips : {1, 2, 9}) {
      const int depth = trips * c.k;
      const std::vector<float> a = eighths(c.m * depth, 1), b = eighths(depth * c.n, 2),
                               want = product(a, b, c.m, c.n, depth);
      const Buffer<f16> ba = device().upload<f16>(a), bb = device().upload<f16>(b);
      for (const CompileOptions &options : variants()) {
        Buffer<f32> out = device().buffer<f32>(c.m * c.n);
        k.with(c, options).launch(device(), 1, ba, bb, out, depth);
        EXPECT_EQ(out.download(), want) << c.m << "x" << c.n << "x" << depth;
      }
    }
}

/// Numbers that need all 24 bits of f32.
std::vector<float> fullNumbers(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> values(n);
  for (float &value : values)
    value = static_cast<float>(random() % 0x1000000 + 0x800000) * 0x1p-24f;
  return values;
}

// SEMANTICS D2
// #10176, #9831: f32 operands multiply exactly, not as tf32 (whose error is near 2^-11).
TEST(DotCases, f32IsNotTf32) {
  const auto k = kernel("f32_dot", {"a", "b", "out"}, [](Ptr<f32> a, Ptr<f32> b, Ptr<f32> out) {
    Tile i = arange(0, 32);
    Tile at = i.col() * 32 + i.row();
    store(out + at, dot(load(a + at), load(b + at)));
  });
  const std::vector<float> a = fullNumbers(1024, 1), b = fullNumbers(1024, 2), want = product(a, b, 32, 32, 32);
  const Buffer<f32> ba = device().upload(a), bb = device().upload(b);
  for (const CompileOptions &options : variants()) {
    Buffer<f32> out = device().buffer<f32>(1024);
    k.with({}, options).launch(device(), 1, ba, bb, out);
    const std::vector<float> got = out.download();
    for (int i = 0; i != 1024; ++i)
      ASSERT_NEAR(got[i], want[i], want[i] * 33 * 0x1p-24) << i;
  }
}

// #10574: a product written as broadcast, multiply and sum is one only along the right axis.
TEST(DotCases, handWrittenProduct) {
  const auto k =
      kernel("by_hand", {"a", "b", "along_k", "along_n"}, [](Ptr<f32> a, Ptr<f32> b, Ptr<f32> alongK, Ptr<f32> alongN) {
        Tile i = arange(0, 16);
        Tile at = i.col() * 16 + i.row();
        Tile x = expand_dims(load(a + at), 2), y = expand_dims(load(b + at), 0); // [m, k, 1] and [1, k, n]
        store(alongK + at, sum(x * y, {.axis = 1}));
        store(alongN + at, sum(x * y, {.axis = 2}));
      });
  const std::vector<float> a = fullNumbers(256, 1), b = fullNumbers(256, 2), want = product(a, b, 16, 16, 16);
  const Buffer<f32> ba = device().upload(a), bb = device().upload(b);
  for (const CompileOptions &options : variants()) {
    Buffer<f32> alongK = device().buffer<f32>(256), alongN = device().buffer<f32>(256);
    k.with({}, options).launch(device(), 1, ba, bb, alongK, alongN);
    const std::vector<float> byK = alongK.download(), byN = alongN.download();
    for (int m = 0; m != 16; ++m)
      for (int j = 0; j != 16; ++j) {
        ASSERT_NEAR(byK[m * 16 + j], want[m * 16 + j], want[m * 16 + j] * 33 * 0x1p-24);
        double rowSum = 0;
        for (int n = 0; n != 16; ++n)
          rowSum += double(a[m * 16 + j]) * b[j * 16 + n];
        ASSERT_NEAR(byN[m * 16 + j], rowSum, rowSum * 33 * 0x1p-24);
      }
  }
}

/// The value of a float of 4 bits: a sign, two bits of exponent, one of fraction.
float fourBitFloat(int bits) {
  constexpr float magnitudes[] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
  return bits & 8 ? -magnitudes[bits & 7] : magnitudes[bits & 7];
}
/// The same of a tile of bytes that hold one each, in f16.
Tile fourBitFloats(const Tile &bits) {
  Tile magnitude = (bits & 7).to(f32), exponent = (bits >> 1 & 3).to(i32) - 1;
  magnitude = where((bits & 7) < 2, magnitude * 0.5f, ldexp((bits & 1).to(f32) * 0.5f + 1, exponent));
  return where((bits & 8) != 0, -magnitude, magnitude).to(f16);
}

// SEMANTICS S3, A4
// #11733: operands whose 4-bit elements are packed along the rows of one and the columns of the other.
TEST(DotCases, fourBitOperandsPackedAlongRowsAndColumns) {
  const auto k = kernel("packed", {"a", "b", "out"}, [](Ptr<u8> a, Ptr<u8> b, Ptr<f32> out) {
    Tile m = arange(0, 16), n = arange(0, 16), p = arange(0, 64), rows = arange(0, 32), columns = arange(0, 32);
    Tile x = load(a + m.col() * 64 + p.row()), y = load(b + p.col() * 16 + n.row());
    x = reshape(trans(join(x & 15, x >> 4), {0, 2, 1}), {32, 64}); // two rows of each row of bytes
    y = interleave(y & 15, y >> 4);
    store(out + rows.col() * 32 + columns.row(), dot(fourBitFloats(x), fourBitFloats(y)));
  });
  std::mt19937 random(5);
  std::vector<std::uint8_t> a(16 * 64), b(64 * 16);
  for (std::uint8_t &byte : a)
    byte = static_cast<std::uint8_t>(random());
  for (std::uint8_t &byte : b)
    byte = static_cast<std::uint8_t>(random());
  std::vector<float> left(32 * 64), right(64 * 32);
  for (int i = 0; i != 32; ++i)
    for (int l = 0; l != 64; ++l) {
      left[i * 64 + l] = fourBitFloat(a[i / 2 * 64 + l] >> (i % 2 * 4) & 15);
      right[l * 32 + i] = fourBitFloat(b[l * 16 + i / 2] >> (i % 2 * 4) & 15);
    }
  const std::vector<float> want = product(left, right, 32, 32, 64);
  const Buffer<u8> ba = device().upload<u8>(a), bb = device().upload<u8>(b);
  for (const CompileOptions &options : variants()) {
    Buffer<f32> out = device().buffer<f32>(32 * 32);
    k.with({}, options).launch(device(), 1, ba, bb, out);
    EXPECT_EQ(out.download(), want);
  }
}

// #9558: f16 times 4-bit floats of which 32 along k share a power of two.
TEST(DotCases, f16TimesScaledFourBitFloats) {
  const auto k = kernel("scaled", {"a", "b", "scale", "out"}, [](Ptr<f16> a, Ptr<u8> b, Ptr<u8> scale, Ptr<f32> out) {
    Tile m = arange(0, 32), n = arange(0, 16), p = arange(0, 64), half = arange(0, 32), group = arange(0, 2);
    Tile x = load(a + m.col() * 64 + p.row()), y = load(b + n.col() * 32 + half.row());
    Tile power = expand_dims(load(scale + n.col() * 2 + group.row()), 2).to(i32) - 127;
    power = reshape(broadcast_to(power, {16, 2, 32}), {16, 64});
    y = ldexp(fourBitFloats(interleave(y & 15, y >> 4)), power);
    store(out + m.col() * 16 + n.row(), dot(x, trans(y)));
  });
  std::mt19937 random(6);
  std::vector<std::uint8_t> b(16 * 32), scale(16 * 2);
  for (std::uint8_t &byte : b)
    byte = static_cast<std::uint8_t>(random());
  for (std::uint8_t &byte : scale)
    byte = static_cast<std::uint8_t>(124 + random() % 7);
  const std::vector<float> a = eighths(32 * 64, 7);
  std::vector<float> right(64 * 16);
  for (int j = 0; j != 16; ++j)
    for (int l = 0; l != 64; ++l)
      right[l * 16 + j] = std::ldexp(fourBitFloat(b[j * 32 + l / 2] >> (l % 2 * 4) & 15), scale[j * 2 + l / 32] - 127);
  const std::vector<float> want = product(a, right, 32, 16, 64);
  const Buffer<f16> ba = device().upload<f16>(a);
  const Buffer<u8> bb = device().upload<u8>(b), powers = device().upload<u8>(scale);
  for (const CompileOptions &options : variants()) {
    Buffer<f32> out = device().buffer<f32>(32 * 16);
    k.with({}, options).launch(device(), 1, ba, bb, powers, out);
    EXPECT_EQ(out.download(), want);
  }
}

} // namespace
} // namespace tessera::test
