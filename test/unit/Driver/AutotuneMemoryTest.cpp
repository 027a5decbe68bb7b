//===- AutotuneMemoryTest.cpp - tuning leaves what one launch leaves ---===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Driver/TuneMemory.h"
#include "unit/Driver/Tuning.h"

#include <numeric>

using namespace tessera;
using namespace tessera::test;
using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// On the host and on the interpreter, which finds every access that is wrong.
class AutotuneMemory : public testing::TestWithParam<const char *> {
protected:
  const Device device = Device::get(GetParam());
  const std::int64_t n = 300;
  const Buffer<f32> x = device.upload(std::vector<float>(300, 1));
  Space<SpinConfig> space() const { return {{{.block = 64}}, {{.block = 128}}, {{.block = 32, .rounds = 3}}}; }
};
INSTANTIATE_TEST_SUITE_P(Devices, AutotuneMemory, testing::Values("cpu", "interp"),
                         [](const auto &info) { return std::string(info.param); });

} // namespace

TEST_P(AutotuneMemory, accumulatesOnce) {
  Buffer<f32> out = device.buffer<f32>(n);
  out.fill(5);
  const auto tuned = autotune(makeAccumulate(), space(), key("n"));
  tuned.launch(device, gridFor(n), x, out, n);
  EXPECT_THAT(out.download(), Each(6));
  EXPECT_GT(tuned.report().timing_ms, 0);
  tuned.launch(device, gridFor(n), x, out, n);
  EXPECT_THAT(out.download(), Each(7));
}

TEST_P(AutotuneMemory, atomicsAddOnce) {
  const auto k = kernel("count", {"x", "sum", "n"}, [](const SpinConfig &c, Ptr<f32> x, Ptr<f32> sum, Int n) {
    Tile i = program_id(0) * c.block + arange(0, c.block);
    atomic_add(sum, spin(tessera::sum(load(x + i, {.mask = i < n})), c.rounds));
  });
  Buffer<f32> total = device.buffer<f32>(1);
  total.fill(10);
  autotune(k, space(), key("n")).launch(device, gridFor(n), x, total, n);
  EXPECT_EQ(total.download()[0], 310);
}

// Every program takes a ticket and writes its number at that place: with a second run there would be none left.
TEST_P(AutotuneMemory, queuesAreEmptiedOnce) {
  const auto k = kernel("take", {"next", "out", "n"}, [](const SpinConfig &c, Ptr<i32> next, Ptr<i32> out, Int n) {
    Tile ticket = atomic_add(next, 1);
    store(out + ticket, ticket + 100, {.mask = ticket < n});
    store(out + n + program_id(0), spinOne(c.rounds).to(i32));
  });
  Buffer<i32> next = device.buffer<i32>(1), out = device.buffer<i32>(16);
  next.fill(0);
  out.fill(-1);
  autotune(k, space()).launch(device, {8}, next, out, 8);
  EXPECT_EQ(next.download()[0], 8);
  EXPECT_THAT(out.download(), ElementsAre(100, 101, 102, 103, 104, 105, 106, 107, 1, 1, 1, 1, 1, 1, 1, 1));
}

// Read through one argument, written through another.
TEST_P(AutotuneMemory, inPlaceThroughTwoArguments) {
  Buffer<f32> both = device.upload(std::vector<float>(300, 3));
  autotune(makeDouble(), space(), key("n")).launch(device, gridFor(n), both, both, n);
  EXPECT_THAT(both.download(), Each(6));
}

// A view that runs backwards lies before its base.
TEST_P(AutotuneMemory, viewsThatRunBackwards) {
  const auto k = kernel("backwards", {"v"}, [](const SpinConfig &c, View<f32, 1> v) {
    Int at = program_id(0) * c.block;
    v.store({at}, spin(v.load({at}, {c.block}), c.rounds) + 1.0f);
  });
  Buffer<f32> memory = device.upload(std::vector<float>(300, 3));
  autotune(k, space()).launch(device, gridFor(n), view_arg(memory.from(299), {300}, {-1}));
  EXPECT_THAT(memory.download(), Each(4));
}

TEST_P(AutotuneMemory, zeroedOutputsNeedNoCopies) {
  const auto k = kernel("histogram", {"x", "out", "n"}, [](const SpinConfig &c, Ptr<f32> x, Zeroed<f32> out, Int n) {
    Tile i = program_id(0) * c.block + arange(0, c.block);
    atomic_add(out, spin(tessera::sum(load(x + i, {.mask = i < n})), c.rounds));
  });
  Buffer<f32> out = device.buffer<f32>(1);
  autotune(k, space(), {}, {.snapshot_bytes = 1}).launch(device, gridFor(n), x, out, n);
  EXPECT_EQ(out.download()[0], 300);
}

