//===- Expr.h - integer expressions over a launch --------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// How an image says "n * 4 bytes of workspace" or "extent 1 of the descriptor is argument 5": a postfix program over
// 64-bit integers that a runtime without a compiler evaluates at launch. Evaluation never allocates, never traps and
// reports overflow instead of wrapping.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_EXPR_H
#define TESSERA_RUNTIME_EXPR_H

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tessera::support {
class ByteReader;
class ByteWriter;
} // namespace tessera::support

namespace tessera::rt {

/// What one step of an expression does. Leaves push; operators pop their operands, right one on top. Values are stored
/// in files: append only.
enum class ExprCode : std::uint8_t {
  Const,       ///< pushes the operand
  Argument,    ///< pushes the kernel argument with that number: integers by value, pointers as addresses
  NumPrograms, ///< pushes the grid's extent on axis 0, 1 or 2
  Device,      ///< pushes a fact of the device, see DeviceFact
  Add,
  Sub,
  Mul,
  DivTrunc,
  DivFloor,
  DivCeil,
  RemTrunc,
  RemFloor,
  Min,
  Max,
  And,
  Or,
  Xor,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,     ///< 1 or 0, signed
  Select, ///< condition, then, else: all three are evaluated
  kCount
};

/// Facts an expression may ask of the device it is launched on.
enum class DeviceFact : std::uint8_t { Multiprocessors, WarpSize, kCount };

/// What an expression is evaluated against.
struct ExprInputs {
  std::span<const std::int64_t> arguments; ///< by argument number
  std::array<std::int64_t, 3> numPrograms{1, 1, 1};
  std::array<std::int64_t, 2> device{1, 0}; ///< by DeviceFact
};

/// The outcome of an evaluation; `value` holds only if `error` is null.
struct ExprResult {
  std::int64_t value = 0;
  const char *error = nullptr; ///< "overflow", "division by zero" …
};

/// An expression. The default one is the constant 0. Copies share nothing.
class Expr {
public:
  struct Step {
    ExprCode code;
    std::int64_t operand = 0; ///< of leaves; 0 for operators
    bool operator==(const Step &) const = default;
  };
  /// The deepest stack any expression may need; builders keep below it, readers refuse more.
  static constexpr int kMaxDepth = 32;
  /// The longest program a reader accepts.
  static constexpr int kMaxSteps = 4096;

  Expr() = default;
  Expr(std::int64_t constant) {
    if (constant)
      steps_.push_back({ExprCode::Const, constant});
  }

  static Expr argument(int number) { return leaf(ExprCode::Argument, number); }
  static Expr numPrograms(int axis) { return leaf(ExprCode::NumPrograms, axis); }
  static Expr device(DeviceFact fact) { return leaf(ExprCode::Device, static_cast<int>(fact)); }
  /// \p code applied to two operands; folds constants where that cannot fail.
  static Expr binary(ExprCode code, const Expr &lhs, const Expr &rhs);
  static Expr select(const Expr &condition, const Expr &then, const Expr &otherwise);
  static Expr min(const Expr &a, const Expr &b) { return binary(ExprCode::Min, a, b); }
  static Expr max(const Expr &a, const Expr &b) { return binary(ExprCode::Max, a, b); }
  static Expr divCeil(const Expr &a, const Expr &b) { return binary(ExprCode::DivCeil, a, b); }
  friend Expr operator+(const Expr &a, const Expr &b) { return binary(ExprCode::Add, a, b); }
  friend Expr operator-(const Expr &a, const Expr &b) { return binary(ExprCode::Sub, a, b); }
  friend Expr operator*(const Expr &a, const Expr &b) { return binary(ExprCode::Mul, a, b); }

  ExprResult evaluate(const ExprInputs &inputs) const noexcept;
  /// The constant this is, if it is one.
  bool isConstant() const { return steps_.empty() || (steps_.size() == 1 && steps_[0].code == ExprCode::Const); }
  std::span<const Step> steps() const { return steps_; }
  /// Infix, for people: `ceildiv(arg2, 128) * grid.x`. \p names replaces `argN` where it has an entry.
  std::string str(std::span<const std::string> names = {}) const;

  /// Why this is not a well-formed expression over \p arguments arguments, or null.
  const char *check(int arguments) const noexcept;
  void write(support::ByteWriter &writer) const;
  /// Reads what write() wrote; marks \p reader failed on anything else.
  static Expr read(support::ByteReader &reader);

  bool operator==(const Expr &) const = default;

private:
  static Expr leaf(ExprCode code, std::int64_t operand);
  std::vector<Step> steps_; ///< empty for the constant 0
};

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_EXPR_H
