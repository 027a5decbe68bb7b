//===- InterpBackend.h - the interpreter as a back end ---------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_INTERP_INTERPBACKEND_H
#define TESSERA_TARGET_INTERP_INTERPBACKEND_H

#include "Target/Backend.h"

#include <memory>

namespace tessera::ir {

/// The back end of family "interp". Its binary is the bytecode of the canonical tile module, locations included.
std::unique_ptr<Backend> createInterpBackend();

} // namespace tessera::ir

#endif // TESSERA_TARGET_INTERP_INTERPBACKEND_H
