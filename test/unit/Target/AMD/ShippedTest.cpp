//===- ShippedTest.cpp - what tuning chooses from, for every chip of AMD --===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The shipped kernels with the configurations of their spaces, through the public interface: they have the instructions
// that make them fast and none of those that would make them slow, and fit into registers.
//
//===---------------------------------------------------------------------===//

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

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <regex>
#include <string>
#include <vector>

using namespace tessera;
using namespace tessera::kernels;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

namespace {

/// The code of one configuration.
struct Code {
  std::string text, chip;

  bool hasUnits(DType type) const { return chip.starts_with("hip:gfx9") || type.bytes() < 4; }
  /// Whether every lane of a warp reaches every other one without memory.
  bool crossesInRegisters() const { return chip != "hip:gfx90a" && chip != "hip:gfx942"; }
  std::int64_t count(const char *pattern) const {
    const std::regex regex(pattern, std::regex::optimize);
    return std::distance(std::sregex_iterator(text.begin(), text.end(), regex), std::sregex_iterator());
  }
  /// A number of the code object's metadata.
  std::int64_t fact(const std::string &name) const {
    const std::size_t at = text.find("." + name + ":");
    return at == std::string::npos ? -1 : std::stoll(text.substr(at + name.size() + 2));
  }
};

const char *const kFusedAdd = "v_(dual_|pk_)?(fma|fmac|mac|mad|fmaak|fmamk)(_mix\\w*)?_f(16|32)";
const char *const kMatrix = "v_(mfma|wmma)_";
const char *const kWideLoad = "(global|buffer)_load_(lds_)?(dwordx4|b128)";
const char *const kWideSharedLoad = "ds_(read|load)_b128|ds_read_b64_tr_b(8|16)";

class Shipped : public testing::TestWithParam<std::string> {
protected:
  Target target() const { return Target(GetParam()); }

  /// Compiles, checks what holds of every kernel, and gives the code.
  template <class Kernel, class Config>
  Code codeOf(const Kernel &kernel, const std::string &name, const Candidate<Config> &candidate,
              const Variant &variant = {}) {
    const std::string label =
        fmt::format("{}, {} warps{}", name, candidate.options.num_warps, variant.aligned ? "" : ", general");
    SCOPED_TRACE(label);
    const Code code{kernel.with(candidate.config, candidate.options).print("asm", target(), variant), GetParam()};
    const std::string key = GetParam() + ": " + label;
    const std::int64_t spilled = code.fact("vgpr_spill_count"), stack = code.fact("private_segment_fixed_size");
    EXPECT_EQ(spilled, 0) << key;
    EXPECT_EQ(stack, 0) << key;
    EXPECT_THAT(code.text, Not(ContainsRegex("scratch_(load|store)|buffer_(load|store)_[a-z0-9]+ v[^,]*, off,")));
    EXPECT_THAT(code.text, Not(ContainsRegex("flat_(load|store|atomic)")));
    return code;
  }

  /// Elements move 16 bytes at a time.
  template <class Kernel, class Config>
  void checkElements(const Kernel &kernel, DType type, const std::vector<Candidate<Config>> &space) {
    for (const Candidate<Config> &c : {space.front(), space.back()}) {
      const std::string name = fmt::format("{}<{}> of {}", kernel.name(), type.name(), c.config.block);
      const Code code = codeOf(kernel, name, c);
      if (c.config.block * type.bytes() >= 16 * c.options.num_warps * target().warp_size()) {
        EXPECT_THAT(code.text, ContainsRegex(kWideLoad)) << name;
      }
      codeOf(kernel, name, c, {.aligned = false});
    }
  }

  /// Rows are reduced in operands of instructions, and in memory only where the chip's lanes do not reach each other.
  template <class Kernel, class Config>
  void checkRows(const Kernel &kernel, DType type, const std::string &what, const std::vector<Candidate<Config>> &space,
                 const Variant &variant = {}) {
    for (const Candidate<Config> &c : {space.front(), space.back()}) {
      const std::string name = fmt::format("{}<{}> {}", kernel.name(), type.name(), what);
      const Code code = codeOf(kernel, name, c, variant);
      SCOPED_TRACE(name);
      EXPECT_THAT(code.text, ContainsRegex("_dpp|quad_perm|row_(xmask|ror|shr|half_mirror|mirror)"));
      if (code.crossesInRegisters())
        EXPECT_THAT(code.text, Not(ContainsRegex("ds_(swizzle|bpermute)")));
      else
        EXPECT_LE(code.count("ds_(swizzle|bpermute)"), code.count("_dpp"));
    }
  }

