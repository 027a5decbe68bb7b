//===- AffineFormTest.cpp - forms against the values of all lanes -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Random integer and pointer tiles are built in IR and evaluated lane by lane at the same time, for scalars near the
// limits of their types. Whatever an analysis says must hold for every lane whenever its conditions do.
//
//===---------------------------------------------------------------------===//

#include "RandomKernel.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace tessera::ir;

namespace {

class AffineFormTest : public RandomKernelTest {};

} // namespace

TEST_F(AffineFormTest, lanesAreBasePlusStrides) {
  unsigned forms = 0, conditional = 0;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    RandomKernel kernel(context, seed);
    UniformExprs exprs;
    AffineForms affine(exprs);
    const bool isPointer = seed % 4 == 0;
    const SmallVector<int64_t> &shape = kShapes[kernel.pick(std::size(kShapes))];
    const Lanes lanes = isPointer ? kernel.pointers(shape) : kernel.tileOf(shape, seed % 2 ? 32 : 64, 4);
    const AffineForm *form = affine.of(lanes.value);
    if (!form || !kernel.holds(form->needs))
      continue;
    ++forms;
    conditional += !form->isExact();
    const uint64_t pointer = form->pointer ? kernel.scalars.at(form->pointer) : 0;
    for (size_t i = 0; i < lanes.numbers.size(); ++i) {
      uint64_t expected = pointer + static_cast<uint64_t>(kernel.evaluate(form->base));
      for (auto [stride, place] : llvm::zip_equal(form->strides, indexOf(i, lanes.shape())))
        expected += static_cast<uint64_t>(kernel.evaluate(stride)) * static_cast<uint64_t>(place);
      ASSERT_EQ(asUnsigned(expected, lanes.bits()), lanes.numbers[i]) << "seed " << seed << " lane " << i << "\n"
                                                                      << textOf(kernel);
    }
  }
  EXPECT_GT(forms, 500u);
  EXPECT_GT(conditional, 20u);
}

TEST_F(AffineFormTest, exactFormsDoNotWrap) {
  unsigned exact = 0, refused = 0;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    RandomKernel kernel(context, seed);
    UniformExprs exprs;
    AffineForms affine(exprs);
    const unsigned bits = seed % 2 ? 32 : 64;
    const Lanes lanes = kernel.tileOf(kShapes[kernel.pick(std::size(kShapes))], bits, 4);
    const bool isSigned = kernel.pick(2);
    SmallVector<Condition> needs;
    if (!(isSigned ? affine.isExactSigned(lanes.value, needs) : affine.isExactUnsigned(lanes.value, needs)) ||
        !kernel.holds(needs)) {
      ++refused;
      continue;
    }
    ++exact;
    const AffineForm *form = affine.of(lanes.value);
    for (size_t i = 0; i < lanes.numbers.size(); ++i) {
      __int128 expected = kernel.evaluate(form->base);
      for (auto [stride, place] : llvm::zip_equal(form->strides, indexOf(i, lanes.shape())))
        expected += static_cast<__int128>(kernel.evaluate(stride)) * place;
      const __int128 number = isSigned ? __int128(asSigned(lanes.numbers[i], bits)) : __int128(lanes.numbers[i]);
      ASSERT_TRUE(expected == number) << "seed " << seed << " lane " << i << "\n" << textOf(kernel);
    }
  }
  EXPECT_GT(exact, 200u);
  EXPECT_GT(refused, 200u);
}

TEST_F(AffineFormTest, masksAreBoxes) {
  unsigned boxes = 0, conditional = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    RandomKernel kernel(context, seed);
    UniformExprs exprs;
    AffineForms affine(exprs);
    MaskForms masks(affine);
    const Lanes lanes = kernel.mask(kShapes[kernel.pick(std::size(kShapes))], 2);
    const MaskForm &form = masks.of(lanes.value);
    if (!form.isBox() || !kernel.holds(form.needs))
      continue;
    ++boxes;
    conditional += !form.isExact();
    for (size_t i = 0; i < lanes.numbers.size(); ++i) {
      bool inside = true;
      for (auto [interval, place] : llvm::zip_equal(form.box, indexOf(i, lanes.shape())))
        inside &= (!interval.lo || kernel.evaluate(interval.lo) <= place) &&
                  (!interval.hi || place < kernel.evaluate(interval.hi));
      ASSERT_EQ(inside, lanes.numbers[i] != 0) << "seed " << seed << " lane " << i << "\n" << textOf(kernel);
    }
  }
  EXPECT_GT(boxes, 300u);
  EXPECT_GT(conditional, 100u);
}

TEST_F(AffineFormTest, rangesHoldWhatExpressionsAre) {
  for (unsigned seed = 0; seed < 1000; ++seed) {
    RandomKernel kernel(context, seed);
    UniformExprs exprs;
    SmallVector<UniformExpr> known;
    for (Value argument : kernel.kernel.getArguments().drop_back()) {
      known.push_back(exprs.signExtended(argument));
      known.push_back(exprs.zeroExtended(argument));
    }
    known.push_back(exprs.constant(static_cast<int64_t>(kernel.scalarFor(kernel.builder.getI64Type()))));
    for (unsigned count = 0; count < 8; ++count) {
      const UniformExpr a = known[kernel.pick(known.size())], b = known[kernel.pick(known.size())];
      UniformExpr results[] = {exprs.add(a, b),  exprs.sub(a, b),  exprs.mul(a, b),
                               exprs.smin(a, b), exprs.smax(a, b), exprs.subSat(a, b)};
      const UniformExpr result = results[kernel.pick(std::size(results))];
      const int64_t number = kernel.evaluate(result);
      ASSERT_LE(result.range().lo, number) << "seed " << seed;
      ASSERT_GE(result.range().hi, number) << "seed " << seed;
      known.push_back(result);
    }
  }
}

