//===- DescriptorCache.cpp - descriptors of earlier launches --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Each key has one place. A reader that has loaded a word of a later change has seen the change begin, because words
// are stored with release and loaded with acquire: so the number of changes, read again behind them, tells whether all
// words are of one.
//
//===---------------------------------------------------------------------===//

#include "Runtime/DescriptorCache.h"

#include <cstring>
#include <utility>

namespace tessera::rt {

static constexpr std::size_t kDescriptorWords = DescriptorCache::kDescriptorBytes / sizeof(std::uint64_t);

DescriptorCache::DescriptorCache(std::size_t keyWords, std::vector<std::uint32_t> places)
    : offsets(std::move(places)), entryWords(1 + keyWords + offsets.size() * kDescriptorWords),
      words(std::make_unique<Word[]>(kEntries * entryWords)) {}

std::size_t DescriptorCache::entryOf(std::span<const std::int64_t> key) const noexcept {
  std::uint64_t hash = 0;
  for (const std::int64_t word : key) {
    hash = (hash ^ static_cast<std::uint64_t>(word)) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 32;
  }
  return hash % kEntries * entryWords;
}

bool DescriptorCache::find(std::span<const std::int64_t> key, std::byte *block) const noexcept {
  const Word *word = &words[entryOf(key)];
  const Word &changes = *word++;
  const std::uint64_t before = changes.load(std::memory_order_acquire);
  if (before == 0 || before % 2)
    return false;
  for (const std::int64_t wanted : key)
    if (word++->load(std::memory_order_acquire) != static_cast<std::uint64_t>(wanted))
      return false;
  for (const std::uint32_t offset : offsets)
    for (std::size_t i = 0; i != kDescriptorWords; ++i) {
      const std::uint64_t bits = word++->load(std::memory_order_acquire);
      std::memcpy(block + offset + i * sizeof bits, &bits, sizeof bits);
    }
  return changes.load(std::memory_order_relaxed) == before;
}

void DescriptorCache::keep(std::span<const std::int64_t> key, const std::byte *block) noexcept {
  Word *word = &words[entryOf(key)];
  Word &changes = *word++;
  std::uint64_t before = changes.load(std::memory_order_relaxed);
  if (before % 2 || !changes.compare_exchange_strong(before, before + 1, std::memory_order_acquire))
    return;
  for (const std::int64_t value : key)
    word++->store(static_cast<std::uint64_t>(value), std::memory_order_release);
  for (const std::uint32_t offset : offsets)
    for (std::size_t i = 0; i != kDescriptorWords; ++i) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, block + offset + i * sizeof bits, sizeof bits);
      word++->store(bits, std::memory_order_release);
    }
  changes.store(before + 2, std::memory_order_release);
}

} // namespace tessera::rt
