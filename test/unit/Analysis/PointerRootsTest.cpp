//===- PointerRootsTest.cpp - which accesses may meet -----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Analysis/PointerRoots.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace tessera::ir;

namespace {

class PointerRootsTest : public testing::Test {
protected:
  PointerRootsTest() : context(registry(), mlir::MLIRContext::Threading::DISABLED) {}
  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    registry.insert<tile::TileDialect, mlir::arith::ArithDialect, mlir::math::MathDialect, mlir::scf::SCFDialect>();
    return registry;
  }
  /// Whether the memory of the first load and that of the second may be the same.
  bool meet(const std::string &parameters, const std::string &body) {
    auto module = mlir::parseSourceString<ModuleOp>("tile.kernel @k(" + parameters + ") {\n" + body + "\ntile.return }",
                                                    &context);
    if (!module) {
      ADD_FAILURE() << "does not parse";
      return false;
    }
    tile::KernelOp kernel = *module->getOps<tile::KernelOp>().begin();
    const PointerRoots roots(kernel);
    SmallVector<tile::LoadOp> loads;
    kernel.walk([&](tile::LoadOp load) { loads.push_back(load); });
    EXPECT_EQ(roots.meet(roots.of(loads[0].getPtr()), roots.of(loads[1].getPtr())),
              roots.meet(roots.of(loads[1].getPtr()), roots.of(loads[0].getPtr())));
    return roots.meet(roots.of(loads[0].getPtr()), roots.of(loads[1].getPtr()));
  }
  /// The same for pointers `%a` and `%b` that \p body makes.
  bool meetAB(const std::string &parameters, const std::string &body) {
    return meet(parameters, body + "\n%va = tile.load %a : !tile.ptr<f32>\n%vb = tile.load %b : !tile.ptr<f32>");
  }

  mlir::MLIRContext context;
};

} // namespace

// SEMANTICS M3: different arguments are disjoint unless one is declared to alias.
TEST_F(PointerRootsTest, argumentsMeetThemselves) {
  EXPECT_TRUE(meetAB("%a: !tile.ptr<f32>, %n: i64", "%b = tile.addptr %a, %n : !tile.ptr<f32>, i64"));
  EXPECT_FALSE(meetAB("%a: !tile.ptr<f32>, %b: !tile.ptr<f32>", ""));
  EXPECT_TRUE(meetAB("%a: !tile.ptr<f32> {tile.may_alias}, %b: !tile.ptr<f32>", ""));
}

// SEMANTICS M3a: the class of a chosen pointer is the union.
TEST_F(PointerRootsTest, chosenPointersMeetBoth) {
  const std::string parameters = "%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %z: !tile.ptr<f32>, %c: i1";
  const std::string choice = "%a = arith.select %c, %x, %y : !tile.ptr<f32>\n%zero = arith.constant 0 : i64\n";
  const auto with = [&](const std::string &other) {
    return meetAB(parameters, choice + "%b = tile.addptr " + other + ", %zero : !tile.ptr<f32>, i64");
  };
  EXPECT_TRUE(with("%x"));
  EXPECT_TRUE(with("%y"));
  EXPECT_FALSE(with("%z"));
}

TEST_F(PointerRootsTest, workspacesAreApart) {
  EXPECT_FALSE(meetAB("%a: !tile.ptr<f32>, %n: i64", "%b = tile.workspace %n : !tile.ptr<f32>"));
  EXPECT_FALSE(meetAB("%n: i64", "%a = tile.workspace %n : !tile.ptr<f32>\n%b = tile.workspace %n : !tile.ptr<f32>"));
}

TEST_F(PointerRootsTest, anythingMayBeBehindAnInteger) {
  EXPECT_TRUE(meetAB("%a: !tile.ptr<f32>, %n: i64", "%b = tile.int_to_ptr %n : !tile.ptr<f32>"));
  EXPECT_TRUE(meetAB("%n: i64", "%a = tile.workspace %n : !tile.ptr<f32>\n%b = tile.int_to_ptr %n : !tile.ptr<f32>"));
}

TEST_F(PointerRootsTest, loopsCarryPointers) {
  EXPECT_TRUE(meetAB("%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %n: i64", R"(
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %a = scf.for %i = %zero to %n step %one iter_args(%p = %x) -> (!tile.ptr<f32>) : i64 {
      scf.yield %y : !tile.ptr<f32>
    }
    %b = tile.addptr %y, %n : !tile.ptr<f32>, i64)"));
}
