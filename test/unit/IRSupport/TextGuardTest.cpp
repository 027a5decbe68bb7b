//===- TextGuardTest.cpp - texts that MLIR's parser would crash on ---===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "IRSupport/TextGuard.h"

#include <gtest/gtest.h>

#include <string>

using namespace tessera::ir;

namespace {

std::string hazardOf(const std::string &text) {
  const auto hazard = findTextHazard(text);
  return hazard ? std::to_string(hazard->line) + ":" + std::to_string(hazard->column) + ": " + hazard->message : "";
}

TEST(TextGuard, arraysOfIndex) {
  const std::string message = "expected the elements of `array<...>` to be integers or floats";
  EXPECT_EQ(hazardOf("array<index: 1>"), "1:7: " + message);
  EXPECT_EQ(hazardOf("x\n  array // why\n < // not\n  index"), "4:3: " + message);
  EXPECT_EQ(hazardOf("array<!alias: 1>"), "1:7: " + message);
}

TEST(TextGuard, negative_otherArrays) {
  EXPECT_EQ(hazardOf("array<i64: 1, 2> array<f32> array<i1: true>"), "");
  EXPECT_EQ(hazardOf("tensor<4xindex> vector<index>"), "");
  EXPECT_EQ(hazardOf("// array<index: 1>"), "");
  EXPECT_EQ(hazardOf(R"("array<index \" array<index")"), "");
}

TEST(TextGuard, deepNesting) {
  EXPECT_EQ(hazardOf(std::string(256, '(')), "");
  EXPECT_EQ(hazardOf(std::string(257, '(')), "1:257: brackets nest deeper than 256 levels");
  EXPECT_EQ(hazardOf("\n" + std::string(100, '[') + std::string(100, '{') + std::string(57, '<')),
            "2:257: brackets nest deeper than 256 levels");
}

TEST(TextGuard, negative_balancedNesting) {
  std::string text;
  for (int i = 0; i < 1000; ++i)
    text += "(i64) -> tensor<4xf32> {[]}\n";
  EXPECT_EQ(hazardOf(text), "");
}

TEST(TextGuard, anyEndIsFine) {
  for (const char *text : {"", "\"", "\"\\", "//", "/", "array<", "array", ">", "-", "\n"})
    EXPECT_EQ(hazardOf(text), "");
}

} // namespace
