//===- LaunchMisuseTest.cpp - launches that cannot be right -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Driver/Kernels.h"
#include "unit/Expect.h"

#include <limits>

using namespace tessera;
using namespace tessera::test;
using testing::AllOf;
using testing::HasSubstr;

namespace {

class LaunchMisuse : public testing::Test {
protected:
  const Device dev = interp();
  const Buffer<f32> x = dev.upload(std::vector<float>(64, 1));
  Buffer<f32> out = dev.buffer<f32>(64);
};

/// The words name this file, the kernel and \p what.
auto launchError(const std::string &what) {
  return AllOf(HasSubstr("LaunchMisuseTest.cpp:"), HasSubstr(": launch of kernel `"), HasSubstr(what));
}

} // namespace

TEST_F(LaunchMisuse, nullPointer) {
  const float *null = nullptr;
  EXPECT_THAT(wordsOf<UsageError>([&] { makeAdd<f32>().launch(dev, 1, x, null, out, 64); }),
              launchError("argument `y` (the second) is a null pointer; it must be memory for elements of f32"));
}

TEST_F(LaunchMisuse, parametersByName) {
  const float *null = nullptr;
  const auto add = makeAdd<f32>().params({"left", "right", "sum", "count"});
  EXPECT_THAT(wordsOf<UsageError>([&] { add.launch(dev, 1, x, null, out, 64); }),
              launchError("argument `right` (the second) is a null pointer"));
}

TEST_F(LaunchMisuse, bufferWithoutMemory) {
  Buffer<f32> none;
  EXPECT_THAT(wordsOf<UsageError>([&] { makeAdd<f32>().launch(dev, 1, x, x, none, 64); }),
              launchError("argument `out` (the third) is a buffer without memory"));
  Buffer<f32> moved = dev.buffer<f32>(64), owner = std::move(moved);
  EXPECT_THAT(wordsOf<UsageError>([&] { makeAdd<f32>().launch(dev, 1, x, x, moved, 64); }),
              launchError("default-constructed or moved from"));
}

TEST_F(LaunchMisuse, bufferOfAnotherDevice) {
  const Buffer<f32> elsewhere = Device::get("null").buffer<f32>(64);
  EXPECT_THAT(
      wordsOf<UsageError>([&] { makeAdd<f32>().launch(dev, 1, elsewhere, x, out, 64); }),
      launchError("argument `x` (the first) is memory of device null, but the stream belongs to device interp"));
}

TEST_F(LaunchMisuse, misalignedPointer) {
  const auto *odd = reinterpret_cast<const float *>(reinterpret_cast<const char *>(x.data()) + 2);
  EXPECT_THAT(wordsOf<UsageError>([&] { makeAdd<f32>().launch(dev, 1, odd, x, out, 64); }),
              launchError("which is not a multiple of 4, the size of its elements (f32)"));
}

// SEMANTICS P1a
TEST_F(LaunchMisuse, negativeGrid) {
  EXPECT_THAT(wordsOf<UsageError>([&] { makeAdd<f32>().launch(dev, -1, x, x, out, 64); }),
              launchError("grid (-1, 1, 1) has a negative extent"));
}

TEST_F(LaunchMisuse, gridOverTheLimits) {
  const std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  EXPECT_THAT(wordsOf<UsageError>([&] { makeAdd<f32>().launch(dev, {huge, huge}, x, x, out, 64); }),
              launchError("programs; device interp starts at most"));
  EXPECT_THAT(wordsOf<UsageError>([&] {
                const Device null = Device::get("null");
                const Buffer<f32> memory = null.buffer<f32>(64);
                makeAdd<f32>().launch(null, std::int64_t{1} << 31, memory, memory, memory, 64);
              }),
              launchError("has 2147483648 programs; device null starts at most 2147483647 in one launch"));
}

TEST_F(LaunchMisuse, integersOutOfRange) {
  const auto k = kernel("narrow", {"a", "b"}, [](I32, U32) {});
  EXPECT_THAT(wordsOf<UsageError>([&] { k.launch(dev, 1, 5000000000, 1); }),
              launchError("argument `a` (the first) is 5000000000, which does not fit its parameter's type i32 "
                          "(-2147483648 to 2147483647)"));
  EXPECT_THAT(
      wordsOf<UsageError>([&] { k.launch(dev, 1, 1, -1); }),
      launchError("argument `b` (the second) is -1, which does not fit its parameter's type u32 (0 to 4294967295)"));
  const auto wide = kernel("wide", [](Int) {});
  EXPECT_THAT(wordsOf<UsageError>([&] { wide.launch(dev, 1, std::numeric_limits<std::uint64_t>::max()); }),
              launchError("the first argument is 18446744073709551615, which does not fit"));
}

