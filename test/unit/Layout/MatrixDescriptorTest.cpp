//===- MatrixDescriptorTest.cpp - matrices that a unit reads itself -------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Every element of every block lies where the hardware looks for it, by the formula that the simulator has
// (Target/Sim/Ops/NativeWgmma.cpp), from the bits of the descriptor alone.
//
//===---------------------------------------------------------------------===//

#include "Layout/MatrixDescriptor.h"
#include "unit/Layout/RandomLayouts.h"

#include <array>
#include <gtest/gtest.h>

using namespace tessera::layout;
using tessera::layout::test::Random;

namespace {

/// Where the hardware looks for element (\p row, \p k) of the block that \p descriptor, complete, describes.
std::uint64_t hardwareAddress(std::uint64_t descriptor, bool isTransposed, unsigned elementBytes, unsigned row,
                              unsigned k) {
  const auto field = [&](unsigned at) { return (descriptor >> at & 0x3fff) << 4; };
  const unsigned swizzle = static_cast<unsigned>(descriptor >> 62);
  const unsigned along = (isTransposed ? row : k) * elementBytes, across = isTransposed ? k : row;
  const unsigned run = swizzle ? 256u >> swizzle : 16;
  const bool swaps = swizzle == 0 && isTransposed;
  std::uint64_t address = field(0) + across % 8 * run + along % run;
  address += (across / 8) * field(swaps ? 16 : 32) + (along / run) * field(swaps ? 32 : 16);
  const std::uint64_t mask = swizzle ? (8u >> swizzle << 1) - 1 : 0;
  return address ^ (address >> 7 & mask) << 4;
}

/// Rows x k, or k x rows.
std::uint32_t flatOf(int kAxis, const SharedLayout &layout, std::int64_t row, std::int64_t k) {
  return static_cast<std::uint32_t>(kAxis == 1 ? row * layout.shape()[1] + k : k * layout.shape()[1] + row);
}

void expectHardwareReads(const SharedLayout &layout, int elementBytes, int kAxis, const MatrixBlock &block) {
  const auto descriptor = matrixDescriptor(layout, elementBytes, kAxis, block);
  ASSERT_TRUE(descriptor) << layout.str();
  constexpr std::uint64_t kBuffer = 7 * 1024;
  const std::int64_t rows = layout.shape()[1 - kAxis], depth = layout.shape()[kAxis];
  for (std::int64_t firstRow = 0; firstRow != rows; firstRow += block.rows)
    for (std::int64_t firstK = 0; firstK != depth; firstK += block.k) {
      const std::uint64_t start = kBuffer + layout.offset(flatOf(kAxis, layout, firstRow, firstK)) * elementBytes;
      for (std::int64_t row = 0; row != block.rows; ++row)
        for (std::int64_t k = 0; k != block.k; ++k)
          ASSERT_EQ(hardwareAddress(descriptor->encode() | start >> 4, descriptor->isTransposed, elementBytes,
                                    static_cast<unsigned>(row), static_cast<unsigned>(k)),
                    kBuffer + layout.offset(flatOf(kAxis, layout, firstRow + row, firstK + k)) * elementBytes)
              << layout.str() << " k axis " << kAxis << " block at " << firstRow << ", " << firstK << ": " << row
              << ", " << k;
    }
}

} // namespace

