//===- StagesTest.cpp - from kernels with layouts to cubins ---------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Gpu/Stages.h"
#include "IRSupport/LLVM.h"
#include "Pipeline/Pipeline.h"
#include "Target/KernelAbi.h"
#include "Target/NVIDIA/NvidiaBackend.h"
#include "unit/ScopedEnvironment.h"
#include "unit/Target/NVIDIA/Compile.h"

#include "mlir/Parser/Parser.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

using namespace tessera;
using namespace tessera::ir;
using namespace tessera::test;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

namespace {

/// The back end for kernels that have layouts already.
class AfterLayout final : public Backend {
public:
  AfterLayout() : whole(createNvidiaBackend()) {
    for (const Stage &stage : whole->stages())
      if (stage.name != "layout")
        list.push_back(stage);
  }
  llvm::StringRef family() const override { return "cuda"; }
  llvm::ArrayRef<Stage> stages() const override { return list; }
  void registerDialects(mlir::DialectRegistry &registry) const override { whole->registerDialects(registry); }

private:
  std::unique_ptr<Backend> whole;
  std::vector<Stage> list;
};

struct Result {
  PipelineOutcome outcome;
  std::string text; ///< of the stage asked for
  rt::Image image;

  std::string fact(const char *name) const {
    const std::string *value = image.fact(name);
    return value ? *value : "";
  }
};

/// Compiles a `tile.kernel @k` with layouts up to \p last.
Result compile(const std::string &kernel, const std::string &chip, llvm::StringRef last = "binary",
               CompileOptions options = {}) {
  const AfterLayout backend;
  mlir::DialectRegistry registry;
  backend.registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  const OwningOpRef<ModuleOp> module = mlir::parseSourceString<ModuleOp>(kernel, &context);
  Result result;
  if (!module) {
    ADD_FAILURE() << "no module:\n" << kernel;
    return result;
  }
  const CompileRequest request{Target("cuda:" + chip), options};
  Compilation compilation{*module, request, {}, nullptr};
  compilation.image.target = request.target.str();
  EXPECT_TRUE(succeeded(describeKernel(ir::kernelOf(*module), {}, compilation.image)));
  result.outcome = runBackendStages(backend, compilation, nullptr, last, &result.text);
  result.image = compilation.image;
  return result;
}

/// out[i] = f(x[i]) for 512 elements in 128 threads; \p body makes %r of type \p to from %v of type \p from.
std::string mapKernel(const std::string &body, const std::string &from = "f32", const std::string &to = "f32",
                      const std::string &attributes = "") {
  return fmt::format(R"(
#row = #layout.tile<512, register = [(1), (2)], lane = [(4), (8), (16), (32), (64)], warp = [(128), (256)]>
tile.kernel @k(%x: !tile.ptr<{1}>, %out: !tile.ptr<{2}>)
    attributes {{layout.num_warps = 4 : i64, layout.warp_size = 32 : i64{3}}} {{
  %i = tile.arange 0 to 512 : tensor<512xi32, #row>
  %xs = tile.splat %x : tensor<512x!tile.ptr<{1}>, #row>
  %xp = tile.addptr %xs, %i : tensor<512x!tile.ptr<{1}>, #row>, tensor<512xi32, #row>
  %v = tile.load %xp {{layout.vector = 4 : i64}} : tensor<512x!tile.ptr<{1}>, #row>
  {0}
  %os = tile.splat %out : tensor<512x!tile.ptr<{2}>, #row>
  %op = tile.addptr %os, %i : tensor<512x!tile.ptr<{2}>, #row>, tensor<512xi32, #row>
  tile.store %op, %r {{layout.vector = 4 : i64}} : tensor<512x!tile.ptr<{2}>, #row>
  tile.return
}}
)",
                     body, from, to, attributes);
}

std::string unary(const std::string &op, const std::string &from = "f32") {
  return mapKernel(fmt::format("%r = {} : tensor<512x{}, #row>", op, from), from, from);
}

/// The PTX of \p kernel, which assembles on the chip where there is an assembler.
std::string ptxOfKernel(const std::string &kernel, const std::string &chip = "sm_90a", CompileOptions options = {}) {
  if (ptxas()) {
    const Result result = compile(kernel, chip, "binary", options);
    EXPECT_TRUE(result.outcome.ok()) << chip << ": " << result.outcome.words;
    EXPECT_EQ(result.fact("assembler_warnings"), "");
    EXPECT_EQ(result.fact("spill_bytes"), "0");
  }
  const Result result = compile(kernel, chip, "asm", options);
  EXPECT_TRUE(result.outcome.ok()) << chip << ": " << result.outcome.words;
  return result.text;
}

