//===- MisuseTest.cpp - what a kernel may not say, and the words for it --===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Every misuse is a UsageError at the user's line that says what was seen, the rule and a hint.
//
//===---------------------------------------------------------------------===//

#include "TraceSupport.h"

#include "tessera/lang/Lang.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

using namespace tessera;
using test::misuse;
using testing::HasSubstr;

/// What the cases below play with.
struct Bench {
  Ptr<f32> x;
  Ptr<f16> h;
  Ptr<i32> ids;
  Ptr<any> blob;
  Int n;
  U32 u;
  F32 s;
  Bool b;
  View<f32, 2> v;
  Opt<Ptr<f32>> bias;
};

static Tile f(int extent) { return zeros(f32, {extent}); }
static Tile i(int extent) { return arange(0, extent); }

struct Case {
  const char *words;
  void (*body)(Bench &k);
  std::source_location at;
  Case(const char *words, void (*body)(Bench &k), std::source_location at = std::source_location::current())
      : words(words), body(body), at(at) {}
};

/// The message holds the words, and names a line of the case.
static void check(const std::vector<Case> &cases) {
  for (const Case &each : cases) {
    SCOPED_TRACE(each.words);
    const std::string message = misuse([body = each.body](Bench k) { body(k); }, {.any = {f32}, .present = {true}});
    EXPECT_THAT(message, HasSubstr(each.words));
    const std::string place = std::string("MisuseTest.cpp:");
    const std::size_t start = message.find(place);
    ASSERT_NE(start, std::string::npos) << message;
    const long line = std::strtol(message.c_str() + start + place.size(), nullptr, 10);
    EXPECT_LE(std::labs(line - static_cast<long>(each.at.line())), 8) << message;
  }
}

// SEMANTICS T2, S2
TEST(Misuse, shapes) {
  check({
      {"a tile of f32 would have the extent 100 on axis 0; an extent is a power of two; use 128 and mask the elements "
       "from "
       "100 on",
       [](Bench &) { zeros(f32, {100}); }},
      {"would have the extent 0 on axis 1; an extent is a power of two of at least 1",
       [](Bench &) { ones(i8, {4, 0}); }},
      {"would have the shape [2048, 1024]; a tile has at most 1048576 elements; use a smaller block and loop over it",
       [](Bench &) { zeros(f32, {2048, 1024}); }},
      {"would have 6 axes; a tile has at most 5", [](Bench &) { zeros(f32, {1, 1, 1, 1, 1, 1}); }},
      {"arange(0, 100) has 100 elements; the number of elements is a power of two; use arange(0, 128) and mask the "
       "elements "
       "from 100 on",
       [](Bench &) { arange(0, 100); }},
      {"arange(8, 8); it counts up", [](Bench &) { arange(8, 8); }},
      {"arange(0, 4294967296); it counts up through values of i32", [](Bench &) { arange(0, std::int64_t(1) << 32); }},
      {"axis 3 of the grid; a grid has the axes 0, 1 and 2", [](Bench &) { program_id(3); }},
      {"a tile filled with a tile of f32 [4]; the value is one number", [](Bench &) { full(f32, {4}, f(4)); }},
      {"a tile of ptr_to(f32) filled with a number", [](Bench &) { zeros(ptr_to(f32), {4}); }},
      {".row() of a tile of f32 [4, 4]; it places a 1-D tile", [](Bench &) { zeros(f32, {4, 4}).row(); }},
      {".col() of a scalar of f32; it places a 1-D tile", [](Bench &k) { Tile(k.s).col(); }},
  });
}

// SEMANTICS M2
TEST(Misuse, broadcasting) {
  check({
      {"cannot add a tile of f32 [128] and a tile of f32 [64]: shapes do not broadcast (axis 0: 128 and 64)",
       [](Bench &) { f(128) + f(64); }},
      {"cannot multiply a tile of f32 [8, 4] and a tile of f32 [8]: shapes do not broadcast (axis 1: 4 and 8)",
       [](Bench &) { zeros(f32, {8, 4}) * f(8); }},
      {"the result would have the shape [2048, 2048]; a tile has at most 1048576 elements",
       [](Bench &) { f(2048).row() + f(2048).col(); }},
      {"cannot choose with where: a tile of i1 [8], a tile of f32 [4] and a tile of f32 [4]",
       [](Bench &) { where(i(8) < 3, f(4), f(4)); }},
  });
}

