//===- LimitsTest.cpp - whether a kernel fits its chip --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/AMD/Limits.h"
#include "unit/Target/AMD/Compile.h"

#include <gmock/gmock.h>

using namespace tessera;
using namespace tessera::test;
using namespace ir::amd;
using testing::HasSubstr;

namespace {

rt::Image image(std::uint32_t threads, std::uint32_t shared) {
  rt::Image image;
  image.threadsPerProgram = threads;
  image.sharedBytes = shared;
  return image;
}

CodeObjectFacts facts(std::uint32_t registers, std::uint32_t shared = 0) {
  CodeObjectFacts facts;
  facts.registers = registers;
  facts.sharedBytes = shared;
  facts.threads = 128;
  facts.warpSize = 64;
  return facts;
}

} // namespace

TEST(AmdLimits, sharedMemory) {
  const arch::Chip &chip = amdChip("gfx942");
  EXPECT_EQ(brokenLimit(image(128, 64 * 1024), chip), "");
  EXPECT_EQ(brokenLimit(image(128, 64 * 1024 + 16), chip),
            "needs 65552 bytes of shared memory; a program has at most 65536 on gfx942; smaller blocks or fewer stages "
            "need less");
  EXPECT_EQ(brokenLimit(image(128, 160 * 1024), amdChip("gfx950")), "");
  EXPECT_THAT(brokenLimit(image(128, 0), facts(32, 65552), chip), HasSubstr("needs 65552 bytes"));
}

TEST(AmdLimits, threads) {
  EXPECT_EQ(brokenLimit(image(1024, 0), amdChip("gfx1100")), "");
  EXPECT_THAT(brokenLimit(image(2048, 0), amdChip("gfx1100")),
              HasSubstr("needs 2048 threads; a program has at most 1024 on gfx1100"));
}

TEST(AmdLimits, registers) {
  const arch::Chip &chip = amdChip("gfx942");
  EXPECT_EQ(brokenLimit(image(1024, 0), facts(128), chip), "");
  EXPECT_EQ(brokenLimit(image(256, 0), facts(512), chip), "");
  EXPECT_EQ(brokenLimit(image(1024, 0), facts(129), chip),
            "needs 129 registers in each of 1024 threads; a compute unit of gfx942 has 131072; lower num_warps or set "
            "max_registers");
}

TEST(AmdLimits, whatIsLaunchedIsWhatWasCompiled) {
  const arch::Chip &chip = amdChip("gfx942");
  rt::Image kernel = image(128, 0);
  rt::Argument x, flag;
  x.kind = rt::ArgumentKind::Pointer;
  x.dtype = f32;
  x.name = "x";
  flag.dtype = i1;
  flag.name = "flag";
  kernel.arguments = {flag, x};
  kernel.layOut();
  CodeObjectFacts binary = facts(32);
  EXPECT_EQ(mismatch(kernel, binary, chip), "the code object has 0 parameters, the image 2 arguments");
  binary.parameters = {{0, 1}, {8, 8}};
  EXPECT_EQ(mismatch(kernel, binary, chip), "");
  binary.parameters[1].offset = 4;
  EXPECT_EQ(mismatch(kernel, binary, chip),
            "parameter 1 of the code object takes 8 bytes at 4, argument `x` of the image 8 at 8");
  binary.parameters[1].offset = 8;
  binary.warpSize = 32;
  EXPECT_THAT(mismatch(kernel, binary, chip), HasSubstr("128 threads in warps of 32"));
}

TEST(AmdLimits, factsAreThoseOfTheBinary) {
  rt::Image kernel = image(256, 1000);
  CodeObjectFacts binary = facts(168, 1024);
  binary.accumulators = 40;
  binary.scalarRegisters = 30;
  binary.spilledRegisters = 3;
  binary.stackBytes = 16;
  setFacts(kernel, binary, amdChip("gfx942"));
  EXPECT_EQ(*kernel.fact("registers"), "168");
  EXPECT_EQ(*kernel.fact("accumulators"), "40");
  EXPECT_EQ(*kernel.fact("scalar_registers"), "30");
  EXPECT_EQ(*kernel.fact("spill_bytes"), "12");
  EXPECT_EQ(*kernel.fact("stack_bytes"), "16");
  EXPECT_EQ(*kernel.fact("shared_bytes"), "1024");
  EXPECT_EQ(kernel.fact("spilled_scalars"), nullptr);
  // Three waves of 168 registers on each of four units are three programs of four waves.
  EXPECT_EQ(*kernel.fact("programs_per_core"), "3");
  // The code object has its own shared memory; a launch asks for none.
  EXPECT_EQ(kernel.sharedBytes, 0u);
  EXPECT_EQ(kernel.staticSharedBytes, 1024u);
}
