//===- CodeFactsTest.cpp - lists in facts ---------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/CodeFacts.h"
#include "Runtime/Image.h"

#include <gmock/gmock.h>

using namespace tessera;
using namespace tessera::rt;
using testing::IsEmpty;

TEST(CodeFacts, areReadAsWritten) {
  Image image;
  const std::vector<MemoryAccess> accesses{{"/a at b/k 16 of 3.cpp:1:2", "load", 16, 16},
                                           {"k.cpp:3:4", "tensor copy", 16384, 16384}};
  const std::vector<MatrixProduct> products{{"k.cpp:5:6", "wgmma.m64n256k16.f16"}, {"k.cpp:7:8", "fma"}};
  setAccesses(image, accesses);
  setProducts(image, products);
  EXPECT_EQ(readAccesses(*image.fact(kAccessesFact)), accesses);
  EXPECT_EQ(readProducts(*image.fact(kProductsFact)), products);
  EXPECT_EQ(*image.fact(kMatrixUnitFact), "fma, wgmma.m64n256k16.f16");
}

TEST(CodeFacts, whatIsNoneIsLeftOut) {
  for (const char *text : {"", "\n", "load", "load 16 at", "load 16 at x", "load of 16 at x", "load 1 of at x",
                           "load 99999999999999999999 of 16 at x", "load 16 of 1x at x", " at "})
    EXPECT_THAT(readAccesses(text), IsEmpty()) << text;
  EXPECT_THAT(readProducts("fma"), IsEmpty());
  EXPECT_EQ(readAccesses("junk\nload 4 of 8 at k\njunk").size(), 1u);
}

TEST(Report, ofHostileFacts) {
  const Report report = detail::reportOf("cuda:sm_90a", {{"registers", "many"},
                                                         {"threads", "-"},
                                                         {"warp_size", "0"},
                                                         {"occupancy", "half"},
                                                         {"shared_wavefronts", "3 of 0"}});
  EXPECT_FALSE(report.registers || report.threads || report.occupancy || report.bank_conflicts);
  EXPECT_EQ(report.text(), "");
}