  /// Products are the matrix units', whose operands come from shared memory 16 bytes at a time.
  template <class Config> void checkUnits(const Code &code, DType type, const Config &c, bool hasWideOperands) {
    if (!code.hasUnits(type))
      return;
    EXPECT_THAT(code.text, ContainsRegex(kMatrix));
    EXPECT_LT(code.count(kFusedAdd), std::int64_t{c.bm} * c.bn / 64) << "threads multiply";
    if (hasWideOperands)
      EXPECT_THAT(code.text, ContainsRegex(kWideSharedLoad));
  }

  template <class Kernel, class Config>
  void checkProduct(const Kernel &kernel, DType type, const char *layout, const Candidate<Config> &c,
                    const Variant &variant = {}) {
    const std::string name = fmt::format("{}<{}> {} of {} x {} x {}", kernel.name(), type.name(), layout, c.config.bm,
                                         c.config.bn, c.config.bk);
    const Code code = codeOf(kernel, name, c, variant);
    SCOPED_TRACE(name);
    checkUnits(code, type, c.config, type.bytes() <= 2);
    if (variant.aligned)
      EXPECT_THAT(code.text, ContainsRegex(kWideLoad));
  }
};

const std::vector<std::string> &chips() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> list;
    std::ranges::copy_if(Target::known(), std::back_inserter(list),
                         [](const std::string &target) { return target.starts_with("hip:"); });
    return list;
  }();
  return all;
}

struct Layout {
  const char *name;
  bool ta, tb;
};
constexpr Layout kNN{"NN", false, false}, kNT{"NT", false, true}, kTN{"TN", true, false}, kTT{"TT", true, true};

/// The first \p most of a space.
template <class Config> std::vector<Candidate<Config>> firstOf(std::vector<Candidate<Config>> space, std::size_t most) {
  space.resize(std::min(space.size(), most));
  return space;
}

} // namespace

TEST_P(Shipped, elements) {
  checkElements(vector_add<f32>, f32, elementwise_space<AddConfig>(target()));
  checkElements(vector_add<bf16>, bf16, elementwise_space<AddConfig>(target()));
  checkElements(relu_add<f16>, f16, elementwise_space<ReluAddConfig>(target()));
  checkElements(dropout<f32>, f32, elementwise_space<DropoutConfig>(target()));
  checkElements(dropout<f16>, f16, elementwise_space<DropoutConfig>(target()));
  checkElements(sum_parts<f16>, f32, elementwise_space<SumPartsConfig>(target()));
}

