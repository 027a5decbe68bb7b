//===- ParamsTest.cpp - parameters of kernels ------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// SEMANTICS P1b: every kind of parameter, how it is flattened, and what a specialization does to it.
//
//===---------------------------------------------------------------------===//

#include "TraceSupport.h"

#include "tessera/core/Reflect.h"
#include "tessera/lang/Lang.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tessera;
using test::trace;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// The line of the kernel's signature.
static std::string signature(const std::string &text) {
  const std::size_t start = text.find("@k");
  return text.substr(start, text.find('\n', start) - start);
}

// SEMANTICS P1b
TEST(Params, scalarsOfEveryType) {
  EXPECT_EQ(
      signature(trace([](Int, I32, I64, U32, U64, F32, F64, Bool, Scalar<f16>, Scalar<e4m3>, Scalar<i8>) {})),
      "@k(%arg0: i64, %arg1: i32, %arg2: i64, %arg3: i32, %arg4: i64, %arg5: f32, %arg6: f64, %arg7: i1, %arg8: f16, "
      "%arg9: f8E4M3FN, %arg10: i8) {");
}

// SEMANTICS P1b
TEST(Params, anyIsBoundAtLaunchAndKnownWhileTracing) {
  const auto body = [](Ptr<any> x, View<any, 1> v, Ptr<any> out) {
    EXPECT_EQ(x.pointee(), f16);
    EXPECT_EQ(v.base().pointee(), bf16);
    Tile sum = load(x + arange(0, 8)).to(f32) + v.load({0}, {8}).to(f32);
    store(out + arange(0, 8), sum.to(out.pointee()));
  };
  EXPECT_THAT(trace(body, {}, {.any = {f16, bf16, e5m2}}),
              AllOf(HasSubstr("%arg0: !tile.ptr<f16>, %arg1: !tile.ptr<bf16>"), HasSubstr("f8E5M2")));
}

// SEMANTICS P1b
TEST(Params, tablesOfAddresses) {
  EXPECT_THAT(trace([](Ptr<ptr_to(f32)> table, Int n) {
                Ptr<f32> x = load(table + n);
                store(x, load(x + 1) * 2);
              }),
              AllOf(HasSubstr("%arg0: !tile.ptr<!tile.ptr<f32>>"), HasSubstr("tile.load"),
                    HasSubstr(": !tile.ptr<!tile.ptr<f32>>")));
}

// SEMANTICS P1b
TEST(Params, viewsAreBaseExtentsAndStrides) {
  const std::string text =
      trace([](View<f16, 2, 0> a) { a.store({0, 0}, a.load({a.extent(0) - 16, a.stride(1)}, {16, 16})); }, {"a"});
  EXPECT_EQ(signature(text),
            "@k(%a: !tile.ptr<f16>, %a.extent0: i64, %a.extent1: i64, %a.stride0: i64, %a.stride1: i64) {");
  EXPECT_THAT(text,
              HasSubstr("tile.make_view %a, [%a.extent0, %a.extent1], [%a.stride0, %a.stride1] : !tile.view<f16, 2, "
                        "contiguous = 0>"));
}

struct Weights {
  Ptr<f16> data;
  Opt<Ptr<f32>> scale;
  std::array<Int, 2> size;
};

static const auto weigh = [](Weights w, Opt<Weights> more) {
  Tile v = load(w.data + w.size[1]).to(f32);
  if (w.scale)
    v *= load(*w.scale);
  if (more) {
    v += load(more->data).to(f32);
    if (more->scale)
      v *= load(*more->scale);
  }
  store(w.data, v.to(f16));
};

// SEMANTICS P1b
TEST(Params, structsArraysAndOptionals) {
  EXPECT_EQ(signature(trace(weigh, {"w", "more"}, {.present = {true, true, true}})),
            "@k(%w.data: !tile.ptr<f16>, %w.scale: !tile.ptr<f32>, %w.size.0: i64, %w.size.1: i64, %more.data: "
            "!tile.ptr<f16>, %more.scale: !tile.ptr<f32>, %more.size.0: i64, %more.size.1: i64) {");
  EXPECT_EQ(
      signature(trace(weigh, {"w", "more"}, {.present = {false, true, false}})),
      "@k(%w.data: !tile.ptr<f16>, %w.size.0: i64, %w.size.1: i64, %more.data: !tile.ptr<f16>, %more.size.0: i64, "
      "%more.size.1: i64) {");
  // an Opt inside an absent one is absent
  EXPECT_EQ(signature(trace(weigh, {"w", "more"}, {.present = {true, false, true}})),
            "@k(%w.data: !tile.ptr<f16>, %w.scale: !tile.ptr<f32>, %w.size.0: i64, %w.size.1: i64) {");
  EXPECT_EQ(signature(trace(weigh, {"w", "more"})), "@k(%w.data: !tile.ptr<f16>, %w.size.0: i64, %w.size.1: i64) {");
}

