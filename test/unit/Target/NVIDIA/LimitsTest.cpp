//===- LimitsTest.cpp - whether a kernel fits its chip --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/NVIDIA/Limits.h"
#include "unit/Target/NVIDIA/Compile.h"

#include <gmock/gmock.h>

using namespace tessera;
using namespace tessera::test;
using namespace ir::nvidia;
using testing::HasSubstr;

namespace {

rt::Image image(std::uint32_t threads, std::uint32_t shared) {
  rt::Image image;
  image.threadsPerProgram = threads;
  image.sharedBytes = shared;
  return image;
}

CubinFacts facts(std::uint32_t registers, std::uint32_t shared = 0) {
  CubinFacts facts;
  facts.registers = registers;
  facts.staticSharedBytes = shared;
  return facts;
}

} // namespace

TEST(NvidiaLimits, sharedMemory) {
  const arch::Chip &ampere = nvidiaChip("sm_86");
  EXPECT_EQ(brokenLimit(image(128, 99 * 1024), ampere), "");
  EXPECT_EQ(
      brokenLimit(image(128, 99 * 1024 + 16), ampere),
      "needs 101392 bytes of shared memory; a program has at most 101376 on sm_86; smaller blocks or fewer stages "
      "need less");
  EXPECT_EQ(brokenLimit(image(128, 99 * 1024 + 16), nvidiaChip("sm_80")), "");
  // What the binary has by itself counts too.
  EXPECT_EQ(brokenLimit(image(128, 98 * 1024), facts(32, 1024), ampere), "");
  EXPECT_THAT(brokenLimit(image(128, 99 * 1024), facts(32, 16), ampere), HasSubstr("needs 101392 bytes"));
}

TEST(NvidiaLimits, threads) {
  EXPECT_EQ(brokenLimit(image(1024, 0), nvidiaChip("sm_80")), "");
  EXPECT_THAT(brokenLimit(image(2048, 0), nvidiaChip("sm_80")),
              HasSubstr("needs 2048 threads; a program has at most 1024 on sm_80"));
}

TEST(NvidiaLimits, registersComeInPortions) {
  const arch::Chip &chip = nvidiaChip("sm_90a");
  EXPECT_EQ(brokenLimit(image(1024, 0), facts(64), chip), "");
  EXPECT_EQ(brokenLimit(image(256, 0), facts(255), chip), ""); // 8 warps of 8192
  EXPECT_THAT(brokenLimit(image(1024, 0), facts(65), chip),
              HasSubstr("needs 65 registers in each of 1024 threads; a multiprocessor of sm_90a has 65536"));
}

TEST(NvidiaLimits, parametersMustBeTheArguments) {
  rt::Image kernel = image(128, 0);
  rt::Argument x, flag;
  x.kind = rt::ArgumentKind::Pointer;
  x.dtype = f32;
  x.name = "x";
  flag.dtype = i1;
  flag.name = "flag";
  kernel.arguments = {x, flag};
  CubinFacts binary = facts(32);
  EXPECT_EQ(parameterMismatch(kernel, binary), "the cubin has 0 parameters, the image 2 arguments");
  binary.parameters = {{0, 0, 8}, {1, 8, 1}};
  EXPECT_EQ(parameterMismatch(kernel, binary), "");
  binary.parameters[1].bytes = 4;
  EXPECT_EQ(parameterMismatch(kernel, binary),
            "parameter 1 of the cubin takes 4 bytes, argument `flag` of the image 1");
}

TEST(NvidiaLimits, factsAreThoseOfTheBinary) {
  rt::Image kernel = image(128, 1000);
  CubinFacts binary = facts(40, 24);
  binary.localStores.byWidth[4] = 3;
  binary.stackBytes = 48;
  binary.globalLoads.byWidth[4] = 2;
  binary.globalLoads.byWidth[2] = 1;
  setFacts(kernel, binary, nvidiaChip("sm_90a"));
  EXPECT_EQ(*kernel.fact("registers"), "40");
  EXPECT_EQ(*kernel.fact("spill_bytes"), "48");
  EXPECT_EQ(*kernel.fact("stack_bytes"), "48");
  EXPECT_EQ(*kernel.fact("shared_bytes"), "1024");
  EXPECT_EQ(*kernel.fact("global_loads"), "2 of 16 bytes, 1 of 4 bytes");
  EXPECT_EQ(kernel.fact("global_stores"), nullptr);
  EXPECT_EQ(kernel.fact("flat_accesses"), nullptr);
  EXPECT_EQ(kernel.staticSharedBytes, 24u);
}
