//===- ChooseGroupUnit.cpp - which products groups of warps take ----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Analysis/AffineForm.h"
#include "Analysis/Elementwise.h"
#include "Analysis/TensorMaps.h"
#include "Conversion/LayoutToNVVM/GroupInstruction.h"
#include "Conversion/LayoutToNVVM/UnitElements.h"
#include "Layout/MatrixUnits.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"
#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>

namespace tessera::ir::gpu {

using namespace ::tessera::layout;

std::optional<GroupInstruction> groupInstructionOf(Type a, Type b, tile::DotPrecision precision) {
  if (isOcpFp8(a) && isOcpFp8(b))
    return GroupInstruction{nameOfFp8(a), nameOfFp8(b), "f32", 32};
  if (a != b)
    return std::nullopt;
  if (a.isF16())
    return GroupInstruction{"f16", "f16", "f32", 16, /*readsAcross=*/true};
  if (a.isBF16())
    return GroupInstruction{"bf16", "bf16", "f32", 16, /*readsAcross=*/true};
  if (a.isInteger(8))
    return GroupInstruction{"s8", "s8", "s32", 32, /*readsAcross=*/false, /*hasSigns=*/false};
  if (a.isF32() && precision == tile::DotPrecision::TF32)
    return GroupInstruction{"tf32", "tf32", "f32", 8};
  return std::nullopt;
}

std::string GroupInstruction::name(std::int64_t columns) const {
  return fmt::format("wgmma.m64n{}k{}.{}.{}.{}", columns, k, sum.str(), a.str(), b.str());
}

std::int64_t instructionColumns(std::int64_t columns, WarpGrid grid) {
  return std::clamp(columns / grid.columns, GroupInstruction::kMinColumns, GroupInstruction::kMaxColumns);
}

/// The buffer of an operand of \p shape in which \p axis is contiguous, with the widest swizzle of up to \p mostBytes;
/// nothing where even the narrowest is wider than the axis.
static std::optional<SharedLayout> operandBuffer(ArrayRef<std::int64_t> shape, int axis, std::int64_t mostBytes,
                                                 int elementBytes) {
  constexpr std::int64_t kLeast = 32, kMost = 128;
  const std::int64_t bytes = std::min({kMost, mostBytes, shape[static_cast<size_t>(axis)] * elementBytes});
  if (bytes < kLeast)
    return std::nullopt;
  const std::array order{axis, 1 - axis};
  return SharedLayout::tensorCopy(shape, order, static_cast<int>(bytes), elementBytes);
}

/// The axis of the tile of pointers \p ptr along which they point to neighbours, if that is known.
static std::optional<int> axisOfPointers(Value ptr, Type element) {
  UniformExprs exprs;
  AffineForms forms(exprs);
  const AffineForm *const form = forms.of(ptr);
  if (!form)
    return std::nullopt;
  const std::int64_t bytes = tile::bitsOf(element) / 8;
  for (const auto &[axis, stride] : llvm::enumerate(form->strides))
    if (stride.asConstant() == bytes)
      return static_cast<int>(axis);
  return std::nullopt;
}

/// The axis of \p tile along which neighbours are neighbours in the memory that it is loaded from, if that is known.
static std::optional<int> axisInMemory(Value tile, unsigned steps = 0) {
  constexpr unsigned kMost = 16; // ops between a load and a product
  Operation *const op = tile.getDefiningOp();
  if (!op || steps == kMost || tile::shapeOf(tile.getType()).size() != 2)
    return std::nullopt;
  if (auto load = dyn_cast<tile::ViewLoadOp>(op)) {
    const std::optional<unsigned> axis = contiguousAxisOf(load.getView());
    return axis ? std::optional(static_cast<int>(*axis)) : std::nullopt;
  }
  if (auto load = dyn_cast<tile::LoadOp>(op))
    return axisOfPointers(load.getPtr(), tile::elementOf(load.getType()));
  if (auto trans = dyn_cast<tile::TransOp>(op)) {
    const std::optional<int> axis = axisInMemory(trans.getSource(), steps + 1);
    return axis ? std::optional(trans.getPermutation()[0] == *axis ? 0 : 1) : std::nullopt;
  }
  if (isa<layout::ConvertOp, tile::SliceOp>(op))
    return axisInMemory(op->getOperand(0), steps + 1);
  if (isElementwise(op))
    for (const Value operand : op->getOperands())
      if (isa<RankedTensorType>(operand.getType()))
        if (const std::optional<int> axis = axisInMemory(operand, steps + 1))
          return axis;
  return std::nullopt;
}

namespace {

/// A product of matrices, rows x k by k x columns.
struct Shapes {
  std::array<std::int64_t, 2> left, right, result;

