//===- Backends.h - the back ends of this library --------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_DRIVER_BACKENDS_H
#define TESSERA_DRIVER_BACKENDS_H

#include "Target/Registry.h"

namespace tessera::ir {

/// All back ends, made when first asked for and never destroyed. Thread-safe.
const BackendRegistry &backends();

} // namespace tessera::ir

#endif // TESSERA_DRIVER_BACKENDS_H
