//===- LaunchMemoryTest.cpp - what is known of the memory of a launch -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Driver/Kernels.h"
#include "unit/Expect.h"

#include "Support/Log.h"

#include <limits>

using namespace tessera;
using namespace tessera::test;
using testing::AllOf;
using testing::HasSubstr;

namespace {

class LaunchMemory : public testing::Test {
protected:
  const Device dev = interp();
  const Buffer<f32> x = dev.upload(std::vector<float>(64, 1));
  Buffer<f32> out = dev.buffer<f32>(64);

  template <class K, class... Args> std::string faults(const K &k, const Args &...args) {
    return wordsOf<DeviceError>([&] {
      k.launch(dev, 1, args...);
      dev.synchronize();
    });
  }
};

const auto copyFirst = kernel("copy_first", {"from", "to"}, [](Ptr<f32> from, Ptr<f32> to) { store(to, load(from)); });
const auto copyBefore =
    kernel("copy_before", {"from", "to"}, [](Ptr<f32> from, Ptr<f32> to) { store(to, load(from - 1)); });
const auto fill = kernel("fill", {"x"}, [](Ptr<f32> x) { store(x + arange(0, 4), 7.0f); });

} // namespace

TEST_F(LaunchMemory, anEmptyBufferHoldsNothing) {
  EXPECT_THAT(faults(copyFirst, dev.buffer<f32>(0), out), HasSubstr("`from`"));
  EXPECT_THAT(faults(copyFirst, x, dev.buffer<f32>(0)), HasSubstr("`to`"));
}

TEST_F(LaunchMemory, theEndOfABufferHoldsNothing) {
  EXPECT_THAT(faults(copyFirst, x.from(64), out), HasSubstr("`from`"));
  EXPECT_THAT(faults(copyBefore, x.from(64), out), HasSubstr("`from`"));
  copyFirst.launch(dev, 1, x.from(63), out);
}

TEST_F(LaunchMemory, borrowedMemoryOfNoElements) {
  float memory[4] = {};
  EXPECT_THAT(faults(copyFirst, borrow(&memory[1], 0), out), HasSubstr("`from`"));
  EXPECT_THAT(faults(copyFirst, borrow(&memory[1], 1).from(1), out), HasSubstr("`from`"));
}

TEST_F(LaunchMemory, countsThatNoMemoryHas) {
  float memory[4] = {};
  Borrowed<f32> made = borrow(memory, 4);
  made.count = -1;
  EXPECT_THAT(wordsOf<UsageError>([&] { copyFirst.launch(dev, 1, made, out); }),
              AllOf(HasSubstr("LaunchMemoryTest.cpp:"), HasSubstr("launch of kernel `copy_first`: argument `from` (the "
                                                                  "first) is memory for -1 elements of f32")));
  made.count = std::numeric_limits<std::int64_t>::max();
  EXPECT_THROW(copyFirst.launch(dev, 1, made, out), UsageError);
}

TEST_F(LaunchMemory, aViewOfAnEmptyBuffer) {
  const auto k = kernel("view", {"v"}, [](View<f32, 1>) {});
  EXPECT_THAT(wordsOf<UsageError>([&] { k.launch(dev, 1, view_arg(x.from(64), {1})); }),
              HasSubstr("the view reaches element 0 of memory for 0 elements"));
  k.launch(dev, 1, view_arg(x.from(64), {0}));
}

TEST_F(LaunchMemory, oneNoteOnRawPointers) {
  std::string seen;
  support::resetLog([&](std::string_view line) { seen += line; });
  float from[4] = {1}, to[4] = {};
  const auto k = kernel("noted", {"from", "to"}, [](Ptr<f32> from, Ptr<f32> to) { store(to, load(from)); });
  k.launch(dev, 1, borrow(from, 4), borrow(to, 4));
  k.launch(dev, 1, x.data(), out.data());
  EXPECT_EQ(seen, "") << "memory of known size";
  k.launch(dev, 1, &from[0], &to[0]);
  k.launch(dev, 1, &from[0], &to[0]);
  support::resetLog();
  EXPECT_EQ(seen, "tessera: note: kernel `noted` is given raw pointers of unknown size (`from`, `to`): how far it "
                  "reaches behind them is not checked; pass borrow(pointer, count)\n");
}

