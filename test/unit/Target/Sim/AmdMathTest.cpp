//===- AmdMathTest.cpp - AMD's instructions on numbers --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Target/Sim/SimTest.h"

#include <bit>
#include <cmath>
#include <limits>

namespace tessera::ir::sim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// `%x` is in[thread] of the first buffer; what `%r`, of type \p type, holds is put in out[thread].
std::string perThread(const std::string &type, const std::string &body) {
  return "declare float @tessera.amd.exp2(float)\ndeclare float @tessera.amd.log(float)\n"
         "declare float @tessera.amd.rsq(float)\ndeclare float @tessera.amd.sin(float)\n"
         "declare float @tessera.amd.fract(float)\ndeclare float @tessera.amd.fdiv.fast(float, float)\n"
         "declare float @tessera.amd.fmed3(float, float, float)\ndeclare float @llvm.ldexp.f32.i32(float, i32)\n"
         "declare i32 @tessera.amd.cvt.pk.fp8.f32(float, float, i32, i1)\n"
         "declare i32 @tessera.amd.cvt.pk.bf8.f32(float, float, i32, i1)\n"
         "declare float @tessera.amd.cvt.f32.fp8(i32, i32)\n"
         "declare <2 x half> @tessera.amd.cvt.pkrtz(float, float)\n"
         "declare <2 x float> @tessera.amd.cvt.pk.f32.bf8(i32, i1)\n"
         "define void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {\n"
         "  %t = call i32 @tessera.gpu.thread_id()\n"
         "  %p = getelementptr float, ptr addrspace(1) %in, i32 %t\n"
         "  %x = load float, ptr addrspace(1) %p\n" +
         body + "  %q = getelementptr i32, ptr addrspace(1) %out, i32 %t\n  store " + type +
         " %r, ptr addrspace(1) %q\n  ret void\n}\n";
}

template <class T>
std::vector<T> compute(const std::string &type, const std::string &body, std::vector<float> in, bool hasFnuz = false) {
  const std::size_t count = in.size();
  in.resize(32);
  Trial run;
  run.machine.hasFnuz = hasFnuz;
  run.buffer(in);
  run.buffer(std::vector<T>(32));
  EXPECT_EQ(run(perThread(type, body)), "");
  std::vector<T> out = run.values<T>(1);
  out.resize(count);
  return out;
}
std::vector<float> unary(const std::string &name, const std::vector<float> &in) {
  return compute<float>("float", "%r = call float @tessera.amd." + name + "(float %x)\n", in);
}

TEST(SimAmdMath, approximationsAreOffByLessThanAUnit) {
  std::vector<float> in;
  for (int i = 0; i != 32; ++i)
    in.push_back(0.1f + 0.37f * static_cast<float>(i));
  const std::vector<float> out = unary("exp2", in);
  int misrounded = 0;
  for (std::size_t i = 0; i != in.size(); ++i) {
    const double exact = std::exp2(static_cast<double>(in[i]));
    EXPECT_LT(std::fabs(out[i] - exact), std::ldexp(1.0, std::ilogb(exact) - 23));
    misrounded += out[i] != static_cast<float>(exact);
  }
  EXPECT_GT(misrounded, 5) << "tests are to see an error";
  EXPECT_LT(misrounded, 27);
}

TEST(SimAmdMath, exactValuesStay) {
  EXPECT_THAT(unary("exp2", {3, -4, 0, kInfinity, -kInfinity, 200}),
              ElementsAre(8, 0.0625f, 1, kInfinity, 0, kInfinity));
  EXPECT_THAT(unary("log", {8, 1, 0, kInfinity}), ElementsAre(3, 0, -kInfinity, kInfinity));
  EXPECT_THAT(unary("rsq", {4, 0, -0.0f, kInfinity}), ElementsAre(0.5f, kInfinity, -kInfinity, 0));
  EXPECT_TRUE(std::isnan(unary("rsq", {-1})[0]));
  EXPECT_TRUE(std::isnan(unary("exp2", {std::nanf("")})[0]));
  EXPECT_EQ(compute<float>("float", "%r = call float @tessera.amd.fdiv.fast(float 6.0, float %x)\n", {2})[0], 3);
}

TEST(SimAmdMath, denormalsAreZeros) {
  EXPECT_THAT(unary("exp2", {-126, -126.5f, 0x1p-140f}), ElementsAre(0x1p-126f, 0, 1));
  EXPECT_THAT(unary("log", {0x1p-126f, 0x1p-127f}), ElementsAre(-126, -kInfinity));
}

TEST(SimAmdMath, anglesAreFewTurns) {
  EXPECT_EQ(unary("sin", {0.25f})[0], 1);
  EXPECT_TRUE(std::isnan(unary("sin", {300})[0]));
  EXPECT_THAT(unary("fract", {2.75f, -0.25f, -1e-20f}), ElementsAre(0.75f, 0.75f, 0x1.fffffep-1f));
}

