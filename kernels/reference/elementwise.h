//===- elementwise.h - plain loops: vector_add and relu_add -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_KERNELS_REFERENCE_ELEMENTWISE_H
#define TESSERA_KERNELS_REFERENCE_ELEMENTWISE_H

#include <cmath>
#include <cstddef>
#include <vector>

namespace tessera::kernels::reference {

/// x[i] + y[i].
inline std::vector<double> vector_add(const std::vector<double> &x, const std::vector<double> &y) {
  std::vector<double> out(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    out[i] = x[i] + y[i];
  return out;
}

/// x[i] + y[i] where that is above 0 or NaN, else 0.
inline std::vector<double> relu_add(const std::vector<double> &x, const std::vector<double> &y) {
  std::vector<double> out(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double sum = x[i] + y[i];
    out[i] = sum > 0 || std::isnan(sum) ? sum : 0;
  }
  return out;
}

} // namespace tessera::kernels::reference

#endif // TESSERA_KERNELS_REFERENCE_ELEMENTWISE_H
