//===- MathTest.cpp - elementwise functions, recorded ----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Which operation each function records, in which type it computes, and how types of operands meet.
//
//===---------------------------------------------------------------------===//

#include "TraceSupport.h"

#include "tessera/lang/Lang.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tessera;
using test::trace;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// The IR of f(x) for x a tile of T.
template <DType T, class F> static std::string of(F f) {
  return trace([f](Ptr<T> p) { f(load(p + arange(0, 8))); });
}

/// The dtype of f(x, y) for tiles of A and B.
template <DType A, DType B, class F> static DType typeOf(F f) {
  DType result;
  trace([&](Ptr<A> a, Ptr<B> b) { result = f(load(a + arange(0, 8)), load(b + arange(0, 8))).dtype(); });
  return result;
}

using Unary = Tile (*)(Operand, std::source_location);

// SEMANTICS A3, A4
TEST(Math, eachFunctionIsOneOperation) {
  const std::pair<Unary, const char *> functions[] = {
      {exp, "math.exp "},           {exp2, "math.exp2 "},   {expm1, "math.expm1 "}, {log, "math.log "},
      {log2, "math.log2 "},         {log10, "math.log10 "}, {log1p, "math.log1p "}, {sin, "math.sin "},
      {cos, "math.cos "},           {tan, "math.tan "},     {tanh, "math.tanh "},   {sigmoid, "tile.sigmoid "},
      {erf, "math.erf "},           {sqrt, "math.sqrt "},   {rsqrt, "math.rsqrt "}, {softplus, "tile.softplus "},
      {floor, "math.floor "},       {ceil, "math.ceil "},   {trunc, "math.trunc "}, {round, "math.round "},
      {rint, "math.roundeven "},    {abs, "math.absf "},    {isnan, "math.isnan "}, {isinf, "math.isinf "},
      {isfinite, "math.isfinite "}, {ilogb, "tile.ilogb "},
  };
  for (const auto &[function, op] : functions) {
    const auto call = [function](Tile x) { function(x, std::source_location::current()); };
    EXPECT_THAT(of<f32>(call), HasSubstr(op));
    EXPECT_THAT(of<f16>(call), HasSubstr(op)) << "in f16, which computes in f32 and rounds once";
    EXPECT_THAT(of<e4m3>(call), AllOf(HasSubstr(op), HasSubstr("tensor<8xf8E4M3FN> -> tensor<8xf32>")));
  }
}

// SEMANTICS A3
TEST(Math, fastFormsAreMarked) {
  const std::pair<Unary, const char *> functions[] = {
      {fast_sqrt, "math.sqrt %3 fastmath<afn>"}, {fast_exp, "math.exp %3 fastmath<afn>"},
      {fast_exp2, "math.exp2 %3 fastmath<afn>"}, {fast_log, "math.log %3 fastmath<afn>"},
      {fast_log2, "math.log2 %3 fastmath<afn>"}, {fast_sin, "math.sin %3 fastmath<afn>"},
      {fast_cos, "math.cos %3 fastmath<afn>"},   {fast_tanh, "math.tanh %3 fastmath<afn>"},
  };
  for (const auto &[function, op] : functions)
    EXPECT_THAT(of<f32>([function](Tile x) { function(x, std::source_location::current()); }), HasSubstr(op));
  EXPECT_THAT(of<f32>([](Tile x) { fast_div(x, 3.0); }),
              testing::ContainsRegex("arith.divf %[0-9]+, %[0-9]+ fastmath<(arcp,afn|afn,arcp)>"));
  EXPECT_THAT(of<f32>([](Tile x) { x / 3.0; }), Not(HasSubstr("fastmath")));
}

// SEMANTICS A3, A4
TEST(Math, functionsOfTwo) {
  EXPECT_THAT(of<f32>([](Tile x) { pow(x, 2); }), HasSubstr("math.powf"));
  EXPECT_THAT(of<f32>([](Tile x) { pow(2, x); }), HasSubstr("math.powf"));
  EXPECT_THAT(of<f32>([](Tile x) { atan2(x, x); }), HasSubstr("math.atan2"));
  EXPECT_THAT(of<f32>([](Tile x) { fmod(x, 3); }), HasSubstr("arith.remf"));
  EXPECT_THAT(of<f32>([](Tile x) { copysign(x, -1.0); }), HasSubstr("math.copysign"));
  EXPECT_THAT(of<f16>([](Tile x) { fma(x, x, 1); }), AllOf(HasSubstr("math.fma"), HasSubstr(": tensor<8xf16>")));
  EXPECT_THAT(of<f32>([](Tile x) { ldexp(x, 3); }), HasSubstr("tile.ldexp"));
  EXPECT_THAT(of<i32>([](Tile x) { fdiv(x, 3); }), AllOf(HasSubstr("arith.sitofp"), HasSubstr("arith.divf")));
}

// SEMANTICS A4
TEST(Math, integers) {
  EXPECT_THAT(of<i32>([](Tile x) { popcount(x); }), HasSubstr("math.ctpop"));
  EXPECT_THAT(of<u8>([](Tile x) { clz(x); }), HasSubstr("math.ctlz"));
  EXPECT_THAT(of<u32>([](Tile x) { umulhi(x, 0xCD9E8D57u); }), HasSubstr("tile.umulhi"));
  EXPECT_THAT(of<i64>([](Tile x) { abs(x); }), HasSubstr("math.absi"));
  EXPECT_THAT(of<u64>([](Tile x) { abs(x); }), Not(HasSubstr("math.abs")));
}

