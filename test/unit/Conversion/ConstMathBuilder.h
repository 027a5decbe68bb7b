//===- ConstMathBuilder.h - a MathBuilder that computes numbers -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Executes a definition written on MathBuilder at once, on batches of kLanes elements:
//
//   ConstMathBuilder b(context);
//   b.clear();                                       // forgets the values of the batch before
//   Value y = elementary::exp(b, b.make<float>(inputs));
//   std::span<const float> results = b.lanes<float>(y);
//
// Elements are float, double and unsigned integers of 8 (also i1, as 0 or 1), 16 (also f16's bits), 32 and 64 bits.
// What MathBuilder leaves unspecified, such as oversized shifts, gives numbers that no test expects.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_CONVERSION_CONSTMATHBUILDER_H
#define TESSERA_TEST_UNIT_CONVERSION_CONSTMATHBUILDER_H

#include "Conversion/Common/MathBuilder.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

// Loops over lanes are compiled for chips with fma as well: without it std::fma is a call.
#if defined(__x86_64__)
#define TESSERA_LANE_LOOPS __attribute__((target_clones("default", "arch=haswell")))
#else
#define TESSERA_LANE_LOOPS
#endif

namespace tessera::ir {

namespace lane_loops {

TESSERA_LANE_LOOPS inline void fma(float *out, const float *a, const float *b, const float *c, unsigned n) {
  for (unsigned i = 0; i < n; ++i)
    out[i] = std::fma(a[i], b[i], c[i]);
}
TESSERA_LANE_LOOPS inline void fma(double *out, const double *a, const double *b, const double *c, unsigned n) {
  for (unsigned i = 0; i < n; ++i)
    out[i] = std::fma(a[i], b[i], c[i]);
}

} // namespace lane_loops

class ConstMathBuilder final : public MathBuilder {
public:
  static constexpr unsigned kLanes = 256;

  explicit ConstMathBuilder(MLIRContext &context) : context(context) {}

  /// Forgets all values.
  void clear() { used = 0; }

  /// A value of the elements given, at most kLanes; lanes beyond them repeat the last.
  template <class T> Value make(std::span<const T> elements) { return make<T>(elements, typeOf<T>()); }
  /// The same with an element type of its own: i1 or f16.
  template <class T> Value make(std::span<const T> elements, Type element) {
    auto [value, out] = fresh<T>(element);
    for (unsigned i = 0; i < kLanes; ++i)
      out[i] = elements[std::min<std::size_t>(i, elements.size() - 1)];
    return value;
  }

  template <class T> std::span<const T> lanes(Value x) const { return {data<T>(x), kLanes}; }

  Value floatConstant(double value, FloatType element, Value) override {
    return element.isF64() ? splat<double>(value, element) : splat<float>(static_cast<float>(value), element);
  }
  Value intConstant(std::int64_t value, unsigned bits, Value) override {
    const auto word = static_cast<std::uint64_t>(value);
    const Type type = IntegerType::get(&context, bits);
    switch (bits) {
    case 1:
      return splat<std::uint8_t>(word & 1, type);
    case 8:
      return splat<std::uint8_t>(static_cast<std::uint8_t>(word), type);
    case 16:
      return splat<std::uint16_t>(static_cast<std::uint16_t>(word), type);
    case 32:
      return splat<std::uint32_t>(static_cast<std::uint32_t>(word), type);
    case 64:
      return splat<std::uint64_t>(word, type);
    default:
      throw std::logic_error("no integer of this width");
    }
  }

  Value emit(FloatUnary op, Value x) override {
    return floats(x, [&]<class T>(T) {
      switch (op) {
      case FloatUnary::Neg:
        return map<T>(x, [](T a) { return -a; });
      case FloatUnary::Abs:
        return map<T>(x, [](T a) { return std::fabs(a); });
      case FloatUnary::Sqrt:
        return map<T>(x, [](T a) { return std::sqrt(a); });
      case FloatUnary::RoundEven:
        return map<T>(x, [](T a) { return std::nearbyint(a); });
      case FloatUnary::Trunc:
        return map<T>(x, [](T a) { return std::trunc(a); });
      case FloatUnary::Floor:
        return map<T>(x, [](T a) { return std::floor(a); });
      case FloatUnary::Ceil:
        return map<T>(x, [](T a) { return std::ceil(a); });
      }
      return Value();
    });
  }

