//===- token_mutator.cpp - mutations that keep text readable ---------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "token_mutator.h"

#include <cctype>
#include <iterator>
#include <random>
#include <string_view>
#include <vector>

namespace tessera::fuzz {

namespace {

using Random = std::minstd_rand;

/// Numbers at which code tends to be wrong.
constexpr std::string_view kNumbers[] = {
    "-9223372036854775808",
    "-2147483649",
    "-2147483648",
    "-129",
    "-128",
    "-2",
    "-1",
    "0",
    "1",
    "2",
    "3",
    "4",
    "7",
    "8",
    "16",
    "31",
    "32",
    "63",
    "64",
    "127",
    "128",
    "255",
    "256",
    "1024",
    "65504",
    "1048576",
    "2097152",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "0x7FC00000",
    "0xFF800000",
    "1.0e300",
    "-0.0",
    "0.5",
};
constexpr std::string_view kTypes[] = {
    "i1",
    "i8",
    "i16",
    "i32",
    "i64",
    "f16",
    "bf16",
    "f32",
    "f64",
    "f8E4M3FN",
    "f8E5M2",
    "f8E4M3FNUZ",
    "f8E5M2FNUZ",
    "index",
    "i128",
    "f80",
    "ui8",
    "!tile.ptr<f32>",
    "!tile.ptr<i1>",
    "!tile.view<f32, 2>",
    "tensor<4xf32>",
    "tensor<1xf32>",
    "tensor<4x4xf32>",
    "tensor<64xi32>",
    "tensor<1x1xi1>",
    "tensor<8x!tile.ptr<f16>>",
    "tensor<3xf32>",
    "vector<4xf32>",
    "tensor<4xf32, \"layout\">",
    "memref<4xf32>",
    "tensor<*xf32>",
    "tensor<?xf32>",
};

enum class Kind { Space, Number, Word, Value, Other };

struct Token {
  Kind kind;
  std::string text;
};

bool isWordChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$'; }

Kind kindOf(const std::string &text, size_t at) {
  const auto c = static_cast<unsigned char>(text[at]);
  if (std::isspace(c))
    return Kind::Space;
  if (std::isdigit(c) || (c == '-' && at + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[at + 1]))))
    return Kind::Number;
  if (c == '%')
    return Kind::Value;
  return isWordChar(text[at]) || c == '!' || c == '#' ? Kind::Word : Kind::Other;
}

/// Splits \p text; "4x4xf32" comes apart at each x.
std::vector<Token> tokensOf(const std::string &text) {
  std::vector<Token> tokens;
  for (size_t at = 0; at < text.size();) {
    const Kind kind = kindOf(text, at);
    size_t end = at + 1;
    if (kind == Kind::Number)
      while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])))
        ++end;
    else if (kind == Kind::Word && text[at] == 'x' && end < text.size() &&
             std::isdigit(static_cast<unsigned char>(text[end])))
      ; // an x between extents stands alone
    else if (kind == Kind::Word || kind == Kind::Value)
      while (end < text.size() && isWordChar(text[end]))
        ++end;
    tokens.push_back({kind, text.substr(at, end - at)});
    at = end;
  }
  return tokens;
}

std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  return lines;
}

size_t below(Random &random, size_t bound) { return std::uniform_int_distribution<size_t>(0, bound - 1)(random); }

/// Removes, repeats or moves a line.
std::string mutateLines(const std::string &text, Random &random) {
  std::vector<std::string> lines = linesOf(text);
  if (lines.empty())
    return text;
  const size_t from = below(random, lines.size()), to = below(random, lines.size());
  switch (below(random, 3)) {
  case 0:
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(from));
    break;
  case 1:
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(to), std::string(lines[from]));
    break;
  default:
    std::swap(lines[from], lines[to]);
  }
  std::string result;
  for (const std::string &line : lines)
    result += line;
  return result;
}

/// Another token of the same kind, from a list or from elsewhere in the text.
std::string replacementFor(const std::vector<Token> &tokens, const Token &token, Random &random) {
  const bool isType = token.kind == Kind::Word && token.text.find('.') == std::string::npos && token.text.size() <= 10;
  if (token.kind == Kind::Number && below(random, 3) != 0)
    return std::string(kNumbers[below(random, std::size(kNumbers))]);
  if (isType && below(random, 3) == 0)
    return std::string(kTypes[below(random, std::size(kTypes))]);
  for (int attempt = 0; attempt < 16; ++attempt) {
    const Token &other = tokens[below(random, tokens.size())];
    if (other.kind == token.kind && other.text != token.text)
      return other.text;
  }
  return token.text;
}

} // namespace

std::string mutateTokens(const std::string &text, unsigned seed) {
  Random random(seed);
  if (below(random, 4) == 0)
    return mutateLines(text, random);
  std::vector<Token> tokens = tokensOf(text);
  if (tokens.empty())
    return text;
  // Replacing every occurrence of a word keeps types in step, so that more of the text stays valid.
  const size_t chosen = below(random, tokens.size());
  const Token old = tokens[chosen];
  if (old.kind == Kind::Space)
    return text;
  const std::string replacement = replacementFor(tokens, old, random);
  const bool everywhere = old.kind != Kind::Other && below(random, 2) == 0;
  std::string result;
  for (size_t at = 0; at < tokens.size(); ++at)
    result += at == chosen || (everywhere && tokens[at].text == old.text) ? replacement : tokens[at].text;
  return result;
}

} // namespace tessera::fuzz
