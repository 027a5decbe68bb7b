//===- BundleHeadersTest.cpp - C++ and C for a bundle's functions ---------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Bundle/BundleHeaders.h"
#include "unit/Runtime/Bundle/SampleBundle.h"

#include "gmock/gmock.h"

using namespace tessera;
using namespace tessera::rt;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

static BundleIndex sampleIndex() {
  static const std::vector<std::byte> bytes = sampleBundle();
  return BundleFile::view(bytes, "a bundle")->index();
}

TEST(BundleHeaders, namesTypesAndConstants) {
  EXPECT_THAT(bundleHeader(sampleIndex()),
              AllOf(HasSubstr("namespace sample {"), HasSubstr("std::int64_t block = 128;"),
                    HasSubstr("tessera::BundledKernel<scale_f32_config,\n    tessera::Ptr<tessera::f32>,\n    "
                              "tessera::Scalar<tessera::f32>,\n    tessera::Scalar<tessera::i64>"),
                    HasSubstr("Compiled for cuda:sm_80, null.")));
  EXPECT_THAT(bundleHeaderForC(sampleIndex()),
              AllOf(HasSubstr("sample_scale_f32(const tessera_bundle *bundle, tessera_queue queue, tessera_grid grid, "
                              "float *x, float factor, int64_t n, int64_t stride)"),
                    HasSubstr("tessera_integer((uint64_t)stride)"),
                    HasSubstr("#define sample_scale_f32_block INT64_C(128)")));
}

TEST(BundleHeaders, viewsAreOneParameterOfCxxAndManyOfC) {
  BundleIndex index = sampleIndex();
  BundleFunction &function = index.functions[0];
  function.arguments.resize(5, {});
  for (std::size_t i = 0; i != 5; ++i) {
    BundleArgument &argument = function.arguments[i];
    argument = {};
    argument.name = i == 0 ? "a" : i < 3 ? "a.extent" + std::to_string(i - 1) : "a.stride" + std::to_string(i - 3);
    argument.dtype = i ? i64 : f16;
    argument.pointer = i == 0;
    argument.role = i == 0 ? BundleRole::ViewBase : i < 3 ? BundleRole::ViewExtent : BundleRole::ViewStride;
    argument.rank = 2;
    argument.contiguous = 1;
  }
  ASSERT_EQ(function.check().find("a variant"), 0u) << "the variants are those of before: " << function.check();
  EXPECT_THAT(bundleHeader(index), HasSubstr("tessera::View<tessera::f16, 2, 1>> scale_f32{source"));
  EXPECT_THAT(bundleHeaderForC(index), HasSubstr("const uint16_t *a, int64_t a_extent0, int64_t a_extent1, int64_t "
                                                 "a_stride0, int64_t a_stride1)"));
}

TEST(BundleHeaders, zeroedPointersOfCComeWithTheirCount) {
  BundleIndex index = sampleIndex();
  index.functions[0].arguments[0].zeroed = true;
  EXPECT_THAT(bundleHeaderForC(index),
              AllOf(HasSubstr("float *x, int64_t x_count"), HasSubstr("tessera_pointer(x, x_count)")));
  EXPECT_THAT(bundleHeader(index), HasSubstr("tessera::Zeroed<tessera::f32>"));
}

TEST(BundleHeaders, namesThatAreTakenGetOthers) {
  BundleIndex index = sampleIndex();
  index.functions[0].arguments[1].name = "float";
  index.functions[0].arguments[2].name = "queue";
  index.functions[0].arguments[3].name = "w.2";
  EXPECT_THAT(bundleHeaderForC(index), HasSubstr("float float_, int64_t queue_, int64_t w_2)"));
}

TEST(BundleHeaders, sayWhichNamesCannotBe) {
  BundleIndex index = sampleIndex();
  EXPECT_EQ(headerProblem(index), "");
  index.functions[0].symbol = "bundle";
  EXPECT_THAT(headerProblem(index), HasSubstr("a function of a bundle cannot be called `bundle`"));
  index.functions[0].symbol = "while";
  EXPECT_THAT(headerProblem(index), HasSubstr("cannot be called `while`"));
  index.functions[0].symbol = "f";
  index.functions.push_back(index.functions[0]);
  index.functions[1].symbol = "f_config";
  EXPECT_THAT(headerProblem(index), HasSubstr("the second is called like the config of the first"));
  index.functions.clear();
  index.name = "tessera";
  EXPECT_THAT(headerProblem(index), HasSubstr("a bundle cannot be called `tessera`"));
}

TEST(BundleHeaders, pathsAreQuotedForBothReaders) {
  EXPECT_THAT(bundleSource(sampleIndex(), "/a \"b\"/c.tbundle"), HasSubstr(R"(.incbin \"/a \\\"b\\\"/c.tbundle\")"));
}
