//===- Contracts.h - what users ask of the code ----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_DRIVER_CONTRACTS_H
#define TESSERA_DRIVER_CONTRACTS_H

#include "tessera/core/CompileOptions.h"
#include "tessera/runtime/Report.h"

#include <string>
#include <string_view>

namespace tessera::ir {

/// How a kernel with this report breaks what \p options ask of it: a line for each place, `file:line: what`, those
/// without a place at \p kernelAt. Empty if it does not. Accesses count in the variant for \p aligned arguments alone.
std::string brokenContracts(const Report &report, const CompileOptions &options, bool aligned,
                            std::string_view kernelAt);

} // namespace tessera::ir

#endif // TESSERA_DRIVER_CONTRACTS_H
