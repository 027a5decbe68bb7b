//===- BundleHeaders.h - C++ and C for a bundle's functions ----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What is made beside a bundle, from its index alone: headers that declare its functions, and a source that links the
// bundle into a program.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_BUNDLE_BUNDLEHEADERS_H
#define TESSERA_RUNTIME_BUNDLE_BUNDLEHEADERS_H

#include "Runtime/Bundle/BundleIndex.h"

#include <string>

namespace tessera::rt {

/// The C++ header: a BundledKernel for each function, in a namespace called like the bundle.
std::string bundleHeader(const BundleIndex &index);
/// The C header: a function for each function, called `<bundle>_<function>`.
std::string bundleHeaderForC(const BundleIndex &index);
/// A C or C++ source that holds the file \p path as an object of the program.
std::string bundleSource(const BundleIndex &index, const std::string &path);

/// Why no header can declare \p index; empty if one can: names of C++, or of the header's own, are in the way.
std::string headerProblem(const BundleIndex &index);

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_BUNDLE_BUNDLEHEADERS_H
