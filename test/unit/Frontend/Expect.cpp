//===- Expect.cpp - what recorded IR and misuse must say -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Expect.h"

#include "tessera/lang/Shape.h"

namespace tessera::test {

static std::string whyNotInOrder(const std::string &text, Pieces pieces) {
  constexpr std::string_view negation = "not ";
  std::size_t place = 0;
  std::string absent;
  for (const std::string_view piece : pieces) {
    if (piece.starts_with(negation)) {
      absent = piece.substr(negation.size());
      continue;
    }
    const std::size_t found = text.find(piece, place);
    if (found == std::string::npos)
      return "nowhere after " + text.substr(0, place).substr(place < 40 ? 0 : place - 40) + ": " + std::string(piece);
    if (!absent.empty() && text.substr(place, found - place).find(absent) != std::string::npos)
      return "found before " + std::string(piece) + ": " + absent;
    absent.clear();
    place = found + piece.size();
  }
  if (!absent.empty() && text.find(absent, place) != std::string::npos)
    return "found: " + absent;
  return {};
}

void expectInOrder(const std::string &text, Pieces pieces, std::source_location at) {
  if (const std::string why = whyNotInOrder(text, pieces); !why.empty())
    ADD_FAILURE_AT(at.file_name(), static_cast<int>(at.line())) << why << "\nin\n" << text;
}

void expectMisuse(const Misuse &misuse, const char *file) {
  int line = 0;
  const std::string words = test::misuse([&misuse, &line](Ptr<f32> p, Ptr<i32> counter, Int n, F32 s) {
    Values v{
        .x = full(f32, {128}, s),
        .short_x = full(f32, {64}, s),
        .m = full(f32, {64, 32}, s),
        .h = zeros(f16, {64, 32}),
        .q = zeros(e4m3, {64, 32}),
        .index = arange(0, 128),
        .mask = arange(0, 128) < n,
        .pointers = p + arange(0, 128),
        .ipointers = counter + arange(0, 128),
        .p = p,
        .counter = counter,
        .n = n,
        .s = s,
    };
    try {
      misuse.run(v);
    } catch (...) {
      line = v.line;
      throw;
    }
  });
  const std::string place = std::string(file) + ":" + std::to_string(line) + ":";
  ASSERT_EQ(words.substr(0, place.size()), place) << words;
  const std::size_t column = words.find(": ", place.size() - 1);
  ASSERT_NE(column, std::string::npos) << words;
  EXPECT_EQ(words.substr(column + 2), misuse.words);
}

} // namespace tessera::test
