//===- dequant.h - plain loops: compressed weights ---------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_KERNELS_REFERENCE_DEQUANT_H
#define TESSERA_KERNELS_REFERENCE_DEQUANT_H

#include <cstddef>
#include <vector>

namespace tessera::kernels::reference {

/// The scaled weights as a matrix of k rows and n columns. \p bytes holds n rows of k weights of 8 bits with a sign, or
/// of 4 bits, two a byte, each plus 8; \p scale has one number for every \p span weights of a row.
inline std::vector<double> dequantised(const std::vector<double> &bytes, const std::vector<double> &scale,
                                       std::size_t n, std::size_t k, int bits, std::size_t span) {
  std::vector<double> weights(k * n);
  const std::size_t perByte = bits == 4 ? 2 : 1, rowBytes = (k + perByte - 1) / perByte,
                    rowScales = (k + span - 1) / span;
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t l = 0; l < k; ++l) {
      const int byte = static_cast<int>(bytes[j * rowBytes + l / perByte]);
      const int weight = bits == 4 ? (l % 2 == 0 ? byte % 16 : byte / 16) - 8 : byte < 128 ? byte : byte - 256;
      weights[l * n + j] = weight * scale[j * rowScales + l / span];
    }
  }
  return weights;
}

} // namespace tessera::kernels::reference

#endif // TESSERA_KERNELS_REFERENCE_DEQUANT_H
