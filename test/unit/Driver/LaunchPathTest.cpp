//===- LaunchPathTest.cpp - the steady state allocates nothing -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Driver/Kernels.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

// Counts what this test's own thread allocates through operator new, the library's included.
static thread_local bool counting = false;
static std::atomic<int> allocations{0};

static void *allocate(std::size_t size, std::size_t align) noexcept {
  if (counting)
    ++allocations;
  return align <= alignof(std::max_align_t) ? std::malloc(size ? size : 1)
                                            : std::aligned_alloc(align, (size + align - 1) / align * align);
}
static void *allocateOrThrow(std::size_t size, std::size_t align) {
  if (void *memory = allocate(size, align))
    return memory;
  throw std::bad_alloc();
}

// All forms, so that none is another library's.
void *operator new(std::size_t size) { return allocateOrThrow(size, 1); }
void *operator new(std::size_t size, std::align_val_t align) { return allocateOrThrow(size, std::size_t(align)); }
void *operator new(std::size_t size, const std::nothrow_t &) noexcept { return allocate(size, 1); }
void *operator new(std::size_t size, std::align_val_t align, const std::nothrow_t &) noexcept {
  return allocate(size, std::size_t(align));
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void *memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void *memory, const std::nothrow_t &) noexcept { std::free(memory); }
void operator delete(void *memory, std::align_val_t, const std::nothrow_t &) noexcept { std::free(memory); }

using namespace tessera;
using namespace tessera::test;

namespace {
template <class Run> int allocationsOf(Run run) {
  run();
  allocations = 0;
  counting = true;
  run();
  counting = false;
  return allocations;
}
} // namespace

// Those inside the library are counted too.
TEST(LaunchPath, countsAllocations) {
  EXPECT_GT(allocationsOf([] { Device::get("null").create_stream(); }), 0);
}

TEST(LaunchPath, launchAllocatesNothing) {
  const auto add = makeAdd<f32>();
  const Device dev = Device::get("null");
  const Buffer<f32> x = dev.buffer<f32>(64);
  const Stream stream = dev.stream();
  EXPECT_EQ(allocationsOf([&] { add.with({.block = 32}, {.num_warps = 8}).launch(stream, {2}, x, x, x, 64); }), 0);
}

TEST(LaunchPath, preparedLaunchAllocatesNothing) {
  const auto add = makeAdd<f32>();
  const Device dev = Device::get("null");
  const Buffer<f32> x = dev.buffer<f32>(64);
  auto go = add.prepare({2}, x, x, x, 64);
  EXPECT_EQ(allocationsOf([&] { go(dev), go.set<3>(32), go(dev); }), 0);
}

// Also with a key that is read from arguments, and another one each time.
TEST(LaunchPath, tunedLaunchAllocatesNothing) {
  const auto add = makeAdd<f32>();
  const Device dev = Device::get("null");
  const Buffer<f32> x = dev.buffer<f32>(64);
  const auto tuned = autotune(add, {{{.block = 32}}, {{.block = 64}}}, key("n", bucket("n")), {.budget_ms = 1});
  const Stream stream = dev.stream();
  const auto grid = [](const AddConfig &c) { return Grid{cdiv(64, c.block)}; };
  EXPECT_EQ(allocationsOf([&] {
              tuned.launch(stream, grid, x, x, x, 64);
              tuned.launch(stream, grid, x, x, x, 32);
            }),
            0);
  auto go = tuned.prepare(grid, x, x, x, 64);
  EXPECT_EQ(allocationsOf([&] { go(dev), go.set<3>(32), go(dev); }), 0);
}

TEST(LaunchPath, hiddenArgumentsAllocateNothing) {
  const auto k = kernel("scratch", [](Ptr<i32> out, Int n) { store(out, load(workspace<i32>(n))); });
  const Device dev = Device::get("null");
  const Buffer<i32> x = dev.buffer<i32>(64);
  EXPECT_EQ(allocationsOf([&] { k.launch(dev, 2, x, 100); }), 0);
}
