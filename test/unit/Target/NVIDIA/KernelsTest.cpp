//===- KernelsTest.cpp - kernels of all kinds for every chip of NVIDIA ----===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Compiles through the public interface, without a GPU: to a cubin where there is an assembler, else to PTX, of which
// less can be said.
//
//===---------------------------------------------------------------------===//

#include "unit/Target/Gpu/LanguageKernels.h"

#include "attention/attention.h"
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
#include "vector_add/vector_add.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

using namespace tessera;
using namespace tessera::kernels;
using namespace tessera::test;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

namespace {

const std::vector<std::string> &chips() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> list;
    for (const std::string &target : Target::known())
      if (target.starts_with("cuda:"))
        list.push_back(target);
    return list;
  }();
  return all;
}

/// A compiled kernel with its facts.
struct Compiled {
  explicit Compiled(const Binary &binary)
      : facts(binary.facts().begin(), binary.facts().end()), format(binary.format()),
        text(reinterpret_cast<const char *>(binary.bytes().data()), binary.bytes().size()) {}

  std::string fact(const std::string &name) const {
    const auto found = facts.find(name);
    return found == facts.end() ? "" : found->second;
  }

  std::map<std::string, std::string> facts;
  std::string format, text;
};

/// What holds of every kernel: it fits into registers, every address says its memory, the assembler has no complaint.
template <class Kernel> Compiled compile(const Kernel &kernel, const std::string &target, const Variant &variant = {}) {
  const Compiled compiled(kernel.compile(Target(target), variant));
  if (compiled.format == "ptx") {
    EXPECT_THAT(compiled.text, Not(HasSubstr(".local")));
    EXPECT_THAT(compiled.text, Not(ContainsRegex("[ \t](ld|st|atom|red)\\.(v[248]\\.)?[busf](8|16|32|64)")));
    return compiled;
  }
  EXPECT_EQ(compiled.format, "cubin");
  EXPECT_EQ(compiled.fact("spill_bytes"), "0");
  EXPECT_EQ(compiled.fact("stack_bytes"), "0");
  EXPECT_EQ(compiled.fact("flat_accesses"), "");
  EXPECT_EQ(compiled.fact("assembler_warnings"), "");
  EXPECT_NE(compiled.fact("registers"), "");
  return compiled;
}

template <class Kernel> void compileForAll(const Kernel &kernel) {
  for (const std::string &chip : chips()) {
    SCOPED_TRACE(chip);
    compile(kernel, chip);
    if (chip == "cuda:sm_90a")
      compile(kernel, chip, {.aligned = false});
  }
}

/// Where no element is masked off, the kernel's accesses take 16 bytes of every lane, or all 32 that the chip can.
template <class Kernel> void expectWideAccesses(const Kernel &kernel) {
  for (const std::string &chip : chips()) {
    SCOPED_TRACE(chip);
    const Compiled compiled = compile(kernel, chip);
    if (compiled.format == "ptx") {
      EXPECT_THAT(compiled.text, ContainsRegex("ld.global.v[48].b32"));
      EXPECT_THAT(compiled.text, ContainsRegex("st.global.v[48].b32"));
      continue;
    }
    EXPECT_THAT(compiled.fact("global_loads"), ContainsRegex("^[0-9]+ of (16|32) bytes"));
    EXPECT_THAT(compiled.fact("global_stores"), ContainsRegex("^[0-9]+ of (16|32) bytes"));
  }
}

} // namespace

TEST(NvidiaKernels, vectorAdd) {
  expectWideAccesses(vector_add<f32>.with({}));
  expectWideAccesses(vector_add<bf16>.with({}));
  compileForAll(vector_add<f16>.with({}));
  compileForAll(vector_add<f64>.with({}));
}

TEST(NvidiaKernels, reluAdd) {
  expectWideAccesses(relu_add<f32>.with({}));
  compileForAll(relu_add<bf16>.with({}));
}

