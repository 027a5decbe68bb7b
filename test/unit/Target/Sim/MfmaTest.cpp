//===- MfmaTest.cpp - AMD's matrix instructions on the simulated GPU ------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Each instruction multiplies matrices that lanes load as AMD's documents have them.
//
//===---------------------------------------------------------------------===//

#include "Target/Interp/Float.h"
#include "unit/Layout/AmdFragments.h"
#include "unit/Target/Sim/SimTest.h"

#include <fmt/format.h>

#include <cstring>

namespace tessera::ir::sim {
namespace {

using testing::HasSubstr;
namespace fragments = tessera::layout::test;

/// An instruction: what a lane gives and gets, in LLVM's types.
struct Instruction {
  std::string name, operand, result;
  int side, k, lanes;
  fragments::PlaceOf places, results;
  std::string numbers;         ///< "f16": what the operands are
  std::string numbersOfB = {}; ///< the same of B, if it differs
};

template <class T> void append(std::vector<std::byte> &bytes, T value) {
  const auto *first = reinterpret_cast<const std::byte *>(&value);
  bytes.insert(bytes.end(), first, first + sizeof value);
}

/// The small whole number \p x as one of \p type.
void put(std::vector<std::byte> &bytes, const std::string &type, int x) {
  if (type == "f16")
    append(bytes, interp::fromDouble<interp::F16>(x));
  else if (type == "bf16")
    append(bytes, interp::fromDouble<interp::BF16>(x));
  else if (type == "e4m3")
    append(bytes, interp::fromDouble<interp::E4M3>(x));
  else if (type == "e5m2")
    append(bytes, interp::fromDouble<interp::E5M2>(x));
  else if (type == "e4m3fnuz")
    append(bytes, interp::fromDouble<interp::E4M3Fnuz>(x));
  else if (type == "e5m2fnuz")
    append(bytes, interp::fromDouble<interp::E5M2Fnuz>(x));
  else if (type == "i8")
    append(bytes, static_cast<std::int8_t>(x));
  else if (type == "f32")
    append(bytes, static_cast<float>(x));
  else
    append(bytes, static_cast<double>(x));
}

int atA(int row, int k) { return (row * 7 + k * 3) % 7 - 3; }
int atB(int k, int column) { return (k * 5 + column * 2) % 7 - 2; }
int atC(int row, int column) { return (row + 3 * column) % 5; }

bool isInteger(const Instruction &i) { return i.result.find("i32") != std::string::npos; }
bool isWide(const Instruction &i) { return i.result.find("double") != std::string::npos; }

/// A kernel whose lanes load their parts of A, B and C one after another, multiply, and store the result.
std::string kernelOf(const Instruction &i, int operandBytes, int resultBytes) {
  const bool isWmma = i.name.starts_with("wmma"), hasFlags = isWmma && isInteger(i);
  std::string call = fmt::format("{0} %x, {0} %y, {1} %z", i.operand, i.result),
              types = fmt::format("{0}, {0}, {1}", i.operand, i.result);
  if (i.name.ends_with("f8f6f4")) {
    const auto format = [](const std::string &numbers) { return numbers == "e5m2" ? 1 : 0; };
    call += fmt::format(", i32 {}, i32 {}, i32 0, i32 0, i32 0, i32 0", format(i.numbers), format(i.numbersOfB));
    types += ", i32, i32, i32, i32, i32, i32";
  } else if (hasFlags) {
    call = fmt::format("i1 1, {0} %x, i1 1, {0} %y, {1} %z, i1 0", i.operand, i.result);
    types = fmt::format("i1, {0}, i1, {0}, {1}, i1", i.operand, i.result);
  } else if (!isWmma) {
    call += ", i32 0, i32 0, i32 0";
    types += ", i32, i32, i32";
  }
  return fmt::format(R"(
declare {1} @tessera.amd.{2}({3})
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c) {{
  %l = call i32 @tessera.gpu.lane_id()
  %o = mul i32 %l, {5}
  %q = mul i32 %l, {6}
  %pa = getelementptr i8, ptr addrspace(1) %a, i32 %o
  %pb = getelementptr i8, ptr addrspace(1) %b, i32 %o
  %pc = getelementptr i8, ptr addrspace(1) %c, i32 %q
  %x = load {0}, ptr addrspace(1) %pa, align 1
  %y = load {0}, ptr addrspace(1) %pb, align 1
  %z = load {1}, ptr addrspace(1) %pc, align 1
  %r = call {1} @tessera.amd.{2}({4})
  store {1} %r, ptr addrspace(1) %pc, align 1
  ret void
}}
)",
                     i.operand, i.result, i.name, types, call, operandBytes, resultBytes);
}

