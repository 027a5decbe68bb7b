//===- FatalErrors.cpp - outlive LLVM's fatal errors ----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Gpu/FatalErrors.h"

#include "llvm/Support/ErrorHandling.h"

#include <csetjmp>
#include <mutex>

namespace tessera::ir::gpu {

namespace {

/// Where to go on after a fatal error.
struct Guard {
  std::jmp_buf place;
  std::string *words = nullptr;
};

thread_local Guard *innermost = nullptr;

} // namespace

/// LLVM calls this on the thread that met the error, and ends the process if it returns. LLVM is compiled without
/// exceptions, so that none can pass through its frames.
static void leave(void *, const char *reason, bool) {
  if (!innermost)
    return;
  *innermost->words = reason;
  std::longjmp(innermost->place, 1); // NOLINT(cert-err52-cpp)
}

bool runGuarded(llvm::function_ref<void()> work, std::string &words) {
  static std::once_flag installed;
  std::call_once(installed, [] { llvm::install_fatal_error_handler(leave); });
  Guard guard;
  guard.words = &words;
  Guard *const outer = innermost;
  innermost = &guard;
  const bool finished = setjmp(guard.place) == 0; // NOLINT(cert-err52-cpp)
  if (finished)
    work();
  innermost = outer;
  return finished;
}

} // namespace tessera::ir::gpu
