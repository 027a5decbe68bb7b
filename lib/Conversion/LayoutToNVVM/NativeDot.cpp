//===- NativeDot.cpp - products on matrix units of warps -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// `mma.sync`: the lanes of a warp multiply small matrices that they hold together, in the layouts of
// Layout/MatrixUnits.h.
//
// tf32x3 and bf16x3 split f32 into a high part, truncated so that it never overflows, and what that leaves, rounded. Of
// the four products of parts the one of the low parts is left out. Which k an instruction calls which is free as long
// as both operands agree, so bf16 takes as neighbours what f32 has in two registers.
//
// Where the product is less deep than an instruction, the layouts have copies; they are multiplied as zeros.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Emitter.h"
#include "Conversion/LayoutToNVVM/NvidiaHooks.h"
#include "Conversion/LayoutToNVVM/WarpInstruction.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tessera::ir::gpu {

namespace vector = mlir::vector;

namespace {

/// Multiplies the registers of a thread, instruction by instruction.
class Multiplier {
public:
  Multiplier(Emitter &e, const Product &product, const WarpInstruction &instruction)
      : e(e), product(product), instruction(instruction),
        steps(static_cast<size_t>(std::max<std::int64_t>(1, product.depth / instruction.k))),
        batches(static_cast<size_t>(product.batches.value_or(1))),
        isSplit(product.precision == tile::DotPrecision::TF32x3 || product.precision == tile::DotPrecision::BF16x3) {}

  SmallVector<Value> multiply(ArrayRef<Value> a, ArrayRef<Value> b, ArrayRef<Value> acc) {
    const SmallVector<Parts> left = fragments(a, instruction.aWords), right = fragments(b, instruction.bWords);
    const size_t rows = left.size() / steps / batches, columns = right.size() / steps / batches;
    SmallVector<Value> sums;
    for (ArrayRef<Value> rest = acc; !rest.empty(); rest = rest.drop_front(instruction.sums))
      sums.push_back(group(rest.take_front(instruction.sums)));
    for (size_t step = 0; step != steps; ++step)
      for (size_t row = 0; row != rows * batches; ++row)
        for (size_t column = 0; column != columns; ++column)
          multiplyAdd(left[step + steps * row], right[step + steps * (column + columns * (row / rows))],
                      sums[column + columns * row]);
    SmallVector<Value> result;
    for (const Value sum : sums)
      for (unsigned i = 0; i != instruction.sums; ++i)
        result.push_back(vector::ExtractOp::create(e.builder(), e.loc(), sum, static_cast<std::int64_t>(i)));
    return result;
  }

private:
  /// A fragment as groups of registers. Split numbers are `high` + `low`; in `finite` infinities of `high` are 0, since
  /// low parts of the other operand know nothing of the sign of their number.
  struct Parts {
    Value high, finite, low;
  };

  void multiplyAdd(const Parts &a, const Parts &b, Value &sum) {
    if (isSplit) { // small ones first
      sum = multiplyAdd(a.low, b.finite, sum);
      sum = multiplyAdd(a.finite, b.low, sum);
    }
    sum = multiplyAdd(a.high, b.high, sum);
  }

  Value multiplyAdd(Value a, Value b, Value sum) {
    const std::string name = ("mma.sync.aligned." + instruction.shape + ".row.col." + instruction.sum + "." +
                              instruction.a + "." + instruction.b + "." + instruction.sum)
                                 .str();
    return e.border().native("nv", name, sum.getType(), {a, b, sum}, {.isConvergent = true});
  }

  /// The fragments in \p held, which have \p words words each.
  SmallVector<Parts> fragments(ArrayRef<Value> held, unsigned words) {
    const SmallVector<Value> whole = withZeros(held, words);
    const unsigned count = words * instruction.heldPerWord;
    SmallVector<Parts> result;
    for (ArrayRef<Value> rest(whole); !rest.empty(); rest = rest.drop_front(count))
      result.push_back(fragment(rest.take_front(count), words));
    return result;
  }

  Parts fragment(ArrayRef<Value> held, unsigned words) {
    if (!product.a.isF32())
      return {group(held), {}, {}};
    SmallVector<Value> high, finite, low;
    for (unsigned word = 0; word != words; ++word) {
      // Rows of A come first, then what is k.
      const unsigned rows = words / 2, first = word % rows + word / rows * rows * instruction.heldPerWord;
      if (!isSplit) {
        high.push_back(roundToTf32(held[first]));
      } else if (instruction.heldPerWord == 1) {
        const Split x = split(held[first], 0xffffe000);
        high.push_back(x.high);
        finite.push_back(x.finite);
        low.push_back(roundToTf32(x.low));
      } else {
        const Split x = split(held[first], 0xffff0000), y = split(held[first + rows], 0xffff0000);
        high.push_back(highHalves(x.high, y.high));
        finite.push_back(highHalves(x.finite, y.finite));
        low.push_back(roundToBf16(x.low, y.low));
      }
    }
    if (!isSplit)
      return {group(high), {}, {}};
    return {group(high), group(finite), group(low)};
  }

