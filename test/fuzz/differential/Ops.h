//===- Ops.h - the operations of random kernels ----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// One table says of every operation how it is typed, how it is traced and how it is written in C++. Operations whose
// result some rule leaves open are wrapped so that it is not: a divisor is never zero, a shift stays below the width, a
// dot adds up small integers.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_FUZZ_DIFFERENTIAL_OPS_H
#define TESSERA_TEST_FUZZ_DIFFERENTIAL_OPS_H

#include "Program.h"

#include <functional>
#include <span>

namespace tessera::fuzz {

/// What a kernel is traced with.
struct Arguments {
  std::array<Tile, kInputs> inputs; ///< pointers to elements of their dtypes
  Tile out;                         ///< a pointer to bytes
  Tile program, n;
};

struct Op {
  std::string name;
  int args = 0;
  /// C++ with {0}, {1} for arguments, {n0}, {n1} for numbers, {t} and {sh} for the result's dtype and extents, {axis},
  /// {extent} and {bits} for the axis that numbers[0] means, and its extent and the dtype's width in the first
  /// argument.
  std::string text;
  /// The result's type; nothing if the arguments do not fit. \p statement has the type of a leaf.
  std::function<std::optional<Type>(std::span<const Type> args, const Statement &statement)> infer;
  std::function<Tile(std::span<const Tile> args, const Statement &statement, const Arguments &arguments)> trace;
  bool isExact = true;     ///< whether all executors give the same bits
  bool keepsBound = false; ///< may take arguments that are not exact
  int weight = 10;         ///< how often it is chosen
};

const std::vector<Op> &ops();
/// The number of the operation \p name.
int opNamed(std::string_view name);

/// A tile that numbers its elements in row-major order, in i32; `order` 1 counts down, 2 runs column by column.
Tile places(const Extents &shape, std::int64_t order);

} // namespace tessera::fuzz

#endif // TESSERA_TEST_FUZZ_DIFFERENTIAL_OPS_H
