//===- ScopedEnvironment.h - environment variables for a test --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_SCOPEDENVIRONMENT_H
#define TESSERA_TEST_UNIT_SCOPEDENVIRONMENT_H

#include <cstdlib>
#include <optional>
#include <string>

namespace tessera::test {

/// Sets a variable while it lives.
class ScopedEnvironment {
public:
  ScopedEnvironment(const char *name, const std::string &value) : name(name) {
    if (const char *old = std::getenv(name))
      before = old;
    setenv(name, value.c_str(), 1);
  }
  ~ScopedEnvironment() {
    if (before)
      setenv(name, before->c_str(), 1);
    else
      unsetenv(name);
  }
  ScopedEnvironment(const ScopedEnvironment &) = delete;
  ScopedEnvironment &operator=(const ScopedEnvironment &) = delete;

private:
  const char *name;
  std::optional<std::string> before;
};

} // namespace tessera::test

#endif // TESSERA_TEST_UNIT_SCOPEDENVIRONMENT_H
