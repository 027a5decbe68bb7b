//===- ExpandMathTest.cpp - kernels after -tile-expand-math --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The interpreter executes expanded kernels; their results are those of the definitions, bit for bit.
//
//===---------------------------------------------------------------------===//

#include "Conversion/Common/TileMathBuilder.h"
#include "tessera-ir/Conversion/Common/Passes.h"
#include "tessera-ir/Dialect/Tile/IR/Tile.h"
#include "unit/Conversion/Common/Definitions.h"
#include "unit/Conversion/ConstMathBuilder.h"
#include "unit/Interp/Harness.h"

#include "tools/math/Reference.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

#include <bit>

using namespace tessera::ir;
using namespace tessera::ir::elementary_test;
using interp::Memory;
using interp::TestKernel;

namespace {

mlir::OwningOpRef<ModuleOp> parsed(std::string_view text, MLIRContext &context) {
  context.loadDialect<tile::TileDialect, mlir::arith::ArithDialect, mlir::math::MathDialect, mlir::scf::SCFDialect>();
  return mlir::parseSourceString<ModuleOp>(StringRef(text.data(), text.size()), &context);
}

std::string printed(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

/// \p text after the pass, checked to have no elementary function left unless \p remains.
std::string expanded(std::string_view text, bool remains = false) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  auto module = parsed(text, context);
  if (!module) {
    ADD_FAILURE() << text;
    return {};
  }
  mlir::PassManager passes(&context);
  passes.addPass(createExpandMathPass());
  EXPECT_TRUE(succeeded(passes.run(*module)));
  bool found = false;
  module->walk([&](Operation *op) { found |= elementary::isElementary(op); });
  EXPECT_EQ(found, remains) << text;
  return printed(*module);
}

/// A kernel that applies \p op ("math.exp") to 256 elements of \p element.
std::string unaryKernel(std::string_view op, std::string_view element) {
  return interp::substitute(R"(
tile.kernel @k(%x: !tile.ptr<$E>, %out: !tile.ptr<$E>) {
  %lane = tile.arange 0 to 256 : tensor<256xi32>
  %xs = tile.splat %x : tensor<256x!tile.ptr<$E>>
  %os = tile.splat %out : tensor<256x!tile.ptr<$E>>
  %xp = tile.addptr %xs, %lane : tensor<256x!tile.ptr<$E>>, tensor<256xi32>
  %op = tile.addptr %os, %lane : tensor<256x!tile.ptr<$E>>, tensor<256xi32>
  %a = tile.load %xp : tensor<256x!tile.ptr<$E>>
  %r = $OP %a : tensor<256x$E>
  tile.store %op, %r : tensor<256x!tile.ptr<$E>>
  tile.return
})",
                            {{"$E", std::string(element)}, {"$OP", std::string(op)}});
}

std::string opOf(std::string_view function) {
  const bool own = function == "sigmoid" || function == "softplus";
  return (own ? "tile." : "math.") + std::string(function);
}

/// Special values, then bit patterns far apart.
template <class F> std::vector<F> arguments() {
  std::vector<F> values = specials<F>();
  using Bits = std::conditional_t<sizeof(F) == 4, std::uint32_t, std::uint64_t>;
  for (Bits word = 1; values.size() < 256; word += static_cast<Bits>(0x9e3779b97f4a7c15 >> (64 - sizeof(F) * 8)))
    values.push_back(std::bit_cast<F>(word));
  return values;
}

template <class F> std::vector<F> interpreted(const std::string &text, const std::vector<F> &x) {
  TestKernel kernel(text);
  Memory<F> in(x), out(x.size());
  expectNoFaults(kernel.run1(in, out));
  return out.values;
}

template <class F>
void expectSameBits(const std::vector<F> &results, std::span<const F> expected, const std::vector<F> &x) {
  for (std::size_t i = 0; i < results.size(); ++i) {
    const bool bothNaN = std::isnan(results[i]) && std::isnan(expected[i]);
    EXPECT_TRUE(bothNaN || std::memcmp(&results[i], &expected[i], sizeof(F)) == 0)
        << results[i] << " instead of " << expected[i] << " at " << x[i];
  }
}