  Value emit(FloatBinary op, Value a, Value b) override {
    return floats(a, [&]<class T>(T) {
      switch (op) {
      case FloatBinary::Add:
        return zip<T>(a, b, [](T x, T y) { return x + y; });
      case FloatBinary::Sub:
        return zip<T>(a, b, [](T x, T y) { return x - y; });
      case FloatBinary::Mul:
        return zip<T>(a, b, [](T x, T y) { return x * y; });
      case FloatBinary::Div:
        return zip<T>(a, b, [](T x, T y) { return x / y; });
      }
      return Value();
    });
  }

  Value emit(IntUnary op, Value x) override {
    return integers(x, [&]<class T>(T) {
      switch (op) {
      case IntUnary::CountLeadingZeros:
        return map<T>(x, [](T a) { return static_cast<T>(std::countl_zero(a)); });
      case IntUnary::PopCount:
        return map<T>(x, [](T a) { return static_cast<T>(std::popcount(a)); });
      }
      return Value();
    });
  }

  Value emit(IntBinary op, Value a, Value b) override {
    const bool isBool = bitsOf(a) == 1;
    return integers(a, [&]<class T>(T) {
      using S = std::make_signed_t<T>;
      constexpr unsigned width = sizeof(T) * 8;
      constexpr T odd = static_cast<T>(0x5a5a5a5a5a5a5a5a); // what no definition may rely on
      switch (op) {
      case IntBinary::And:
        return zip<T>(a, b, [](T x, T y) { return static_cast<T>(x & y); });
      case IntBinary::Or:
        return zip<T>(a, b, [](T x, T y) { return static_cast<T>(x | y); });
      case IntBinary::Xor:
        return zip<T>(a, b, [](T x, T y) { return static_cast<T>(x ^ y); });
      default:
        break;
      }
      if (isBool)
        throw std::logic_error("an operation that i1 does not have");
      switch (op) {
      case IntBinary::Add:
        return zip<T>(a, b, [](T x, T y) { return static_cast<T>(x + y); });
      case IntBinary::Sub:
        return zip<T>(a, b, [](T x, T y) { return static_cast<T>(x - y); });
      case IntBinary::Mul:
        return zip<T>(a, b, [](T x, T y) { return static_cast<T>(std::uint64_t(x) * y); });
      case IntBinary::UMulHigh:
        return zip<T>(a, b, [](T x, T y) { return static_cast<T>((static_cast<Wide>(x) * y) >> width); });
      case IntBinary::Shl:
        return zip<T>(a, b, [](T x, T y) { return y < width ? static_cast<T>(std::uint64_t(x) << y) : odd; });
      case IntBinary::ShrU:
        return zip<T>(a, b, [](T x, T y) { return y < width ? static_cast<T>(x >> y) : odd; });
      case IntBinary::ShrS:
        return zip<T>(a, b, [](T x, T y) { return y < width ? static_cast<T>(static_cast<S>(x) >> y) : odd; });
      case IntBinary::MinS:
        return zip<T>(a, b, [](T x, T y) { return static_cast<S>(x) < static_cast<S>(y) ? x : y; });
      case IntBinary::MaxS:
        return zip<T>(a, b, [](T x, T y) { return static_cast<S>(x) > static_cast<S>(y) ? x : y; });
      case IntBinary::MinU:
        return zip<T>(a, b, [](T x, T y) { return std::min(x, y); });
      case IntBinary::MaxU:
        return zip<T>(a, b, [](T x, T y) { return std::max(x, y); });
      default:
        return Value();
      }
    });
  }

  Value emit(FloatCompare op, Value a, Value b) override {
    return floats(a, [&]<class T>(T) {
      switch (op) {
      case FloatCompare::Eq:
        return test<T>(a, b, [](T x, T y) { return x == y; });
      case FloatCompare::Ne:
        return test<T>(a, b, [](T x, T y) { return x != y; });
      case FloatCompare::Lt:
        return test<T>(a, b, [](T x, T y) { return x < y; });
      case FloatCompare::Le:
        return test<T>(a, b, [](T x, T y) { return x <= y; });
      case FloatCompare::Gt:
        return test<T>(a, b, [](T x, T y) { return x > y; });
      case FloatCompare::Ge:
        return test<T>(a, b, [](T x, T y) { return x >= y; });
      }
      return Value();
    });
  }

