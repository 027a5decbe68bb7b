//===- DiagnosticLogTest.cpp - diagnostics collected as text ---------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "IRSupport/DiagnosticLog.h"
#include "IRSupport/LLVM.h"

#include "mlir/IR/MLIRContext.h"
#include <gtest/gtest.h>

using namespace tessera::ir;

namespace {

TEST(DiagnosticLog, placesErrorsAndTheirNotes) {
  MLIRContext context;
  DiagnosticLog log(context);
  const Location place = FileLineColLoc::get(&context, "kernel.cpp", 12, 8);
  mlir::emitError(place, "first").attachNote(FileLineColLoc::get(&context, "kernel.cpp", 3, 1)) << "see here";
  mlir::emitError(mlir::UnknownLoc::get(&context), "second");
  EXPECT_TRUE(log.hasErrors());
  EXPECT_EQ(log.text(), "kernel.cpp:12:8: first\n  kernel.cpp:3:1: see here\nsecond");
}

TEST(DiagnosticLog, warningsAreNoErrors) {
  MLIRContext context;
  DiagnosticLog log(context);
  mlir::emitWarning(mlir::UnknownLoc::get(&context), "careful");
  EXPECT_FALSE(log.hasErrors());
  EXPECT_EQ(log.text(), "");
  ASSERT_EQ(log.notes().size(), 1u);
  EXPECT_EQ(log.notes().front(), "careful");
}

TEST(DiagnosticLog, givesTheHandlerBack) {
  MLIRContext context;
  DiagnosticLog outer(context);
  {
    DiagnosticLog inner(context);
    mlir::emitError(mlir::UnknownLoc::get(&context), "inside");
    EXPECT_EQ(inner.text(), "inside");
  }
  mlir::emitError(mlir::UnknownLoc::get(&context), "outside");
  EXPECT_EQ(outer.text(), "outside");
}

} // namespace