// SEMANTICS T3
TEST(Misuse, literals) {
  check({
      {"the number 300 does not fit i8; a literal takes the type of the other operand",
       [](Bench &) { ones(i8, {4}) + 300; }},
      {"the number -1 does not fit u32", [](Bench &k) { k.u + -1; }},
      {"the number 70000 does not fit f16", [](Bench &) { zeros(f16, {4}) * 70000; }},
      {"the number inf does not fit e4m3", [](Bench &) { zeros(e4m3, {4}) + inf; }},
      {"the number 5000000000 does not fit i32", [](Bench &) { i(4) + 5000000000; }},
      {"cannot divide the number 1 and a scalar of i64: an integer literal divided by a run-time integer is 0 for "
       "nearly all "
       "values; write fdiv(a, b)",
       [](Bench &k) { 1 / k.n; }},
      {"cannot divide the number 7 and a tile of i32 [4]", [](Bench &) { 7 / i(4); }},
      {"the number 1.5 where i32 is wanted; a floating literal is not an integer", [](Bench &k) { store(k.ids, 1.5); }},
      {"the number 2 does not fit i1", [](Bench &k) { (void)(k.b == 2); }},
      {"the number 4 where a pointer to f32 is wanted; only 0, the null pointer", [](Bench &k) { (void)(k.x == 4); }},
      {"the number 300 does not fit u8", [](Bench &) { full(u8, {4}, 300); }},
  });
}

// SEMANTICS T4
TEST(Misuse, promotion) {
  check({
      {"cannot add a tile of i32 [4] and a scalar of u32: i32 and u32 do not mix, since neither holds the values of "
       "the "
       "other; cast one side with .to",
       [](Bench &k) { i(4) + k.u; }},
      {"cannot compare a tile of i8 [4] and a tile of u64 [4]: i8 and u64 do not mix",
       [](Bench &) { (void)(ones(i8, {4}) < ones(u64, {4})); }},
      {"cannot add a scalar of i1 and a scalar of i1: i1 takes only & | ^ ~", [](Bench &k) { k.b + k.b; }},
      {"cannot shift left a tile of i1 [4] and a tile of i1 [4]: i1 takes only",
       [](Bench &) { (i(4) < 2) << (i(4) < 2); }},
      {"cannot negate a scalar of i1; i1 takes only & | ^ ~; use ~", [](Bench &k) { -k.b; }},
      {"cannot take the maximum of a scalar of i1 and a scalar of i1: i1 takes only",
       [](Bench &k) { maximum(k.b, k.b); }},
      {"cannot clamp a scalar of i1", [](Bench &k) { clamp(k.b, false, true); }},
  });
}

// SEMANTICS A1, A2
TEST(Misuse, operatorsOfTheWrongType) {
  check({
      {"cannot take the remainder of a tile of f32 [4] and the number 2: % is for integers; use fmod",
       [](Bench &) { f(4) % 2; }},
      {"cannot take floor_mod of a tile of f32 [4] and the number 2: floor_mod is for integers; use fmod",
       [](Bench &) { floor_mod(f(4), 2); }},
      {"cannot take cdiv of a scalar of f32 and the number 2: it divides integers; use ceil(a / b)",
       [](Bench &k) { cdiv(k.s, 2); }},
      {"bits are those of integers; use .bitcast first", [](Bench &) { f(4) & f(4); }},
      {"cannot shift right a tile of f32 [4] and the number 1: bits are those of integers", [](Bench &) { f(4) >> 1; }},
      {"cannot flip the bits of a tile of f32 [4]; bits are those of integers", [](Bench &) { ~f(4); }},
  });
}

