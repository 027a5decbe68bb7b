//===- LaunchExpr.cpp - scalars that are known at the launch --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Analysis/LaunchExpr.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tessera::ir {

using rt::Expr;
using rt::ExprCode;

/// \p value brought back into the range of a signed or unsigned integer of \p width bits, as the IR's arithmetic wraps.
static Expr wrap(const Expr &value, unsigned width, bool isUnsigned) {
  if (width >= 64)
    return value;
  const Expr low = Expr::binary(ExprCode::And, value, (int64_t(1) << width) - 1);
  if (isUnsigned)
    return low;
  const int64_t sign = int64_t(1) << (width - 1);
  return Expr::binary(ExprCode::Xor, low, sign) - sign;
}

static ExprCode codeFor(mlir::arith::CmpIPredicate predicate) {
  switch (predicate) {
  case mlir::arith::CmpIPredicate::eq:
    return ExprCode::Eq;
  case mlir::arith::CmpIPredicate::ne:
    return ExprCode::Ne;
  case mlir::arith::CmpIPredicate::slt:
    return ExprCode::Lt;
  case mlir::arith::CmpIPredicate::sle:
    return ExprCode::Le;
  case mlir::arith::CmpIPredicate::sgt:
    return ExprCode::Gt;
  case mlir::arith::CmpIPredicate::sge:
    return ExprCode::Ge;
  default:
    return ExprCode::kCount; // unsigned: no recipe
  }
}

namespace {

/// Builds a recipe bottom up. Every value is kept as the signed number its bits mean.
class RecipeBuilder {
public:
  explicit RecipeBuilder(ArrayRef<DType> dtypes) : dtypes(dtypes) {}

  std::optional<Expr> build(Value value) {
    // Shared operands are repeated in a postfix program: stop before it explodes.
    if (++visits > 256)
      return std::nullopt;
    APInt constant;
    if (mlir::matchPattern(value, mlir::m_ConstantInt(&constant)))
      return Expr(constant.getBitWidth() == 1 ? int64_t(constant.getZExtValue()) : constant.getSExtValue());
    auto integer = dyn_cast<IntegerType>(value.getType());
    if (!integer || integer.getWidth() > 64)
      return std::nullopt;
    if (auto argument = dyn_cast<BlockArgument>(value))
      return buildArgument(argument, integer.getWidth());
    return buildOp(value.getDefiningOp(), integer.getWidth());
  }

private:
  std::optional<Expr> buildArgument(BlockArgument argument, unsigned width) {
    if (!isa<tile::KernelOp>(argument.getOwner()->getParentOp()))
      return std::nullopt;
    const unsigned number = argument.getArgNumber();
    const Expr leaf = Expr::argument(int(number));
    const bool isUnsigned = number < dtypes.size() && dtypes[number].isUnsigned();
    return isUnsigned ? wrap(leaf, width, false) : leaf;
  }
  std::optional<Expr> binary(Operation *op, ExprCode code, unsigned width) {
    const std::optional<Expr> lhs = build(op->getOperand(0)), rhs = build(op->getOperand(1));
    if (!lhs || !rhs)
      return std::nullopt;
    return wrap(Expr::binary(code, *lhs, *rhs), width, width == 1);
  }
  std::optional<Expr> extended(Operation *op, bool isUnsigned) {
    const unsigned from = op->getOperand(0).getType().getIntOrFloatBitWidth();
    const std::optional<Expr> value = build(op->getOperand(0));
    if (!value)
      return std::nullopt;
    if (from == 1)
      return isUnsigned ? *value : Expr(0) - *value;
    return isUnsigned ? wrap(*value, from, true) : *value;
  }
  std::optional<Expr> buildOp(Operation *op, unsigned width) {
    using namespace mlir::arith;
    using Result = std::optional<Expr>;
    return llvm::TypeSwitch<Operation *, Result>(op)
        .Case([&](AddIOp) { return binary(op, ExprCode::Add, width); })
        .Case([&](SubIOp) { return binary(op, ExprCode::Sub, width); })
        .Case([&](MulIOp) { return binary(op, ExprCode::Mul, width); })
        .Case([&](AndIOp) { return binary(op, ExprCode::And, width); })
        .Case([&](OrIOp) { return binary(op, ExprCode::Or, width); })
        .Case([&](XOrIOp) { return binary(op, ExprCode::Xor, width); })
        .Case([&](MinSIOp) { return binary(op, ExprCode::Min, width); })
        .Case([&](MaxSIOp) { return binary(op, ExprCode::Max, width); })
        .Case([&](ExtSIOp) { return extended(op, false); })
        .Case([&](ExtUIOp) { return extended(op, true); })
        .Case([&](TruncIOp) -> Result {
          const Result value = build(op->getOperand(0));
          return value ? Result(wrap(*value, width, width == 1)) : std::nullopt;
        })
        .Case([&](CmpIOp compare) -> Result {
          const ExprCode code = codeFor(compare.getPredicate());
          return code == ExprCode::kCount ? std::nullopt : binary(op, code, 64);
        })
        .Case([&](SelectOp) -> Result {
          const Result condition = build(op->getOperand(0)), then = build(op->getOperand(1)),
                       otherwise = build(op->getOperand(2));
          return condition && then && otherwise ? Result(Expr::select(*condition, *then, *otherwise)) : std::nullopt;
        })
        .Case([&](tile::IDivOp divide) -> Result {
          if (divide.getIsUnsigned())
            return std::nullopt;
          const tile::DivRounding rounding = divide.getRounding();
          return binary(op,
                        rounding == tile::DivRounding::Trunc   ? ExprCode::DivTrunc
                        : rounding == tile::DivRounding::Floor ? ExprCode::DivFloor
                                                               : ExprCode::DivCeil,
                        width);
        })
        .Case([&](tile::IRemOp rest) -> Result {
          if (rest.getIsUnsigned() || rest.getRounding() == tile::DivRounding::Ceil)
            return std::nullopt;
          return binary(op, rest.getRounding() == tile::DivRounding::Trunc ? ExprCode::RemTrunc : ExprCode::RemFloor,
                        width);
        })
        .Case([&](tile::NumProgramsOp programs) -> Result {
          return Expr::numPrograms(static_cast<int>(programs.getAxis()));
        })
        .Case([&](tile::HintOp) { return build(op->getOperand(0)); })
        .Default([](Operation *) -> Result { return std::nullopt; });
  }

  ArrayRef<DType> dtypes;
  int visits = 0;
};

} // namespace

std::optional<Expr> launchExprOf(Value value, ArrayRef<DType> dtypes) {
  std::optional<Expr> recipe = RecipeBuilder(dtypes).build(value);
  if (recipe && recipe->check(1 << 16))
    return std::nullopt;
  return recipe;
}

} // namespace tessera::ir
