//===- EpilogueTest.cpp - what follows a product --------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
//   out[i,j] = max(sum_l a[i,l] * b[l,j] + bias[j] + residual[i,j], 0), or the sum alone
//
// for results of all widths, stored along rows or along columns. Inputs are small integers, so that every sum is exact
// and results are compared to the last bit.
//
//===---------------------------------------------------------------------===//

#include "KernelTest.h"

using namespace tessera;
using namespace tessera::kernels;

namespace {

struct EpilogueConfig {
  int bm = 64, bn = 64, bk = 32;
  bool isColumnMajor = false; ///< columns of out and residual lie one after another
  bool isFused = false;       ///< with bias, residual and maximum
};

template <DType In, DType Sum, DType T>
const auto epilogue =
    kernel("epilogue", {"a", "b", "bias", "residual", "out", "m", "n", "k", "lda", "ldb", "ldc"},
           [](const EpilogueConfig &c, Ptr<In> a, Ptr<In> b, Ptr<Sum> bias, Ptr<T> residual, Ptr<T> out, Int m, Int n,
              Int k, Int lda, Int ldb, Int ldc) {
             Int row = program_id(0) * c.bm, col = program_id(1) * c.bn;
             View A = view(a, {m, k}, {lda, 1}), B = view(b, {k, n}, {ldb, 1});
             View C = c.isColumnMajor ? view(out, {m, n}, {1, ldc}) : view(out, {m, n}, {ldc, 1});
             Tile acc = zeros(Sum, {c.bm, c.bn});
             for_range(0, k, c.bk, [&](Int kk) {
               acc = dot(A.load({row, kk}, {c.bm, c.bk}), B.load({kk, col}, {c.bk, c.bn}), acc);
             });
             if (c.isFused) {
               View R = c.isColumnMajor ? view(residual, {m, n}, {1, ldc}) : view(residual, {m, n}, {ldc, 1});
               Tile columns = col + arange(0, c.bn);
               acc = acc + load(bias + columns, {.mask = columns < n}).row();
               acc = acc + R.load({row, col}, {c.bm, c.bn}).to(Sum);
               acc = maximum(acc, 0);
             }
             C.store({row, col}, acc.to(T));
           });

template <DType InType, DType SumType, DType OutType> struct Types {
  static constexpr DType In = InType, Sum = SumType, T = OutType;
};
using AllTypes = testing::Types<Types<f16, f32, f32>, Types<f16, f32, f16>, Types<bf16, f32, bf16>,
                                Types<f16, f32, e4m3>, Types<i8, i32, i32>, Types<i8, i32, i8>>;
struct Names {
  template <class Types> static std::string GetName(int) { return Types::In.name() + "_" + Types::T.name(); }
};

template <class Types> class Epilogue : public testing::Test {
protected:
  static constexpr DType In = Types::In, Sum = Types::Sum, T = Types::T;
  using Element = host_type<T>;

  template <DType D> static std::vector<host_type<D>> integers(lab::Random &random, std::int64_t count) {
    std::vector<host_type<D>> result(static_cast<std::size_t>(count));
    for (host_type<D> &value : result)
      value = static_cast<host_type<D>>(std::floor(random.between(-1, 2)));
    return result;
  }

  /// \p gap is how many elements lie between the lines of out.
  static void check(std::int64_t m, std::int64_t n, std::int64_t k, const EpilogueConfig &config, std::int64_t gap,
                    CompileOptions options = {}) {
    lab::Random random(static_cast<std::uint64_t>(m * n + k));
    const auto a = integers<In>(random, m * k), b = integers<In>(random, k * n);
    const auto bias = integers<Sum>(random, n);
    const std::int64_t lines = config.isColumnMajor ? n : m, length = config.isColumnMajor ? m : n, ldc = length + gap;
    const auto residual = integers<T>(random, lines * ldc);
    const Element untouched = static_cast<Element>(77);
    std::vector<Element> out(static_cast<std::size_t>(lines * ldc), untouched);
    const Device device = Device::current();
    const Buffer<In> left = device.upload(a), right = device.upload(b);
    const Buffer<Sum> added = device.upload(bias);
    const Buffer<T> more = device.upload(residual), result = device.upload(out);
    epilogue<In, Sum, T>.with(config, options).launch(device.stream(), {cdiv(m, config.bm), cdiv(n, config.bn)}, left, right, added, more, result, m, n, k, k, n, ldc);
    out = result.download();
    int wrong = 0;
    for (std::int64_t line = 0; line != lines; ++line)
      for (std::int64_t at = 0; at != ldc; ++at) {
        const std::int64_t place = line * ldc + at;
        const double found = static_cast<double>(out[static_cast<std::size_t>(place)]);
        double expected = static_cast<double>(untouched);
        if (at < length) {
          const std::int64_t i = config.isColumnMajor ? at : line, j = config.isColumnMajor ? line : at;
          double sum = 0;
          for (std::int64_t l = 0; l != k; ++l)
            sum += static_cast<double>(a[static_cast<std::size_t>(i * k + l)]) *
                   static_cast<double>(b[static_cast<std::size_t>(l * n + j)]);
          if (config.isFused)
            sum = std::max(0.0, sum + static_cast<double>(bias[static_cast<std::size_t>(j)]) +
                                    static_cast<double>(residual[static_cast<std::size_t>(place)]));
          expected = static_cast<double>(static_cast<Element>(sum));
        }
        wrong += found != expected;
      }
    EXPECT_EQ(wrong, 0) << m << " x " << n << " x " << k << ", config " << detail::configText(config) << ", gap "
                        << gap;
  }
};
TYPED_TEST_SUITE(Epilogue, AllTypes, Names);

TYPED_TEST(Epilogue, alongRows) {
  for (const bool isFused : {false, true}) {
    this->check(128, 128, 64, {.isFused = isFused}, 0);
    this->check(100, 144, 32, {.isFused = isFused}, 16);
    this->check(67, 45, 33, {.isFused = isFused}, 3);
    this->check(128, 256, 64, {.bm = 128, .bn = 128, .isFused = isFused}, 0);
  }
}

TYPED_TEST(Epilogue, alongColumns) {
  for (const bool isFused : {false, true}) {
    this->check(128, 128, 64, {.isColumnMajor = true, .isFused = isFused}, 0);
    this->check(144, 100, 32, {.isColumnMajor = true, .isFused = isFused}, 16);
    this->check(45, 67, 33, {.isColumnMajor = true, .isFused = isFused}, 5);
  }
}

TYPED_TEST(Epilogue, moreWarps) {
  this->check(128, 256, 64, {.bm = 128, .bn = 256}, 0, {.num_warps = 8});
  this->check(144, 272, 48, {.bm = 128, .bn = 128}, 16, {.num_warps = 8});
  this->check(64, 64, 32, {.bm = 16, .bn = 64}, 0, {.num_warps = 1});
}

} // namespace
