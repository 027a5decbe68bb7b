//===- dropout.h - plain loops: random words and dropout --- -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Philox-4x32 is of J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3"
// (2011).
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_KERNELS_REFERENCE_DROPOUT_H
#define TESSERA_KERNELS_REFERENCE_DROPOUT_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera::kernels::reference {

/// Ten rounds of Philox-4x32.
inline std::array<std::uint32_t, 4> philox(std::uint64_t key, std::array<std::uint32_t, 4> counter) {
  auto k0 = static_cast<std::uint32_t>(key), k1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0], b = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ k0, static_cast<std::uint32_t>(b),
               static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ k1, static_cast<std::uint32_t>(a)};
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return counter;
}

/// Uniform in [0, 1): the upper 24 bits of the first word at this offset.
inline double uniform(std::uint64_t seed, std::uint64_t offset) {
  const auto words = philox(seed, {static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(offset >> 32), 0, 0});
  return (words[0] >> 8) * 0x1p-24;
}

/// x[i] / (1 - p) where uniform(seed, i) >= p, else 0.
inline std::vector<double> dropout(const std::vector<double> &x, double p, std::uint64_t seed) {
  std::vector<double> out(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    out[i] = uniform(seed, i) >= p ? x[i] / (1 - p) : 0;
  return out;
}

} // namespace tessera::kernels::reference

#endif // TESSERA_KERNELS_REFERENCE_DROPOUT_H
