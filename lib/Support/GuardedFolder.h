//===- GuardedFolder.h - folders nobody else can write to ------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What is read from files is run as code, so that it must come from this user. A folder and its files are looked at
// through open descriptors: nobody can put another in their place between the look and the use. A folder belongs to the
// user and is writable by no one else, and so is every file in it that is read. Read-only folders that many users share
// may belong to root.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_SUPPORT_GUARDEDFOLDER_H
#define TESSERA_SUPPORT_GUARDEDFOLDER_H

#include <cstddef>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <utility>
#include <vector>

namespace tessera::support {

/// An open file, closed at the end.
class FileHandle {
public:
  FileHandle() = default;
  explicit FileHandle(int file) : file(file) {}
  FileHandle(FileHandle &&other) noexcept : file(std::exchange(other.file, -1)) {}
  FileHandle &operator=(FileHandle &&other) noexcept {
    std::swap(file, other.file);
    return *this;
  }
  ~FileHandle();

  explicit operator bool() const { return file >= 0; }
  int get() const { return file; }
  /// Gives up the file without closing it.
  int release() { return std::exchange(file, -1); }

private:
  int file = -1;
};

/// Whom files may belong to.
enum class Trust { User, UserOrRoot };

/// A folder held open.
class GuardedFolder {
public:
  /// Opens the folder at \p path; if it \p create s, makes it and those above it, for this user alone. Does not throw.
  static GuardedFolder open(const std::string &path, Trust trust, bool create);

  explicit operator bool() const { return static_cast<bool>(folder); }
  /// Why there is no folder, in words that name it; empty if there simply is none at its path.
  const std::string &problem() const { return problem_; }
  const std::string &path() const { return path_; }
  int descriptor() const { return folder.get(); }

  /// A file of the folder, open.
  struct File {
    FileHandle handle;
    struct stat facts{};
    std::string problem; ///< why it may not or cannot be read; empty if there is none of this name
  };
  /// Opens the regular file \p name with \p flags of open(2).
  File openFile(const std::string &name, int flags) const;
  /// All bytes of an open file; nothing, with errno, if it cannot be read or has more than \p limit.
  static std::optional<std::vector<std::byte>> read(const File &file, std::size_t limit);

  /// Puts \p bytes into the folder under \p name: at once, as others see it, and instead of an older file of the name.
  /// Returns what went wrong with the folder, whatever the name, or nothing.
  std::string replace(const std::string &name, const std::vector<std::byte> &bytes) const;

  /// What the names of files that replace() has not finished start with.
  static constexpr const char *kUnfinished = ".unfinished-";

private:
  std::string path_, problem_;
  Trust trust = Trust::User;
  FileHandle folder;
};

} // namespace tessera::support

#endif // TESSERA_SUPPORT_GUARDEDFOLDER_H
