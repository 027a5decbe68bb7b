//===- ControlFlow.h - loops and conditions known at run time --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Each body is traced once. Variables declared outside and assigned inside are carried, as in C++; a carried variable
// keeps its dtype and shape, otherwise a UsageError names both lines. Conditions are uniform: one i1 scalar a program.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LANG_CONTROLFLOW_H
#define TESSERA_LANG_CONTROLFLOW_H

#include "tessera/lang/Ptr.h"

#include <concepts>
#include <utility>

namespace tessera {

/// Hints of one loop; they never change results (SEMANTICS L2).
struct LoopOptions {
  int num_stages = 0;           ///< depth of software pipelining; 0 takes the kernel's
  int unroll = 0;               ///< how many trips to unroll; 0 leaves it to the compiler
  bool warp_specialize = false; ///< give the loop's copies to warps of their own
};

namespace detail {

/// A region being traced. The body runs between begin and finish; destroyed without finish (the body threw), it
/// discards what was traced.
class TESSERA_API RegionScope {
public:
  RegionScope(const RegionScope &) = delete;
  RegionScope &operator=(const RegionScope &) = delete;

protected:
  RegionScope() = default;
  ~RegionScope();
  /// Notes where the region that is about to begin stands.
  void open();
  /// Throws UsageError unless that region is still the one being traced on this thread.
  void close(std::source_location at);
  std::uint64_t trace = 0; ///< 0 before begin and after finish
  std::uint32_t depth = 0; ///< how many regions are around it
};

/// `for_range`.
class TESSERA_API ForScope : RegionScope {
public:
  ForScope(const Operand &lo, const Operand &hi, const Operand &step, const LoopOptions &options,
           std::source_location at);
  Int index() const;
  void finish();

private:
  Snapshot start;
  std::source_location at;
};

/// `while_`.
class TESSERA_API WhileScope : RegionScope {
public:
  WhileScope(const LoopOptions &options, std::source_location at);
  void condition(const Operand &condition);
  void finish();

private:
  std::source_location at;
};

/// `if_`.
class TESSERA_API IfScope : RegionScope {
public:
  IfScope(const Operand &condition, std::source_location at);
  void otherwise();
  void finish();

private:
  std::source_location at;
};

TESSERA_API void breakIf(const Operand &condition, std::source_location at);
TESSERA_API void returnIf(const Operand &condition, std::source_location at);

} // namespace detail

/// A C++ callable taking the loop index.
template <class Body>
concept LoopBody = std::invocable<Body &, Int>;

/// Runs \p body for lo, lo + step, ... while below \p hi (above it, for a negative step). Zero trips leave carried
/// variables unchanged. A step of 0 is a UsageError when written as a number, and is reported by the checks otherwise.
template <LoopBody Body>
void for_range(IndexOperand lo, IndexOperand hi, IndexOperand step, Body &&body, LoopOptions options = {},
               std::source_location at = std::source_location::current()) {
  detail::ForScope scope(lo, hi, step, options, at);
  body(scope.index());
  scope.finish();
}
/// Runs \p body for lo, lo + 1, ... hi - 1.
template <LoopBody Body>
void for_range(IndexOperand lo, IndexOperand hi, Body &&body, LoopOptions options = {},
               std::source_location at = std::source_location::current()) {
  for_range(lo, hi, IndexOperand(1, at), body, options, at);
}

/// Runs \p body as long as \p condition, a callable giving an i1 scalar, holds.
template <std::invocable Condition, std::invocable Body>
void while_(Condition &&condition, Body &&body, LoopOptions options = {},
            std::source_location at = std::source_location::current()) {
  detail::WhileScope scope(options, at);
  scope.condition(Operand(condition(), at));
  body();
  scope.finish();
}

/// Runs \p then in the programs where \p condition holds.
template <std::invocable Then>
void if_(Operand condition, Then &&then, std::source_location at = std::source_location::current()) {
  detail::IfScope scope(condition, at);
  then();
  scope.finish();
}
/// Runs \p then where \p condition holds and \p otherwise elsewhere. A variable assigned in both has a value afterwards
/// even if it had none before.
template <std::invocable Then, std::invocable Else>
void if_(Operand condition, Then &&then, Else &&otherwise, std::source_location at = std::source_location::current()) {
  detail::IfScope scope(condition, at);
  then();
  scope.otherwise();
  otherwise();
  scope.finish();
}

/// Leaves the innermost loop where \p condition holds; what follows in the body is skipped. Inside `if_` too.
inline void break_if(Operand condition, std::source_location at = std::source_location::current()) {
  detail::breakIf(condition, at);
}
/// Ends this program where \p condition holds. Inside loops and `if_` too.
inline void return_if(Operand condition, std::source_location at = std::source_location::current()) {
  detail::returnIf(condition, at);
}
/// Ends this program; meant for the inside of an `if_`.
inline void return_(std::source_location at = std::source_location::current()) {
  detail::returnIf(Operand(true, at), at);
}

} // namespace tessera

#endif // TESSERA_LANG_CONTROLFLOW_H
