//===- TraceSupport.cpp - tracing functions in tests ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "TraceSupport.h"

#include "Frontend/KernelTrace.h"

#include "mlir/IR/MLIRContext.h"

namespace tessera::test {

std::string traceSpec(const detail::KernelSpec &spec, const detail::Specialization &specialization, bool locations) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  auto module = ir::traceKernel(spec, specialization, context);
  std::string text;
  llvm::raw_string_ostream stream(text);
  mlir::OpPrintingFlags flags;
  flags.printNameLocAsPrefix().enableDebugInfo(locations, /*prettyForm=*/true);
  module->print(stream, flags);
  return text;
}

} // namespace tessera::test
