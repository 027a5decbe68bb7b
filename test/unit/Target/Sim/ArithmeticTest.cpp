//===- ArithmeticTest.cpp - numbers on the simulated GPU ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Target/Sim/SimTest.h"

#include <bit>
#include <cmath>

namespace tessera::ir::sim {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

/// One lane's worth of text: `%x` is in[thread], what `%r` holds is put in out[thread].
std::string perThread(const std::string &type, const std::string &body) {
  return "define void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {\n"
         "  %t = call i32 @tessera.gpu.thread_id()\n"
         "  %p = getelementptr " +
         type +
         ", ptr addrspace(1) %in, i32 %t\n"
         "  %x = load " +
         type + ", ptr addrspace(1) %p\n" + body + "  %q = getelementptr " + type +
         ", ptr addrspace(1) %out, i32 %t\n"
         "  store " +
         type +
         " %r, ptr addrspace(1) %q\n"
         "  ret void\n}\n";
}

template <class T> std::vector<T> compute(const std::string &type, const std::string &body, std::vector<T> in) {
  in.resize(32);
  Trial run;
  run.buffer(in);
  run.buffer(std::vector<T>(32));
  EXPECT_EQ(run(perThread(type, body)), "");
  return run.values<T>(1);
}

TEST(SimArithmetic, integers) {
  EXPECT_EQ(compute<std::int32_t>("i32", "%r = mul i32 %x, -3\n", {7})[0], -21);
  EXPECT_EQ(compute<std::int32_t>("i32", "%r = sdiv i32 %x, 2\n", {-7})[0], -3);
  EXPECT_EQ(compute<std::int32_t>("i32", "%r = srem i32 %x, 2\n", {-7})[0], -1);
  EXPECT_EQ(compute<std::int32_t>("i32", "%r = ashr i32 %x, 1\n", {-7})[0], -4);
  EXPECT_EQ(compute<std::uint32_t>("i32", "%r = lshr i32 %x, 1\n", {0x80000000u})[0], 0x40000000u);
  EXPECT_EQ(compute<std::int8_t>("i8", "%r = add i8 %x, 100\n", {100})[0], -56);
  EXPECT_EQ(compute<std::uint32_t>(
                "i32", "%a = zext i32 %x to i64\n%b = mul i64 %a, %a\n%c = lshr i64 %b, 32\n%r = trunc i64 %c to i32\n",
                {0xffffffffu})[0],
            0xfffffffeu);
  EXPECT_EQ(compute<std::uint64_t>("i64",
                                   "%a = zext i64 %x to i128\n%b = mul i128 %a, %a\n%c = lshr i128 %b, 64\n"
                                   "%r = trunc i128 %c to i64\n",
                                   {~std::uint64_t(0)})[0],
            ~std::uint64_t(0) - 1);
}

TEST(SimArithmetic, comparisonsAndSelections) {
  EXPECT_EQ(compute<std::int32_t>("i32", "%c = icmp slt i32 %x, 0\n%r = select i1 %c, i32 1, i32 2\n", {-5})[0], 1);
  EXPECT_EQ(compute<std::int32_t>("i32", "%c = icmp ult i32 %x, 5\n%r = sext i1 %c to i32\n", {-5})[0], 0);
  EXPECT_EQ(compute<std::int32_t>("i32", "%c = icmp ugt i32 %x, 5\n%r = sext i1 %c to i32\n", {-5})[0], -1);
}

TEST(SimArithmetic, intrinsicsOfIntegers) {
  const std::string declarations = "";
  const auto call = [&](const std::string &name, const std::string &rest, std::uint32_t x) {
    Trial run;
    run.buffer(std::vector<std::uint32_t>(32, x));
    run.buffer(std::vector<std::uint32_t>(32));
    std::string parameters = "i32";
    for (char c : rest)
      parameters += c == ',' ? (rest.find("i1") != std::string::npos ? ", i1" : ", i32") : "";
    EXPECT_EQ(run("declare i32 @llvm." + name + ".i32(" + parameters + ")\n" +
                  perThread("i32", "%r = call i32 @llvm." + name + ".i32(i32 %x" + rest + ")\n")),
              "");
    return run.values<std::uint32_t>(1)[0];
  };
  EXPECT_EQ(call("ctpop", "", 0xf0f0u), 8u);
  EXPECT_EQ(call("ctlz", ", i1 false", 1u), 31u);
  EXPECT_EQ(call("ctlz", ", i1 false", 0u), 32u);
  EXPECT_EQ(call("cttz", ", i1 false", 8u), 3u);
  EXPECT_EQ(call("bswap", "", 0x01020304u), 0x04030201u);
  EXPECT_EQ(call("bitreverse", "", 1u), 0x80000000u);
  EXPECT_EQ(call("smax", ", i32 3", static_cast<std::uint32_t>(-1)), 3u);
  EXPECT_EQ(call("umax", ", i32 3", static_cast<std::uint32_t>(-1)), ~0u);
  EXPECT_EQ(call("usub.sat", ", i32 3", 1u), 0u);
  EXPECT_EQ(call("sadd.sat", ", i32 3", 0x7fffffffu), 0x7fffffffu);
  EXPECT_EQ(call("fshl", ", i32 0, i32 4", 0x12345678u), 0x23456780u);
}

TEST(SimArithmetic, floatsRoundOnce) {
  EXPECT_EQ(compute<float>("float", "%r = fdiv float %x, 3.0\n", {1.0f})[0], 1.0f / 3.0f);
  // 2048 + 1 is no f16; ties go to even.
  EXPECT_EQ(compute<std::uint16_t>("half", "%r = fadd half %x, 1.0\n", {0x6800})[0], 0x6800);
  EXPECT_EQ(compute<std::uint16_t>("half", "%r = fadd half %x, 3.0\n", {0x6800})[0], 0x6802);
  EXPECT_EQ(compute<std::uint16_t>("bfloat", "%r = fmul bfloat %x, %x\n", {0x4040})[0], 0x4110); // 3 * 3
  const std::uint16_t narrowed =
      compute<std::uint16_t>("half",
                             "%a = fpext half %x to double\n%b = fadd double %a, 0x3E50000000000000\n"
                             "%r = fptrunc double %b to half\n",
                             {0x3c00})[0];
  EXPECT_EQ(narrowed, 0x3c00);
  EXPECT_EQ(compute<float>("float", "%a = fptosi float %x to i32\n%r = sitofp i32 %a to float\n", {-2.75f})[0], -2.0f);
}

TEST(SimArithmetic, fmaRoundsOnce) {
  Trial run;
  run.buffer(std::vector<float>(32, 4097.0f));
  run.buffer(std::vector<float>(32));
  EXPECT_EQ(run("declare float @llvm.fma.f32(float, float, float)\n" +
                perThread("float", "%r = call float @llvm.fma.f32(float %x, float %x, float 0x3E10000000000000)\n")),
            "");
  EXPECT_THAT(run.values<float>(1), Each(16785410.0f));
}

TEST(SimArithmetic, fmaOfTheChipRoundsDownAndCuts) {
  const auto of = [](const std::string &opcode, const std::string &operands) {
    const std::string name = "@tessera.nv.fma." + opcode + ".f32";
    Trial run;
    run.buffer(std::vector<float>(32, -1.0f));
    run.buffer(std::vector<float>(32));
    EXPECT_EQ(run("declare float " + name + "(float, float, float)\n" +
                  perThread("float", "%r = call float " + name + "(" + operands + ")\n")),
              "");
    return run.values<float>(1)[0];
  };
  // 3 - 2^-30 lies just below 3, and -3 - 2^-30 just below -3.
  EXPECT_EQ(of("rn", "float 0x3E10000000000000, float %x, float 3.0"), 3.0f);
  EXPECT_EQ(of("rm", "float 0x3E10000000000000, float %x, float 3.0"), std::nextafter(3.0f, 0.0f));
  EXPECT_EQ(of("rm", "float 0x3E10000000000000, float %x, float -3.0"), std::nextafter(-3.0f, -4.0f));
  EXPECT_EQ(of("rm", "float 2.0, float %x, float 3.0"), 1.0f);
  EXPECT_EQ(of("rn.sat", "float 2.0, float %x, float 5.0"), 1.0f);
  EXPECT_EQ(of("rn.sat", "float 2.0, float %x, float 1.0"), 0.0f);
  EXPECT_EQ(of("rn.sat", "float 2.0, float %x, float 2.5"), 0.5f);
  EXPECT_EQ(of("rn.sat", "float 2.0, float %x, float 0x7FF8000000000000"), 0.0f);
}

TEST(SimArithmetic, comparisonsWithNan) {
  const float nan = std::nanf("");
  const auto is = [&](const std::string &predicate, float x) {
    return compute<float>("float", "%c = fcmp " + predicate + " float %x, 1.0\n%r = uitofp i1 %c to float\n", {x})[0];
  };
  EXPECT_EQ(is("olt", nan), 0.0f);
  EXPECT_EQ(is("ult", nan), 1.0f);
  EXPECT_EQ(is("une", nan), 1.0f);
  EXPECT_EQ(is("one", nan), 0.0f);
  EXPECT_EQ(is("oeq", 1.0f), 1.0f);
  EXPECT_EQ(is("ogt", 2.0f), 1.0f);
}

TEST(SimArithmetic, vectorsAreTakenApart) {
  EXPECT_EQ(compute<std::uint32_t>("i32",
                                   "%v = bitcast i32 %x to <2 x i16>\n"
                                   "%w = shufflevector <2 x i16> %v, <2 x i16> poison, <2 x i32> <i32 1, i32 0>\n"
                                   "%e = extractelement <2 x i16> %w, i32 0\n%f = add i16 %e, 1\n"
                                   "%u = insertelement <2 x i16> %w, i16 %f, i32 0\n"
                                   "%r = bitcast <2 x i16> %u to i32\n",
                                   {0x00020001u})[0],
            0x00010003u);
}

TEST(SimArithmetic, divisionByZeroIsAFault) {
  Trial run;
  run.buffer(std::vector<std::int32_t>(32, 1));
  run.buffer(std::vector<std::int32_t>(32));
  EXPECT_THAT(run(perThread("i32", "%z = sub i32 %x, 1\n%r = sdiv i32 5, %z\n")), HasSubstr("`sdiv` divides by zero"));
}

TEST(SimArithmetic, unknownIsRefusedByName) {
  Trial run;
  run.buffer(std::vector<std::int32_t>(32));
  run.buffer(std::vector<std::int32_t>(32));
  EXPECT_THAT(run(perThread("i32", "%a = alloca i32\n%r = load i32, ptr %a\n")),
              HasSubstr("refused: `alloca` of type ptr"));
  EXPECT_THAT(run("declare i32 @tessera.nv.frobnicate.b32(i32)\n" +
                  perThread("i32", "%r = call i32 @tessera.nv.frobnicate.b32(i32 %x)\n")),
              HasSubstr("refused: `tessera.nv.frobnicate.b32`"));
  EXPECT_THAT(run(perThread("i32", "%a = trunc i32 %x to i7\n%r = zext i7 %a to i32\n")),
              HasSubstr("refused: `trunc`"));
}

TEST(SimArithmetic, tables) {
  Trial run;
  run.buffer(std::vector<std::int32_t>{3, 2, 1, 0});
  run.buffers.back().resize(128);
  run.buffer(std::vector<std::int32_t>(32));
  EXPECT_EQ(run("@table = private constant [4 x i32] [i32 10, i32 20, i32 30, i32 40]\n" +
                perThread("i32", "%g = getelementptr [4 x i32], ptr @table, i32 0, i32 %x\n%r = load i32, ptr %g\n")),
            "");
  EXPECT_THAT(run.values<std::int32_t>(1)[0], 40);
}

TEST(SimArithmetic, natives) {
  Trial run;
  run.buffer(std::vector<float>(32, 3.0f));
  run.buffer(std::vector<float>(32));
  EXPECT_EQ(run("declare float @tessera.nv.ex2.approx.ftz.f32(float)\n" +
                perThread("float", "%r = call float @tessera.nv.ex2.approx.ftz.f32(float %x)\n")),
            "");
  EXPECT_THAT(run.values<float>(1), Each(8.0f));
  run.buffers.clear();
  run.buffer(std::vector<float>(32, 3.0f));
  run.buffer(std::vector<float>(32));
  EXPECT_EQ(run("declare i32 @tessera.nv.cvt.rn.f16x2.f32(float, float)\n" +
                perThread("float", "%a = call i32 @tessera.nv.cvt.rn.f16x2.f32(float %x, float 1.0)\n"
                                   "%r = bitcast i32 %a to float\n")),
            "");
  EXPECT_EQ(run.values<std::uint32_t>(1)[0], 0x42003c00u);
}

} // namespace
} // namespace tessera::ir::sim
