//===- KernelStateTest.cpp - finding compiled kernels while others are added -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Driver/KernelState.h"

#include "unit/Runtime/FakeDriver.h"

#include <gtest/gtest.h>

#include <thread>

using namespace tessera;
using namespace tessera::ir;

namespace {

class KernelStateTest : public testing::Test {
protected:
  test::FakeDriver driver;
  rt::DeviceState device{driver, 0, "fake"};
  FamilyTable table;
};

/// Keys that all collide when \p spread is 1.
EntryKey keyFor(const std::uint64_t &word, std::uint64_t spread) { return {{&word, 1}, word % spread}; }

VariantKey variant(std::size_t slot) {
  VariantKey key;
  key.unit.set(slot);
  return key;
}

} // namespace

TEST_F(KernelStateTest, findsWhatWasAdded) {
  for (std::uint64_t spread : {1u, 7u, 1000000u}) {
    FamilyTable fresh;
    for (std::uint64_t word = 0; word != 100; ++word) {
      EXPECT_EQ(fresh.find(keyFor(word, spread)), nullptr);
      Family &added = fresh.findOrAdd(keyFor(word, spread), device);
      EXPECT_EQ(&fresh.findOrAdd(keyFor(word, spread), device), &added);
    }
    for (std::uint64_t word = 0; word != 100; ++word) {
      ASSERT_NE(fresh.find(keyFor(word, spread)), nullptr);
      EXPECT_EQ(fresh.find(keyFor(word, spread))->words[0], word);
    }
  }
}

TEST_F(KernelStateTest, keysOfDifferentLengthsDiffer) {
  const std::uint64_t words[] = {1, 2};
  table.findOrAdd({{words, 2}, 5}, device);
  EXPECT_EQ(table.find({{words, 1}, 5}), nullptr);
}

TEST_F(KernelStateTest, variantsOfAFamily) {
  const std::uint64_t word = 1;
  Family &family = table.findOrAdd(keyFor(word, 1), device);
  EXPECT_EQ(family.facts(), nullptr);
  EXPECT_EQ(family.find(variant(3)), nullptr);
  const LoadedVariant &added = family.add(variant(3), nullptr, nullptr);
  family.add(variant(200), nullptr, nullptr);
  EXPECT_EQ(family.find(variant(3)), &added);
  EXPECT_NE(family.find(variant(200)), nullptr);
  VariantKey aligned = variant(3);
  aligned.aligned = true;
  EXPECT_EQ(family.find(aligned), nullptr);
}

// Readers search while the table grows under them.
TEST_F(KernelStateTest, readersAndWritersTogether) {
  static constexpr std::uint64_t kFamilies = 400;
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i != 4; ++i)
    threads.emplace_back([&, i] {
      for (std::uint64_t step = 0; step != kFamilies; ++step) {
        const std::uint64_t word = (step * 7 + static_cast<std::uint64_t>(i) * 31) % kFamilies;
        Family &family = table.findOrAdd(keyFor(word, 50), device);
        wrong += family.words[0] != word;
        const CompileGate::Entry entry(family.gate);
        if (!family.facts())
          family.setFacts({});
        if (!family.find(variant(static_cast<std::size_t>(i))))
          family.add(variant(static_cast<std::size_t>(i)), nullptr, nullptr);
      }
    });
  for (int i = 0; i != 4; ++i)
    threads.emplace_back([&] {
      for (std::uint64_t step = 0; step != 20 * kFamilies; ++step) {
        const std::uint64_t word = step * 13 % kFamilies;
        const Family *family = table.find(keyFor(word, 50));
        wrong += family && family->words[0] != word;
        if (family && family->facts())
          family->find(variant(2));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  int families = 0;
  table.forEach([&](Family &family) {
    ++families;
    for (std::size_t i = 0; i != 4; ++i)
      EXPECT_NE(family.find(variant(i)), nullptr);
  });
  EXPECT_EQ(families, kFamilies);
}
