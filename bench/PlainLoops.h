//===- PlainLoops.h - the kernels as plain loops ---------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What a C++ programmer writes without a library: loops that the compiler optimises with -O3 -march=native, each thread
// taking its part of the elements or rows. bf16 is kept as its bits. Matrices are row-major without gaps.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_BENCH_PLAINLOOPS_H
#define TESSERA_BENCH_PLAINLOOPS_H

#include <cstddef>
#include <cstdint>

namespace tessera::bench::plain {

using Bf16 = std::uint16_t;

void vectorAdd(const float *x, const float *y, float *out, std::size_t n);
void vectorAdd(const Bf16 *x, const Bf16 *y, Bf16 *out, std::size_t n);
void reluAdd(const float *x, const float *y, float *out, std::size_t n);
void reluAdd(const Bf16 *x, const Bf16 *y, Bf16 *out, std::size_t n);
void softmax(const float *x, float *out, std::size_t rows, std::size_t cols);
void layerNorm(const float *x, const float *weight, const float *bias, float *out, std::size_t rows, std::size_t cols,
               float eps);
/// out[m,n] = a[m,k] * b[k,n].
void matmul(const float *a, const float *b, float *out, std::size_t m, std::size_t n, std::size_t k);

} // namespace tessera::bench::plain

#endif // TESSERA_BENCH_PLAINLOOPS_H
