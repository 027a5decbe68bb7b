//===- DiagnosticLog.cpp - collect what MLIR says -------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "IRSupport/DiagnosticLog.h"

#include "IRSupport/Locations.h"

#include <fmt/format.h>

namespace tessera::ir {

/// `file:line:column: words`, or the words alone where the place is unknown.
static std::string placed(Location location, const std::string &words) {
  const std::string place = locationText(location);
  return place.empty() ? words : place + ": " + words;
}

static std::string diagnosticText(const mlir::Diagnostic &diagnostic) {
  std::string text = placed(diagnostic.getLocation(), diagnostic.str());
  for (const mlir::Diagnostic &note : diagnostic.getNotes())
    text += "\n  " + placed(note.getLocation(), note.str());
  return text;
}

DiagnosticLog::DiagnosticLog(MLIRContext &context)
    : handler(&context, [this](mlir::Diagnostic &diagnostic) {
        const bool error = diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
        (error ? errors_ : notes_).push_back(diagnosticText(diagnostic));
        return success();
      }) {}

std::string DiagnosticLog::text() const { return fmt::format("{}", fmt::join(errors_, "\n")); }

} // namespace tessera::ir
