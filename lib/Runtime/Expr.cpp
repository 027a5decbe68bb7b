//===- Expr.cpp - integer expressions over a launch -----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Expr.h"

#include "Support/Bytes.h"

#include <fmt/format.h>
#include <limits>

namespace tessera::rt {

static constexpr const char *kOverflow = "overflow";
static constexpr const char *kDivisionByZero = "division by zero";

/// How many values \p code pops.
static int arity(ExprCode code) {
  switch (code) {
  case ExprCode::Const:
  case ExprCode::Argument:
  case ExprCode::NumPrograms:
  case ExprCode::Device:
    return 0;
  case ExprCode::Select:
    return 3;
  default:
    return 2;
  }
}

static ExprResult divide(ExprCode code, std::int64_t a, std::int64_t b) noexcept {
  if (b == 0)
    return {0, kDivisionByZero};
  if (b == -1 && a == std::numeric_limits<std::int64_t>::min()) {
    if (code == ExprCode::RemTrunc || code == ExprCode::RemFloor)
      return {0};
    return {0, kOverflow};
  }
  const std::int64_t quotient = a / b, rest = a % b;
  const bool signsDiffer = (rest < 0) != (b < 0);
  switch (code) {
  case ExprCode::DivTrunc:
    return {quotient};
  case ExprCode::DivFloor:
    return {quotient - (rest && signsDiffer)};
  case ExprCode::DivCeil:
    return {quotient + (rest && !signsDiffer)};
  case ExprCode::RemTrunc:
    return {rest};
  default:
    return {rest && signsDiffer ? rest + b : rest};
  }
}

static ExprResult apply(ExprCode code, std::int64_t a, std::int64_t b) noexcept {
  std::int64_t value = 0;
  switch (code) {
  case ExprCode::Add:
    return __builtin_add_overflow(a, b, &value) ? ExprResult{0, kOverflow} : ExprResult{value};
  case ExprCode::Sub:
    return __builtin_sub_overflow(a, b, &value) ? ExprResult{0, kOverflow} : ExprResult{value};
  case ExprCode::Mul:
    return __builtin_mul_overflow(a, b, &value) ? ExprResult{0, kOverflow} : ExprResult{value};
  case ExprCode::DivTrunc:
  case ExprCode::DivFloor:
  case ExprCode::DivCeil:
  case ExprCode::RemTrunc:
  case ExprCode::RemFloor:
    return divide(code, a, b);
  case ExprCode::Min:
    return {a < b ? a : b};
  case ExprCode::Max:
    return {a > b ? a : b};
  case ExprCode::And:
    return {a & b};
  case ExprCode::Or:
    return {a | b};
  case ExprCode::Xor:
    return {a ^ b};
  case ExprCode::Eq:
    return {a == b};
  case ExprCode::Ne:
    return {a != b};
  case ExprCode::Lt:
    return {a < b};
  case ExprCode::Le:
    return {a <= b};
  case ExprCode::Gt:
    return {a > b};
  case ExprCode::Ge:
    return {a >= b};
  default:
    return {0, "malformed expression"};
  }
}

Expr Expr::leaf(ExprCode code, std::int64_t operand) {
  Expr result;
  result.steps_.push_back({code, operand});
  return result;
}

static void append(std::vector<Expr::Step> &steps, const Expr &operand) {
  if (operand.steps().empty())
    steps.push_back({ExprCode::Const, 0});
  else
    steps.insert(steps.end(), operand.steps().begin(), operand.steps().end());
}

Expr Expr::binary(ExprCode code, const Expr &lhs, const Expr &rhs) {
  if (lhs.isConstant() && rhs.isConstant()) {
    const ExprResult folded = apply(code, lhs.evaluate({}).value, rhs.evaluate({}).value);
    if (!folded.error)
      return Expr(folded.value);
  }
  if (((code == ExprCode::Add || code == ExprCode::Sub) && rhs == Expr(0)) || (code == ExprCode::Mul && rhs == Expr(1)))
    return lhs;
  if ((code == ExprCode::Add && lhs == Expr(0)) || (code == ExprCode::Mul && lhs == Expr(1)))
    return rhs;
  Expr result;
  append(result.steps_, lhs);
  append(result.steps_, rhs);
  result.steps_.push_back({code, 0});
  return result;
}

Expr Expr::select(const Expr &condition, const Expr &then, const Expr &otherwise) {
  if (condition.isConstant())
    return condition.evaluate({}).value ? then : otherwise;
  Expr result;
  append(result.steps_, condition);
  append(result.steps_, then);
  append(result.steps_, otherwise);
  result.steps_.push_back({ExprCode::Select, 0});
  return result;
}

const char *Expr::check(int arguments) const noexcept {
  if (steps_.size() > kMaxSteps)
    return "an expression is too long";
  int depth = steps_.empty() ? 1 : 0;
  for (const Step &step : steps_) {
    if (step.code >= ExprCode::kCount)
      return "an expression has an unknown step";
    const std::int64_t limit = step.code == ExprCode::Argument      ? arguments
                               : step.code == ExprCode::NumPrograms ? 3
                               : step.code == ExprCode::Device      ? static_cast<std::int64_t>(DeviceFact::kCount)
                               : step.code == ExprCode::Const       ? -1
                                                                    : 1;
    if (limit >= 0 && (step.operand < 0 || step.operand >= limit))
      return step.code == ExprCode::Argument ? "an expression names a missing argument"
                                             : "an expression has an operand out of range";
    if (depth < arity(step.code))
      return "an expression lacks operands";
    depth += 1 - arity(step.code);
    if (depth > kMaxDepth)
      return "an expression nests too deeply";
  }
  return depth == 1 ? nullptr : "an expression leaves several values";
}

ExprResult Expr::evaluate(const ExprInputs &inputs) const noexcept {
  if (const char *malformed = check(static_cast<int>(inputs.arguments.size())))
    return {0, malformed};
  std::array<std::int64_t, kMaxDepth> stack{};
  int depth = 0;
  for (const Step &step : steps_) {
    switch (step.code) {
    case ExprCode::Const:
      stack[depth++] = step.operand;
      continue;
    case ExprCode::Argument:
      stack[depth++] = inputs.arguments[static_cast<std::size_t>(step.operand)];
      continue;
    case ExprCode::NumPrograms:
      stack[depth++] = inputs.numPrograms[static_cast<std::size_t>(step.operand)];
      continue;
    case ExprCode::Device:
      stack[depth++] = inputs.device[static_cast<std::size_t>(step.operand)];
      continue;
    case ExprCode::Select:
      depth -= 2;
      stack[depth - 1] = stack[depth - 1] ? stack[depth] : stack[depth + 1];
      continue;
    default: {
      const ExprResult result = apply(step.code, stack[depth - 2], stack[depth - 1]);
      if (result.error)
        return result;
      stack[--depth - 1] = result.value;
    }
    }
  }
  return {stack[0]};
}

/// The infix operator or function name of \p code.
static const char *spelling(ExprCode code) {
  switch (code) {
  case ExprCode::Add:
    return "+";
  case ExprCode::Sub:
    return "-";
  case ExprCode::Mul:
    return "*";
  case ExprCode::DivTrunc:
    return "/";
  case ExprCode::RemTrunc:
    return "%";
  case ExprCode::And:
    return "&";
  case ExprCode::Or:
    return "|";
  case ExprCode::Xor:
    return "^";
  case ExprCode::Eq:
    return "==";
  case ExprCode::Ne:
    return "!=";
  case ExprCode::Lt:
    return "<";
  case ExprCode::Le:
    return "<=";
  case ExprCode::Gt:
    return ">";
  case ExprCode::Ge:
    return ">=";
  case ExprCode::DivFloor:
    return "floor_div";
  case ExprCode::DivCeil:
    return "cdiv";
  case ExprCode::RemFloor:
    return "floor_mod";
  case ExprCode::Min:
    return "min";
  case ExprCode::Max:
    return "max";
  case ExprCode::Select:
    return "select";
  default:
    return "?";
  }
}

static std::string leafText(const Expr::Step &step, std::span<const std::string> names) {
  const auto index = static_cast<std::size_t>(step.operand);
  switch (step.code) {
  case ExprCode::Argument:
    return index < names.size() && !names[index].empty() ? names[index] : fmt::format("arg{}", step.operand);
  case ExprCode::NumPrograms:
    return fmt::format("grid.{}", "xyz"[index]);
  case ExprCode::Device:
    return index == static_cast<std::size_t>(DeviceFact::WarpSize) ? "device.warp_size" : "device.multiprocessors";
  default:
    return fmt::format("{}", step.operand);
  }
}

std::string Expr::str(std::span<const std::string> names) const {
  if (steps_.empty())
    return "0";
  if (check(std::numeric_limits<int>::max()))
    return "<malformed>";
  struct Text {
    std::string text;
    bool atom;
  };
  std::vector<Text> stack;
  const auto inner = [](const Text &text) { return text.atom ? text.text : "(" + text.text + ")"; };
  for (const Step &step : steps_) {
    const std::size_t first = stack.size() - static_cast<std::size_t>(arity(step.code));
    Text result;
    const std::string name = spelling(step.code);
    if (arity(step.code) == 0)
      result = {leafText(step, names), true};
    else if (step.code == ExprCode::Select)
      result = {fmt::format("select({}, {}, {})", stack[first].text, stack[first + 1].text, stack[first + 2].text),
                true};
    else if (name.size() > 2)
      result = {fmt::format("{}({}, {})", name, stack[first].text, stack[first + 1].text), true};
    else
      result = {fmt::format("{} {} {}", inner(stack[first]), name, inner(stack[first + 1])), false};
    stack.resize(first);
    stack.push_back(std::move(result));
  }
  return stack.back().text;
}

void Expr::write(support::ByteWriter &writer) const {
  writer.count(steps_.size());
  for (const Step &step : steps_) {
    writer.number(static_cast<std::uint8_t>(step.code));
    if (arity(step.code) == 0)
      writer.signedNumber(step.operand);
  }
}

Expr Expr::read(support::ByteReader &reader) {
  Expr result;
  const std::size_t count = reader.count(1);
  if (count > kMaxSteps)
    reader.fail("an expression is too long");
  for (std::size_t i = 0; i != count && !reader.failed(); ++i) {
    const auto code = reader.enumerator<ExprCode>();
    result.steps_.push_back({code, arity(code) == 0 ? reader.signedNumber() : 0});
  }
  if (const char *malformed = reader.failed() ? nullptr : result.check(std::numeric_limits<int>::max()))
    reader.fail(malformed);
  return reader.failed() ? Expr() : result;
}

} // namespace tessera::rt
