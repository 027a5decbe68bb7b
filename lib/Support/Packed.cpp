//===- Packed.cpp - compressed blocks in binary files ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A block is: whether it is compressed, u64 size before, and the bytes.
//
//===---------------------------------------------------------------------===//

#include "Support/Packed.h"

#include <zstd.h>

namespace tessera::support {

static constexpr std::uint64_t kLargestRatio = 256, kLargestBlock = std::uint64_t{1} << 30;

/// The compressed bytes; empty if they would not be worth it.
static std::vector<std::byte> compress(std::span<const std::byte> bytes) {
  // Level 3 is zstd's own choice: a code object of 100 KB takes half a millisecond.
  std::vector<std::byte> packed(ZSTD_compressBound(bytes.size()));
  const std::size_t size = ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), 3);
  if (ZSTD_isError(size) || size > bytes.size() - bytes.size() / 8 || bytes.size() / size >= kLargestRatio ||
      bytes.size() > kLargestBlock)
    return {};
  packed.resize(size);
  return packed;
}

void writePacked(ByteWriter &writer, std::span<const std::byte> bytes) {
  const std::vector<std::byte> packed = compress(bytes);
  writer.flag(!packed.empty());
  writer.number<std::uint64_t>(bytes.size());
  writer.block(packed.empty() ? bytes : packed);
}

std::vector<std::byte> readPacked(ByteReader &reader) {
  const bool compressed = reader.flag();
  const auto size = reader.number<std::uint64_t>();
  std::vector<std::byte> block = reader.block();
  if (reader.failed())
    return {};
  if (!compressed) {
    if (size != block.size())
      reader.fail("a block has another size than it says");
    return block;
  }
  if (size / kLargestRatio > block.size() || size > kLargestBlock) {
    reader.fail("a compressed block says it is larger than one can be");
    return {};
  }
  std::vector<std::byte> bytes(size);
  const std::size_t result = ZSTD_decompress(bytes.data(), bytes.size(), block.data(), block.size());
  if (ZSTD_isError(result) || result != size) {
    reader.fail("a compressed block cannot be unpacked");
    return {};
  }
  return bytes;
}

} // namespace tessera::support
