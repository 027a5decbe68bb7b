//===- KernelsTest.cpp - kernels of all kinds for every chip of AMD -------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Compiles through the public interface, without a GPU.
//
//===---------------------------------------------------------------------===//

#include "unit/Target/AMD/InnerLoop.h"
#include "unit/Target/Gpu/LanguageKernels.h"

#include "attention/attention.h"
#include "batched_matmul/batched_matmul.h"
#include "cross_entropy/cross_entropy.h"
#include "dequant_matmul/dequant_matmul.h"
#include "dropout/dropout.h"
#include "layer_norm/layer_norm.h"
#include "layer_norm_backward/layer_norm_backward.h"
#include "masked_mean/masked_mean.h"
#include "matmul/matmul.h"
#include "relu_add/relu_add.h"
#include "rms_norm/rms_norm.h"
#include "softmax/softmax.h"
#include "split_matmul/split_matmul.h"
#include "vector_add/vector_add.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

using namespace tessera;
using namespace tessera::kernels;
using namespace tessera::test;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

namespace {

const std::vector<std::string> &chips() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> list;
    for (const std::string &target : Target::known())
      if (target.starts_with("hip:"))
        list.push_back(target);
    return list;
  }();
  return all;
}

int countOf(const std::string &text, const std::string &words) {
  int count = 0;
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1))
    ++count;
  return count;
}

using Facts = std::map<std::string, std::string>;

/// What holds of every kernel: it fits into registers.
template <class Kernel> Facts compile(const Kernel &kernel, const std::string &target, const Variant &variant = {}) {
  const Binary binary = kernel.compile(Target(target), variant);
  Facts facts(binary.facts().begin(), binary.facts().end());
  EXPECT_EQ(binary.format(), "hsaco");
  EXPECT_EQ(facts["spill_bytes"], "0");
  EXPECT_EQ(facts["stack_bytes"], "0");
  EXPECT_NE(facts["registers"], "");
  return facts;
}

template <class Kernel> void compileForAll(const Kernel &kernel) {
  for (const std::string &chip : chips()) {
    SCOPED_TRACE(chip);
    compile(kernel, chip);
  }
}

/// The instructions of a kernel, whose every address says its memory, and which needs none of its own.
template <class Kernel> std::string codeOf(const Kernel &kernel, const std::string &target) {
  const std::string code = kernel.print("asm", Target(target));
  EXPECT_THAT(code, Not(ContainsRegex(
                        "flat_(load|store|atomic)|scratch_(load|store)|buffer_(load|store)_[a-z0-9]+ v[^,]*, off,")));
  return code;
}

/// Where no element is masked off, or all of a lane are, the kernel's accesses take 16 bytes of every lane.
template <class Kernel> void expectWideAccesses(const Kernel &kernel) {
  for (const std::string &chip : chips()) {
    SCOPED_TRACE(chip);
    const std::string code = codeOf(kernel, chip);
    EXPECT_THAT(code, ContainsRegex("(global|buffer)_load_(dwordx4|b128)"));
    EXPECT_THAT(code, ContainsRegex("(global|buffer)_store_(dwordx4|b128)"));
  }
}

} // namespace

TEST(AmdKernels, vectorAdd) {
  expectWideAccesses(vector_add<f32>.with({}));
  expectWideAccesses(vector_add<bf16>.with({.block = 4096}));
  compileForAll(vector_add<f16>.with({}));
  compileForAll(vector_add<f64>.with({}));
}

TEST(AmdKernels, reluAdd) {
  expectWideAccesses(relu_add<f32>.with({}));
  compileForAll(relu_add<bf16>.with({}));
}

TEST(AmdKernels, softmax) {
  expectWideAccesses(softmax<f32>.with(SoftmaxConfig::forColumns(1024)));
  expectWideAccesses(softmax<f16>.with(SoftmaxConfig::forColumns(8192), {.num_warps = 8}));
  compileForAll(softmax<f16>.with(SoftmaxConfig::forColumns(128)));
  compileForAll(softmax<f16>.with(SoftmaxConfig::forColumns(781)));
}

/// Rows are reduced from lane to lane without memory, as far as the chip's lanes reach each other.
TEST(AmdKernels, rowsAreReducedInOperands) {
  for (const std::string &chip : chips()) {
    SCOPED_TRACE(chip);
    const std::string code = codeOf(softmax<f32>.with(SoftmaxConfig::forColumns(1024), {.num_warps = 1}), chip);
    EXPECT_THAT(code, HasSubstr("_dpp"));
    const bool crossesInMemory = chip == "hip:gfx90a" || chip == "hip:gfx942";
    if (crossesInMemory)
      EXPECT_THAT(code, AllOf(HasSubstr("ds_swizzle_b32"), HasSubstr("ds_bpermute_b32")));
    else
      EXPECT_THAT(code, AllOf(HasSubstr("v_permlane"), Not(HasSubstr("ds_swizzle")), Not(HasSubstr("ds_bpermute"))));
  }
}