TEST_F(LaunchMisuse, preparedArgumentsToo) {
  const auto k = kernel("narrow", [](I32) {});
  EXPECT_THAT(wordsOf<UsageError>([&] { k.prepare(1, 1LL << 40); }),
              launchError("the first argument is 1099511627776"));
  auto go = k.prepare(1, 1);
  EXPECT_THAT(wordsOf<UsageError>([&] { go.set<0>(1LL << 40); }), launchError("the first argument is 1099511627776"));
}

TEST_F(LaunchMisuse, presenceIsFixedOncePrepared) {
  const auto k = kernel("maybe", [](Opt<Int>) {});
  auto go = k.prepare(1, none);
  EXPECT_THAT(wordsOf<UsageError>([&] { go.set<0>(3); }),
              launchError("of a prepared launch cannot appear or disappear"));
}

TEST_F(LaunchMisuse, optionsOutOfRange) {
  EXPECT_THAT(wordsOf<UsageError>([&] { makeAdd<f32>().with({}, {.num_warps = 3}).launch(dev, 1, x, x, out, 64); }),
              launchError("option num_warps is 3; it must be a power of two; try 4"));
}

// SEMANTICS T2: a config that makes a block of 2^21 elements.
TEST_F(LaunchMisuse, blockTooLarge) {
  const std::string words =
      wordsOf<UsageError>([&] { makeAdd<f32>().with({.block = 1 << 21}).launch(dev, 1, x, x, out, 64); });
  EXPECT_THAT(words, AllOf(HasSubstr("Kernels.h:"), HasSubstr("2097152")));
}

TEST_F(LaunchMisuse, blockNoPowerOfTwo) {
  EXPECT_THAT(wordsOf<UsageError>([&] { makeAdd<f32>().with({.block = 100}).launch(dev, 1, x, x, out, 64); }),
              AllOf(HasSubstr("Kernels.h:"), HasSubstr("100"), HasSubstr("128")));
}

TEST_F(LaunchMisuse, aFailedTraceCanBeTriedAgain) {
  const auto add = makeAdd<f32>();
  EXPECT_THROW(add.with({.block = 100}).launch(dev, 1, x, x, out, 64), UsageError);
  EXPECT_THROW(add.with({.block = 100}).launch(dev, 1, x, x, out, 64), UsageError);
  add.with({.block = 64}).launch(dev, 1, x, x, out, 64);
  EXPECT_EQ(out.download()[63], 2);
}

TEST_F(LaunchMisuse, bufferSmallerThanTheKernelTouches) {
  Buffer<f32> small = dev.buffer<f32>(10);
  const std::string words = wordsOf<DeviceError>([&] {
    makeAdd<f32>().launch(dev, 1, x, x, small, 64);
    dev.synchronize();
  });
  EXPECT_THAT(words, AllOf(HasSubstr("Kernels.h:"), HasSubstr("out")));
}

TEST_F(LaunchMisuse, launchingWhileTracing) {
  const auto add = makeAdd<f32>();
  const auto outer = kernel("outer", [&](Ptr<f32>) { add.launch(dev, 1, x, x, out, 64); });
  EXPECT_THAT(wordsOf<UsageError>([&] { outer.launch(dev, 1, out); }),
              launchError("a kernel is being recorded on this thread"));
}

TEST_F(LaunchMisuse, viewLargerThanItsMemory) {
  const auto k = kernel("view", {"v"}, [](View<f32, 2>) {});
  EXPECT_THAT(
      wordsOf<UsageError>([&] { k.launch(dev, 1, view_arg(x, {8, 9})); }),
      launchError(
          "the view reaches element 71 of memory for 64 elements; check its extents (8, 9) and strides (9, 1)"));
  EXPECT_THAT(wordsOf<UsageError>([&] { k.launch(dev, 1, view_arg(x, {8, -1})); }),
              launchError("its extent on axis 1 is -1"));
  EXPECT_THAT(wordsOf<UsageError>([&] { k.launch(dev, 1, view_arg(x, {1LL << 40, 1LL << 40})); }),
              launchError("reach beyond 64-bit offsets"));
  k.launch(dev, 1, view_arg(x, {0, 1LL << 40}));
  k.launch(dev, 1, view_arg(x, {64, 100}, {0, 0}));
  k.launch(dev, 1, view_arg(x.from(63), {64, 1}, {-1, 1}));
}