TEST(SimAmdMath, medianOfNaNIsALeastNumber) {
  EXPECT_THAT(compute<float>("float", "%r = call float @tessera.amd.fmed3(float %x, float -2.0, float 5.0)\n",
                             {-9, 1, 9, std::nanf(""), kInfinity}),
              ElementsAre(-2, 1, 5, -2, 5));
}

TEST(SimAmdMath, scalesByPowersOfTwo) {
  EXPECT_THAT(compute<float>("float", "%r = call float @llvm.ldexp.f32.i32(float %x, i32 -140)\n",
                             {1, 0x1.8p-9f, 3, kInfinity}),
              ElementsAre(0x1p-140f, 0x1p-148f, 0x1.8p-139f, kInfinity));
}

TEST(SimAmdMath, packsHalvesOfAWord) {
  const auto pack = [](const std::string &type, const char *upper) {
    return "%r = call i32 @tessera.amd.cvt.pk." + type + ".f32(float %x, float 1.0, i32 287454020, i1 " + upper + ")\n";
  };
  EXPECT_THAT(compute<std::uint32_t>("i32", pack("fp8", "false"), {-2}), ElementsAre(0x112238c0u));
  EXPECT_THAT(compute<std::uint32_t>("i32", pack("fp8", "true"), {-2}), ElementsAre(0x38c03344u));
  EXPECT_THAT(compute<std::uint32_t>("i32", pack("fp8", "true"), {-2, -0.0f}, true),
              ElementsAre(0x40c83344u, 0x40003344u));
  EXPECT_THAT(compute<std::uint32_t>("i32", pack("bf8", "false"), {-2, kInfinity}),
              ElementsAre(0x11223cc0u, 0x11223c7cu));
}

TEST(SimAmdMath, packsTowardZero) {
  EXPECT_THAT(compute<std::uint32_t>("i32",
                                     "%h = call <2 x half> @tessera.amd.cvt.pkrtz(float %x, float -2.0)\n"
                                     "%r = bitcast <2 x half> %h to i32\n",
                                     {1, 0x1.ffffp0f, -0x1.ffffp-1f, 70000, kInfinity, 0x1p-25f, 0x1.8p-24f}),
              ElementsAre(0xc0003c00u, 0xc0003fffu, 0xc000bbffu, 0xc0007bffu, 0xc0007c00u, 0xc0000000u, 0xc0000001u));
}

TEST(SimAmdMath, whatIsTooLargeHangsOnAMode) {
  const auto low = [](const std::string &type, float x, bool hasFnuz) {
    return compute<std::uint32_t>(
        "i32", "%r = call i32 @tessera.amd.cvt.pk." + type + ".f32(float %x, float 0.0, i32 0, i1 false)\n", {x},
        hasFnuz)[0];
  };
  EXPECT_EQ(low("fp8", 464, false), 0x7eu);
  EXPECT_EQ(low("fp8", 465, false), 0x55u);
  EXPECT_EQ(low("fp8", kInfinity, false), 0x55u);
  EXPECT_EQ(low("fp8", 247, true), 0x7fu);
  EXPECT_EQ(low("fp8", 248, true), 0x55u);
  EXPECT_EQ(low("bf8", 61440, false), 0x55u);
  EXPECT_EQ(low("fp8", std::nanf(""), true), 0x80u);
}

TEST(SimAmdMath, unpacksBytes) {
  EXPECT_THAT(compute<float>("float",
                             "%w = bitcast float %x to i32\n%r = call float @tessera.amd.cvt.f32.fp8(i32 %w, i32 2)\n",
                             {std::bit_cast<float>(0x11c02233)}),
              ElementsAre(-2));
  EXPECT_THAT(compute<float>("float",
                             "%w = bitcast float %x to i32\n"
                             "%b = call <2 x float> @tessera.amd.cvt.pk.f32.bf8(i32 %w, i1 true)\n"
                             "%l = extractelement <2 x float> %b, i32 0\n%h = extractelement <2 x float> %b, i32 1\n"
                             "%r = fsub float %h, %l\n",
                             {std::bit_cast<float>(0x3cc00000)}),
              ElementsAre(3));
}

TEST(SimAmdMath, refusesWhatThereIsNot) {
  const auto refusal = [](const std::string &declaration, const std::string &body) {
    Trial run;
    run.buffer(std::vector<float>(32));
    run.buffer(std::vector<float>(32));
    return run(declaration + perThread("float", body));
  };
  EXPECT_THAT(
      refusal("declare float @tessera.amd.frobnicate(float)\n", "%r = call float @tessera.amd.frobnicate(float %x)\n"),
      HasSubstr("refused: `tessera.amd.frobnicate`"));
  EXPECT_THAT(refusal("declare double @tessera.amd.rcp(double)\n",
                      "%d = fpext float %x to double\n%s = call double @tessera.amd.rcp(double %d)\n"
                      "%r = fptrunc double %s to float\n"),
              HasSubstr("it has other registers"));
}

} // namespace
} // namespace tessera::ir::sim
