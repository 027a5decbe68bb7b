//===- KernelAbi.cpp - from a tile kernel to its argument table -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/KernelAbi.h"

#include "Analysis/KernelArguments.h"
#include "Analysis/LaunchExpr.h"
#include "IRSupport/Locations.h"
#include "tessera-ir/Dialect/Tile/IR/DTypes.h"

namespace tessera::ir {

using rt::Expr;

tile::KernelOp kernelOf(ModuleOp module) {
  auto kernels = module.getOps<tile::KernelOp>();
  if (kernels.empty() || std::next(kernels.begin()) != kernels.end())
    return {};
  return *kernels.begin();
}

static rt::Argument describeParameter(tile::KernelOp kernel, BlockArgument parameter, DType written,
                                      const ArgumentFacts &facts) {
  rt::Argument argument;
  argument.name = userName(parameter.getLoc()).str();
  if (auto pointer = dyn_cast<tile::PtrType>(parameter.getType())) {
    argument.kind = rt::ArgumentKind::Pointer;
    argument.dtype = written.kind > Kind::Any ? written : tile::dtypeOf(pointer.getPointee());
    argument.mayAlias = bool(kernel.getArgAttr(parameter.getArgNumber(), tile::TileDialect::kMayAlias));
    argument.zeroed = bool(kernel.getArgAttr(parameter.getArgNumber(), tile::TileDialect::kZeroed));
    argument.read = facts.read;
    argument.written = facts.written;
    return argument;
  }
  argument.kind = rt::ArgumentKind::Scalar;
  argument.dtype = written.kind > Kind::Any ? written : tile::dtypeOf(parameter.getType());
  return argument;
}

static LogicalResult describeWorkspace(tile::WorkspaceOp op, ArrayRef<DType> dtypes, rt::Image &image) {
  const std::optional<Expr> count = launchExprOf(op.getCount(), dtypes);
  if (!count)
    return op.emitOpError(
        "its size is computed from more than the kernel's arguments and the grid; the launcher must know "
        "it before the kernel starts");
  rt::Argument argument;
  argument.kind = rt::ArgumentKind::Workspace;
  argument.dtype = tile::dtypeOf(cast<tile::PtrType>(op.getType()).getPointee());
  argument.name = userName(op.getLoc()).str();
  if (argument.name.empty())
    argument.name = "workspace";
  argument.zeroed = op.getZeroed();
  argument.bytes = Expr::max(*count, 0) * argument.dtype.bytes();
  image.arguments.push_back(std::move(argument));
  return success();
}

LogicalResult describeKernel(tile::KernelOp kernel, ArrayRef<DType> dtypes, rt::Image &image) {
  image.kernel = kernel.getSymName().str();
  image.entry = image.kernel;
  image.arguments.clear();
  const SmallVector<ArgumentFacts> facts = analyzeArguments(kernel);
  SmallVector<DType> types;
  for (BlockArgument parameter : kernel.getArguments()) {
    const unsigned number = parameter.getArgNumber();
    const DType written = number < dtypes.size() ? dtypes[number] : DType{};
    image.arguments.push_back(describeParameter(kernel, parameter, written, facts[number]));
    types.push_back(image.arguments.back().dtype);
  }
  const mlir::WalkResult walk = kernel.walk<mlir::WalkOrder::PreOrder>([&](tile::WorkspaceOp op) {
    return failed(describeWorkspace(op, types, image)) ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  image.layOut();
  return success(!walk.wasInterrupted());
}

} // namespace tessera::ir
