//===- BundleFile.h - compiled kernels of many chips in one file -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A bundle is read piece by piece: its index when it is opened, the code of a kernel when that is needed. Everything is
// compared with its checksum before it is used.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_BUNDLE_BUNDLEFILE_H
#define TESSERA_RUNTIME_BUNDLE_BUNDLEFILE_H

#include "Runtime/Bundle/BundleIndex.h"
#include "Runtime/Cache/CacheEntry.h"
#include "Support/GuardedFolder.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::rt {

/// An open bundle. Immutable; any thread may read.
class BundleFile {
public:
  /// The bundle in the file \p path, which stays open. UsageError, naming the file, if there is none or it is damaged.
  static std::shared_ptr<const BundleFile> open(const std::string &path);
  /// The bundle in memory that outlives everything. \p origin is what messages call it.
  static std::shared_ptr<const BundleFile> view(std::span<const std::byte> bytes, std::string origin);

  const BundleIndex &index() const { return index_; }
  /// What messages call it: "bundle `demo` (/opt/demo.tbundle)".
  const std::string &title() const { return title_; }
  std::uint64_t bytes() const { return size; }

  /// An image of a function of this bundle, with all that is known of it. UsageError if it is damaged or not what the
  /// index says.
  CacheEntry entry(const BundleFunction &function, const BundleImage &image) const;
  /// The bytes of a block. UsageError that says what \p what is, if they are damaged.
  std::vector<std::byte> read(const BundleBlock &block, std::string_view what) const;
  /// The tuning records, a line each.
  std::string records() const;

private:
  explicit BundleFile(std::string origin) : title_(std::move(origin)) {}
  void readIndex();
  std::vector<std::byte> readBytes(std::uint64_t offset, std::uint64_t count) const;
  [[noreturn]] void refuse(std::string_view why) const;
  [[noreturn]] void refuseDamaged(std::string_view what, std::string_view why) const;

  std::string title_;
  std::uint64_t size = 0;
  std::span<const std::byte> memory; ///< of a bundle in memory
  support::FileHandle file;          ///< of one in a file
  BundleIndex index_;
};

/// Collects the contents of a bundle.
class BundleWriter {
public:
  /// Keeps \p bytes, once however often they come.
  BundleBlock add(std::vector<std::byte> bytes);
  /// The bytes of the file: blocks of \p index are those that add() gave.
  std::vector<std::byte> finish(const BundleIndex &index) const;

private:
  std::map<support::Hash128, BundleBlock> known;
  std::vector<std::byte> blocks;
};

/// Writes \p bytes to \p path, at once as others see it. UsageError if that cannot be.
void writeBundle(const std::string &path, std::span<const std::byte> bytes);

/// A function of one image, made from what a compilation gave: its arguments are those of the image, none of them part
/// of a view. UsageError if the entry's variant is none of its arguments.
BundleFunction functionOf(const CacheEntry &entry, std::string symbol, BundleWriter &writer);

/// Adds the images of \p from that \p to lacks. False, and nothing done, if they are not the same function.
bool mergeFunction(BundleFunction &to, const BundleFunction &from);

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_BUNDLE_BUNDLEFILE_H