TEST(MatrixDescriptor, tensorCopiesAreRead) {
  for (const int elementBytes : {1, 2, 4})
    for (const std::int64_t rows : {8, 16, 64, 128, 256})
      for (const std::int64_t depth : {16, 32, 64, 256})
        for (const int kAxis : {0, 1})
          for (const int swizzle : {32, 64, 128}) {
            const std::array<std::int64_t, 2> shape{kAxis == 1 ? rows : depth, kAxis == 1 ? depth : rows};
            const std::int64_t k = 32 / elementBytes;
            if (rows * depth * elementBytes > 1 << 17) // more than shared memory holds beside the start
              continue;
            if (depth >= k && depth * elementBytes >= swizzle)
              for (const std::int64_t blockRows : {std::min<std::int64_t>(rows, 8), std::min<std::int64_t>(rows, 64)})
                expectHardwareReads(
                    SharedLayout::tensorCopy(shape, std::array{kAxis, 1 - kAxis}, swizzle, elementBytes), elementBytes,
                    kAxis, {blockRows, k});
            const std::int64_t blockRows = std::min<std::int64_t>(rows, 64);
            if (elementBytes == 2 && depth >= k && blockRows * elementBytes >= swizzle)
              expectHardwareReads(SharedLayout::tensorCopy(shape, std::array{1 - kAxis, kAxis}, swizzle, elementBytes),
                                  elementBytes, kAxis, {blockRows, k});
          }
}

TEST(MatrixDescriptor, ofGemm) {
  // K-major rows of 64 halves with the widest swizzle: 1024 bytes from eight rows to the next.
  const auto rows = matrixDescriptor(
      SharedLayout::tensorCopy(std::array<std::int64_t, 2>{128, 64}, std::array{1, 0}, 128, 2), 2, 1, {64, 16});
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->encode(), std::uint64_t{1} << 16 | std::uint64_t{64} << 32 | std::uint64_t{1} << 62);
  EXPECT_FALSE(rows->isTransposed);
  // V[keys, d] as it lies in memory: from one chunk of 64 columns to the next, and 1024 bytes from eight keys to the
  // next.
  const auto across = matrixDescriptor(
      SharedLayout::tensorCopy(std::array<std::int64_t, 2>{32, 128}, std::array{1, 0}, 128, 2), 2, 0, {128, 16});
  ASSERT_TRUE(across);
  EXPECT_EQ(across->leadingBytes, 32 * 128U);
  EXPECT_EQ(across->strideBytes, 1024U);
  EXPECT_TRUE(across->isTransposed);
}

TEST(MatrixDescriptor, plainLayoutsOfCoreMatricesAreRead) {
  // Rows of 16 bytes, eight to a group: no swizzle.
  expectHardwareReads(SharedLayout::inOrder(std::array<std::int64_t, 2>{16, 8}, std::array{1, 0}), 2, 0, {8, 16});
}

TEST(MatrixDescriptor, otherLayoutsHaveNone) {
  const std::array<std::int64_t, 2> shape{64, 64};
  EXPECT_FALSE(matrixDescriptor(SharedLayout::inOrder(shape, std::array{1, 0}), 2, 1, {64, 16}));
  EXPECT_FALSE(matrixDescriptor(SharedLayout::swizzled(shape, std::array{1, 0}, 8, 1, 4), 2, 1, {64, 16}));
  EXPECT_FALSE(matrixDescriptor(SharedLayout::tensorCopy(shape, std::array{1, 0}, 128, 2), 2, 1, {128, 16}));
}

// Whatever is described is read right.
TEST(MatrixDescriptor, whatIsDescribedIsRead) {
  Random random(3);
  int described = 0;
  for (int round = 0; round != 4000; ++round) {
    const std::array<std::int64_t, 2> shape{std::int64_t{8} << random.upTo(3), std::int64_t{16} << random.upTo(2)};
    std::vector<std::uint32_t> bases;
    SharedLayout layout = SharedLayout::tensorCopy(shape, std::array{1, 0}, 32, 2);
    bases.assign(layout.bases().begin(), layout.bases().end());
    // A few bits changed.
    for (int change = random.upTo(2); change-- > 0;)
      std::swap(bases[static_cast<std::size_t>(random.upTo(static_cast<int>(bases.size()) - 1))],
                bases[static_cast<std::size_t>(random.upTo(static_cast<int>(bases.size()) - 1))]);
    layout = SharedLayout({shape.begin(), shape.end()}, bases);
    const MatrixBlock block{8, 16};
    if (matrixDescriptor(layout, 2, 1, block)) {
      ++described;
      expectHardwareReads(layout, 2, 1, block);
    }
  }
  EXPECT_GT(described, 100);
}
