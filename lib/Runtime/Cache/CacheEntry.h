//===- CacheEntry.h - a compiled kernel as a file --------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// One file holds all that is known of a compiled kernel: what it was made from, what its compilation had to say, and
// the image. It names no path of the machine it was made on and may be copied anywhere.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_CACHE_CACHEENTRY_H
#define TESSERA_RUNTIME_CACHE_CACHEENTRY_H

#include "Runtime/Image.h"
#include "Runtime/SlotMask.h"
#include "Support/Hash.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tessera::rt {

/// A compiled kernel and how it came to be. The image holds its name, its target and the facts about its binary.
struct CacheEntry {
  support::Hash128 key;     ///< of everything that decides the binary
  support::Hash128 placed;  ///< of the program with the lines of its source, which `notes` name
  support::Hash128 program; ///< of the program as it was recorded, whatever it was compiled for and by whom
  std::int64_t made = 0;    ///< seconds since 1970 by the clock of the machine that compiled it
  std::string arguments;    ///< `f32*, f32*, i64`
  SlotMask strides;         ///< of the arguments, integers that variants fold where they are 1
  SlotMask addresses;       ///< and those that the aligned variants want to be multiples of 16
  std::string config;       ///< `{block=1024}`
  std::string options;      ///< all that change code
  std::string variant;      ///< `aligned, stride 1: ldb`
  std::string toolchain;    ///< who compiled it
  std::vector<std::pair<std::string, double>> stages;     ///< milliseconds by stage
  std::vector<std::string> notes;                         ///< the compiler's warnings and remarks
  std::vector<std::pair<std::string, std::string>> texts; ///< the program after a stage, where that was asked for
  Image image;

  /// The text kept of \p stage, or null.
  const std::string *text(std::string_view stage) const;

  /// The bytes of a file that was never used.
  std::vector<std::byte> serialize() const;
  /// Reads what serialize() wrote. UsageError for anything else, whatever the bytes are.
  static CacheEntry deserialize(std::span<const std::byte> bytes);

  /// \name How often the entry was used
  /// A number of 8 bytes, little-endian, which is no part of what the checksum is over: it is changed in place.
  /// @{
  static constexpr std::size_t kUsesOffset = 16;
  /// 0 if the file is too short.
  static std::uint64_t usesIn(std::span<const std::byte> bytes);
  /// @}
};

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_CACHE_CACHEENTRY_H
