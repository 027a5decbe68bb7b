//===- Version.cpp - which tessera this is --------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Support/Version.h"

namespace tessera::support {

std::string_view libraryVersion() { return TESSERA_VERSION; }

} // namespace tessera::support
