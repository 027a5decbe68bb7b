//===- Matrix.h - a matrix on the host, its rows apart -----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_KERNELS_LAB_MATRIX_H
#define TESSERA_KERNELS_LAB_MATRIX_H

#include "lab/Inputs.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera::kernels::lab {

/// Rows of elements, `stride` elements from row to row; a vector is a matrix of one row. What lies between the rows
/// holds poison, which must neither reach a result nor be overwritten.
template <DType T> class Matrix {
public:
  using Element = host_type<T>;

  /// All poison: an output that nothing was written to.
  Matrix(std::int64_t rows, std::int64_t cols, std::int64_t stride)
      : rows(rows), cols(cols), stride(stride),
        elements(static_cast<std::size_t>(rows ? (rows - 1) * stride + cols : 0), poison<T>()) {}
  /// Uniform in [-1, 1), rounded to T; of integers, over the values of 8 bits.
  static Matrix random(Random &random, std::int64_t rows, std::int64_t cols, std::int64_t stride) {
    Matrix matrix(rows, cols, stride);
    for (std::int64_t row = 0; row < rows; ++row)
      for (std::int64_t col = 0; col < cols; ++col)
        matrix.at(row, col) = static_cast<Element>(!T.isInt()       ? random.between(-1, 1)
                                                   : T.isUnsigned() ? std::floor(random.between(0, 256))
                                                                    : std::floor(random.between(-128, 128)));
    return matrix;
  }

  Element &at(std::int64_t row, std::int64_t col) { return elements[static_cast<std::size_t>(row * stride + col)]; }
  /// The exact values, row after row without gaps.
  std::vector<double> values() const {
    std::vector<double> dense;
    dense.reserve(static_cast<std::size_t>(rows * cols));
    for (std::int64_t row = 0; row < rows; ++row)
      for (std::int64_t col = 0; col < cols; ++col)
        dense.push_back(static_cast<double>(elements[static_cast<std::size_t>(row * stride + col)]));
    return dense;
  }
  /// The exact values, column after column.
  std::vector<double> transposedValues() const {
    std::vector<double> dense;
    dense.reserve(static_cast<std::size_t>(rows * cols));
    for (std::int64_t col = 0; col < cols; ++col)
      for (std::int64_t row = 0; row < rows; ++row)
        dense.push_back(static_cast<double>(elements[static_cast<std::size_t>(row * stride + col)]));
    return dense;
  }
  /// How many of the elements between the rows were overwritten.
  std::int64_t overwrittenGaps() const {
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(elements.size()); ++i)
      count += i % stride >= cols && !isPoison<T>(elements[static_cast<std::size_t>(i)]);
    return count;
  }

  std::int64_t rows, cols, stride;
  std::vector<Element> elements;
};

} // namespace tessera::kernels::lab

#endif // TESSERA_KERNELS_LAB_MATRIX_H
