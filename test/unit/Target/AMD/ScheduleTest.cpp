//===- ScheduleTest.cpp - the order of instructions that fits -------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Target/AMD/Compile.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/SourceMgr.h"

#include <fmt/format.h>

namespace tessera::ir::amd {

namespace {

using test::amdChip;

/// A loop of gfx1100 whose every round stores \p loads words of 16 bytes of a lane to shared memory, loads the next
/// ones, and multiplies 4 by 4 blocks of 16 by 16, 4 steps deep, as a program of 128 by 128 by 64 has them.
std::string product(int loads) {
  constexpr int kSide = 4, kSteps = 4;
  std::string text =
      "@lds = internal addrspace(3) global [32768 x i8] poison, align 16\n"
      "define void @k(ptr addrspace(1) %a, ptr addrspace(1) %c, i32 %n) {\nentry:\n"
      "  %t = call i32 @llvm.amdgcn.workitem.id.x()\n  %o = shl i32 %t, 4\n"
      "  %base = getelementptr i8, ptr addrspace(3) @lds, i32 %o\n"
      "  %g0 = getelementptr i8, ptr addrspace(1) %a, i32 %o\n  br label %loop\nloop:\n"
      "  %i = phi i32 [0, %entry], [%i1, %loop]\n  %g = phi ptr addrspace(1) [%g0, %entry], [%g1, %loop]\n";
  const std::string meet = "  fence syncscope(\"workgroup\") release\n  call void @llvm.amdgcn.s.barrier()\n"
                           "  fence syncscope(\"workgroup\") acquire\n";
  std::string stores, nexts, operands, products, results;
  for (int j = 0; j != loads; ++j) {
    text += fmt::format("  %x{0} = phi <4 x i32> [zeroinitializer, %entry], [%y{0}, %loop]\n", j);
    stores += fmt::format("  %s{0} = getelementptr i8, ptr addrspace(3) %base, i32 {1}\n"
                          "  store <4 x i32> %x{0}, ptr addrspace(3) %s{0}, align 16\n",
                          j, 4096 * j);
    nexts += fmt::format("  %p{0} = getelementptr i8, ptr addrspace(1) %g, i32 {1}\n"
                         "  %y{0} = load <4 x i32>, ptr addrspace(1) %p{0}, align 16\n",
                         j, 65536 * j);
  }
  for (int step = 0; step != kSteps; ++step)
    for (int side = 0; side != 2 * kSide; ++side) {
      const std::string name = fmt::format("%f{}.{}", side, step);
      operands += fmt::format("  {0}p = getelementptr i8, ptr addrspace(3) %base, i32 {1}\n"
                              "  {0} = load <16 x half>, ptr addrspace(3) {0}p, align 16\n",
                              name, side * 2048 + step * 32);
    }
  for (int block = 0; block != kSide * kSide; ++block)
    text +=
        fmt::format("  %sum{0}.0 = phi <8 x float> [zeroinitializer, %entry], [%sum{0}.{1}, %loop]\n", block, kSteps);
  for (int step = 0; step != kSteps; ++step)
    for (int block = 0; block != kSide * kSide; ++block)
      products += fmt::format("  %sum{0}.{1} = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16("
                              "<16 x half> %f{2}.{3}, <16 x half> %f{4}.{3}, <8 x float> %sum{0}.{3})\n",
                              block, step + 1, kSide + block % kSide, step, block / kSide);
  for (int block = 0; block != kSide * kSide; ++block)
    results += fmt::format("  %q{0} = getelementptr i8, ptr addrspace(1) %c, i32 {1}\n"
                           "  store <8 x float> %sum{0}.{2}, ptr addrspace(1) %q{0}, align 32\n",
                           block, 65536 * block, kSteps);
  return text + stores + meet + nexts + operands + products +
         "  %i1 = add i32 %i, 1\n  %g1 = getelementptr i8, ptr addrspace(1) %g, i32 128\n" + meet +
         "  %again = icmp slt i32 %i1, %n\n  br i1 %again, label %loop, label %end\nend:\n" + results +
         "  ret void\n}\n"
         "declare i32 @llvm.amdgcn.workitem.id.x()\ndeclare void @llvm.amdgcn.s.barrier()\n"
         "declare <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16(<16 x half>, <16 x half>, <8 x float>)\n";
}

class AmdSchedule : public testing::Test {
protected:
  /// The module of \p text as a kernel of 128 threads.
  std::unique_ptr<llvm::Module> parse(const std::string &text) {
    llvm::SMDiagnostic diagnostic;
    std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, diagnostic, context);
    EXPECT_TRUE(module) << diagnostic.getMessage().str();
    if (module)
      EXPECT_EQ(llvm::toString(prepareModule(*module, *machine, {.entry = "k", .threads = 128})), "");
    return module;
  }

