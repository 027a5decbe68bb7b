//===- Freeze.cpp - refuse to compile and to tune -------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Support/Environment.h"

#include "tessera/core/Error.h"
#include "tessera/runtime/Runtime.h"

#include <atomic>
#include <fmt/format.h>

namespace tessera {

static std::atomic<bool> frozen{false};

void Runtime::freeze() { frozen = true; }

bool Runtime::is_frozen() {
  if (frozen)
    return true;
  const std::string text = support::environment(support::Variable::Frozen);
  if (text.empty() || text == "0")
    return false;
  if (text == "1")
    return true;
  throw UsageError(fmt::format("TESSERA_FROZEN is `{}`; it takes 0 or 1", text));
}

} // namespace tessera
