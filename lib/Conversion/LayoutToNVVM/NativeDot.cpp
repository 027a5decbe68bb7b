//===- NativeDot.cpp - products on matrix units of warps -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// `mma.sync`: the lanes of a warp multiply small matrices that they hold together, in the layouts of
// Layout/MatrixUnits.h. What of fp8 a unit lacks is multiplied as f16, which holds it exactly.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Emitter.h"
#include "Conversion/LayoutToLLVM/Emit/Packing.h"
#include "Conversion/LayoutToNVVM/NvidiaHooks.h"
#include "Layout/MatrixUnits.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tessera::ir::gpu {

using namespace ::tessera::layout;
namespace vector = mlir::vector;

namespace {

/// One instruction: the matrices it multiplies and what a thread has of them, in elements.
struct Instruction {
  StringRef shape; ///< "m16n8k16"
  std::string a, b;
  StringRef sum;
  std::int64_t k;
  unsigned aElements, bElements, sumElements;
};

StringRef nameOfFp8(Type element) { return isa<mlir::Float8E4M3FNType>(element) ? "e4m3" : "e5m2"; }
bool isFp8(Type element) { return isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 8; }
bool isOcpFp8(Type element) { return isa<mlir::Float8E4M3FNType, mlir::Float8E5M2Type>(element); }

/// That for operands of types \p a and \p b; nothing if there is none.
std::optional<Instruction> instructionOf(Type a, Type b, tile::DotPrecision precision) {
  if (isOcpFp8(a) && isOcpFp8(b))
    return Instruction{"m16n8k32", nameOfFp8(a).str(), nameOfFp8(b).str(), "f32", 32, 16, 8, 4};
  if (a != b)
    return std::nullopt;
  if (a.isF16())
    return Instruction{"m16n8k16", "f16", "f16", "f32", 16, 8, 4, 4};
  if (a.isBF16())
    return Instruction{"m16n8k16", "bf16", "bf16", "f32", 16, 8, 4, 4};
  if (a.isInteger(8))
    return Instruction{"m16n8k32", "s8", "s8", "s32", 32, 16, 8, 4};
  if (a.isF32() && precision == tile::DotPrecision::TF32)
    return Instruction{"m16n8k8", "tf32", "tf32", "f32", 8, 4, 2, 4};
  if (a.isF64())
    return Instruction{"m8n8k4", "f64", "f64", "f64", 4, 1, 1, 2};
  return std::nullopt;
}

/// What operands of type \p element are converted to on the chip.
Type unitElement(tile::DotOp dot, const arch::Chip &chip, Type element) {
  // A bound on imprecise sums is kept by sums of f32.
  const bool hasUnit =
      chip.has(arch::Feature::Fp8Mma) && isOcpFp8(tile::elementOf(dot.getA().getType())) && !dot.getMaxImpreciseK();
  return isFp8(element) && !hasUnit ? Type(mlir::Float16Type::get(dot.getContext())) : element;
}

/// Warps where the result's part of each is nearest to a square.
WarpGrid gridOf(ArrayRef<std::int64_t> shape, unsigned numWarps) {
  const std::int64_t rows = shape[shape.size() - 2], columns = shape.back();
  WarpGrid grid;
  while (static_cast<unsigned>(grid.rows * grid.columns) < numWarps)
    (rows / grid.rows >= columns / grid.columns ? grid.rows : grid.columns) *= 2;
  return grid;
}

} // namespace

std::optional<MatrixUnit> NvidiaHooks::matrixUnit(tile::DotOp dot, unsigned numWarps) const {
  const Type a = unitElement(dot, chip(), tile::elementOf(dot.getA().getType()));
  const Type b = unitElement(dot, chip(), tile::elementOf(dot.getB().getType()));
  const std::optional<Instruction> instruction = instructionOf(a, b, dot.getPrecision());
  const ArrayRef<std::int64_t> left = tile::shapeOf(dot.getA().getType()), right = tile::shapeOf(dot.getB().getType()),
                               result = tile::shapeOf(dot.getType());
  if (!instruction || left.back() < instruction->k)
    return std::nullopt;
  const WarpGrid grid = gridOf(result, numWarps);
  const auto bits = static_cast<int>(a.getIntOrFloatBitWidth());
  return MatrixUnit{mmaOperandA(left, bits, grid), mmaOperandB(right, bits, grid),
                    mmaAccumulator(result, a.isF64() ? 64 : 32, grid), a, b};
}

