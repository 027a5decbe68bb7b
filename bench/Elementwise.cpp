//===- Elementwise.cpp - vector_add and relu_add -------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Harness.h"
#include "PlainLoops.h"

#include "lab/Inputs.h"
#include "relu_add/relu_add.h"
#include "vector_add/vector_add.h"

#include <bit>
#include <cstring>
#include <memory>

namespace tessera::bench {

namespace {

constexpr std::int64_t kCount = std::int64_t(1) << 26;

/// The arrays of a case; every system works on the same memory.
template <DType T> struct Vectors {
  Buffer<T> x, y, out;

  Vectors() {
    // Few different values, repeated: random numbers for all of them would take longer than the measurement.
    constexpr std::size_t period = 1 << 16;
    kernels::lab::Random random(1);
    const auto a = random.values<T>(period), b = random.values<T>(period - 1);
    std::vector<host_type<T>> values(kCount);
    x = upload(values, a), y = upload(values, b), out = device().buffer<T>(kCount);
  }

  /// The elements of a buffer, on the host.
  auto *bits(const Buffer<T> &buffer) const {
    using Element = std::conditional_t<T == f32, float, plain::Bf16>;
    return reinterpret_cast<Element *>(buffer.data());
  }
  void clear() const { std::memset(static_cast<void *>(out.data()), 0xff, sizeof(host_type<T>) * kCount); }

  /// Compares with exact sums, rounded once.
  template <class F> std::string wrong(F exact) const {
    for (std::int64_t i = 0; i < kCount; i += i < kCount - 5000 ? 61 : 1) {
      const auto expected =
          static_cast<host_type<T>>(exact(static_cast<double>(x.data()[i]) + static_cast<double>(y.data()[i])));
      if (std::memcmp(&expected, out.data() + i, sizeof expected) != 0)
        return "element " + std::to_string(i) + " is " + std::to_string(static_cast<double>(out.data()[i])) +
               " instead of " + std::to_string(static_cast<double>(expected));
    }
    return {};
  }

private:
  static Buffer<T> upload(std::vector<host_type<T>> &values, const std::vector<host_type<T>> &repeated) {
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = repeated[i % repeated.size()];
    return device().upload(values);
  }
};

template <DType T, class Kernel, class Loop, class Exact>
void add(const std::string &name, const Kernel &kernel, Loop loop, Exact exact) {
  const Problem problem{name, std::to_string(kCount), T, 3.0 * sizeof(host_type<T>) * kCount, "GB/s"};
  addCase(problem, {ourName(), "plain-loop"}, [=, &kernel] {
    const auto data = std::make_shared<Vectors<T>>();
    constexpr typename Kernel::config_type config{.block = 4096};
    const auto ours = [=, bound = kernel.with(config)] {
      bound.launch(device().stream(), {kCount / config.block}, data->x, data->y, data->out, kCount);
      device().synchronize();
    };
    const auto plain = [=] { loop(data->bits(data->x), data->bits(data->y), data->bits(data->out), kCount); };
    return Setup{
        {{ourName(), ours}, {"plain-loop", plain}}, [=] { data->clear(); }, [=] { return data->wrong(exact); }};
  });
}

} // namespace

void addElementwiseCases() {
  const auto sum = [](double value) { return value; };
  const auto relu = [](double value) { return value > 0 ? value : 0; };
  const auto addLoop = [](const auto *x, const auto *y, auto *out, std::size_t n) { plain::vectorAdd(x, y, out, n); };
  const auto reluLoop = [](const auto *x, const auto *y, auto *out, std::size_t n) { plain::reluAdd(x, y, out, n); };
  add<f32>("vector_add", kernels::vector_add<f32>, addLoop, sum);
  add<bf16>("vector_add", kernels::vector_add<bf16>, addLoop, sum);
  add<f32>("relu_add", kernels::relu_add<f32>, reluLoop, relu);
  add<bf16>("relu_add", kernels::relu_add<bf16>, reluLoop, relu);
}

} // namespace tessera::bench