TEST(AmdKernels, exponentialsAreTheChips) {
  for (const std::string &chip : chips()) {
    SCOPED_TRACE(chip);
    EXPECT_THAT(codeOf(softmax<f32>.with(SoftmaxConfig::forColumns(1024)), chip),
                AllOf(HasSubstr("v_exp_f32"), HasSubstr("v_ldexp_f32")));
    EXPECT_THAT(codeOf(softmax<f16>.with(SoftmaxConfig::forColumns(1024)), chip),
                AllOf(HasSubstr("v_exp_f32"), Not(HasSubstr("v_ldexp_f32"))));
  }
}

TEST(AmdKernels, castsAreOfTheChipsOwnFp8) {
  EXPECT_THAT(codeOf(convert_elements<f32, e4m3fnuz>.with({}), "hip:gfx942"), HasSubstr("v_cvt_pk_fp8_f32"));
  EXPECT_THAT(codeOf(convert_elements<e5m2fnuz, f32>.with({}), "hip:gfx942"), ContainsRegex("v_cvt_(pk_)?f32_bf8"));
  EXPECT_THAT(codeOf(convert_elements<f32, e4m3>.with({}), "hip:gfx942"), Not(HasSubstr("v_cvt_pk_fp8")));
  for (const char *chip : {"hip:gfx950", "hip:gfx1201"}) {
    SCOPED_TRACE(chip);
    EXPECT_THAT(codeOf(convert_elements<f32, e5m2>.with({}), chip), HasSubstr("v_cvt_pk_bf8_f32"));
    EXPECT_THAT(codeOf(convert_elements<e4m3, f16>.with({}), chip), ContainsRegex("v_cvt_(pk_)?f32_fp8"));
    EXPECT_THAT(codeOf(convert_elements<f32, e4m3fnuz>.with({}), chip), Not(HasSubstr("v_cvt_pk_fp8")));
  }
}

TEST(AmdKernels, rows) {
  compileForAll(rms_norm<f32>.with({}));
  compileForAll(rms_norm<f16>.with(RmsNormConfig::forColumns(8192), {.num_warps = 8}));
  compileForAll(layer_norm<f32>.with({}));
  compileForAll(layer_norm<f16>.with(LayerNormConfig::forColumns(8192), {.num_warps = 8}));
  compileForAll(layer_norm_backward<f32>.with({}));
  compileForAll(layer_norm_backward<f16>.with({}));
  compileForAll(sum_parts<f32>.with({}));
  compileForAll(cross_entropy<f32>.with({}));
  compileForAll(cross_entropy<bf16>.with({}));
  compileForAll(masked_mean<f32>.with({}));
}

TEST(AmdKernels, dropout) {
  compileForAll(dropout<f32>.with({}));
  compileForAll(dropout<f16>.with({}));
}

TEST(AmdKernels, products) {
  compileForAll(matmul<f32>.with({.bm = 64, .bn = 64, .bk = 16}));
  compileForAll(matmul<f16>.with({.bm = 64, .bn = 64, .bk = 32}));
  compileForAll(matmul<bf16>.with({.bm = 64, .bn = 64, .bk = 32, .ta = true, .tb = true}));
  compileForAll(matmul<i8>.with({.bm = 64, .bn = 64, .bk = 64, .tb = true}, {.num_warps = 8}));
  compileForAll(dequant_matmul<f16>.with({.bm = 32, .bn = 64, .bk = 64}));
  compileForAll(attention<f16>.with({.bm = 64, .bn = 32, .d = 64}, {.num_warps = 8}));
  compileForAll(attention<bf16>.with({.bm = 64, .bn = 32, .d = 64, .causal = true}, {.num_warps = 8}));
}

/// Where no unit multiplies f32 threads do, and read vectors from shared memory.
TEST(AmdKernels, exactProducts) {
  const auto kernel = matmul<f32>.with({.bm = 64, .bn = 64, .bk = 16}, {.num_warps = 2});
  for (const std::string &chip : chips()) {
    SCOPED_TRACE(chip);
    const std::string code = codeOf(kernel, chip);
    if (chip.starts_with("hip:gfx9"))
      EXPECT_THAT(code, HasSubstr("v_mfma_f32_32x32x2"));
    else
      EXPECT_THAT(code, AllOf(HasSubstr("ds_load_b128"), Not(ContainsRegex("ds_load(_2addr)?_b(32|64)"))));
  }
}