template <class F> void expectDefinition(std::string_view function, std::string_view element) {
  const std::vector<F> x = arguments<F>();
  const std::vector<F> results = interpreted<F>(expanded(unaryKernel(opOf(function), element)), x);
  MLIRContext context(MLIRContext::Threading::DISABLED);
  ConstMathBuilder builder(context);
  expectSameBits<F>(results, builder.lanes<F>(definitionOf(function)(builder, builder.make<F>(x))), x);
}

} // namespace

TEST(ExpandMath, A4_unary32) {
  for (const auto &function : tessera::reference::kUnary32) {
    SCOPED_TRACE(function.name);
    expectDefinition<float>(function.name, "f32");
  }
}

TEST(ExpandMath, A4_unary64) {
  for (const char *function : {"exp", "log", "sin", "cos"}) {
    SCOPED_TRACE(function);
    expectDefinition<double>(function, "f64");
  }
}

TEST(ExpandMath, A4_powOfScalarsInBranch) {
  const std::string text = expanded(R"(
tile.kernel @k(%x: f32, %y: f32, %out: !tile.ptr<f32>) {
  %zero = arith.constant 0.0 : f32
  %positive = arith.cmpf ogt, %x, %zero : f32
  scf.if %positive {
    %r = math.powf %x, %y : f32
    tile.store %out, %r : !tile.ptr<f32>
  }
  tile.return
})");
  TestKernel kernel(text);
  Memory<float> out(1);
  expectNoFaults(kernel.run1(1.5f, 2.0f, out));
  EXPECT_EQ(out[0], 2.25f);
}

TEST(ExpandMath, A3_narrowFloatsComputeInF32) {
  const std::string kernel = unaryKernel("math.exp", "f16");
  std::vector<interp::F16> x(256);
  for (std::uint16_t i = 0; i < 256; ++i)
    x[i] = std::bit_cast<interp::F16>(static_cast<std::uint16_t>(i * 257));
  const auto results = interpreted(expanded(kernel), x), expected = interpreted(kernel, x);
  for (std::size_t i = 0; i < x.size(); ++i) // f32 within 2 ULP rounds to the same f16 but for rare ties
    EXPECT_EQ(std::bit_cast<std::uint16_t>(results[i]), std::bit_cast<std::uint16_t>(expected[i])) << i * 257;
}

TEST(ExpandMath, functionWithoutF64DefinitionStays) {
  const std::string kernel = unaryKernel("math.tanh", "f64");
  EXPECT_NE(expanded(kernel, /*remains=*/true).find("math.tanh"), std::string::npos);
}

TEST(TileMathBuilder, whileAnyGoesOnForTheLastElement) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  auto module = parsed(R"(
tile.kernel @k(%x: !tile.ptr<f32>) {
  %lane = tile.arange 0 to 16 : tensor<16xi32>
  %xs = tile.splat %x : tensor<16x!tile.ptr<f32>>
  %p = tile.addptr %xs, %lane : tensor<16x!tile.ptr<f32>>, tensor<16xi32>
  %a = tile.load %p : tensor<16x!tile.ptr<f32>>
  %square = tile.reshape %a : tensor<16xf32> -> tensor<4x4xf32>
  %y = math.exp %square : tensor<4x4xf32>
  %r = tile.reshape %y : tensor<4x4xf32> -> tensor<16xf32>
  tile.store %p, %r : tensor<16x!tile.ptr<f32>>
  tile.return
})",
                       context);
  ASSERT_TRUE(module);
  Operation *function = nullptr;
  module->walk([&](mlir::math::ExpOp op) { function = op; });
  OpBuilder builder(function);
  TileMathBuilder b(builder, function->getLoc());
  const Value hundred = b.constF(100, function->getOperand(0));
  const auto needsMore = [&](ValueRange v) { return b.lt(v[0], hundred); };
  const auto doubled = b.whileAny({function->getOperand(0)}, needsMore, [&](ValueRange v) {
    return MathBuilder::Values{b.select(needsMore(v), b.add(v[0], v[0]), v[0])};
  });
  function->replaceAllUsesWith(doubled);
  function->erase();

  TestKernel kernel(printed(*module));
  Memory<float> x(16);
  for (unsigned i = 0; i < 16; ++i)
    x[i] = static_cast<float>(1 + i);
  expectNoFaults(kernel.run1(x));
  for (unsigned i = 0; i < 16; ++i) {
    float expected = static_cast<float>(1 + i);
    while (expected < 100)
      expected += expected;
    EXPECT_EQ(x[i], expected) << i;
  }
}
