//===- ModuleHash.h - what a program is, in 128 bits -----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Equal programs have equal hashes in every process and on every machine; names of values do not count.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_IRSUPPORT_MODULEHASH_H
#define TESSERA_IRSUPPORT_MODULEHASH_H

#include "IRSupport/LLVM.h"
#include "Support/Hash.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tessera::ir {

/// A program's hashes.
struct ModuleHash {
  support::Hash128 program; ///< without places in the user's text, but for those of the operations that show them
  support::Hash128 placed;  ///< with all of them
};

/// Hashes \p root and everything in it. \p showsPlace says of an operation whether its place in the user's text is part
/// of what it does.
ModuleHash hashModule(Operation *root, llvm::function_ref<bool(Operation *)> showsPlace);

} // namespace tessera::ir

#endif // TESSERA_IRSUPPORT_MODULEHASH_H
