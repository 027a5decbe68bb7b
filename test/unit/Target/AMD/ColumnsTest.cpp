//===- ColumnsTest.cpp - operands that lie across k -----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Through the public interface, without a GPU.
//
//===---------------------------------------------------------------------===//

#include "attention/attention.h"
#include "matmul/matmul.h"

#include <gmock/gmock.h>

using namespace tessera;
using namespace tessera::kernels;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace {

template <class Kernel> std::string codeOf(const Kernel &kernel, const char *target) {
  return kernel.print("asm", Target(target), {.aligned = true});
}

/// They are stored as they come, and read as columns where the chip can.
TEST(AmdColumns, halvesAcrossTheDepth) {
  const auto stored = AllOf(HasSubstr("ds_read_b64_tr_b16"), HasSubstr("ds_write_b128"), Not(HasSubstr("ds_write_b16")),
                            Not(HasSubstr("v_perm_b32")));
  const MatmulConfig block{.bm = 128, .bn = 128, .bk = 64};
  EXPECT_THAT(codeOf(matmul<f16>.with(block, {.num_warps = 4}), "hip:gfx950"), stored);
  EXPECT_THAT(codeOf(matmul<bf16>.with(block, {.num_warps = 4}), "hip:gfx950"), stored);
  MatmulConfig transposed = block;
  transposed.ta = true;
  EXPECT_THAT(codeOf(matmul<f16>.with(transposed, {.num_warps = 4}), "hip:gfx950"), stored);
  EXPECT_THAT(codeOf(matmul<f16>.with(block, {.num_warps = 4}), "hip:gfx942"), Not(HasSubstr("ds_read_b64_tr")));
}

TEST(AmdColumns, whatLiesAlongTheDepthIsReadAsItIs) {
  const auto kernel = matmul<f16>.with({.bm = 128, .bn = 128, .bk = 64, .tb = true}, {.num_warps = 4});
  EXPECT_THAT(codeOf(kernel, "hip:gfx950"), AllOf(HasSubstr("ds_read_b128"), Not(HasSubstr("ds_read_b64_tr"))));
}

TEST(AmdColumns, bytesAcrossTheDepth) {
  const auto stored = AllOf(HasSubstr("ds_read_b64_tr_b8"), Not(HasSubstr("ds_write_b8")));
  const MatmulConfig block{.bm = 128, .bn = 128, .bk = 128};
  EXPECT_THAT(codeOf(matmul<i8>.with(block, {.num_warps = 4}), "hip:gfx950"), stored);
  EXPECT_THAT(codeOf(matmul<e4m3>.with(block, {.num_warps = 4}), "hip:gfx950"), stored);
}

TEST(AmdColumns, valuesOfAttention) {
  const auto kernel = attention<f16>.with({.bm = 128, .bn = 64, .d = 128}, {.num_warps = 8});
  EXPECT_THAT(codeOf(kernel, "hip:gfx950"), AllOf(HasSubstr("ds_read_b64_tr_b16"), Not(HasSubstr("ds_write_b16"))));
}

} // namespace
