//===- ChooseUnit.cpp - which matrix unit takes a product -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What of fp8 a unit lacks is multiplied as f16, which holds it exactly.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToNVVM/NvidiaHooks.h"
#include "Conversion/LayoutToNVVM/WarpInstruction.h"
#include "Layout/MatrixUnits.h"

namespace tessera::ir::gpu {

using namespace ::tessera::layout;

static StringRef nameOfFp8(Type element) { return isa<mlir::Float8E4M3FNType>(element) ? "e4m3" : "e5m2"; }
static bool isFp8(Type element) { return isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 8; }
static bool isOcpFp8(Type element) { return isa<mlir::Float8E4M3FNType, mlir::Float8E5M2Type>(element); }

std::optional<WarpInstruction> warpInstructionOf(Type a, Type b, tile::DotPrecision precision) {
  if (isOcpFp8(a) && isOcpFp8(b))
    return WarpInstruction{"m16n8k32", nameOfFp8(a), nameOfFp8(b), "f32", 32, 16, 8, 4};
  if (a != b)
    return std::nullopt;
  if (a.isF16())
    return WarpInstruction{"m16n8k16", "f16", "f16", "f32", 16, 8, 4, 4};
  if (a.isBF16())
    return WarpInstruction{"m16n8k16", "bf16", "bf16", "f32", 16, 8, 4, 4};
  if (a.isInteger(8))
    return WarpInstruction{"m16n8k32", "s8", "s8", "s32", 32, 16, 8, 4};
  if (a.isF32() && precision == tile::DotPrecision::TF32)
    return WarpInstruction{"m16n8k8", "tf32", "tf32", "f32", 8, 4, 2, 4};
  if (a.isF64())
    return WarpInstruction{"m8n8k4", "f64", "f64", "f64", 4, 1, 1, 2};
  return std::nullopt;
}

/// What operands of type \p element are converted to on the chip.
static Type unitElement(tile::DotOp dot, const arch::Chip &chip, Type element) {
  // A bound on imprecise sums is kept by sums of f32.
  const bool hasUnit =
      chip.has(arch::Feature::Fp8Mma) && isOcpFp8(tile::elementOf(dot.getA().getType())) && !dot.getMaxImpreciseK();
  return isFp8(element) && !hasUnit ? Type(mlir::Float16Type::get(dot.getContext())) : element;
}

/// Warps where the result's part of each is nearest to a square.
static WarpGrid gridOf(ArrayRef<std::int64_t> shape, unsigned numWarps) {
  const std::int64_t rows = shape[shape.size() - 2], columns = shape.back();
  WarpGrid grid;
  while (static_cast<unsigned>(grid.rows * grid.columns) < numWarps)
    (rows / grid.rows >= columns / grid.columns ? grid.rows : grid.columns) *= 2;
  return grid;
}

std::optional<MatrixUnit> NvidiaHooks::matrixUnit(tile::DotOp dot, unsigned numWarps) const {
  const Type a = unitElement(dot, chip(), tile::elementOf(dot.getA().getType()));
  const Type b = unitElement(dot, chip(), tile::elementOf(dot.getB().getType()));
  const std::optional<WarpInstruction> instruction = warpInstructionOf(a, b, dot.getPrecision());
  const ArrayRef<std::int64_t> left = tile::shapeOf(dot.getA().getType()), right = tile::shapeOf(dot.getB().getType()),
                               result = tile::shapeOf(dot.getType());
  if (!instruction || left.back() < instruction->k)
    return std::nullopt;
  const WarpGrid grid = gridOf(result, numWarps);
  const auto bits = static_cast<int>(a.getIntOrFloatBitWidth());
  MatrixUnit unit;
  unit.acc = mmaAccumulator(result, a.isF64() ? 64 : 32, grid);
  unit.a = mmaOperandA(left, bits, grid);
  unit.b = mmaOperandB(right, bits, grid);
  unit.aElement = a;
  unit.bElement = b;
  return unit;
}

} // namespace tessera::ir::gpu
