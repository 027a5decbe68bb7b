//===- Plan.h - where tiles live and which ops share a loop ----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The plan of a kernel's code for the host. It decides, and the emitter only follows it:
//   - the *home* of every value: a scalar, recomputed wherever it is read, or a buffer of the arena;
//   - the *steps* of every block, in the order in which they are emitted;
//   - the *groups*: sets of ops that are emitted as one loop nest.
//
// Every op with an effect and every tile with a buffer is written by exactly one sink or structured op. A plan refers
// to tile IR, which must not change while it lives, and holds no IR.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CONVERSION_TILETOHOST_PLAN_PLAN_H
#define TESSERA_CONVERSION_TILETOHOST_PLAN_PLAN_H

#include "Analysis/MaskForm.h"
#include "Conversion/Common/CodeTypes.h"
#include "Conversion/TileToHost/HostOptions.h"

#include "mlir/IR/BuiltinOps.h"

#include <memory>
#include <optional>

namespace tessera::ir::host {

enum class HomeKind {
  Uniform, ///< one scalar for all lanes: scalars, views, splats, and elementwise and shape ops of nothing else. Splats,
           ///< constant tiles and shape ops of Uniform tiles have no step: their scalar is that of their source
  Inline,  ///< computed where it is read; from its affine form alone if it has one that is exact
  Buffer,  ///< in memory of the arena
};

/// A tile in the arena: its element `i` is at `offset + sum over d of strides[d] * i[d]` elements of `stored` into the
/// slot. Strides may be zero (broadcast) or negative (flip).
struct BufferView {
  unsigned slot = 0;
  int64_t offset = 0; ///< in elements
  SmallVector<int64_t, 5> strides;
  Type stored; ///< i8 for i1, i64 for pointers, integers of their width for f16, bf16 and fp8, else the element type

  bool operator==(const BufferView &) const = default;
};

struct Home {
  HomeKind kind = HomeKind::Inline;
  BufferView buffer; ///< of a Buffer
};

/// An operand of a dot in the layout that the micro-kernel reads, with batches one after another.
/// A: `[rows][depth]`, or `[depth][rows]` if transposed. B: `[columns / panel][depth][panel]`.
struct PackedView {
  unsigned slot = 0;
  bool isB = false;
  bool transposed = false; ///< the sink's value is the operand with its last two axes swapped
  int64_t panel = 0;       ///< of B: columns of a panel
  int64_t depth = 0;       ///< K, rounded up to 2 for i8; what is added holds 0
  Type stored;             ///< f32 for narrower floats, i16 for i8, else the element type

  bool operator==(const PackedView &) const = default;
};

enum class SinkKind {
  Define,          ///< computes `value` from the operands of its op and writes it to its home
  Copy,            ///< writes `value`, read from wherever it lives, to `to`
  Store,           ///< `op` is a tile.store
  ViewStore,       ///< `op` is a tile.view_store or tile.view_store_rows
  ReduceOrderFree, ///< `op` is a tile.reduce whose combine gives the same bits in any order
  ReducePairs,     ///< `op` is a tile.reduce in the order of the pair tree
  Pack,            ///< writes `value`, an operand of the dot `op`, to `packed`
  LaneLoop,        ///< `op` is an atomic: one lane after another
};

/// What a group is emitted for. Within one block of lanes, all sinks' values are computed before the first is written,
/// and sinks write in their order.
struct Sink {
  SinkKind kind;
  Operation *op = nullptr; ///< the op that computes or writes; the terminator or region op of a Copy
  Value value;             ///< of Define, Copy and Pack
  BufferView to;           ///< of Define and Copy
  /// Of a Copy: where `value` is read instead of its home.
  std::optional<BufferView> from;
  PackedView packed; ///< of Pack
};

/// One loop nest over `shape`, which is the shape of what every sink writes; of a reduction, that of its inputs.
/// Inline values that sinks read, directly or through others, belong to it.
struct Group {
  SmallVector<int64_t, 5> shape;
  SmallVector<Sink, 2> sinks;
  /// Axes of `shape` from the outermost loop to the innermost. Advice: the result is the same in any order.
  SmallVector<unsigned, 5> order;
  /// The group gets a version for when all of these hold. In it every form may be used, masks are their `scalars` and
  /// `rest` alone where covers() says so, and accesses are contiguous where isContiguous() says so.
  SmallVector<Condition, 4> fast;
  bool canBeFast = true; ///< whether `fast` can hold
  /// Where given, lanes outside write nothing, so that loops may be clamped to it; per axis of `shape`. It is exact.
  SmallVector<Interval, 5> clamp;
  unsigned lanes = 1;  ///< lanes of a vector, if the innermost loop is at least as long
  unsigned unroll = 1; ///< vectors in one turn of the innermost loop

