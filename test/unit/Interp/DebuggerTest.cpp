//===- DebuggerTest.cpp - stopping a kernel at a line ------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Interp/Harness.h"
#include "unit/ScopedEnvironment.h"

#include "Target/Interp/Debugger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <unistd.h>

namespace tessera::ir::interp {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

/// Row sums of x, accumulated in a loop: lines 3 to 12 of kernel.cpp.
constexpr std::string_view kRows =
    R"(tile.kernel @rows(%p: !tile.ptr<f32> loc("x"("kernel.cpp":2:1)), %out: !tile.ptr<f32>) {
  %pid = tile.program_id x loc("row"("kernel.cpp":3:3))
  %v4 = arith.constant 4 : i64
  %start = arith.muli %pid, %v4 : i64 loc("kernel.cpp":4:3)
  %base = tile.addptr %p, %start : !tile.ptr<f32>, i64 loc("kernel.cpp":4:5)
  %lane = tile.arange 0 to 4 : tensor<4xi32> loc("lane"("kernel.cpp":5:3))
  %s = tile.splat %base : tensor<4x!tile.ptr<f32>> loc("kernel.cpp":5:3)
  %q = tile.addptr %s, %lane : tensor<4x!tile.ptr<f32>>, tensor<4xi32> loc("kernel.cpp":5:3)
  %v = tile.load %q : tensor<4x!tile.ptr<f32>> loc("values"("kernel.cpp":6:3))
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %lo = arith.constant 0 : i64
  %hi = arith.constant 3 : i64
  %one = arith.constant 1 : i64
  %acc = scf.for %i = %lo to %hi step %one iter_args(%a = %zero) -> tensor<4xf32> : i64 {
    %b = arith.addf %a, %v : tensor<4xf32> loc("sum"("kernel.cpp":8:5))
    scf.yield %b : tensor<4xf32> loc("kernel.cpp":8:5)
  } loc("kernel.cpp":7:3)
  %r = tile.reduce %acc axis 0 : tensor<4xf32> -> f32 by arith.addf loc("total"("kernel.cpp":10:3))
  %o = tile.addptr %out, %pid : !tile.ptr<f32>, i64 loc("kernel.cpp":11:3)
  tile.store %o, %r : !tile.ptr<f32> loc("kernel.cpp":11:3)
  tile.return loc("kernel.cpp":12:1)
})";

/// Runs three rows with TESSERA_BREAK set; at each stop calls `look` and keeps what it wrote to standard error.
template <class Look> std::vector<std::string> stops(const std::string &where, Look &&look) {
  test::ScopedEnvironment environment("TESSERA_BREAK", where);
  TestKernel kernel(kRows);
  Memory<float> x(12), out(3);
  std::iota(x.values.begin(), x.values.end(), 0.0f);
  std::vector<std::string> seen;
  ::testing::internal::CaptureStderr();
  setBreakHook([&] {
    ::testing::internal::GetCapturedStderr();
    ::testing::internal::CaptureStderr();
    look();
    seen.push_back(::testing::internal::GetCapturedStderr());
    ::testing::internal::CaptureStderr();
  });
  const Faults faults = kernel.threads(2).run({3, 1, 1}, x, out);
  setBreakHook({});
  ::testing::internal::GetCapturedStderr();
  expectNoFaults(faults);
  EXPECT_EQ(out[2], 3 * (8.0f + 9 + 10 + 11));
  return seen;
}

TEST(Debugger, readsRequests) {
  const auto parsed = [](std::string_view text) { return BreakRequest::parse(text); };
  EXPECT_EQ(parsed("kernel.cpp:12")->line, 12u);
  EXPECT_EQ(parsed("kernel.cpp:12")->file, "kernel.cpp");
  EXPECT_THAT(parsed("kernel.cpp:12")->program, SizeIs(0));
  EXPECT_EQ(parsed("a:b/kernel.cpp:12,7")->file, "a:b/kernel.cpp");
  EXPECT_EQ(parsed("kernel.cpp:12,7")->program[0], 7);
  EXPECT_EQ(parsed("kernel.cpp:12,1,2,3")->program[2], 3);
  for (const char *bad : {"", "kernel.cpp", ":12", "kernel.cpp:", "kernel.cpp:0", "kernel.cpp:x", "kernel.cpp:-1",
                          "kernel.cpp:12,", "kernel.cpp:12,x", "kernel.cpp:12,-1", "kernel.cpp:12,1,2",
                          "kernel.cpp:12,1,2,3,4", "kernel.cpp:99999999999999999999"})
    EXPECT_FALSE(parsed(bad)) << bad;
}

TEST(Debugger, malformedRequestIsToldAtBuild) {
  test::ScopedEnvironment environment("TESSERA_BREAK", "kernel.cpp");
  EXPECT_THAT(whyNotBuilt(kRows), HasSubstr("TESSERA_BREAK is `kernel.cpp`; it names a place as file:line"));
}

