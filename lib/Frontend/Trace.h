//===- Trace.h - the kernel being recorded ----------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// One trace a thread at a time. It keeps a table of the C++ variables of the kernel (their present SSA value and type)
// and a stack of regions being filled.
//
// Carrying. A region's body is built in a detached block. The first time a region reads or writes a variable declared
// outside it, every enclosing region that lacks the variable captures it, outermost first; a loop gives it a block
// argument. When the region ends, arguments never written are replaced by the value from outside, the others become
// loop-carried values or results. So a body is traced once and nested loops cost linear time.
//
// Leaving early. `break_if` and `return_if` write a hidden i1 variable and open a *guard*, an if around the rest of the
// body, closed when the body ends. A region in which that happened leaves a guard behind in its parent, and a loop that
// is left early becomes an scf.while that also tests the hidden variables. Guards of one body nest a few deep; then the
// innermost is closed before the next one opens, and what was declared in it lives on in its parent, so that any number
// of exits in sequence nests no deeper.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_FRONTEND_TRACE_H
#define TESSERA_FRONTEND_TRACE_H

#include "IRSupport/LLVM.h"

#include "tessera/core/Error.h"
#include "tessera/lang/Value.h"

#include <memory>
#include <string>
#include <vector>

namespace tessera::ir {

/// Where the user wrote something.
using At = std::source_location;

/// An SSA value with its type in the language, which knows signedness.
struct Typed {
  Value value;
  DType dtype;

  explicit operator bool() const { return static_cast<bool>(value); }
  bool operator==(const Typed &other) const { return value == other.value && dtype == other.dtype; }
};

/// What a region being traced is for.
enum class RegionKind : std::uint8_t { Kernel, For, WhileCondition, WhileBody, Then, Else, Guard, Combine };

/// The recording of one kernel. See the top of the file.
class Trace {
public:
  /// Starts recording into \p body on this thread; a trace already running is set aside until this one is destroyed.
  Trace(Block *body, At at);
  ~Trace();
  Trace(const Trace &) = delete;
  Trace &operator=(const Trace &) = delete;

  /// The trace of this thread, or null.
  static Trace *active();
  /// The trace of this thread, ready to record an operation written at \p at. Throws UsageError outside a kernel and
  /// when the kernel grows without end (operations, or C++ recursion).
  static Trace &require(At at);

  std::uint64_t serial() const { return id; }
  /// Where the latest operation was written.
  At latest() const { return latestAt; }
  MLIRContext *context() const { return builder.getContext(); }
  Location location(At at);

  /// Inserts at the end of the innermost region.
  OpBuilder builder;

  //===--- variables ------------------------------------------------------===//
  //
  // A *holder* is a C++ object, a *variable* what it stands for. They differ only through moves: the new object holds
  // the variable of the old one. If the old one is then destroyed (a vector that grew), the variable lives on in the
  // new one; if it is assigned (std::swap), it keeps the variable and the new object gets one of its own with the same
  // value.

  /// A holder of a new variable of the innermost region, without a value.
  std::uint32_t declare();
  /// The same, as if declared at the start of the kernel.
  std::uint32_t declareOutermost();
  /// A holder that takes over the variable of \p holder.
  std::uint32_t move(std::uint32_t holder);
  void drop(std::uint32_t holder) noexcept;
  bool hasValue(std::uint32_t holder);
  /// The present value; UsageError when there is none.
  Typed read(std::uint32_t holder, At at) { return readVariable(holders[holder].variable, at); }
  void write(std::uint32_t holder, Typed value, At at);
  /// The line on which the variable got its present value.
  At assignedAt(std::uint32_t holder) const { return variables[holders[holder].variable].assigned; }
  /// What \p typed is here and now, to hand to the user.
  tessera::detail::Snapshot snapshot(Typed typed) const;
  /// The value behind a snapshot; UsageError when it is of another trace or of a region that has ended.
  Typed use(const tessera::detail::Snapshot &snapshot, At at);

  //===--- regions --------------------------------------------------------===//

  /// The number of open regions.
  std::uint32_t depth() const { return static_cast<std::uint32_t>(frames.size()); }
  /// Whether a combine function is being traced.
  bool insideCombine() const;
  /// Whether the innermost region is the kernel's own body.
  bool atTop() const { return frames.size() == 1; }
  /// Throws away the regions above \p depth, after their body threw.
  void discard(std::uint32_t depth) noexcept;

