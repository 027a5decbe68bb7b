//===- NativeCasts.cpp - casts of floats by instructions of the chip ------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// fp8 of the chip's own kind, two values an instruction and four a word. What its instructions make of f32 that is too
// large hangs on a mode that others may have set, so they never see any: C1's NaN or infinity, or the largest value
// where the user saturates, is put in its place before.
//
// f32 become bf16 in pairs, for which some chips have an instruction and LLVM has the code of others, and f16 toward
// zero. All else LLVM does in as few instructions.
//
//===---------------------------------------------------------------------===//

#include "Conversion/Common/Numbers/FloatFormat.h"
#include "Conversion/LayoutToLLVM/Emit/Emitter.h"
#include "Conversion/LayoutToROCDL/AmdHooks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <limits>

namespace tessera::ir::gpu {

using numbers::FloatFormat;
using tile::FloatRounding;

namespace {

/// Emits casts of one of the chip's fp8 types, which the instructions call fp8 (e4m3) and bf8 (e5m2).
class Fp8Casts {
public:
  Fp8Casts(Emitter &e, Type type)
      : e(e), m(e.math()), format(FloatFormat::of(type)), name(format.mantissa == 3 ? "fp8" : "bf8") {}

  /// The f32 of up to four stored values, appended to \p results.
  void widen(ArrayRef<Value> stored, SmallVectorImpl<Value> &results) {
    Value word = m.zeroExtend(stored[0], 32);
    for (unsigned i = 1; i != stored.size(); ++i)
      word = m.orI(word, m.shl(m.zeroExtend(stored[i], 32), 8 * i));
    const Type pair = mlir::VectorType::get(2, e.builder().getF32Type());
    for (unsigned i = 0; i < stored.size(); i += 2) {
      if (i + 1 == stored.size()) {
        results.push_back(call("cvt.f32." + name, e.builder().getF32Type(), {word, number(i)}));
        continue;
      }
      const Value both = call("cvt.pk.f32." + name, pair, {word, flag(i != 0)});
      for (unsigned half : {0, 1})
        results.push_back(mlir::LLVM::ExtractElementOp::create(e.builder(), e.loc(), both, number(half)));
    }
  }

  /// Up to four f32 as stored values, appended to \p results.
  void narrow(ArrayRef<Value> values, bool saturate, SmallVectorImpl<Value> &results) {
    Value word = number(0);
    for (unsigned i = 0; i < values.size(); i += 2) {
      const Value low = prepared(values[i], saturate);
      const Value high = i + 1 < values.size() ? prepared(values[i + 1], saturate) : m.constF(0, low);
      word = call("cvt.pk." + name + ".f32", word.getType(), {low, high, word, flag(i != 0)});
    }
    for (unsigned i = 0; i != values.size(); ++i)
      results.push_back(m.truncate(i == 0 ? word : m.shrU(word, 8 * i), 8));
  }

private:
  Value call(const std::string &instruction, Type type, ValueRange operands) {
    return e.border().native("amd", instruction, type, operands, {border::Memory::None});
  }
  Value number(unsigned value) { return e.integer(32, value); }
  Value flag(bool value) { return e.integer(1, value); }

  /// \p x with what it becomes where it is too large.
  Value prepared(Value x, bool saturate) {
    const double largest = format.largest();
    if (saturate) {
      const Value within = e.border().native("amd", "fmed3", x.getType(),
                                             {x, m.constF(-largest, x), m.constF(largest, x)}, {border::Memory::None});
      return m.select(m.isNaN(x), x, within);
    }
    // Half a step above the largest value, which goes to the even one.
    const double step = largest / double((2u << format.mantissa) - (format.maxFinite() % 2 ? 1 : 2));
    const Value tie = m.constF(largest + step / 2, x), size = m.abs(x);
    const Value isTooLarge = format.maxFinite() % 2 ? m.ge(size, tie) : m.gt(size, tie);
    if (format.specials != FloatFormat::Specials::Ieee)
      return m.select(isTooLarge, m.constF(std::numeric_limits<float>::quiet_NaN(), x), x);
    const Value bits = m.toBits(x);
    const Value sign = m.andI(bits, m.constI(std::int64_t(1) << 31, bits));
    return m.select(isTooLarge, m.f32FromBits(m.orI(sign, m.constI(0x7f800000, bits))), x);
  }

