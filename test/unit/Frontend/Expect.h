//===- Expect.h - what recorded IR and misuse must say -----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// `expectIR(body, {"piece", ...})`: the recorded IR holds these pieces in this order. Misuse cases are tables of
// functions that record one wrong call on the line after `v.next()`, with the whole message they must throw.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_FRONTEND_EXPECT_H
#define TESSERA_TEST_UNIT_FRONTEND_EXPECT_H

#include "TraceSupport.h"

#include "tessera/lang/Program.h"
#include "tessera/lang/Tile.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::test {

using Pieces = std::initializer_list<std::string_view>;

/// Fails the test at \p at unless \p text holds \p pieces in this order; a piece that begins with "not " must not stand
/// between its neighbours.
void expectInOrder(const std::string &text, Pieces pieces, std::source_location at);

/// The recorded IR of a kernel whose function is \p body.
template <class Body>
void expectIR(Body body, Pieces pieces, std::source_location at = std::source_location::current()) {
  expectInOrder(trace(std::move(body)), pieces, at);
}

/// Values to misuse.
struct Values {
  Tile x;                   ///< f32 [128]
  Tile short_x;             ///< f32 [64]
  Tile m;                   ///< f32 [64, 32]
  Tile h;                   ///< f16 [64, 32]
  Tile q;                   ///< e4m3 [64, 32]
  Tile index;               ///< i32 [128]
  Tile mask;                ///< i1 [128]
  Tile pointers, ipointers; ///< to f32 and to i32, [128]
  Ptr<f32> p;
  Ptr<i32> counter;
  Int n;
  F32 s;
  int line = 0;
  /// The wrong call stands on the next line.
  void next(std::source_location at = std::source_location::current()) { line = static_cast<int>(at.line()) + 1; }
};

struct Misuse {
  const char *name;
  void (*run)(Values &);
  const char *words; ///< all of the message after `file:line:column: `
};

/// Runs a case and compares file, line and words.
void expectMisuse(const Misuse &misuse, const char *file);

inline void PrintTo(const Misuse &misuse, std::ostream *stream) { *stream << misuse.name; }
inline std::string nameOf(const ::testing::TestParamInfo<Misuse> &info) { return info.param.name; }

} // namespace tessera::test

/// A test for each entry of the table \p cases.
#define TESSERA_MISUSE_TESTS(Suite, cases)                                                                             \
  class Suite : public ::testing::TestWithParam<::tessera::test::Misuse> {};                                           \
  TEST_P(Suite, words) { ::tessera::test::expectMisuse(GetParam(), __FILE__); }                                        \
  INSTANTIATE_TEST_SUITE_P(, Suite, ::testing::ValuesIn(cases), ::tessera::test::nameOf)

#endif // TESSERA_TEST_UNIT_FRONTEND_EXPECT_H