std::string convert(const std::string &from, const std::string &to, const std::string &chip = "sm_90a",
                    const std::string &how = "") {
  return ptxOfKernel(
      mapKernel(
          fmt::format("%r = tile.convert_float %v{} : tensor<512x{}, #row> -> tensor<512x{}, #row>", how, from, to),
          from, to),
      chip);
}

} // namespace

TEST(NvidiaStages, aKernelBecomesACubin) {
  TESSERA_NEEDS_PTXAS();
  for (const arch::Chip *chip : nvidiaChips()) {
    SCOPED_TRACE(chip->name);
    const Result result = compile(unary("arith.addf %v, %v"), std::string(chip->name));
    ASSERT_TRUE(result.outcome.ok()) << result.outcome.words;
    EXPECT_EQ(result.image.format, "cubin");
    EXPECT_EQ(result.image.check(), "");
    EXPECT_EQ(result.image.threadsPerProgram, 128u);
    EXPECT_NE(result.fact("registers"), "");
    EXPECT_EQ(result.fact("spill_bytes"), "0");
    EXPECT_EQ(result.fact("stack_bytes"), "0");
    EXPECT_THAT(result.fact("toolchain"), AllOf(HasSubstr("LLVM 22"), HasSubstr("ptxas V")));
    EXPECT_THAT(result.text, HasSubstr(fmt::format("cubin for cuda:{}: `k`", chip->name)));
  }
}

TEST(NvidiaStages, withoutAnAssemblerTheImageIsPtx) {
  const ScopedEnvironment driver("TESSERA_PTXAS", "driver");
  const Result result = compile(unary("arith.addf %v, %v"), "sm_80");
  ASSERT_TRUE(result.outcome.ok()) << result.outcome.words;
  EXPECT_EQ(result.image.format, "ptx");
  EXPECT_EQ(result.image.check(), "");
  const Result sass = compile(unary("arith.addf %v, %v"), "sm_80", "sass");
  EXPECT_THAT(sass.text, HasSubstr("the driver assembles it"));
}

TEST(NvidiaStages, whatTheChipLacksIsTheKernelsFault) {
  const std::string kernel =
      mapKernel("%r = arith.addf %v, %v : tensor<512xf32, #row>", "f32", "f32", ", layout.shared_bytes = 200000 : i64");
  const Result result = compile(kernel, "sm_80");
  EXPECT_EQ(result.outcome.blame, PipelineOutcome::Kernel);
  EXPECT_THAT(result.outcome.words, HasSubstr("needs 200000 bytes of shared memory; a program has at most 166912"));
  EXPECT_TRUE(compile(kernel, "sm_90a", "asm").outcome.ok());

  const ScopedEnvironment named("TESSERA_PTXAS", "/no/such");
  const Result refused = compile(unary("arith.addf %v, %v"), "sm_80");
  EXPECT_EQ(refused.outcome.blame, PipelineOutcome::Kernel);
  EXPECT_THAT(refused.outcome.words, HasSubstr("TESSERA_PTXAS is `/no/such`"));
}

TEST(NvidiaStages, warningsOfTheAssemblerAreNotesAndAFact) {
  TESSERA_NEEDS_PTXAS();
  const FakePtxas fake("'" + ptxas()->path + "' \"$@\" && echo 'ptxas info : (C7508) setmaxnreg ignored'\n");
  const ScopedEnvironment named("TESSERA_PTXAS", fake.path());
  const Result result = compile(unary("arith.addf %v, %v"), "sm_90a");
  ASSERT_TRUE(result.outcome.ok()) << result.outcome.words;
  EXPECT_THAT(result.fact("assembler_warnings"), HasSubstr("(C7508)"));
  EXPECT_THAT(result.outcome.notes, testing::ElementsAre(HasSubstr("(C7508) setmaxnreg ignored")));
}

