//===- Backend.cpp - the interface every back end implements --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Backend.h"

namespace tessera::ir {

BackendState::~BackendState() = default;
Backend::~Backend() = default;

} // namespace tessera::ir