  llvm::LLVMContext context;
  std::string problem;
  std::unique_ptr<llvm::TargetMachine> machine = makeTargetMachine(amdChip("gfx1100"), problem);
};

} // namespace

TEST_F(AmdSchedule, whatTheUsualOrderSpillsFitsInAnother) {
  const std::unique_ptr<llvm::Module> module = parse(product(8));
  ASSERT_TRUE(module);
  llvm::SmallString<0> usual;
  ASSERT_EQ(llvm::toString(makeCodeObject(*parse(product(8)), *machine, usual)), "");
  const auto bytes = llvm::ArrayRef(reinterpret_cast<const std::byte *>(usual.data()), usual.size());
  EXPECT_GT(llvm::cantFail(readCodeObject(bytes, "k")).spilledRegisters, 0u) << "the test needs a larger product";
  llvm::Expected<CodeObject> object = makeFittingCode(*module, *machine, "k");
  ASSERT_TRUE(bool(object)) << llvm::toString(object.takeError());
  EXPECT_EQ(object->facts.spilledRegisters, 0u);
  EXPECT_EQ(object->facts.stackBytes, 0u);
  llvm::Expected<std::string> text = assemblyText(*module, *machine);
  ASSERT_TRUE(bool(text)) << llvm::toString(text.takeError());
  EXPECT_EQ(test::countOf(*text, "scratch_"), 0) << "the text is not of the code";
}

TEST_F(AmdSchedule, whatFitsKeepsTheUsualOrder) {
  const std::unique_ptr<llvm::Module> module = parse(product(0));
  ASSERT_TRUE(module);
  llvm::Expected<CodeObject> object = makeFittingCode(*module, *machine, "k");
  ASSERT_TRUE(bool(object)) << llvm::toString(object.takeError());
  EXPECT_EQ(object->facts.spilledRegisters, 0u);
  EXPECT_FALSE(module->getFunction("k")->hasFnAttribute("amdgpu-sched-strategy"));
}

TEST_F(AmdSchedule, operandsAreReadAmongProducts) {
  // How often a read of shared memory follows a matrix instruction.
  const auto turnsOf = [&](llvm::Module &module) {
    llvm::Expected<std::string> text = assemblyText(module, *machine);
    EXPECT_TRUE(bool(text));
    int turns = 0;
    bool isBehindProduct = false;
    for (llvm::StringRef rest = text ? llvm::StringRef(*text) : llvm::StringRef(); !rest.empty();) {
      const auto [line, behind] = rest.split('\n');
      if (line.contains("ds_load_b128") && isBehindProduct)
        ++turns;
      if (line.contains("ds_load_b128") || line.contains("v_wmma"))
        isBehindProduct = line.contains("v_wmma");
      rest = behind;
    }
    return turns;
  };
  const std::unique_ptr<llvm::Module> left = parse(product(0)), asked = parse(product(0));
  ASSERT_TRUE(left && asked);
  llvm::Function &kernel = *asked->getFunction("k");
  interleaveReads(kernel);
  EXPECT_GE(turnsOf(*asked), 18) << "of 24 reads of later steps";
  EXPECT_LT(turnsOf(*left), 18);
  forgetOrder(kernel);
  EXPECT_EQ(turnsOf(*asked), turnsOf(*left));
}

// A link sets back what LLVM's code generator was told of the process.
TEST_F(AmdSchedule, linksBeforeChangeNothing) {
  llvm::SmallString<0> first, second;
  ASSERT_EQ(llvm::toString(makeCodeObject(*parse(product(0)), *machine, first)), "");
  ASSERT_EQ(llvm::toString(makeCodeObject(*parse(product(0)), *machine, second)), "");
  EXPECT_TRUE(first == second);
  // Sums that go round the loop one by one would be moved in every round.
  llvm::Expected<std::string> text = assemblyText(*parse(product(0)), *machine);
  ASSERT_TRUE(bool(text)) << llvm::toString(text.takeError());
  const std::size_t loop = text->find("v_wmma"), end = text->find("s_cbranch", loop);
  EXPECT_EQ(test::countOf(text->substr(loop, end - loop), "v_mov_b32"), 0);
}

TEST_F(AmdSchedule, whatCannotBeCompiledIsAnError) {
  const std::unique_ptr<llvm::Module> module =
      parse("define void @k() {\n  call void asm sideeffect \"v_no_such_thing\", \"\"()\n  ret void\n}\n");
  ASSERT_TRUE(module);
  llvm::Expected<CodeObject> object = makeFittingCode(*module, *machine, "k");
  ASSERT_FALSE(bool(object));
  EXPECT_NE(llvm::toString(object.takeError()).find("invalid instruction"), std::string::npos);
}

} // namespace tessera::ir::amd