// SEMANTICS A5
TEST(Math, maximumAndMinimum) {
  EXPECT_THAT(of<f32>([](Tile x) { maximum(x, 0); }), HasSubstr("tile.maxnum"));
  EXPECT_THAT(of<f32>([](Tile x) { minimum(x, 0, {.nan = Nan::propagate}); }), HasSubstr("arith.minimumf"));
  EXPECT_THAT(of<i32>([](Tile x) { maximum(x, 0); }), HasSubstr("arith.maxsi"));
  EXPECT_THAT(of<u32>([](Tile x) { minimum(x, 7); }), HasSubstr("arith.minui"));
}

// SEMANTICS T4
TEST(Math, promotion) {
  const auto add = [](Tile a, Tile b) { return a + b; };
  EXPECT_EQ((typeOf<f16, f32>(add)), f32);
  EXPECT_EQ((typeOf<f16, bf16>(add)), f32);
  EXPECT_EQ((typeOf<f64, f16>(add)), f64);
  EXPECT_EQ((typeOf<e4m3, f16>(add)), f16);
  EXPECT_EQ((typeOf<e4m3, e5m2>(add)), f32);
  EXPECT_EQ((typeOf<e4m3, e4m3>(add)), e4m3);
  EXPECT_EQ((typeOf<e4m3, i32>(add)), f32);
  EXPECT_EQ((typeOf<f16, i64>(add)), f16);
  EXPECT_EQ((typeOf<i8, i8>(add)), i8);
  EXPECT_EQ((typeOf<i8, i32>(add)), i32);
  EXPECT_EQ((typeOf<u8, i32>(add)), i32);
  EXPECT_EQ((typeOf<u8, u16>(add)), u16);
  EXPECT_EQ((typeOf<i1, i8>(add)), i8);
  EXPECT_EQ((typeOf<i1, f16>(add)), f16);
  EXPECT_EQ((typeOf<i1, i1>([](Tile a, Tile b) { return a & ~b; })), i1);
  EXPECT_EQ((typeOf<f16, f32>([](Tile a, Tile b) { return a < b; })), i1);
}

// SEMANTICS T3
TEST(Math, literalsTakeTheOtherType) {
  const auto dtype = [](auto f) {
    DType result;
    trace([&](Int n, F32 s, Bool b, U32 u) { result = f(n, s, b, u).dtype(); });
    return result;
  };
  EXPECT_EQ(dtype([](Int n, F32, Bool, U32) { return n * 2; }), i64);
  EXPECT_EQ(dtype([](Int n, F32, Bool, U32) { return n * 2.0; }), f32);
  EXPECT_EQ(dtype([](Int n, F32, Bool, U32) { return 1.0 / n; }), f32);
  EXPECT_EQ(dtype([](Int, F32 s, Bool, U32) { return 2 * s; }), f32);
  EXPECT_EQ(dtype([](Int, F32, Bool, U32 u) { return u + 4000000000u; }), u32);
  EXPECT_EQ(dtype([](Int, F32, Bool b, U32) { return where(b, 1, 0); }), i32);
  EXPECT_EQ(dtype([](Int, F32, Bool b, U32) { return where(b, 1, 0.5); }), f32);
  EXPECT_EQ(dtype([](Int, F32, Bool b, U32) { return where(b, true, false); }), i1);
  EXPECT_EQ(dtype([](Int, F32, Bool b, U32) { return where(b, 1, 0, {.dtype = e4m3}); }), e4m3);
  EXPECT_EQ(dtype([](Int n, F32, Bool b, U32) { return where(b, n, 0); }), i64);
  EXPECT_EQ(dtype([](Int n, F32 s, Bool, U32) { return n * s; }), f32);
  EXPECT_EQ(dtype([](Int, F32 s, Bool b, U32) { return s * b; }), f32);
}

// Scalars of known types stay known to C++ (T4).
TEST(Math, scalarsStayScalars) {
  trace([](Int n, I32 i, F32 s, Bool b, Scalar<f16> h, Scalar<bf16> g) {
    static_assert(std::is_same_v<decltype(n * 2 + 1), Int>);
    static_assert(std::is_same_v<decltype(i + n), Int>);
    static_assert(std::is_same_v<decltype(i * 3), I32>);
    static_assert(std::is_same_v<decltype(n < i), Bool>);
    static_assert(std::is_same_v<decltype(b & (n == 3)), Bool>);
    static_assert(std::is_same_v<decltype(n * s), F32>);
    static_assert(std::is_same_v<decltype(2 * s), F32>);
    static_assert(std::is_same_v<decltype(s * h), F32>);
    static_assert(std::is_same_v<decltype(h + g), Tile>); // f32, which neither is
    static_assert(std::is_same_v<decltype(n * 2.0), Tile>);
    static_assert(std::is_same_v<decltype(cdiv(n, 128)), Int>);
    static_assert(std::is_same_v<decltype(-s), F32>);
    static_assert(std::is_same_v<decltype(~b), Bool>);
    static_assert(std::is_same_v<decltype(n.to<f32>()), F32>);
    n += i;
    s *= 2;
    Int wide = i;
    F64 exact = s;
  });
  static_assert(cdiv(7, 2) == 4 && cdiv(-7, 2) == -3 && floor_div(-7, 2) == -4 && floor_mod(-7, 2) == 1);
  static_assert(!std::is_convertible_v<Int, I32> && !std::is_convertible_v<F32, Int> &&
                std::is_convertible_v<I32, Int>);
}

// SEMANTICS A6
TEST(Math, negation) {
  EXPECT_THAT(of<f16>([](Tile x) { -x; }), HasSubstr("arith.negf"));
  EXPECT_THAT(of<i32>([](Tile x) { -x; }), HasSubstr("arith.subi"));
}