TEST_F(LaunchMemory, storesThroughAPointerToConst) {
  static const float constant[4] = {1, 2, 3, 4};
  const auto refused =
      AllOf(HasSubstr("LaunchMemoryTest.cpp:"),
            HasSubstr("launch of kernel `fill`: argument `x` (the first) is a pointer to const, and the "
                      "kernel stores through it"));
  EXPECT_THAT(wordsOf<UsageError>([&] { fill.launch(dev, 1, borrow(constant, 4)); }), refused);
  EXPECT_THAT(wordsOf<UsageError>([&] { fill.launch(dev, 1, borrow<f32>(constant, 4)); }), refused);
  EXPECT_THAT(wordsOf<UsageError>([&] { fill.launch(dev, 1, &constant[0]); }), refused);
  auto go = fill.prepare(1, out);
  go.set<0>(borrow(constant, 4));
  EXPECT_THAT(wordsOf<UsageError>([&] { go(dev); }), refused);
  copyFirst.launch(dev, 1, borrow(constant, 4), out);
  EXPECT_EQ(out.download()[0], 1);
}

TEST_F(LaunchMemory, zeroingAPointerToConst) {
  static const int constant[4] = {1, 2, 3, 4};
  const auto k = kernel("zeroed", {"counts"}, [](Zeroed<i32>) {});
  EXPECT_THAT(wordsOf<UsageError>([&] { k.launch(dev, 1, borrow(constant, 4)); }), HasSubstr("is a pointer to const"));
}

TEST_F(LaunchMemory, readingAtomicallyThroughAPointerToConst) {
  static const int constant[1] = {5};
  const auto k = kernel("peek", {"x", "to"}, [](Ptr<i32> x, Ptr<i32> to) { store(to, atomic_load(x)); });
  Buffer<i32> to = dev.buffer<i32>(1);
  k.launch(dev, 1, borrow(constant, 1), to);
  EXPECT_EQ(to.download()[0], 5);
}

// Through a table of addresses nobody knows beforehand; the const argument itself is only read.
TEST_F(LaunchMemory, storesThroughALoadedPointer) {
  static const float constant[4] = {1, 2, 3, 4};
  const auto k = kernel("scatter", {"table", "x"},
                        [](Ptr<ptr_to(f32)> table, Ptr<f32> x) { store(Ptr<f32>(load(table)), load(x)); });
  Buffer<ptr_to(f32)> table = dev.buffer<ptr_to(f32)>(1);
  table.copy_from(std::vector<void *>{out.data()});
  k.launch(dev, 1, table, borrow(constant, 4));
  EXPECT_EQ(out.download()[0], 1);
  table.copy_from(std::vector<void *>{const_cast<float *>(&constant[1])});
  EXPECT_THAT(faults(k, table, borrow(constant, 4)), HasSubstr("of `x`, which was given as a pointer to const"));
  EXPECT_EQ(constant[1], 2);
}

// SEMANTICS M1: the memory of a workspace is `count` elements, whatever the launcher keeps behind them.
TEST_F(LaunchMemory, aWorkspaceEndsAfterItsElements) {
  const auto k = kernel("scratch", {"out", "n"}, [](Ptr<f32> out, Int n) {
    Ptr<f32> scratch = workspace<f32>(n);
    store(scratch + arange(0, 16), 1.0f);
    store(out, sum(load(scratch + arange(0, 16))));
  });
  k.launch(dev, 1, out, 16);
  EXPECT_THAT(faults(k, out, 10), HasSubstr("of `workspace`, which has 10, "));
  EXPECT_THAT(faults(k, out, 0), HasSubstr("in program (0, 0, 0) at [0] and 15 more lanes"));
}

TEST_F(LaunchMemory, aWorkspaceStartsUnwritten) {
  const auto k = kernel("twice", {"out", "first"}, [](Ptr<f32> out, Bool first) {
    Ptr<f32> scratch = workspace<f32>(4);
    if_(first, [&] { store(scratch + arange(0, 4), 1.0f); });
    store(out + arange(0, 4), load(scratch + arange(0, 4)));
  });
  k.launch(dev, 1, out, true);
  EXPECT_THAT(faults(k, out, false), HasSubstr("element 0 of `workspace`, which nothing has written"));
}

TEST_F(LaunchMemory, aZeroedWorkspaceIsWritten) {
  const auto k = kernel("zeros", {"out"}, [](Ptr<f32> out) {
    Ptr<f32> scratch = workspace<f32>(4, {.zeroed = true});
    store(out + arange(0, 4), load(scratch + arange(0, 4)));
    store(scratch + arange(0, 4), 3.0f);
  });
  k.launch(dev, 1, out);
  k.launch(dev, 1, out);
  EXPECT_EQ(out.download()[3], 0);
}

TEST_F(LaunchMemory, workspacesAreApart) {
  const auto k = kernel("two", {"out"}, [](Ptr<f32> out) {
    Ptr<f32> a = workspace<f32>(64).named("a"), b = workspace<f32>(64).named("b");
    store(a + arange(0, 64), 1.0f);
    store(b + arange(0, 64), 2.0f);
    store(out, load(a + 64));
  });
  EXPECT_THAT(faults(k, out), HasSubstr(", which has "));
}
