//===- AxisInfoTest.cpp - runs against the values of all lanes --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What is said of random tiles must hold for every lane; what is said of loops is checked on written kernels.
//
//===---------------------------------------------------------------------===//

#include "Analysis/WideAccess.h"
#include "RandomKernel.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace tessera::ir;

namespace {

class AxisInfoTest : public RandomKernelTest {
protected:
  /// The info of the operand of the only `tile.print` of a kernel.
  AxisInfo infoOfPrinted(StringRef body) {
    module = mlir::parseSourceString<ModuleOp>(
        ("tile.kernel @k(%p: !tile.ptr<f32> {tile.multiple_of = 16}, %n: i64, %m: i64 {tile.multiple_of = 8}) {" +
         body + "tile.return }")
            .str(),
        &context);
    EXPECT_TRUE(module);
    tile::KernelOp kernel = *module->getOps<tile::KernelOp>().begin();
    UniformExprs exprs;
    AffineForms affine(exprs);
    const AxisInfos infos(kernel, affine);
    AxisInfo info;
    kernel.walk([&](tile::PrintOp print) { info = infos.of(print.getValues().front()); });
    return info;
  }

  OwningOpRef<ModuleOp> module;
};

/// The number of the lane that lies \p back places before lane \p i along \p axis.
size_t laneBefore(const Lanes &lanes, size_t i, size_t axis, int64_t back) {
  SmallVector<int64_t> index = indexOf(i, lanes.shape());
  index[axis] -= back;
  return numberOf(index, lanes.shape());
}

} // namespace

TEST_F(AxisInfoTest, runsAreRuns) {
  unsigned counting = 0, equal = 0, divided = 0;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    RandomKernel kernel(context, seed, /*aligned=*/true);
    const SmallVector<int64_t> &shape = kShapes[kernel.pick(std::size(kShapes))];
    const unsigned kind = seed % 4;
    const Lanes lanes = kind == 0   ? kernel.pointers(shape)
                        : kind == 1 ? kernel.mask(shape, 2)
                                    : kernel.tileOf(shape, seed % 2 ? 32 : 64, 1 + seed / 4 % 4);
    UniformExprs exprs;
    AffineForms affine(exprs);
    const AxisInfos infos(kernel.kernel, affine);
    const AxisInfo info = infos.of(lanes.value);
    ASSERT_EQ(info.size(), shape.size());
    const uint64_t step = kind == 0 ? 4 : 1;
    for (auto [axis, facts] : llvm::enumerate(info)) {
      counting += facts.contiguity > 1;
      equal += facts.constancy > 1;
      divided += facts.divisor > 1 && facts.divisor < kMostDivisor;
      for (size_t i = 0; i < lanes.numbers.size(); ++i) {
        const int64_t place = indexOf(i, shape)[axis];
        const uint64_t number = lanes.numbers[i];
        const auto before = [&](int64_t back) { return lanes.numbers[laneBefore(lanes, i, axis, back)]; };
        ASSERT_EQ(before(place % facts.constancy), number) << "seed " << seed << " lane " << i << "\n"
                                                           << textOf(kernel);
        if (kind == 1)
          continue; // no number
        if (place % facts.contiguity != 0)
          ASSERT_EQ(asUnsigned(before(1) + step, lanes.bits()), number) << "seed " << seed << " lane " << i << "\n"
                                                                        << textOf(kernel);
        else
          ASSERT_EQ(number % static_cast<uint64_t>(facts.divisor), 0u)
              << "seed " << seed << " lane " << i << " divisor " << facts.divisor << "\n"
              << textOf(kernel);
      }
    }
  }
  EXPECT_GT(counting, 200u);
  EXPECT_GT(equal, 400u);
  EXPECT_GT(divided, 400u);
}

