//===- Emitter.h - emits a kernel as loops over short vectors ------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// One emitter turns one `tile.kernel` into one `llvm.func`, as its plan says. It walks the steps of the plan in order:
// scalars become scalars, groups become loop nests that compute a block of lanes at a time, structured ops are handed
// to the function that their family registered, and regions become `scf` ops around steps of their own.
//
// What a family may use, in the order it usually needs it:
//
//   lanes(tile, block)        the elements of any tile value, computed or read where it has a buffer
//   scalar(value)             a scalar, or the one element of a uniform tile
//   bufferOf(tile)            where a tile with a buffer lies; a result of the family's own op must be written there
//   setScalar(value, code)    how a family gives its scalar results
//   forDomain(...)            a loop nest over a shape
//   emitElementwise, inlineRegion   ops on lanes that are already values
//   forLanes, mapLanes        a loop over the lanes of vectors
//   scratch(bytes)            arena memory until the end of the step
//
// The IR it makes is of `scf`, `arith`, `math`, `vector` and `llvm`; integers that count or index are i64. Every op is
// made at builder()'s place with loc(), which is that of the op being emitted. Values are only reused where they
// dominate. An op that cannot be emitted is refused: this reports an error at the op, and code goes on with a
// placeholder, so that no caller needs to handle it.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_TILETOHOST_EMIT_EMITTER_H
#define TESSERA_CONVERSION_TILETOHOST_EMIT_EMITTER_H

#include "Conversion/Common/MathBuilder.h"
#include "Conversion/TileToHost/Emit/Lanes.h"
#include "Conversion/TileToHost/Plan/Plan.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"

#include <memory>

namespace tessera::ir::host {

class Emitter;
class GroupSink;

/// Emits one structured op; its operands are lanes or buffers, its results go to their buffers or setScalar().
using EmitFn = void (*)(Operation &op, Emitter &e);
/// Makes what a group calls for a sink of this op.
using SinkFn = std::unique_ptr<GroupSink> (*)(const Sink &sink, Emitter &e);

/// The structured ops, by name.
class OpTable {
public:
  template <class Op> void add(EmitFn emit, SinkFn sink = nullptr) { functions[Op::getOperationName()] = {emit, sink}; }
  EmitFn find(StringRef name) const { return functions.lookup(name).first; }
  SinkFn findSink(StringRef name) const { return functions.lookup(name).second; }

private:
  llvm::StringMap<std::pair<EmitFn, SinkFn>> functions;
};

/// Whose memory an access touches; accesses of the one never meet those of the other.
enum class Space : std::uint8_t { Arena, Arguments };

/// A sink of a group that is more than a write: an accumulator, a packed panel, a loop over lanes. The group's loops
/// call it; a group in two versions uses one object for both, which makes the same carried values in each.
///
/// A sink of depth d lives inside the loops over the first d axes: for each of their elements, begin() gives the
/// carried values, blocks() takes them through the loops over the other axes, and end() gets the last ones. \p outer
/// holds the coordinates of those first axes. With depth 0, end() is called once, after both versions.
class GroupSink {
public:
  virtual ~GroupSink();
  virtual unsigned depth() const { return 0; }
  /// Elements of the domain's last axis between two calls of endChunk(); 0 for never. A multiple of the lanes and of
  /// the unrolling, or all of the axis.
  virtual int64_t chunk() const { return 0; }

  virtual SmallVector<Value> begin(Emitter &e, ValueRange outer, const Domain &domain) = 0;
  virtual SmallVector<Value> blocks(Emitter &e, ArrayRef<LaneBlock> blocks, ValueRange carried) = 0;
  virtual void endChunk(Emitter &, const LaneBlock & /*first*/) {}
  virtual void end(Emitter &e, ValueRange outer, ValueRange carried) = 0;
};

class Emitter {
public:
  Emitter(tile::KernelOp kernel, const Plan &plan, const HostOptions &options, const OpTable &table);
  ~Emitter();

  /// Emits the whole kernel as an `llvm.func` before it. Fails if anything was refused.
  LogicalResult emitKernel();

  // -- Where code goes ----------------------------------------------------------------------------

  OpBuilder &builder();
  Location loc();
  void setLocation(Location where);
  const Plan &plan();
  const HostOptions &options();
  /// Numbers and functions on lanes, at builder()'s place.
  MathBuilder &math();
  /// Reports why \p op cannot be emitted: "`tile.x` " + \p why. The kernel fails.
  void refuse(Operation &op, const Twine &why);
  /// Some value of \p type to go on with after refuse().
  Value placeholder(Type type);

  // -- Values of the kernel -----------------------------------------------------------------------

  /// The elements of \p tile in \p block: a vector, or a scalar for one lane. \p tile may be a scalar of the kernel;
  /// then it is splat.
  Value lanes(Value tile, const LaneBlock &block);
  /// The same, but a scalar where all lanes are known to be equal.
  Value lanesOrScalar(Value tile, const LaneBlock &block);
  /// A scalar of the kernel or the one element of a uniform tile.
  Value scalar(Value value);
  void setScalar(Value value, Value code);
  /// Whether \p tile lies in memory, and where.
  bool hasBuffer(Value tile);
  Buffer bufferOf(Value tile);
  /// Makes \p tile lie in \p buffer from here on, whatever its plan says.
  void setBuffer(Value tile, Buffer buffer);
  ViewParts view(Value view);
  Value uniform(const UniformExpr &expr);

