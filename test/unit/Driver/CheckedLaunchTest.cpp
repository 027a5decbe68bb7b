//===- CheckedLaunchTest.cpp - what checks find in kernels of the language -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The interpreter checks the program as it was traced: signs are those of the language, and nothing is folded, merged
// or dropped before.
//
//===---------------------------------------------------------------------===//

#include "unit/Driver/Kernels.h"
#include "unit/Expect.h"

#include "Runtime/DeviceRecords.h"

using namespace tessera;
using namespace tessera::test;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// What the checks find when `body(p, a)` runs on eight numbers and \p a.
template <DType T, class Body> std::string found(Body body, std::int64_t a) {
  const auto k = kernel("k", {"p", "a"}, [&](Ptr<T> p, Int a) { body(p, a); });
  const Device dev = interp();
  const Buffer<T> p = dev.upload(std::vector<typename Buffer<T>::value_type>(8, 3));
  try {
    k.launch(dev, {1}, p, a);
    dev.synchronize();
  } catch (const DeviceError &error) {
    return error.what();
  }
  return "";
}

} // namespace

// SEMANTICS T5
TEST(CheckedLaunch, signsAreThoseOfTheLanguage) {
  // The difference is signed, whatever its use.
  const auto below = [](Ptr<i32> p, Int a) {
    const Tile i = arange(0, 8) + a.to(i32);
    store(p + arange(0, 8), 1, {.mask = (i - 1).to(u32) < 8u});
  };
  EXPECT_EQ(found<i32>(below, 0), "");
  // The difference is unsigned.
  const auto unsignedBelow = [](Ptr<i32> p, Int a) {
    const Tile i = (arange(0, 8) + a.to(i32)).to(u32);
    store(p + arange(0, 8), 1, {.mask = i - 1u < 8u});
  };
  EXPECT_THAT(found<i32>(unsignedBelow, 0), HasSubstr("0 - 1 overflows u32 and wraps to 4294967295"));
  EXPECT_EQ(found<i32>(unsignedBelow, 1), "");
  // Narrow sums in a mask
  const auto narrow = [](Ptr<u8> p, Int a) {
    const Tile sum = load(p + arange(0, 8)) + a.to(u8);
    store(p + arange(0, 8), sum, {.mask = sum < 200});
  };
  EXPECT_EQ(found<u8>(narrow, 200), "");
  EXPECT_THAT(found<u8>(narrow, 253), HasSubstr("3 + 253 overflows u8 and wraps to 0"));
}

// SEMANTICS T5
TEST(CheckedLaunch, constantsHideNoOverflow) {
  const auto body = [](Ptr<i32> p, Int a) {
    const Tile i = a.to(i32) + 2147483647 + 1;
    store(p, 1, {.mask = i > 0});
  };
  EXPECT_THAT(found<i32>(body, 1), HasSubstr("1 + 2147483647 overflows i32"));
}

// SEMANTICS P2, A1
TEST(CheckedLaunch, unusedResultsAreChecked) {
  EXPECT_THAT(found<i32>([](Ptr<i32>, Int a) { (void)multiple_of(a, 16); }, 3), HasSubstr("3 is no multiple of 16"));
  EXPECT_THAT(found<i32>([](Ptr<i32>, Int a) { (void)(a % a); }, 0), HasSubstr("division by zero: 0 % 0"));
  EXPECT_THAT(found<i32>([](Ptr<i32> p, Int a) { (void)load(p + a); }, 8),
              HasSubstr("load of element 8 of `p`, which has 8, in program (0, 0, 0); "));
}

// A workspace that nothing uses is in the traced program, and so in the argument table.
TEST(CheckedLaunch, unusedWorkspace) {
  EXPECT_EQ(found<i32>([](Ptr<i32>, Int a) { (void)workspace<f32>(a); }, 4), "");
}

// SEMANTICS M3: the hint names the type to write.
TEST(CheckedLaunch, theHintNamesTheType) {
  const auto shift = kernel("shift", {"x", "y"}, [](Ptr<u32> x, Ptr<u32> y) {
    const Tile i = arange(0, 4);
    store(y + i + 1, load(x + i));
  });
  const Device dev = interp();
  const Buffer<u32> x = dev.upload(std::vector<std::uint32_t>(8));
  EXPECT_THAT(wordsOf<DeviceError>([&] {
                shift.launch(dev, {1}, x, x);
                dev.synchronize();
              }),
              AllOf(HasSubstr("which a load of another lane"), HasSubstr("declare one of them MayAlias<u32>")));
}

// An argument in the middle of a buffer is counted from its own first element.
TEST(CheckedLaunch, elementsCountFromTheArgument) {
  const auto one = kernel("one", {"x", "at"}, [](Ptr<f32> x, Int at) { store(x + at, 1.0); });
  const Device dev = interp();
  Buffer<f32> x = dev.upload(std::vector<float>(16));
  EXPECT_THAT(wordsOf<DeviceError>([&] {
                one.launch(dev, {1}, x.from(8), 8);
                dev.synchronize();
              }),
              HasSubstr("store to element 8 of `x`, which has 8"));
}

// SEMANTICS L3
TEST(CheckedLaunch, printsOneLineALane) {
  std::vector<std::string> lines;
  rt::setPrintSink([&](std::string_view line) { lines.emplace_back(line.substr(line.find(": ") + 2)); });
  const auto show = kernel("show", {"n"}, [](Int n) {
    const Tile i = arange(0, 2).named("i");
    device_print("v", {i.col(), n, i.row() * 2}, {.when = i.row() > 0});
    device_print("s", {n, n + 1});
  });
  const Device dev = interp();
  show.launch(dev, {1}, 7);
  dev.synchronize();
  rt::setPrintSink({});
  EXPECT_THAT(lines, ElementsAre("v 0, n = 7, 2 in program (0, 0, 0) at (0, 1)",
                                 "v 1, n = 7, 2 in program (0, 0, 0) at (1, 1)", "s n = 7, 8 in program (0, 0, 0)"));
}