/// Products of narrow numbers are multiplied by units, whose results stay in registers.
TEST(AmdKernels, productsOfHalvesTakeUnits) {
  const auto kernel = matmul<f16>.with({.bm = 64, .bn = 64, .bk = 32});
  for (const std::string &chip : chips())
    EXPECT_THAT(codeOf(kernel, chip), ContainsRegex("v_mfma_f32_32x32x(8|16)_?f16|v_wmma_f32_16x16x16_f16")) << chip;
}

/// Whether an instruction whose name starts with \p name lies behind a branch that some lanes do not take.
static bool isInBranch(const std::string &code, const std::string &name) {
  for (std::size_t at = code.find(name); at != std::string::npos; at = code.find(name, at + 1)) {
    const std::string_view before(code.data(), at);
    const std::size_t branch = before.rfind("s_cbranch_execz ");
    if (branch == std::string_view::npos)
      continue;
    const std::size_t label = branch + std::string_view("s_cbranch_execz ").size();
    const std::string end(before.substr(label, before.find('\n', label) - label));
    if (before.find("\n" + end + ":", label) == std::string_view::npos)
      return true;
  }
  return false;
}

/// All lanes hold rows of the operands, those too whose results nobody stores.
TEST(AmdKernels, allLanesMultiply) {
  const auto few = kernel("few", {"a", "b", "out"}, [](const OneConfig &, Ptr<f16> a, Ptr<f16> b, Ptr<f32> out) {
    Tile i = arange(0, 2).col(), j = arange(0, 32).row();
    store(out + i * 32 + j, dot(load(a + i), load(b + j)));
  });
  for (const std::string &chip : chips()) {
    SCOPED_TRACE(chip);
    const std::string code = codeOf(few.with({}, {.num_warps = 8}), chip);
    EXPECT_THAT(code, ContainsRegex("v_(mfma|wmma)_"));
    EXPECT_FALSE(isInBranch(code, "v_wmma_") || isInBranch(code, "v_mfma_"));
  }
}

/// On chips that copy 16 bytes of a lane straight to shared memory operands come this way, as many rounds ahead as
/// there are stages: a round waits for its own copies and for no later ones, and meets once.
TEST(AmdKernels, operandsAreCopiedRoundsAhead) {
  for (const int stages : {3, 4})
    for (const bool isAlong : {true, false}) { // or else columns are read
      SCOPED_TRACE(stages);
      SCOPED_TRACE(isAlong);
      const auto kernel =
          matmul<f16>.with({.bm = 128, .bn = 128, .bk = 64, .tb = isAlong}, {.num_warps = 4, .num_stages = stages});
      const std::string loop = innermostLoop(codeOf(kernel, "hip:gfx950"), "global_load_lds_dwordx4");
      EXPECT_EQ(countOf(loop, "ds_read_b64_tr_b16"), isAlong ? 0 : 16);
      EXPECT_EQ(countOf(loop, "global_load_lds_dwordx4"), 8);
      EXPECT_THAT(loop,
                  AllOf(HasSubstr("v_mfma_f32_32x32x16"), HasSubstr("vmcnt(" + std::to_string(8 * (stages - 2)) + ")"),
                        Not(HasSubstr("vmcnt(0)")), Not(HasSubstr("ds_write"))));
      EXPECT_EQ(countOf(loop, "s_barrier"), 1);
    }
}

TEST(AmdKernels, atomics) {
  compileForAll(add_in_memory<f32>.with({}));
  compileForAll(add_in_memory<f16>.with({}));
  compileForAll(add_in_memory<bf16>.with({}));
  compileForAll(add_in_memory<f64>.with({}));
  compileForAll(add_in_memory<i8>.with({}));
  compileForAll(max_in_memory<f32>.with({}));
  compileForAll(max_in_memory<i16>.with({}));
}

TEST(AmdKernels, casts) {
  compileForAll(convert_elements<f32, e4m3>.with({}));
  compileForAll(convert_elements<e5m2, f16>.with({}));
  compileForAll(convert_elements<f64, bf16>.with({}));
}

TEST(AmdKernels, printsAndAssertions) { compileForAll(prints.with({}, {.checks = true})); }

TEST(AmdKernels, sortsAndScans) { compileForAll(sorts.with({})); }

TEST(AmdKernels, randomNumbers) { compileForAll(draws.with({})); }

TEST(AmdKernels, functions) {
  compileForAll(functions.with({}));
  compileForAll(functions.with({}, {.line_info = true}));
}

TEST(AmdKernels, approximationsAreInstructions) {
  const auto fast = kernel("fast", {"x"}, [](const OneConfig &c, Ptr<f32> x) {
    Tile i = arange(0, c.block);
    Tile v = load(x + i);
    store(x + i, fast_exp(v) + fast_exp2(v) + fast_log(v) + fast_log2(v) + fast_sqrt(v) + fast_div(v, v + 1));
  });
  for (const std::string &chip : chips()) {
    SCOPED_TRACE(chip);
    const std::string code = codeOf(fast.with({}), chip);
    for (const char *name : {"v_exp_f32", "v_log_f32", "v_sqrt_f32", "v_rcp_f32"})
      EXPECT_THAT(code, HasSubstr(name));
    EXPECT_THAT(code, Not(ContainsRegex("v_div_|v_ldexp|v_rndne")));
  }
}

