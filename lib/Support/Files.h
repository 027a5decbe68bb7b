//===- Files.h - read and write files --------------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_SUPPORT_FILES_H
#define TESSERA_SUPPORT_FILES_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tessera::support {

/// Writes \p text to \p name in \p folder, which is made if need be. Returns what went wrong, or nothing. Does not
/// throw.
std::string writeFile(const std::string &folder, const std::string &name, std::string_view text, bool append = false);

/// Path, size and time of last change, which tell one build of a file from another.
std::string identifyFile(const std::string &path);

/// \p text with all but letters, digits, `-` and `_` replaced, so that it can be part of a file's name.
std::string fileNamePart(std::string_view text);

/// Writes all of \p bytes to the open descriptor \p file, however many calls that takes; false, with `errno`, on an
/// error.
bool writeAll(int file, std::string_view bytes);

/// Fills \p into from byte \p offset of the open descriptor \p file on, however many calls that takes. How many bytes
/// there were: fewer where the file ends before; nothing, with `errno`, on an error.
std::optional<std::size_t> readAt(int file, std::uint64_t offset, std::span<std::byte> into);

} // namespace tessera::support

#endif // TESSERA_SUPPORT_FILES_H
