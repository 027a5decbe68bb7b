//===- ExprTest.cpp - recipes over arguments and the grid -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Expr.h"
#include "Support/Bytes.h"

#include <gtest/gtest.h>
#include <limits>
#include <random>

using namespace tessera;
using namespace tessera::rt;

namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max(), kMin = std::numeric_limits<std::int64_t>::min();

ExprResult evaluate(const Expr &expr, std::vector<std::int64_t> arguments = {}) {
  ExprInputs inputs;
  inputs.arguments = arguments;
  inputs.numPrograms = {10, 20, 30};
  inputs.device = {132, 32};
  return expr.evaluate(inputs);
}

Expr arg(int number) { return Expr::argument(number); }

Expr roundTrip(const Expr &expr, bool &failed) {
  support::ByteWriter writer;
  expr.write(writer);
  const std::vector<std::byte> bytes = writer.take();
  support::ByteReader reader(bytes);
  Expr read = Expr::read(reader);
  failed = reader.failed() || !reader.atEnd();
  return read;
}

} // namespace

TEST(Expr, readsItsInputs) {
  EXPECT_EQ(evaluate(Expr()).value, 0);
  EXPECT_EQ(evaluate(Expr(-7)).value, -7);
  EXPECT_EQ(evaluate(arg(1), {5, 6}).value, 6);
  EXPECT_EQ(evaluate(Expr::numPrograms(0)).value, 10);
  EXPECT_EQ(evaluate(Expr::numPrograms(2)).value, 30);
  EXPECT_EQ(evaluate(Expr::device(DeviceFact::Multiprocessors)).value, 132);
  EXPECT_EQ(evaluate(Expr::device(DeviceFact::WarpSize)).value, 32);
}

TEST(Expr, divisionsRoundAsTheyAreCalled) {
  for (const auto &[a, b] : {std::pair{7, 2}, {-7, 2}, {7, -2}, {-7, -2}, {6, 3}, {-6, 3}, {0, 5}}) {
    const double exact = double(a) / b;
    EXPECT_EQ(evaluate(Expr::binary(ExprCode::DivTrunc, arg(0), arg(1)), {a, b}).value, std::int64_t(exact));
    EXPECT_EQ(evaluate(Expr::binary(ExprCode::DivFloor, arg(0), arg(1)), {a, b}).value, std::floor(exact));
    EXPECT_EQ(evaluate(Expr::divCeil(arg(0), arg(1)), {a, b}).value, std::ceil(exact));
    EXPECT_EQ(evaluate(Expr::binary(ExprCode::RemTrunc, arg(0), arg(1)), {a, b}).value, a % b);
    const std::int64_t mod = evaluate(Expr::binary(ExprCode::RemFloor, arg(0), arg(1)), {a, b}).value;
    EXPECT_EQ(mod, a - b * std::int64_t(std::floor(exact)));
  }
}

TEST(Expr, comparesAndChooses) {
  const Expr smaller = Expr::binary(ExprCode::Lt, arg(0), arg(1));
  EXPECT_EQ(evaluate(smaller, {1, 2}).value, 1);
  EXPECT_EQ(evaluate(smaller, {2, 2}).value, 0);
  EXPECT_EQ(evaluate(Expr::select(smaller, arg(0), arg(1)), {9, 4}).value, 4);
  EXPECT_EQ(evaluate(Expr::min(arg(0), arg(1)), {9, 4}).value, 4);
  EXPECT_EQ(evaluate(Expr::max(arg(0), arg(1)), {9, 4}).value, 9);
  EXPECT_EQ(evaluate(Expr::binary(ExprCode::And, arg(0), arg(1)), {12, 10}).value, 8);
}

TEST(Expr, reportsOverflow) {
  EXPECT_STREQ(evaluate(arg(0) + arg(1), {kMax, 1}).error, "overflow");
  EXPECT_STREQ(evaluate(arg(0) - arg(1), {kMin, 1}).error, "overflow");
  EXPECT_STREQ(evaluate(arg(0) * arg(1), {kMax, 2}).error, "overflow");
  EXPECT_STREQ(evaluate(Expr::binary(ExprCode::DivTrunc, arg(0), arg(1)), {kMin, -1}).error, "overflow");
  EXPECT_EQ(evaluate(Expr::binary(ExprCode::RemTrunc, arg(0), arg(1)), {kMin, -1}).value, 0);
}

