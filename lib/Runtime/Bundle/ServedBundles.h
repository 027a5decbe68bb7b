//===- ServedBundles.h - code from bundles instead of compiling -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_BUNDLE_SERVEDBUNDLES_H
#define TESSERA_RUNTIME_BUNDLE_SERVEDBUNDLES_H

#include "Runtime/Bundle/BundleState.h"

#include <memory>
#include <optional>
#include <string>

namespace tessera::rt {

/// What tells an image of a kernel from all others.
struct ImageRequest {
  std::string kernel, types, config, options; ///< as BundleFunction has them
  support::Hash128 program;                   ///< of what was recorded
  VariantKey variant;
};

/// What a bundle has for a request.
struct ServedImage {
  Image image;
  support::Hash128 contents; ///< of all that makes it
  std::string bundle;        ///< its title
};

/// Lets findServed() look into \p bundle, whose tuning records are those of this process, too.
void serveBundle(std::shared_ptr<const BundleState> bundle);

/// The image that a bundle has for a device: of the very variant or, with \p substitute, of another that is right for
/// whatever arguments that one is. Notes once if the kernel of this name was another text when a bundle was made, and
/// once for every image that is damaged.
std::optional<ServedImage> findServed(const ImageRequest &request, const DeviceProperties &device, bool substitute);

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_BUNDLE_SERVEDBUNDLES_H