namespace {

/// Multiplies the registers of a thread, instruction by instruction.
class Multiplier {
public:
  Multiplier(Emitter &e, tile::DotOp dot, const Instruction &instruction)
      : e(e), instruction(instruction), aElement(tile::elementOf(dot.getA().getType())),
        bElement(tile::elementOf(dot.getB().getType())), sumElement(tile::elementOf(dot.getType())) {
    const ArrayRef<std::int64_t> shape = tile::shapeOf(dot.getA().getType());
    steps = static_cast<size_t>(shape.back() / instruction.k);
    batches = shape.size() == 3 ? static_cast<size_t>(shape[0]) : 1;
  }

  SmallVector<Value> multiply(ArrayRef<Value> a, ArrayRef<Value> b, ArrayRef<Value> acc) {
    const size_t rows = a.size() / instruction.aElements / steps / batches;
    const size_t columns = b.size() / instruction.bElements / steps / batches;
    SmallVector<Value> result(acc);
    for (size_t batch = 0; batch != batches; ++batch)
      for (size_t row = 0; row != rows; ++row)
        for (size_t column = 0; column != columns; ++column) {
          const auto at = MutableArrayRef<Value>(result).slice(
              (column + columns * (row + rows * batch)) * instruction.sumElements, instruction.sumElements);
          Value sum = group(sumElement, at);
          for (size_t step = 0; step != steps; ++step)
            sum = multiplyAdd(part(a, instruction.aElements, step + steps * (row + rows * batch)),
                              part(b, instruction.bElements, step + steps * (column + columns * batch)), sum);
          for (auto [i, value] : llvm::enumerate(at))
            value = vector::ExtractOp::create(e.builder(), e.loc(), sum, static_cast<std::int64_t>(i));
        }
    return result;
  }

private:
  static ArrayRef<Value> part(ArrayRef<Value> all, unsigned count, size_t number) {
    return all.slice(number * count, count);
  }

  Value multiplyAdd(ArrayRef<Value> a, ArrayRef<Value> b, Value sum) {
    const std::string name = ("mma.sync.aligned." + instruction.shape + ".row.col." + instruction.sum + "." +
                              instruction.a + "." + instruction.b + "." + instruction.sum)
                                 .str();
    return e.border().native("nv", name, sum.getType(), {words(aElement, a), words(bElement, b), sum},
                             {.isConvergent = true});
  }

  /// Neighbours in code as one vector.
  Value group(Type element, ArrayRef<Value> values) {
    const auto type = mlir::VectorType::get({static_cast<std::int64_t>(values.size())}, laneElement(element));
    return vector::FromElementsOp::create(e.builder(), e.loc(), type, SmallVector<Value>(values));
  }

  /// An operand's elements as the registers of the instruction.
  Value words(Type element, ArrayRef<Value> values) {
    if (element.isF64())
      return group(element, values);
    const unsigned perWord = 32 / element.getIntOrFloatBitWidth();
    SmallVector<Value> words;
    for (size_t first = 0; first != values.size(); first += perWord)
      words.push_back(element.isF32() ? roundToTf32(values[first]) : pack(e, element, values.slice(first, perWord)));
    return group(e.builder().getI32Type(), words);
  }

  /// The nearest number with the precision of tf32, in the high bits of a word.
  Value roundToTf32(Value value) {
    return e.border().native("nv", "cvt.rna.tf32.f32", e.builder().getI32Type(), value);
  }

  Emitter &e;
  const Instruction &instruction;
  Type aElement, bElement, sumElement;
  size_t steps, batches;
};

} // namespace

SmallVector<Value> NvidiaHooks::multiply(Emitter &e, tile::DotOp dot, ArrayRef<Value> a, ArrayRef<Value> b,
                                         ArrayRef<Value> acc) const {
  const std::optional<Instruction> instruction =
      instructionOf(tile::elementOf(dot.getA().getType()), tile::elementOf(dot.getB().getType()), dot.getPrecision());
  return Multiplier(e, dot, *instruction).multiply(a, b, acc);
}

} // namespace tessera::ir::gpu
