//===- Emitter.h - emits a kernel as the code of one thread -----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// One emitter turns one `tile.kernel`, whose tiles have layouts, into one `llvm.func`. It walks the ops in order: a
// scalar stays a scalar, and a tile is the list of its registers, in the order of the layout's register numbers. Each
// op that is not elementwise is handed to the function that its family registered.
//
// What a family may use, in the order it usually needs it:
//
//   registers(tile), setRegisters(tile, …)     elements that this thread holds, in their form in code
//   scalar(value), setScalar(value, …)         values that are the same in every thread of a program
//   layoutOf(tile)                             who holds what
//   laneId(), warpId(), axisIndex(…)           where this thread is
//   emitElementwise, inlineRegion              ops on elements that are already values
//   shuffle, ballot, border()                  where lanes meet
//   sharedPointer, loadShared, storeShared     shared memory
//   ifThen, ifElse, forRange                   control flow
//
// The form in code of an element is that of Common/CodeTypes.h: f32, f64 and integers are themselves, narrower floats
// integers of their width, pointers i64. The IR made is of `scf`, `arith`, `math`, `vector` and `llvm`. Every op is
// made at builder()'s place with loc(), which is that of the op being emitted. An op that cannot be emitted is refused:
// this reports an error at the op, and code goes on with placeholders, so that no caller needs to handle it.
//
// Lanes meet in convergent operations only, which all threads of a program reach together: never emit one under a
// condition that differs between threads.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_LAYOUTTOLLVM_EMIT_EMITTER_H
#define TESSERA_CONVERSION_LAYOUTTOLLVM_EMIT_EMITTER_H

#include "Analysis/UniformExpr.h"
#include "Conversion/Common/CodeTypes.h"
#include "Conversion/Common/VectorMathBuilder.h"
#include "Conversion/LayoutToLLVM/BorderCalls.h"
#include "Conversion/LayoutToLLVM/EmitOptions.h"
#include "Conversion/LayoutToLLVM/GpuHooks.h"
#include "Layout/TileLayout.h"

#include "tessera-ir/Dialect/Layout/IR/KernelShape.h"
#include "tessera-ir/Dialect/Layout/IR/LayoutAttrs.h"
#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"

#include <memory>

namespace tessera::ir::gpu {

class Emitter;

/// Emits one op: its operands have registers or scalars, its results get theirs.
using EmitFn = void (*)(Operation &op, Emitter &e);

/// The ops that families emit, by name.
class OpTable {
public:
  template <class Op> void add(EmitFn emit) { functions[Op::getOperationName()] = emit; }
  EmitFn find(StringRef name) const { return functions.lookup(name); }

private:
  llvm::StringMap<EmitFn> functions;
};

class CodeNotes;

class Emitter {
public:
  Emitter(tile::KernelOp kernel, const layout::KernelShape &shape, const EmitOptions &options, const GpuHooks &hooks,
          const OpTable &table);
  ~Emitter();

  /// Emits the whole kernel as an `llvm.func` before it. Fails if anything was refused.
  LogicalResult emitKernel();

  // -- Where code goes ------------------------------------------------------------------------------------------------

  OpBuilder &builder();
  Location loc();
  void setLocation(Location where);
  const EmitOptions &options();
  const GpuHooks &hooks();
  const arch::Chip &chip() { return hooks().chip(); }
  /// Numbers and functions on scalars, at builder()'s place.
  VectorMathBuilder &math();
  /// Calls of the border's functions, at builder()'s place.
  BorderCalls &border();
  /// Reports why \p op cannot be emitted: "`tile.x` " + \p why. The kernel fails.
  void refuse(Operation &op, const Twine &why);
  /// Gives every result of \p op some value to go on with after refuse().
  void setPlaceholders(Operation &op);

  // -- Values of the kernel -------------------------------------------------------------------------------------------

  /// Who holds what of \p tile. Of a scalar: one register of every thread.
  const layout::TileLayout &layoutOf(Value tile);
  /// The elements of \p tile that this thread holds, as many as the layout has registers; of a scalar, its code alone.
  SmallVector<Value> registers(Value tile);
  void setRegisters(Value tile, ArrayRef<Value> registers);
  /// Whether anything needs the registers of \p tile. Those of addresses and masks that are computed from their form
  /// are not needed, and have none.
  bool isWanted(Value tile);

  /// A scalar of the kernel.
  Value scalar(Value value);
  void setScalar(Value value, Value code);
  ViewParts view(Value view);
  void setView(Value view, const ViewParts &parts);
  /// An i64.
  Value uniform(const UniformExpr &expr);

  // -- Where this thread is -------------------------------------------------------------------------------------------

  unsigned warpSize();
  unsigned numWarps();     ///< of a program, in each of its blocks
  unsigned numBlocks();    ///< of a program
  Value laneId();          ///< i32, in the warp
  Value warpId();          ///< i32, of the warp in its program; the same in all lanes
  Value uniformWarpId();   ///< the same number, of which the chip knows that all lanes have it
  Value threadInProgram(); ///< i32: warpId() * warpSize() + laneId(); in its block of the program
  Value blockInCluster();  ///< i32, among the blocks of the program
  /// Program coordinate and extent of the grid, i64.
  Value programId(tile::Axis axis);
  Value numPrograms(tile::Axis axis);

