//===- KernelArgumentsTest.cpp - what kernels do with their arguments -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Analysis/KernelArguments.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace tessera::ir;

namespace {

class KernelArgumentsTest : public testing::Test {
protected:
  KernelArgumentsTest() : context(registry(), mlir::MLIRContext::Threading::DISABLED) {}
  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    registry.insert<tile::TileDialect, mlir::arith::ArithDialect, mlir::math::MathDialect, mlir::scf::SCFDialect>();
    return registry;
  }
  /// One letter a parameter, as \p letter says.
  std::string lettersOf(const std::string &parameters, const std::string &body, char (*letter)(const ArgumentFacts &)) {
    auto module = mlir::parseSourceString<ModuleOp>("tile.kernel @k(" + parameters + ") {\n" + body + "\ntile.return }",
                                                    &context);
    if (!module)
      return "does not parse";
    std::string text;
    for (const ArgumentFacts &fact : analyzeArguments(*module->getOps<tile::KernelOp>().begin()))
      text += letter(fact);
    return text;
  }
  /// r(ead), w(ritten), b(oth), s(tride), a(ddress), - (nothing).
  std::string facts(const std::string &parameters, const std::string &body) {
    return lettersOf(parameters, body, [](const ArgumentFacts &fact) {
      return fact.read && fact.written ? 'b'
             : fact.read               ? 'r'
             : fact.written            ? 'w'
             : fact.asStride           ? 's'
             : fact.inAddress          ? 'a'
                                       : '-';
    });
  }
  /// s(tored through), - (not).
  std::string stored(const std::string &parameters, const std::string &body) {
    return lettersOf(parameters, body, [](const ArgumentFacts &fact) { return fact.stored ? 's' : '-'; });
  }

  /// Whether it may store to what no parameter says.
  bool storesElsewhere(const std::string &parameters, const std::string &body) {
    auto module = mlir::parseSourceString<ModuleOp>("tile.kernel @k(" + parameters + ") {\n" + body + "\ntile.return }",
                                                    &context);
    EXPECT_TRUE(module) << "does not parse";
    bool elsewhere = false;
    analyzeArguments(*module->getOps<tile::KernelOp>().begin(), &elsewhere);
    return elsewhere;
  }

  mlir::MLIRContext context;
};

constexpr const char *kTwo = "%x: !tile.ptr<f32>, %y: !tile.ptr<f32>";

} // namespace

TEST_F(KernelArgumentsTest, loadsReadAndStoresWrite) {
  EXPECT_EQ(facts(kTwo, "%v = tile.load %x : !tile.ptr<f32>\ntile.store %y, %v : !tile.ptr<f32>"), "rw");
  EXPECT_EQ(facts(kTwo, "%v = tile.load %x : !tile.ptr<f32>\ntile.store %x, %v : !tile.ptr<f32>"), "b-");
}

TEST_F(KernelArgumentsTest, atomicsDoBoth) {
  EXPECT_EQ(facts("%x: !tile.ptr<i32>, %v: i32", "%o = tile.atomic_rmw add relaxed device %x, %v : !tile.ptr<i32>"),
            "b-");
}

TEST_F(KernelArgumentsTest, tilesOfPointersAreFollowed) {
  EXPECT_EQ(facts(kTwo, R"(
    %p = tile.splat %x : tensor<8x!tile.ptr<f32>>
    %r = tile.arange 0 to 8 : tensor<8xi32>
    %q = tile.addptr %p, %r : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
    %v = tile.load %q : tensor<8x!tile.ptr<f32>>)"),
            "r-");
}

// SEMANTICS M3a: a pointer that may be either is both.
TEST_F(KernelArgumentsTest, selectedPointersAreBoth) {
  EXPECT_EQ(facts(std::string(kTwo) + ", %c: i1", R"(
    %p = arith.select %c, %x, %y : !tile.ptr<f32>
    %v = tile.load %p : !tile.ptr<f32>)"),
            "rr-");
}

TEST_F(KernelArgumentsTest, pointersCarriedByLoops) {
  EXPECT_EQ(facts(std::string(kTwo) + ", %n: i64, %v: f32", R"(
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %p = scf.for %i = %zero to %n step %one iter_args(%c = %x) -> (!tile.ptr<f32>) : i64 {
      tile.store %c, %v : !tile.ptr<f32>
      scf.yield %y : !tile.ptr<f32>
    })"),
            "ww--");
}

TEST_F(KernelArgumentsTest, addressesFromMemoryMayBeAnything) {
  EXPECT_EQ(facts("%t: !tile.ptr<!tile.ptr<f32>>, %x: !tile.ptr<f32>, %v: f32", R"(
    %p = tile.load %t : !tile.ptr<!tile.ptr<f32>>
    tile.store %p, %v : !tile.ptr<f32>)"),
            "bw-");
  EXPECT_EQ(facts("%x: !tile.ptr<f32>, %n: i64", R"(
    %p = tile.int_to_ptr %n : !tile.ptr<f32>
    %v = tile.load %p : !tile.ptr<f32>)"),
            "r-");
}

