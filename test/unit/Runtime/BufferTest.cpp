//===- BufferTest.cpp - device memory -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/HostMemory.h"
#include "Runtime/Registry.h"
#include "unit/Expect.h"
#include "unit/Runtime/FakeDriver.h"

#include "tessera/runtime/Device.h"

#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

using namespace tessera;
using tessera::test::wordsOf;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {
Device device() { return Device::get("null"); }

/// A device that does nothing before somebody waits for it, as a GPU may.
class LateDriver : public test::FakeDriver {
public:
  using FakeDriver::FakeDriver;

  void copyToDevice(int, void *, void *to, const void *from, std::size_t bytes) override {
    pending.emplace_back([=, this] { HostMemoryDriver::copyToDevice(0, nullptr, to, from, bytes); });
  }
  void copyToHost(int, void *, void *to, const void *from, std::size_t bytes) override {
    pending.emplace_back([=, this] { HostMemoryDriver::copyToHost(0, nullptr, to, from, bytes); });
  }
  void copyOnDevice(int, void *, void *to, const void *from, std::size_t bytes) override {
    pending.emplace_back([=, this] { HostMemoryDriver::copyOnDevice(0, nullptr, to, from, bytes); });
  }
  void fill(int, void *, void *to, std::uint64_t pattern, int patternBytes, std::size_t count) override {
    pending.emplace_back([=, this] { HostMemoryDriver::fill(0, nullptr, to, pattern, patternBytes, count); });
  }
  void synchronize(int device, void *stream) override {
    for (const std::function<void()> &work : std::exchange(pending, {}))
      work();
    FakeDriver::synchronize(device, stream);
  }

  std::vector<std::function<void()>> pending;
};

LateDriver &lateDriver() {
  static LateDriver *const driver = [] {
    auto fresh = std::make_unique<LateDriver>("late");
    LateDriver *kept = fresh.get();
    rt::Registry::get().add(std::move(fresh));
    return kept;
  }();
  return *driver;
}
} // namespace

TEST(Buffer, copiesBothWays) {
  Buffer<f32> buffer = device().buffer<f32>(3);
  EXPECT_EQ(buffer.size(), 3);
  buffer.copy_from(std::vector<float>{1, 2, 3});
  EXPECT_THAT(buffer.download(), ElementsAre(1, 2, 3));
  float out[3] = {};
  buffer.copy_to(out);
  EXPECT_EQ(out[2], 3);
}

TEST(Buffer, uploadFindsTheType) {
  const auto buffer = device().upload(std::vector<std::int64_t>{4, 5});
  static_assert(std::is_same_v<decltype(buffer), const Buffer<i64>>);
  EXPECT_THAT(buffer.download(), ElementsAre(4, 5));
}

TEST(Buffer, uploadConverts) {
  const Buffer<bf16> buffer = device().upload<bf16>(std::vector<float>{1.0f, 1.0f + 1.0f / 512});
  EXPECT_EQ(static_cast<float>(buffer.download()[1]), 1.0f);
  EXPECT_THAT(device().upload<i1>(std::vector<int>{0, 1}).download(), ElementsAre(0, 1));
}

TEST(Buffer, fillsWithAnyElement) {
  Buffer<f64> wide = device().buffer<f64>(3);
  wide.fill(-0.5);
  EXPECT_THAT(wide.download(), ElementsAre(-0.5, -0.5, -0.5));
  Buffer<e5m2> narrow = device().buffer<e5m2>(2);
  narrow.fill(2.0f);
  EXPECT_EQ(static_cast<float>(narrow.download()[1]), 2.0f);
}

