//===- Program.h - build and run a tile module -------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The interpreter's door: a tile module becomes a Program once; a Program runs over grids, from any thread.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_INTERP_PROGRAM_H
#define TESSERA_TARGET_INTERP_PROGRAM_H

#include "Target/Interp/Checks/Faults.h"
#include "Target/Interp/Elem.h"

#include "tessera/core/DType.h"

#include "llvm/ADT/ArrayRef.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mlir/IR/Location.h"

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace tessera::ir::interp {

struct Code;

/// Why a module cannot run here.
struct BuildError {
  std::string text;                 ///< "`tile.inline_asm` has no body for interp"
  std::optional<mlir::Location> at; ///< of the operation, where it is one
};

/// A parameter of the kernel.
struct Parameter {
  std::string name; ///< the user's, or "argument 2"
  Elem elem = Elem::I64;
  Elem pointee = Elem::I32;    ///< of a pointer
  bool written = false;        ///< a pointer that some store or atomic may write through
  bool mayAlias = false;       ///< declared so
  bool workspace = false;      ///< memory the launcher provides: follows the kernel's own parameters
  std::int64_t multipleOf = 0; ///< promised divisor of the value or address; 0 when none
};

/// Memory that kernels may touch.
struct LiveBuffer {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  /// One byte per byte of the buffer, nonzero where something was written; null when not tracked. Kernels set it.
  std::uint8_t *written = nullptr;
  bool readOnly = false; ///< given as a pointer to const
  bool sizeKnown = true; ///< false: `bytes` is a guess, and not all of them may exist
};

/// How to run. None of it changes results, only what is found and how fast.
struct RunOptions {
  bool checks = true;
  unsigned threads = 0;   ///< 0: TESSERA_CPU_THREADS, or all cores
  unsigned maxFaults = 0; ///< 0: TESSERA_FAULTS, or 20
};

/// One launch: the value of parameter i lies at arguments[i], in the form registers have (i1 one byte, a pointer its
/// 64-bit address). One argument for each parameter, workspaces included.
struct LaunchRequest {
  std::array<std::int64_t, 3> grid{1, 1, 1};
  llvm::ArrayRef<const void *> arguments;
  llvm::ArrayRef<LiveBuffer> buffers; ///< any order; they must not overlap
  /// What pointer arguments point to, in the user's spelling; the types of the IR, which has no signs, where missing.
  llvm::ArrayRef<DType> pointees;
  RunOptions options;
};

/// A kernel ready to run. Immutable; safe to run from several threads at once.
class Program {
public:
  /// Lowers the kernel of \p module, which must verify. Returns null and says why in \p error when an operation has no
  /// meaning on this target. The program does not refer to the module afterwards.
  static std::unique_ptr<Program> build(mlir::ModuleOp module, BuildError &error);
  ~Program();

  llvm::ArrayRef<Parameter> parameters() const;
  /// Executes every program of the grid; returns what the checks found.
  Faults run(const LaunchRequest &request) const;

private:
  explicit Program(std::unique_ptr<const Code> code);
  std::unique_ptr<const Code> code;
};

} // namespace tessera::ir::interp

#endif // TESSERA_TARGET_INTERP_PROGRAM_H
