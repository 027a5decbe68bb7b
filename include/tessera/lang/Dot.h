//===- Dot.h - products of matrices ----------------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LANG_DOT_H
#define TESSERA_LANG_DOT_H

#include "tessera/lang/Tile.h"

namespace tessera {

/// How f32 operands multiply (SEMANTICS D2). `ieee` is exact; the others may be served by a more exact one, which the
/// report says.
enum class Precision : std::uint8_t {
  ieee,   ///< exactly as f32, the default
  tf32,   ///< operands rounded to 10 bits of fraction
  tf32x3, ///< three products of such halves
  bf16x3, ///< three products of bf16 halves
};

struct DotOptions {
  Precision precision = Precision::ieee; ///< of f32 operands; others have no choice and ignore it
  int max_imprecise_k =
      0; ///< of fp8 operands: partial sums move to f32 at least every so many k; 0 leaves it to the unit
};

/// The matrix product: `result[i, j] = acc[i, j] + sum over k of a[i, k] * b[k, j]`. \p a is M x K, \p b is K x N,
/// powers of two from 1 on (SEMANTICS D3); with rank 3 the first axis counts independent products (D1).
///
/// | a and b                         | acc and result |
/// |---------------------------------|----------------|
/// | f16, bf16: both the same        | f32            |
/// | e4m3, e5m2: any mix             | f32            |
/// | e4m3fnuz, e5m2fnuz: any mix     | f32            |
/// | f32                             | f32            |
/// | f64                             | f64            |
/// | i8                              | i32, wrapping  |
///
/// The order of summation is free (R4). UsageError for other dtypes, for ranks other than 2 and 3, when columns of \p a
/// are not rows of \p b, and when \p acc is not exactly of the result's dtype and shape.
TESSERA_API Tile dot(Operand a, Operand b, Operand acc, DotOptions options = {},
                     std::source_location at = std::source_location::current());
/// The same onto zeros.
TESSERA_API Tile dot(Operand a, Operand b, DotOptions options = {},
                     std::source_location at = std::source_location::current());

} // namespace tessera

#endif // TESSERA_LANG_DOT_H
