//===- Lld.h - link objects inside this process ----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_LLD_H
#define TESSERA_TARGET_LLD_H

#include "IRSupport/LLVM.h"

#include <string>

namespace tessera::ir {

struct LinkOptions {
  bool keepSymbols = false; ///< all symbols, not only those that others see
};

/// Links one ELF object to a shared object that exports what the object exports; undefined symbols are an error. No
/// file is written. On failure \p words holds the linker's. Thread-safe; one link runs at a time.
LogicalResult linkSharedObject(ArrayRef<char> object, SmallVectorImpl<char> &out, std::string &words,
                               LinkOptions options = {});

} // namespace tessera::ir

#endif // TESSERA_TARGET_LLD_H