TEST(NvidiaKernels, softmax) {
  for (const auto &[cols, warps] : {std::pair(1024, 4), std::pair(16384, 16)}) {
    expectWideAccesses(softmax<f32>.with(SoftmaxConfig::forColumns(cols), {.num_warps = warps}));
    expectWideAccesses(softmax<f16>.with(SoftmaxConfig::forColumns(cols), {.num_warps = warps}));
  }
  compileForAll(softmax<f16>.with(SoftmaxConfig::forColumns(128)));
}

/// A row of 512 KB fits the registers of eight blocks.
TEST(NvidiaKernels, softmaxOfClusters) {
  constexpr std::int64_t cols = 256 * 1024;
  const CompileOptions options{.num_warps = 16, .cluster = 8};
  for (const std::string &chip : chips()) {
    if (Target(chip).max_cluster() < options.cluster)
      continue;
    SCOPED_TRACE(chip);
    const Compiled compiled(
        softmax<f16>.with(SoftmaxConfig::forColumns(cols, f16, options.cluster), options).compile(Target(chip)));
    EXPECT_EQ(compiled.fact("blocks_of_program"), "8");
    EXPECT_EQ(compiled.fact("spill_bytes"), "0");
    EXPECT_EQ(compiled.fact("stack_bytes"), "0");
    EXPECT_EQ(compiled.fact("assembler_warnings"), "");
    // The maximum and the sum go to eight blocks each, whose shared memory has no addresses of its own kind.
    EXPECT_EQ(compiled.fact("flat_accesses"), "16");
    EXPECT_THAT(compiled.fact("global_loads"), ContainsRegex("^[0-9]+ of (16|32) bytes"));
  }
}

TEST(NvidiaKernels, rmsNorm) {
  expectWideAccesses(rms_norm<f16>.with(RmsNormConfig::forColumns(8192), {.num_warps = 16}));
  compileForAll(rms_norm<f32>.with({}));
}

TEST(NvidiaKernels, layerNorm) {
  expectWideAccesses(layer_norm<f16>.with(LayerNormConfig::forColumns(8192), {.num_warps = 16}));
  compileForAll(layer_norm<f32>.with({}));
}

TEST(NvidiaKernels, layerNormBackward) {
  compileForAll(layer_norm_backward<f32>.with({}));
  compileForAll(layer_norm_backward<f16>.with({}));
  compileForAll(sum_parts<f32>.with({}));
}

TEST(NvidiaKernels, crossEntropy) {
  compileForAll(cross_entropy<f32>.with({}));
  compileForAll(cross_entropy<bf16>.with({}));
}

TEST(NvidiaKernels, dropout) {
  compileForAll(dropout<f32>.with({}));
  compileForAll(dropout<f16>.with({}));
}

TEST(NvidiaKernels, maskedMean) { compileForAll(masked_mean<f32>.with({})); }

TEST(NvidiaKernels, matmul) {
  compileForAll(matmul<f16>.with({.bm = 64, .bn = 64, .bk = 32}));
  compileForAll(matmul<f32>.with({.bm = 64, .bn = 64, .bk = 16}));
  compileForAll(matmul<bf16>.with({.bm = 64, .bn = 64, .bk = 32, .ta = true, .tb = true}));
  compileForAll(matmul<f32>.with({.bm = 64, .bn = 64, .bk = 16, .precision = Precision::tf32}));
  compileForAll(matmul<i8>.with({.bm = 64, .bn = 64, .bk = 64, .tb = true}));
}

TEST(NvidiaKernels, dequantMatmul) {
  compileForAll(dequant_matmul<f16>.with({.bm = 32, .bn = 64, .bk = 64}));
  compileForAll(dequant_matmul<f16>.with({.bm = 32, .bn = 64, .bk = 64, .bits = 4, .span = 32}));
}

TEST(NvidiaKernels, attention) {
  compileForAll(attention<f16>.with({.bm = 64, .bn = 32, .d = 64}));
  compileForAll(attention<bf16>.with({.bm = 64, .bn = 32, .d = 64, .causal = true}));
}