TEST(Debugger, stopsInEachProgramAndShowsValuesByName) {
  const std::vector<std::string> seen = stops("kernel.cpp:10", [] {
    tessera_dump("row");
    tessera_dump("values");
    tessera_dump("%values");
    tessera_dump("x");
    tessera_dump("total"); // not computed yet
  });
  ASSERT_THAT(seen, SizeIs(3));
  EXPECT_THAT(seen[0], HasSubstr("row: i64 = 0\n"));
  EXPECT_THAT(seen[2],
              HasSubstr("row: i64 = 2\nvalues: tensor<4xf32>\n  8 9 10 11\nvalues: tensor<4xf32>\n  8 9 10 11\nx: "
                        "!tile.ptr<f32> = 0x"));
  EXPECT_THAT(seen[2], HasSubstr("no live value is named `total`"));
}

TEST(Debugger, oneProgramOnly) {
  const auto row = [] { tessera_dump("row"); };
  EXPECT_THAT(stops("kernel.cpp:10,1", row), ::testing::ElementsAre("row: i64 = 1\n"));
  EXPECT_THAT(stops("kernel.cpp:10,2,0,0", row), ::testing::ElementsAre("row: i64 = 2\n"));
  EXPECT_THAT(stops("kernel.cpp:10,0,1,0", row), SizeIs(0));
}

// Inside a loop each iteration stops, and carried values are those of the iteration.
TEST(Debugger, loops) {
  const std::vector<std::string> seen = stops("kernel.cpp:8,1", [] {
    tessera_dump("%arg3");
    tessera_dump("arg2");
  });
  ASSERT_THAT(seen, SizeIs(3));
  EXPECT_THAT(seen[0], HasSubstr("  0 0 0 0\n"));
  EXPECT_THAT(seen[2], HasSubstr("  8 10 12 14\n"));
}

// Three operations stand on line 5; the first one stops.
TEST(Debugger, aLineStopsOnce) {
  EXPECT_THAT(stops("kernel.cpp:5,1", [] { tessera_dump("row"); }), ::testing::ElementsAre("row: i64 = 1\n"));
}

TEST(Debugger, goesOnToTheNextLineWithAnOperation) {
  EXPECT_THAT(stops("kernel.cpp:9,1", [] { tessera_dump("sum"); }), SizeIs(1)); // line 10
  EXPECT_THAT(stops("other.cpp:9", [] {}), SizeIs(0));
  EXPECT_THAT(stops("ernel.cpp:9", [] {}), SizeIs(0)); // whole names only
  EXPECT_THAT(stops("kernel.cpp:100", [] {}), SizeIs(0));
}

TEST(Debugger, partAndAll) {
  const std::vector<std::string> seen = stops("kernel.cpp:11,1", [] {
    tessera_dump_part("values", 1, 2);
    tessera_dump_all();
  });
  ASSERT_THAT(seen, SizeIs(1));
  EXPECT_THAT(seen[0], HasSubstr("values: tensor<4xf32>\n  [1] 5\n  [2] 6\ntotal: f32 = 66\n"));
  EXPECT_THAT(seen[0], HasSubstr("lane: tensor<4xi32>\n"));
  EXPECT_THAT(seen[0], HasSubstr("row: i64 = 1\n"));
  EXPECT_THAT(seen[0], Not(HasSubstr("%b")));
}

TEST(Debugger, outsideAStopThereIsNothingToShow) {
  ::testing::internal::CaptureStderr();
  tessera_dump("row");
  tessera_dump_all();
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("does not stand in tessera_debug_break"));
}

/// What the gdb test runs under gdb.
TEST(Debugger, DISABLED_runUnderGdb) { // selected by name
  TestKernel kernel(kRows);
  Memory<float> x(12), out(3);
  std::iota(x.values.begin(), x.values.end(), 0.0f);
  expectNoFaults(kernel.run({3, 1, 1}, x, out));
}

TEST(Debugger, gdbShowsATile) {
  if (std::system("gdb --version > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "gdb is not installed";
  char self[4096];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  ASSERT_GT(length, 0);
  self[length] = 0;
  const std::string command =
      std::string(
          "TESSERA_BREAK=kernel.cpp:10,2 gdb -batch -nx -ex 'set breakpoint pending on' "
          "-ex 'break tessera_debug_break' -ex run -ex 'call (void)tessera_dump(\"values\")' -ex 'bt 3' -ex continue "
          "--args '") +
      self + "' --gtest_also_run_disabled_tests --gtest_filter=Debugger.DISABLED_runUnderGdb 2>&1 < /dev/null";
  std::string output;
  if (FILE *pipe = popen(command.c_str(), "r")) {
    char buffer[4096];
    while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe))
      output.append(buffer, n);
    pclose(pipe);
  }
  if (output.find("Could not trace the inferior") != std::string::npos || output.find("ptrace") != std::string::npos)
    GTEST_SKIP() << "this environment does not let gdb trace a program";
  EXPECT_THAT(output, HasSubstr("values: tensor<4xf32>\n  8 9 10 11\n"));
  EXPECT_THAT(output, HasSubstr("tessera_debug_break"));
}

} // namespace
} // namespace tessera::ir::interp