// SEMANTICS P1b
TEST(Misuse, pointers) {
  check({
      {"two pointers; the distance of addresses is the difference of their .bitcast(i64)",
       [](Bench &k) { Tile(k.x) - Tile(k.x); }},
      {"cannot multiply a pointer to f32 and the number 2: pointers take part in pointer + integer",
       [](Bench &k) { Tile(k.x) * 2; }},
      {"cannot subtract a scalar of i64 and a pointer to f32", [](Bench &k) { Tile(k.n) - Tile(k.x); }},
      {"the offset of a pointer counts elements, so it must be an integer; to add what stands there, load it first",
       [](Bench &k) { k.x + f(4); }},
      {"cannot subtract a tile of f32 [4] and a pointer to f32: pointers take part in pointer + integer and pointer - "
       "integer only; load the elements first",
       [](Bench &k) { f(4) - k.x; }},
      {"cannot compare a pointer to f32 and a pointer to f16: pointers compare with pointers to the same type",
       [](Bench &k) { (void)(k.x == k.h); }},
      {"cannot negate a pointer to f32; load the elements first", [](Bench &k) { -Tile(k.x); }},
      {"cannot choose between a pointer to f32 and a pointer to f16: pointers of one type are chosen among",
       [](Bench &k) { where(k.b, k.x, k.h); }},
      {"a pointer to f32 where a pointer to f16 is wanted; use .as(dtype)", [](Bench &k) { Ptr<f16> p = Tile(k.x); }},
      {"a tile of pointers to f32 [4] where a pointer to f32 is wanted; pass one pointer a program",
       [](Bench &k) { Ptr<f32> p = k.x + i(4); }},
      {"cannot take exp of a pointer to f32; it takes floats; load the elements first", [](Bench &k) { exp(k.x); }},
      {"cannot read a tile of f32 [4] as pointers to i32; .as(dtype) is for pointers", [](Bench &) { f(4).as(i32); }},
  });
}

// SEMANTICS A4, A5, A7
TEST(Misuse, functions) {
  check({
      {"cannot take exp of a tile of i32 [4]; it takes floats; convert with .to(f32)", [](Bench &) { exp(i(4)); }},
      {"cannot take tanh of a tile of f64 [4]; it has no f64 form; convert with .to(f32)",
       [](Bench &) { tanh(zeros(f64, {4})); }},
      {"cannot take atan2 of a tile of i32 [4] and a tile of i32 [4]: it takes floats",
       [](Bench &) { atan2(i(4), i(4)); }},
      {"cannot take popcount of a tile of f32 [4]; it takes integers", [](Bench &) { popcount(f(4)); }},
      {"cannot take umulhi of a tile of i32 [4] and a tile of i32 [4]: it takes u32 or u64",
       [](Bench &) { umulhi(i(4), i(4)); }},
      {"cannot take ldexp with the exponent a scalar of i64; it is an integer that fits i32",
       [](Bench &k) { ldexp(f(4), k.n); }},
      {"cannot take fma of a tile of i32 [4], a tile of i32 [4] and a tile of i32 [4]: it takes floats",
       [](Bench &) { fma(i(4), i(4), i(4)); }},
      {"cannot take abs of a scalar of i1; it takes integers and floats", [](Bench &k) { abs(k.b); }},
      {"fast_div of f64; it has no f64 form", [](Bench &) { fast_div(zeros(f64, {4}), 2); }},
      {"the condition of where is a tile of i32 [4]; it must be i1", [](Bench &) { where(i(4), 1, 2); }},
      {"where with .dtype but not two literals", [](Bench &k) { where(k.b, f(4), 2, {.dtype = f16}); }},
  });
}

// SEMANTICS C1, C2, C3
TEST(Misuse, casts) {
  check({
      {"cannot convert a pointer to f32 to i64; .to changes numbers; pointers change with .as(dtype) and .bitcast(i64)",
       [](Bench &k) { Tile(k.x).to(i64); }},
      {"cannot convert a tile of f32 [4] to i32 with rounding, saturate or random_bits",
       [](Bench &) { f(4).to(i32, {.rounding = Rounding::toward_zero}); }},
      {"cannot convert a tile of f32 [4] to ptr_to(f16), which is the dtype of a pointer; .to changes numbers; f16 "
       "is "
       "what it points to: write .to(p.dtype().pointee())",
       [](Bench &k) { f(4).to(k.h.dtype()); }},
      {"a conversion rounds stochastically without random_bits",
       [](Bench &) { f(4).to(f16, {.rounding = Rounding::stochastic}); }},
      {"random_bits is a tile of f32 [4]; it must be u32 or i32, one word an element",
       [](Bench &) { f(4).to(f16, {.rounding = Rounding::stochastic, .random_bits = f(4)}); }},
      {"random_bits is a tile of i32 [8] for a tile of f32 [4]; it must have that shape",
       [](Bench &) { f(4).to(f16, {.rounding = Rounding::stochastic, .random_bits = i(8)}); }},
      {"cannot bitcast a tile of f16 [4] to f32; the last axis holds the parts of one f32, so its extent must be 2",
       [](Bench &) { zeros(f16, {4}).bitcast(f32); }},
      {"cannot bitcast a scalar of i1 to i8; i1 has no bits of its own", [](Bench &k) { Tile(k.b).bitcast(i8); }},
      {"cannot bitcast a pointer to f32 to i32; an address is converted to and from i64 or u64",
       [](Bench &k) { k.x.bitcast(i32); }},
      {"a tile of i32 [4] where a scalar of i64 is wanted; reduce it, or take one element",
       [](Bench &) { Int n = i(4); }},
      {"the value is a scalar of i64 where i32 is wanted; only conversions that keep every value are implicit; convert "
       "it "
       "with .to(i32)",
       [](Bench &k) { I32 small = Tile(k.n); }},
      {"the value is a scalar of f32 where i64 is wanted", [](Bench &k) { k.n += 1.5; }},
  });
}

