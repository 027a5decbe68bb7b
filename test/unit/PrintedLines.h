//===- PrintedLines.h - what kernels print, for tests ----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_PRINTEDLINES_H
#define TESSERA_TEST_UNIT_PRINTEDLINES_H

#include "Runtime/DeviceRecords.h"

#include <string>
#include <string_view>
#include <vector>

namespace tessera::test {

/// Collects what kernels print while it lives.
class PrintedLines {
public:
  PrintedLines() {
    rt::setPrintSink([this](std::string_view line) { lines.emplace_back(line); });
  }
  ~PrintedLines() { rt::setPrintSink({}); }
  PrintedLines(const PrintedLines &) = delete;
  PrintedLines &operator=(const PrintedLines &) = delete;

  std::vector<std::string> lines;
};

} // namespace tessera::test

#endif // TESSERA_TEST_UNIT_PRINTEDLINES_H
