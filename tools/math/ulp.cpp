//===- ulp.cpp - elementary functions of compiled kernels, exhaustively ------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
//   tessera-ulp [--device=<name>] [--step=<n>] [--bound=<ulp>] [--threads=<n>] [function...]
//
// Runs each function of one f32 through a kernel, over all 2^32 arguments or every n-th bit pattern, and compares with
// the C library in double. Prints a line for each; the exit status is 1 if an error is beyond the bound or a special
// value is not C's. The bound of a function is that of its portable definition unless one is given, for devices whose
// own instructions compute it.
//
//===---------------------------------------------------------------------===//

#include "tools/math/Reference.h"

#include "tessera/tessera.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>
#include <thread>
#include <vector>

using namespace tessera;

namespace {

struct UlpConfig {
  int block = 1024; ///< arguments per program
};

constexpr std::int64_t kChunk = std::int64_t(1) << 22; ///< arguments per launch

using Function = Tile (*)(Operand, std::source_location);

/// out[i] = f of the float whose bits are start + i * step.
template <Function f>
const auto apply = kernel("ulp", {"out", "start", "step"}, [](const UlpConfig &c, Ptr<f32> out, U32 start, U32 step) {
  Tile at = program_id(0) * c.block + arange(0, c.block);
  Tile x = (at.to(u32) * step + start).bitcast(f32);
  store(out + at, f(x, std::source_location::current()));
});

void launch(std::string_view function, const Device &device, const Buffer<f32> &out, std::uint32_t start,
            std::uint32_t step) {
  const auto with = [&](const auto &kernel) {
    constexpr UlpConfig config;
    kernel.with(config).launch(device.stream(), {kChunk / config.block}, out, start, step);
    device.synchronize();
  };
#define TESSERA_ULP_FUNCTION(name)                                                                                     \
  if (function == #name)                                                                                               \
  return with(apply<&tessera::name>)
  TESSERA_ULP_FUNCTION(exp);
  TESSERA_ULP_FUNCTION(exp2);
  TESSERA_ULP_FUNCTION(expm1);
  TESSERA_ULP_FUNCTION(log);
  TESSERA_ULP_FUNCTION(log2);
  TESSERA_ULP_FUNCTION(log10);
  TESSERA_ULP_FUNCTION(log1p);
  TESSERA_ULP_FUNCTION(sin);
  TESSERA_ULP_FUNCTION(cos);
  TESSERA_ULP_FUNCTION(tan);
  TESSERA_ULP_FUNCTION(tanh);
  TESSERA_ULP_FUNCTION(sigmoid);
  TESSERA_ULP_FUNCTION(softplus);
  TESSERA_ULP_FUNCTION(erf);
  TESSERA_ULP_FUNCTION(rsqrt);
#undef TESSERA_ULP_FUNCTION
  std::fprintf(stderr, "no function called %.*s\n", static_cast<int>(function.size()), function.data());
  std::exit(2);
}

struct Options {
  std::string device = "cpu";
  std::uint32_t step = 1;
  double bound = 0; ///< 0: each function's own
  unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::string> functions;
};

using Errors = reference::Errors<float, double>;

/// Compares the results of one launch, a part a thread.
void compare(std::vector<Errors> &errors, const std::vector<float> &results, std::int64_t count,
             double (*exact)(double), std::uint32_t start, std::uint32_t step) {
  const auto part = [&](std::size_t index) {
    const auto begin = count * static_cast<std::int64_t>(index) / static_cast<std::int64_t>(errors.size());
    const auto end = count * static_cast<std::int64_t>(index + 1) / static_cast<std::int64_t>(errors.size());
    for (std::int64_t i = begin; i < end; ++i) {
      const float x = std::bit_cast<float>(start + static_cast<std::uint32_t>(i) * step);
      errors[index].add(results[static_cast<std::size_t>(i)], exact(x), [=] { return reference::hexadecimal(x); });
    }
  };
  std::vector<std::jthread> workers;
  for (std::size_t index = 1; index < errors.size(); ++index)
    workers.emplace_back(part, index);
  part(0);
}

/// Whether the function keeps its bound.
bool check(const reference::Unary<double> &function, const Options &options) {
  const auto began = std::chrono::steady_clock::now();
  const Device device = Device::get(options.device);
  const Buffer<f32> out = device.buffer<f32>(kChunk);
  std::vector<float> results(kChunk);
  std::vector<Errors> errors(options.threads);
  const auto total = static_cast<std::int64_t>((std::uint64_t(0xffffffff) / options.step) + 1);
  for (std::int64_t first = 0; first < total; first += kChunk) {
    const auto start = static_cast<std::uint32_t>(static_cast<std::uint64_t>(first) * options.step);
    launch(function.name, device, out, start, options.step);
    out.copy_to(results);
    compare(errors, results, std::min(kChunk, total - first), function.value, start, options.step);
  }
  Errors all;
  for (const Errors &part : errors)
    all.merge(part);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
  const bool passed = all.wrong() == 0 && all.greatest() <= (options.bound > 0 ? options.bound : function.bound);
  std::printf("%-9s %lld arguments, ", function.name, static_cast<long long>(total));
  if (all.greatest() > 0)
    std::printf("at most %.4f ULP at %s, ", all.greatest(), all.greatestWhere().c_str());
  else
    std::printf("all correctly rounded, ");
  std::printf("%llu wrong special values", static_cast<unsigned long long>(all.wrong()));
  if (all.wrong() > 0)
    std::printf(", first at %s", all.firstWrong().c_str());
  std::printf(", %.1f s%s\n", seconds.count(), passed ? "" : "  FAILED");
  std::fflush(stdout);
  return passed;
}

Options parse(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const auto value = [&](std::string_view name) {
      return argument.starts_with(name) ? argv[i] + name.size() : nullptr;
    };
    if (const char *device = value("--device="))
      options.device = device;
    else if (const char *step = value("--step="))
      options.step = std::max(1u, static_cast<std::uint32_t>(std::strtoul(step, nullptr, 10)));
    else if (const char *bound = value("--bound="))
      options.bound = std::strtod(bound, nullptr);
    else if (const char *threads = value("--threads="))
      options.threads = std::max(1u, static_cast<unsigned>(std::strtoul(threads, nullptr, 10)));
    else
      options.functions.emplace_back(argument);
  }
  return options;
}

} // namespace

int main(int argc, char **argv) {
  try {
    const Options options = parse(argc, argv);
    bool passed = true, found = options.functions.empty();
    for (const auto &function : reference::kUnary32) {
      if (options.functions.empty() || std::ranges::find(options.functions, function.name) != options.functions.end()) {
        found = true;
        passed = check(function, options) && passed;
      }
    }
    if (!found)
      std::fprintf(stderr, "none of these functions is known\n");
    return !found ? 2 : passed ? 0 : 1;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
