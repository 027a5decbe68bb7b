//===- Runtime.h - what this process may do --------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_RUNTIME_H
#define TESSERA_RUNTIME_RUNTIME_H

#include "tessera/core/Export.h"

namespace tessera {

/// The state of this library in this process. Any thread may call.
class TESSERA_API Runtime {
public:
  /// From now on nothing is compiled or tuned in this process, as with TESSERA_FROZEN=1: what is loaded, the cache and
  /// bundles that serve() are used, and a launch that they cannot satisfy is a UsageError that names what is missing.
  /// There is no way back.
  static void freeze();
  /// Whether freeze() was called or TESSERA_FROZEN is 1. UsageError if that variable is neither 0 nor 1.
  static bool is_frozen();
};

} // namespace tessera

#endif // TESSERA_RUNTIME_RUNTIME_H
