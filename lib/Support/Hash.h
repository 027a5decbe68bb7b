//===- Hash.h - content hashes ---------------------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_SUPPORT_HASH_H
#define TESSERA_SUPPORT_HASH_H

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tessera::support {

/// 128 bits that identify contents (XXH3). The same on every machine.
struct Hash128 {
  std::uint64_t low = 0, high = 0;

  auto operator<=>(const Hash128 &) const = default;
  /// 32 hexadecimal digits.
  std::string hex() const;
};

/// The hash of \p bytes.
Hash128 hashBytes(std::span<const std::byte> bytes);
/// The hash of \p text.
Hash128 hashText(std::string_view text);

/// Hashes a sequence of fields so that no two different sequences give the same bytes.
class FieldHasher {
public:
  FieldHasher &add(std::string_view text);
  FieldHasher &add(std::int64_t number);
  Hash128 finish() const { return hashText(bytes); }

private:
  std::string bytes;
};

} // namespace tessera::support

#endif // TESSERA_SUPPORT_HASH_H
