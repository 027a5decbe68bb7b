//===- KernelTest.h - what the kernels' tests share ------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Every kernel runs on the current device (CMakeLists.txt names several), for each float dtype, and is
// compared with plain loops in double. Rows may be further apart than they are long; what lies between holds a NaN that
// must neither reach a result nor be overwritten.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_KERNELS_KERNELTEST_H
#define TESSERA_TEST_KERNELS_KERNELTEST_H

#include "lab/Compare.h"
#include "lab/Matrix.h"
#include "lab/Tolerances.h"

#include "tessera/tessera.h"

#include "gtest/gtest.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::kernels {

using lab::Matrix;

/// A dtype as a type, for typed tests.
template <DType T> struct TypeTag {
  static constexpr DType type = T;
};
using FloatTypes = testing::Types<TypeTag<f16>, TypeTag<bf16>, TypeTag<f32>, TypeTag<f64>>;

struct FloatNames {
  template <class Tag> static std::string GetName(int) { return Tag::type.name(); }
};

/// Sizes that no block divides, and those at the edges.
inline constexpr std::int64_t oddSizes[] = {0, 1, 7, 781, 4095, 100'003};

/// Fails with one line about the worst element.
inline testing::AssertionResult agrees(const std::vector<double> &result, const lab::Expected &expected,
                                       const lab::Tolerance &tolerance) {
  const lab::Comparison comparison = lab::compare(result, expected, tolerance);
  if (comparison.passed())
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << comparison.summary() << " (" << comparison.reason << ")";
}

} // namespace tessera::kernels

#endif // TESSERA_TEST_KERNELS_KERNELTEST_H
