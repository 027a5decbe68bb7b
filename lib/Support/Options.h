//===- Options.h - check, print and key compile options --------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_SUPPORT_OPTIONS_H
#define TESSERA_SUPPORT_OPTIONS_H

#include "tessera/core/CompileOptions.h"

#include <string>
#include <string_view>
#include <vector>

namespace tessera::support {

/// One option as text.
struct OptionValue {
  const char *name;
  int value;
  bool changesCode;
};

/// All options in the order of Options.def.
std::vector<OptionValue> optionValues(const CompileOptions &options);

/// What is wrong with \p options, in the words of a UsageError; empty if nothing is.
std::string checkOptions(const CompileOptions &options);

/// `num_warps=8 line_info=1`: the options that differ from the defaults; "defaults" if none does.
std::string describeOptions(const CompileOptions &options);

/// All options that change code, for keys and for rebuilding them: `num_warps=4,num_stages=3,…`.
std::string optionKey(const CompileOptions &options);

/// Of what optionKey() wrote, what differs from the defaults, in the words of describeOptions().
std::string describeOptionKey(std::string_view key);

} // namespace tessera::support

#endif // TESSERA_SUPPORT_OPTIONS_H
