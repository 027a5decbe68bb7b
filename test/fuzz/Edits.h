//===- Edits.h - files that differ from sound ones in some bytes -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_FUZZ_EDITS_H
#define TESSERA_TEST_FUZZ_EDITS_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tessera::fuzz {

using Bytes = std::vector<std::byte>;

/// Replaces bytes of \p file from \p from on: two bytes of \p edits say which, one by what.
inline void edit(Bytes &file, std::size_t from, std::span<const std::uint8_t> edits) {
  for (std::size_t i = 0; i + 3 <= edits.size(); i += 3)
    file[from + (edits[i] | edits[i + 1] << 8) % (file.size() - from)] = static_cast<std::byte>(edits[i + 2]);
}

} // namespace tessera::fuzz

#endif // TESSERA_TEST_FUZZ_EDITS_H