  /// A loop over lo, lo + step, ...; \p step is a constant of at least 1.
  void beginFor(Typed lo, Typed hi, Typed step, DictionaryAttr attributes, At at);
  /// The index of the innermost region, a loop: lo first.
  Typed loopIndex() const;
  void endFor();
  void beginWhile(DictionaryAttr attributes, At at);
  void whileCondition(Typed condition);
  void endWhile();
  void beginIf(Typed condition, At at);
  void beginElse();
  void endIf();
  /// Leaves the innermost loop where \p condition (i1) holds.
  void breakIf(Typed condition, At at);
  /// Leaves the kernel where \p condition (i1) holds.
  void returnIf(Typed condition, At at);
  /// Opens the region of a combine function and gives its arguments' values. It may read scalars from outside, assign
  /// nothing outside, and touch no memory.
  std::vector<Typed> beginCombine(ArrayRef<DType> dtypes, At at);
  /// Closes it; its block, without terminator, goes to the caller.
  std::unique_ptr<Block> endCombine();
  /// Closes the guards of the kernel's body.
  void finish();

private:
  static constexpr std::uint32_t kNone = ~std::uint32_t(0);
  struct Holder {
    std::uint32_t variable = 0;
    std::uint32_t older = kNone, newer = kNone; // others that hold the same variable, in the order of moves
  };
  struct Variable {
    Value value; // null: none
    DType dtype;
    At assigned;
    std::uint32_t home = 0;       // index of the region it was declared in
    std::uint32_t homeSerial = 0; // and its serial
    std::uint32_t entered = 0;    // index of the innermost region that has captured it
    std::uint32_t generation = 0; // counts the uses of this slot
    std::uint32_t lostIn = 0;     // 1 + serial of the region after which it has no value
  };
  struct Version { // a value some variable has or had
    Typed typed;
    At assigned;
  };
  struct Capture {
    std::uint32_t variable = 0;
    std::uint32_t generation = 0;
    Version outer;   // null: had no value
    Value inner;     // loops: the block argument; others: outer
    Value condition; // WhileBody: the argument of the condition's block
    Version passed;  // WhileBody: what the condition's block passes on
  };
  struct Change { // a variable written in a branch
    std::uint32_t variable = 0;
    std::uint32_t generation = 0;
    Version version;
  };
  struct Frame {
    RegionKind kind = RegionKind::Kernel;
    std::uint32_t serial = 0;
    At at;
    std::unique_ptr<Block> owned; // detached until the region's op is made; null for the kernel's body
    Block *block = nullptr;
    std::vector<Capture> captures;
    bool breaks = false;  // something inside leaves the loop around this region
    bool returns = false; // something inside leaves the kernel
    bool left = false;    // its end is never reached: an exit in it has no condition
    // guards: what was left where they skip
    bool skipsBreaks = false, skipsReturns = false;
    // loops
    Typed lo, hi, step;
    DictionaryAttr attributes;
    std::uint32_t alive = 0; // 1 + the hidden variable that breaks clear
    std::unique_ptr<Block> conditionBlock;
    // conditions of loops and branches
    Typed condition;
    std::unique_ptr<Block> thenBlock;
    std::vector<Change> thenChanges;
    std::uint32_t thenSerial = 0;
    bool thenLeft = false;
  };
  struct RegionInfo {
    RegionKind kind;
    At at;
    bool hasSecondPart = false;
  };
  struct LoopValues;
  struct BranchResult;

  std::uint32_t newHolder(std::uint32_t variable);
  std::uint32_t newVariable(std::uint32_t home);
  Typed readVariable(std::uint32_t variable, At at);
  void writeVariable(std::uint32_t variable, Typed value, At at);
  std::uint32_t declareHidden(std::uint32_t home, At at);
  void settleHome(Variable &variable);
  void enter(std::uint32_t variable, At at);
  void capture(Frame &frame, std::uint32_t variable);
  void checkCombineRead(std::uint32_t from, Typed value, At at) const;
  Version current(const Capture &capture) const;
  void leave(const Capture &capture, Version after, std::uint32_t lostIn);
  void release(std::uint32_t variable) noexcept;

  OpBuilder atEnd(Block *block) const;
  Frame &push(RegionKind kind, At at, std::unique_ptr<Block> block);
  std::unique_ptr<Frame> pop();
  void renew(Frame &frame, RegionKind kind);
  [[noreturn]] void failCarried(std::string_view where, const Version &before, const Version &after) const;
  LoopValues loopValues(const Frame &frame) const;
  std::unique_ptr<Frame> closeLoop(LoopValues &loop);
  void endLoop(const Frame &frame, const LoopValues &loop, ValueRange results);
  Value exitFlag(const Frame &frame, const LoopValues &loop, ValueRange carried, OpBuilder &builder,
                 Location loc) const;
  std::vector<Change> takeChanges(Frame &frame);
  std::vector<BranchResult> branchResults(const Frame &frame) const;
  void checkBranches(std::vector<BranchResult> &results, const Frame &frame, bool joins) const;
  void finishIf(bool joins = false);
  void adoptLocals(std::uint32_t serial);
  std::uint32_t bodyLevel() const;
  void markExits(std::uint32_t outermost, bool breaks);
  Value exitFlags(bool breaks, bool returns, At at);
  void guardRest(Value stay, bool breaks, bool returns, At at);
  void closeGuards();
  std::string describeRegion(std::uint32_t serial) const;

  std::uint64_t id;
  Trace *previous;
  const char *stackLimit;
  std::size_t operations = 0;
  At latestAt;
  std::vector<Holder> holders;
  std::vector<Variable> variables;
  std::vector<std::uint32_t> freeHolders, freeVariables;
  std::vector<std::unique_ptr<Frame>> frames;
  std::vector<RegionInfo> regions; // by serial
  std::uint32_t running = 0;       // 1 + the hidden variable that return_if clears
};

/// `file:line:column` of a source location.
std::string placeOf(At at);

} // namespace tessera::ir

#endif // TESSERA_FRONTEND_TRACE_H
