//===- AmdMatrixUnitsTest.cpp - how AMD's units hold matrices -------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Against the formulas of AMD's ISA documents: where an instruction has element (i, k) of A, (k, j) of B and (i, j) of
// its result. Layouts are right if instructions on the registers of a lane multiply: all lanes agree on which column of
// the tile i is, which row j is, and which k is k.
//
//===---------------------------------------------------------------------===//

#include "Layout/AmdMatrixUnits.h"
#include "Layout/Access.h"
#include "Layout/FlatIndex.h"
#include "unit/Layout/AmdFragments.h"
#include "unit/Layout/RandomLayouts.h"

#include <gmock/gmock.h>

#include <array>
#include <map>
#include <set>

using namespace tessera::layout;

namespace {

using Shape = std::vector<std::int64_t>;

/// An instruction as documents describe it.
struct Instruction {
  const char *name;
  AmdFragment fragment;
  test::PlaceOf operand, result;
};

AmdFragment fragment(std::string_view rows, int laneBits, int depthBits, int runBits, bool hasCopies = false) {
  return {.rows = rows, .laneBits = laneBits, .depthBits = depthBits, .runBits = runBits, .hasCopies = hasCopies};
}

const std::vector<Instruction> &instructions() {
  static const std::vector<Instruction> all{
      {"mfma.f32.32x32x8f16", fragment("rrlrr", 6, 2, 3), test::neighbours(32, 4), test::mfma32x32},
      {"mfma.f32.16x16x16f16", fragment("rrll", 6, 2, 3), test::neighbours(16, 4), test::mfma16x16},
      {"mfma.f32.32x32x16.f16", fragment("rrlrr", 6, 3, 3), test::neighbours(32, 8), test::mfma32x32},
      {"mfma.f32.16x16x32.fp8.fp8", fragment("rrll", 6, 3, 4), test::neighbours(16, 8), test::mfma16x16},
      {"mfma.f32.32x32x16.fp8.fp8", fragment("rrlrr", 6, 3, 4), test::neighbours(32, 8), test::mfma32x32},
      {"mfma.scale.f32.16x16x128.f8f6f4", fragment("rrll", 6, 5, 4), test::neighbours(16, 32), test::mfma16x16},
      {"mfma.f32.16x16x32.bf16 of f32", fragment("rrll", 6, 3, 2), test::neighbours(16, 8), test::mfma16x16},
      {"mfma.i32.32x32x8i8", fragment("rrlrr", 6, 2, 4), test::neighbours(32, 4), test::mfma32x32},
      {"mfma.f32.32x32x2f32", fragment("rrlrr", 6, 0, 2), test::neighbours(32, 1), test::mfma32x32},
      {"mfma.f32.16x16x4f32", fragment("rrll", 6, 0, 2), test::neighbours(16, 1), test::mfma16x16},
      {"mfma.f32.16x16x8.xf32", fragment("rrll", 6, 1, 2), test::neighbours(16, 2), test::mfma16x16},
      {"mfma.f64.16x16x4f64", fragment("llrr", 6, 0, 1), test::neighbours(16, 1), test::mfmaF64},
      {"wmma of gfx11", fragment("lrrr", 5, 4, 3, true), test::wmmaOperandGfx11, test::wmmaGfx11},
      {"wmma of gfx12", fragment("rrrl", 5, 3, 3), test::wmmaHalvesGfx12, test::wmmaGfx12},
      {"wmma of gfx12, bytes", fragment("rrrl", 5, 3, 4), test::neighbours(16, 8), test::wmmaGfx12},
  };
  return all;
}

/// What names of the instruction stand for in the tile; false if two lanes do not agree.
class Names {
public:
  bool agree(int name, std::int64_t meaning) { return meant.try_emplace(name, meaning).first->second == meaning; }
  std::set<std::int64_t> meanings() const {
    std::set<std::int64_t> all;
    for (const auto &[name, meaning] : meant)
      all.insert(meaning);
    return all;
  }

private:
  std::map<int, std::int64_t> meant;
};

/// Checks all instructions of one warp on a product of m x n x k.
void expectMultiplies(const Instruction &instruction, std::array<std::int64_t, 3> size, WarpGrid warps,
                      std::uint32_t warp) {
  const AmdFragment &fragment = instruction.fragment;
  const auto [m, n, k] = size;
  const TileLayout acc = amdAccumulator(Shape{m, n}, fragment, warps), a = amdOperandA(Shape{m, k}, fragment, warps),
                   b = amdOperandB(Shape{k, n}, fragment, warps);
  SCOPED_TRACE(std::string(instruction.name) + "\n" + acc.str() + "\n" + a.str() + "\n" + b.str());
  const int side = 1 << fragment.sideBits(), lanes = 1 << fragment.laneBits, perLane = 1 << fragment.depthBits,
            results = 1 << fragment.resultBits();
  ASSERT_EQ(acc.size(Dim::Lane), static_cast<std::uint32_t>(lanes));
  const auto rowsOfWarp = static_cast<int>(m / warps.rows / side),
             columnsOfWarp = static_cast<int>(n / warps.columns / side),
             steps = static_cast<int>(k / (perLane * (fragment.hasCopies ? 1 : lanes / side)));
  ASSERT_EQ(acc.size(Dim::Register), static_cast<std::uint32_t>(results * rowsOfWarp * columnsOfWarp));
  ASSERT_EQ(a.size(Dim::Register), static_cast<std::uint32_t>(perLane * steps * rowsOfWarp));
  ASSERT_EQ(b.size(Dim::Register), static_cast<std::uint32_t>(perLane * steps * columnsOfWarp));
  for (int row = 0; row != rowsOfWarp; ++row)
    for (int column = 0; column != columnsOfWarp; ++column) {
      Names rows, columns;
      std::set<std::int64_t> depths;
      for (int step = 0; step != steps; ++step) {
        Names ks;
        for (int lane = 0; lane != lanes; ++lane)
          for (int e = 0; e != perLane; ++e) {
            const test::Place place = instruction.operand(e, lane);
            const std::uint32_t ofA = a.at(perLane * (step + steps * row) + e, lane, warp),
                                ofB = b.at(perLane * (step + steps * column) + e, lane, warp);
            // The tile's right operand is the instruction's A.
            ASSERT_TRUE(columns.agree(place.row, b.coordinate(ofB, 1)));
            ASSERT_TRUE(rows.agree(place.row, a.coordinate(ofA, 0)));
            ASSERT_TRUE(ks.agree(place.column, a.coordinate(ofA, 1)));
            ASSERT_TRUE(ks.agree(place.column, b.coordinate(ofB, 0)));
          }
        for (const std::int64_t each : ks.meanings())
          ASSERT_TRUE(depths.insert(each).second) << "twice";
      }
      ASSERT_EQ(depths.size(), static_cast<std::size_t>(k));
      ASSERT_EQ(rows.meanings().size(), static_cast<std::size_t>(side));
      ASSERT_EQ(columns.meanings().size(), static_cast<std::size_t>(side));
      for (int lane = 0; lane != lanes; ++lane)
        for (int r = 0; r != results; ++r) {
          const test::Place place = instruction.result(r, lane);
          const std::uint32_t of = acc.at(results * (column + columnsOfWarp * row) + r, lane, warp);
          ASSERT_TRUE(columns.agree(place.row, acc.coordinate(of, 1)));
          ASSERT_TRUE(rows.agree(place.column, acc.coordinate(of, 0)));
        }
    }
}

} // namespace

