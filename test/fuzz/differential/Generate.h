//===- Generate.h - random kernels -----------------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_FUZZ_DIFFERENTIAL_GENERATE_H
#define TESSERA_TEST_FUZZ_DIFFERENTIAL_GENERATE_H

#include "Program.h"

namespace tessera::fuzz {

/// The well-formed kernel of \p seed, always the same.
Program generate(std::uint64_t seed);

} // namespace tessera::fuzz

#endif // TESSERA_TEST_FUZZ_DIFFERENTIAL_GENERATE_H
