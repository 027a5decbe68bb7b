//===- TextGuard.cpp - what MLIR's parser must not be given ----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "IRSupport/TextGuard.h"

#include "IRSupport/LLVM.h"

#include "llvm/ADT/StringExtras.h"

namespace tessera::ir {

namespace {

/// Reads a text token by token: a word, a string or one character, without space and comments between them.
class TextGuard {
public:
  explicit TextGuard(StringRef text) : text(text) {}

  std::optional<TextHazard> find() {
    for (StringRef token = next(); !token.empty(); token = next()) {
      if (std::string message = hazardOf(token); !message.empty())
        return placed(token, std::move(message));
      beforeLast = last;
      last = token;
    }
    return std::nullopt;
  }

private:
  static bool isWordChar(char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$'; }

  /// The next token; empty at the end.
  StringRef next() {
    for (;;) {
      rest = rest.ltrim();
      if (!rest.consume_front("//"))
        break;
      rest = rest.drop_until([](char c) { return c == '\n'; });
    }
    if (rest.empty())
      return {};
    const size_t length =
        rest.front() == '"' ? stringLength() : std::max<size_t>(rest.take_while(isWordChar).size(), 1);
    const StringRef token = rest.take_front(length);
    rest = rest.drop_front(length);
    return token;
  }

  /// The length of the string at hand, which ends at its quote or at the end of the line.
  size_t stringLength() const {
    size_t at = 1;
    while (at < rest.size() && rest[at] != '"' && rest[at] != '\n')
      at += rest[at] == '\\' ? 2 : 1;
    return std::min(at + 1, rest.size());
  }

  /// What is wrong with \p token after those before it; empty if nothing is.
  std::string hazardOf(StringRef token) {
    if (token.size() == 1 && StringRef("([{<").contains(token[0]) && ++depth > kMaxTextDepth)
      return "brackets nest deeper than " + std::to_string(kMaxTextDepth) + " levels";
    const bool arrow = token == ">" && last == "-";
    if (token.size() == 1 && StringRef(")]}>").contains(token[0]) && !arrow && depth > 0)
      --depth;
    // The parser asks the element type for its width, which `index` lacks; an alias may stand for it.
    if (beforeLast == "array" && last == "<" && (token == "index" || token == "!"))
      return "expected the elements of `array<...>` to be integers or floats";
    return {};
  }

  TextHazard placed(StringRef token, std::string message) const {
    const StringRef before = text.take_front(token.data() - text.data());
    const size_t newline = before.rfind('\n');
    const size_t lineStart = newline == StringRef::npos ? 0 : newline + 1;
    return {before.count('\n') + 1, before.size() - lineStart + 1, std::move(message)};
  }

  StringRef text, rest = text;
  StringRef last, beforeLast;
  unsigned depth = 0;
};

} // namespace

std::optional<TextHazard> findTextHazard(StringRef text) { return TextGuard(text).find(); }

} // namespace tessera::ir