// 8 x 8 elements of a thread: in each step of k two vectors of rows and two of columns are read for 64 products, and
// two programs fit into the registers of a multiprocessor.
TEST(NvidiaKernels, exactProductsReadVectors) {
  const auto kernel = matmul<f32>.with({.bm = 128, .bn = 128, .bk = 16}, {.num_warps = 8});
  for (const char *chip : {"cuda:sm_80", "cuda:sm_90a"}) {
    SCOPED_TRACE(chip);
    const std::string code = kernel.print("asm", Target(chip));
    const auto count = [&](std::string_view text) {
      int found = 0;
      for (std::size_t at = code.find(text); at != std::string::npos; at = code.find(text, at + 1))
        ++found;
      return found;
    };
    EXPECT_GT(count("fma.rn.f32"), 0);
    EXPECT_EQ(count("fma.rn.f32"), 16 * count("ld.shared.v4"));
    EXPECT_EQ(count("ld.shared"), count("ld.shared.v4"));
    if (const std::string registers = compile(kernel, chip).fact("registers"); !registers.empty())
      EXPECT_LE(std::stoi(registers), 128);
  }
}

/// Results go to memory in rows: 16 bytes of a lane at once, or boxes by the copy unit, beside which one store in a
/// loop is for those that it may not store.
TEST(NvidiaKernels, resultsOfProductsAreStoredInRows) {
  for (const std::string &chip : chips()) {
    SCOPED_TRACE(chip);
    const Compiled compiled = compile(matmul<f16>.with({.bm = 64, .bn = 64, .bk = 32}), chip);
    if (compiled.format == "ptx")
      EXPECT_THAT(compiled.text, ContainsRegex("st.global.v[48].b32|cp.async.bulk.tensor.2d.global"));
    else
      EXPECT_THAT(compiled.fact("global_stores"), ContainsRegex("^([0-9]+ of (16|32) bytes)?(1 of 2 bytes)?$"));
  }
}

/// Kernels without loops are assembled so that several blocks fit a multiprocessor, which leaves an instruction of a
/// matrix unit too few registers for its results.
TEST(NvidiaKernels, aProductWithoutALoop) {
  const auto product = kernel("one_product", {"a", "b", "out"}, [](Ptr<f16> a, Ptr<f16> b, Ptr<f16> out) {
    Tile i = arange(0, 64), p = arange(0, 64), j = arange(0, 256);
    Tile x = dot(load(a + i.col() * 64 + p.row()), load(b + p.col() * 256 + j.row()));
    store(out + i.col() * 256 + j.row(), x.to(f16));
  });
  for (const int warps : {4, 8, 16})
    compileForAll(product.with({}, {.num_warps = warps}));
}

TEST(NvidiaKernels, atomics) {
  compileForAll(add_in_memory<f32>.with({}));
  compileForAll(add_in_memory<f16>.with({}));
  compileForAll(add_in_memory<bf16>.with({}));
  compileForAll(add_in_memory<f64>.with({}));
  compileForAll(add_in_memory<i8>.with({}));
  compileForAll(max_in_memory<f32>.with({}));
  compileForAll(max_in_memory<i16>.with({}));
}

TEST(NvidiaKernels, casts) {
  compileForAll(convert_elements<f32, e4m3>.with({}));
  compileForAll(convert_elements<e5m2, f16>.with({}));
  compileForAll(convert_elements<f64, bf16>.with({}));
}

TEST(NvidiaKernels, printsAndAssertions) { compileForAll(prints.with({}, {.checks = true})); }

TEST(NvidiaKernels, sortsAndScans) {
  compileForAll(sorts.with({}));
  compileForAll(sorts.with({}, {.max_registers = 64}));
}

TEST(NvidiaKernels, randomNumbers) { compileForAll(draws.with({})); }

TEST(NvidiaKernels, functions) {
  compileForAll(functions.with({}));
  compileForAll(functions.with({}, {.line_info = true}));
}