TEST_F(LaunchMisuse, zeroedNeedsASize) {
  const auto k = kernel("zeroed", {"counts"}, [](Zeroed<i32>) {});
  alignas(16) int counts[4];
  EXPECT_THAT(wordsOf<UsageError>([&] { k.launch(dev, 1, &counts[0]); }),
              launchError("argument `counts` (the first) is to be zeroed, but its size is unknown"));
}

TEST_F(LaunchMisuse, workspaceThatOverflows) {
  const auto k = kernel("scratch", {"out", "n"}, [](Ptr<i32> out, Int n) { store(out, load(workspace<i32>(n * n))); });
  Buffer<i32> result = dev.buffer<i32>(1);
  EXPECT_THAT(wordsOf<UsageError>([&] { k.launch(dev, 1, result, 1LL << 40); }),
              launchError("which cannot be computed from these arguments: overflow"));
}

TEST_F(LaunchMisuse, workspaceOfUnknownSize) {
  const auto k = kernel("scratch", [](Ptr<i64> n) { store(workspace<i64>(load(n)), 1); });
  Buffer<i64> n = dev.upload(std::vector<std::int64_t>{1});
  EXPECT_THAT(wordsOf<UsageError>([&] { k.launch(dev, 1, n); }),
              AllOf(HasSubstr("LaunchMisuseTest.cpp:"),
                    HasSubstr("the count of a workspace depends on a value read from memory")));
}

TEST_F(LaunchMisuse, stepsOfZero) {
  const auto all = kernel("all", {"out", "step"},
                          [](Ptr<i64> out, Int step) { for_range(0, 10, step, [&](Int i) { store(out, i); }); });
  const auto some = kernel("some", {"out", "step"}, [](Ptr<i64> out, Int step) {
    for_range(0, 10, step, [&](Int i) {
      break_if(i > 5);
      store(out, i);
    });
  });
  const auto divided = kernel("divided", {"out", "step"}, [](Ptr<i64> out, Int step) {
    for_range(0, cdiv(10, step), [&](Int i) { store(out, i); });
  });
  Buffer<i64> last = dev.buffer<i64>(1);
  for (const auto &k : {all, some})
    EXPECT_THAT(wordsOf<DeviceError>([&] { k.launch(dev, 1, last, 0); }),
                AllOf(HasSubstr("found 1 fault"), HasSubstr("LaunchMisuseTest.cpp:"),
                      HasSubstr("for_range with a step of 0"), HasSubstr("the step is positive or negative")));
  EXPECT_THAT(wordsOf<DeviceError>([&] { divided.launch(dev, 1, last, 0); }), HasSubstr("division by zero: 10 / 0"));
}

TEST_F(LaunchMisuse, stridesOfAViewThatOverflow) {
  const auto k = kernel("cube", {"x", "out", "n"}, [](Ptr<f32> x, Ptr<f32> out, Int n) {
    store(out, sum(view(x, {n, n, n}).load({0, 0, 0}, {1, 1, 1})));
  });
  EXPECT_THAT(wordsOf<DeviceError>([&] { k.launch(dev, 1, x, out, 1LL << 40); }),
              AllOf(HasSubstr("LaunchMisuseTest.cpp:"), HasSubstr("1099511627776 * 1099511627776 overflows i64"),
                    testing::Not(HasSubstr("View.h"))));
}

TEST_F(LaunchMisuse, unknownDeviceInTheEnvironment) {
  setenv("TESSERA_DEVICE", "gpu", 1);
  EXPECT_THAT(wordsOf<UsageError>([] { Device::current(); }),
              AllOf(HasSubstr("TESSERA_DEVICE is `gpu`"), HasSubstr("available: cpu, interp")));
  unsetenv("TESSERA_DEVICE");
}

TEST_F(LaunchMisuse, compiledCodeIsTheDefault) {
  // A process of the tests sees no GPU.
  EXPECT_EQ(Device::current().name(), "cpu");
}
