//===- Locations.h - the user's place and names in locations --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A value that the user named has the location NameLoc("name"(place)); a place is a file, line and column, perhaps
// inside fused and call-site locations.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_IRSUPPORT_LOCATIONS_H
#define TESSERA_IRSUPPORT_LOCATIONS_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <source_location>
#include <string>

namespace tessera::ir {

/// The first file, line and column in \p location; of a call site, that of the callee.
std::optional<mlir::FileLineColLoc> fileLocation(mlir::Location location);

/// `file:line:column`; empty when the location has none.
std::string locationText(mlir::Location location);

/// The place \p at in the user's text as a location.
mlir::Location placeLocation(mlir::MLIRContext *context, const std::source_location &at);

/// The name that the user gave the value at \p location, the first in a fused one; empty when there is none.
llvm::StringRef userName(mlir::Location location);

/// \p location with the user's name in front; \p location itself for an empty name.
mlir::Location namedLocation(llvm::StringRef name, mlir::Location location);

} // namespace tessera::ir

#endif // TESSERA_IRSUPPORT_LOCATIONS_H
