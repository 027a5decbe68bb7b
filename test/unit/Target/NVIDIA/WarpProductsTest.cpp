//===- WarpProductsTest.cpp - how many instructions a product has ---------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Products on units of warps have the instructions of the best structure that is known: each warp loads every fragment
// once, four matrices at a time.
//
//===---------------------------------------------------------------------===//

#include <tessera/tessera.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

using namespace tessera;
using testing::HasSubstr;
using testing::Not;

namespace {

/// A product of matrices in memory, whose rows or columns lie one after another.
struct Product {
  DType element, sum;
  std::int64_t m, n, k;
  bool aByColumns = false, bByColumns = false;
  Precision precision = Precision::ieee;

  auto kernel(int warps) const {
    const Product p = *this;
    return tessera::kernel("product", {"a", "b", "out"},
                           [p](Ptr<u8> a, Ptr<u8> b, Ptr<u8> out) {
                             const auto at = [](std::int64_t rows, std::int64_t columns, bool isByColumns) {
                               Tile i = arange(0, rows).col(), j = arange(0, columns).row();
                               return isByColumns ? j * rows + i : i * columns + j;
                             };
                             Tile x = load(a.as(p.element) + at(p.m, p.k, p.aByColumns));
                             Tile y = load(b.as(p.element) + at(p.k, p.n, p.bByColumns));
                             store(out.as(p.sum) + at(p.m, p.n, false),
                                   dot(x, y, zeros(p.sum, {p.m, p.n}), {.precision = p.precision}));
                           })
        .with({}, {.num_warps = warps});
  }
};

int countOf(const std::string &text, const std::string &word) {
  int count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    ++count;
  return count;
}

struct Counts {
  int products = 0, loads = 0, transposedLoads = 0, smallLoads = 0;
  bool operator==(const Counts &) const = default;
};

std::ostream &operator<<(std::ostream &out, const Counts &counts) {
  return out << counts.products << " products, " << counts.loads << " loads of four matrices, of them "
             << counts.transposedLoads << " transposed, " << counts.smallLoads << " smaller loads of shared memory";
}

Counts countsOf(const Product &product, int warps, const std::string &chip) {
  const std::string text = product.kernel(warps).print("asm", Target(chip));
  EXPECT_THAT(text, Not(HasSubstr(".local")));
  const Counts counts{.products = countOf(text, "mma.sync.aligned"),
                      .loads = countOf(text, "ldmatrix.sync.aligned.m8n8.x4"),
                      .transposedLoads = countOf(text, "ldmatrix.sync.aligned.m8n8.x4.trans"),
                      .smallLoads = countOf(text, "ldmatrix.sync.aligned.m8n8.x2") +
                                    countOf(text, "ldmatrix.sync.aligned.m8n8.x1") + countOf(text, "ld.shared.b16") +
                                    countOf(text, "ld.shared.b8")};
  const Binary binary = product.kernel(warps).compile(Target(chip));
  for (const auto &[name, fact] : binary.facts())
    if (name == "spill_bytes" || name == "stack_bytes") {
      EXPECT_EQ(fact, "0") << name;
    }
  return counts;
}

// Of 64 x 64 x 16 in a warp: four loads for each operand, four times eight products.
TEST(WarpProducts, halves) {
  for (const DType element : {DType(f16), DType(bf16)}) {
    const Product product{element, f32, 128, 128, 32};
    EXPECT_EQ(countsOf(product, 4, "cuda:sm_80"), (Counts{2 * 32, 2 * 8, 2 * 4, 0}));
    // 32 x 64 x 16
    EXPECT_EQ(countsOf(product, 8, "cuda:sm_80"), (Counts{2 * 16, 2 * 6, 2 * 4, 0}));
    EXPECT_EQ(countsOf(product, 4, "cuda:sm_120"), (Counts{2 * 32, 2 * 8, 2 * 4, 0}));
  }
}

TEST(WarpProducts, halvesInEveryOrder) {
  for (const bool aByColumns : {false, true})
    for (const bool bByColumns : {false, true})
      EXPECT_EQ(countsOf({f16, f32, 128, 128, 64, aByColumns, bByColumns}, 4, "cuda:sm_80"),
                (Counts{4 * 32, 4 * 8, 4 * 4 * (aByColumns + !bByColumns), 0}));
}

TEST(WarpProducts, bytesAlongTheDepth) {
  const Counts wanted{2 * 32, 2 * 8, 0, 0};
  EXPECT_EQ(countsOf({i8, i32, 128, 128, 64, false, true}, 4, "cuda:sm_80"), wanted);
  EXPECT_EQ(countsOf({e4m3, f32, 128, 128, 64, false, true}, 4, "cuda:sm_89"), wanted);
  EXPECT_EQ(countsOf({e5m2, f32, 128, 128, 64, false, true}, 4, "cuda:sm_120"), wanted);
}

TEST(WarpProducts, floats) {
  // Of 64 x 64 x 8 in a warp: four loads for each operand again.
  EXPECT_EQ(countsOf({f32, f32, 128, 128, 32, false, true, Precision::tf32}, 4, "cuda:sm_80"),
            (Counts{4 * 32, 4 * 8, 0, 0}));
  // Three products for one, of the same loads.
  EXPECT_EQ(countsOf({f32, f32, 64, 64, 32, false, true, Precision::tf32x3}, 4, "cuda:sm_80"),
            (Counts{3 * 4 * 8, 4 * 4, 0, 0}));
  EXPECT_EQ(countsOf({f32, f32, 64, 64, 32, false, true, Precision::bf16x3}, 4, "cuda:sm_80"),
            (Counts{3 * 2 * 8, 4 * 4, 0, 0}));
}

// A long product is a loop over its depth.
TEST(WarpProducts, longOnesAreLoops) {
  // One step is read before the loop, four in it.
  EXPECT_EQ(countsOf({f16, f32, 128, 128, 256}, 4, "cuda:sm_80"), (Counts{4 * 32, 5 * 8, 5 * 4, 0}));
}

TEST(WarpProducts, smallOnesAreFilled) {
  EXPECT_EQ(countsOf({f16, f32, 4, 8, 64}, 1, "cuda:sm_90a").products, 4);
  EXPECT_EQ(countsOf({f16, f32, 16, 8, 4}, 1, "cuda:sm_80").products, 1);
}

} // namespace
