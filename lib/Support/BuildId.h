//===- BuildId.h - which build of a library this is ------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_SUPPORT_BUILDID_H
#define TESSERA_SUPPORT_BUILDID_H

#include <string>

namespace tessera::support {

/// What tells the library or program that holds \p address, code or data of it, from every other build of it: the
/// linker's build id, which is the same wherever the file is copied to; where it has none, its path, size and time.
std::string buildIdOf(const void *address);

} // namespace tessera::support

#endif // TESSERA_SUPPORT_BUILDID_H
