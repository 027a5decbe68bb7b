//===- Records.h - tuning records for tests ------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_RUNTIME_AUTOTUNE_RECORDS_H
#define TESSERA_TEST_UNIT_RUNTIME_AUTOTUNE_RECORDS_H

#include "Runtime/Autotune/TuneRecord.h"
#include "Support/Hash.h"

#include <string>

namespace tessera::test {

inline rt::TuneRecord recordOf(double ms, std::string config = "{block=1024}", std::string key = "n=4096") {
  rt::TuneRecord record;
  record.problem = {"add", "f32*, f32*, i64", std::move(key), "a device (fake)"};
  record.driver = "FAKE 1.0";
  record.toolchain = "tests";
  record.config = std::move(config);
  record.options = "num_warps=4";
  record.program = "0123456789abcdef";
  record.batch = "b1";
  record.time = {ms, ms, ms, 12};
  record.compileMs = 10;
  record.timingMs = 20;
  record.recorded = 1700000000;
  return record;
}

/// Without its end.
inline std::string lineOf(const rt::TuneRecord &record) {
  std::string line = rt::encodeRecord(record);
  line.pop_back();
  return line;
}

/// A line with \p from replaced by \p to and a checksum that is right.
inline std::string forged(const std::string &from, const std::string &to) {
  std::string line = lineOf(recordOf(1.25)).substr(23);
  if (!from.empty())
    line.replace(line.find(from), from.size(), to);
  return "tune1 " + support::hashText(line).hex().substr(0, 16) + " " + line;
}

} // namespace tessera::test

#endif // TESSERA_TEST_UNIT_RUNTIME_AUTOTUNE_RECORDS_H
