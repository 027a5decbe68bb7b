//===- NullBackend.h - compiles for the device that runs nothing -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_NULL_NULLBACKEND_H
#define TESSERA_TARGET_NULL_NULLBACKEND_H

#include "Target/Backend.h"

#include <memory>

namespace tessera::ir {

/// The smallest back end: its binary is empty. Folded grids get the extents they would need, as hidden arguments.
std::unique_ptr<Backend> createNullBackend();

} // namespace tessera::ir

#endif // TESSERA_TARGET_NULL_NULLBACKEND_H
