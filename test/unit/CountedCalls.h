//===- CountedCalls.h - how often code allocates and locks --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// CountedCalls.cpp replaces operator new and pthread_mutex_lock, so it belongs into binaries of their own.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_COUNTEDCALLS_H
#define TESSERA_TEST_UNIT_COUNTEDCALLS_H

namespace tessera::test {

/// What one thread did through operator new and std::mutex, the library's part included.
struct Calls {
  int allocations = 0, locks = 0;
};

/// Begins to count for the calling thread.
void startCounting();
/// What was counted since.
Calls stopCounting();

/// The calls of \p run, the second time that it runs.
template <class Run> Calls callsOf(Run run) {
  run();
  startCounting();
  run();
  return stopCounting();
}

} // namespace tessera::test

#endif // TESSERA_TEST_UNIT_COUNTEDCALLS_H
