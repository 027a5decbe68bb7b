//===- Lowering.h - from tile IR to instructions -------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The builder walks the kernel once. Each op family registers, per operation name, a function that emits instructions
// for one operation; the builder owns registers, constants, sites and the static analyses the checks need.
//
// A family's function reads operands with `in`, gets result registers with `out`, and calls `emit`. Operations inside a
// combine region are scalars in IR but run over many lanes at once: `in`, `out` and constants then have `lanes`
// elements, so a family that goes by the register's count needs nothing special.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_INTERP_LOWERING_H
#define TESSERA_TARGET_INTERP_LOWERING_H

#include "Target/Interp/Checks/IndexOverflow.h"
#include "Target/Interp/Debugger.h"
#include "Target/Interp/Launch.h"
#include "Target/Interp/Registers.h"

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

#include <optional>
#include <string>

namespace tessera::ir::interp {

class Builder;

/// Emits instructions for one operation. Failure must have been told through Builder::refuse.
using LowerFn = llvm::LogicalResult (*)(mlir::Operation &op, Builder &b);

/// The operations the interpreter knows.
class OpTable {
public:
  void add(llvm::StringRef name, LowerFn fn) { functions[name] = fn; }
  template <class Op> void add(LowerFn fn) { add(Op::getOperationName(), fn); }
  LowerFn find(llvm::StringRef name) const { return functions.lookup(name); }

private:
  llvm::StringMap<LowerFn> functions;
};

/// The element of a scalar or tile type, or nullopt where the interpreter has none.
std::optional<Elem> elemOf(mlir::Type type);
/// The extents of a scalar or tile type.
Shape shapeOf(mlir::Type type);

class Builder {
public:
  Builder(const OpTable &table, Code &code, mlir::Operation *kernel);

  /// The register of an operand, broadcast to the lanes of the current combine region if it comes from outside it.
  Slot in(mlir::Value value);
  /// The register of a result; allocated at the first call.
  Slot out(mlir::Value value);
  /// Makes \p value another name of a register.
  void bind(mlir::Value value, Slot slot);
  /// A register until the current operation is lowered; in `Finish`, until the block is.
  Slot temporary(Elem elem, std::uint32_t count);

  /// Appends an instruction: n is the count of the first result, else of the first operand. The reference is valid
  /// until the next emit.
  Inst &emit(mlir::Operation &op, ExecFn exec, llvm::ArrayRef<Slot> in, llvm::ArrayRef<Slot> out);
  /// The same with every operand in and every result out, in order.
  Inst &emit(mlir::Operation &op, ExecFn exec);

  /// Called at the end of a list, while it is still open: may emit and read the terminator's operands with `in`.
  using Finish = llvm::function_ref<llvm::LogicalResult(mlir::Operation &terminator)>;
  /// Lowers the operations of \p block, its terminator excepted, into a list of its own. Registers of values of the
  /// block are free again afterwards.
  llvm::FailureOr<Block> lowerBlock(mlir::Block &block, Finish finish);
  /// The same for a combine region: its arguments are bound to \p arguments and every scalar in it has \p laneCount
  /// elements.
  llvm::FailureOr<Block> lowerCombine(mlir::Region &region, llvm::ArrayRef<Slot> arguments, std::uint32_t laneCount,
                                      Finish finish);

  /// A copy list from \p from to \p to with the meaning of a parallel assignment.
  Moves moves(llvm::ArrayRef<Slot> from, llvm::ArrayRef<Slot> to);

  /// A register that holds copies of \p bytes, one element or all of them, in every thread from the start.
  Slot constant(Elem elem, std::uint32_t count, llvm::ArrayRef<char> bytes);

  /// Registers a memory access: pointer roots are found by walking up from \p pointer. Returns its index. \p stored is
  /// the value of a plain store.
  std::uint32_t memorySite(mlir::Operation &op, mlir::Value pointer, Elem elem, bool writes, bool atomic = false,
                           mlir::Value stored = {});
  /// The site (location, names, shape of lanes) of \p op; \p shape is the block a report counts lanes in.
  std::uint32_t site(mlir::Operation &op, Shape shape);

  /// How integer overflow of \p op is to be checked; None outside index arithmetic.
  OverflowMode overflow(mlir::Operation &op) const { return overflows.modeOf(&op); }

  /// Notes why the operation cannot run here, and fails.
  llvm::LogicalResult refuse(mlir::Operation &op, const llvm::Twine &why);
  /// Lowers a whole kernel body into Code::body.
  llvm::LogicalResult lowerKernel(mlir::Block &body);

  Code &code;
  BuildError error;
  std::unique_ptr<Debugger> debugger; ///< where TESSERA_BREAK stops in this kernel; null mostly

private:
  llvm::LogicalResult lower(mlir::Operation &op);
  bool isSameForAllPrograms(mlir::Operation &op) const;
  void lowerConstant(mlir::Operation &op);
  llvm::LogicalResult addParameter(mlir::Value value);
  void releaseTemporaries(std::size_t keep);

  const OpTable &table;
  IndexOverflow overflows;
  Registers registers;
  llvm::DenseMap<mlir::Value, Slot> slots;
  llvm::DenseMap<mlir::Value, Slot> owned;                            ///< registers to release when their value is dead
  llvm::DenseMap<mlir::Operation *, std::uint32_t> workspaces;        ///< their parameters
  llvm::DenseMap<mlir::Operation *, std::uint32_t> accesses;          ///< memory sites
  llvm::SmallVector<std::pair<std::uint32_t, mlir::Value>, 8> stores; ///< memory sites, and what they store
  llvm::SmallVector<Slot, 8> temporaries;
  Block *current = nullptr;
  llvm::DenseSet<mlir::Value> same; ///< values that are the same for all programs and known before the first
  mlir::Region *combine = nullptr;  ///< the combine region being lowered
  std::uint32_t lanes = 1;          ///< elements of a scalar in it
};

} // namespace tessera::ir::interp

#endif // TESSERA_TARGET_INTERP_LOWERING_H
