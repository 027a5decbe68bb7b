//===- Diagnostics.cpp - diagnostics of MLIR, collected as text ------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "IRSupport/Diagnostics.h"

#include "IRSupport/LLVM.h"
#include "IRSupport/Locations.h"

namespace tessera::ir {

/// `place: words`, or the words alone where the place is unknown.
static std::string placed(const std::string &where, const std::string &message) {
  return where.empty() ? message : where + ": " + message;
}

DiagnosticCollector::DiagnosticCollector(MLIRContext *context)
    : handler(context, [this](mlir::Diagnostic &diagnostic) {
        CollectedDiagnostic entry{
            diagnostic.getSeverity(), locationText(diagnostic.getLocation()), diagnostic.str(), {}};
        for (mlir::Diagnostic &note : diagnostic.getNotes())
          entry.notes.push_back(placed(locationText(note.getLocation()), note.str()));
        collected.push_back(std::move(entry));
        return success();
      }) {}

bool DiagnosticCollector::hasErrors() const {
  return llvm::any_of(
      collected, [](const CollectedDiagnostic &entry) { return entry.severity == mlir::DiagnosticSeverity::Error; });
}

std::string DiagnosticCollector::errors() const {
  std::string text;
  for (const CollectedDiagnostic &entry : collected) {
    if (entry.severity != mlir::DiagnosticSeverity::Error)
      continue;
    if (!text.empty())
      text += '\n';
    text += placed(entry.where, entry.message);
    for (const std::string &note : entry.notes)
      text += "\n  " + note;
  }
  return text;
}

} // namespace tessera::ir