  explicit Shapes(tile::DotOp dot)
      : left(matrixOf(dot.getA())), right(matrixOf(dot.getB())), result(matrixOf(dot.getResult())) {}

  /// Of the transposed operands in the other order.
  void swap() {
    std::swap(left, right);
    for (auto *shape : {&left, &right, &result})
      std::swap((*shape)[0], (*shape)[1]);
  }
  bool fit(const GroupInstruction &instruction) const {
    return left[1] >= instruction.k && result[0] >= GroupInstruction::kRows &&
           result[1] >= GroupInstruction::kMinColumns;
  }

private:
  static std::array<std::int64_t, 2> matrixOf(Value tile) {
    const ArrayRef<std::int64_t> shape = tile::shapeOf(tile.getType());
    return {shape[0], shape[1]};
  }
};

} // namespace

/// Whether threads have registers for an accumulator of \p elements words, which cannot be anywhere else, and some
/// beside.
static bool fitsRegisters(const arch::Chip &chip, std::int64_t elements, unsigned numWarps) {
  constexpr std::int64_t kBeside = 32;
  const std::int64_t threads = std::int64_t{chip.warpSize} * numWarps;
  return elements / threads + kBeside <=
         std::min<std::int64_t>(chip.maxRegistersOfThread, chip.registersOfCore / threads);
}

// Groups lie along rows as far as each has some: then instructions are widest, and read the least.
//
// A unit that reads buffers along k alone takes a left operand of words that lies across it from registers, which
// threads fill from the buffer; a right one as the left one of the transposed product.
std::optional<MatrixUnit> chooseGroupUnit(const arch::Chip &chip, tile::DotOp dot, unsigned numWarps) {
  const Type ofA = tile::elementOf(dot.getA().getType());
  const auto elementFor = [&](Type type) {
    return unitElement(/*multipliesFp8=*/true, ofA, dot.getMaxImpreciseK().has_value(), type);
  };
  const Type a = elementFor(ofA), b = elementFor(tile::elementOf(dot.getB().getType()));
  const std::optional<GroupInstruction> instruction = groupInstructionOf(a, b, dot.getPrecision());
  constexpr int kGroupWarps = 4, kWordBits = 32;
  if (!chip.has(arch::Feature::Wgmma) || !instruction || tile::shapeOf(dot.getType()).size() != 2 ||
      numWarps % kGroupWarps != 0)
    return std::nullopt;
  const auto bits = static_cast<int>(a.getIntOrFloatBitWidth());
  Shapes shapes(dot);
  MatrixUnit unit;
  bool isAcross = false; // the left operand
  if (!instruction->readsAcross && bits == kWordBits) {
    isAcross = axisInMemory(dot.getA()) == 0;
    Shapes swapped = shapes;
    swapped.swap();
    if (!isAcross && axisInMemory(dot.getB()) == 1 && swapped.fit(*instruction)) {
      shapes = swapped;
      isAcross = unit.swapsOperands = true;
    }
  }
  if (!shapes.fit(*instruction) || !fitsRegisters(chip, shapes.result[0] * shapes.result[1], numWarps))
    return std::nullopt;
  const auto &[left, right, result] = shapes;
  const std::int64_t groups = numWarps / kGroupWarps, alongRows = std::min(groups, result[0] / GroupInstruction::kRows);
  const WarpGrid grid{static_cast<int>(alongRows * kGroupWarps), static_cast<int>(groups / alongRows)};
  const UnitRows rows = isAcross ? UnitRows::Spread : UnitRows::InOrder;
  unit.kind = MatrixUnit::Kind::Group;
  unit.instruction = instruction->name(instructionColumns(result[1], grid));
  unit.acc = wgmmaAccumulator(result, grid, rows);
  if (unit.swapsOperands)
    unit.acc = transposed(unit.acc, std::array{1, 0});
  unit.a = wgmmaOperandA(left, bits, grid, rows);
  unit.aElement = unit.swapsOperands ? b : a;
  unit.bElement = unit.swapsOperands ? a : b;
  const std::int64_t all = std::numeric_limits<std::int64_t>::max();
  unit.aBuffers[isAcross ? 0 : 1] = operandBuffer(left, isAcross ? 0 : 1, all, bits / 8);
  unit.bBuffers[0] = operandBuffer(right, 0, all, bits / 8);
  if (instruction->readsAcross) {
    // No run is longer than what one instruction reads of it.
    unit.aBuffers[0] = operandBuffer(left, 0, GroupInstruction::kRows * bits / 8, bits / 8);
    unit.bBuffers[1] = operandBuffer(right, 1, result[1] / grid.columns * bits / 8, bits / 8);
  }
  return unit;
}

} // namespace tessera::ir::gpu