/// What is wrong with the product that comes out; empty if nothing is.
std::string problemOf(const Instruction &i, Sabotage sabotage = {}) {
  const bool hasCopies = i.places(0, i.side).column == 0;
  const int results = i.side * i.side / i.lanes, elements = hasCopies ? i.k : i.side * i.k / i.lanes;
  std::vector<std::byte> a, b, c;
  for (int lane = 0; lane != i.lanes; ++lane) {
    for (int e = 0; e != elements; ++e) {
      const fragments::Place place = i.places(e, lane);
      put(a, i.numbers, atA(place.row, place.column));
      put(b, i.numbersOfB.empty() ? i.numbers : i.numbersOfB, atB(place.column, place.row));
    }
    for (int r = 0; r != results; ++r) {
      const fragments::Place place = i.results(r, lane);
      const int number = atC(place.row, place.column);
      if (isInteger(i))
        append(c, number);
      else
        put(c, isWide(i) ? "f64" : "f32", number);
    }
  }
  Trial run;
  run.machine = {.warpSize = static_cast<unsigned>(i.lanes), .hasFnuz = i.numbers.ends_with("fnuz")};
  run.request.threads = static_cast<unsigned>(i.lanes);
  run.request.sabotage = sabotage;
  const int operandBytes = static_cast<int>(a.size()) / i.lanes, resultBytes = static_cast<int>(c.size()) / i.lanes;
  run.buffer(a);
  run.buffer(b);
  run.buffer(c);
  if (const std::string faults = run(kernelOf(i, operandBytes, resultBytes)); !faults.empty())
    return faults;
  for (int lane = 0; lane != i.lanes; ++lane)
    for (int r = 0; r != results; ++r) {
      const fragments::Place place = i.results(r, lane);
      int wanted = atC(place.row, place.column);
      for (int k = 0; k != i.k; ++k)
        wanted += atA(place.row, k) * atB(k, place.column);
      const auto at = static_cast<std::size_t>(lane * results + r);
      const double got = isInteger(i) ? run.values<std::int32_t>(2)[at]
                         : isWide(i)  ? run.values<double>(2)[at]
                                      : static_cast<double>(run.values<float>(2)[at]);
      if (got != wanted)
        return fmt::format("register {} of lane {} is {} rather than {}", r, lane, got, wanted);
    }
  return "";
}