TEST_P(Shipped, rows) {
  for (const int cols : {128, 781, 4096, 8192})
    checkRows(softmax<f16>, f16, fmt::format("of {}", cols), row_space(target(), SoftmaxConfig::forColumns(cols, f16)));
  checkRows(softmax<f32>, f32, "of 1000", row_space(target(), SoftmaxConfig::forColumns(1000)), {.aligned = false});
  checkRows(softmax<f32>, f32, "in parts", row_space(target(), SoftmaxConfig::forColumns(100'000)));
  for (const int cols : {1024, 8192}) {
    const std::string what = fmt::format("of {}", cols);
    checkRows(rms_norm<f16>, f16, what, row_space(target(), RmsNormConfig::forColumns(cols)));
    checkRows(layer_norm<f16>, f16, what, row_space(target(), LayerNormConfig::forColumns(cols)));
    checkRows(layer_norm_backward<f16>, f16, what,
              layer_norm_backward_space(target(), LayerNormBackwardConfig::forColumns(cols)));
  }
  checkRows(layer_norm<f32>, f32, "of 1000", row_space(target(), LayerNormConfig::forColumns(1000)),
            {.aligned = false});
  checkRows(cross_entropy<bf16>, bf16, "", elementwise_space<CrossEntropyConfig>(target()));
  checkRows(masked_mean<f32>, f32, "", elementwise_space<MaskedMeanConfig>(target()));
}

TEST_P(Shipped, products) {
  for (const auto &c : matmul_space(target(), f16, {.tb = true}))
    checkProduct(matmul<f16>, f16, "NT", c);
  for (const Layout &layout : {kNN, kTN, kTT})
    for (const auto &c : firstOf(matmul_space(target(), f16, {.ta = layout.ta, .tb = layout.tb}), 2))
      checkProduct(matmul<f16>, f16, layout.name, c);
  for (const Layout &layout : {kNN, kNT})
    for (const auto &c : firstOf(matmul_space(target(), f16, {.tb = layout.tb}), 2))
      checkProduct(matmul<f16>, f16, layout.name, c, {.aligned = false});
}

TEST_P(Shipped, productsOfOtherTypes) {
  for (const auto &c : firstOf(matmul_space(target(), bf16, {.tb = true}), 2))
    checkProduct(matmul<bf16>, bf16, "NT", c);
  for (const auto &c : firstOf(matmul_space(target(), i8, {.tb = true}), 2))
    checkProduct(matmul<i8>, i8, "NT", c);
  for (const auto &c : firstOf(matmul_space(target(), e4m3, {.tb = true}), 2)) {
    checkProduct(matmul<e4m3>, e4m3, "NT", c);
    checkProduct(matmul<e4m3fnuz>, e4m3fnuz, "NT", c);
  }
  for (const auto &c : matmul_space(target(), f32))
    checkProduct(matmul<f32>, f32, "NN", c);
}

TEST_P(Shipped, productsOfOtherKinds) {
  for (const auto &c : firstOf(matmul_space(target(), f16), 2)) {
    checkProduct(batched_matmul<f16>, f16, "NN", c);
    checkProduct(batched_matmul<f16>, f16, "NN", c, {.aligned = false});
  }
  for (const auto &c : split_matmul_space(target(), f16, {.tb = true}))
    if (c.config.splits == 4)
      checkProduct(split_matmul<f16>, f16, "NT", c);
  for (const int bits : {8, 4})
    for (const auto &c : firstOf(dequant_matmul_space(target(), f16, {.bits = bits}), 3))
      checkProduct(dequant_matmul<f16>, f16, bits == 8 ? "of bytes" : "of half bytes", c);
}

TEST_P(Shipped, attention) {
  const auto check = [&](const auto &kernel, DType type, const AttentionConfig &base, std::size_t most) {
    for (const auto &c : firstOf(attention_space(target(), type, base), most)) {
      const std::string name = fmt::format("attention<{}> of {} x {}, d = {}{}", type.name(), c.config.bm, c.config.bn,
                                           c.config.d, c.config.causal ? ", causal" : "");
      const Code code = codeOf(kernel, name, c);
      SCOPED_TRACE(name);
      EXPECT_THAT(code.text, ContainsRegex(kWideLoad));
      EXPECT_THAT(code.text, ContainsRegex(kMatrix));
      EXPECT_THAT(code.text, ContainsRegex(kWideSharedLoad));
      const std::int64_t threads = std::int64_t{c.options.num_warps} * target().warp_size();
      EXPECT_LT(code.count(kFusedAdd), std::int64_t{c.config.bm} * c.config.bn * c.config.d / threads / 4)
          << "threads multiply";
      if (code.crossesInRegisters())
        EXPECT_THAT(code.text, Not(ContainsRegex("ds_(swizzle|bpermute)")));
    }
  };
  for (const int d : {64, 128})
    for (const bool causal : {false, true})
      check(attention<f16>, f16, {.d = d, .causal = causal}, 4);
  check(attention<bf16>, bf16, {.d = 64}, 1);
}

INSTANTIATE_TEST_SUITE_P(Amd, Shipped, testing::ValuesIn(chips()), [](const testing::TestParamInfo<std::string> &info) {
  return info.param.substr(info.param.find(':') + 1);
});
