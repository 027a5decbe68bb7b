//===- Reflect.cpp - numbers in the text of configs -----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "tessera/core/Reflect.h"

#include <fmt/format.h>
#include <iterator>

namespace tessera {

void detail::appendNumber(std::string &text, double number) { fmt::format_to(std::back_inserter(text), "{}", number); }

} // namespace tessera