  Value emit(IntCompare op, Value a, Value b) override {
    return integers(a, [&]<class T>(T) {
      using S = std::make_signed_t<T>;
      switch (op) {
      case IntCompare::Eq:
        return test<T>(a, b, [](T x, T y) { return x == y; });
      case IntCompare::Ne:
        return test<T>(a, b, [](T x, T y) { return x != y; });
      case IntCompare::SLt:
        return test<T>(a, b, [](T x, T y) { return static_cast<S>(x) < static_cast<S>(y); });
      case IntCompare::SLe:
        return test<T>(a, b, [](T x, T y) { return static_cast<S>(x) <= static_cast<S>(y); });
      case IntCompare::SGt:
        return test<T>(a, b, [](T x, T y) { return static_cast<S>(x) > static_cast<S>(y); });
      case IntCompare::SGe:
        return test<T>(a, b, [](T x, T y) { return static_cast<S>(x) >= static_cast<S>(y); });
      case IntCompare::ULt:
        return test<T>(a, b, [](T x, T y) { return x < y; });
      case IntCompare::ULe:
        return test<T>(a, b, [](T x, T y) { return x <= y; });
      case IntCompare::UGt:
        return test<T>(a, b, [](T x, T y) { return x > y; });
      case IntCompare::UGe:
        return test<T>(a, b, [](T x, T y) { return x >= y; });
      }
      return Value();
    });
  }

  Value emit(Cast op, Value x, Type element) override {
    switch (op) {
    case Cast::Widen:
      if (elementOf(x).isF16())
        return map<std::uint16_t, float>(x, element,
                                         [](std::uint16_t a) -> float { return std::bit_cast<_Float16>(a); });
      return map<float, double>(x, element, [](float a) -> double { return a; });
    case Cast::Narrow:
      if (element.isF16())
        return map<float, std::uint16_t>(x, element, [](float a) { return std::bit_cast<std::uint16_t>(_Float16(a)); });
      return map<double, float>(x, element, [](double a) { return static_cast<float>(a); });
    case Cast::ToBits:
    case Cast::FromBits:
      return copyBits(x, element);
    case Cast::FromSigned:
    case Cast::FromUnsigned:
      return integers(x, [&]<class T>(T) {
        const auto convert = [&]<class F>(F) {
          if (op == Cast::FromUnsigned)
            return map<T, F>(x, element, [](T a) { return static_cast<F>(a); });
          return map<T, F>(x, element, [](T a) { return static_cast<F>(static_cast<std::make_signed_t<T>>(a)); });
        };
        return element.isF64() ? convert(double()) : convert(float());
      });
    case Cast::ToSigned:
      return floats(x, [&]<class F>(F) {
        const auto convert = [&]<class T>(T) {
          constexpr F limit = static_cast<F>(std::uint64_t(1) << (sizeof(T) * 8 - 1));
          return map<F, T>(x, element, [](F a) {
            const bool fits = std::trunc(a) >= -limit && a < limit;
            return fits ? static_cast<T>(static_cast<std::make_signed_t<T>>(a)) : static_cast<T>(0x5a5a5a5a5a5a5a5a);
          });
        };
        return element.isInteger(64) ? convert(std::uint64_t()) : convert(std::uint32_t());
      });
    case Cast::SExt:
    case Cast::ZExt:
    case Cast::ITrunc:
      return integers(x, [&]<class From>(From) {
        const bool copySign = op == Cast::SExt, isBool = bitsOf(x) == 1, toBool = element.isInteger(1);
        return integersOf(element, [&]<class To>(To) {
          return map<From, To>(x, element, [=](From a) {
            if (toBool)
              return static_cast<To>(a & 1);
            if (copySign)
              return static_cast<To>(isBool ? -std::int64_t(a) : std::int64_t(std::make_signed_t<From>(a)));
            return static_cast<To>(a);
          });
        });
      });
    }
    return {};
  }

  Value fma(Value a, Value b, Value c) override {
    return floats(a, [&]<class T>(T) {
      auto [value, out] = fresh<T>(elementOf(a));
      lane_loops::fma(out, data<T>(a), data<T>(b), data<T>(c), kLanes);
      return value;
    });
  }

  Value select(Value condition, Value a, Value b) override {
    const std::uint8_t *chosen = data<std::uint8_t>(condition);
    return stored(a, [&]<class T>(T) {
      auto [value, out] = fresh<T>(elementOf(a));
      const T *x = data<T>(a), *y = data<T>(b);
      for (unsigned i = 0; i < kLanes; ++i)
        out[i] = chosen[i] ? x[i] : y[i];
      return value;
    });
  }

