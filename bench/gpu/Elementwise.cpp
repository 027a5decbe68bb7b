//===- Elementwise.cpp - vector_add, relu_add and a plain copy -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Case.h"
#include "RawDriver.h"

#include "relu_add/relu_add.h"
#include "spaces.h"
#include "vector_add/vector_add.h"

#include <cstring>

namespace tessera::bench {

namespace {

/// Compares some of the elements with exact sums, rounded once; \p exact makes one of the sum.
template <DType T, class Exact>
std::string wrongElement(const Buffer<T> &out, const Pattern<T> &x, const Pattern<T> &y, Exact exact) {
  const auto found = out.download();
  const std::int64_t n = out.size();
  for (std::int64_t i = 0; i < n; i += i < n - 5000 ? 61 : 1) {
    const auto expected = static_cast<host_type<T>>(exact(x[i] + y[i]));
    if (std::memcmp(&expected, &found[static_cast<std::size_t>(i)], sizeof expected) != 0)
      return "element " + std::to_string(i) + " is " +
             std::to_string(static_cast<double>(found[static_cast<std::size_t>(i)])) + " instead of " +
             std::to_string(static_cast<double>(expected));
  }
  return {};
}

/// What relu_add does after vector_add, as a kernel of its own.
const auto relu = kernel("relu", {"x", "n"}, [](const kernels::AddConfig &c, Ptr<f32> x, Int n) {
  Tile offs = program_id(0) * c.block + arange(0, c.block);
  Tile mask = offs < n;
  store(x + offs, maximum(load(x + offs, {.mask = mask}), 0), {.mask = mask});
});

/// One kernel that takes x, y, out and n, and perhaps the same result by two kernels, to see what fusing them saves.
template <DType T, class Kernel, class Exact>
void measureSum(const char *name, const Kernel &kernel, std::int64_t n, Exact exact, const Timer &timer,
                Settings &settings, bool unfused = false) {
  if (settings.brief)
    n = n / 1024 + n % 2;
  const Pattern<T> px(1), py(2);
  const Buffer<T> x = px.upload(n), y = py.upload(n);
  Buffer<T> out = device().buffer<T>(n);
  out.fill(static_cast<host_type<T>>(-99.0f));
  Case problem{name, std::to_string(n), T, 3.0 * sizeof(host_type<T>) * static_cast<double>(n), {}, {}};
  for (const auto &[config, options] : kernels::elementwise_space<typename Kernel::config_type>(device().target()))
    problem.candidates.push_back(
        {"BLOCK=" + std::to_string(config.block) + ",num_warps=" + std::to_string(options.num_warps),
         prepared(kernel.with(config, options), Grid{cdiv(n, config.block)}, x, y, out, n)});
  problem.wrong = [&] { return wrongElement(out, px, py, exact); };
  measure(problem, timer, settings);
  if constexpr (T == f32)
    if (unfused) {
      constexpr int block = 1024;
      const auto add = prepared(kernels::vector_add<T>.with({.block = block}), Grid{cdiv(n, block)}, x, y, out, n);
      const auto then = prepared(relu.with({.block = block}), Grid{cdiv(n, block)}, out, n);
      problem.candidates = {{"vector_add, then relu", [=](const Stream &stream) {
                               add(stream);
                               then(stream);
                             }}};
      Settings other = settings;
      other.system += "-unfused";
      measure(problem, timer, other);
      settings.failures = other.failures;
    }
}

void measureCopy(const Timer &timer, Settings &settings) {
  const RawDriver *driver = RawDriver::get();
  if (!driver || device().target().family() != "cuda")
    return;
  constexpr std::int64_t n = std::int64_t{1} << 28;
  const Buffer<f32> from = device().buffer<f32>(n), to = device().buffer<f32>(n);
  Case problem{"copy", std::to_string(n), f32, 8.0 * n, {}, [] { return std::string(); }};
  problem.candidates.push_back({"cuMemcpyDtoDAsync", [&, driver](const Stream &stream) {
                                  driver->useDevice();
                                  driver->copy(to.data(), from.data(), 4 * n, stream.native());
                                }});
  measure(problem, timer, settings);
}

} // namespace

void measureElementwise(const Timer &timer, Settings &settings) {
  measureCopy(timer, settings);
  const auto sum = [](double value) { return value; };
  const auto positive = [](double value) { return value > 0 ? value : 0; };
  constexpr std::int64_t large = std::int64_t{1} << 28, small = std::int64_t{1} << 24, odd = 100'000'007;
  for (std::int64_t n : {large, small, odd})
    measureSum<f32>("vector_add", kernels::vector_add<f32>, n, sum, timer, settings);
  for (std::int64_t n : {large, small, odd})
    measureSum<bf16>("vector_add", kernels::vector_add<bf16>, n, sum, timer, settings);
  measureSum<f32>("relu_add", kernels::relu_add<f32>, large, positive, timer, settings, true);
}

} // namespace tessera::bench