  /// Program coordinate and extent of the grid, i64.
  Value programId(tile::Axis axis);
  Value numPrograms(tile::Axis axis);
  /// Addresses of the hidden arguments (`!llvm.ptr`), which a kernel with `tile.print`, or with checks and
  /// `tile.assert`, has.
  Value printBuffer();
  Value faultFlag();
  /// Adds an entry to the table of sites and returns its number.
  unsigned addSite(DictionaryAttr site);

  // -- Loops --------------------------------------------------------------------------------------

  /// The lanes a loop should have that computes on \p elements.
  unsigned preferredLanes(ArrayRef<Type> elements);
  /// `for (i = low; i < high; i += step)` over i64.
  void forRange(Value low, Value high, int64_t step, function_ref<void(Value)> body);
  SmallVector<Value> forRange(Value low, Value high, int64_t step, ValueRange init,
                              function_ref<SmallVector<Value>(Value, ValueRange)> body);
  /// Runs through \p domain in row-major order, \p unroll consecutive blocks at a time (fewer where there are not so
  /// many).
  void forDomain(const Domain &domain, unsigned unroll, function_ref<void(ArrayRef<LaneBlock>)> body);
  SmallVector<Value> forDomain(const Domain &domain, unsigned unroll, ValueRange init,
                               function_ref<SmallVector<Value>(ArrayRef<LaneBlock>, ValueRange)> body);
  /// Runs through the lanes of \p vectors, which have one count of lanes; \p body gets the lane's number (i64) and its
  /// elements. Code is as long as the body whatever the number of lanes.
  void forLanes(ArrayRef<Value> vectors, function_ref<void(Value, ValueRange)> body);
  /// The same with results: vectors of what \p body returns, of the types \p elements in code.
  SmallVector<Value> mapLanes(ArrayRef<Value> vectors, TypeRange elements,
                              function_ref<SmallVector<Value>(Value, ValueRange)> body);
  /// `if (condition) then()`; with results `then` and `otherwise` give them.
  void ifThen(Value condition, function_ref<void()> then);
  SmallVector<Value> ifElse(Value condition, TypeRange results, function_ref<SmallVector<Value>()> then,
                            function_ref<SmallVector<Value>()> otherwise);

  // -- Elementwise --------------------------------------------------------------------------------

  /// The results of elementwise \p op on operands in code, vectors of one count of lanes or scalars.
  SmallVector<Value> emitElementwise(Operation &op, ValueRange operands);
  /// What a combine region makes of \p arguments, vectors of one count of lanes or scalars.
  SmallVector<Value> inlineRegion(Region &combine, ValueRange arguments);

  // -- Memory -------------------------------------------------------------------------------------

  /// Elements of a buffer at \p block, whose axes are the buffer's.
  Value readBuffer(const Buffer &buffer, const LaneBlock &block);
  void writeBuffer(const Buffer &buffer, Value lanes, const LaneBlock &block);
  /// Dense arena memory for a shape until the end of the step.
  Buffer scratchBuffer(ArrayRef<int64_t> shape, Type element);
  /// \p bytes of arena memory, aligned to 64, until the end of the step.
  Value scratch(uint64_t bytes);

  /// A global with the elements of \p elements, in row-major order and their form in memory.
  Value constantMemory(DenseElementsAttr elements);

  /// \p lanes consecutive elements at \p pointer, converted from their form in memory.
  Value load(Type element, unsigned lanes, Value pointer, Space space);
  void store(Type element, Value lanes, Value pointer, Space space);
  /// \p pointer + \p index elements.
  Value elementPointer(Value pointer, Value index, Type element);
  /// Between addresses (i64) and `!llvm.ptr`.
  Value toPointer(Value address);
  Value toAddress(Value pointer);

  // -- Small code ---------------------------------------------------------------------------------

  Value constant(TypedAttr value);
  Value i64(int64_t value);
  Value integer(unsigned bits, int64_t value);
  /// All bits zero, of a type in code.
  Value zero(Type type);
  Value splat(Value scalar, unsigned lanes);
  /// 0, 1, 2 … in elements of \p bits bits.
  Value iota(unsigned bits, unsigned lanes);
  /// i64 arithmetic, folded where constant.
  Value add(Value a, Value b);
  Value sub(Value a, Value b);
  Value mul(Value a, Value b);
  Value extractLane(Value vector, int64_t lane);
  Value shuffle(Value a, Value b, ArrayRef<int64_t> lanes);
  /// Whether all or any lanes of an i1 value are true.
  Value all(Value mask);
  Value any(Value mask);

  /// What the files of the core share (Core.h).
  struct State;
  State &state() { return *s; }

private:
  std::unique_ptr<State> s;
};

} // namespace tessera::ir::host

#endif // TESSERA_CONVERSION_TILETOHOST_EMIT_EMITTER_H
