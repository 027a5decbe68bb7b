//===- Bytes.cpp - write and read binary files ----------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Support/Bytes.h"

namespace tessera::support {

void ByteWriter::text(std::string_view value) {
  count(value.size());
  const auto *first = reinterpret_cast<const std::byte *>(value.data());
  bytes.insert(bytes.end(), first, first + value.size());
}

void ByteWriter::block(std::span<const std::byte> value) {
  number<std::uint64_t>(value.size());
  bytes.insert(bytes.end(), value.begin(), value.end());
}

bool ByteReader::need(std::size_t bytes) {
  if (reason)
    return false;
  if (bytes > rest.size()) {
    fail("the file ends too early");
    return false;
  }
  return true;
}

void ByteReader::fail(const char *why) {
  if (!reason)
    reason = why;
}

bool ByteReader::flag() {
  const auto value = number<std::uint8_t>();
  if (value > 1)
    fail("a flag is neither 0 nor 1");
  return value == 1;
}

std::string ByteReader::text() {
  const auto length = number<std::uint32_t>();
  if (!need(length))
    return {};
  std::string value(reinterpret_cast<const char *>(rest.data()), length);
  rest = rest.subspan(length);
  return value;
}

std::vector<std::byte> ByteReader::block() {
  const auto length = number<std::uint64_t>();
  if (!need(length))
    return {};
  std::vector<std::byte> value(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(length));
  rest = rest.subspan(length);
  return value;
}

std::size_t ByteReader::count(std::size_t entryBytes) {
  const std::size_t entries = number<std::uint32_t>();
  if (entries > rest.size() / entryBytes) {
    fail("a count is larger than the file");
    return 0;
  }
  return entries;
}

} // namespace tessera::support
