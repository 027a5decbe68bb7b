//===- TuneRecordTest.cpp - tuning records as lines --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Runtime/Autotune/Records.h"

#include <gmock/gmock.h>

#include <random>

using namespace tessera;
using namespace tessera::rt;
using namespace tessera::test;

TEST(TuneRecord, comesBackAsItWas) {
  TuneRecord record = recordOf(1.25);
  EXPECT_EQ(decodeRecord(lineOf(record)), record);
  record.again = true;
  record.time = {};
  record.skipped = "kernel `k`:\n\tneeds 4 \\ too much\x01";
  record.lethal = true;
  record.driver.clear();
  EXPECT_EQ(decodeRecord(lineOf(record)), record);
  EXPECT_EQ(encodeRecord(record).find('\n'), encodeRecord(record).size() - 1) << "one line";
}

TEST(TuneRecord, hashesTellProblemsApart) {
  const TuneRecord a = recordOf(1);
  for (std::string TuneProblemId::*field :
       {&TuneProblemId::kernel, &TuneProblemId::arguments, &TuneProblemId::key, &TuneProblemId::device}) {
    TuneRecord b = a;
    b.problem.*field += "x";
    EXPECT_NE(a.problem.hash(), b.problem.hash());
  }
  EXPECT_EQ(problemHashOf(lineOf(a)), a.problem.hash());
}

TEST(TuneRecord, noByteMayChange) {
  const std::string line = lineOf(recordOf(1.25));
  for (std::size_t i = 0; i != line.size(); ++i)
    for (const char c : {'0', 'x', '\t', '\0', '\xff'}) {
      std::string damaged = line;
      damaged[i] = c;
      if (damaged != line)
        EXPECT_FALSE(decodeRecord(damaged)) << i;
    }
  for (std::size_t length = 0; length != line.size(); ++length)
    EXPECT_FALSE(decodeRecord(line.substr(0, length)));
  EXPECT_FALSE(decodeRecord(line + "x"));
  EXPECT_FALSE(decodeRecord(line + line));
}

// Whoever makes the checksum right still cannot say what makes no sense.
TEST(TuneRecord, hostileFieldsAreNoRecords) {
  for (const auto &[from, to] : std::vector<std::pair<std::string, std::string>>{{"\t1.25\t", "\tnan\t"},
                                                                                 {"\t1.25\t", "\tinf\t"},
                                                                                 {"\t1.25\t", "\t-1\t"},
                                                                                 {"\t1.25\t", "\t\t"},
                                                                                 {"\t1.25\t", "\t1.25\t1\t"},
                                                                                 {"\t1.25\t", "\t"},
                                                                                 {"\t12\t", "\t-12\t"},
                                                                                 {"\t12\t", "\t99999999999\t"},
                                                                                 {"\t12\t", "\t0\t"},
                                                                                 {"n=4096", "n=\\"},
                                                                                 {"n=4096", "n=\\0"},
                                                                                 {"n=4096", "n=\\zz"},
                                                                                 {"n=4096", "n=4097"}}) {
    EXPECT_TRUE(decodeRecord(forged("", "")));
    EXPECT_FALSE(decodeRecord(forged(from, to))) << from << " as " << to;
  }
}

TEST(TuneRecord, endlessOnesAreNotWritten) {
  TuneRecord record = recordOf(1);
  record.config.assign(kMostLineBytes, 'x');
  EXPECT_EQ(encodeRecord(record), "");
}
