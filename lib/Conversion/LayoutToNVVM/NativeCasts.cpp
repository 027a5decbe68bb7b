//===- NativeCasts.cpp - casts of floats by instructions of the chip ------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Instructions convert two values at a time. Those to fp8 always saturate, so what C1 makes an infinity or NaN is put
// in its place: before the instruction where that is NaN (e4m3), behind it where it is an infinity (e5m2).
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Emitter.h"
#include "Conversion/LayoutToNVVM/NvidiaHooks.h"

#include <cmath>
#include <limits>

namespace tessera::ir::gpu {

using tile::FloatRounding;

namespace {

/// Emits casts of pairs.
class PairCasts {
public:
  explicit PairCasts(Emitter &e) : e(e), m(e.math()) {}

  /// The instruction of \p opcode: its results' bits from two operands, the second of which goes to the lower half.
  Value call(StringRef opcode, unsigned bits, ValueRange operands) {
    return e.border().native("nv", opcode, IntegerType::get(e.builder().getContext(), bits), operands,
                             {border::Memory::None});
  }
  Value lowerHalf(Value pair) { return m.truncate(pair, MathBuilder::bitsOf(pair) / 2); }
  Value upperHalf(Value pair) { return lowerHalf(m.shrU(pair, MathBuilder::bitsOf(pair) / 2)); }
  Value join(Value low, Value high) {
    const unsigned bits = MathBuilder::bitsOf(low);
    return m.orI(m.zeroExtend(low, 2 * bits), m.shl(m.zeroExtend(high, 2 * bits), bits));
  }

  /// f32 to two values of f16 or bf16.
  Value toHalves(Value low, Value high, bool isBF16, bool towardZero) {
    const std::string opcode = std::string(towardZero ? "cvt.rz." : "cvt.rn.") + (isBF16 ? "bf16x2" : "f16x2") + ".f32";
    return call(opcode, 32, {high, low});
  }

  /// f32 to two e4m3, in 16 bits.
  Value toE4M3(Value low, Value high, bool saturate) {
    // 464 is the tie between the largest value and the one that there would be above it; to even it goes down.
    const auto withNaN = [&](Value x) {
      return m.select(m.gt(m.abs(x), m.constF(464, x)), m.constF(std::numeric_limits<float>::quiet_NaN(), x), x);
    };
    return call("cvt.rn.satfinite.e4m3x2.f32", 16,
                saturate ? ValueRange{high, low} : ValueRange{withNaN(high), withNaN(low)});
  }

  /// f32 to two e5m2.
  SmallVector<Value, 2> toE5M2(Value low, Value high, bool saturate) {
    const Value pair = call("cvt.rn.satfinite.e5m2x2.f32", 16, {high, low});
    SmallVector<Value, 2> halves{lowerHalf(pair), upperHalf(pair)};
    if (saturate)
      return halves;
    // From the tie between the largest value and 65536 on, which to even goes up.
    for (auto [half, x] : llvm::zip_equal(halves, std::array{low, high})) {
      const Value infinity = m.orI(m.andI(half, m.constI(0x80, half)), m.constI(0x7c, half));
      half = m.select(m.ge(m.abs(x), m.constF(61440, x)), infinity, half);
    }
    return halves;
  }

private:
  Emitter &e;
  VectorMathBuilder &m;
};

bool isE4M3(Type type) { return isa<mlir::Float8E4M3FNType>(type); }
bool isE5M2(Type type) { return isa<mlir::Float8E5M2Type>(type); }
bool isFp8(Type type) { return isE4M3(type) || isE5M2(type); }

/// Calls \p cast with neighbours two by two; the last of an odd number goes with a zero, and the second result is
/// dropped.
template <typename Cast> SmallVector<Value> inPairs(Emitter &e, ArrayRef<Value> values, Cast cast) {
  SmallVector<Value> results;
  for (size_t i = 0; i < values.size(); i += 2) {
    const bool hasSecond = i + 1 < values.size();
    const SmallVector<Value, 2> pair = cast(values[i], hasSecond ? values[i + 1] : e.zero(values[i].getType()));
    results.append(pair.begin(), pair.begin() + (hasSecond ? 2 : 1));
  }
  return results;
}

} // namespace

/// Two fp8 at a time through f16, which holds all of them, to f32.
static SmallVector<Value> widenFp8(Emitter &e, ArrayRef<Value> stored, Type from) {
  PairCasts casts(e);
  VectorMathBuilder &m = e.math();
  const Type f32 = e.builder().getF32Type(), f16 = e.builder().getF16Type();
  const StringRef opcode = isE4M3(from) ? "cvt.rn.f16x2.e4m3x2" : "cvt.rn.f16x2.e5m2x2";
  return inPairs(e, stored, [&](Value low, Value high) -> SmallVector<Value, 2> {
    const Value pair = casts.call(opcode, 32, {casts.join(low, high)});
    const auto widen = [&](Value half) {
      return m.widen(m.fromBits(half, cast<FloatType>(f16)), cast<FloatType>(f32));
    };
    return {widen(casts.lowerHalf(pair)), widen(casts.upperHalf(pair))};
  });
}

/// f32 to \p to; empty if there is no instruction that rounds so.
static SmallVector<Value> narrowF32(Emitter &e, ArrayRef<Value> values, Type to, const numbers::Narrowing &how) {
  PairCasts casts(e);
  const bool towardZero = how.rounding == FloatRounding::TowardZero;
  if (how.rounding == FloatRounding::Stochastic)
    return {};
  if (to.isF16() || to.isBF16()) {
    if (how.saturate)
      return {};
    return inPairs(e, values, [&](Value low, Value high) -> SmallVector<Value, 2> {
      const Value pair = casts.toHalves(low, high, to.isBF16(), towardZero);
      return {casts.lowerHalf(pair), casts.upperHalf(pair)};
    });
  }
  if (towardZero || !isFp8(to))
    return {};
  return inPairs(e, values, [&](Value low, Value high) -> SmallVector<Value, 2> {
    if (isE5M2(to))
      return casts.toE5M2(low, high, how.saturate);
    const Value pair = casts.toE4M3(low, high, how.saturate);
    return {casts.lowerHalf(pair), casts.upperHalf(pair)};
  });
}

SmallVector<Value> NvidiaHooks::convertFloats(Emitter &e, ArrayRef<Value> stored, Type from, Type to,
                                              const numbers::Narrowing &how) const {
  const bool needsFp8 = isFp8(from) || isFp8(to);
  if (from == to || from.isF64() || to.isF64() || (needsFp8 && !chip().has(arch::Feature::Fp8Ocp)))
    return {};
  VectorMathBuilder &m = e.math();
  SmallVector<Value> wide;
  if (isFp8(from))
    wide = widenFp8(e, stored, from);
  else
    for (Value value : stored)
      wide.push_back(numbers::widen(m, value, from));
  if (to.isF32())
    return isFp8(from) && !how.saturate ? wide : SmallVector<Value>();
  return narrowF32(e, wide, to, how);
}

} // namespace tessera::ir::gpu
