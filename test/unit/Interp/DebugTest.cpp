//===- DebugTest.cpp - printing, checking, target assembly ------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Interp/TileCase.h"
#include "unit/PrintedLines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::ir::interp {
namespace {

using test::PrintedLines;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// SEMANTICS L3: program id, coordinates and value.
TEST(Print, programCoordinatesAndValue) {
  TestKernel kernel(R"(tile.kernel @k() {
    %pid = tile.program_id x
    %lane = tile.arange 0 to 4 : tensor<4xi32>
    %block = tile.reshape %lane : tensor<4xi32> -> tensor<2x2xi32>
    tile.print "here" %pid, %block names ["pid", "lane"] : i64, tensor<2x2xi32> loc("kernel.cpp":4:3)
    tile.return
  })");
  PrintedLines printed;
  expectNoFaults(kernel.run({2, 1, 1}));
  EXPECT_THAT(printed.lines, ElementsAre("kernel.cpp:4:3: here pid = 0, lane = 0 in program (0, 0, 0) at (0, 0)",
                                         "kernel.cpp:4:3: here pid = 0, lane = 1 in program (0, 0, 0) at (0, 1)",
                                         "kernel.cpp:4:3: here pid = 0, lane = 2 in program (0, 0, 0) at (1, 0)",
                                         "kernel.cpp:4:3: here pid = 0, lane = 3 in program (0, 0, 0) at (1, 1)",
                                         "kernel.cpp:4:3: here pid = 1, lane = 0 in program (1, 0, 0) at (0, 0)",
                                         "kernel.cpp:4:3: here pid = 1, lane = 1 in program (1, 0, 0) at (0, 1)",
                                         "kernel.cpp:4:3: here pid = 1, lane = 2 in program (1, 0, 0) at (1, 0)",
                                         "kernel.cpp:4:3: here pid = 1, lane = 3 in program (1, 0, 0) at (1, 1)"));
}

// SEMANTICS L3: the same lines in the same order for every number of threads.
TEST(Print, orderDoesNotDependOnThreads) {
  TestKernel kernel(R"(tile.kernel @k() {
    %pid = tile.program_id x
    tile.print "" %pid : i64 loc("k.cpp":1:1)
    tile.return
  })");
  std::vector<std::string> first;
  for (unsigned threads : {1u, 4u}) {
    PrintedLines printed;
    expectNoFaults(kernel.threads(threads).run({50, 1, 1}));
    ASSERT_EQ(printed.lines.size(), 50u);
    EXPECT_EQ(printed.lines[49], "k.cpp:1:1: 49 in program (49, 0, 0)");
    if (first.empty())
      first = printed.lines;
    EXPECT_EQ(printed.lines, first);
  }
}

// SEMANTICS L3: values by dtype.
TEST(Print, everyType) {
  TestKernel kernel(R"(tile.kernel @k(%p: !tile.ptr<f32>) {
    %t = arith.constant true
    %a = arith.constant -1 : i8
    %b = arith.constant -2 : i16
    %c = arith.constant -3 : i32
    %d = arith.constant -4 : i64
    %e = arith.constant 1.5 : f16
    %f = arith.constant 2.5 : bf16
    %g = arith.constant 0x7F800000 : f32
    %h = arith.constant 0.1 : f64
    %i = arith.constant 448.0 : f8E4M3FN
    %j = arith.constant 57344.0 : f8E5M2
    %k = arith.constant 240.0 : f8E4M3FNUZ
    %l = arith.constant 0.5 : f8E5M2FNUZ
    tile.print "v" %t, %a, %a, %b, %b, %c, %c, %d, %d, %e, %f, %g, %h, %i, %j, %k, %l, %p
      unsigned [false, false, true, false, true, false, true, false, true, false, false, false, false, false, false, false, false, false]
      : i1, i8, i8, i16, i16, i32, i32, i64, i64, f16, bf16, f32, f64, f8E4M3FN, f8E5M2, f8E4M3FNUZ, f8E5M2FNUZ, !tile.ptr<f32>
      loc("k.cpp":1:1)
    tile.return
  })");
  PrintedLines printed;
  expectNoFaults(kernel.run1(Address{0x1000}));
  EXPECT_THAT(printed.lines,
              ElementsAre("k.cpp:1:1: v true, -1, 255, -2, 65534, -3, 4294967293, -4, 18446744073709551612, 1.5, 2.5, "
                          "inf, 0.1, 448, 57344, 240, 0.5, 0x1000 in program (0, 0, 0)"));
}