  /// What the thread contributes to the coordinate on \p axis of all its elements, i32: that of register r is this,
  /// xor-ed with registerIndex(). Computed once at the start of the function.
  Value axisIndex(const layout::TileLayout &layout, int axis);
  /// The same for the flat index.
  Value flatIndex(const layout::TileLayout &layout);
  /// What register \p reg contributes to the coordinate on \p axis.
  static std::int64_t registerIndex(const layout::TileLayout &layout, int axis, unsigned reg);
  /// Whether threads and registers contribute different bits on \p axis, so that contributions may be added.
  static bool isSeparable(const layout::TileLayout &layout, int axis);
  /// The coordinates of register \p reg's element, i32 each.
  SmallVector<Value, 5> coordinates(const layout::TileLayout &layout, unsigned reg);
  /// Which thread acts for all that hold copies of an element: an i1, or null where every thread does. Copies in other
  /// registers of the thread are told by isCopy().
  Value isOwner(const layout::TileLayout &layout);
  /// The same among the threads of a block: for memory that each block of a cluster has of its own.
  Value isOwnerInBlock(const layout::TileLayout &layout);
  static bool isCopy(const layout::TileLayout &layout, unsigned reg);
  /// Xor of the `bases[k]` for which bit k of \p bits (i32) is set.
  Value linearMap(ArrayRef<std::uint32_t> bases, Value bits);

  // -- Where lanes meet -----------------------------------------------------------------------------------------------

  /// \p value, of any type in code, of another lane; \p argument is an i32.
  Value shuffle(border::Shuffle how, Value value, Value argument);
  Value shuffleXor(Value value, unsigned mask) { return shuffle(border::Shuffle::Xor, value, i32(mask)); }
  /// The bits of \p value as words of 32 (the last one zero-extended), and back.
  SmallVector<Value, 2> toWords(Value value);
  Value fromWords(ValueRange words, Type type);
  /// All threads of the program meet, and their memory is in order, or shared memory alone.
  void barrier(bool ofSharedAlone = false);

  // -- Memory ---------------------------------------------------------------------------------------------------------

  /// The place \p offset bytes into the program's shared memory.
  Value sharedPointer(Value offset); ///< i32
  Value sharedPointer(std::int64_t offset) { return sharedPointer(i32(offset)); }
  /// \p values, neighbours in memory and all of one type in code, at \p pointer, which is aligned to all their bytes;
  /// \p mask is an i1, or null. Loads give 0 where it is false. \p element is that of the dialect.
  SmallVector<Value> loadShared(Type element, unsigned count, Value pointer, Value mask = {});
  void storeShared(Type element, ArrayRef<Value> values, Value pointer, Value mask = {});
  /// The same in each block of the program, between barriers of the cluster.
  void storeInCluster(Type element, ArrayRef<Value> values, Value pointer, Value mask = {});
  /// \p pointer + \p bytes (an integer).
  Value bytePointer(Value pointer, Value bytes);
  Value bytePointer(Value pointer, std::int64_t bytes);
  /// An address (i64) as a pointer to global memory.
  Value toPointer(Value address);

  /// The hidden arguments (`!llvm.ptr<1>`) that a kernel with `tile.print`, or with checks and `tile.assert`, has.
  Value printBuffer();
  Value faultFlag();
  /// Adds an entry to the table of sites and returns its number.
  unsigned addSite(DictionaryAttr site);
  /// What a report will say.
  CodeNotes &notes();

  // -- Elementwise ----------------------------------------------------------------------------------------------------

  /// The results of elementwise \p op on operands in code. Unless it \p mayContract, no product is rounded together
  /// with a sum even where options allow it.
  SmallVector<Value> emitElementwise(Operation &op, ValueRange operands, bool mayContract = true);
  /// What a combine region makes of \p arguments.
  SmallVector<Value> inlineRegion(Region &combine, ValueRange arguments, bool mayContract = true);

  // -- Control flow ---------------------------------------------------------------------------------------------------

  /// `if (condition) then()`; with results `then` and `otherwise` give them.
  void ifThen(Value condition, function_ref<void()> then);
  SmallVector<Value> ifElse(Value condition, TypeRange results, function_ref<SmallVector<Value>()> then,
                            function_ref<SmallVector<Value>()> otherwise);
  /// `for (i = 0; i < count; ++i)` over i32.
  SmallVector<Value> forRange(std::int64_t count, ValueRange init,
                              function_ref<SmallVector<Value>(Value, ValueRange)> body);
  /// The same for code that seldom runs, which is never unrolled.
  void forSeldom(std::int64_t count, function_ref<void(Value)> body);
  /// Emits the ops of \p block, all but its terminator.
  void emitBlock(Block &block);

  // -- Small code -----------------------------------------------------------------------------------------------------

  Value constant(TypedAttr value);
  Value integer(unsigned bits, std::int64_t value);
  Value i32(std::int64_t value) { return integer(32, value); }
  Value i64(std::int64_t value) { return integer(64, value); }
  /// All bits zero, of a type in code.
  Value zero(Type type);
  /// Integer arithmetic of any width, folded where constant.
  Value add(Value a, Value b);
  Value sub(Value a, Value b);
  Value mul(Value a, Value b);
  Value bitXor(Value a, Value b);
  /// \p a and \p b of i1, either of which may be null for true.
  Value both(Value a, Value b);

  /// What the files of the core share (Core.h).
  struct State;
  State &state() { return *s; }

private:
  std::unique_ptr<State> s;
};

} // namespace tessera::ir::gpu

#endif // TESSERA_CONVERSION_LAYOUTTOLLVM_EMIT_EMITTER_H
