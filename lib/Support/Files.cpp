//===- Files.cpp - write files --------------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Support/Files.h"

#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace tessera::support {

std::string writeFile(const std::string &folder, const std::string &name, std::string_view text, bool append) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    return fmt::format("cannot make folder {}: {}", folder, error.message());
  const std::filesystem::path path = std::filesystem::path(folder) / name;
  std::ofstream file(path, append ? std::ios::binary | std::ios::app : std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file)
    return fmt::format("cannot write {}", path.string());
  return {};
}

std::string identifyFile(const std::string &path) {
  struct stat facts{};
  if (::stat(path.c_str(), &facts) != 0)
    return path;
  return fmt::format("{} {} {}.{:09}", path, facts.st_size, facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec);
}

std::string fileNamePart(std::string_view text) {
  std::string part;
  for (const char c : text) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    part += plain ? c : '_';
  }
  return part;
}

bool writeAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::optional<std::size_t> readAt(int file, std::uint64_t offset, std::span<std::byte> into) {
  std::size_t done = 0;
  while (done != into.size()) {
    const ssize_t count = ::pread(file, into.data() + done, into.size() - done, static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return std::nullopt;
    if (count == 0)
      break;
    done += static_cast<std::size_t>(count);
  }
  return done;
}

} // namespace tessera::support
