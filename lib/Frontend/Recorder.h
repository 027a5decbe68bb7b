//===- Recorder.h - what every operation of the language needs --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A public function makes a Recorder for the user's line, reads its operands through it, checks them, builds its ops
// and hands the result back:
//
//   Tile exp(Operand x, std::source_location at) {
//     Recorder r(at);
//     ...
//     return r.tile({mlir::math::ExpOp::create(r.builder(), r.loc, v.value), v.dtype});
//   }
//
// A Recorder never outlives the function that made it; no user code runs while one exists.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_FRONTEND_RECORDER_H
#define TESSERA_FRONTEND_RECORDER_H

#include "Frontend/Trace.h"
#include "Frontend/Types.h"

#include "tessera/lang/Tile.h"

#include <fmt/format.h>

namespace tessera::ir {

/// Two or more operands brought to one dtype and shape.
using Operands = SmallVector<Typed, 3>;

/// The zero of a scalar, tile or view type: 0, false, a null pointer, a view of nothing.
Value zeroValue(OpBuilder &builder, Location loc, Type type);

class Recorder {
public:
  /// Throws UsageError outside a kernel.
  explicit Recorder(At at) : at(at), trace(Trace::require(at)), loc(trace.location(at)) {}

  const At at;
  Trace &trace;
  const Location loc;

  OpBuilder &builder() { return trace.builder; }
  MLIRContext *context() const { return trace.context(); }

  //===--- operands -------------------------------------------------------===//

  /// A traced operand, or a literal in its own type: i32 (i64 where it does not fit), f32 or i1.
  Typed operand(const Operand &operand);
  /// A literal as a scalar of \p dtype (SEMANTICS T3); UsageError if it is out of range.
  Typed literal(const Operand &operand, DType dtype);
  /// An operand where a value of \p dtype is wanted: a literal in range, or a value that converts without loss; \p what
  /// names its role in messages ("the value stored").
  Typed operandAs(const Operand &operand, DType dtype, std::string_view what);
  /// An i1 operand, \p what as above ("the mask").
  Typed condition(const Operand &operand, std::string_view what);
  /// An i1 scalar, for control flow.
  Typed uniformCondition(const Operand &operand, std::string_view what);
  /// An integer scalar as i64.
  Typed index(const Operand &operand, std::string_view what);
  /// A float operand of arithmetic or elementary functions; integers are refused with a hint. \p verb as in promote.
  Typed floatOperand(const Operand &operand, std::string_view verb);

  /// The operands in their common dtype (SEMANTICS T3, T4) and common shape (M2). \p verb completes "cannot ... a and
  /// b".
  Operands promote(std::string_view verb, ArrayRef<const Operand *> operands);
  /// The same for dtypes only.
  Operands promoteTypes(std::string_view verb, ArrayRef<const Operand *> operands);
  /// The same for shapes only.
  Operands broadcastAll(std::string_view verb, ArrayRef<Typed> values);

  //===--- values ---------------------------------------------------------===//

  /// A constant of \p dtype, converted from \p number; a scalar unless \p shape says otherwise.
  Typed constant(DType dtype, double number, ArrayRef<std::int64_t> shape = {});
  Typed constantInt(DType dtype, std::int64_t number, ArrayRef<std::int64_t> shape = {});
  /// \p value repeated to \p shape, which must be one it broadcasts to.
  Typed broadcast(Typed value, ArrayRef<std::int64_t> shape);
  /// Whether \p from broadcasts to \p to.
  static bool broadcasts(ArrayRef<std::int64_t> from, ArrayRef<std::int64_t> to);
  /// \p value converted by the rules of `.to` with default options; no checks beyond "not a pointer".
  Typed convert(Typed value, DType dtype);
  /// fp8 as f32, other values unchanged: what arithmetic computes in.
  Typed computeForm(Typed value) { return value.dtype.isFp8() ? convert(value, f32) : value; }

  //===--- results --------------------------------------------------------===//

  /// A value handed to the user.
  Tile tile(Typed value) { return Tile(trace.snapshot(value), at); }
  tessera::detail::Snapshot snapshot(Typed value) { return trace.snapshot(value); }

  /// Throws UsageError at the user's line.
  template <class... Args> [[noreturn]] void fail(fmt::format_string<Args...> format, Args &&...args) const {
    throw UsageError(at, fmt::format(format, std::forward<Args>(args)...));
  }
  /// Throws UsageError if a combine function is being traced; \p what is the thing that may not stand there.
  void refuseInCombine(std::string_view what) const;

private:
  [[noreturn]] void failRange(const Operand &operand, DType dtype);
  DType commonType(std::string_view verb, ArrayRef<const Operand *> operands);
};

/// "cannot add a tile of f32 [4] and a scalar of i64".
std::string cannot(std::string_view verb, ArrayRef<const Operand *> operands);
std::string cannot(std::string_view verb, ArrayRef<Typed> operands);

} // namespace tessera::ir

#endif // TESSERA_FRONTEND_RECORDER_H
