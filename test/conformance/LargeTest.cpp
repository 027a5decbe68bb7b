//===- LargeTest.cpp - memory that 32 bits do not count -------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// More than 2^31 elements and more than 2^32 bytes, on devices that have the memory. What a kernel wrote is looked at
// through windows, small buffers that another kernel copies to.
//
//===---------------------------------------------------------------------===//

#include "conformance/Conformance.h"

#include <cstdlib>

namespace tessera::conformance {
namespace {

constexpr std::int64_t k2To31 = std::int64_t{1} << 31;

struct BlockConfig {
  int block = 1024;
};

class Large : public testing::Test {
protected:
  void SetUp() override {
    const std::string family = Device::current().target().family();
    if (family != "cuda" && family != "hip" && !std::getenv("TESSERA_CONFORMANCE_LARGE"))
      GTEST_SKIP() << "only GPUs have the memory and the time; TESSERA_CONFORMANCE_LARGE=1 tries it here";
  }

  /// The \p count elements of \p memory from \p first on.
  template <DType T> static auto window(const Buffer<T> &memory, std::int64_t first, std::int64_t count = 1024) {
    const Buffer<T> small = Device::current().buffer<T>(count);
    const auto copy = kernel("window", {"from", "to"}, [](const BlockConfig &c, Ptr<T> from, Ptr<T> to) {
      Tile i = arange(0, c.block);
      store(to + i, load(from + i));
    });
    copy.with({static_cast<int>(count)}).launch(Device::current(), 1, memory.from(first), small);
    Device::current().synchronize();
    return small.download();
  }
};

// SEMANTICS P1
TEST_F(Large, programsReachBeyondTwoToThe31) {
  constexpr std::int64_t n = k2To31 + 12345;
  Buffer<i8> x = Device::current().buffer<i8>(n);
  x.fill(3);
  const auto add = kernel("large_add", {"x", "n"}, [](const BlockConfig &c, Ptr<i8> x, Int n) {
    Tile i = program_id(0) * c.block + arange(0, c.block);
    Tile mask = i < n;
    store(x + i, load(x + i, {.mask = mask}) + (i & 63).to(i8), {.mask = mask});
  });
  for (int block : {1024, 4096}) {
    x.fill(3);
    add.with({block}).launch(Device::current(), cdiv(n, block), x, n);
    for (std::int64_t first : {std::int64_t{0}, k2To31 - 512, n - 1024}) {
      const auto found = window(x, first);
      for (std::int64_t i = 0; i != 1024; ++i)
        ASSERT_EQ(found[static_cast<std::size_t>(i)], 3 + ((first + i) & 63)) << first << " + " << i;
    }
  }
}

TEST_F(Large, bytesGoBeyondTwoToThe34) {
  constexpr std::int64_t n = 2 * k2To31 + 4096; // of four bytes
  const Buffer<f32> x = Device::current().buffer<f32>(n);
  const auto number = kernel("large_number", {"x", "start"}, [](const BlockConfig &c, Ptr<f32> x, Int start) {
    Int offset = start + program_id(0) * c.block;
    store(x + offset + arange(0, c.block), (offset % 8192).to(f32) + arange(0, c.block));
  });
  for (std::int64_t start : {std::int64_t{0}, k2To31 - 2048, k2To31 / 2, 2 * k2To31 - 2048, n - 4096}) {
    number.with({1024}).launch(Device::current(), 4, x, start);
    for (std::int64_t part = 0; part != 4; ++part) {
      const std::int64_t first = start + part * 1024;
      const auto found = window(x, first);
      for (std::int64_t i = 0; i != 1024; ++i)
        ASSERT_EQ(found[static_cast<std::size_t>(i)], static_cast<float>(first % 8192 + i)) << first << " + " << i;
    }
  }
}

TEST_F(Large, rowsLieFarApart) {
  constexpr std::int64_t rows = 2100, stride = std::int64_t{1} << 20, cols = 1000; // 2100 * 2^20 > 2^31
  const Buffer<f16> x = Device::current().buffer<f16>(rows * stride);
  const auto fill = kernel("large_rows", {"x", "stride", "cols"}, [](Ptr<f16> x, Int stride, Int cols) {
    Int row = program_id(0);
    Tile col = arange(0, 1024);
    store(x + row * stride + col, (row % 1000).to(f16), {.mask = col < cols});
  });
  const auto turn = kernel("large_view", {"x", "out", "rows", "cols", "stride"},
                           [](Ptr<f16> x, Ptr<f16> out, Int rows, Int cols, Int stride) {
                             View from = view(x, {rows, cols}, {stride, 1});
                             View to = view(out, {cols, rows}, {rows, 1});
                             Int i = program_id(0) * 32, j = program_id(1) * 64;
                             to.store({j, i}, trans(from.load({i, j}, {32, 64})));
                           });
  const Buffer<f16> out = Device::current().buffer<f16>(rows * cols);
  fill.launch(Device::current(), rows, x, stride, cols);
  turn.launch(Device::current(), {cdiv(rows, 32), cdiv(cols, 64)}, x, out, rows, cols, stride);
  const auto found = out.download();
  for (std::int64_t col : {std::int64_t{0}, std::int64_t{511}, cols - 1})
    for (std::int64_t row = 0; row != rows; ++row)
      ASSERT_EQ(static_cast<float>(found[static_cast<std::size_t>(col * rows + row)]), static_cast<float>(row % 1000))
          << row << ", " << col;
}

} // namespace
} // namespace tessera::conformance