TEST(Expr, reportsDivisionByZero) {
  for (ExprCode code :
       {ExprCode::DivTrunc, ExprCode::DivFloor, ExprCode::DivCeil, ExprCode::RemTrunc, ExprCode::RemFloor})
    EXPECT_STREQ(evaluate(Expr::binary(code, arg(0), arg(1)), {1, 0}).error, "division by zero");
}

TEST(Expr, namesAMissingArgument) {
  EXPECT_STREQ(evaluate(arg(3), {1, 2}).error, "an expression names a missing argument");
}

TEST(Expr, foldsConstantsAndNeutralElements) {
  EXPECT_EQ(Expr(6) * Expr(7), Expr(42));
  EXPECT_EQ(arg(0) + 0, arg(0));
  EXPECT_EQ(Expr(1) * arg(0), arg(0));
  EXPECT_EQ(Expr::select(Expr(0), arg(0), arg(1)), arg(1));
  EXPECT_FALSE((Expr(kMax) + Expr(1)).isConstant()) << "what overflows is left to be reported";
}

TEST(Expr, printsInfix) {
  const std::vector<std::string> names{"n", ""};
  EXPECT_EQ((Expr::divCeil(arg(0), 128) * Expr::numPrograms(1)).str(names), "cdiv(n, 128) * grid.y");
  EXPECT_EQ(((arg(0) + arg(1)) * 4).str(names), "(n + arg1) * 4");
  EXPECT_EQ(Expr::select(Expr::binary(ExprCode::Le, arg(0), 3), 1, 2).str(), "select(arg0 <= 3, 1, 2)");
  EXPECT_EQ(Expr().str(), "0");
}

TEST(Expr, survivesTheWayThroughAFile) {
  for (const Expr &expr : {Expr(), Expr(kMin), arg(2) * 4 + Expr::numPrograms(2),
                           Expr::select(arg(0), Expr::divCeil(arg(1), 3), Expr::device(DeviceFact::Multiprocessors))}) {
    bool failed = true;
    EXPECT_EQ(roundTrip(expr, failed), expr);
    EXPECT_FALSE(failed);
  }
}

TEST(Expr, readerRefusesMalformedPrograms) {
  const auto refuses = [](std::initializer_list<std::uint8_t> body, std::uint32_t count, const char *why) {
    support::ByteWriter writer;
    writer.number(count);
    for (std::uint8_t byte : body)
      writer.number(byte);
    const std::vector<std::byte> bytes = writer.take();
    support::ByteReader reader(bytes);
    EXPECT_EQ(Expr::read(reader), Expr());
    EXPECT_STREQ(reader.error(), why);
  };
  refuses({static_cast<std::uint8_t>(ExprCode::Add)}, 1, "an expression lacks operands");
  refuses({200}, 1, "unknown enumerator");
  refuses({static_cast<std::uint8_t>(ExprCode::NumPrograms), 3, 0, 0, 0, 0, 0, 0, 0}, 1,
          "an expression has an operand out of range");
  refuses({}, 1000000, "a count is larger than the file");
}

TEST(Expr, readerRefusesDeepStacks) {
  support::ByteWriter writer;
  writer.count(Expr::kMaxDepth + 1);
  for (int i = 0; i <= Expr::kMaxDepth; ++i) {
    writer.number(static_cast<std::uint8_t>(ExprCode::Const));
    writer.signedNumber(i);
  }
  const std::vector<std::byte> bytes = writer.take();
  support::ByteReader reader(bytes);
  Expr::read(reader);
  EXPECT_STREQ(reader.error(), "an expression nests too deeply");
}

// Whatever steps a file holds, reading and evaluating end in a value or an error.
TEST(Expr, survivesRandomPrograms) {
  std::mt19937 random(1);
  for (int round = 0; round != 20000; ++round) {
    support::ByteWriter writer;
    const std::uint32_t steps = random() % 8;
    writer.number(steps);
    for (std::uint32_t i = 0; i != steps; ++i) {
      const auto code = static_cast<std::uint8_t>(random() % 25);
      writer.number(code);
      if (code < 4)
        writer.signedNumber(random() % 4 ? std::int64_t(random() % 3) : std::int64_t(random()) << 32);
    }
    const std::vector<std::byte> bytes = writer.take();
    support::ByteReader reader(bytes);
    const Expr expr = Expr::read(reader);
    if (!reader.failed()) {
      evaluate(expr, {kMin, -1, 0});
      expr.str();
    }
  }
}
