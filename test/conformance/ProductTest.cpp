//===- ProductTest.cpp - products of matrices and attention ---------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Whole matrices of any size, in every memory order, by blocks, warps and stages of many kinds. The interpreter would
// take too long for large ones, so results are compared with plain loops: products of small integers to the last bit,
// of which every order of adding gives the same, and some rows of attention within its tolerance. GPUs get sizes of up
// to thousands.
//
//===---------------------------------------------------------------------===//

#include "conformance/Conformance.h"

#include "attention/attention.h"
#include "lab/Inputs.h"
#include "lab/Tolerances.h"
#include "matmul/matmul.h"
#include "reference/attention.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <set>

namespace tessera::conformance {
namespace {

using kernels::AttentionConfig;
using kernels::MatmulConfig;
using kernels::productType;
using kernels::sumType;

constexpr std::int64_t kSmall[] = {1, 2, 3, 8, 16, 17, 31, 40, 64, 65, 100};
constexpr std::int64_t kLarge[] = {1, 7, 16, 33, 64, 100, 257, 1024, 1000, 4095, 5000};
static_assert(std::size(kSmall) == std::size(kLarge));

bool onGpu() {
  const std::string family = Device::current().target().family();
  return (family == "cuda" || family == "hip") && !Device::current().name().starts_with("sim");
}
std::int64_t sizeOf(std::size_t choice) { return onGpu() ? kLarge[choice] : kSmall[choice]; }

/// Places of 0 to \p size - 1 that are looked at: all, or of many the first, the last, and some others.
std::vector<std::int64_t> lookedAt(std::int64_t size, std::int64_t most, std::mt19937_64 &random) {
  std::set<std::int64_t> places = {0, size - 1};
  for (std::int64_t i = 0; i != size && size <= most; ++i)
    places.insert(i);
  while (std::ssize(places) < std::min(size, most))
    places.insert(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(size)));
  return {places.begin(), places.end()};
}

/// Integers from -4 to 4, row after row.
std::vector<std::int8_t> integers(std::int64_t count, std::mt19937_64 &random) {
  std::vector<std::int8_t> values(static_cast<std::size_t>(count));
  for (std::int8_t &value : values)
    value = static_cast<std::int8_t>(static_cast<int>(random() % 9) - 4);
  return values;
}

/// What lies between rows: so many elements, or what makes rows begin at multiples of 16 elements.
enum class Gap : std::uint8_t { None, One, ToMultiple };

/// From the first element of a row of \p cols to that of the next.
std::int64_t strideOf(std::int64_t cols, Gap gap) {
  return gap == Gap::None ? cols : gap == Gap::One ? cols + 1 : cdiv(cols + 1, 16) * 16;
}

/// \p values, `rows` x `cols`, as they are stored: perhaps as their transpose, with poisoned elements between.
template <DType T>
std::vector<host_type<T>> stored(const std::vector<std::int8_t> &values, std::int64_t rows, std::int64_t cols,
                                 bool transposed, Gap gap) {
  const std::int64_t stride = strideOf(transposed ? rows : cols, gap), lines = transposed ? cols : rows;
  std::vector<host_type<T>> elements(static_cast<std::size_t>(lines * stride), kernels::lab::poison<T>());
  for (std::int64_t i = 0; i != rows; ++i)
    for (std::int64_t j = 0; j != cols; ++j)
      elements[static_cast<std::size_t>(transposed ? j * stride + i : i * stride + j)] =
          static_cast<host_type<T>>(static_cast<float>(values[static_cast<std::size_t>(i * cols + j)]));
  return elements;
}

struct Sizes {
  std::int64_t m, n, k;
};

/// How the blocks of a program fit a chip: fewer stages or more warps where what was drawn does not.
CompileOptions fitting(const MatmulConfig &config, CompileOptions options, DType type) {
  const int round = (config.bm + config.bn) * config.bk * type.bytes();
  while (options.num_stages > 1 && options.num_stages * round > 96 * 1024)
    --options.num_stages;
  while (options.num_warps < 8 && config.bm * config.bn * sumType(type).bytes() > 512 * 32 * options.num_warps)
    options.num_warps *= 2;
  return options;
}

template <DType T>
void checkProduct(const Sizes &sizes, const MatmulConfig &config, const CompileOptions &options, Gap gap,
                  std::uint64_t seed) {
  constexpr DType Out = productType(T);
  const auto [m, n, k] = sizes;
  std::mt19937_64 random(seed);
  const auto a = integers(m * k, random), b = integers(k * n, random);
  const Device device = Device::current();
  const Buffer<T> left = device.upload<T>(stored<T>(a, m, k, config.ta, gap)),
                  right = device.upload<T>(stored<T>(b, k, n, config.tb, gap));
  const host_type<Out> poison = kernels::lab::poison<Out>();
  const std::int64_t stride = strideOf(n, gap);
  Buffer<Out> out = device.buffer<Out>(m * stride);
  out.fill(poison);
  kernels::matmul<T>.with(config, options).launch(device, Grid(cdiv(m, config.bm) * cdiv(n, config.bn)), left, right, out, m, n, k, strideOf(config.ta ? m : k, gap), strideOf(config.tb ? k : n, gap), stride);
  device.synchronize();
  const auto found = out.download();
  const auto isPoison = [&](std::int64_t at) {
    return std::memcmp(&found[static_cast<std::size_t>(at)], &poison, sizeof poison) == 0;
  };
  for (std::int64_t at = 0; at != m * stride; ++at)
    ASSERT_EQ(isPoison(at), at % stride >= n) << "row " << at / stride << ", column " << at % stride;
  const auto expectElement = [&](std::int64_t i, std::int64_t j) {
    std::int32_t sum = 0;
    for (std::int64_t l = 0; l != k; ++l)
      sum += a[static_cast<std::size_t>(i * k + l)] * b[static_cast<std::size_t>(l * n + j)];
    const auto want = static_cast<double>(static_cast<host_type<Out>>(static_cast<double>(sum)));
    ASSERT_EQ(static_cast<double>(found[static_cast<std::size_t>(i * stride + j)]), want)
        << "row " << i << ", column " << j;
  };
  const std::int64_t most = onGpu() ? 40 : 100;
  const auto rows = lookedAt(m, most, random), cols = lookedAt(n, most, random);
  for (std::int64_t i : rows)
    for (std::int64_t j : cols) {
      expectElement(i, j);
      if (testing::Test::HasFatalFailure())
        return;
    }
}

class Product : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Part, Product, testing::Range<std::size_t>(0, kParts));

