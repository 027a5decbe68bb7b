//===- EntryTable.h - entries found without a lock -------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What every launch looks up: a hash table of entries known by words, which readers search while it grows. Entries are
// only ever added.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_DRIVER_ENTRYTABLE_H
#define TESSERA_DRIVER_ENTRYTABLE_H

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace tessera::ir {

/// What decides an entry.
struct EntryKey {
  std::span<const std::uint64_t> words;
  std::uint64_t hash = 0;
};

/// The words of a key, built on the stack.
template <std::size_t Most> class KeyBuilder {
public:
  void push(std::uint64_t word) {
    words[count++] = word;
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  EntryKey get() const { return {{words, count}, hash}; }

private:
  std::uint64_t words[Most];
  std::size_t count = 0;
  std::uint64_t hash = 0;
};

/// Base of entries: the words it is known by.
class TableEntry {
public:
  explicit TableEntry(const EntryKey &key) : words(key.words.begin(), key.words.end()), hash(key.hash) {}

  bool matches(const EntryKey &key) const {
    return hash == key.hash && std::equal(words.begin(), words.end(), key.words.begin(), key.words.end());
  }

  const std::vector<std::uint64_t> words;
  const std::uint64_t hash;
};

template <class Entry> class EntryTable {
public:
  EntryTable() {
    generations.push_back(std::make_unique<Slots>(8));
    current = generations.back().get();
  }

  /// The entry, or null.
  Entry *find(const EntryKey &key) const {
    const Slots &slots = *current.load(std::memory_order_acquire);
    for (std::size_t i = key.hash & (slots.size - 1);; i = (i + 1) & (slots.size - 1)) {
      Entry *entry = slots.entries[i].load(std::memory_order_acquire);
      if (!entry || entry->matches(key))
        return entry;
    }
  }
  /// The entry, made of the key and \p arguments if need be.
  template <class... Arguments> Entry &findOrAdd(const EntryKey &key, Arguments &&...arguments) {
    const std::lock_guard lock(mutex);
    if (Entry *entry = find(key))
      return *entry;
    entries.push_back(std::make_unique<Entry>(key, std::forward<Arguments>(arguments)...));
    Entry *entry = entries.back().get();
    Slots *slots = current.load(std::memory_order_relaxed);
    // At most half full, so that every search meets an empty place.
    if (entries.size() * 2 > slots->size) {
      generations.push_back(std::make_unique<Slots>(slots->size * 2));
      slots = generations.back().get();
      for (const std::unique_ptr<Entry> &each : entries)
        insert(*slots, each.get());
      current.store(slots, std::memory_order_release);
    } else {
      insert(*slots, entry);
    }
    return *entry;
  }
  /// Calls \p visit with every entry.
  template <class Visit> void forEach(Visit visit) {
    const std::lock_guard lock(mutex);
    for (const std::unique_ptr<Entry> &entry : entries)
      visit(*entry);
  }

private:
  struct Slots {
    explicit Slots(std::size_t size) : size(size), entries(new std::atomic<Entry *>[size]()) {}
    const std::size_t size; ///< a power of two
    const std::unique_ptr<std::atomic<Entry *>[]> entries;
  };
  static void insert(Slots &slots, Entry *entry) {
    std::size_t i = entry->hash & (slots.size - 1);
    while (slots.entries[i].load(std::memory_order_relaxed))
      i = (i + 1) & (slots.size - 1);
    slots.entries[i].store(entry, std::memory_order_release);
  }

  std::mutex mutex;
  std::vector<std::unique_ptr<Entry>> entries;
  std::vector<std::unique_ptr<Slots>> generations; ///< old ones may still be read
  std::atomic<Slots *> current;
};

} // namespace tessera::ir

#endif // TESSERA_DRIVER_ENTRYTABLE_H
