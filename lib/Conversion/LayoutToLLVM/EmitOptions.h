//===- EmitOptions.h - what a GPU's code is made for -----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_LAYOUTTOLLVM_EMITOPTIONS_H
#define TESSERA_CONVERSION_LAYOUTTOLLVM_EMITOPTIONS_H

#include <string>

namespace tessera::ir::gpu {

/// The user's choices, as far as they shape the code. Facts about the chip are asked of GpuHooks.
struct EmitOptions {
  std::string target;     ///< "cuda:sm_90a": in messages, and chooses among bodies of inline assembly
  bool fpContract = true; ///< `a * b + c` may round once
  bool checks = false;    ///< emit assertions
  bool foldGrid = false;  ///< all programs are launched on axis x (SEMANTICS P1a)
};

} // namespace tessera::ir::gpu

#endif // TESSERA_CONVERSION_LAYOUTTOLLVM_EMITOPTIONS_H
