//===- ChooseGroupUnit.cpp - which products groups of warps take ----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToNVVM/GroupInstruction.h"
#include "Conversion/LayoutToNVVM/UnitElements.h"
#include "Layout/MatrixUnits.h"

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

// Groups lie along rows as far as each has some: then instructions are widest, and read the least.
std::optional<MatrixUnit> chooseGroupUnit(const arch::Chip &chip, tile::DotOp dot, unsigned numWarps) {
  const Type a = unitElement(dot, chip, tile::elementOf(dot.getA().getType()));
  const Type b = unitElement(dot, chip, tile::elementOf(dot.getB().getType()));
  const std::optional<GroupInstruction> instruction = groupInstructionOf(a, b, dot.getPrecision());
  const ArrayRef<std::int64_t> left = tile::shapeOf(dot.getA().getType()), right = tile::shapeOf(dot.getB().getType()),
                               result = tile::shapeOf(dot.getType());
  constexpr int kGroupWarps = 4;
  if (!chip.has(arch::Feature::Wgmma) || !instruction || result.size() != 2 || numWarps % kGroupWarps != 0 ||
      left[1] < instruction->k || result[0] < GroupInstruction::kRows || result[1] < GroupInstruction::kMinColumns)
    return std::nullopt;
  const std::int64_t groups = numWarps / kGroupWarps, alongRows = std::min(groups, result[0] / GroupInstruction::kRows);
  const WarpGrid grid{static_cast<int>(alongRows * kGroupWarps), static_cast<int>(groups / alongRows)};
  const auto bits = static_cast<int>(a.getIntOrFloatBitWidth());
  MatrixUnit unit;
  unit.kind = MatrixUnit::Kind::Group;
  unit.instruction = instruction->name(instructionColumns(result[1], grid));
  unit.acc = wgmmaAccumulator(result, grid);
  unit.a = wgmmaOperandA(left, bits, grid);
  unit.aElement = a;
  unit.bElement = b;
  const std::int64_t all = std::numeric_limits<std::int64_t>::max();
  unit.aBuffers[1] = operandBuffer(left, 1, all, bits / 8);
  unit.bBuffers[0] = operandBuffer(right, 0, all, bits / 8);
  if (instruction->readsAcross) {
    // No run is longer than what one instruction reads of it.
    unit.aBuffers[0] = operandBuffer(left, 0, GroupInstruction::kRows * bits / 8, bits / 8);
    unit.bBuffers[1] = operandBuffer(right, 1, result[1] / grid.columns * bits / 8, bits / 8);
  }
  return unit;
}

} // namespace tessera::ir::gpu
