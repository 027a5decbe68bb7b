//===- TileProgramOps.cpp - the kernel and its place in the grid -----===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Dialect/Tile/IR/Verify.h"

#include "mlir/Interfaces/FunctionImplementation.h"

namespace tessera::ir::tile {

//===----------------------------------------------------------------------===//
// tile.kernel
//===----------------------------------------------------------------------===//

void KernelOp::build(OpBuilder &builder, OperationState &state, StringRef name, TypeRange parameters,
                     ArrayRef<Location> parameterLocations) {
  auto &properties = state.getOrAddProperties<Properties>();
  properties.sym_name = builder.getStringAttr(name);
  properties.function_type = mlir::TypeAttr::get(builder.getFunctionType(parameters, {}));
  Block &body = state.addRegion()->emplaceBlock();
  for (const auto [index, type] : llvm::enumerate(parameters))
    body.addArgument(type, index < parameterLocations.size() ? parameterLocations[index] : state.location);
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildType = [](Builder &builder, ArrayRef<Type> arguments, ArrayRef<Type> results,
                      mlir::function_interface_impl::VariadicFlag,
                      std::string &) { return builder.getFunctionType(arguments, results); };
  return mlir::function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false, getFunctionTypeAttrName(result.name), buildType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void KernelOp::print(OpAsmPrinter &printer) {
  mlir::function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
                                                 getArgAttrsAttrName(), getResAttrsAttrName());
}

LogicalResult KernelOp::verify() {
  const mlir::FunctionType type = getFunctionType();
  for (const auto [index, input] : llvm::enumerate(type.getInputs()))
    if (!isElement(input)) // kernel_c1
      return emitOpError("expected parameter ")
             << index << " to be an integer, float or pointer of the tile dialect, got " << input;
  if (type.getNumResults() != 0) // kernel_c2
    return emitOpError("expected no results, got ") << type.getNumResults();
  Block &body = getBody().front();
  if (body.empty() || !isa<ReturnOp>(body.back())) // kernel_c7
    return emitOpError("expected the body to end in `tile.return`");
  return success();
}

//===----------------------------------------------------------------------===//
// tile.workspace
//===----------------------------------------------------------------------===//

LogicalResult WorkspaceOp::verify() {
  if (isa_and_nonnull<KernelOp>((*this)->getParentOp())) // workspace_c1
    return success();
  return emitOpError("expected to stand in the body of a kernel, not in a loop or branch");
}

} // namespace tessera::ir::tile
