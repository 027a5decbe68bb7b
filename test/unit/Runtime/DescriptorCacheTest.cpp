//===- DescriptorCacheTest.cpp - descriptors of earlier launches ----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/DescriptorCache.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <gtest/gtest.h>
#include <thread>

using namespace tessera::rt;

namespace {

using Key = std::array<std::int64_t, 2>;
using Block = std::array<std::byte, 448>;
constexpr std::uint32_t kFirst = 64, kSecond = 256;

/// Two descriptors that say their key.
Block blockOf(std::byte value) {
  Block block{};
  std::fill_n(block.begin() + kFirst, 128, value);
  std::fill_n(block.begin() + kSecond, 128, value ^ std::byte{0xff});
  return block;
}

} // namespace

TEST(DescriptorCache, findsWhatIsKept) {
  DescriptorCache cache(2, {kFirst, kSecond});
  Block block{};
  EXPECT_FALSE(cache.find(Key{0, 0}, block.data()));
  cache.keep(Key{1, 2}, blockOf(std::byte{7}).data());
  EXPECT_FALSE(cache.find(Key{2, 1}, block.data()));
  EXPECT_FALSE(cache.find(Key{1, 3}, block.data()));
  block = {};
  EXPECT_TRUE(cache.find(Key{1, 2}, block.data()));
  EXPECT_EQ(block, blockOf(std::byte{7})); // and nothing beside them
  cache.keep(Key{1, 2}, blockOf(std::byte{8}).data());
  EXPECT_TRUE(cache.find(Key{1, 2}, block.data()));
  EXPECT_EQ(block, blockOf(std::byte{8}));
}

TEST(DescriptorCache, manyKeysReplaceEachOther) {
  DescriptorCache cache(2, {kFirst, kSecond});
  for (int key = 0; key != 200; ++key)
    cache.keep(Key{key, 1}, blockOf(static_cast<std::byte>(key)).data());
  int kept = 0;
  for (int key = 0; key != 200; ++key) {
    Block block{};
    if (!cache.find(Key{key, 1}, block.data()))
      continue;
    ++kept;
    EXPECT_EQ(block, blockOf(static_cast<std::byte>(key)));
  }
  EXPECT_GT(kept, 30);
}

TEST(DescriptorCache, noKeyIsAKey) {
  DescriptorCache cache(0, {kFirst});
  Block block{};
  EXPECT_FALSE(cache.find({}, block.data()));
  cache.keep({}, blockOf(std::byte{3}).data());
  EXPECT_TRUE(cache.find({}, block.data()));
  EXPECT_EQ(block[kFirst + 127], std::byte{3});
}

TEST(DescriptorCache, threadsNeverSeeAMixture) {
  DescriptorCache cache(2, {kFirst, kSecond});
  std::atomic<int> found{0}, wrong{0};
  const auto work = [&](unsigned seed) {
    for (unsigned round = 0; round != 20000; ++round) {
      seed = seed * 1664525 + 1013904223;
      const auto value = static_cast<unsigned char>(seed >> 24);
      const Key key{value, 1};
      Block block{};
      if (cache.find(key, block.data())) {
        ++found;
        wrong += block != blockOf(std::byte{value});
      } else {
        cache.keep(key, blockOf(std::byte{value}).data());
      }
    }
  };
  std::thread threads[] = {std::thread(work, 1), std::thread(work, 2), std::thread(work, 3), std::thread(work, 4)};
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(found, 0);
}
