//===- Error.cpp - the exceptions a user can meet -------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The destructors anchor vtables and type information in one library, so that every library of a process catches the
// same types.
//
//===---------------------------------------------------------------------===//

#include "tessera/core/Error.h"

#include <fmt/format.h>

namespace tessera {

Error::~Error() = default;
UsageError::~UsageError() = default;
CompileError::~CompileError() = default;
DeviceError::~DeviceError() = default;
InternalError::~InternalError() = default;

UsageError::UsageError(std::source_location at, std::string_view message)
    : Error(at.line() ? fmt::format("{}:{}:{}: {}", at.file_name(), at.line(), at.column(), message)
                      : std::string(message)) {}

} // namespace tessera