/// One instruction each, which drops NaN and orders the zeros.
TEST(AmdKernels, extremesAreInstructions) {
  const auto extremes = kernel("extremes", {"x", "y"}, [](const OneConfig &c, Ptr<f32> x, Ptr<f32> y) {
    Tile i = arange(0, c.block);
    store(x + i, maximum(load(x + i), minimum(load(y + i), 3)));
  });
  for (const std::string &chip : chips()) {
    SCOPED_TRACE(chip);
    EXPECT_THAT(codeOf(extremes.with({}), chip),
                AllOf(ContainsRegex("v_(dual_)?max_(num_)?f32|v_max(imum|imum_num)?_f32|v_minmax"),
                      Not(ContainsRegex("v_cmp_(lt|o|u)_f32"))));
  }
}

/// The general variant has no requirement, and no wide accesses.
TEST(AmdKernels, variants) {
  for (const char *chip : {"hip:gfx942", "hip:gfx1100"})
    compile(softmax<f32>.with(SoftmaxConfig::forColumns(1000)), chip, {.aligned = false});
}

TEST(AmdKernels, optionsBoundRegisters) {
  const auto registersOf = [](CompileOptions options, const char *chip) {
    const Binary binary = functions.with({.block = 2048}, options).compile(Target(chip));
    const Facts facts(binary.facts().begin(), binary.facts().end());
    return std::stoi(facts.at("registers"));
  };
  EXPECT_GT(registersOf({}, "hip:gfx942"), 48);
  EXPECT_LE(registersOf({.max_registers = 48}, "hip:gfx942"), 48);
  EXPECT_GT(registersOf({}, "hip:gfx1100"), 48);
  EXPECT_LE(registersOf({.max_registers = 48}, "hip:gfx1100"), 48);
  EXPECT_LE(registersOf({.waves_per_eu = 8}, "hip:gfx942"), 64);
}

TEST(AmdKernels, linesOfTheSourceAreKeptWhereAsked) {
  const auto code = [](bool lines) {
    return vector_add<f32>.with({}, {.line_info = lines}).print("asm", Target("hip:gfx942"));
  };
  EXPECT_THAT(code(true), AllOf(ContainsRegex("\\.file.*vector_add.h"), HasSubstr(".loc\t")));
  EXPECT_THAT(code(false), Not(HasSubstr(".loc\t")));
}

TEST(AmdKernels, inlineAssembly) {
  const auto doubled = kernel("doubled", {"x"}, [](const OneConfig &c, Ptr<f32> x) {
    Tile i = arange(0, c.block);
    store(x + i, inline_asm({{"hip", "v_add_f32 $0, $1, $1", "=v,v"}}, f32, {load(x + i)}));
  });
  for (const std::string &chip : chips()) {
    SCOPED_TRACE(chip);
    EXPECT_THAT(codeOf(doubled.with({}), chip), ContainsRegex("ASMSTART\n[ \t]*v_add_f32"));
    compile(doubled.with({}), chip);
  }
}

template <class Kernel> static std::string refusal(const Kernel &kernel, const std::string &chip) {
  try {
    kernel.compile(Target(chip), {});
  } catch (const CompileError &error) {
    return error.what();
  }
  ADD_FAILURE() << "it compiles";
  return {};
}

TEST(AmdKernels, whatIsNoAssemblyIsRefusedAtTheKernelsLine) {
  const auto nonsense = kernel("nonsense", {"x"}, [](const OneConfig &c, Ptr<f32> x) {
    Tile i = arange(0, c.block);
    store(x + i, inline_asm({{"hip", "v_no_such_thing $0, $1", "=v,v"}}, f32, {load(x + i)}));
  });
  EXPECT_THAT(refusal(nonsense.with({}), "hip:gfx942"),
              AllOf(HasSubstr("KernelsTest.cpp"), HasSubstr("invalid instruction")));
  const auto impossible = kernel("impossible", {"x"}, [](const OneConfig &c, Ptr<f32> x) {
    Tile i = arange(0, c.block);
    store(x + i, inline_asm({{"hip", "v_mov_b32 $0, $1", "=q,v"}}, f32, {load(x + i)}));
  });
  EXPECT_THAT(refusal(impossible.with({}), "hip:gfx942"), HasSubstr("KernelsTest.cpp"));
}

TEST(AmdKernels, whatDoesNotFitIsRefused) {
  EXPECT_THAT(refusal(vector_add<f32>.with({}, {.num_warps = 32}), "hip:gfx942"), HasSubstr("16 warps"));
}
