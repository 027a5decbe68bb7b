//===- DiagnosticLog.h - collect what MLIR says ----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// MLIR reports through its context and returns failure; exceptions must not cross its frames. So diagnostics are
// collected here while it runs, and whoever called it throws afterwards.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_IRSUPPORT_DIAGNOSTICLOG_H
#define TESSERA_IRSUPPORT_DIAGNOSTICLOG_H

#include "IRSupport/LLVM.h"

#include <string>
#include <vector>

namespace tessera::ir {

/// The diagnostics of this thread on one context while this object lives.
class DiagnosticLog {
public:
  explicit DiagnosticLog(MLIRContext &context);

  bool hasErrors() const { return !errors_.empty(); }
  /// `file:line:column: message`, one entry an error, its notes on lines of their own.
  const std::vector<std::string> &errors() const { return errors_; }
  /// Warnings and remarks, in the same form.
  const std::vector<std::string> &notes() const { return notes_; }
  /// All errors, one a line.
  std::string text() const;

private:
  std::vector<std::string> errors_, notes_;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace tessera::ir

#endif // TESSERA_IRSUPPORT_DIAGNOSTICLOG_H
