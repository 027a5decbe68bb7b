//===- Diagnostics.h - diagnostics of MLIR, collected as text --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// MLIR reports through handlers and must not be left by an exception. Code that calls it collects what it reports,
// returns from it, and only then throws.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_IRSUPPORT_DIAGNOSTICS_H
#define TESSERA_IRSUPPORT_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"

#include <string>
#include <vector>

namespace tessera::ir {

/// One diagnostic: `file:line:column` where known, and the words without "error:".
struct CollectedDiagnostic {
  mlir::DiagnosticSeverity severity;
  std::string where; ///< empty when the location is unknown
  std::string message;
  std::vector<std::string> notes; ///< each with its place in front, where known
};

/// Collects all diagnostics of a context while alive, so that none reaches the terminal. Not thread-safe: the context
/// must emit from one thread at a time.
class DiagnosticCollector {
public:
  explicit DiagnosticCollector(mlir::MLIRContext *context);

  /// Whether an error came in since construction.
  bool hasErrors() const;
  const std::vector<CollectedDiagnostic> &diagnostics() const { return collected; }

  /// The errors as text for an exception: `file:line:column: message`, one a line, each followed by its indented notes.
  std::string errors() const;

private:
  std::vector<CollectedDiagnostic> collected;
  mlir::ScopedDiagnosticHandler handler; ///< last, so that it goes before what it writes to
};

} // namespace tessera::ir

#endif // TESSERA_IRSUPPORT_DIAGNOSTICS_H
