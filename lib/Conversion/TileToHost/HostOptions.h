//===- HostOptions.h - what code for a host is made for --------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_TILETOHOST_HOSTOPTIONS_H
#define TESSERA_CONVERSION_TILETOHOST_HOSTOPTIONS_H

#include <string>

namespace tessera::ir::host {

/// Facts about the processor and the user's choices, as far as they shape the code. The defaults are a processor with
/// AVX-512.
struct HostOptions {
  std::string target = "cpu";      ///< its name, which chooses among bodies of inline assembly
  unsigned vectorBytes = 64;       ///< of a vector in loops that compute
  unsigned streamVectorBytes = 32; ///< of a vector in loops that mostly move data
  bool hasFma = true;              ///< has fused multiply-add of f32 and f64
  bool hasF16C = true;             ///< converts between f16 and f32
  bool maskedNarrow = true;        ///< has masked loads and stores of 8- and 16-bit elements
  bool fastGather = true;          ///< gathers of 32- and 64-bit elements beat a loop over lanes
  int mr = 8;                      ///< rows of a dot's micro-kernel
  int nv = 2;                      ///< vectors of columns of a dot's micro-kernel
  bool fuse = true;                ///< plan fused groups; otherwise each op is one loop through memory
  bool fpContract = true;          ///< `a * b + c` may round once
  bool checks = false;             ///< emit assertions
};

} // namespace tessera::ir::host

#endif // TESSERA_CONVERSION_TILETOHOST_HOSTOPTIONS_H