TEST(AmdMatrixUnits, instructionsMultiply) {
  for (const Instruction &instruction : instructions()) {
    const AmdFragment &fragment = instruction.fragment;
    const std::int64_t side = std::int64_t{1} << fragment.sideBits(),
                       depth = std::int64_t{1} << (fragment.depthBits + fragment.groupBits());
    for (const std::int64_t rows : {1, 2})
      for (const std::int64_t columns : {1, 2, 4, 8})
        for (const std::int64_t steps : {1, 2, 4, 8})
          expectMultiplies(instruction, {rows * side, columns * side, steps * depth}, {}, 0);
    for (std::uint32_t warp = 0; warp != 4; ++warp)
      expectMultiplies(instruction, {2 * side, 4 * side, 2 * depth}, {.rows = 2, .columns = 2}, warp);
  }
}

// Each warp has neighbouring rows and columns of the result.
TEST(AmdMatrixUnits, warpsLieInAGrid) {
  for (const Instruction &instruction : instructions()) {
    const TileLayout acc = amdAccumulator(Shape{128, 256}, instruction.fragment, {.rows = 2, .columns = 4});
    test::forEachHolder(acc, [&](std::uint32_t i, std::uint32_t lane, std::uint32_t warp, std::uint32_t) {
      const std::uint32_t flat = acc.at(i, lane, warp);
      ASSERT_EQ(acc.coordinate(flat, 0) / 64, warp % 2);
      ASSERT_EQ(acc.coordinate(flat, 1) / 64, warp / 2);
    });
  }
}

