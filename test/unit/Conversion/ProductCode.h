//===- ProductCode.h - the code of a product, for tests --------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_CONVERSION_PRODUCTCODE_H
#define TESSERA_TEST_UNIT_CONVERSION_PRODUCTCODE_H

#include "Conversion/LayoutToLLVM/GpuHooks.h"

#include <array>
#include <string>
#include <string_view>

namespace tessera::ir::test {

/// A product of two tiles of \p shape m x n x k by one warp, as code for \p target, whose hooks are \p hooks. \p how
/// stands behind the operands. The code of layouts comes first, then, where a unit multiplies, that of a thread.
std::string codeOfProduct(const char *target, const gpu::GpuHooks &hooks, std::string_view a, std::string_view b,
                          std::string_view acc, std::array<int, 3> shape, std::string_view how = "");

} // namespace tessera::ir::test

#endif // TESSERA_TEST_UNIT_CONVERSION_PRODUCTCODE_H
