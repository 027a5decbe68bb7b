//===- MaskCases.cpp - reported mistakes in masks, broadcasting, views and alignment ------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "cases/Cases.h"

namespace tessera::test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

// SEMANTICS M1
// #737, #3281: lanes that a mask leaves out read 0, or what `other` says.
TEST(MaskCases, maskedLanesReadADefinedValue) {
  const auto k = kernel("masked", {"x", "plain", "zero", "seven", "n"},
                        [](Ptr<f32> x, Ptr<f32> plain, Ptr<f32> zero, Ptr<f32> seven, Int n) {
                          Tile i = arange(0, 8);
                          Tile mask = i < n;
                          store(plain + i, load(x + i, {.mask = mask}));
                          store(zero + i, load(x + i, {.mask = mask, .other = 0}));
                          store(seven + i, load(x + i, {.mask = mask, .other = 7}));
                        });
  const Buffer<f32> x = device().upload(std::vector<float>{1, 2, 3});
  for (const CompileOptions &options : variants()) {
    Buffer<f32> plain = device().buffer<f32>(8), zero = device().buffer<f32>(8), seven = device().buffer<f32>(8);
    k.with({}, options).launch(device(), 1, x, plain, zero, seven, 3);
    EXPECT_THAT(plain.download(), ElementsAre(1, 2, 3, 0, 0, 0, 0, 0));
    EXPECT_THAT(zero.download(), ElementsAre(1, 2, 3, 0, 0, 0, 0, 0));
    EXPECT_THAT(seven.download(), ElementsAre(1, 2, 3, 7, 7, 7, 7, 7));
  }
}

// SEMANTICS M2
// #8526: a value of rank 2 stored through pointers of rank 3 is broadcast.
TEST(MaskCases, storeBroadcastsTheValue) {
  const auto k = kernel("broadcast_store", {"out"}, [](Ptr<i32> out) {
    Tile value = reshape(arange(0, 8), {2, 4});
    store(out + reshape(arange(0, 32), {4, 2, 4}), value);
  });
  for (const CompileOptions &options : variants()) {
    Buffer<i32> out = device().buffer<i32>(32);
    k.with({}, options).launch(device(), 1, out);
    const std::vector<int> got = out.download();
    for (int i = 0; i != 32; ++i)
      EXPECT_EQ(got[i], i % 8) << i;
  }
}

// #10067: the offset is one of two, chosen at run time.
TEST(MaskCases, selectedOffsetIsNotAssumedAligned) {
  const auto k = kernel("selected", {"x", "out", "first"}, [](Ptr<f32> x, Ptr<f32> out, Bool first) {
    Tile start = where(first, 16, 3);
    store(out + arange(0, 16), load(x + start + arange(0, 16)));
  });
  const Buffer<f32> x = device().upload(ramp<float>(64));
  for (bool first : {true, false})
    for (const CompileOptions &options : variants()) {
      Buffer<f32> out = device().buffer<f32>(16);
      k.with({}, options).launch(device(), 1, x, out, first);
      EXPECT_EQ(out.download(), ramp<float>(16, first ? 16 : 3));
    }
}

// #1330: rows of 1185 elements, of which every other starts at an odd multiple of the element.
TEST(MaskCases, oddRowsAreNotAssumedAligned) {
  const auto k = kernel("odd_rows", {"x", "out", "cols"}, [](Ptr<f16> x, Ptr<f16> out, Int cols) {
    Int row = program_id(0);
    Tile c = arange(0, 2048);
    store(out + row * cols + c, load(x + row * cols + c, {.mask = c < cols}) * 2, {.mask = c < cols});
  });
  const int rows = 5, cols = 1185;
  const std::vector<float> x = eighths(rows * cols);
  const Buffer<f16> bx = device().upload<f16>(x);
  for (const CompileOptions &options : variants()) {
    Buffer<f16> out = device().buffer<f16>(rows * cols);
    k.with({}, options).launch(device(), rows, bx, out, cols);
    const std::vector<float> got = floats(out.download());
    for (int i = 0; i != rows * cols; ++i)
      ASSERT_EQ(got[i], 2 * x[i]) << i;
  }
}

