//===- Version.h - which tessera this is -----------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_SUPPORT_VERSION_H
#define TESSERA_SUPPORT_VERSION_H

#include <string_view>

namespace tessera::support {

/// The version of this library, "0.1.0": part of every key.
std::string_view libraryVersion();

} // namespace tessera::support

#endif // TESSERA_SUPPORT_VERSION_H
