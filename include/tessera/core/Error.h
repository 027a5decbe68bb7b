//===- Error.h - the exceptions a user can meet ----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Blame decides the class. Every message reads `file:line:column: what was seen; what is required; hint`.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CORE_ERROR_H
#define TESSERA_CORE_ERROR_H

#include "tessera/core/Export.h"

#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tessera {

/// Base of everything this library throws. Copies share nothing; `what()` is the whole text.
class TESSERA_API Error : public std::runtime_error {
public:
  explicit Error(const std::string &message) : std::runtime_error(message) {}
  Error(const Error &) = default;
  ~Error() override;
};

/// The kernel's or the caller's text is wrong: thrown at the user's line, before any code is generated.
class TESSERA_API UsageError : public Error {
public:
  explicit UsageError(const std::string &message) : Error(message) {}
  /// Prefixes \p message with `file:line:column: `.
  UsageError(std::source_location at, std::string_view message);
  UsageError(const UsageError &) = default;
  ~UsageError() override;
};

/// A well-formed kernel that this target cannot run: names the target and carries the diagnostics.
class TESSERA_API CompileError : public Error {
public:
  explicit CompileError(const std::string &message) : Error(message) {}
  CompileError(const CompileError &) = default;
  ~CompileError() override;
};

/// The device or its driver refused, or checked execution found faults: call, code and the vendor's words.
class TESSERA_API DeviceError : public Error {
public:
  explicit DeviceError(const std::string &message) : Error(message) {}
  DeviceError(const DeviceError &) = default;
  ~DeviceError() override;
};

/// A defect of this library; names the reproducer (IR and pipeline) when there is one.
class TESSERA_API InternalError : public Error {
public:
  explicit InternalError(const std::string &message) : Error(message) {}
  InternalError(const InternalError &) = default;
  ~InternalError() override;
};

} // namespace tessera

#endif // TESSERA_CORE_ERROR_H
