//===- matmul.h - plain loops: matmul ----------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_KERNELS_REFERENCE_MATMUL_H
#define TESSERA_KERNELS_REFERENCE_MATMUL_H

#include <cmath>
#include <cstddef>
#include <vector>

namespace tessera::kernels::reference {

/// A product, and for each element the sum of the absolute products: what its rounding errors are measured against.
struct Product {
  std::vector<double> out;
  std::vector<double> magnitude;
};

/// out[i,j] = sum_l a[i,l] * b[l,j]; a[m,k] and b[k,n] row-major without gaps.
inline Product matmul(const std::vector<double> &a, const std::vector<double> &b, std::size_t m, std::size_t n,
                      std::size_t k) {
  Product product{std::vector<double>(m * n), std::vector<double>(m * n)};
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t l = 0; l < k; ++l) {
      for (std::size_t j = 0; j < n; ++j) {
        const double term = a[i * k + l] * b[l * n + j];
        product.out[i * n + j] += term;
        product.magnitude[i * n + j] += std::fabs(term);
      }
    }
  }
  return product;
}

/// The products of \p batch pairs of matrices, one after another.
inline Product batchedMatmul(const std::vector<double> &a, const std::vector<double> &b, std::size_t batch,
                             std::size_t m, std::size_t n, std::size_t k) {
  const auto part = [](const std::vector<double> &all, std::size_t i, std::size_t size) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(i * size);
    return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(size));
  };
  Product products;
  for (std::size_t i = 0; i < batch; ++i) {
    const Product one = matmul(part(a, i, m * k), part(b, i, k * n), m, n, k);
    products.out.insert(products.out.end(), one.out.begin(), one.out.end());
    products.magnitude.insert(products.magnitude.end(), one.magnitude.begin(), one.magnitude.end());
  }
  return products;
}

} // namespace tessera::kernels::reference

#endif // TESSERA_KERNELS_REFERENCE_MATMUL_H
