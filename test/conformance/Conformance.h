//===- Conformance.h - one suite for every device --------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Each family of operations runs with many dtypes, shapes and compile options, on the interpreter and on the device
// under test (Device::current()), which must write the same bits; a NaN equals a NaN. Inputs are small enough that
// every order of adding gives the same. The choices of a case are drawn so that every pair of two of them occurs; the
// seed TESSERA_CONFORMANCE_SEED draws others. Without it a quarter of the cases run.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_CONFORMANCE_CONFORMANCE_H
#define TESSERA_TEST_CONFORMANCE_CONFORMANCE_H

#include <tessera/tessera.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tessera::conformance {

/// The choices of one case, by factor.
using Choice = std::vector<std::size_t>;
/// Combinations of choices, `levels[i]` of factor i, in which every pair of two factors' choices occurs.
std::vector<Choice> pairwise(std::span<const std::size_t> levels, std::uint64_t seed);

/// What a kernel does: its inputs, its output, and a number.
using Body = std::function<void(const Ptr<u8> &a, const Ptr<u8> &b, const Ptr<u8> &out, const Int &n)>;

/// A kernel and what it runs on.
struct Job {
  Body body;
  std::vector<std::uint8_t> a = {}, b = {};
  std::vector<std::uint8_t> out = {}; ///< what the output holds before
  DType result = u8;                  ///< of the output's elements
  Grid grid = {1};
  std::int64_t n = 0;
  std::shared_ptr<DType> traced = {}; ///< where `body` notes their type if only that knows it; instead of `result`
};

/// Elements of \p dtype: small integers and, of types that have them, eighths of such.
std::vector<std::uint8_t> smallElements(DType dtype, std::int64_t count, std::uint64_t seed);
/// Elements that are 1 or -1, or 1 or 2 of unsigned types: long products of them are exact.
std::vector<std::uint8_t> unitElements(DType dtype, std::int64_t count, std::uint64_t seed);
/// Any bits at all.
std::vector<std::uint8_t> anyElements(DType dtype, std::int64_t count, std::uint64_t seed);
/// \p count bytes that no kernel writes by chance.
std::vector<std::uint8_t> unwritten(std::int64_t count);

/// Fails with the first element that the device under test writes differently.
void expectSame(const Job &job, const CompileOptions &options);

inline constexpr DType kNumbers[] = {f32, f16, bf16, f64, i8, i16, i32, i64, u8, u16, u32, u64, e4m3, e5m2};
inline constexpr std::size_t kWarps = 5, kStages = 5, kClusters = 3;
/// Options from choices below kWarps, kStages and kClusters.
CompileOptions optionsOf(std::size_t warps, std::size_t stages, std::size_t cluster = 0);
/// "f16, {4, 32}".
std::string describe(DType dtype, const std::vector<std::int64_t> &shape);
std::int64_t countOf(const std::vector<std::int64_t> &shape);
Shape shapeOf(const std::vector<std::int64_t> &shape);
/// 0, 1, 2 ... in row-major order, of \p shape.
Tile places(const std::vector<std::int64_t> &shape);

/// A family: cases over \p levels, in eight parts that are tests of their own. Runs \p run on each, with its number as
/// a seed.
void runPart(std::span<const std::size_t> levels, std::size_t part,
             const std::function<void(const Choice &, std::uint64_t seed)> &run);
inline constexpr std::size_t kParts = 8;

} // namespace tessera::conformance

#endif // TESSERA_TEST_CONFORMANCE_CONFORMANCE_H
