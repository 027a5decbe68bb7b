//===- Environment.h - read environment variables --------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_SUPPORT_ENVIRONMENT_H
#define TESSERA_SUPPORT_ENVIRONMENT_H

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::support {

/// The variables of Environment.def.
enum class Variable {
#define TESSERA_VARIABLE(enumerator, name, help) enumerator,
#include "Support/Environment.def"
};

/// A variable's name and meaning, for docs and `--help`.
struct VariableInfo {
  const char *name;
  const char *help;
};

/// All variables in the order of Environment.def.
std::span<const VariableInfo> variables();

/// The value now; empty if unset. Reads the process's environment each time.
std::string environment(Variable variable);

/// The value split at commas, blanks trimmed, empty entries dropped.
std::vector<std::string> environmentList(Variable variable);

/// The value as a number in [\p smallest, \p largest], \p fallback if unset. UsageError naming the variable if it is
/// not.
std::int64_t environmentNumber(Variable variable, std::int64_t fallback, std::int64_t smallest, std::int64_t largest);

/// The number of the value among \p words, 0 if unset. UsageError naming the variable if it is none of them.
std::size_t environmentChoice(Variable variable, std::initializer_list<std::string_view> words);

} // namespace tessera::support

#endif // TESSERA_SUPPORT_ENVIRONMENT_H
