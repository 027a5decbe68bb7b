//===- Words.h - the words of an opcode ------------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SIM_OPS_WORDS_H
#define TESSERA_TARGET_SIM_OPS_WORDS_H

#include <algorithm>
#include <string_view>
#include <vector>

namespace tessera::ir::sim {

using Words = std::vector<std::string_view>;

/// "ex2.approx.f32" in its words.
inline Words wordsOf(std::string_view opcode) {
  Words words;
  while (!opcode.empty()) {
    const std::size_t dot = opcode.find('.');
    words.push_back(opcode.substr(0, dot));
    opcode = dot == std::string_view::npos ? std::string_view() : opcode.substr(dot + 1);
  }
  return words;
}
inline bool has(const Words &words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}
/// Whether \p words start with \p first.
inline bool startWith(const Words &words, const Words &first) {
  return words.size() >= first.size() && std::equal(first.begin(), first.end(), words.begin());
}

} // namespace tessera::ir::sim

#endif // TESSERA_TARGET_SIM_OPS_WORDS_H
