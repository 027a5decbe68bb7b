//===- Parallel.h - loops on all threads -----------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What plain loops share their work with: threads that wait for the next loop and take a part of it whenever they are
// done with one, so that a thread that is held up does not hold up the loop.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_BENCH_PARALLEL_H
#define TESSERA_BENCH_PARALLEL_H

#include <cstddef>
#include <functional>

namespace tessera::bench {

/// Threads that parallelFor() uses, the caller among them. Set before the first loop; all cores by default.
void setThreads(unsigned count);
unsigned threads();

/// Calls \p part(begin, end) for disjoint parts that cover 0 to \p count, and returns when all are done.
void parallelFor(std::size_t count, const std::function<void(std::size_t begin, std::size_t end)> &part);

} // namespace tessera::bench

#endif // TESSERA_BENCH_PARALLEL_H