  /// Parts of an f32: bits of the high one, and the exact rest, which of an infinity is 0.
  struct Split {
    Value high, finite, low;
  };
  Split split(Value held, std::uint32_t mask) {
    MathBuilder &m = e.math();
    const Value x = number(held), bits = m.toBits(x), high = m.andI(bits, e.i32(static_cast<std::int32_t>(mask)));
    const Value isInfinite = m.eqI(m.andI(bits, e.i32(0x7fffffff)), e.i32(0x7f800000));
    const Value rest = m.sub(x, m.fromBits(high, cast<FloatType>(x.getType())));
    return {high, m.select(isInfinite, e.i32(0), high), m.select(isInfinite, e.zero(x.getType()), rest)};
  }
  /// The high halves of two words in one, that of \p x in the low half.
  Value highHalves(Value x, Value y) {
    return e.math().orI(e.math().shrU(x, 16), e.math().andI(y, e.i32(static_cast<std::int32_t>(0xffff0000))));
  }

  /// The nearest number with the precision of tf32, in the high bits of a word.
  Value roundToTf32(Value value) {
    return e.border().native("nv", "cvt.rna.tf32.f32", e.builder().getI32Type(), number(value));
  }
  /// The f32 in a register, which may be given as a word.
  Value number(Value held) { return held.getType().isF32() ? held : e.math().fromBits(held, e.builder().getF32Type()); }
  /// Two nearest numbers of bf16, \p low in the low half.
  Value roundToBf16(Value low, Value high) {
    return e.border().native("nv", "cvt.rn.bf16x2.f32", e.builder().getI32Type(), {high, low});
  }

  /// Zeros instead of the copies that stand where an instruction is deeper than the product.
  SmallVector<Value> withZeros(ArrayRef<Value> held, unsigned words) {
    SmallVector<Value> result(held);
    const std::int64_t bits = product.a.getIntOrFloatBitWidth(), depth = product.depth;
    if (depth >= instruction.k)
      return result;
    MathBuilder &m = e.math();
    const std::int64_t perWord = std::max<std::int64_t>(1, 32 / bits),
                       lanes = std::max<std::int64_t>(1, depth / perWord);
    Value isInside; // of the four lanes along k
    if (lanes < 4)
      isInside = m.ltU(m.andI(e.laneId(), e.i32(3)), e.i32(lanes));
    for (auto [at, word] : llvm::enumerate(result)) {
      const bool isSecondHalf = bits < 64 && at % words >= words / 2;
      if (isSecondHalf && depth <= 4 * perWord) {
        word = e.zero(word.getType());
        continue;
      }
      if (depth < perWord)
        word = m.andI(word, e.i32((std::int64_t(1) << (bits * depth)) - 1));
      if (isInside)
        word = m.select(isInside, word, e.zero(word.getType()));
    }
    return result;
  }

  /// Registers as one group.
  Value group(ArrayRef<Value> values) {
    const auto type = mlir::VectorType::get({static_cast<std::int64_t>(values.size())}, values.front().getType());
    return vector::FromElementsOp::create(e.builder(), e.loc(), type, SmallVector<Value>(values));
  }

  Emitter &e;
  const Product &product;
  const WarpInstruction &instruction;
  size_t steps, batches;
  bool isSplit;
};

} // namespace

SmallVector<Value> NvidiaHooks::multiply(Emitter &e, const Product &product, ::tessera::layout::WarpGrid,
                                         ArrayRef<Value> a, ArrayRef<Value> b, ArrayRef<Value> acc) const {
  const std::optional<WarpInstruction> instruction =
      warpInstructionOf(product.a, product.b, product.precision, product.depth);
  return Multiplier(e, product, *instruction).multiply(a, b, acc);
}

SmallVector<Value> NvidiaHooks::loadMatrices(Emitter &e, Value row,
                                             const ::tessera::layout::MatrixAccess &access) const {
  const unsigned count = access.words;
  const std::string name =
      ("ldmatrix.sync.aligned.m8n8.x" + Twine(count) + (access.isTransposed ? ".trans" : "") + ".shared.b16").str();
  // A group even of one.
  const auto type = mlir::LLVM::LLVMStructType::getLiteral(e.builder().getContext(),
                                                           SmallVector<Type>(count, e.builder().getI32Type()));
  const Value group =
      e.border().native("nv", name, type, row, {.memory = border::Memory::ReadsArgument, .isConvergent = true});
  SmallVector<Value> words;
  for (unsigned i = 0; i != count; ++i)
    words.push_back(mlir::LLVM::ExtractValueOp::create(e.builder(), e.loc(), group, static_cast<std::int64_t>(i)));
  return words;
}

} // namespace tessera::ir::gpu