// A lane has a run of columns of the result, and of k of each operand.
TEST(AmdMatrixUnits, lanesHaveRuns) {
  for (const Instruction &instruction : instructions()) {
    SCOPED_TRACE(instruction.name);
    const AmdFragment &fragment = instruction.fragment;
    const std::uint32_t run = 1u << fragment.runBits;
    EXPECT_EQ(contiguousRegisters(amdAccumulator(Shape{64, 128}, fragment, {}), 1) % run, 0u);
    EXPECT_EQ(contiguousRegisters(amdOperandA(Shape{64, 128}, fragment, {}), 1) % run, 0u);
    EXPECT_EQ(contiguousRegisters(amdOperandB(Shape{128, 64}, fragment, {}), 0) % run, 0u);
  }
}

// The accumulators of one product are the left operand of the next, registers in the same order.
TEST(AmdMatrixUnits, accumulatorsBecomeOperands) {
  for (const Instruction &instruction : instructions())
    for (const std::int64_t columns : {32, 64, 128})
      if (const AmdFragment &fragment = instruction.fragment;
          !fragment.hasCopies && log2Of(columns) >= fragment.depthBits + fragment.groupBits()) {
        SCOPED_TRACE(instruction.name);
        EXPECT_EQ(amdAccumulator(Shape{64, columns}, instruction.fragment, {.rows = 2}),
                  amdOperandA(Shape{64, columns}, instruction.fragment, {.rows = 2}));
      }
}

// What a tile is too small for are copies.
TEST(AmdMatrixUnits, smallTilesAreCopies) {
  for (const Instruction &instruction : instructions())
    for (const Shape &shape : {Shape{1, 1}, Shape{2, 16}, Shape{16, 2}, Shape{4, 8}})
      for (const TileLayout &layout : {amdAccumulator(shape, instruction.fragment, {.rows = 2, .columns = 2}),
                                       amdOperandA(shape, instruction.fragment, {.rows = 2, .columns = 2}),
                                       amdOperandB(shape, instruction.fragment, {.rows = 2, .columns = 2})}) {
        const TileLayout::Bases bases{
            std::vector<std::uint32_t>(layout.bases(Dim::Register).begin(), layout.bases(Dim::Register).end()),
            std::vector<std::uint32_t>(layout.bases(Dim::Lane).begin(), layout.bases(Dim::Lane).end()),
            std::vector<std::uint32_t>(layout.bases(Dim::Warp).begin(), layout.bases(Dim::Warp).end()),
            {}};
        EXPECT_EQ(TileLayout::problemOf(shape, bases), "") << instruction.name << " " << layout.str();
      }
}

// Several matrices are repeated in registers.
TEST(AmdMatrixUnits, batchesAreRegisters) {
  const AmdFragment &fragment = instructions()[0].fragment;
  const TileLayout one = amdOperandB(Shape{32, 64}, fragment, {.rows = 2}),
                   four = amdOperandB(Shape{4, 32, 64}, fragment, {.rows = 2});
  EXPECT_EQ(four.size(Dim::Register), 4 * one.size(Dim::Register));
  for (std::uint32_t batch = 0; batch != 4; ++batch)
    EXPECT_EQ(four.at(batch * one.size(Dim::Register) + 5, 9, 1), batch * 32 * 64 + one.at(5, 9, 1));
}
