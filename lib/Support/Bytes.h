//===- Bytes.h - write and read binary files -------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Little-endian, on every host. The reader trusts nothing: it fails once, stays failed, and returns zeros from then on,
// so that code reading a hostile file needs one check at its end and can neither read outside the file nor allocate
// more than the file could hold.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_SUPPORT_BYTES_H
#define TESSERA_SUPPORT_BYTES_H

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::support {

/// Appends to a growing block of bytes.
class ByteWriter {
public:
  template <std::unsigned_integral T> void number(T value) {
    for (std::size_t i = 0; i != sizeof(T); ++i)
      bytes.push_back(static_cast<std::byte>(value >> (8 * i) & 0xff));
  }
  void signedNumber(std::int64_t value) { number(static_cast<std::uint64_t>(value)); }
  void flag(bool value) { number<std::uint8_t>(value); }
  /// A length of 32 bits and the characters.
  void text(std::string_view value);
  /// A length of 64 bits and the bytes.
  void block(std::span<const std::byte> value);
  /// The number of entries that follow.
  void count(std::size_t value) { number(static_cast<std::uint32_t>(value)); }

  std::vector<std::byte> take() { return std::move(bytes); }

private:
  std::vector<std::byte> bytes;
};

/// Reads what a ByteWriter wrote.
class ByteReader {
public:
  explicit ByteReader(std::span<const std::byte> bytes) : rest(bytes) {}

  template <std::unsigned_integral T> T number() {
    if (!need(sizeof(T)))
      return 0;
    T value = 0;
    for (std::size_t i = 0; i != sizeof(T); ++i)
      value = static_cast<T>(value | static_cast<T>(static_cast<T>(std::to_integer<std::uint8_t>(rest[i])) << (8 * i)));
    rest = rest.subspan(sizeof(T));
    return value;
  }
  std::int64_t signedNumber() { return static_cast<std::int64_t>(number<std::uint64_t>()); }
  /// 0 or 1; anything else fails.
  bool flag();
  std::string text();
  std::vector<std::byte> block();
  /// The number of entries that follow; fails if \p entryBytes each could not fit in what is left.
  std::size_t count(std::size_t entryBytes);
  /// An enumerator below T::kCount; fails for others.
  template <class T> T enumerator() {
    const auto value = number<std::uint8_t>();
    if (value >= static_cast<std::uint8_t>(T::kCount)) {
      fail("unknown enumerator");
      return T{};
    }
    return static_cast<T>(value);
  }

  /// Notes the first reason for failing.
  void fail(const char *why);
  bool failed() const { return reason != nullptr; }
  /// Why reading failed, or null.
  const char *error() const { return reason; }
  /// Whether everything was read.
  bool atEnd() const { return rest.empty(); }

private:
  bool need(std::size_t bytes);

  std::span<const std::byte> rest;
  const char *reason = nullptr;
};

} // namespace tessera::support

#endif // TESSERA_SUPPORT_BYTES_H
