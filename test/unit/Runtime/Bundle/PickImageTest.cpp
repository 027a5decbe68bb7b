//===- PickImageTest.cpp - which image runs best on a device --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Bundle/PickImage.h"

#include "gtest/gtest.h"

#include <string>
#include <vector>

using namespace tessera;
using namespace tessera::rt;

/// "cuda:sm_80 cubin" of the images that is picked for a device; empty if none is.
static std::string picked(const char *device, const std::vector<ImageKind> &images, const char *instructionSets = "") {
  const Target target(device);
  const std::ptrdiff_t best = pickImage({target, instructionSets}, images);
  if (best < 0)
    return "";
  const ImageKind &image = images[static_cast<std::size_t>(best)];
  return std::string(image.target) + " " + std::string(image.format);
}

TEST(PickImage, theChipItselfComesFirst) {
  const std::vector<ImageKind> images{{"cuda:sm_80", "cubin", ""},
                                      {"cuda:sm_80", "ptx", ""},
                                      {"cuda:sm_86", "cubin", ""},
                                      {"cuda:sm_90a", "cubin", ""}};
  EXPECT_EQ(picked("cuda:sm_80", images), "cuda:sm_80 cubin");
  EXPECT_EQ(picked("cuda:sm_86", images), "cuda:sm_86 cubin");
  EXPECT_EQ(picked("cuda:sm_90a", images), "cuda:sm_90a cubin");
}

TEST(PickImage, machineCodeOfTheGenerationComesBeforePtx) {
  EXPECT_EQ(picked("cuda:sm_89", {{"cuda:sm_86", "ptx", ""}, {"cuda:sm_80", "cubin", ""}, {"cuda:sm_86", "cubin", ""}}),
            "cuda:sm_86 cubin");
  EXPECT_EQ(picked("cuda:sm_80", {{"cuda:sm_86", "cubin", ""}}), "") << "not of a later chip";
}

TEST(PickImage, newerChipsTakePtx) {
  const std::vector<ImageKind> images{
      {"cuda:sm_80", "cubin", ""}, {"cuda:sm_80", "ptx", ""}, {"cuda:sm_89", "ptx", ""}, {"cuda:sm_90a", "ptx", ""}};
  EXPECT_EQ(picked("cuda:sm_90a", images), "cuda:sm_90a ptx");
  EXPECT_EQ(picked("cuda:sm_100a", images), "cuda:sm_89 ptx") << "the nearest; what is for sm_90a runs there only";
  EXPECT_EQ(picked("cuda:sm_120", {{"cuda:sm_90a", "ptx", ""}, {"cuda:sm_90a", "cubin", ""}}), "");
}

TEST(PickImage, amdTakesItsVeryChip) {
  const std::vector<ImageKind> images{{"hip:gfx90a", "hsaco", ""}, {"hip:gfx942", "hsaco", ""}};
  EXPECT_EQ(picked("hip:gfx942", images), "hip:gfx942 hsaco");
  EXPECT_EQ(picked("hip:gfx950", images), "");
  EXPECT_EQ(picked("cuda:sm_80", images), "");
}

TEST(PickImage, processorsTakeTheMostThatTheyHave) {
  const std::vector<ImageKind> images{{"cpu:aarch64", "shared-object", "aarch64"},
                                      {"cpu:x86-64-v2", "shared-object", "x86-64,sse3,ssse3"},
                                      {"cpu:x86-64-v4", "shared-object", "x86-64,sse3,ssse3,avx,avx2,avx512f"},
                                      {"cpu:x86-64-v3", "shared-object", "x86-64,sse3,ssse3,avx,avx2"}};
  EXPECT_EQ(picked("cpu", images, "x86-64,sse3,ssse3,avx,avx2,fma"), "cpu:x86-64-v3 shared-object");
  EXPECT_EQ(picked("cpu", images, "x86-64,sse3,ssse3,avx,avx2,avx512f"), "cpu:x86-64-v4 shared-object");
  EXPECT_EQ(picked("cpu", images, "x86-64,sse3,ssse3,avx"), "cpu:x86-64-v2 shared-object");
  EXPECT_EQ(picked("cpu", images, "x86-64,sse3"), "");
  EXPECT_EQ(picked("cpu", images, "aarch64"), "cpu:aarch64 shared-object");
}

TEST(PickImage, hostileNamesFitNothing) {
  for (const char *target :
       {"", ":", "cuda", "cuda:", "cuda:sm_", "cuda:sm_99999999999999999999", "cuda:gfx942", "cpu:"})
    EXPECT_EQ(picked("cuda:sm_90a", {{target, "cubin", ""}}), "") << target;
}
