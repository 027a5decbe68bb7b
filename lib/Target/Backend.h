//===- Backend.h - the interface every back end implements -----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A back end is a list of stages that take a verified `tile` module to an image. lib/Pipeline runs them: it verifies
// each border, dumps, times, and writes a reproducer when a pass fails. Users see the stages by name in TESSERA_DUMP
// and --emit; before the first one stands "tile", which all back ends share.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_BACKEND_H
#define TESSERA_TARGET_BACKEND_H

#include "Runtime/Image.h"

#include "tessera/core/CompileOptions.h"
#include "tessera/core/Target.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>
#include <vector>

namespace tessera::ir {

/// What a module is compiled for.
struct CompileRequest {
  Target target;
  CompileOptions options;
  /// The aligned variant: `tile.multiple_of` stands on arguments and the image may have requirements. The general
  /// variant must be right for all arguments.
  bool aligned = false;
  /// The grid is launched with all programs on axis x; the kernel recovers its program ids from the extents (SEMANTICS
  /// P1a).
  bool foldGrid = false;
};

/// What a back end keeps between its stages beside the module: an llvm::Module, assembly text …
struct BackendState {
  virtual ~BackendState();
};

/// One compilation on its way through the stages.
struct Compilation {
  mlir::ModuleOp module;
  const CompileRequest &request;
  /// Starts with kernel, entry, target and the argument table of the `tile` kernel, workspaces included (KernelAbi.h).
  rt::Image image;
  std::unique_ptr<BackendState> state;
};

/// One stage. Functions left null are skipped. They report errors as MLIR diagnostics on the module's context, naming
/// the user's line, and never throw.
struct Stage {
  llvm::StringRef name;                                                       ///< as TESSERA_DUMP and --emit spell it
  void (*addPasses)(mlir::OpPassManager &, const CompileRequest &) = nullptr; ///< runs first
  mlir::LogicalResult (*run)(Compilation &) = nullptr;                        ///< then this: translation, assembly
  mlir::LogicalResult (*verify)(Compilation &) = nullptr;                     ///< then the border is checked
  std::string (*print)(Compilation &) = nullptr;                              ///< text for people; null: the module
};

/// A family of targets. Stateless; all calls may come from any thread.
class Backend {
public:
  virtual ~Backend();
  /// The family in target names.
  virtual llvm::StringRef family() const = 0;
  /// Whether the stages get the program as it was traced instead of its canonical form: nothing folded, merged or
  /// dropped, so that checks see all that was written.
  virtual bool takesTraced() const { return false; }
  /// Whether its images are worth keeping on disk.
  virtual bool keepsImages() const { return true; }
  /// Whether its images are all that a device needs, so that a bundle may hold them.
  virtual bool shipsImages() const { return true; }
  /// Whether it compiles for grids beyond a device's limits. Devices of the others have no limit that asks for it.
  virtual bool foldsGrids() const { return true; }
  /// The stages after "tile", in order. The last one leaves a complete image.
  virtual llvm::ArrayRef<Stage> stages() const = 0;
  /// Loads the dialects and interfaces its passes need.
  virtual void registerDialects(mlir::DialectRegistry &registry) const = 0;
  /// What beside this library's own version decides the binary: the assembler's path, size and time. Part of the key.
  virtual std::string toolchain(const Target &target) const { return (void)target, std::string(); }
};

} // namespace tessera::ir

#endif // TESSERA_TARGET_BACKEND_H
