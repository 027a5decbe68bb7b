//===- Listing.h - a bundle in words ---------------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TOOLS_TESSERA_BUNDLE_LISTING_H
#define TESSERA_TOOLS_TESSERA_BUNDLE_LISTING_H

#include "Runtime/Bundle/BundleFile.h"

#include <cstdint>
#include <string>

namespace tessera::tools {

/// "cuda:sm_80+ptx"
std::string targetOf(const rt::BundleImage &image);

/// A table of the functions and what each was compiled for.
std::string listing(const rt::BundleFile &bundle);

/// All that is known of one function.
std::string description(const rt::BundleFile &bundle, const rt::BundleFunction &function);

} // namespace tessera::tools

#endif // TESSERA_TOOLS_TESSERA_BUNDLE_LISTING_H