// #741: x0 + 1000 i + 196000 j, with x0 odd.
TEST(MaskCases, oddStartIsNotAssumedAligned) {
  const auto k = kernel("odd_start", {"x", "out", "x0"}, [](Ptr<f32> x, Ptr<f32> out, Int x0) {
    Tile i = arange(0, 8), j = arange(0, 2);
    Tile at = x0 + i.row() * 1000 + j.col() * 196000;
    store(out + j.col() * 8 + i.row(), load(x + at));
  });
  const Buffer<f32> x = device().upload(ramp<float>(210000));
  for (int x0 : {0, 1, 7})
    for (const CompileOptions &options : variants()) {
      Buffer<f32> out = device().buffer<f32>(16);
      k.with({}, options).launch(device(), 1, x, out, x0);
      const std::vector<float> got = out.download();
      for (int j = 0; j != 2; ++j)
        for (int i = 0; i != 8; ++i)
          EXPECT_EQ(got[j * 8 + i], static_cast<float>(x0 + 1000 * i + 196000 * j));
    }
}

// SEMANTICS M3a
// #10381, #10804: each row chooses one of four base pointers, then adds its offset.
TEST(MaskCases, basePointerChosenPerRow) {
  const auto k =
      kernel("bases", {"xs", "choice", "out"}, [](std::array<Ptr<f32>, 4> xs, Ptr<i32> choice, Ptr<f32> out) {
        Tile r = arange(0, 8), c = arange(0, 16);
        Tile which = load(choice + r);
        Tile two = where(which == 0, xs[0], xs[1]);
        Tile base = where(which < 2, two, where(which == 2, xs[2], xs[3]));
        store(out + r.col() * 16 + c.row(), load(base.col() + c.row()));
      });
  std::array<Buffer<f32>, 4> xs;
  for (int i = 0; i != 4; ++i)
    xs[i] = device().upload(ramp<float>(16, 100.0f * static_cast<float>(i)));
  const std::vector<int> choice{0, 1, 2, 3, 3, 1, 0, 2};
  const Buffer<i32> chosen = device().upload(choice);
  for (const CompileOptions &options : variants()) {
    Buffer<f32> out = device().buffer<f32>(128);
    k.with({}, options)
        .launch(device(), 1, std::array{xs[0].from(0), xs[1].from(0), xs[2].from(0), xs[3].from(0)}, chosen, out);
    const std::vector<float> got = out.download();
    for (int r = 0; r != 8; ++r)
      for (int c = 0; c != 16; ++c)
        EXPECT_EQ(got[r * 16 + c], static_cast<float>(100 * choice[r] + c)) << r << ", " << c;
  }
}

// SEMANTICS M5, P1b
// From upstream's own tests: [2, 2, 1] seen as [2, 2, 3] by a stride of 0; three programs add to each element.
TEST(MaskCases, atomicsThroughAStrideOfZero) {
  const auto k = kernel("expanded", {"v"}, [](View<i32, 3> v) {
    Int a = program_id(0), b = program_id(1), c = program_id(2);
    atomic_add(v.base() + a * v.stride(0) + b * v.stride(1) + c * v.stride(2), 1);
  });
  Buffer<i32> zeros = device().buffer<i32>(4);
  zeros.fill(0);
  k.launch(device(), {2, 2, 3}, view_arg(zeros, {2, 2, 3}, {2, 1, 0}));
  EXPECT_THAT(zeros.download(), Each(3));
}

// SEMANTICS M6
// #11583: a block stored through a view of rows of 466 bytes leaves the bytes behind each row alone.
TEST(MaskCases, viewStoreStopsAtTheExtent) {
  const auto k = kernel("rows", {"v"}, [](View<i8, 2> v) { v.store({program_id(0) * 2, 0}, full(i8, {2, 512}, 7)); });
  const int rows = 3, pitch = 480, cols = 466;
  for (const CompileOptions &options : variants()) {
    Buffer<i8> out = device().buffer<i8>(rows * pitch);
    out.fill(-1);
    k.with({}, options).launch(device(), 2, view_arg(out, {rows, cols}, {pitch, 1})); // row 3 does not exist
    const std::vector<std::int8_t> got = out.download();
    for (int r = 0; r != rows; ++r)
      for (int c = 0; c != pitch; ++c)
        ASSERT_EQ(got[r * pitch + c], c < cols ? 7 : -1) << r << ", " << c;
  }
}

} // namespace
} // namespace tessera::test