  Values ifAny(Value condition, ValueRange otherwise, function_ref<Values()> slow) override {
    if (!any(condition))
      return Values(otherwise);
    Values results = slow();
    for (unsigned i = 0; i < results.size(); ++i)
      results[i] = select(condition, results[i], otherwise[i]);
    return results;
  }

  Values whileAny(ValueRange init, function_ref<Value(ValueRange)> condition,
                  function_ref<Values(ValueRange)> body) override {
    Values carried(init);
    while (any(condition(carried)))
      carried = body(carried);
    return carried;
  }

private:
  using Wide = unsigned __int128;

  /// A value that is neither an operation's result nor a block's argument: its elements.
  struct Batch : mlir::detail::ValueImpl {
    explicit Batch(Type type) : ValueImpl(type, Kind::BlockArgument) {}
    alignas(64) unsigned char bytes[kLanes * 8];
  };

  template <class T> struct Fresh {
    Value value;
    T *out;
  };

  template <class T> Fresh<T> fresh(Type element) {
    if (used == batches.size())
      batches.push_back(std::make_unique<Batch>(element));
    Batch &batch = *batches[used++];
    batch.setType(element);
    return {Value(&batch), reinterpret_cast<T *>(batch.bytes)};
  }
  template <class T> static T *data(Value x) { return reinterpret_cast<T *>(static_cast<Batch *>(x.getImpl())->bytes); }

  template <class T> Type typeOf() {
    if constexpr (std::is_same_v<T, float>)
      return mlir::Float32Type::get(&context);
    else if constexpr (std::is_same_v<T, double>)
      return mlir::Float64Type::get(&context);
    else
      return IntegerType::get(&context, sizeof(T) * 8);
  }

  /// Calls \p f with a zero of the type that stores the float elements of \p x.
  template <class F> Value floats(Value x, F f) { return elementOf(x).isF64() ? f(double()) : f(float()); }
  template <class F> Value integers(Value x, F f) { return integersOf(elementOf(x), f); }
  template <class F> static Value integersOf(Type element, F f) {
    switch (element.getIntOrFloatBitWidth()) {
    case 1:
    case 8:
      return f(std::uint8_t());
    case 16:
      return f(std::uint16_t());
    case 32:
      return f(std::uint32_t());
    default:
      return f(std::uint64_t());
    }
  }
  /// Of any element: as an integer of its width.
  template <class F> Value stored(Value x, F f) { return integersOf(elementOf(x), f); }

  template <class T> Value splat(T element, Type type) {
    auto [value, out] = fresh<T>(type);
    std::fill_n(out, kLanes, element);
    return value;
  }
  template <class T, class F> Value map(Value x, F f) { return map<T, T>(x, elementOf(x), f); }
  template <class From, class To, class F> Value map(Value x, Type element, F f) {
    auto [value, out] = fresh<To>(element);
    const From *in = data<From>(x);
    for (unsigned i = 0; i < kLanes; ++i)
      out[i] = f(in[i]);
    return value;
  }
  template <class T, class F> Value zip(Value a, Value b, F f) {
    auto [value, out] = fresh<T>(elementOf(a));
    const T *x = data<T>(a), *y = data<T>(b);
    for (unsigned i = 0; i < kLanes; ++i)
      out[i] = f(x[i], y[i]);
    return value;
  }
  template <class T, class F> Value test(Value a, Value b, F f) {
    auto [value, out] = fresh<std::uint8_t>(IntegerType::get(&context, 1));
    const T *x = data<T>(a), *y = data<T>(b);
    for (unsigned i = 0; i < kLanes; ++i)
      out[i] = f(x[i], y[i]);
    return value;
  }
  Value copyBits(Value x, Type element) {
    if (bitsOf(x) != element.getIntOrFloatBitWidth())
      throw std::logic_error("bits of another width");
    auto [value, out] = fresh<unsigned char>(element);
    std::memcpy(out, data<unsigned char>(x), sizeof(Batch::bytes));
    return value;
  }
  static bool any(Value condition) {
    const std::uint8_t *lanes = data<std::uint8_t>(condition);
    return std::any_of(lanes, lanes + kLanes, [](std::uint8_t lane) { return lane != 0; });
  }

  MLIRContext &context;
  std::vector<std::unique_ptr<Batch>> batches;
  std::size_t used = 0;
};

} // namespace tessera::ir

#undef TESSERA_LANE_LOOPS

#endif // TESSERA_TEST_UNIT_CONVERSION_CONSTMATHBUILDER_H
