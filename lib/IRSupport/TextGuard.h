//===- TextGuard.h - what MLIR's parser must not be given --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Malformed text must end in a diagnostic, but MLIR's own parser crashes on some. Text of unknown origin is checked
// here first; each hazard was found by test/fuzz/tile_parser_fuzzer.cpp.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_IRSUPPORT_TEXTGUARD_H
#define TESSERA_IRSUPPORT_TEXTGUARD_H

#include "llvm/ADT/StringRef.h"

#include <cstddef>
#include <optional>
#include <string>

namespace tessera::ir {

/// The deepest nesting of brackets that is handed to the parser, which recurses on it.
inline constexpr unsigned kMaxTextDepth = 256;

/// A place in a text and what is wrong there.
struct TextHazard {
  size_t line = 1, column = 1; ///< counted from 1
  std::string message;
};

/// The first thing in \p text that MLIR's parser would crash on; nothing if there is none known.
std::optional<TextHazard> findTextHazard(llvm::StringRef text);

} // namespace tessera::ir

#endif // TESSERA_IRSUPPORT_TEXTGUARD_H