TEST(NvidiaStages, lineInfoNamesTheUsersLines) {
  const std::string kernel = mapKernel("%r = math.exp %v : tensor<512xf32, #row> loc(\"/src/kernel.cpp\":42:7)");
  const Result with = compile(kernel, "sm_90a", "asm", {.line_info = true});
  EXPECT_THAT(with.text, AllOf(ContainsRegex("\\.file[ \t]+[0-9]+ \"[^\"]*kernel.cpp\""),
                               ContainsRegex("\\.loc[ \t]+[0-9]+ 42 7"), Not(HasSubstr(", debug"))));
  const Result without = compile(kernel, "sm_90a", "asm");
  EXPECT_THAT(without.text, AllOf(Not(HasSubstr(".loc")), Not(HasSubstr(".file"))));
  if (!ptxas())
    return;
  const Result binary = compile(kernel, "sm_90a", "binary", {.line_info = true});
  ASSERT_TRUE(binary.outcome.ok()) << binary.outcome.words;
  const std::string_view bytes(reinterpret_cast<const char *>(binary.image.binary.data()), binary.image.binary.size());
  EXPECT_THAT(std::string(bytes), HasSubstr(".debug_line"));
  EXPECT_THAT(std::string(bytes), HasSubstr("kernel.cpp"));
}

TEST(NvidiaStages, addressesAreABaseAndConstants) {
  // Two accesses of 16 bytes each: the second lies 2048 bytes behind the first.
  const std::string kernel = R"(
#row = #layout.tile<1024, register = [(1), (2), (512)], lane = [(4), (8), (16), (32), (64)], warp = [(128), (256)]>
tile.kernel @k(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %out: !tile.ptr<f32>, %n: i64)
    attributes {layout.num_warps = 4 : i64, layout.warp_size = 32 : i64} {
  %c1024 = arith.constant 1024 : i64
  %pid = tile.program_id x
  %start = arith.muli %pid, %c1024 : i64
  %lane = tile.arange 0 to 1024 : tensor<1024xi32, #row>
  %wide = arith.extsi %lane : tensor<1024xi32, #row> to tensor<1024xi64, #row>
  %first = tile.splat %start : tensor<1024xi64, #row>
  %offs = arith.addi %first, %wide : tensor<1024xi64, #row>
  %bound = tile.splat %n : tensor<1024xi64, #row>
  %mask = arith.cmpi slt, %offs, %bound : tensor<1024xi64, #row>
  %xs = tile.splat %x : tensor<1024x!tile.ptr<f32>, #row>
  %xp = tile.addptr %xs, %offs : tensor<1024x!tile.ptr<f32>, #row>, tensor<1024xi64, #row>
  %a = tile.load %xp mask %mask {layout.vector = 4 : i64} : tensor<1024x!tile.ptr<f32>, #row>
  %ys = tile.splat %y : tensor<1024x!tile.ptr<f32>, #row>
  %yp = tile.addptr %ys, %offs : tensor<1024x!tile.ptr<f32>, #row>, tensor<1024xi64, #row>
  %b = tile.load %yp mask %mask {layout.vector = 4 : i64} : tensor<1024x!tile.ptr<f32>, #row>
  %sum = arith.addf %a, %b : tensor<1024xf32, #row>
  %os = tile.splat %out : tensor<1024x!tile.ptr<f32>, #row>
  %op = tile.addptr %os, %offs : tensor<1024x!tile.ptr<f32>, #row>, tensor<1024xi64, #row>
  tile.store %op, %sum mask %mask {layout.vector = 4 : i64} : tensor<1024x!tile.ptr<f32>, #row>
  tile.return
}
)";
  for (const arch::Chip *chip : nvidiaChips()) {
    SCOPED_TRACE(chip->name);
    const std::string ptx = ptxOfKernel(kernel, std::string(chip->name));
    EXPECT_EQ(StringRef(ptx).count("ld.global.v4.b32"), 4u) << ptx;
    EXPECT_EQ(StringRef(ptx).count("st.global.v4.b32"), 2u) << ptx;
    EXPECT_EQ(StringRef(ptx).count(" + 2048]"), 3u) << ptx;
    // A base and the thread's place for each of three arrays.
    EXPECT_LE(StringRef(ptx).count("add.s64"), 6u) << ptx;
  }
}

//===----------------------------------------------------------------------===//
// The chip's own instructions for numbers
//===----------------------------------------------------------------------===//

