//===- DescriptorCache.h - descriptors of earlier launches -----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// To encode descriptors and to test what they require takes longer than the rest of a launch, and most launches have
// the arguments of an earlier one. Threads look up and keep without waiting for each other: who meets another at work
// finds nothing, or does not keep.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_DESCRIPTORCACHE_H
#define TESSERA_RUNTIME_DESCRIPTORCACHE_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tessera::rt {

/// The descriptors of one kernel for some of the values they were made of.
class DescriptorCache {
public:
  static constexpr std::size_t kDescriptorBytes = 128;

  /// \p keyWords numbers decide what the descriptors are, which lie at \p offsets of the argument block.
  DescriptorCache(std::size_t keyWords, std::vector<std::uint32_t> offsets);

  /// Copies what was kept for \p key to \p block; false, and anything in their places, if there is nothing.
  bool find(std::span<const std::int64_t> key, std::byte *block) const noexcept;
  /// Keeps the descriptors in \p block for \p key, in place of others.
  void keep(std::span<const std::int64_t> key, const std::byte *block) noexcept;

private:
  using Word = std::atomic<std::uint64_t>;
  static constexpr std::size_t kEntries = 64;

  /// Where the entry that \p key may have begins: the number of its changes, odd while it is changed; the key; the
  /// descriptors.
  std::size_t entryOf(std::span<const std::int64_t> key) const noexcept;

  std::vector<std::uint32_t> offsets;
  std::size_t entryWords;
  std::unique_ptr<Word[]> words;
};

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_DESCRIPTORCACHE_H