TEST_F(AxisInfoTest, wideRunsAreNeighboursUnderOneMask) {
  unsigned wide = 0, masked = 0;
  for (unsigned seed = 0; seed < 12000; ++seed) {
    RandomKernel kernel(context, seed, /*aligned=*/true);
    const SmallVector<int64_t> &shape = kShapes[kernel.pick(std::size(kShapes))];
    const Lanes pointers = kernel.pointers(shape);
    std::optional<Lanes> mask;
    if (kernel.pick(2))
      mask = kernel.mask(shape, 1);
    auto load = tile::LoadOp::create(kernel.builder, kernel.loc, pointers.value, mask ? mask->value : Value());
    UniformExprs exprs;
    AffineForms affine(exprs);
    const AxisInfos infos(kernel.kernel, affine);
    const std::optional<WideAccess> access = wideAccessOf(load, infos, affine, 16);
    ASSERT_TRUE(access);
    ASSERT_LE(access->elements, 4);
    if (access->elements == 1)
      continue;
    ++wide;
    masked += mask.has_value();
    for (size_t i = 0; i < pointers.numbers.size(); ++i) {
      const int64_t into = indexOf(i, shape)[access->axis] % access->elements;
      const size_t start = laneBefore(pointers, i, access->axis, into);
      ASSERT_EQ(pointers.numbers[start] % (4 * access->elements), 0u) << "seed " << seed << "\n" << textOf(kernel);
      ASSERT_EQ(pointers.numbers[start] + 4 * into, pointers.numbers[i]) << "seed " << seed << "\n" << textOf(kernel);
      if (mask)
        ASSERT_EQ(mask->numbers[start], mask->numbers[i]) << "seed " << seed << "\n" << textOf(kernel);
    }
  }
  EXPECT_GT(wide, 150u);
  EXPECT_GT(masked, 40u);
}

/// A tile of pointers that a loop moves on by whole rows keeps its runs and its alignment.
TEST_F(AxisInfoTest, pointersThatALoopMoves) {
  const AxisInfo info = infoOfPrinted(R"(
    %c0 = arith.constant 0 : i64
    %c64 = arith.constant 64 : i64
    %lane = tile.arange 0 to 64 : tensor<64xi32>
    %base = tile.splat %p : tensor<64x!tile.ptr<f32>>
    %first = tile.addptr %base, %lane : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    %step = tile.splat %m : tensor<64xi64>
    %last = scf.for %i = %c0 to %n step %c64 iter_args(%at = %first) -> (tensor<64x!tile.ptr<f32>>) : i64 {
      %next = tile.addptr %at, %step : tensor<64x!tile.ptr<f32>>, tensor<64xi64>
      scf.yield %next : tensor<64x!tile.ptr<f32>>
    }
    tile.print "" %last : tensor<64x!tile.ptr<f32>>)");
  EXPECT_EQ(info[0], (AxisFacts{64, 16, 1}));
}

/// The same, moved by anything: only the alignment of an element is left.
TEST_F(AxisInfoTest, pointersThatALoopMovesAnyhow) {
  const AxisInfo info = infoOfPrinted(R"(
    %c0 = arith.constant 0 : i64
    %c64 = arith.constant 64 : i64
    %lane = tile.arange 0 to 64 : tensor<64xi32>
    %base = tile.splat %p : tensor<64x!tile.ptr<f32>>
    %first = tile.addptr %base, %lane : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    %step = tile.splat %n : tensor<64xi64>
    %last = scf.for %i = %c0 to %n step %c64 iter_args(%at = %first) -> (tensor<64x!tile.ptr<f32>>) : i64 {
      %next = tile.addptr %at, %step : tensor<64x!tile.ptr<f32>>, tensor<64xi64>
      scf.yield %next : tensor<64x!tile.ptr<f32>>
    }
    tile.print "" %last : tensor<64x!tile.ptr<f32>>)");
  EXPECT_EQ(info[0], (AxisFacts{64, 4, 1}));
}

/// The index of a loop is a whole number of steps from its start, and branches give what both have.
TEST_F(AxisInfoTest, indicesAndBranches) {
  const AxisInfo info = infoOfPrinted(R"(
    %c0 = arith.constant 0 : i64
    %c64 = arith.constant 64 : i64
    %c12 = arith.constant 12 : i64
    %t = arith.cmpi slt, %n, %c12 : i64
    scf.for %i = %c0 to %n step %c64 : i64 {
      %x = scf.if %t -> (i64) {
        scf.yield %i : i64
      } else {
        scf.yield %c12 : i64
      }
      tile.print "" %x : i64
    })");
  EXPECT_EQ(info[0], (AxisFacts{1, 4, 1}));
}

TEST_F(AxisInfoTest, whatTheUserVouchesFor) {
  const AxisInfo info = infoOfPrinted(R"(
    %q = tile.ptr_cast %p : !tile.ptr<f32> -> !tile.ptr<i64>
    %at = tile.splat %q : tensor<64x!tile.ptr<i64>>
    %i = tile.load %at : tensor<64x!tile.ptr<i64>>
    %h = tile.hint %i multiple_of [16] max_contiguous [32] : tensor<64xi64>
    %b = tile.splat %m : tensor<64xi64>
    %x = arith.addi %h, %b : tensor<64xi64>
    tile.print "" %x : tensor<64xi64>)");
  EXPECT_EQ(info[0], (AxisFacts{32, 8, 1}));
}