TEST(NvidiaNumbers, exponentialsUseTheChipsPowerOfTwo) {
  for (const char *op : {"math.exp %v", "math.exp2 %v"}) {
    const std::string ptx = ptxOfKernel(unary(op));
    EXPECT_THAT(ptx, AllOf(HasSubstr("fma.rn.sat.f32"), HasSubstr("fma.rm.f32"), HasSubstr("ex2.approx.ftz.f32")));
    EXPECT_EQ(StringRef(ptx).count("ex2.approx"), 4u);
  }
}

TEST(NvidiaNumbers, fastFormsAreOneInstruction) {
  for (const auto &[op, words] :
       {std::pair("math.exp %v", "ex2.approx.ftz.f32"), std::pair("math.exp2 %v", "ex2.approx.ftz.f32"),
        std::pair("math.log %v", "lg2.approx.ftz.f32"), std::pair("math.log2 %v", "lg2.approx.ftz.f32"),
        std::pair("math.sin %v", "sin.approx.ftz.f32"), std::pair("math.cos %v", "cos.approx.ftz.f32"),
        std::pair("math.tanh %v", "tanh.approx.f32"), std::pair("math.sqrt %v", "sqrt.approx.ftz.f32"),
        std::pair("arith.divf %v, %v", "div.full.ftz.f32")}) {
    const std::string ptx = ptxOfKernel(unary(fmt::format("{} fastmath<afn>", op)), "sm_80");
    EXPECT_EQ(StringRef(ptx).count(words), 4u) << ptx;
  }
  EXPECT_THAT(ptxOfKernel(unary("arith.divf %v, %v"), "sm_80"), HasSubstr("div.rn.f32"));
  EXPECT_THAT(ptxOfKernel(unary("math.sqrt %v"), "sm_80"), HasSubstr("sqrt.rn.f32"));
}

TEST(NvidiaNumbers, maximaHaveInstructionsForBothRules) {
  for (const auto &[op, words] :
       {std::pair("tile.maxnum", "max.f32"), std::pair("tile.minnum", "min.f32"),
        std::pair("arith.maximumf", "max.NaN.f32"), std::pair("arith.minimumf", "min.NaN.f32")}) {
    const std::string ptx = ptxOfKernel(
        mapKernel(fmt::format(
            "%w = arith.addf %v, %v : tensor<512xf32, #row>\n  %r = {} %v, %w : tensor<512xf32, #row>", op)),
        "sm_80");
    EXPECT_EQ(StringRef(ptx).count(words), 4u) << ptx;
  }
}

TEST(NvidiaNumbers, halvesAreNarrowedInPairs) {
  for (const char *chip : {"sm_80", "sm_90a"}) {
    EXPECT_EQ(StringRef(convert("f32", "f16", chip)).count("cvt.rn.f16x2.f32"), 2u);
    EXPECT_EQ(StringRef(convert("f32", "bf16", chip)).count("cvt.rn.bf16x2.f32"), 2u);
    EXPECT_EQ(StringRef(convert("f32", "f16", chip, " rounding toward_zero")).count("cvt.rz.f16x2.f32"), 2u);
  }
}

TEST(NvidiaNumbers, fp8HasInstructionsWhereTheChipHas) {
  const std::string e4m3 = convert("f32", "f8E4M3FN");
  EXPECT_EQ(StringRef(e4m3).count("cvt.rn.satfinite.e4m3x2.f32"), 2u) << e4m3;
  const std::string e5m2 = convert("f32", "f8E5M2");
  EXPECT_EQ(StringRef(e5m2).count("cvt.rn.satfinite.e5m2x2.f32"), 2u) << e5m2;
  EXPECT_EQ(StringRef(convert("f8E4M3FN", "f32")).count("cvt.rn.f16x2.e4m3x2"), 2u);
  EXPECT_EQ(StringRef(convert("f8E5M2", "f16", "sm_89")).count("cvt.rn.f16x2.e5m2x2"), 2u);
  EXPECT_THAT(convert("f32", "f8E4M3FN", "sm_80"), Not(HasSubstr("e4m3x2")));
  EXPECT_THAT(convert("f8E5M2", "f32", "sm_86"), Not(HasSubstr("e5m2x2")));
}

