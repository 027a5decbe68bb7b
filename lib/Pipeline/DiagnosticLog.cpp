//===- DiagnosticLog.cpp - collect what MLIR says -------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Pipeline/DiagnosticLog.h"

#include <fmt/format.h>

namespace tessera::ir {

std::string locationText(Location location) {
  if (auto place = location->findInstanceOf<FileLineColLoc>())
    return fmt::format("{}:{}:{}", std::string_view(place.getFilename().getValue()), place.getLine(),
                       place.getColumn());
  return "unknown location";
}

static std::string diagnosticText(const mlir::Diagnostic &diagnostic) {
  std::string text = fmt::format("{}: {}", locationText(diagnostic.getLocation()), diagnostic.str());
  for (const mlir::Diagnostic &note : diagnostic.getNotes())
    text += fmt::format("\n  {}: {}", locationText(note.getLocation()), note.str());
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
