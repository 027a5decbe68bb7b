//===- Locations.cpp - the user's place and names in locations -------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "IRSupport/Locations.h"

#include "IRSupport/LLVM.h"

namespace tessera::ir {

std::optional<FileLineColLoc> fileLocation(Location location) {
  if (auto place = dyn_cast<FileLineColLoc>(location))
    return place;
  if (auto named = dyn_cast<NameLoc>(location))
    return fileLocation(named.getChildLoc());
  if (auto call = dyn_cast<mlir::CallSiteLoc>(location))
    return fileLocation(call.getCallee());
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location part : fused.getLocations())
      if (std::optional<FileLineColLoc> place = fileLocation(part))
        return place;
  return std::nullopt;
}

std::string locationText(Location location) {
  std::optional<FileLineColLoc> place = fileLocation(location);
  if (!place)
    return {};
  return place->getFilename().str() + ":" + std::to_string(place->getLine()) + ":" + std::to_string(place->getColumn());
}

Location placeLocation(MLIRContext *context, const std::source_location &at) {
  return FileLineColLoc::get(context, at.file_name(), at.line(), at.column());
}

StringRef userName(Location location) {
  auto named = location->findInstanceOf<NameLoc>();
  return named ? named.getName().getValue() : StringRef();
}

Location namedLocation(StringRef name, Location location) {
  return name.empty() ? location : NameLoc::get(StringAttr::get(location.getContext(), name), location);
}

} // namespace tessera::ir
