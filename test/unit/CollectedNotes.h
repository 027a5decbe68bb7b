//===- CollectedNotes.h - what the library notes, for tests ----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_COLLECTEDNOTES_H
#define TESSERA_TEST_UNIT_COLLECTEDNOTES_H

#include "Support/Log.h"

#include <string>
#include <string_view>
#include <vector>

namespace tessera::test {

/// Collects notes and lines of the log while it lives.
class CollectedNotes {
public:
  CollectedNotes() {
    support::resetLog([this](std::string_view line) { lines.emplace_back(line); });
  }
  ~CollectedNotes() { support::resetLog(); }
  CollectedNotes(const CollectedNotes &) = delete;
  CollectedNotes &operator=(const CollectedNotes &) = delete;

  std::vector<std::string> lines;
};

} // namespace tessera::test

#endif // TESSERA_TEST_UNIT_COLLECTEDNOTES_H
