//===- SnapshotTest.cpp - memory as it was before tuning ---------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Autotune/Snapshot.h"

#include "unit/Runtime/FakeDriver.h"

#include <gmock/gmock.h>

using namespace tessera;
using namespace tessera::rt;
using testing::ElementsAre;

TEST(Snapshot, rangesAreUnited) {
  EXPECT_THAT(united({}), ElementsAre());
  EXPECT_THAT(united({{30, 40}, {10, 20}, {5, 5}, {15, 25}, {12, 13}}),
              ElementsAre(MemoryRange{10, 25}, MemoryRange{30, 40}));
  EXPECT_THAT(united({{10, 20}, {20, 30}}), ElementsAre(MemoryRange{10, 30}));
}

TEST(Snapshot, rangesOverlapIfTheyShareAByte) {
  EXPECT_TRUE((MemoryRange{10, 20}.overlaps({19, 30})));
  EXPECT_FALSE((MemoryRange{10, 20}.overlaps({20, 30})));
  EXPECT_FALSE((MemoryRange{10, 20}.overlaps({15, 15})));
}

namespace {
/// Runs out of memory after some allocations.
struct SmallDriver : test::FakeDriver {
  void *allocate(int device, std::size_t bytes) override {
    if (room-- <= 0)
      throw DeviceError("no memory of the test");
    return FakeDriver::allocate(device, bytes);
  }
  int room = 100;
};
} // namespace

// Also where the device has no memory for copies.
TEST(Snapshot, putsMemoryBack) {
  for (const int room : {100, 1, 0}) {
    SmallDriver driver;
    DeviceState device(driver, 0, "fake");
    driver.room = room;
    std::vector<int> a(100, 1), b(7, 2);
    const auto rangeOf = [](std::vector<int> &values) {
      const auto begin = reinterpret_cast<std::uint64_t>(values.data());
      return MemoryRange{begin, begin + values.size() * sizeof(int)};
    };
    {
      const Snapshot snapshot(*device.defaultStream, united({rangeOf(a), rangeOf(b)}));
      EXPECT_FALSE(snapshot.empty());
      for (int i = 0; i != 3; ++i) {
        a.assign(100, 5), b.assign(7, 6);
        snapshot.restore();
        EXPECT_EQ(a, std::vector<int>(100, 1));
        EXPECT_EQ(b, std::vector<int>(7, 2));
      }
    }
    EXPECT_EQ(driver.alive, 0);
  }
}