namespace {

class ScalarRangeTest : public AffineFormTest {
protected:
  /// What the offset `%r` of the first address lies in; \p before stands before what gives it.
  Range rangeOf(const std::string &body, const std::string &before = "") {
    auto module = mlir::parseSourceString<ModuleOp>(
        "tile.kernel @k(%p: !tile.ptr<i64>, %a: i64, %b: i32) {\n" + before + body +
            "\n%q = tile.addptr %p, %r : !tile.ptr<i64>, i64\n%v = tile.load %q : !tile.ptr<i64>\ntile.return }",
        &context);
    if (!module) {
      ADD_FAILURE() << "does not parse";
      return {};
    }
    UniformExprs exprs;
    Range range;
    module->walk([&](tile::AddPtrOp op) {
      range = exprs.signExtended(op.getOffset()).range();
      return mlir::WalkResult::interrupt();
    });
    return range;
  }
};

} // namespace

TEST_F(ScalarRangeTest, followsScalars) {
  const int64_t programs = int64_t(1) << 40;
  EXPECT_EQ(rangeOf("%r = tile.program_id x"), (Range{0, programs - 1}));
  EXPECT_EQ(rangeOf("%c = arith.constant 64 : i64\n%x = tile.program_id x\n%r = arith.muli %x, %c : i64"),
            (Range{0, (programs - 1) * 64}));
  EXPECT_EQ(rangeOf("%r = arith.addi %a, %a : i64"), Range());
  EXPECT_EQ(rangeOf("%r = arith.extsi %b : i32 to i64"), Range::ofSigned(32));
  EXPECT_EQ(rangeOf("%r = arith.extui %b : i32 to i64"), Range::ofUnsigned(32));
  EXPECT_EQ(rangeOf("%c = arith.constant 7 : i64\n%r = tile.irem %a, %c : i64"), (Range{-6, 6}));
  EXPECT_EQ(rangeOf("%c = arith.constant 7 : i64\n%r = tile.irem %a, %c rounding floor : i64"), (Range{0, 6}));
  EXPECT_EQ(rangeOf("%c = arith.constant 7 : i64\n%x = tile.program_id x\n%r = tile.irem %x, %c : i64"), (Range{0, 6}));
  EXPECT_EQ(rangeOf("%c = arith.constant 7 : i64\n%r = arith.andi %a, %c : i64"), (Range{0, 7}));
  EXPECT_EQ(rangeOf("%r = tile.irem %a, %a : i64"), Range());
}

TEST_F(ScalarRangeTest, quotientsByConstants) {
  const auto quotient = [&](const std::string &rounding) {
    return rangeOf("%c = arith.constant 3 : i64\n%x = arith.extsi %b : i32 to i64\n%r = tile.idiv %x, %c rounding " +
                   rounding + " : i64");
  };
  const Range source = Range::ofSigned(32);
  EXPECT_TRUE(quotient("floor").contains({source.lo / 3 - 1, source.hi / 3}));
  EXPECT_TRUE(quotient("ceil").contains({source.lo / 3, source.hi / 3 + 1}));
  EXPECT_TRUE(source.contains(quotient("trunc")));
}

TEST_F(ScalarRangeTest, countersOfLoops) {
  const auto counter = [&](const std::string &from, const std::string &to, int step) {
    const std::string loop = "%from = " + from + "\n%to = " + to + "\n%step = arith.constant " + std::to_string(step) +
                             " : i64\nscf.for %r = %from to %to step %step : i64 {\n" +
                             "%q = tile.addptr %p, %r : !tile.ptr<i64>, i64\n%v = tile.load %q : !tile.ptr<i64>\n}\n";
    return rangeOf("%r = arith.addi %a, %a : i64", loop);
  };
  const std::string zero = "arith.constant 0 : i64", hundred = "arith.constant 100 : i64";
  const std::string any = "arith.addi %a, %a : i64";
  const int64_t most = Range().hi;
  EXPECT_EQ(counter(zero, hundred, 1), (Range{0, 99}));
  EXPECT_EQ(counter(zero, hundred, 64), (Range{0, 64}));
  EXPECT_EQ(counter(zero, any, 64), (Range{0, most - 63}));
  EXPECT_EQ(counter(any, hundred, 64), (Range{Range().lo, 99}));
  EXPECT_EQ(counter(hundred, zero, -1), Range());
}

TEST_F(ScalarRangeTest, followsAssumptions) {
  const std::string number = "%c = arith.constant 800 : i64\n", sum = "%d = arith.constant 1 : i64\n"
                                                                      "%r = arith.addi %a, %d : i64";
  const auto assuming = [&](const std::string &predicate) {
    return rangeOf(sum, number + "%s = arith.cmpi " + predicate + ", %a, %c : i64\ntile.assume %s\n");
  };
  const Range all;
  EXPECT_EQ(assuming("sle"), (Range{all.lo + 1, 801}));
  EXPECT_EQ(assuming("slt"), (Range{all.lo + 1, 800}));
  EXPECT_EQ(assuming("sge"), all); // the sum may wrap
  EXPECT_EQ(assuming("ne"), all);
  // Not every program comes by.
  EXPECT_EQ(rangeOf(sum, number + "%s = arith.cmpi sle, %a, %c : i64\n%t = arith.cmpi eq, %b, %b : i32\n"
                                  "scf.if %t {\ntile.assume %s\n}\n"),
            all);
}
