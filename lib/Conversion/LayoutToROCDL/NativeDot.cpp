//===- NativeDot.cpp - products on matrix units of warps -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The lanes of a warp multiply small matrices that they hold together, in the layouts of Layout/AmdMatrixUnits.h: the
// right operand is an instruction's A, and the left one its B.
//
// Three products of bf16 split f32 into a high part, truncated so that it never overflows, and what that leaves,
// rounded. Of the four products of parts the one of the low parts is left out.
//
// Where the product is less deep than an instruction, the layouts have copies; they are multiplied as zeros.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Emitter.h"
#include "Conversion/LayoutToROCDL/AmdHooks.h"
#include "Conversion/LayoutToROCDL/MatrixInstruction.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tessera::ir::gpu {

namespace vector = mlir::vector;

namespace {

/// Multiplies the registers of a thread, instruction by instruction.
class Multiplier {
public:
  Multiplier(Emitter &e, const Product &product, const MatrixInstruction &instruction)
      : e(e), product(product), instruction(instruction), fragment(instruction.fragment),
        bits(static_cast<unsigned>(instruction.a.getIntOrFloatBitWidth())), perRegister(std::max(1U, 32 / bits)),
        registers((1U << fragment.depthBits) / perRegister), sums(1U << fragment.resultBits()) {
    const std::int64_t depth = std::max(product.depth, fragment.stepOf(product.depth)); // with copies
    steps = static_cast<size_t>(depth >> (fragment.depthBits + fragment.groupBits()));
  }

  SmallVector<Value> multiply(ArrayRef<Value> a, ArrayRef<Value> b, ArrayRef<Value> acc) {
    const SmallVector<Parts> left = operands(a), right = operands(b);
    const auto batches = static_cast<size_t>(product.batches.value_or(1));
    const size_t rows = left.size() / steps / batches, columns = right.size() / steps / batches;
    SmallVector<Value> results;
    for (ArrayRef<Value> rest = acc; !rest.empty(); rest = rest.drop_front(sums))
      results.push_back(group(rest.take_front(sums)));
    for (size_t step = 0; step != steps; ++step)
      for (size_t row = 0; row != rows * batches; ++row)
        for (size_t column = 0; column != columns; ++column)
          multiplyAdd(left[step + steps * row], right[step + steps * (column + columns * (row / rows))],
                      results[column + columns * row]);
    SmallVector<Value> held;
    for (const Value result : results)
      for (unsigned i = 0; i != sums; ++i)
        held.push_back(vector::ExtractOp::create(e.builder(), e.loc(), result, static_cast<std::int64_t>(i)));
    return held;
  }

private:
  /// What a lane gives an instruction. Split numbers are `high` + `low`; in `finite` infinities of `high` are 0, since
  /// low parts of the other operand know nothing of the sign of their number.
  struct Parts {
    Value high, finite, low;
  };

  void multiplyAdd(const Parts &left, const Parts &right, Value &sum) {
    if (instruction.isSplit) { // small ones first
      sum = multiplyAdd(left.low, right.finite, sum);
      sum = multiplyAdd(left.finite, right.low, sum);
    }
    sum = multiplyAdd(left.high, right.high, sum);
  }

  Value multiplyAdd(Value left, Value right, Value sum) {
    const auto call = [&](ArrayRef<Value> operands) {
      return e.border().native("amd", instruction.name, sum.getType(), operands, {.isConvergent = true});
    };
    switch (instruction.operands) {
    case MatrixInstruction::Operands::Wmma:
      return call({right, left, sum});
    case MatrixInstruction::Operands::WmmaIntegers:
      return call({e.integer(1, 1), right, e.integer(1, 1), left, sum, e.integer(1, 0)});
    case MatrixInstruction::Operands::MfmaFormats: {
      const Value zero = e.i32(0);
      return call(
          {right, left, sum, e.i32(instruction.formats[0]), e.i32(instruction.formats[1]), zero, zero, zero, zero});
    }
    case MatrixInstruction::Operands::Mfma:
      break;
    }
    return call({right, left, sum, e.i32(0), e.i32(0), e.i32(0)});
  }

  SmallVector<Parts> operands(ArrayRef<Value> held) {
    const SmallVector<Value> whole = withZeros(held);
    SmallVector<Parts> result;
    for (ArrayRef<Value> rest(whole); !rest.empty(); rest = rest.drop_front(registers))
      result.push_back(operand(rest.take_front(registers)));
    return result;
  }

  Parts operand(ArrayRef<Value> held) {
    if (!instruction.isSplit)
      return {asOperand(held), {}, {}};
    SmallVector<Value> high, finite, low;
    for (size_t i = 0; i != held.size(); i += 2) {
      const Split x = split(held[i]), y = split(held[i + 1]);
      high.push_back(highHalves(x.high, y.high));
      finite.push_back(highHalves(x.finite, y.finite));
      low.push_back(highHalves(rounded(x.low), rounded(y.low)));
    }
    return {asOperand(high), asOperand(finite), asOperand(low)};
  }

