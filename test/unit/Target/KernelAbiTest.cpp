//===- KernelAbiTest.cpp - argument tables from tile kernels -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/KernelAbi.h"

#include "IRSupport/DiagnosticLog.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::ir;
using testing::HasSubstr;

namespace {

class KernelAbiTest : public testing::Test {
protected:
  KernelAbiTest() : context(registry(), mlir::MLIRContext::Threading::DISABLED) {}
  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    registry.insert<tile::TileDialect, mlir::arith::ArithDialect, mlir::math::MathDialect, mlir::scf::SCFDialect>();
    return registry;
  }
  /// The image of a kernel with these parameters and body.
  rt::Image describe(const std::string &parameters, const std::string &body, std::vector<DType> dtypes = {}) {
    module = mlir::parseSourceString<ModuleOp>("tile.kernel @k(" + parameters + ") {\n" + body + "\ntile.return }",
                                               &context);
    EXPECT_TRUE(module);
    rt::Image image;
    DiagnosticLog log(context);
    works = module && succeeded(describeKernel(kernelOf(*module), dtypes, image));
    words = log.text();
    return image;
  }
  /// The size of the only workspace, as text.
  std::string size(const std::string &parameters, const std::string &body, std::vector<DType> dtypes = {}) {
    const rt::Image image = describe(parameters, body + "\n%w = tile.workspace %c : !tile.ptr<i8>", dtypes);
    if (!works)
      return "refused: " + words;
    return image.arguments.back().bytes.str(std::vector<std::string>{"a", "b", "c"});
  }

  mlir::MLIRContext context;
  OwningOpRef<ModuleOp> module;
  bool works = false;
  std::string words;
};

} // namespace

TEST_F(KernelAbiTest, listsParametersInOrder) {
  const rt::Image image = describe("%x: !tile.ptr<f32> {tile.zeroed, tile.may_alias}, %t: !tile.ptr<!tile.ptr<bf16>>, "
                                   "%n: i64, %f: i1, %s: f8E4M3FN",
                                   "", {});
  ASSERT_TRUE(works) << words;
  ASSERT_EQ(image.arguments.size(), 5u);
  EXPECT_EQ(image.entry, "k");
  EXPECT_EQ(image.arguments[0].dtype, f32);
  EXPECT_TRUE(image.arguments[0].zeroed && image.arguments[0].mayAlias);
  EXPECT_EQ(image.arguments[1].dtype, ptr_to(bf16));
  EXPECT_EQ(image.arguments[2].dtype, i64);
  EXPECT_EQ(image.arguments[3].dtype, i1);
  EXPECT_EQ(image.arguments[4].dtype, e4m3);
  EXPECT_EQ(image.arguments[4].offset, 25u);
  EXPECT_EQ(image.check(), "");
}

TEST_F(KernelAbiTest, theUsersTypesWin) {
  const rt::Image image = describe("%n: i32, %x: !tile.ptr<i8>", "", {u32, u8});
  EXPECT_EQ(image.arguments[0].dtype, u32);
  EXPECT_EQ(image.arguments[1].dtype, u8);
}

TEST_F(KernelAbiTest, workspacesFollow) {
  const rt::Image image = describe("%n: i64", R"(
    %p = tile.workspace %n zeroed : !tile.ptr<f32>
    %q = tile.workspace %n : !tile.ptr<i8>)");
  ASSERT_EQ(image.arguments.size(), 3u);
  EXPECT_EQ(image.arguments[1].kind, rt::ArgumentKind::Workspace);
  EXPECT_TRUE(image.arguments[1].zeroed);
  EXPECT_EQ(image.arguments[1].bytes.str(std::vector<std::string>{"n"}), "max(n, 0) * 4");
  EXPECT_FALSE(image.arguments[2].zeroed);
}

TEST_F(KernelAbiTest, sizesAreExpressions) {
  EXPECT_EQ(size("%a: i64, %b: i64", "%c = arith.muli %a, %b : i64"), "max(a * b, 0)");
  EXPECT_EQ(size("%a: i64, %b: i64", "%c = tile.idiv %a, %b rounding ceil : i64"), "max(cdiv(a, b), 0)");
  EXPECT_EQ(size("%a: i64", "%g = tile.num_programs y\n%c = arith.addi %a, %g : i64"), "max(a + grid.y, 0)");
  EXPECT_EQ(size("%a: i64, %b: i64", "%l = arith.cmpi slt, %a, %b : i64\n%c = arith.select %l, %a, %b : i64"),
            "max(select(a < b, a, b), 0)");
  EXPECT_EQ(size("%a: i64", "%k = arith.constant 5 : i64\n%c = arith.maxsi %a, %k : i64"), "max(max(a, 5), 0)");
}

TEST_F(KernelAbiTest, narrowIntegersExtendAsTheyShould) {
  EXPECT_EQ(size("%a: i32", "%c = arith.extsi %a : i32 to i64"), "max(a, 0)");
  EXPECT_EQ(size("%a: i32", "%c = arith.extui %a : i32 to i64"), "max(a & 4294967295, 0)");
  const std::string text = size("%a: i32", "%c = arith.extui %a : i32 to i64", {u32});
  EXPECT_THAT(text, HasSubstr("& 4294967295"));
  // What the text means, for the largest u32.
  const rt::Image image =
      describe("%a: i32", "%c = arith.extui %a : i32 to i64\n%w = tile.workspace %c : !tile.ptr<i8>", {u32});
  rt::ExprInputs inputs;
  const std::int64_t values[] = {0xffffffff};
  inputs.arguments = values;
  EXPECT_EQ(image.arguments.back().bytes.evaluate(inputs).value, 0xffffffff);
}

TEST_F(KernelAbiTest, narrowArithmeticWraps) {
  const rt::Image image = describe("%a: i32", R"(
    %d = arith.addi %a, %a : i32
    %c = arith.extsi %d : i32 to i64
    %w = tile.workspace %c : !tile.ptr<i8>)");
  rt::ExprInputs inputs;
  const std::int64_t values[] = {0x7fffffff};
  inputs.arguments = values;
  EXPECT_EQ(image.arguments.back().bytes.evaluate(inputs).value, 0) << "−2 wraps, and a size is at least 0";
}

TEST_F(KernelAbiTest, otherSizesAreRefused) {
  EXPECT_THAT(size("%a: !tile.ptr<i64>", "%c = tile.load %a : !tile.ptr<i64>"), HasSubstr("refused: "));
  EXPECT_THAT(words, HasSubstr("its size is computed from more than the kernel's arguments and the grid"));
  EXPECT_THAT(size("", "%c = tile.program_id x"), HasSubstr("refused"));
}

// Each step doubles the postfix program: it must be refused, not built.
TEST_F(KernelAbiTest, sharedOperandsDoNotExplode) {
  std::string body = "%v0 = arith.addi %a, %a : i64\n";
  for (int i = 1; i != 60; ++i)
    body += "%v" + std::to_string(i) + " = arith.muli %v" + std::to_string(i - 1) + ", %v" + std::to_string(i - 1) +
            " : i64\n";
  EXPECT_THAT(size("%a: i64", body + "%c = arith.addi %v59, %a : i64"), HasSubstr("refused"));
}
