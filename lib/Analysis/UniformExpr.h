//===- UniformExpr.h - integer expressions over scalars --------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What analyses say about numbers that every lane shares: 64-bit integers computed from scalars of the kernel. Building
// one creates no IR; who emits code turns an expression into IR once per scope.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_ANALYSIS_UNIFORMEXPR_H
#define TESSERA_ANALYSIS_UNIFORMEXPR_H

#include "IRSupport/LLVM.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/Support/Allocator.h"

#include <cstdint>
#include <limits>
#include <optional>

namespace tessera::ir {

/// All integers from `lo` to `hi`, both included.
struct Range {
  int64_t lo = std::numeric_limits<int64_t>::min();
  int64_t hi = std::numeric_limits<int64_t>::max();

  bool contains(const Range &inner) const { return lo <= inner.lo && inner.hi <= hi; }
  bool meets(const Range &other) const { return lo <= other.hi && other.lo <= hi; }
  bool operator==(const Range &) const = default;
  /// What a signed integer of \p bits may be.
  static Range ofSigned(unsigned bits);
  /// What an unsigned integer of \p bits may be; of 64 bits: any.
  static Range ofUnsigned(unsigned bits);
};

/// Handle of a 64-bit integer expression, owned by a UniformExprs. Equal expressions have equal handles. May be null.
class UniformExpr {
public:
  enum class Kind {
    Constant,
    SignExtended, ///< a scalar integer, or a scalar pointer's address
    ZeroExtended, ///< a scalar integer
    ViewExtent,   ///< extent of a view along axis()
    ViewStride,   ///< stride of a view along axis(), in elements
    Add,          ///< wraps modulo 2^64, as Sub and Mul do
    Sub,
    Mul,
    SMin,
    SMax,
    SubSat, ///< signed difference, saturating
  };

  UniformExpr() = default;
  explicit operator bool() const { return node != nullptr; }
  bool operator==(const UniformExpr &) const = default;

  Kind kind() const;
  int64_t constant() const;   ///< of a Constant
  Value value() const;        ///< of SignExtended, ZeroExtended and the fields of views
  unsigned axis() const;      ///< of a field of a view
  UniformExpr lhs() const;    ///< of the others
  UniformExpr rhs() const;    ///< of the others
  const Range &range() const; ///< what its value is known to lie in
  std::optional<int64_t> asConstant() const;
  bool isConstant(int64_t number) const { return asConstant() == number; }
  /// Calls \p visit with every scalar and view that it is computed from.
  void forEachValue(function_ref<void(Value)> visit) const;
  /// `(%n - (%5 * 64))`, with values as \p printValue writes them.
  void print(raw_ostream &os, function_ref<void(raw_ostream &, Value)> printValue) const;

  struct Node;

private:
  friend class UniformExprs;
  explicit UniformExpr(const Node *node) : node(node) {}
  const Node *node = nullptr;
};

/// Makes and owns expressions. They fold where the result is the same for all values.
class UniformExprs {
public:
  UniformExprs();
  ~UniformExprs();
  UniformExprs(const UniformExprs &) = delete;
  UniformExprs &operator=(const UniformExprs &) = delete;

  UniformExpr constant(int64_t number);
  /// The scalar integer \p value, sign-extended, or the address that the scalar pointer \p value holds.
  UniformExpr signExtended(Value value);
  UniformExpr zeroExtended(Value value);
  UniformExpr viewExtent(Value view, unsigned axis);
  UniformExpr viewStride(Value view, unsigned axis);
  UniformExpr add(UniformExpr lhs, UniformExpr rhs);
  UniformExpr sub(UniformExpr lhs, UniformExpr rhs);
  UniformExpr mul(UniformExpr lhs, UniformExpr rhs);
  UniformExpr smin(UniformExpr lhs, UniformExpr rhs);
  UniformExpr smax(UniformExpr lhs, UniformExpr rhs);
  UniformExpr subSat(UniformExpr lhs, UniformExpr rhs);

private:
  UniformExpr make(UniformExpr::Kind kind, int64_t number, Value value, UniformExpr lhs, UniformExpr rhs, Range range);
  /// What the scalar \p value, read as signed, is known to lie in, from the ops it comes from.
  Range rangeOf(Value value, unsigned depth);

  llvm::BumpPtrAllocator allocator;
  llvm::FoldingSet<UniformExpr::Node> nodes;
};

/// `range.lo <= expr <= range.hi`.
struct Condition {
  UniformExpr expr;
  Range range;

  bool operator==(const Condition &) const = default;
  /// Whether it always holds, or never; nothing where that depends on the scalars.
  std::optional<bool> known() const;
};

/// `expr >= least`.
Condition atLeast(UniformExpr expr, int64_t least);
/// `expr <= most`.
Condition atMost(UniformExpr expr, int64_t most);

/// Appends \p condition unless it always holds or is already there.
void require(SmallVectorImpl<Condition> &conditions, const Condition &condition);

} // namespace tessera::ir

#endif // TESSERA_ANALYSIS_UNIFORMEXPR_H