  /// Parts of an f32 as words: the bits of the high one, and the exact rest, which of an infinity is 0.
  struct Split {
    Value high, finite, low;
  };
  Split split(Value x) {
    MathBuilder &m = e.math();
    const Value bits = m.toBits(x), high = m.andI(bits, highHalf(e));
    const Value isInfinite = m.eqI(m.andI(bits, e.i32(0x7fffffff)), e.i32(0x7f800000));
    const Value rest = m.toBits(m.sub(x, m.f32FromBits(high)));
    return {high, m.select(isInfinite, e.i32(0), high), m.select(isInfinite, e.i32(0), rest)};
  }
  /// The bits of an f32, whose high half becomes the nearest bf16. Numbers that are no NaN stay so, and the reverse.
  Value rounded(Value bits) {
    MathBuilder &m = e.math();
    return m.addI(bits, m.addI(m.andI(m.shrU(bits, 16), e.i32(1)), e.i32(0x7fff)));
  }
  /// The high halves of two words in one, that of \p x in the low half.
  Value highHalves(Value x, Value y) { return e.math().orI(e.math().shrU(x, 16), e.math().andI(y, highHalf(e))); }
  static Value highHalf(Emitter &e) { return e.i32(static_cast<std::int32_t>(0xffff0000)); }

  /// Zeros instead of the copies that stand where an instruction is deeper than the product.
  SmallVector<Value> withZeros(ArrayRef<Value> held) {
    SmallVector<Value> result(held);
    const std::int64_t depth = product.depth, run = std::int64_t{1} << fragment.depthBits;
    if (depth >= run << fragment.groupBits())
      return result; // what is less deep than that has a run of one instruction
    MathBuilder &m = e.math();
    const std::int64_t groups = std::max<std::int64_t>(1, depth / run);
    Value isInside; // of the lanes along k
    if (groups < std::int64_t{1} << fragment.groupBits())
      isInside = m.ltU(m.shrU(e.laneId(), fragment.sideBits()), e.i32(groups));
    for (auto [at, value] : llvm::enumerate(result)) {
      const std::int64_t first = static_cast<std::int64_t>(at % registers) * perRegister;
      if (first >= depth) {
        value = e.zero(value.getType());
        continue;
      }
      if (depth - first < perRegister)
        value = m.andI(value, e.i32((std::int64_t{1} << (bits * (depth - first))) - 1));
      if (isInside)
        value = m.select(isInside, value, e.zero(value.getType()));
    }
    return result;
  }

  /// Registers as what an instruction takes.
  Value asOperand(ArrayRef<Value> held) {
    const Value all = held.size() == 1 ? held.front() : group(held);
    if (all.getType() == instruction.operand)
      return all;
    return mlir::LLVM::BitcastOp::create(e.builder(), e.loc(), instruction.operand, all);
  }

  /// Registers as one group.
  Value group(ArrayRef<Value> values) {
    const auto type = mlir::VectorType::get({static_cast<std::int64_t>(values.size())}, values.front().getType());
    return vector::FromElementsOp::create(e.builder(), e.loc(), type, SmallVector<Value>(values));
  }

  Emitter &e;
  const Product &product;
  const MatrixInstruction &instruction;
  const ::tessera::layout::AmdFragment &fragment;
  const unsigned bits;        ///< of an element
  const unsigned perRegister; ///< elements
  const unsigned registers;   ///< that a lane gives an instruction of an operand
  const unsigned sums;        ///< that it gets back
  size_t steps;               ///< along k
};

} // namespace

SmallVector<Value> AmdHooks::multiply(Emitter &e, const Product &product, ::tessera::layout::WarpGrid warps,
                                      ArrayRef<Value> a, ArrayRef<Value> b, ArrayRef<Value> acc) const {
  const std::optional<MatrixInstruction> instruction = matrixInstruction(chip(), product, warps);
  return Multiplier(e, product, *instruction).multiply(a, b, acc);
}

::tessera::layout::MatrixLoads AmdHooks::matrixLoads() const {
  using ::tessera::layout::MatrixLoads;
  // They came with the products that take so much of a lane.
  return chip().has(arch::Feature::Mfma16Bytes) ? MatrixLoads::Columns : MatrixLoads::None;
}

SmallVector<Value> AmdHooks::loadMatrices(Emitter &e, Value row, const ::tessera::layout::MatrixAccess &access) const {
  OpBuilder &b = e.builder();
  const auto words = mlir::VectorType::get({static_cast<std::int64_t>(access.words)}, b.getI32Type());
  const bool isOfBytes = access.wordElements == 4;
  const Type type = isOfBytes ? words : mlir::VectorType::get({2 * words.getNumElements()}, b.getI16Type());
  Value group = e.border().native("amd", isOfBytes ? "ds.read.tr8.b64" : "ds.read.tr16.b64", type, row,
                                  {.memory = border::Memory::ReadsArgument, .isConvergent = true});
  if (!isOfBytes)
    group = mlir::LLVM::BitcastOp::create(b, e.loc(), words, group);
  SmallVector<Value> result;
  for (std::int64_t word = 0; word != words.getNumElements(); ++word)
    result.push_back(vector::ExtractOp::create(b, e.loc(), group, word));
  return result;
}

} // namespace tessera::ir::gpu