TEST(Params, describedAsLeaves) {
  const auto maker = detail::specMaker("k", {"w"}, weigh, std::source_location::current());
  const detail::KernelSpec spec = maker({});
  const detail::ParamList list = spec.describe(spec.names);
  std::vector<std::string> paths;
  std::vector<int> optional;
  for (const detail::ParamLeaf &leaf : list.leaves) {
    paths.push_back(leaf.path);
    optional.push_back(leaf.optional);
  }
  EXPECT_THAT(paths, ElementsAre("w.data", "w.scale", "w.size.0", "w.size.1", "arg1.data", "arg1.scale", "arg1.size.0",
                                 "arg1.size.1"));
  EXPECT_THAT(optional, ElementsAre(-1, 0, -1, -1, 1, 2, 1, 1));
  EXPECT_THAT(list.optionals, ElementsAre(-1, -1, 1));
}

// SEMANTICS P1b, M3
TEST(Params, zeroedAndMayAlias) {
  EXPECT_EQ(signature(trace([](Zeroed<i32> count, MayAlias<f32> x, Ptr<f32> y) { store(x + load(count), load(y)); })),
            "@k(%arg0: !tile.ptr<i32> {tile.zeroed}, %arg1: !tile.ptr<f32> {tile.may_alias}, %arg2: !tile.ptr<f32>) {");
}

TEST(Params, alignedAndUnitFacts) {
  const auto body = [](Ptr<f32> x, Opt<Ptr<f32>>, Int stride, F32 s) { store(x + stride * 4, s); };
  const std::string text = trace(body, {"x", "y", "stride", "s"},
                                 {.present = {false}, .unit = {false, true}, .aligned = {true, true, true}});
  EXPECT_EQ(signature(text),
            "@k(%x: !tile.ptr<f32> {tile.multiple_of = 16 : i64}, %stride: i64 {tile.multiple_of = 16 : "
            "i64}, %s: f32) {");
  EXPECT_THAT(text, AllOf(HasSubstr("arith.constant 1 : i64"), Not(HasSubstr("muli %stride"))));
}

struct Inner {
  int lanes = 4;
  bool causal = false;
};
enum class Mode { plain, fused };
struct Config {
  int bm = 128;
  double eps = 0.5;
  DType dtype = f16;
  Mode mode = Mode::fused;
  std::array<int, 2> warps{4, 8};
  Inner inner;
};

TEST(Params, configsAreReflected) {
  EXPECT_EQ(detail::configText(Config{}),
            "{bm=128, eps=0.5, dtype=f16, mode=1, warps=[4, 8], inner={lanes=4, causal=false}}");
  EXPECT_EQ(detail::configText(NoConfig{}), "{}");
  EXPECT_THAT(detail::fieldNames<Config>, ElementsAre("bm", "eps", "dtype", "mode", "warps", "inner"));
  std::vector<std::string> names;
  detail::forEachField(Inner{}, [&](std::string_view name, const auto &) { names.emplace_back(name); });
  EXPECT_THAT(names, ElementsAre("lanes", "causal"));
}

TEST(Params, theConfigIsAStructWithoutTracedValues) {
  EXPECT_THAT(trace([](const Config &c, Ptr<f32> x) { store(x, c.inner.lanes); }, {}, {}, {.inner = {.lanes = 7}}),
              HasSubstr("7.0"));
  EXPECT_EQ(signature(trace([](const Weights &w, Int n) { store(w.data, n.to<f16>()); }, {"w"})),
            "@k(%w.data: !tile.ptr<f16>, %w.size.0: i64, %w.size.1: i64, %arg1: i64) {");
}

static void free_function(const Inner &c, Ptr<i32> out) { store(out, c.lanes); }

TEST(Params, functionsAreKernelsToo) { EXPECT_THAT(trace(&free_function), HasSubstr("arith.constant 4 : i32")); }
