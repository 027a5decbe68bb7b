//===- ChooseWarpUnit.cpp - products that a warp multiplies ---------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What of fp8 a unit lacks is multiplied as f16, which holds it exactly. Matrices smaller than an instruction's are
// held with copies.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToNVVM/NvidiaHooks.h"
#include "Conversion/LayoutToNVVM/UnitElements.h"
#include "Conversion/LayoutToNVVM/WarpInstruction.h"
#include "Layout/MatrixUnits.h"

#include <fmt/format.h>

namespace tessera::ir::gpu {

using namespace ::tessera::layout;

std::optional<WarpInstruction> warpInstructionOf(Type a, Type b, tile::DotPrecision precision, std::int64_t depth) {
  if (isOcpFp8(a) && isOcpFp8(b))
    return WarpInstruction{"m16n8k32", nameOfFp8(a), nameOfFp8(b), "f32", 32, 4, 2, 4};
  if (a != b)
    return std::nullopt;
  if (a.isF16())
    return WarpInstruction{"m16n8k16", "f16", "f16", "f32", 16, 4, 2, 4};
  if (a.isBF16())
    return WarpInstruction{"m16n8k16", "bf16", "bf16", "f32", 16, 4, 2, 4};
  if (a.isInteger(8))
    return WarpInstruction{"m16n8k32", "s8", "s8", "s32", 32, 4, 2, 4};
  if (a.isF64())
    return WarpInstruction{"m8n8k4", "f64", "f64", "f64", 4, 1, 1, 2};
  if (!a.isF32() || precision == tile::DotPrecision::IEEE)
    return std::nullopt;
  constexpr std::int64_t kDepthOfHalves = 16; // parts of tf32 are more exact, and need less
  if (precision == tile::DotPrecision::BF16x3 && depth >= kDepthOfHalves)
    return WarpInstruction{"m16n8k16", "bf16", "bf16", "f32", kDepthOfHalves, 4, 2, 4, 2};
  return WarpInstruction{"m16n8k8", "tf32", "tf32", "f32", 8, 4, 2, 4};
}

std::optional<WarpUnit> NvidiaHooks::warpUnit(const Product &product, WarpGrid warps) const {
  const auto elementFor = [&](Type type) {
    return unitElement(chip().has(arch::Feature::Fp8Mma), product.a, product.maxImpreciseK.has_value(), type);
  };
  const Type a = elementFor(product.a), b = elementFor(product.b);
  const std::optional<WarpInstruction> instruction = warpInstructionOf(a, b, product.precision, product.depth);
  if (!instruction)
    return std::nullopt;
  const auto bits = static_cast<int>(a.getIntOrFloatBitWidth());
  WarpUnit unit;
  unit.instruction = fmt::format("mma.{}.{}.{}.{}", instruction->shape.str(), instruction->sum.str(),
                                 instruction->a.str(), instruction->b.str());
  unit.acc = mmaAccumulator(product.shapeOfResult(), a.isF64() ? 64 : 32, warps);
  unit.a = mmaOperandA(product.shapeOfA(), bits, warps);
  unit.b = mmaOperandB(product.shapeOfB(), bits, warps);
  unit.aElement = a;
  unit.bElement = b;
  unit.warps = warps;
  unit.depth = instruction->k;
  return unit;
}

} // namespace tessera::ir::gpu