TEST_P(Product, matmul) {
  constexpr DType types[] = {f16, bf16, f32, f32, e4m3, e5m2, i8, f64};
  constexpr std::size_t tf32 = 3; // its place among the types
  constexpr int blocks[][3] = {{16, 16, 16}, {32, 64, 32}, {64, 64, 64}, {64, 128, 32}, {128, 64, 64}, {128, 128, 32}};
  constexpr Gap gaps[] = {Gap::None, Gap::One, Gap::ToMultiple};
  const std::size_t all = std::size(kSmall);
  const std::size_t levels[] = {std::size(types), 4, all, all, all, std::size(blocks), 4, 5, std::size(gaps)};
  runPart(levels, GetParam(), [&](const Choice &c, std::uint64_t seed) {
    const DType type = types[c[0]];
    const Sizes sizes{sizeOf(c[2]), sizeOf(c[3]), sizeOf(c[4])};
    const auto &[bm, bn, bk] = blocks[c[5]];
    const MatmulConfig config{.bm = bm,
                              .bn = bn,
                              .bk = bk,
                              .group = static_cast<int>(1 + seed % 8),
                              .ta = c[1] % 2 != 0,
                              .tb = c[1] / 2 != 0,
                              .precision = c[0] == tf32 ? Precision::tf32 : Precision::ieee};
    const CompileOptions options = fitting(config, optionsOf(c[6], c[7]), type);
    SCOPED_TRACE(describe(type, {sizes.m, sizes.n, sizes.k}) + ", " + tessera::detail::configText(config) + ", gap " +
                 std::to_string(c[8]) + ", warps " + std::to_string(options.num_warps) + ", stages " +
                 std::to_string(options.num_stages));
    const auto check = [&]<DType T>() { checkProduct<T>(sizes, config, options, gaps[c[8]], seed); };
    type == f16    ? check.operator()<f16>()
    : type == bf16 ? check.operator()<bf16>()
    : type == f32  ? check.operator()<f32>()
    : type == f64  ? check.operator()<f64>()
    : type == e4m3 ? check.operator()<e4m3>()
    : type == e5m2 ? check.operator()<e5m2>()
                   : check.operator()<i8>();
  });
}

