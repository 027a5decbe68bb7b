//===- NullBackend.cpp - compiles for the device that runs nothing --------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Null/NullBackend.h"

namespace tessera::ir {

/// The launch grid and arguments of a kernel whose programs all lie on axis x (SEMANTICS P1a).
static void foldGrid(rt::Image &image) {
  using rt::Expr;
  image.launchGrid = {Expr::numPrograms(0) * Expr::numPrograms(1) * Expr::numPrograms(2), 1, 1};
  for (int axis = 0; axis != 2; ++axis) {
    rt::Argument extent;
    extent.kind = rt::ArgumentKind::Value;
    extent.dtype = i64;
    extent.name = axis == 0 ? "grid.x" : "grid.y";
    extent.value = Expr::numPrograms(axis);
    image.arguments.push_back(std::move(extent));
  }
}

static mlir::LogicalResult makeBinary(Compilation &compilation) {
  compilation.image.format = "none";
  if (compilation.request.foldGrid)
    foldGrid(compilation.image);
  compilation.image.layOut();
  return mlir::success();
}

namespace {

class NullBackend final : public Backend {
public:
  llvm::StringRef family() const override { return "null"; }
  bool keepsImages() const override { return false; }
  bool shipsImages() const override { return false; }
  llvm::ArrayRef<Stage> stages() const override {
    static const Stage list[] = {{.name = "binary", .run = makeBinary}};
    return list;
  }
  void registerDialects(mlir::DialectRegistry &) const override {}
};

} // namespace

std::unique_ptr<Backend> createNullBackend() { return std::make_unique<NullBackend>(); }

} // namespace tessera::ir