  Emitter &e;
  VectorMathBuilder &m;
  const FloatFormat format;
  const std::string name;
};

/// f32 as pairs of 16-bit floats.
class PairCasts {
public:
  explicit PairCasts(Emitter &e) : e(e), m(e.math()) {}

  /// Whether pairs become \p to.
  static bool narrowTo(Type to, const numbers::Narrowing &how) {
    return !how.saturate && ((to.isBF16() && how.rounding == FloatRounding::Nearest) ||
                             (to.isF16() && how.rounding == FloatRounding::TowardZero));
  }

  SmallVector<Value> narrow(ArrayRef<Value> values, Type to) {
    SmallVector<Value> results;
    for (size_t i = 0; i + 1 < values.size(); i += 2) {
      const Value word = asBits(pairOf(values[i], values[i + 1], to), 32);
      results.push_back(m.truncate(word, 16));
      results.push_back(m.truncate(m.shrU(word, 16), 16));
    }
    if (values.size() % 2 == 0)
      return results;
    const Value last = values.back();
    results.push_back(to.isBF16() ? asBits(nearest(last, to), 16)
                                  : m.truncate(asBits(pairOf(last, m.constF(0, last), to), 32), 16));
    return results;
  }

private:
  Value pairOf(Value low, Value high, Type to) {
    const auto pair = mlir::VectorType::get(2, to);
    if (to.isF16())
      return e.border().native("amd", "cvt.pkrtz", pair, {low, high}, {border::Memory::None});
    const auto type = mlir::VectorType::get(2, low.getType());
    return nearest(mlir::vector::FromElementsOp::create(e.builder(), e.loc(), type, ValueRange{low, high}), pair);
  }
  Value nearest(Value x, Type to) { return mlir::arith::TruncFOp::create(e.builder(), e.loc(), to, x); }
  Value asBits(Value x, unsigned bits) {
    return mlir::LLVM::BitcastOp::create(e.builder(), e.loc(), e.builder().getIntegerType(bits), x);
  }

  Emitter &e;
  VectorMathBuilder &m;
};

} // namespace

/// Whether the chip's instructions convert \p type, an fp8.
static bool converts(const arch::Chip &chip, Type type) {
  if (isa<mlir::Float8E4M3FNType, mlir::Float8E5M2Type>(type))
    return chip.has(arch::Feature::Fp8Ocp);
  if (isa<mlir::Float8E4M3FNUZType, mlir::Float8E5M2FNUZType>(type))
    return chip.has(arch::Feature::Fp8Fnuz);
  return false;
}

static bool isFp8(Type type) { return type.getIntOrFloatBitWidth() == 8; }

SmallVector<Value> AmdHooks::convertFloats(Emitter &e, ArrayRef<Value> stored, Type from, Type to,
                                           const numbers::Narrowing &how) const {
  const bool fromFp8 = isFp8(from), toFp8 = isFp8(to);
  if (from == to || from.isF64() || to.isF64())
    return {};
  VectorMathBuilder &m = e.math();
  if (!fromFp8 && PairCasts::narrowTo(to, how)) {
    SmallVector<Value> wide;
    for (Value value : stored)
      wide.push_back(numbers::widen(m, value, from));
    return PairCasts(e).narrow(wide, to);
  }
  if ((!fromFp8 && !toFp8) || (fromFp8 && !converts(chip(), from)) ||
      (toFp8 && (!converts(chip(), to) || how.rounding != FloatRounding::Nearest)) || (!toFp8 && how.saturate))
    return {};
  SmallVector<Value> wide, results;
  for (size_t i = 0; i < stored.size(); i += 4) {
    const ArrayRef<Value> some = stored.slice(i, std::min<size_t>(4, stored.size() - i));
    if (fromFp8)
      Fp8Casts(e, from).widen(some, wide);
    else
      for (Value value : some)
        wide.push_back(numbers::widen(m, value, from));
    if (toFp8)
      Fp8Casts(e, to).narrow(ArrayRef(wide).drop_front(i), how.saturate, results);
  }
  if (toFp8)
    return results;
  for (Value value : wide)
    results.push_back(numbers::narrowExact(m, value, to));
  return results;
}

} // namespace tessera::ir::gpu
