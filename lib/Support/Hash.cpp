//===- Hash.cpp - content hashes ------------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Support/Hash.h"

#include <fmt/format.h>
#include <xxhash.h>

namespace tessera::support {

std::string Hash128::hex() const { return fmt::format("{:016x}{:016x}", high, low); }

Hash128 hashBytes(std::span<const std::byte> bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.low64, hash.high64};
}

Hash128 hashText(std::string_view text) { return hashBytes(std::as_bytes(std::span(text))); }

FieldHasher &FieldHasher::add(std::string_view text) {
  bytes += fmt::format("{}:", text.size());
  bytes += text;
  return *this;
}

FieldHasher &FieldHasher::add(std::int64_t number) {
  bytes += fmt::format("{};", number);
  return *this;
}

} // namespace tessera::support