TEST_P(AutotuneMemory, memoryOfUnknownSizeIsRefused) {
  Buffer<f32> out = device.buffer<f32>(n);
  out.fill(5);
  const auto tuned = autotune(makeAccumulate(), space(), key("n"));
  const int line = __LINE__ + 1;
  const std::string words = wordsOf<UsageError>([&] { tuned.launch(device, gridFor(n), x, borrow(out.data()), n); });
  EXPECT_THAT(words,
              AllOf(HasSubstr("AutotuneMemoryTest.cpp:" + std::to_string(line)),
                    HasSubstr("launch of kernel `accumulate`: argument `out` (the second) is read and written, and "
                              "nobody said how much memory it is"),
                    HasSubstr("pass borrow(pointer, count), or set TuneOptions::pre_hook")));
  EXPECT_THAT(out.download(), Each(5)) << "nothing ran";
  tuned.launch(device, gridFor(n), x, borrow(out.data(), n), n);
  EXPECT_THAT(out.download(), Each(6));
}

// Memory that is only written may be of unknown size.
TEST_P(AutotuneMemory, outputsMayBeOfUnknownSize) {
  Buffer<f32> out = device.buffer<f32>(n);
  autotune(makeDouble(), space(), key("n")).launch(device, gridFor(n), x, borrow(out.data()), n);
  EXPECT_THAT(out.download(), Each(2));
}

TEST_P(AutotuneMemory, hooksMayPutMemoryRight) {
  Buffer<f32> out = device.buffer<f32>(n);
  const auto tuned = autotune(makeAccumulate(), space(), key("n"),
                              {.pre_hook = [&](const Stream &stream) { out.fill_async(stream, 5); }});
  tuned.launch(device, gridFor(n), x, borrow(out.data()), n);
  EXPECT_THAT(out.download(), Each(6));
}

TEST_P(AutotuneMemory, copiesHaveALimit) {
  Buffer<f32> out = device.buffer<f32>(n);
  out.fill(5);
  const auto tuned = autotune(makeAccumulate(), space(), key("n"), {.snapshot_bytes = 1000});
  EXPECT_THAT(
      wordsOf<UsageError>([&] { tuned.launch(device, gridFor(n), x, out, n); }),
      HasSubstr("it reads and writes 1200 bytes, which tuning would have to copy, and TuneOptions::snapshot_bytes "
                "allows 1000"));
  EXPECT_THAT(out.download(), Each(5));
}

TEST(AutotuneTables, addressesFromMemoryNeedAHook) {
  const Device device = Device::get("cpu");
  const auto k = kernel("scatter", [](const SpinConfig &c, Ptr<ptr_to(f32)> table) {
    Ptr<f32> to = load(table);
    store(to, load(to) + spinOne(c.rounds));
  });
  float target = 5;
  Buffer<ptr_to(f32)> table = device.buffer<ptr_to(f32)>(1);
  table.copy_from(std::vector<void *>{&target});
  const auto plain = autotune(k, {{{.rounds = 1}}, {{.rounds = 2}}});
  EXPECT_THAT(wordsOf<UsageError>([&] { plain.launch(device, {1}, table); }),
              HasSubstr("the kernel stores through addresses that it loads or computes"));
  EXPECT_EQ(target, 5);
  const auto hooked =
      autotune(k, {{{.rounds = 1}}, {{.rounds = 2}}}, {}, {.pre_hook = [&](const Stream &) { target = 5; }});
  hooked.launch(device, {1}, table);
  EXPECT_EQ(target, 6);
}

TEST(AutotuneTables, whatAFailedTuningDidIsUndone) {
  const Device device = Device::get("cpu");
  const Buffer<f32> x = device.upload(std::vector<float>(64, 1));
  Buffer<f32> out = device.buffer<f32>(64);
  out.fill(5);
  int calls = 0;
  const auto tuned =
      autotune(makeAccumulate(), {{{.rounds = 1}}, {{.rounds = 2}}}, {}, {.post_hook = [&](const Stream &) {
                 if (++calls > 1)
                   throw UsageError("the hook gives up");
               }});
  EXPECT_THROW(tuned.launch(device, gridFor(64), x, out, 64), UsageError);
  EXPECT_THAT(out.download(), Each(5));
}
