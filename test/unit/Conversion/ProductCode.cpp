//===- ProductCode.cpp - the code of a product, for tests -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Conversion/ProductCode.h"

#include "Conversion/LayoutToLLVM/LayoutToLLVM.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <fmt/format.h>

namespace tessera::ir::test {

std::string codeOfProduct(const char *target, const gpu::GpuHooks &hooks, std::string_view a, std::string_view b,
                          std::string_view acc, std::array<int, 3> shape, std::string_view how) {
  mlir::DialectRegistry registry;
  registry.insert<tile::TileDialect, layout::LayoutDialect, mlir::arith::ArithDialect, mlir::math::MathDialect,
                  mlir::scf::SCFDialect, mlir::vector::VectorDialect, mlir::LLVM::LLVMDialect>();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  const auto [m, n, k] = shape;
  // One warp, whose lanes hold copies of what registers hold: any layout will do.
  std::string lanes;
  for (int lane = 1; lane != hooks.chip().warpSize; lane *= 2)
    lanes += lane == 1 ? "(0, 0)" : ", (0, 0)";
  const auto layoutOf = [&](int rows, int columns) {
    std::string registers;
    for (int column = 1; column != columns; column *= 2)
      registers += fmt::format("{}(0, {})", registers.empty() ? "" : ", ", column);
    for (int row = 1; row != rows; row *= 2)
      registers += fmt::format("{}({}, 0)", registers.empty() ? "" : ", ", row);
    return fmt::format("#layout.tile<{}x{}, register = [{}], lane = [{}]>", rows, columns, registers, lanes);
  };
  const auto tile = [&](int rows, int columns, std::string_view element) {
    return fmt::format("tensor<{}x{}x{}, {}>", rows, columns, element, layoutOf(rows, columns));
  };
  const std::string text = fmt::format(
      "tile.kernel @k(%x: {0}, %y: {1}, %z: {2}, %p: !tile.ptr<{2}>) attributes {{layout.num_warps = 1 : i64,"
      "    layout.warp_size = {8} : i64}} {{\n"
      "  %a = tile.splat %x : {3}\n  %b = tile.splat %y : {4}\n  %c = tile.splat %z : {5}\n"
      "  %d = tile.dot %a, %b, %c {7} : {3}, {4} -> {5}\n"
      "  %q = tile.splat %p : {6}\n  tile.store %q, %d : {6}\n  tile.return\n}}",
      a, b, acc, tile(m, k, a), tile(k, n, b), tile(m, n, acc), tile(m, n, fmt::format("!tile.ptr<{}>", acc)), how,
      hooks.chip().warpSize);
  auto module = mlir::parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return "does not parse: " + text;
  mlir::PassManager passes(&context);
  passes.addPass(gpu::createExpandDotsPass(hooks.chip(), hooks));
  if (failed(passes.run(*module)))
    return "fails";
  std::string code;
  llvm::raw_string_ostream stream(code);
  module->print(stream);
  mlir::PassManager emission(&context);
  emission.addPass(gpu::createLayoutToLLVMPass({.target = target}, hooks));
  if (code.find("layout.shared_dot") == std::string::npos && succeeded(emission.run(*module)))
    module->print(stream);
  return code;
}

} // namespace tessera::ir::test