// SEMANTICS M1, M2, M7
TEST(Misuse, memory) {
  check({
      {"cannot load from a tile of f32 [4]; load takes pointers", [](Bench &) { load(f(4)); }},
      {"cannot store to a scalar of i64; store takes pointers", [](Bench &k) { store(k.n, 1); }},
      {"load with `other` but without `mask`", [](Bench &k) { load(k.x + i(4), {.other = 0}); }},
      {"the mask is a tile of i32 [4]; it must be i1, as a comparison gives it",
       [](Bench &k) { load(k.x + i(4), {.mask = i(4)}); }},
      {"the mask is the number 1; it must be i1", [](Bench &k) { load(k.x + i(4), {.mask = 1}); }},
      {"shapes do not broadcast (axis 0: 4 and 8)", [](Bench &k) { load(k.x + i(4), {.mask = i(8) < 3}); }},
      {"the mask is a tile of i1 [8] for a tile of pointers to f32 [4]; it must broadcast to the shape of the pointers",
       [](Bench &k) { store(k.x + i(4), 1, {.mask = i(8) < 3}); }},
      {"`other` is a tile of f32 [8] for a tile of pointers to f32 [4]",
       [](Bench &k) { load(k.x + i(4), {.mask = i(4) < 3, .other = f(8)}); }},
      {"`other` is a tile of f32 [4] where f16 is wanted",
       [](Bench &k) { load(k.h + i(4), {.mask = i(4) < 3, .other = f(4)}); }},
      {"the value stored is a tile of f32 [4] where f16 is wanted; only conversions that keep every value are "
       "implicit; "
       "convert it with .to(f16)",
       [](Bench &k) { store(k.h + i(4), f(4)); }},
      {"the value stored is a tile of f32 [4] for a pointer to f32; it must broadcast to the shape of the pointers, "
       "which are "
       "never broadcast to it",
       [](Bench &k) { store(k.x, f(4)); }},
      {"Cache::write_back on a load; it is for stores", [](Bench &k) { load(k.x, {.cache = Cache::write_back}); }},
      {"Cache::all on a store; it is for loads", [](Bench &k) { store(k.x, 1, {.cache = Cache::all}); }},
  });
}

// SEMANTICS M6, M6a
TEST(Misuse, views) {
  check({
      {"a place with 1 coordinates in a view of f32 with 2 axes", [](Bench &k) { k.v.load({0}, {4, 4}); }},
      {"a block with 1 extents of a view of f32 with 2 axes", [](Bench &k) { k.v.load({0, 0}, {4}); }},
      {"the block loaded would have the extent 5 on axis 1", [](Bench &k) { k.v.load({0, 0}, {4, 5}); }},
      {"coordinate 1 is a tile of i32 [4]; it must be one integer a program",
       [](Bench &k) { k.v.load({0, i(4)}, {4, 4}); }},
      {"the pad is a tile of f32 [4]; it is one scalar", [](Bench &k) { k.v.load({0, 0}, {4, 4}, {.pad = f(4)}); }},
      {"a store of a tile of f32 [4] to a view of f32 with 2 axes", [](Bench &k) { k.v.store({0, 0}, f(4)); }},
      {"the value stored is a tile of f64 [4, 4] where f32 is wanted",
       [](Bench &k) { k.v.store({0, 0}, zeros(f64, {4, 4})); }},
      {"the rows are a tile of f32 [4]; they are chosen by a 1-D tile of integers",
       [](Bench &k) { k.v.load_rows(f(4), 0, {4, 8}); }},
      {"a block of shape [8, 8] for 4 rows; the shape is {4, columns}",
       [](Bench &k) { k.v.load_rows(i(4), 0, {8, 8}); }},
      {"a store of a tile of f32 [8, 8] to 4 rows", [](Bench &k) { k.v.store_rows(i(4), 0, zeros(f32, {8, 8})); }},
      {"the value is a scalar of u64 where i64 is wanted", [](Bench &k) { view(k.x, {U64(3), k.n}); }},
  });
}

