//===- WidenAgainTest.cpp - halves stay narrow where threads meet ---------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Target/NVIDIA/Compile.h"

#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::test;

namespace {

constexpr int kElements = 16;

std::string repeated(const std::string &line) {
  std::string text;
  for (int i = 0; i != kElements; ++i) {
    std::string each = line;
    for (std::size_t at = 0; (at = each.find('#')) != std::string::npos;)
      each.replace(at, 1, std::to_string(i));
    text += each;
  }
  return text;
}

/// A row of halves, widened and multiplied with itself; after the threads have met, \p after makes %r0, %r1 … of %f0,
/// %f1 …, of the products %s0, %s1 … and of %m, which other threads stored.
std::string kernelWith(const std::string &after, const std::string &meet = "call void @tessera.gpu.barrier()") {
  return "declare void @tessera.gpu.barrier() convergent\n"
         "@tessera.shared = external addrspace(3) global [0 x i8], align 16\n"
         "define void @k(ptr addrspace(1) %x, ptr addrspace(1) %y) {\n" +
         repeated("%p# = getelementptr i8, ptr addrspace(1) %x, i64 #00\n"
                  "%h# = load half, ptr addrspace(1) %p#, align 2\n") +
         repeated("%f# = fpext half %h# to float\n%s# = fmul float %f#, %f#\n") +
         repeated("store float %s#, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @tessera.shared, i64 #00)"
                  ", align 4\n") +
         meet + "\n%m = load float, ptr addrspace(3) @tessera.shared, align 4\n" + repeated(after) +
         repeated("%q# = getelementptr i8, ptr addrspace(1) %y, i64 #00\n"
                  "store float %r#, ptr addrspace(1) %q#, align 4\n") +
         "ret void\n}\n";
}

int countOf(const std::string &text, const std::string &words) {
  int count = 0;
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1))
    ++count;
  return count;
}

} // namespace

TEST(NvidiaWidenAgain, afterThreadsHaveMet) {
  for (const arch::Chip *chip : nvidiaChips()) {
    const std::string ptx = ptxOf(kernelWith("%r# = fmul float %f#, %m\n"), *chip);
    EXPECT_EQ(countOf(ptx, "cvt.f32.f16"), 2 * kElements) << ptx;
    if (ptxas())
      expectNoStackNorFlat(assembled(ptx, *chip));
  }
}

TEST(NvidiaWidenAgain, notWhereNobodyMeets) {
  EXPECT_EQ(countOf(ptxOf(kernelWith("%r# = fmul float %f#, %m\n", ""), nvidiaChip("sm_90a")), "cvt.f32.f16"),
            kElements);
}

// Seventeen floats wait, or sixteen and a half.
TEST(NvidiaWidenAgain, notWhereItFreesLittle) {
  const std::string ptx =
      ptxOf(kernelWith("%a# = fmul float %s#, %m\n%r# = fadd float %a#, %f0\n"), nvidiaChip("sm_90a"));
  EXPECT_EQ(countOf(ptx, "cvt.f32.f16"), kElements);
}
