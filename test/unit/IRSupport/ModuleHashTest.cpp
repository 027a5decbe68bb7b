//===- ModuleHashTest.cpp - what a program is, in 128 bits ----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "IRSupport/ModuleHash.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>
#include <set>

using namespace tessera;
using namespace tessera::ir;

/// The hashes of a program in a context of its own.
static ModuleHash hashOf(const std::string &text, bool showsPlace = false) {
  MLIRContext context;
  context.loadDialect<mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::scf::SCFDialect>();
  const OwningOpRef<ModuleOp> module = mlir::parseSourceString<ModuleOp>(text, &context);
  EXPECT_TRUE(module) << text;
  return hashModule(*module, [&](Operation *) { return showsPlace; });
}

static std::string function(const std::string &body, const std::string &arguments = "%a: i32, %b: i32") {
  return "func.func @f(" + arguments + ") -> i32 {\n" + body + "\n}";
}

TEST(ModuleHash, namesDoNotCount) {
  EXPECT_EQ(hashOf(function("%0 = arith.addi %a, %b : i32\n return %0 : i32")).program,
            hashOf(function("%sum = arith.addi %x, %y : i32\n return %sum : i32", "%x: i32, %y: i32")).program);
}

TEST(ModuleHash, isTheSameEverywhere) {
  EXPECT_EQ(hashOf(function("return %a : i32")).program.hex(), "b06dfee255ee2af3722f9f70bd3b0cec");
}

TEST(ModuleHash, everythingElseCounts) {
  const std::string programs[] = {
      function("return %a : i32"),
      function("return %b : i32"),
      function("%0 = arith.addi %a, %b : i32\n return %0 : i32"),
      function("%0 = arith.addi %b, %a : i32\n return %0 : i32"),
      function("%0 = arith.addi %a, %a : i32\n return %0 : i32"),
      function("%0 = arith.subi %a, %b : i32\n return %0 : i32"),
      function("%0 = arith.addi %a, %b overflow<nsw> : i32\n return %0 : i32"),
      function("%0 = arith.addi %a, %b {note} : i32\n return %0 : i32"),
      function("%0 = arith.addi %a, %b {note = 1} : i32\n return %0 : i32"),
      function("%0 = arith.addi %a, %b : i32\n return %a : i32"),
      function("%0 = arith.addi %a, %b : i32\n %1 = arith.addi %a, %b : i32\n return %0 : i32"),
      function("%0 = arith.addi %a, %b : i32\n %1 = arith.addi %a, %b : i32\n return %1 : i32"),
      function("%0 = arith.constant 1 : i32\n return %0 : i32"),
      function("%0 = arith.constant 2 : i32\n return %0 : i32"),
      function("return %a : i32", "%a: i32, %b: i64"),
  };
  std::set<std::string> hashes;
  for (const std::string &program : programs)
    hashes.insert(hashOf(program).program.hex());
  EXPECT_EQ(hashes.size(), std::size(programs));
}

TEST(ModuleHash, nestingCounts) {
  const std::string inside =
      "%c = arith.constant true\n scf.if %c {\n %0 = arith.addi %a, %b : i32\n }\n return %a : i32";
  const std::string outside =
      "%c = arith.constant true\n scf.if %c {\n }\n %0 = arith.addi %a, %b : i32\n return %a : i32";
  EXPECT_NE(hashOf(function(inside)).program, hashOf(function(outside)).program);
}

TEST(ModuleHash, placesCountWhereTheyAreShown) {
  const auto at = [](int line) {
    return function("return %a : i32 loc(\"kernel.cpp\":" + std::to_string(line) + ":1)");
  };
  EXPECT_EQ(hashOf(at(1)).program, hashOf(at(2)).program);
  EXPECT_NE(hashOf(at(1)).placed, hashOf(at(2)).placed);
  EXPECT_NE(hashOf(at(1), true).program, hashOf(at(2), true).program);
  EXPECT_EQ(hashOf(at(1), true).program, hashOf(at(1), true).program);
}