// SEMANTICS L1
TEST(Misuse, controlFlow) {
  check({
      {"the condition of if_ is a tile of i1 [4]; it must be one i1 a program; reduce it with any or all",
       [](Bench &) { if_(i(4) < 2, [] {}); }},
      {"the condition of if_ is a scalar of i64; it must be i1", [](Bench &k) { if_(k.n, [] {}); }},
      {"the condition of while_ is the number 1; it must be i1", [](Bench &) { while_([] { return 1; }, [] {}); }},
      {"for_range with a step of 0", [](Bench &k) { for_range(0, k.n, 0, [](Int) {}); }},
      {"the end of for_range is a tile of i32 [4]; it must be one integer a program",
       [](Bench &) { for_range(0, i(4), [](Int) {}); }},
      {"the start of for_range is a scalar of f32; it must be one integer",
       [](Bench &k) { for_range(Tile(k.s), 4, [](Int) {}); }},
      {"the end of for_range is a scalar of u64; it must fit i64", [](Bench &) { for_range(0, U64(4), [](Int) {}); }},
      {"a loop with num_stages -1", [](Bench &) { for_range(0, 4, [](Int) {}, {.num_stages = -1}); }},
      {"break_if outside a loop", [](Bench &k) { break_if(k.b); }},
      {"break_if outside a loop", [](Bench &k) { if_(k.b, [&] { break_if(k.b); }); }},
      {"break_if inside the condition of the while_ at",
       [](Bench &k) {
         while_(
             [&] {
               break_if(k.b);
               return k.b;
             },
             [] {});
       }},
      {"return_if inside the condition of the while_ at",
       [](Bench &k) {
         while_(
             [&] {
               return_if(k.b);
               return k.b;
             },
             [] {});
       }},
      {"the condition of return_if is a tile of i1 [4]", [](Bench &) { return_if(i(4) < 2); }},
  });
}