/// A tile of 64 x 64 halves comes into shared memory by \p how, and goes out.
static std::string copyKernel(const std::string &how) {
  return R"(
#a = #layout.tile<64x64, register = [(0, 1), (0, 2), (0, 4), (16, 0), (32, 0)], lane = [(0, 8), (0, 16), (0, 32), (1, 0), (2, 0)], warp = [(4, 0), (8, 0)]>
#s = #layout.shared<64x64, offsets = [1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048]>
tile.kernel @k(%x: !tile.ptr<f16>, %out: !tile.ptr<f16>, %m: i64, %n: i64, %ld: i64, %i: i64, %j: i64)
    attributes {layout.num_warps = 4 : i64, layout.warp_size = 32 : i64, layout.shared_bytes = 8208 : i64} {
  %one = arith.constant 1 : i64
  %false = arith.constant false
  %v = tile.make_view %x, [%m, %n], [%ld, %one] : !tile.view<f16, 2>
  %o = tile.make_view %out, [%m, %n], [%ld, %one] : !tile.view<f16, 2>
  %b = layout.shared_alloc offset 0 : !layout.buffer<64x64xf16, #s>
)" + how +
         R"(
  layout.shared_free %b : !layout.buffer<64x64xf16, #s>
  tile.return
})";
}

TEST(NvidiaStages, copiesByThreads) {
  for (const char *chip : {"sm_80", "sm_90a"}) {
    const std::string ptx = ptxOfKernel(copyKernel(R"(
  layout.view_async_copy %v[%i, %j] by #a into %b {layout.vector = 8} : !tile.view<f16, 2>, !layout.buffer<64x64xf16, #s>
  layout.async_commit
  layout.async_wait pending 0
  layout.barrier
  %t = layout.shared_load %b : !layout.buffer<64x64xf16, #s> -> tensor<64x64xf16, #a>
  tile.view_store %o[%i, %j], %t {layout.vector = 8} : !tile.view<f16, 2>, tensor<64x64xf16, #a>
)"),
                                        chip);
    EXPECT_EQ(llvm::StringRef(ptx).count("cp.async.cg.shared.global"), 4u) << ptx;
    EXPECT_THAT(ptx, Not(HasSubstr("ld.global")));
  }
}

TEST(NvidiaStages, copiesOfBoxes) {
  const std::string kernel = copyKernel(R"(
  %f = layout.mbarrier_alloc offset 8192 : !layout.mbarrier
  layout.mbarrier_init %f count 1 : !layout.mbarrier
  layout.barrier
  layout.mbarrier_expect %f bytes 8192 : !layout.mbarrier
  layout.tensor_load %v[%i, %j] into %b signals %f evict first : !tile.view<f16, 2>, !layout.buffer<64x64xf16, #s>, !layout.mbarrier
  layout.mbarrier_wait %f parity %false : !layout.mbarrier
  %t = layout.shared_load %b : !layout.buffer<64x64xf16, #s> -> tensor<64x64xf16, #a>
  layout.barrier
  layout.shared_store %b, %t : !layout.buffer<64x64xf16, #s>, tensor<64x64xf16, #a>
  layout.proxy_fence shared
  layout.barrier
  layout.tensor_store %b into %o[%i, %j] : !layout.buffer<64x64xf16, #s>, !tile.view<f16, 2>
  layout.tensor_commit
  layout.tensor_wait pending 0 read
)");
  const std::string ptx = ptxOfKernel(kernel);
  EXPECT_EQ(llvm::StringRef(ptx).count(".param .align 64 .b8"), 2u) << ptx;
  EXPECT_EQ(llvm::StringRef(ptx).count("prefetch.tensormap"), 2u);
  EXPECT_THAT(ptx, AllOf(HasSubstr("complete_tx::bytes.L2::cache_hint"), HasSubstr("global.shared::cta.bulk_group")));
  // A wait is one loop that nothing was put in front of.
  EXPECT_EQ(llvm::StringRef(ptx).count("mbarrier.try_wait.parity"), 1u);
  EXPECT_THAT(ptx, Not(HasSubstr(".local")));
  const Result result = compile(kernel, "sm_90a", "asm");
  ASSERT_EQ(result.image.arguments.size(), 9u);
  EXPECT_EQ(result.image.arguments[7].kind, rt::ArgumentKind::TensorMap);
  EXPECT_EQ(result.image.arguments[8].tensorMap->base, 1);
  EXPECT_FALSE(result.image.requirements.empty());
}