TEST(Buffer, copiesOnTheDevice) {
  const Buffer<i32> from = device().upload(std::vector<int>{7, 8});
  Buffer<i32> to = device().buffer<i32>(2);
  to.copy_from(from);
  EXPECT_THAT(to.download(), ElementsAre(7, 8));
  Buffer<i32> later = device().buffer<i32>(2);
  const Stream stream = device().create_stream();
  later.copy_from_async(stream, from);
  stream.synchronize();
  EXPECT_THAT(later.download(), ElementsAre(7, 8));
  EXPECT_THAT(wordsOf<UsageError>([&] { later.copy_from_async(Device::get("cpu").stream(), from); }),
              HasSubstr("through a stream of device"));
}

TEST(Buffer, copiesThroughStreams) {
  const Stream stream = device().create_stream();
  Buffer<i32> buffer = device().buffer<i32>(2);
  const std::vector<int> values{1, 2};
  std::vector<int> out(2);
  buffer.copy_from_async(stream, values);
  buffer.copy_to_async(stream, out);
  stream.synchronize();
  EXPECT_EQ(out, values);
  buffer.fill_async(stream, 9);
  EXPECT_THAT(buffer.download(), ElementsAre(9, 9));
}

TEST(Buffer, whatNamesNoStreamIsDoneAtReturn) {
  lateDriver();
  const Device late = Device::get("late");
  const Buffer<i32> from = late.upload(std::vector<int>{7, 8});
  EXPECT_EQ(from.data()[1], 8);
  Buffer<i32> to = late.buffer<i32>(2);
  to.fill(3);
  EXPECT_EQ(to.data()[1], 3);
  to.copy_from(from);
  EXPECT_EQ(to.data()[1], 8);
  to.copy_from(std::vector<int>{1, 2});
  EXPECT_EQ(to.data()[1], 2);
  EXPECT_THAT(to.download(), ElementsAre(1, 2));
  // What went wrong before is told here.
  lateDriver().failure = "the device is lost";
  EXPECT_THAT(wordsOf<DeviceError>([&] { to.fill(0); }), HasSubstr("the device is lost"));
}

TEST(Buffer, whatNamesAStreamIsEnqueued) {
  lateDriver();
  const Device late = Device::get("late");
  const Stream stream = late.create_stream();
  const Buffer<i32> from = late.upload(std::vector<int>{7, 8});
  Buffer<i32> to = late.upload(std::vector<int>{1, 2});
  to.fill_async(stream, 3);
  EXPECT_EQ(to.data()[1], 2);
  stream.synchronize();
  EXPECT_EQ(to.data()[1], 3);
  to.copy_from_async(stream, from);
  EXPECT_EQ(to.data()[1], 3);
  stream.synchronize();
  EXPECT_EQ(to.data()[1], 8);
}

TEST(Buffer, movesOnly) {
  static_assert(!std::is_copy_constructible_v<Buffer<f32>> && std::is_nothrow_move_constructible_v<Buffer<f32>>);
  Buffer<i32> a = device().upload(std::vector<int>{1});
  Buffer<i32> b = std::move(a);
  EXPECT_EQ(b.size(), 1);
  a = std::move(b);
  EXPECT_THAT(a.download(), ElementsAre(1));
}

TEST(Buffer, emptyOnesHaveMemory) {
  const Buffer<f32> buffer = device().buffer<f32>(0);
  EXPECT_TRUE(buffer.empty());
  EXPECT_NE(buffer.data(), nullptr);
  EXPECT_TRUE(buffer.download().empty());
}

TEST(Buffer, refusesImpossibleSizes) {
  EXPECT_THAT(wordsOf<UsageError>([] { device().buffer<f32>(-1); }),
              AllOf(HasSubstr("BufferTest.cpp:"), HasSubstr("a buffer of -1 elements of f32 cannot be made")));
  EXPECT_THROW(device().buffer<f64>(std::numeric_limits<std::int64_t>::max()), UsageError);
}

TEST(Buffer, outOfMemoryIsTheDevices) {
  EXPECT_THAT(wordsOf<DeviceError>([] { device().buffer<i8>(std::int64_t{1} << 47); }),
              HasSubstr("device null could not allocate 140737488355328 bytes"));
}

