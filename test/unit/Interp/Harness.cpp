//===- Harness.cpp - run tile text on the interpreter -------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Interp/Harness.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace tessera::ir::interp {

static std::unique_ptr<Program> build(std::string_view text, std::string &error) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<tile::TileDialect, mlir::arith::ArithDialect, mlir::math::MathDialect, mlir::scf::SCFDialect>();
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    error += diagnostic.str() + "\n";
    return mlir::success();
  });
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(llvm::StringRef(text.data(), text.size()), mlir::ParserConfig(&context));
  if (!module)
    return nullptr;
  BuildError why;
  auto program = Program::build(*module, why);
  error += why.text;
  return program;
}

TestKernel::TestKernel(std::string_view text) {
  std::string error;
  program = build(text, error);
  EXPECT_TRUE(program) << error << "\n" << text;
}

std::string whyNotBuilt(std::string_view text) {
  std::string error;
  build(text, error);
  return error;
}

Faults TestKernel::execute(std::array<std::int64_t, 3> grid, Call &call) {
  if (!program)
    return {};
  std::vector<LiveBuffer> buffers;
  for (Call::Block &b : call.blocks)
    buffers.push_back({reinterpret_cast<std::uint64_t>(b.data()), b.bytes, nullptr});
  for (const Region &r : call.regions)
    buffers.push_back({reinterpret_cast<std::uint64_t>(r.memory), r.bytes, nullptr});
  LaunchRequest request;
  request.grid = grid;
  request.arguments = call.arguments;
  request.buffers = buffers;
  request.options = options;
  EXPECT_EQ(call.arguments.size(), program->parameters().size());
  if (call.arguments.size() != program->parameters().size())
    return {};
  return program->run(request);
}

void expectNoFaults(const Faults &faults) { EXPECT_TRUE(faults.none()) << faults.text(); }

} // namespace tessera::ir::interp
