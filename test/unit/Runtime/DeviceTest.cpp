//===- DeviceTest.cpp - devices, streams, events by their public faces -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Registry.h"
#include "unit/Expect.h"
#include "unit/Runtime/FakeDriver.h"
#include "unit/ScopedEnvironment.h"

#include "tessera/runtime/Device.h"

#include <map>
#include <thread>

using namespace tessera;
using tessera::test::FakeDriver;
using tessera::test::ScopedEnvironment;
using tessera::test::wordsOf;
using testing::AllOf;
using testing::HasSubstr;

namespace {

/// Adds a family of devices to this process, once.
FakeDriver &family(const char *name, int devices, int priority) {
  static std::map<std::string, FakeDriver *> drivers;
  FakeDriver *&driver = drivers[name];
  if (!driver) {
    auto fresh = std::make_unique<FakeDriver>(name, devices, priority);
    driver = fresh.get();
    rt::Registry::get().add(std::move(fresh));
  }
  return *driver;
}

class DeviceTest : public testing::Test {
protected:
  void SetUp() override {
    family("best", 2, 200);
    family("gone", 0, 300);
    family("hidden", 1, -5);
    family("played", 2, -5).labels = {"one", "two"};
  }
};

} // namespace

TEST_F(DeviceTest, currentIsTheBestThatIsPresent) {
  EXPECT_EQ(Device::current().name(), "best:0");
  EXPECT_EQ(Device::current().multiprocessors(), 4);
  EXPECT_EQ(Device::current().warp_size(), 32);
  EXPECT_EQ(Device::current().target(), Target("null"));
  EXPECT_EQ(Device::current().description(), "a device of the tests");
}

TEST_F(DeviceTest, environmentChooses) {
  const ScopedEnvironment set("TESSERA_DEVICE", "best:1");
  EXPECT_EQ(Device::current().name(), "best:1");
}

TEST_F(DeviceTest, unknownEnvironmentListsWhatThereIs) {
  const ScopedEnvironment set("TESSERA_DEVICE", "cuda:7");
  EXPECT_THAT(wordsOf<UsageError>([] { Device::current(); }),
              AllOf(HasSubstr("DeviceTest.cpp:"),
                    HasSubstr("TESSERA_DEVICE is `cuda:7`, but there is no device `cuda:7`"),
                    HasSubstr("available: best:0, best:1")));
}

TEST_F(DeviceTest, findsByName) {
  EXPECT_EQ(Device::get("best:1").name(), "best:1");
  EXPECT_EQ(Device::get("best"), Device::get("best:0"));
  EXPECT_EQ(Device::get("hidden").name(), "hidden") << "by name only";
  EXPECT_EQ(Device::get("null").name(), "null");
}

TEST_F(DeviceTest, devicesMayHaveNames) {
  EXPECT_EQ(Device::get("played:two").name(), "played:two");
  EXPECT_EQ(Device::get("played"), Device::get("played:one"));
  EXPECT_EQ(Device::get("played:1"), Device::get("played:two"));
  EXPECT_THAT(wordsOf<UsageError>([] { Device::get("played:three"); }),
              HasSubstr("there is no device `played:three` (played has played:one, played:two); available: best:0"));
}

TEST_F(DeviceTest, unknownNamesSayWhy) {
  EXPECT_THAT(wordsOf<UsageError>([] { Device::get("best:2"); }),
              HasSubstr("there is no device `best:2` (best has 2 devices); available: best:0, best:1"));
  EXPECT_THAT(wordsOf<UsageError>([] { Device::get("gone"); }),
              HasSubstr("there is no device `gone` (libfake.so was not found)"));
  for (const char *name : {"", ":", "best:", "best:x", "best:-1", "best:1x", "best:99999999999"})
    EXPECT_THROW(Device::get(name), UsageError) << name;
}

TEST_F(DeviceTest, hiddenFamiliesAreNotListed) {
  EXPECT_THAT(Device::available(), testing::Not(testing::Contains("hidden")));
  EXPECT_THAT(Device::available(), testing::Not(testing::Contains("null")));
}

TEST_F(DeviceTest, familiesAreUnique) {
  EXPECT_THAT(wordsOf<UsageError>([] { rt::Registry::get().add(std::make_unique<FakeDriver>("best")); }),
              HasSubstr("there already is a driver for devices called `best`"));
}

TEST_F(DeviceTest, lookupIsThreadSafe) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int i = 0; i != 8; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round != 200; ++round)
        wrong += Device::get("best:1") != Device::get("best:1") || Device::current().name() != "best:0";
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(DeviceTest, streamsAreHandles) {
  const Device device = Device::get("best");
  const Stream stream = device.create_stream(), copy = stream;
  EXPECT_NE(stream.native(), nullptr);
  EXPECT_EQ(copy.native(), stream.native());
  EXPECT_EQ(stream.device(), device);
  EXPECT_EQ(device.stream().native(), nullptr);
  int foreign = 0;
  const Stream borrowed = Stream::borrow(device, &foreign);
  EXPECT_EQ(borrowed.native(), &foreign);
  EXPECT_EQ(&borrowed.state(), &Stream::borrow(device, &foreign).state()) << "one state a handle";
  EXPECT_EQ(&Stream::borrow(device, nullptr).state(), &device.stream().state());
}

TEST_F(DeviceTest, synchronizeThrowsWhatWentWrong) {
  FakeDriver &driver = family("best", 2, 200);
  driver.failure = "fakeStreamSynchronize failed with code 700 (illegal address)";
  EXPECT_EQ(wordsOf<DeviceError>([] { Device::get("best").synchronize(); }),
            "fakeStreamSynchronize failed with code 700 (illegal address)");
  Device::get("best").synchronize();
}

TEST_F(DeviceTest, eventsMeasure) {
  const Device device = Device::get("best");
  const Event start(device), end(device);
  EXPECT_THAT(wordsOf<UsageError>([&] { end.milliseconds_since(start); }), HasSubstr("needs both recorded"));
  start.record(device.stream());
  end.record(device.stream());
  end.synchronize();
  EXPECT_GE(end.milliseconds_since(start), 0.0);
  device.create_stream().wait(end);
  const Event plain(device, false);
  plain.record(device.stream());
  EXPECT_THAT(wordsOf<UsageError>([&] { plain.milliseconds_since(start); }), HasSubstr("made with timing"));
}

TEST_F(DeviceTest, eventsBelongToOneDevice) {
  const Event event(Device::get("best:0"));
  EXPECT_THAT(wordsOf<UsageError>([&] { event.record(Device::get("best:1").stream()); }),
              HasSubstr("an event of device best:0 meets a stream of device best:1"));
}