TEST(Buffer, refusesOtherSizes) {
  Buffer<f32> buffer = device().buffer<f32>(3);
  EXPECT_THAT(wordsOf<UsageError>([&] { buffer.copy_from(std::vector<float>(4)); }),
              AllOf(HasSubstr("BufferTest.cpp:"), HasSubstr("a buffer of 3 elements cannot be copied from or to 4")));
  std::vector<float> few(2);
  EXPECT_THROW(buffer.copy_to(few), UsageError);
  EXPECT_THAT(wordsOf<UsageError>([&] { buffer.copy_from(device().buffer<f32>(2)); }),
              HasSubstr("cannot copy a buffer of 2 elements to a buffer of 3"));
}

TEST(Buffer, refusesWorkWithoutMemory) {
  Buffer<f32> none;
  EXPECT_THAT(wordsOf<UsageError>([&] { none.fill(0); }), HasSubstr("cannot fill a buffer without memory"));
  EXPECT_THAT(wordsOf<UsageError>([&] { none.download(); }), HasSubstr("cannot read a buffer without memory"));
}

TEST(Buffer, borrowing) {
  float memory[4] = {};
  const Borrowed<f32> part = borrow(memory, 4).from(1);
  EXPECT_EQ(part.data, memory + 1);
  EXPECT_EQ(part.count, 3);
  EXPECT_EQ(borrow<bf16>(memory, 8).from(2).data, memory + 1);
  const Buffer<f32> buffer = device().buffer<f32>(5);
  EXPECT_EQ(buffer.from(2).count, 3);
  EXPECT_EQ(buffer.from(2).device, buffer.device());
  EXPECT_EQ(buffer.from(5).count, 0);
  EXPECT_TRUE(buffer.from(5).sized);
}

TEST(Buffer, borrowingMemoryOfUnknownSize) {
  float memory[4] = {};
  EXPECT_TRUE(borrow(memory, 0).sized);
  EXPECT_FALSE(borrow(memory).sized);
  EXPECT_FALSE(borrow<bf16>(memory).from(1000).sized);
  EXPECT_EQ(Buffer<f32>().from(0).data, nullptr);
  EXPECT_EQ(borrow(static_cast<float *>(nullptr)).from(2).data, nullptr) << "still seen to be null";
}

TEST(Buffer, borrowingConst) {
  float memory[4] = {};
  const float *constant = memory;
  EXPECT_FALSE(borrow(memory, 4).readOnly);
  EXPECT_TRUE(borrow(constant, 4).from(1).readOnly);
  EXPECT_FALSE(borrow<bf16>(memory, 4).readOnly);
  EXPECT_TRUE(borrow<bf16>(constant, 4).readOnly);
}

TEST(Buffer, refusesImpossibleParts) {
  float memory[4] = {};
  EXPECT_THAT(
      wordsOf<UsageError>([&] { borrow(memory, -1); }),
      AllOf(HasSubstr("BufferTest.cpp:"), HasSubstr("cannot borrow -1 elements of f32; the count must lie between "
                                                    "0 and 70368744177664")));
  EXPECT_THROW(borrow(memory, std::numeric_limits<std::int64_t>::max()), UsageError);
  EXPECT_THROW(borrow<bf16>(memory, std::numeric_limits<std::int64_t>::max()), UsageError);
  const Buffer<f32> buffer = device().buffer<f32>(5);
  EXPECT_THAT(wordsOf<UsageError>([&] { buffer.from(6); }),
              AllOf(HasSubstr("BufferTest.cpp:"), HasSubstr("memory for 5 elements has no part from element 6 on; the "
                                                            "first element must lie between 0 and 5")));
  EXPECT_THROW(buffer.from(-1), UsageError);
  EXPECT_THROW(borrow(memory, 4).from(2).from(3), UsageError);
  EXPECT_THAT(wordsOf<UsageError>([&] { borrow(memory).from(-1); }), HasSubstr("memory of unknown size has no part"));
}
