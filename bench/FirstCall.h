//===- FirstCall.h - how long the first call takes -------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_BENCH_FIRSTCALL_H
#define TESSERA_BENCH_FIRSTCALL_H

#include <cstddef>
#include <string>

namespace tessera::bench {

/// Runs kernels for the first time in \p processes fresh processes of \p program each, and prints rows of how long that
/// takes, as a whole and by stage: without the disk cache, and with all of them in it.
void measureFirstCalls(const char *program, std::size_t processes);
/// In such a process: runs the kernel \p name once and prints how long it took. Returns an exit status.
int runFirstCall(const std::string &name);

} // namespace tessera::bench

#endif // TESSERA_BENCH_FIRSTCALL_H
