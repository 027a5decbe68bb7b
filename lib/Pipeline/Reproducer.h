//===- Reproducer.h - keep what made a pass fail ---------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_PIPELINE_REPRODUCER_H
#define TESSERA_PIPELINE_REPRODUCER_H

#include "IRSupport/LLVM.h"

#include <string>

namespace tessera::ir {

/// Writes \p module, as it was before the passes \p pipeline, to a file that `tessera-opt --run-reproducer` replays, in
/// TESSERA_REPRODUCER_DIR or the system's temporary folder. Returns the file's path, or why there is none.
std::string writeReproducer(ModuleOp module, StringRef pipeline, StringRef title);

} // namespace tessera::ir

#endif // TESSERA_PIPELINE_REPRODUCER_H