TEST(Misuse, variables) {
  check({
      {"a variable is used before it has a value; assign to it first",
       [](Bench &) {
         Tile t;
         t + 1;
       }},
      {"a variable is used before it has a value",
       [](Bench &k) {
         Int m;
         for_range(0, m, [](Int) {});
         store(k.x, 0);
       }},
      {"a variable becomes a tile of f16 [4] inside the for_range at",
       [](Bench &k) {
         Tile t = f(4);
         for_range(0, k.n, [&](Int) { t = t.to(f16); });
       }},
      {"but is a tile of f32 [4] before it; a variable keeps its dtype and shape there; start it as a tile of f32 [8] "
       "at",
       [](Bench &k) {
         Tile t = f(4);
         for_range(0, k.n, [&](Int) { t = zeros(f32, {8}); });
       }},
      {"the variable `sum` becomes a tile of f32 [8] inside the for_range at",
       [](Bench &k) {
         Tile t = f(4).named("sum");
         for_range(0, k.n, [&](Int) { t = zeros(f32, {8}); });
       }},
      {"the variable `sum` becomes a scalar of f32 inside the while_ at",
       [](Bench &k) {
         Tile t = k.n;
         while_([&] { return k.b; }, [&] { t = Tile(k.s).named("sum"); });
       }},
      {"a variable becomes a tile of u32 [4] inside the while_ at",
       [](Bench &k) {
         Tile t = i(4);
         while_([&] { return k.b; }, [&] { t = t.to(u32); });
       }},
      {"a variable becomes a tile of f16 [4] inside the if_ at",
       [](Bench &k) {
         Tile t = f(4);
         if_(k.b, [&] { t = t.to(f16); });
       }},
      {"a variable becomes a tile of f16 [4] inside the first part of the if_ at",
       [](Bench &k) {
         Tile t = f(4);
         if_(k.b, [&] { t = t.to(f16); }, [] {});
       }},
      {"a variable becomes a tile of f16 [4] inside the second part of the if_ at",
       [](Bench &k) {
         Tile t = f(4);
         if_(k.b, [] {}, [&] { t = t.to(f16); });
       }},
      {"a variable becomes a tile of f64 [4] in one part of the if_ at",
       [](Bench &k) {
         Tile t;
         if_(k.b, [&] { t = f(4); }, [&] { t = zeros(f64, {4}); });
       }},
      {"a variable has no value here; it was last given one inside the for_range at",
       [](Bench &k) {
         Tile t;
         for_range(0, k.n, [&](Int) { t = f(4); });
         t + 1;
       }},
      {"a variable has no value here; it was last given one inside the if_ at",
       [](Bench &k) {
         Tile t;
         if_(k.b, [&] { t = f(4); });
         t + 1;
       }},
      {"a variable has no value here; it was last given one inside the first part of the if_ at",
       [](Bench &k) {
         Tile t;
         if_(k.b, [&] { t = f(4); }, [] {});
         t + 1;
       }},
      {"a variable has no value here; it was last given one inside the second part of the if_ at",
       [](Bench &k) {
         Tile t;
         if_(k.b, [&] { return_if(k.n > 0); }, [&] { t = f(4); });
         t + 1;
       }},
      {"a variable has no value here; it was last given one inside the while_ at",
       [](Bench &k) {
         Tile t;
         while_([&] { return k.b; }, [&] { t = f(4); });
         t + 1;
       }},
      {"a variable has no value here; it was last given one inside the for_range at",
       [](Bench &k) {
         std::vector<Tile> kept;
         for_range(0, k.n, [&](Int i) { kept.push_back(f(4) + i); });
         kept[0] + 1;
       }},
      {"a value made inside the if_ at",
       [](Bench &k) {
         LoadOptions kept;
         if_(k.b, [&] { kept = {.mask = i(4) < 2}; });
         load(k.x + i(4), kept);
       }},
  });
}

TEST(Misuse, limits) {
  check({
      {"the kernel records more than 250000 operations",
       [](Bench &k) {
         for (Tile t = k.n;;)
           t += 1;
       }},
  });
  struct Recursive {
    static Tile depth(Tile t, int frames) { return frames < 0 ? t : depth(t + 1, frames + 1) * 2; }
    static void nest(Bool b) {
      if_(b, [&] { nest(b); });
    }
  };
  EXPECT_THAT(misuse([](Int n) { Recursive::depth(n, 0); }),
              testing::AnyOf(HasSubstr("the C++ stack is nearly used up while the kernel is recorded"),
                             HasSubstr("more than 250000 operations")));
  EXPECT_THAT(misuse([](Bool b) { Recursive::nest(b); }),
              HasSubstr("loops, conditions and combine functions nest 128 deep"));
}

TEST(Misuse, kernels) {
  const auto named = [](const char *name) {
    const auto maker = detail::specMaker(name, {}, [](Ptr<f32>) {}, std::source_location::current());
    try {
      test::traceSpec(maker({}));
    } catch (const UsageError &error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto extra = [](std::vector<std::string> names) {
    try {
      test::trace([](Ptr<f32>) {}, std::move(names));
    } catch (const UsageError &error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(named("my kernel"), HasSubstr("a kernel is named \"my kernel\"; a name is letters, digits and _"));
  EXPECT_THAT(named("2d"), HasSubstr("does not begin with a digit"));
  EXPECT_THAT(named(""), HasSubstr("a kernel is named \"\""));
  EXPECT_EQ(named("ok_2"), "");
  EXPECT_THAT(extra({"x"}), "");
  EXPECT_THAT(extra({}), "");
  EXPECT_THAT(extra({"c", "x"}),
              HasSubstr("kernel k has 1 parameter after its config, but 2 names; give at most one name "
                        "a parameter, and none to the config"));
  EXPECT_THAT(misuse([](Ptr<any>) {}), HasSubstr("the element type of parameter arg0 of kernel k is not bound"));
}
