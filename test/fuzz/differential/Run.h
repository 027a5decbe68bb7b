//===- Run.h - one kernel on two executors ---------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_FUZZ_DIFFERENTIAL_RUN_H
#define TESSERA_TEST_FUZZ_DIFFERENTIAL_RUN_H

#include "Program.h"

namespace tessera::fuzz {

/// Runs \p program on \p device and returns what it wrote. Throws what the library throws.
std::vector<std::byte> run(const Program &program, const Layout &layout, const Device &device);

/// The first difference between two outputs, for people; empty if there is none.
std::string difference(const Program &program, const Layout &layout, const std::vector<std::byte> &expected,
                       const std::vector<std::byte> &found);

/// What is wrong with \p program on \p device, compared with \p oracle; empty if nothing is. \p program is well formed.
std::string failureOf(const Program &program, const Layout &layout, const Device &oracle, const Device &device);

} // namespace tessera::fuzz

#endif // TESSERA_TEST_FUZZ_DIFFERENTIAL_RUN_H