// SEMANTICS L3: filtered by a predicate, of lanes or of the program.
TEST(Print, predicate) {
  TestKernel kernel(R"(tile.kernel @k(%on: i1) {
    %lane = tile.arange 0 to 4 : tensor<4xi32>
    %two = arith.constant dense<2> : tensor<4xi32>
    %m = arith.cmpi sge, %lane, %two : tensor<4xi32>
    %s = arith.constant 7 : i32
    tile.print "a" %lane, %s pred %m is tensor<4xi1> : tensor<4xi32>, i32 loc("k.cpp":1:1)
    tile.print "b" %lane pred %on is i1 : tensor<4xi32> loc("k.cpp":2:1)
    tile.print "c" pred %on is i1 loc("k.cpp":3:1)
    tile.print "d" %s pred %m is tensor<4xi1> : i32 loc("k.cpp":4:1)
    tile.return
  })");
  {
    PrintedLines printed;
    expectNoFaults(kernel.run1(Bool{0}));
    EXPECT_THAT(printed.lines,
                ElementsAre("k.cpp:1:1: a 2, 7 in program (0, 0, 0) at (2)",
                            "k.cpp:1:1: a 3, 7 in program (0, 0, 0) at (3)", "k.cpp:4:1: d 7 in program (0, 0, 0)"));
  }
  PrintedLines printed;
  expectNoFaults(kernel.run1(Bool{1}));
  ASSERT_EQ(printed.lines.size(), 2u + 4u + 1u + 1u);
  EXPECT_EQ(printed.lines[6], "k.cpp:3:1: c in program (0, 0, 0)");
}

constexpr std::string_view kAssert = R"(tile.kernel @k(%n: i32) {
  %lane = tile.arange 0 to 4 : tensor<4xi32>
  %block = tile.reshape %lane : tensor<4xi32> -> tensor<2x2xi32>
  %ns = tile.splat %n : tensor<2x2xi32>
  %ok = arith.cmpi slt, %block, %ns : tensor<2x2xi32>
  tile.assert %ok, "lane below n" : tensor<2x2xi1> loc("kernel.cpp":5:3)
  tile.return
})";

// SEMANTICS L3: file and line, program and coordinates; on with checks.
TEST(Assert, reportsMessageProgramAndCoordinates) {
  TestKernel kernel(kAssert);
  expectNoFaults(kernel.run({2, 1, 1}, std::int32_t(4)));
  const Faults faults = kernel.run({2, 1, 1}, std::int32_t(1));
  EXPECT_EQ(faults.total, 2u);
  EXPECT_THAT(faults.text(),
              HasSubstr("kernel.cpp:5:3: device_assert failed: lane below n, in program (0, 0, 0) at [0, 1] "
                        "and 2 more lanes, and 1 more time; the condition must hold on every lane"));
  expectNoFaults(kernel.checks(false).run({2, 1, 1}, std::int32_t(1)));
}

// SEMANTICS P2: a target without a body refuses the kernel, by the operation's name.
TEST(InlineAsm, isRefused) {
  EXPECT_THAT(whyNotBuilt(R"(tile.kernel @k(%x: f32) {
    %r = tile.inline_asm {cuda = {asm = "lg2.approx.f32 $0, $1;", constraints = "=f,f"},
                          "hip:gfx9" = {asm = "v_log_f32 $0, $1", constraints = "=v,v"}} pure (%x) : (f32) -> f32
    tile.return
  })"),
              HasSubstr("`tile.inline_asm` has bodies for cuda, hip:gfx9 and none that the interpreter can run"));
}

} // namespace
} // namespace tessera::ir::interp
