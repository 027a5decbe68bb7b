//===- NativeDot.cpp - products on matrix units of warps -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// `mma.sync`: the lanes of a warp multiply small matrices that they hold together, in the layouts of
// Layout/MatrixUnits.h.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Emitter.h"
#include "Conversion/LayoutToLLVM/Emit/Packing.h"
#include "Conversion/LayoutToNVVM/NvidiaHooks.h"
#include "Conversion/LayoutToNVVM/WarpInstruction.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tessera::ir::gpu {

namespace vector = mlir::vector;

namespace {

/// Multiplies the registers of a thread, instruction by instruction.
class Multiplier {
public:
  Multiplier(Emitter &e, tile::DotOp dot, const WarpInstruction &instruction)
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
  const WarpInstruction &instruction;
  Type aElement, bElement, sumElement;
  size_t steps, batches;
};

} // namespace

SmallVector<Value> NvidiaHooks::multiply(Emitter &e, tile::DotOp dot, ArrayRef<Value> a, ArrayRef<Value> b,
                                         ArrayRef<Value> acc) const {
  const std::optional<WarpInstruction> instruction = warpInstructionOf(
      tile::elementOf(dot.getA().getType()), tile::elementOf(dot.getB().getType()), dot.getPrecision());
  return Multiplier(e, dot, *instruction).multiply(a, b, acc);
}

} // namespace tessera::ir::gpu