template <DType T>
void checkAttention(std::int64_t heads, std::int64_t seq, const AttentionConfig &config, const CompileOptions &options,
                    std::uint64_t seed) {
  kernels::lab::Random random(seed);
  const std::int64_t d = config.d, size = heads * seq * d;
  const double scale = 1 / std::sqrt(static_cast<double>(d));
  const auto count = static_cast<std::size_t>(size);
  const auto q = random.values<T>(count, -2, 2), k = random.values<T>(count, -2, 2), v = random.values<T>(count);
  const Device device = Device::current();
  const Buffer<T> queries = device.upload<T>(q), keys = device.upload<T>(k), values = device.upload<T>(v);
  Buffer<T> out = device.buffer<T>(size);
  out.fill(kernels::lab::poison<T>());
  kernels::attention<T>.with(config, options).launch(device, Grid(cdiv(seq, config.bm), heads), queries, keys, values, out, none, heads, seq, static_cast<float>(scale));
  const auto found = kernels::lab::exactValues(out.download());
  for (std::size_t i = 0; i != count; ++i)
    ASSERT_FALSE(std::isnan(found[i])) << "element " << i;
  const auto exactQ = kernels::lab::exactValues(q), exactK = kernels::lab::exactValues(k),
             exactV = kernels::lab::exactValues(v);
  // Its scores are up to four times those of inputs below 1.
  const kernels::lab::Tolerance tolerance = kernels::lab::attentionTolerance(T, seq, d, 4 * scale);
  std::mt19937_64 places(seed);
  for (std::int64_t row : lookedAt(heads * seq, onGpu() ? 16 : 200, places)) {
    const auto first = static_cast<std::ptrdiff_t>(row * d), head = static_cast<std::ptrdiff_t>(row / seq * seq * d);
    const auto seen = static_cast<std::size_t>(config.causal ? row % seq + 1 : seq);
    const auto exact = kernels::reference::attentionRow(
        &exactQ[static_cast<std::size_t>(first)], &exactK[static_cast<std::size_t>(head)],
        &exactV[static_cast<std::size_t>(head)], seen, static_cast<std::size_t>(d), scale);
    const auto compared = kernels::lab::compare({found.begin() + first, found.begin() + first + d},
                                                {exact.out, exact.magnitude}, tolerance);
    ASSERT_TRUE(compared.passed()) << "row " << row << ": " << compared.summary() << ", " << compared.worstElement();
  }
}

TEST_P(Product, attention) {
  constexpr DType types[] = {f16, bf16, f32};
  constexpr int blocks[][2] = {{16, 16}, {64, 64}, {128, 64}, {64, 128}, {32, 64}, {128, 128}};
  const std::size_t levels[] = {std::size(types), 2, 4, std::size(kSmall), std::size(blocks), 4, 5, 3};
  runPart(levels, GetParam(), [&](const Choice &c, std::uint64_t seed) {
    const DType type = types[c[0]];
    const int widest = type == f32 ? 64 : 128; // what fits into the memory that a block shares
    const AttentionConfig config{.bm = std::min(blocks[c[4]][0], widest),
                                 .bn = std::min(blocks[c[4]][1], widest),
                                 .d = 16 << c[2],
                                 .causal = c[1] != 0};
    const std::int64_t heads = 1 + static_cast<std::int64_t>(c[7]), seq = sizeOf(c[3]);
    CompileOptions options = optionsOf(c[5], c[6]);
    while (options.num_stages > 1 &&
           (config.bm + 2 * options.num_stages * config.bn) * config.d * type.bytes() > 96 * 1024)
      --options.num_stages;
    while (options.num_warps < 8 && config.bm * (config.d + 2 * config.bn) > 128 * 32 * options.num_warps)
      options.num_warps *= 2;
    SCOPED_TRACE(describe(type, {heads, seq, config.d}) + ", " + tessera::detail::configText(config) + ", warps " +
                 std::to_string(options.num_warps) + ", stages " + std::to_string(options.num_stages));
    type == f16    ? checkAttention<f16>(heads, seq, config, options, seed)
    : type == bf16 ? checkAttention<bf16>(heads, seq, config, options, seed)
                   : checkAttention<f32>(heads, seq, config, options, seed);
  });
}

} // namespace
} // namespace tessera::conformance
