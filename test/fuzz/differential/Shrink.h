//===- Shrink.h - a small kernel with the same fault -----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_FUZZ_DIFFERENTIAL_SHRINK_H
#define TESSERA_TEST_FUZZ_DIFFERENTIAL_SHRINK_H

#include "Program.h"

#include <functional>

namespace tessera::fuzz {

/// A program that \p fails still, from which nothing more can be taken. \p fails is asked about well-formed programs
/// only, at most \p tries times.
Program shrink(Program program, const std::function<bool(const Program &, const Layout &)> &fails, int tries);

} // namespace tessera::fuzz

#endif // TESSERA_TEST_FUZZ_DIFFERENTIAL_SHRINK_H