  /// Whether only the fast version is ever run.
  bool isAlwaysFast() const { return canBeFast && fast.empty(); }
  /// Whether \p condition holds in the fast version.
  bool implies(const Condition &condition) const;
  /// Whether, in the fast version, the box of \p mask holds all of a tile of \p extents.
  bool covers(const MaskForm &mask, ArrayRef<int64_t> extents) const;
  /// Whether lanes along \p axis are neighbours in memory; \p isFast in the fast version.
  bool isContiguous(const AccessForm &access, unsigned axis, bool isFast) const;
};

/// What is emitted next in a block.
struct Step {
  enum Kind {
    Scalar,     ///< `op` works on scalars, or gives Uniform tiles: it is emitted once
    Group,      ///< a loop nest
    Structured, ///< `op` is a scan, sort, dot, print ... with a lowering of its own: the tiles it reads are Buffers or
                ///< Uniform (but a dot reads its operands from packed())
    Region,     ///< `op` is of scf and has lists of steps inside
  };
  Kind kind;
  Operation *op = nullptr;
  unsigned group = 0;
};

/// Memory of the arena, aligned to 64 bytes.
struct Slot {
  int64_t bytes = 0;
  int64_t offset = 0; ///< from the start of the arena
};

class Planner;
struct PlanContents;

class Plan {
public:
  Plan(Plan &&) noexcept;
  Plan &operator=(Plan &&) noexcept;
  ~Plan();

  /// Where \p value lives. Tiles that a loop or branch carries, takes in or gives have a Buffer of their own: Copy
  /// sinks before the op and at the end of its blocks fill it, except where the value yielded lives there already.
  const Home &home(Value value) const;
  /// The steps of a block without its terminator, which yields scalars and views only.
  ArrayRef<Step> steps(Block *block) const;
  ArrayRef<Group> groups() const;
  const Group &group(unsigned number) const { return groups()[number]; }
  /// The panel form of operand 0 or 1 of a `tile.dot`; a sink wrote it before. Always given.
  const PackedView &packed(Operation *dot, unsigned operand) const;
  ArrayRef<Slot> slots() const;
  /// What the slots take together. The emitter's own scratch comes after.
  int64_t arenaBytes() const;

  /// What is known of addresses and masks. Outside the fast version of a group only exact forms may be used. Without
  /// HostOptions::fuse nothing is known but what accesses through views say themselves.
  AffineForms &affine() const;
  MaskForms &masks() const;
  const HostOptions &options() const;

  tile::KernelOp kernel() const;

  /// A text for people and tests.
  void print(raw_ostream &os) const;

private:
  friend class Planner;
  explicit Plan(std::unique_ptr<PlanContents> contents);
  std::unique_ptr<PlanContents> contents;
};

/// Plans \p kernel, which is at the tile stage and canonical.
Plan makePlan(tile::KernelOp kernel, const HostOptions &options);

} // namespace tessera::ir::host

#endif // TESSERA_CONVERSION_TILETOHOST_PLAN_PLAN_H
