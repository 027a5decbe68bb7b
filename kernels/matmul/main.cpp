//===- main.cpp - runs matmul ----------------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "lab/Lab.h"
#include "lab/Tolerances.h"
#include "lab/VendorProduct.h"
#include "matmul/matmul.h"
#include "reference/matmul.h"

using namespace tessera;
using namespace tessera::kernels;

/// The product by the vendor's library, checked as ours is.
template <DType T>
static void besideVendor(lab::Run<T> &run, lab::VendorProduct product, const lab::Expected &expected,
                         const lab::Tolerance &tolerance) {
  std::string why;
  const auto library = lab::VendorLibrary::open(run.device(), T, why);
  if (!library)
    return run.say("vendor's library", why);
  auto out = run.template output<productType(T)>(product.m, product.n, product.n);
  product.out = out.buffer.data();
  run.beside(library->name(), [&] { library->multiply(product); });
  if (const lab::Comparison found = run.comparison(out, expected, tolerance); !found.passed())
    run.say(library->name(), "its result is another one: " + found.summary());
}

int main(int argc, char **argv) {
  lab::Lab lab("matmul", "out[i,j] = sum_l a[i,l] * b[l,j]");
  std::int64_t m = 200, n = 150, k = 100, ta = 0, tb = 0, tf32 = 0;
  MatmulConfig config;
  bool plainOrder = false;
  lab.option("m", m, "rows of a and out")
      .option("n", n, "columns of b and out")
      .option("k", k, "columns of a, rows of b")
      .option("ta", ta, "1 if a is stored as its transpose")
      .option("tb", tb, "1 if b is stored as its transpose")
      .option("tf32", tf32, "1 if f32 multiplies as tf32")
      .option("bm", config.bm, "rows of the block of a program")
      .option("bn", config.bn, "columns of the block of a program")
      .option("bk", config.bk, "step along k")
      .option("group", config.group, "block rows in a stripe of the walk")
      .flag("plain-order", plainOrder, "measure programs that walk row after row beside those that walk in stripes");
  return lab.main<f32, f16, bf16, f64, e4m3, e5m2, i8>(argc, argv, [&]<DType T>(lab::Run<T> &run) {
    config.ta = ta != 0, config.tb = tb != 0;
    config.precision = tf32 != 0 ? Precision::tf32 : Precision::ieee;
    if (run.emits(matmul<T>, config))
      return;
    const auto a = ta ? run.input(k, m, m) : run.input(m, k, k), b = tb ? run.input(n, k, k) : run.input(k, n, n);
    auto out = run.template output<productType(T)>(m, n, n);
    const auto grid = [&](const MatmulConfig &c) { return Grid{cdiv(m, c.bm) * cdiv(n, c.bn)}; };
    run.work(0, 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k));
    const auto chosen = run.launch(matmul<T>, config, matmul_space(run.device().target(), T, config), grid, a.buffer,
                                   b.buffer, out.buffer, m, n, k, a.host.stride, b.host.stride, n);
    const auto product = reference::matmul(ta ? a.host.transposedValues() : a.host.values(),
                                           tb ? b.host.transposedValues() : b.host.values(), m, n, k);
    const lab::Expected expected{product.out, product.magnitude};
    const lab::Tolerance tolerance = lab::matmulTolerance(T, productType(T), k, config.precision);
    run.check(out, expected, tolerance);
    if (plainOrder) {
      MatmulConfig plain = chosen.config;
      plain.group = 1;
      const auto bound = matmul<T>.with(plain, chosen.options);
      run.beside("plain program order", [&] {
        bound.launch(run.device(), grid(plain), a.buffer, b.buffer, out.buffer, m, n, k, a.host.stride, b.host.stride,
                     n);
      });
    }
    if (run.besides() && m && n && k)
      besideVendor(run,
                   {.type = T,
                    .tf32 = tf32 != 0,
                    .ta = config.ta,
                    .tb = config.tb,
                    .m = m,
                    .n = n,
                    .k = k,
                    .lda = a.host.stride,
                    .ldb = b.host.stride,
                    .ldc = n,
                    .a = a.buffer.data(),
                    .b = b.buffer.data()},
                   expected, tolerance);
  });
}
