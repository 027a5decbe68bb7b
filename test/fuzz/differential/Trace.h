//===- Trace.h - a random kernel as a kernel of the language ---*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_FUZZ_DIFFERENTIAL_TRACE_H
#define TESSERA_TEST_FUZZ_DIFFERENTIAL_TRACE_H

#include "Program.h"

namespace tessera::fuzz {

/// The kernel that \p program describes. It is well formed: layOut() gave \p layout.
Kernel<NoConfig, Ptr<u8>, Ptr<u8>, Ptr<u8>, Ptr<u8>, Int> kernelOf(const Program &program, const Layout &layout);

/// The same as C++, a whole definition of the kernel.
std::string cppText(const Program &program, const Layout &layout);

} // namespace tessera::fuzz

#endif // TESSERA_TEST_FUZZ_DIFFERENTIAL_TRACE_H
