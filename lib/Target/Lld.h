//===- Lld.h - link objects inside this process ----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_LLD_H
#define TESSERA_TARGET_LLD_H

#include "IRSupport/LLVM.h"

#include <shared_mutex>
#include <string>

namespace tessera::ir {

struct LinkOptions {
  bool keepSymbols = false; ///< all symbols, not only those that others see
};

/// Links one ELF object to a shared object that exports what the object exports; undefined symbols are an error. No
/// file is written. On failure \p words holds the linker's. Thread-safe; one link runs at a time.
LogicalResult linkSharedObject(ArrayRef<char> object, SmallVectorImpl<char> &out, std::string &words,
                               LinkOptions options = {});

/// A link sets all options of LLVM, which the process has once, back to their defaults. Who needs one of them otherwise
/// gives \p set, which is called now and behind every link, and generates code while it holds keepOptions().
void setBehindLinks(void (*set)());
[[nodiscard]] std::shared_lock<std::shared_mutex> keepOptions();

} // namespace tessera::ir

#endif // TESSERA_TARGET_LLD_H
