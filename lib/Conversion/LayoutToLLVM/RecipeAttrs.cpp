//===- RecipeAttrs.cpp - recipes for the launcher on a function -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/RecipeAttrs.h"

namespace tessera::ir::gpu {

using rt::Expr;
using rt::ExprCode;

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

mlir::DenseI64ArrayAttr attributeOf(Builder &b, const Expr &expr) {
  SmallVector<int64_t> words;
  for (const Expr::Step &step : expr.steps()) {
    words.push_back(static_cast<int64_t>(step.code));
    words.push_back(step.operand);
  }
  return b.getDenseI64ArrayAttr(words);
}

/// The argument \p number as the signed number that its bits are.
static Expr argument(int64_t number, ArrayRef<DType> dtypes) {
  const Expr leaf = Expr::argument(static_cast<int>(number));
  const DType dtype = number < static_cast<int64_t>(dtypes.size()) ? dtypes[static_cast<size_t>(number)] : DType();
  if (!dtype.isUnsigned() || dtype.bits() >= 64)
    return leaf;
  const int64_t sign = int64_t(1) << (dtype.bits() - 1);
  return Expr::binary(ExprCode::Xor, leaf, sign) - sign;
}

std::optional<Expr> exprOf(Attribute attribute, ArrayRef<DType> dtypes) {
  auto words = dyn_cast_or_null<mlir::DenseI64ArrayAttr>(attribute);
  if (!words || words.size() % 2 != 0)
    return std::nullopt;
  SmallVector<Expr> stack;
  for (int64_t i = 0; i != words.size(); i += 2) {
    const int64_t word = words[i], operand = words[i + 1];
    if (word < 0 || word >= static_cast<int64_t>(ExprCode::kCount))
      return std::nullopt;
    const auto code = static_cast<ExprCode>(word);
    switch (code) {
    case ExprCode::Const:
      stack.emplace_back(operand);
      continue;
    case ExprCode::Argument:
      stack.push_back(argument(operand, dtypes));
      continue;
    case ExprCode::NumPrograms:
      stack.push_back(Expr::numPrograms(static_cast<int>(operand)));
      continue;
    case ExprCode::Device:
      stack.push_back(Expr::device(static_cast<rt::DeviceFact>(operand)));
      continue;
    default:
      break;
    }
    const size_t taken = code == ExprCode::Select ? 3 : 2;
    if (stack.size() < taken)
      return std::nullopt;
    const auto operands = ArrayRef(stack).take_back(taken);
    Expr made =
        taken == 3 ? Expr::select(operands[0], operands[1], operands[2]) : Expr::binary(code, operands[0], operands[1]);
    stack.pop_back_n(taken);
    stack.push_back(std::move(made));
  }
  if (stack.size() > 1)
    return std::nullopt;
  return stack.empty() ? Expr() : stack.front();
}

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

DictionaryAttr attributeOf(Builder &b, const rt::TensorMapRecipe &recipe) {
  const auto all = [&](const std::vector<Expr> &exprs) {
    SmallVector<Attribute> list;
    for (const Expr &expr : exprs)
      list.push_back(attributeOf(b, expr));
    return b.getArrayAttr(list);
  };
  const SmallVector<int64_t> box(recipe.box.begin(), recipe.box.end());
  return b.getDictionaryAttr({b.getNamedAttr("base", b.getI64IntegerAttr(recipe.base)),
                              b.getNamedAttr("offset", attributeOf(b, recipe.offset)),
                              b.getNamedAttr("kind", b.getI64IntegerAttr(static_cast<int64_t>(recipe.dtype.kind))),
                              b.getNamedAttr("extents", all(recipe.extents)),
                              b.getNamedAttr("strides", all(recipe.strides)),
                              b.getNamedAttr("box", b.getDenseI64ArrayAttr(box)),
                              b.getNamedAttr("swizzle", b.getI64IntegerAttr(static_cast<int64_t>(recipe.swizzle)))});
}

std::optional<rt::TensorMapRecipe> recipeOf(Attribute attribute, ArrayRef<DType> dtypes) {
  auto fields = dyn_cast_or_null<DictionaryAttr>(attribute);
  if (!fields)
    return std::nullopt;
  const auto number = [&](StringRef name, int64_t end) -> std::optional<int64_t> {
    auto field = fields.getAs<IntegerAttr>(name);
    return field && field.getInt() >= 0 && field.getInt() < end ? std::optional(field.getInt()) : std::nullopt;
  };
  const auto base = number("base", 1 << 16), kind = number("kind", 256),
             swizzle = number("swizzle", static_cast<int64_t>(rt::TensorSwizzle::kCount));
  const std::optional<Expr> offset = exprOf(fields.get("offset"), dtypes);
  auto box = fields.getAs<mlir::DenseI64ArrayAttr>("box");
  if (!base || !kind || !swizzle || !offset || !box)
    return std::nullopt;
  rt::TensorMapRecipe recipe;
  recipe.base = static_cast<int>(*base);
  recipe.offset = *offset;
  recipe.dtype.kind = static_cast<Kind>(*kind);
  recipe.swizzle = static_cast<rt::TensorSwizzle>(*swizzle);
  for (const int64_t extent : box.asArrayRef())
    recipe.box.push_back(static_cast<std::uint32_t>(extent));
  for (auto [name, list] : {std::pair("extents", &recipe.extents), std::pair("strides", &recipe.strides)}) {
    auto exprs = fields.getAs<ArrayAttr>(name);
    if (!exprs)
      return std::nullopt;
    for (Attribute each : exprs) {
      std::optional<Expr> expr = exprOf(each, dtypes);
      if (!expr)
        return std::nullopt;
      list->push_back(std::move(*expr));
    }
  }
  return recipe;
}

} // namespace tessera::ir::gpu
