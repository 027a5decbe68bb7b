//===- ContractsTest.cpp - reports, and what they are held to -------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Driver/Contracts.h"
#include "unit/Driver/Kernels.h"
#include "unit/Expect.h"

using namespace tessera;
using namespace tessera::test;
using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {

const Target kAmd{"hip:gfx942"};

/// One product of 32 x 32 x 32.
template <DType T> auto makeProduct() {
  return kernel("product", [](Ptr<T> a, Ptr<T> b, Ptr<f32> out) {
    Tile r = arange(0, 32), square = r.col() * 32 + r.row();
    store(out + square, dot(load(a + square), load(b + square), zeros(f32, {32, 32})));
  });
}

/// Moves every other element.
auto makeSparse() {
  return kernel("sparse", [](Ptr<f32> x, Ptr<f32> out) {
    Tile i = arange(0, 1024);
    store(out + i, load(x + 2 * i));
  });
}

auto accessOf(const char *kind, std::int64_t bytes) {
  return AllOf(Field(&MemoryAccess::kind, kind), Field(&MemoryAccess::bytes, bytes));
}

} // namespace

TEST(Report, saysWhatAKernelTakes) {
  const Report report = makeAdd<f32>().with({.block = 1024}, {.num_warps = 2}).compile(kAmd).report();
  EXPECT_EQ(report.target, "hip:gfx942");
  EXPECT_EQ(report.threads, 128);
  EXPECT_EQ(report.warp_size, 64);
  EXPECT_GT(report.registers.value_or(0), 0);
  EXPECT_EQ(report.spill_bytes, 0);
  EXPECT_EQ(report.shared_bytes, 0);
  ASSERT_TRUE(report.occupancy.has_value());
  EXPECT_GT(*report.occupancy, 0);
  EXPECT_LE(*report.occupancy, 1);
  EXPECT_THAT(report.accesses, ElementsAre(accessOf("load", 16), accessOf("load", 16), accessOf("store", 16)));
  EXPECT_THAT(report.accesses[0].at, HasSubstr("Kernels.h:"));
  EXPECT_THAT(report.products, IsEmpty());
  EXPECT_FALSE(report.bank_conflicts.has_value());
  EXPECT_THAT(report.text(), AllOf(HasSubstr("128 (2 warps of 64)"), HasSubstr("no spills"), HasSubstr("Kernels.h:")));
}

TEST(Report, namesWhatMultiplies) {
  const Report report = makeProduct<f16>().compile(kAmd).report();
  ASSERT_EQ(report.products.size(), 1u);
  EXPECT_THAT(report.products[0].unit, HasSubstr("mfma"));
  EXPECT_THAT(report.products[0].at, HasSubstr("ContractsTest.cpp:"));
}

TEST(Report, comesWithTheRecord) {
  auto add = makeAdd<f32>();
  const Buffer<f32> x = interp().buffer<f32>(64);
  add.launch(interp(), 1, x, x, interp().buffer<f32>(64), 0);
  const Report report = add.compilations().back().report();
  EXPECT_EQ(report.target, "interp");
  EXPECT_FALSE(report.registers.has_value());
  EXPECT_THAT(report.stages, Not(IsEmpty()));
  EXPECT_THAT(report.text(), HasSubstr("trace"));
}

TEST(Contracts, keptOnesCompile) {
  const CompileOptions strict{.max_spill_bytes = 0, .min_vector_bytes = 16, .require_matrix_unit = true};
  EXPECT_FALSE(makeAdd<f32>().with({.block = 1024}, strict).compile(kAmd).bytes().empty());
}

// A block has no more than 4 bytes for each thread: that is no narrow access.
TEST(Contracts, whatThreadsDoNotHaveIsNotAskedFor) {
  EXPECT_FALSE(makeAdd<f32>().with({.block = 64}, {.min_vector_bytes = 16}).compile(kAmd).bytes().empty());
}

TEST(Contracts, narrowAccessNamesItsLine) {
  auto sparse = makeSparse();
  EXPECT_THAT(wordsOf<CompileError>([&] { sparse.with({}, {.min_vector_bytes = 16}).compile(kAmd); }),
              AllOf(HasSubstr("kernel `sparse` for hip:gfx942 is not what its options ask for"),
                    HasSubstr("ContractsTest.cpp:35"), HasSubstr("the load moves 4 bytes at a time")));
}

TEST(Contracts, generalVariantIsNotHeldToWidths) {
  EXPECT_FALSE(makeSparse().with({}, {.min_vector_bytes = 16}).compile(kAmd, {.aligned = false}).bytes().empty());
}

TEST(Contracts, anEqualKernelThatIsThereIsCheckedToo) {
  auto sparse = makeSparse();
  EXPECT_FALSE(sparse.compile(kAmd).bytes().empty());
  EXPECT_THAT(wordsOf<CompileError>([&] { sparse.with({}, {.min_vector_bytes = 16}).compile(kAmd); }),
              HasSubstr("min_vector_bytes"));
}

TEST(Contracts, productOfElementsNamesItsLine) {
  const auto compile = [] {
    makeProduct<f32>().with({}, {.require_matrix_unit = true}).compile(Target("hip:gfx1100"));
  };
  EXPECT_THAT(wordsOf<CompileError>(compile),
              AllOf(HasSubstr("ContractsTest.cpp:27"), HasSubstr("multiplied element by element")));
}

TEST(Contracts, spillsAreCounted) {
  Report report;
  report.spill_bytes = 48;
  EXPECT_EQ(ir::brokenContracts(report, {}, true, "k.cpp:3:1"), "");
  EXPECT_EQ(ir::brokenContracts(report, {.max_spill_bytes = 48}, true, "k.cpp:3:1"), "");
  EXPECT_EQ(ir::brokenContracts(report, {.max_spill_bytes = 16}, true, "k.cpp:3:1"),
            "k.cpp:3:1: a thread spills 48 bytes of registers; max_spill_bytes allows 16");
}
