//===- BundleIndex.h - what a bundle holds ---------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A bundle's *functions* are kernels with config, options and types of arguments fixed. Each has *images*: one for
// every chip and variant. The index tells all of them apart without their code.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_BUNDLE_BUNDLEINDEX_H
#define TESSERA_RUNTIME_BUNDLE_BUNDLEINDEX_H

#include "Runtime/Image.h"
#include "Runtime/Variant.h"
#include "Support/Hash.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tessera::rt {

/// The most arguments of a function: those that a SlotMask has room for.
inline constexpr std::size_t kMostBundleArguments = 256;

/// Bytes of a bundle's file.
struct BundleBlock {
  std::uint64_t offset = 0, bytes = 0;
  support::Hash128 hash;

  bool operator==(const BundleBlock &) const = default;
};

/// What an argument is of a parameter. Stored in files: append only.
enum class BundleRole : std::uint8_t { Plain, ViewBase, ViewExtent, ViewStride, kCount };

/// An argument of a function, as callers give it.
struct BundleArgument {
  std::string name; ///< "x", "w.scale", "a.stride0"
  DType dtype;      ///< the scalar's type; what a pointer points to
  bool pointer = false;
  bool mayAlias = false, zeroed = false;
  bool stored = false;    ///< a pointer that the kernel, or the launcher, stores through
  bool asStride = false;  ///< an integer that variants fold where it is 1
  bool inAddress = false; ///< an integer that the aligned variants want to be a multiple of 16
  BundleRole role = BundleRole::Plain;
  std::uint8_t rank = 0, contiguous = 0; ///< of a view's type, on all that it consists of

  bool operator==(const BundleArgument &) const = default;
};

/// A function compiled for a chip and for a kind of arguments.
struct BundleImage {
  std::string target;       ///< "cuda:sm_90a"
  std::string format;       ///< "cubin", "ptx", "hsaco", "shared-object"
  std::string instructions; ///< instruction sets that a processor must have, separated by commas
  VariantKey variant;
  BundleBlock block; ///< a CacheEntry

  bool operator==(const BundleImage &) const = default;
};

struct BundleFunction {
  std::string symbol;       ///< what headers call it: an identifier
  std::string kernel;       ///< the user's name for it
  std::string config;       ///< `{block=1024}`
  std::string options;      ///< all that change code
  support::Hash128 program; ///< of what was recorded; zero if that is not known
  std::vector<BundleArgument> arguments;
  std::vector<std::pair<std::string, std::int64_t>> constants; ///< integer fields of the config
  std::vector<BundleImage> images;

  /// `f32*, f32*, i64`
  std::string typesText() const;
  /// Of all that callers must agree on: symbol, names, types and places of the arguments.
  std::uint64_t signature() const;
  LaunchFacts facts() const;
  /// Why this breaks the format; empty if it does not.
  std::string check() const;

  bool operator==(const BundleFunction &) const = default;
};

struct BundleIndex {
  std::string name;    ///< an identifier
  std::string creator; ///< who compiled
  std::vector<BundleFunction> functions;
  BundleBlock records; ///< lines of tuning records; empty if there are none

  /// The function, or null.
  const BundleFunction *find(std::string_view symbol) const;
  std::vector<std::byte> serialize() const;
  /// Reads what serialize() wrote. UsageError for anything else, whatever the bytes are.
  static BundleIndex deserialize(std::span<const std::byte> bytes);

  bool operator==(const BundleIndex &) const = default;
};

/// Whether C and C++ take \p text as a name.
bool isIdentifier(std::string_view text);
/// \p text with all that no identifier has replaced by `_`.
std::string identifierOf(std::string_view text);

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_BUNDLE_BUNDLEINDEX_H
