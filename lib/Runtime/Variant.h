//===- Variant.h - one kernel, compiled for kinds of arguments -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A kernel is compiled once for arguments that are aligned and once for all others, for each pattern of strides equal
// to 1. Which of these *variants* a launch takes is decided here, for kernels that are compiled when they are needed
// and for those of bundles.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_VARIANT_H
#define TESSERA_RUNTIME_VARIANT_H

#include "Runtime/LaunchCheck.h"
#include "Runtime/SlotMask.h"

#include "tessera/core/DType.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::rt {

/// What decides which variants a launch may take.
struct LaunchFacts {
  SlotMask pointers;
  SlotMask stored;                ///< pointers that the kernel, or the launcher, stores through
  SlotMask read;                  ///< pointers whose memory the kernel may load from
  SlotMask zeroed;                ///< pointers whose memory the launcher fills with zeros first
  bool storesElsewhere = false;   ///< the kernel may store through addresses that it loads or makes of integers
  SlotMask strides;               ///< integers that are folded when they are 1
  SlotMask addresses;             ///< integers whose divisibility by 16 counts
  std::vector<std::string> names; ///< of the arguments
  std::vector<DType> dtypes;
};

/// `f32*, f32*, i64`: what tells apart kernels of one name.
std::string typesText(std::span<const DType> dtypes, const SlotMask &pointers);

/// A kernel compiled differently for different arguments.
struct VariantKey {
  SlotMask unit;        ///< strides equal to 1
  bool aligned = false; ///< pointers and addresses' integers are multiples of 16
  bool fold = false;    ///< all programs on axis x

  bool operator==(const VariantKey &) const = default;
  /// `aligned, stride 1: ldb, folded grid`; "general" if there is nothing to say.
  std::string str(const LaunchFacts &facts) const;
  /// What str() wrote; nothing for anything else.
  static std::optional<VariantKey> parse(std::string_view text, const LaunchFacts &facts);
};

/// The variant made for just these arguments.
VariantKey variantFor(const LaunchFacts &facts, const SlotPattern &pattern, bool fold);

/// Whether a kernel compiled as \p variant is right for these arguments: one that folds fewer strides is, and so is one
/// that counts on no alignment.
bool serves(const VariantKey &variant, const LaunchFacts &facts, const SlotPattern &pattern, bool fold);

/// Whether of two variants that serve \p a is to be preferred: it folds more strides, or as many and is aligned.
bool isBetter(const VariantKey &a, const VariantKey &b);

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_VARIANT_H
