//===- Packed.h - compressed blocks in binary files ------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_SUPPORT_PACKED_H
#define TESSERA_SUPPORT_PACKED_H

#include "Support/Bytes.h"

#include <cstddef>
#include <span>
#include <vector>

namespace tessera::support {

/// Writes \p bytes compressed (zstd), or as they are if that saves less than an eighth.
void writePacked(ByteWriter &writer, std::span<const std::byte> bytes);

/// Reads what writePacked() wrote. Whatever the bytes are, what is unpacked has at most 256 times their size, and 1
/// GiB: more than that is never saved, so that no file fills the memory.
std::vector<std::byte> readPacked(ByteReader &reader);

} // namespace tessera::support

#endif // TESSERA_SUPPORT_PACKED_H
