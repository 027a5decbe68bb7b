//===- TuneStoreTest.cpp - which records count -------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Autotune/TuneStore.h"

#include "Support/Files.h"
#include "Support/Log.h"
#include "Support/Subprocess.h"
#include "unit/Runtime/Autotune/Records.h"
#include "unit/ScopedEnvironment.h"

#include <gmock/gmock.h>

using namespace tessera;
using namespace tessera::rt;
using namespace tessera::test;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {
TuneRecord inBatch(const char *batch, double ms, const char *config, bool again = false) {
  TuneRecord record = recordOf(ms, config);
  record.batch = batch;
  record.again = again;
  return record;
}
const std::vector<CandidateName> kNames{{"{a}", "num_warps=4"}, {"{b}", "num_warps=4"}};

std::vector<std::string> ids(const std::vector<TuneBatch> &batches) {
  std::vector<std::string> list;
  for (const TuneBatch &batch : batches)
    list.push_back(batch.id);
  return list;
}
} // namespace

TEST(TuneStore, recordsAreReadByBatch) {
  const std::vector<TuneRecord> records{inBatch("x", 1, "{a}"), inBatch("y", 2, "{b}"), inBatch("x", 3, "{b}"),
                                        inBatch("x", 4, "{other}")};
  const std::vector<TuneBatch> batches = batchesOf(records, kNames);
  ASSERT_THAT(ids(batches), ElementsAre("x", "y"));
  EXPECT_EQ(batches[0].records[0]->time.ms, 1);
  EXPECT_EQ(batches[0].records[1]->time.ms, 3);
  EXPECT_FALSE(batches[1].records[0]);
}

// Whoever reads the file sees the same first record, however much is appended later.
TEST(TuneStore, theFirstRecordOfACandidateCounts) {
  const std::vector<TuneRecord> records{inBatch("x", 1, "{a}"), inBatch("x", 9, "{a}")};
  EXPECT_EQ(batchesOf(records, kNames)[0].records[0]->time.ms, 1);
}

// The order of the file counts, not what a clock said that was years ahead or never set.
TEST(TuneStore, clocksThatJumpChangeNothing) {
  std::vector<TuneRecord> records{inBatch("x", 1, "{a}"), inBatch("x", 9, "{a}"), inBatch("y", 2, "{b}")};
  for (const std::int64_t first : {std::int64_t{3'800'000'000}, std::int64_t{0}}) {
    records[0].recorded = first;
    const std::vector<TuneBatch> batches = batchesOf(records, kNames);
    EXPECT_THAT(ids(batches), ElementsAre("x", "y"));
    EXPECT_EQ(batches[0].records[0]->time.ms, 1);
  }
}

TEST(TuneStore, aBatchMayReplaceAllOthers) {
  const std::vector<TuneRecord> records{inBatch("x", 1, "{a}"), inBatch("y", 2, "{a}", true), inBatch("z", 3, "{a}")};
  EXPECT_THAT(ids(batchesOf(records, kNames)), ElementsAre("y", "z"));
}

TEST(TuneStore, recordsOfOtherDriversCountOnlyIfTheyWereShipped) {
  const support::PrivateFolder folder;
  const ScopedEnvironment mode("TESSERA_CACHE", "rw"), where("TESSERA_CACHE_DIR", folder.file("cache"));
  TuneStore store;
  TuneRecord own = recordOf(1), foreign = recordOf(2, "{block=64}"), shipped = recordOf(3, "{block=32}");
  foreign.driver = "FAKE 2.0";
  shipped.driver = "FAKE 3.0";
  shipped.toolchain = "elsewhere";
  store.add(std::vector{own, foreign});
  const std::string file = folder.file("shipped.txt");
  appendLines(file, encodeRecord(shipped));
  EXPECT_THAT(store.find(own.problem, "FAKE 1.0", "tests", {}), ElementsAre(own));
  EXPECT_THAT(store.find(own.problem, "FAKE 1.0", "tests", std::vector{file}), ElementsAre(own, shipped));
  const ScopedEnvironment files("TESSERA_TUNE_RECORDS", file);
  EXPECT_THAT(store.find(own.problem, "FAKE 1.0", "tests", {}), ElementsAre(own, shipped));
  // Another process reads the same.
  EXPECT_THAT(TuneStore().find(own.problem, "FAKE 1.0", "tests", {}), ElementsAre(own, shipped));
}

TEST(TuneStore, keepsInMemoryWhatNoDiskTakes) {
  for (const char *mode : {"off", "ro"}) {
    const support::PrivateFolder folder;
    const ScopedEnvironment cache("TESSERA_CACHE", mode), where("TESSERA_CACHE_DIR", folder.path());
    TuneStore store;
    store.add(std::vector{recordOf(1)});
    EXPECT_THAT(store.find(recordOf(1).problem, "FAKE 1.0", "tests", {}), ElementsAre(recordOf(1)));
    EXPECT_THAT(TuneStore().find(recordOf(1).problem, "FAKE 1.0", "tests", {}), IsEmpty());
    EXPECT_EQ(store.lockPath("d"), "");
  }
}

TEST(TuneStore, saysOnceThatNothingCanBeWritten) {
  std::vector<std::string> noted;
  support::resetLog([&](std::string_view line) { noted.emplace_back(line); });
  const support::PrivateFolder folder;
  const ScopedEnvironment mode("TESSERA_CACHE", "rw"), where("TESSERA_CACHE_DIR", folder.path());
  support::writeFile(folder.file(kTuneFileName), "x", "in the way");
  TuneStore store;
  store.add(std::vector{recordOf(1)});
  store.add(std::vector{recordOf(2, "{block=64}")});
  EXPECT_EQ(store.find(recordOf(1).problem, "FAKE 1.0", "tests", {}).size(), 2u);
  support::resetLog();
  EXPECT_THAT(noted, testing::Contains(testing::HasSubstr("tuning results are kept for this process only")));
}