std::vector<Instruction> instructions() {
  using namespace fragments;
  const std::string f4 = "<4 x float>", f16 = "<16 x float>", i4 = "<4 x i32>", i16 = "<16 x i32>";
  return {
      {"mfma.f32.32x32x8f16", "<4 x half>", f16, 32, 8, 64, neighbours(32, 4), mfma32x32, "f16"},
      {"mfma.f32.16x16x16f16", "<4 x half>", f4, 16, 16, 64, neighbours(16, 4), mfma16x16, "f16"},
      {"mfma.f32.32x32x16.f16", "<8 x half>", f16, 32, 16, 64, neighbours(32, 8), mfma32x32, "f16"},
      {"mfma.f32.32x32x8bf16.1k", "<4 x i16>", f16, 32, 8, 64, neighbours(32, 4), mfma32x32, "bf16"},
      {"mfma.f32.16x16x32.bf16", "<8 x bfloat>", f4, 16, 32, 64, neighbours(16, 8), mfma16x16, "bf16"},
      {"mfma.i32.32x32x8i8", "i32", i16, 32, 8, 64, neighbours(32, 4), mfma32x32, "i8"},
      {"mfma.i32.16x16x16i8", "i32", i4, 16, 16, 64, neighbours(16, 4), mfma16x16, "i8"},
      {"mfma.i32.16x16x32.i8", "i64", i4, 16, 32, 64, neighbours(16, 8), mfma16x16, "i8"},
      {"mfma.i32.32x32x32.i8", "<4 x i32>", i16, 32, 32, 64, neighbours(32, 16), mfma32x32, "i8"},
      {"mfma.f32.16x16x32.fp8.bf8", "i64", f4, 16, 32, 64, neighbours(16, 8), mfma16x16, "e4m3", "e5m2"},
      {"mfma.f32.32x32x16.bf8.fp8", "i64", f16, 32, 16, 64, neighbours(32, 8), mfma32x32, "e5m2fnuz", "e4m3fnuz"},
      {"mfma.scale.f32.16x16x128.f8f6f4", "<8 x i32>", f4, 16, 128, 64, neighbours(16, 32), mfma16x16, "e4m3", "e5m2"},
      {"mfma.scale.f32.32x32x64.f8f6f4", "<8 x i32>", f16, 32, 64, 64, neighbours(32, 32), mfma32x32, "e5m2", "e5m2"},
      {"mfma.f32.32x32x2f32", "float", f16, 32, 2, 64, neighbours(32, 1), mfma32x32, "f32"},
      {"mfma.f32.16x16x4f32", "float", f4, 16, 4, 64, neighbours(16, 1), mfma16x16, "f32"},
      {"mfma.f32.32x32x4.xf32", "<2 x float>", f16, 32, 4, 64, neighbours(32, 2), mfma32x32, "f32"},
      {"mfma.f32.16x16x8.xf32", "<2 x float>", f4, 16, 8, 64, neighbours(16, 2), mfma16x16, "f32"},
      {"mfma.f64.16x16x4f64", "double", "<4 x double>", 16, 4, 64, neighbours(16, 1), mfmaF64, "f64"},
      {"wmma.f32.16x16x16.f16", "<16 x half>", "<8 x float>", 16, 16, 32, wmmaOperandGfx11, wmmaGfx11, "f16"},
      {"wmma.f32.16x16x16.bf16", "<16 x i16>", "<8 x float>", 16, 16, 32, wmmaOperandGfx11, wmmaGfx11, "bf16"},
      {"wmma.i32.16x16x16.iu8", "<4 x i32>", "<8 x i32>", 16, 16, 32, wmmaOperandGfx11, wmmaGfx11, "i8"},
      {"wmma.f32.16x16x16.f16", "<8 x half>", "<8 x float>", 16, 16, 32, wmmaHalvesGfx12, wmmaGfx12, "f16"},
      {"wmma.f32.16x16x16.bf16", "<8 x i16>", "<8 x float>", 16, 16, 32, wmmaHalvesGfx12, wmmaGfx12, "bf16"},
      {"wmma.i32.16x16x16.iu8", "<2 x i32>", "<8 x i32>", 16, 16, 32, neighbours(16, 8), wmmaGfx12, "i8"},
      {"wmma.f32.16x16x16.bf8.fp8", "<2 x i32>", "<8 x float>", 16, 16, 32, neighbours(16, 8), wmmaGfx12, "e5m2",
       "e4m3"}};
}

TEST(SimMfma, fragmentsAreThoseOfTheDocuments) {
  for (const Instruction &each : instructions())
    EXPECT_EQ(problemOf(each), "") << each.name << " of " << each.operand;
}

TEST(SimMfma, misorderedFragmentsAreSeen) {
  Sabotage sabotage;
  sabotage.misorderFragment = true;
  for (const Instruction &each : instructions())
    EXPECT_THAT(problemOf(each, sabotage), HasSubstr("rather than")) << each.name << " of " << each.operand;
}

TEST(SimMfma, halvesOfAWarpMustHoldCopies) {
  const auto otherRow = [](int e, int lane) -> fragments::Place { return {(lane + lane / 16) % 16, e}; };
  const Instruction broken{"wmma.f32.16x16x16.f16", "<16 x half>", "<8 x float>", 16, 16, 32, otherRow,
                           fragments::wmmaGfx11,    "f16"};
  EXPECT_THAT(problemOf(broken), HasSubstr("another row"));
}

TEST(SimMfma, whatIsNotKnownIsRefused) {
  const std::vector<Instruction> all = instructions();
  for (const char *name : {"mfma.f32.32x32x4f16", "mfma.f32.16x32x16f16", "mfma.f16.16x16x16f16", "mfma.f32.16x16x16i8",
                           "mfma.f32.16x16x32.fp8.f16", "mfma.f32.4x4x4f16", "mfma.f32"}) {
    Instruction other = all[1];
    other.name = name;
    EXPECT_THAT(problemOf(other), HasSubstr("refused")) << name;
  }
  Instruction narrow = all[1];
  narrow.lanes = 32;
  EXPECT_THAT(problemOf(narrow), HasSubstr("refused"));
}

} // namespace
} // namespace tessera::ir::sim