// What was loaded may point into any argument, but was not computed from it.
TEST_F(KernelArgumentsTest, storesThroughTheParameterItself) {
  EXPECT_EQ(stored(std::string(kTwo) + ", %c: i1, %v: f32", R"(
    %p = arith.select %c, %x, %y : !tile.ptr<f32>
    tile.store %p, %v : !tile.ptr<f32>)"),
            "ss--");
  EXPECT_EQ(stored("%t: !tile.ptr<!tile.ptr<f32>>, %x: !tile.ptr<f32>, %v: f32", R"(
    %p = tile.load %t : !tile.ptr<!tile.ptr<f32>>
    tile.store %p, %v : !tile.ptr<f32>)"),
            "---");
  EXPECT_EQ(stored("%x: !tile.ptr<i32>, %y: !tile.ptr<i32>", R"(
    %v = tile.atomic_load acquire device %x : !tile.ptr<i32>
    tile.atomic_store release device %y, %v : !tile.ptr<i32>)"),
            "-s");
}

TEST_F(KernelArgumentsTest, storesThroughAddressesFromMemory) {
  const std::string table = "%t: !tile.ptr<!tile.ptr<f32>>, %x: !tile.ptr<f32>, %v: f32, %c: i1, %n: i64";
  EXPECT_TRUE(storesElsewhere(table, R"(
    %p = tile.load %t : !tile.ptr<!tile.ptr<f32>>
    %q = tile.addptr %p, %n : !tile.ptr<f32>, i64
    tile.store %q, %v : !tile.ptr<f32>)"));
  EXPECT_TRUE(storesElsewhere(table, R"(
    %p = tile.load %t : !tile.ptr<!tile.ptr<f32>>
    %q = arith.select %c, %x, %p : !tile.ptr<f32>
    tile.store %q, %v : !tile.ptr<f32>)"));
  EXPECT_FALSE(storesElsewhere(table, R"(
    %p = tile.load %t : !tile.ptr<!tile.ptr<f32>>
    %w = tile.load %p : !tile.ptr<f32>
    tile.store %x, %w : !tile.ptr<f32>)"));
  EXPECT_FALSE(storesElsewhere(table, R"(
    %w = tile.workspace %n : !tile.ptr<f32>
    tile.store %w, %v : !tile.ptr<f32>)"));
}

TEST_F(KernelArgumentsTest, workspaceIsNobodysArgument) {
  EXPECT_EQ(facts("%x: !tile.ptr<f32>, %n: i64, %v: f32", R"(
    %w = tile.workspace %n : !tile.ptr<f32>
    tile.store %w, %v : !tile.ptr<f32>)"),
            "---");
}

TEST_F(KernelArgumentsTest, productsAreStrides) {
  EXPECT_EQ(facts("%x: !tile.ptr<f32>, %ld: i64, %first: i64, %n: i64", R"(
    %row = tile.program_id x
    %at = arith.muli %row, %ld : i64
    %off = arith.addi %at, %first : i64
    %in = arith.cmpi slt, %off, %n : i64
    %p = tile.addptr %x, %off : !tile.ptr<f32>, i64
    %v = tile.load %p mask %in : !tile.ptr<f32>)"),
            "rsa-");
}

TEST_F(KernelArgumentsTest, stridesOfViews) {
  EXPECT_EQ(facts("%x: !tile.ptr<f32>, %m: i64, %n: i64, %ld: i64, %one: i64", R"(
    %v = tile.make_view %x, [%m, %n], [%ld, %one] : !tile.view<f32, 2>
    %z = arith.constant 0 : i64
    %t = tile.view_load %v[%z, %z] : !tile.view<f32, 2> -> tensor<8x8xf32>)"),
            "r--ss");
}

TEST_F(KernelArgumentsTest, stridesThroughLoopsAndBranches) {
  EXPECT_EQ(facts("%x: !tile.ptr<f32>, %n: i64, %step: i64, %c: i1, %a: i64, %b: i64", R"(
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %s = scf.if %c -> i64 {
      scf.yield %a : i64
    } else {
      scf.yield %b : i64
    }
    %last = scf.for %i = %zero to %n step %one iter_args(%off = %zero) -> (i64) : i64 {
      %p = tile.addptr %x, %off : !tile.ptr<f32>, i64
      %v = tile.load %p : !tile.ptr<f32>
      %d = arith.muli %step, %s : i64
      %next = arith.addi %off, %d : i64
      scf.yield %next : i64
    })"),
            "r-s-ss");
}

TEST_F(KernelArgumentsTest, loadedIndicesEndTheSlice) {
  EXPECT_EQ(facts("%x: !tile.ptr<f32>, %idx: !tile.ptr<i64>, %n: i64", R"(
    %q = tile.addptr %idx, %n : !tile.ptr<i64>, i64
    %i = tile.load %q : !tile.ptr<i64>
    %p = tile.addptr %x, %i : !tile.ptr<f32>, i64
    %v = tile.load %p : !tile.ptr<f32>)"),
            "rra");
}
