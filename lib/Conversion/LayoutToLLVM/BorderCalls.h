//===- BorderCalls.h - calls of the border's functions ---------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Emits calls of the functions of Border.h, which are declared in the module where they are first called.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_LAYOUTTOLLVM_BORDERCALLS_H
#define TESSERA_CONVERSION_LAYOUTTOLLVM_BORDERCALLS_H

#include "Conversion/LayoutToLLVM/Border.h"
#include "IRSupport/LLVM.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringMap.h"

namespace tessera::ir {

class BorderCalls {
public:
  /// Emits at the insertion point of \p builder with the location \p location, both of which outlive this. Declarations
  /// go to the start of \p module.
  BorderCalls(ModuleOp module, OpBuilder &builder, const Location &location)
      : module(module), b(builder), loc(location) {}

  Value laneId() { return number({.function = border::Function::LaneId}); } ///< i32, as those below
  Value warpId() { return number({.function = border::Function::WarpId}); }
  Value blockId(border::Axis axis) { return number({.function = border::Function::BlockId, .axis = axis}); }
  Value numBlocks(border::Axis axis) { return number({.function = border::Function::NumBlocks, .axis = axis}); }

  void barrier() { call({.function = border::Function::Barrier}, {}, {}); }
  void clusterBarrier() { call({.function = border::Function::ClusterBarrier}, {}, {}); }
  void sharedBarrier() { call({.function = border::Function::SharedBarrier}, {}, {}); }
  /// \p id and \p threads are i32.
  void namedBarrier(Value id, Value threads) { call({.function = border::Function::NamedBarrier}, {}, {id, threads}); }
  void warpSync() { call({.function = border::Function::WarpSync}, {}, {}); }
  void fence(border::Scope scope) { call({.function = border::Function::Fence, .scope = scope}, {}, {}); }

  /// All of i32.
  Value shuffle(border::Shuffle how, Value value, Value argument);
  Value reduce(border::Reduction how, Value value);
  /// i64 of an i1.
  Value ballot(Value condition);

  /// Values are integers or vectors of them, of typeOf(\p type); \p mask is an i1. \p pointer points to global memory,
  /// or to shared memory where the name says so.
  Value load(border::AccessType type, Value pointer, Value mask, Value other, border::Hints hints, bool isVolatile);
  void store(border::AccessType type, Value pointer, Value value, Value mask, border::Hints hints);
  Value sharedLoad(border::AccessType type, Value pointer, Value mask, Value other);
  void sharedStore(border::AccessType type, Value pointer, Value value, Value mask);
  /// To where \p pointer points in the shared memory of block \p block of the cluster, an i32.
  void clusterStore(border::AccessType type, Value pointer, Value block, Value value, Value mask);

  /// Each lane begins to copy a value of \p type from \p from (its own) to where \p to, of the warp, and the values of
  /// lower lanes end; zeros where \p mask is false.
  void copyToShared(border::AccessType type, Value from, Value mask, Value to);
  /// Waits for all of the warp's copies but the last \p kept (i32).
  void copyWait(Value kept) { call({.function = border::Function::CopyWait}, {}, kept); }

  /// The callee's `function`, `atomic`, `type`, `order` and `scope` are given; \p values are those between the pointer
  /// and the mask. `isShared` is that of the pointer.
  Value atomic(border::Callee callee, Value pointer, ValueRange values, Value mask);

  /// An instruction of a vendor: `tessera.<vendor>.<instruction>`, with a number behind it for each further type. One
  /// name has one set of effects.
  Value native(StringRef vendor, StringRef instruction, Type result, ValueRange operands, border::Effects effects = {});

  /// The type of \p type's values.
  Type typeOf(border::AccessType type);

private:
  Value number(const border::Callee &callee) { return call(callee, b.getI32Type(), {}); }
  /// The result, or null if \p result is.
  Value call(const border::Callee &callee, Type result, ValueRange operands);
  Value call(const border::Callee &callee, const border::Effects &effects, Type result, ValueRange operands);
  Value hintsOf(border::Hints hints);

  ModuleOp module;
  OpBuilder &b;
  const Location &loc;
  llvm::StringMap<mlir::LLVM::LLVMFuncOp> declared;
};

} // namespace tessera::ir

#endif // TESSERA_CONVERSION_LAYOUTTOLLVM_BORDERCALLS_H
