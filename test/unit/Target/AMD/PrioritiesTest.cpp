//===- PrioritiesTest.cpp - waves that multiply go first ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Target/AMD/Compile.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"

#include <fmt/format.h>

namespace tessera::ir::amd {

namespace {

using test::amdChip;

/// The reads of a step along k: one of each operand.
std::string reads(int step) {
  std::string text;
  for (const char side : {'a', 'b'})
    text += fmt::format("  %{0}{1}p = getelementptr i8, ptr addrspace(3) %base, i32 {2}\n"
                        "  %{0}{1} = load <4 x half>, ptr addrspace(3) %{0}{1}p, align 8\n",
                        side, step, 512 * (2 * step + (side == 'b')));
  return text;
}

std::string product(int step, const std::string &sums, const std::string &result) {
  return fmt::format("  {2} = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %a{0}, <4 x half> %b{0}, "
                     "<4 x float> {1}, i32 0, i32 0, i32 0)\n",
                     step, sums, result);
}

/// Products of the steps from \p first to \p last, each of whose operands are read a step before, added to \p sums.
std::string run(int first, int last, std::string sums, const std::string &result) {
  std::string text = reads(first);
  for (int step = first; step <= last; ++step) {
    const std::string next = step == last ? result : fmt::format("%m{}", step);
    text += (step == last ? "" : reads(step + 1)) + product(step, sums, next);
    sums = next;
  }
  return text;
}

/// A kernel whose loop stores what the round before loaded, meets, loads, and does \p work, which gives %z from %sums.
/// \p exit is what ends the loop.
std::string kernelOf(const std::string &work, const std::string &exit = "%i1, %n") {
  const std::string meet = "  fence syncscope(\"workgroup\") release\n  call void @llvm.amdgcn.s.barrier()\n"
                           "  fence syncscope(\"workgroup\") acquire\n";
  return R"(
@lds = internal addrspace(3) global [32768 x i8] poison, align 16
declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.s.barrier()
declare <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half>, <4 x half>, <4 x float>, i32, i32, i32)
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %c, i32 %n) {
entry:
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %o = shl i32 %t, 3
  %base = getelementptr i8, ptr addrspace(3) @lds, i32 %o
  %g0 = getelementptr i8, ptr addrspace(1) %a, i32 %o
  br label %loop
loop:
  %i = phi i32 [0, %entry], [%i1, %latch]
  %g = phi ptr addrspace(1) [%g0, %entry], [%g1, %latch]
  %x = phi <2 x i32> [zeroinitializer, %entry], [%y, %latch]
  %sums = phi <4 x float> [zeroinitializer, %entry], [%z, %latch]
  store <2 x i32> %x, ptr addrspace(3) %base, align 8
)" + meet +
         "  %y = load <2 x i32>, ptr addrspace(1) %g, align 8\n" + work + R"(
  br label %latch
latch:
  %i1 = add i32 %i, 1
  %g1 = getelementptr i8, ptr addrspace(1) %g, i32 4096
)" + meet +
         "  %again = icmp slt i32 " + exit + R"(
  br i1 %again, label %loop, label %end
end:
  %q = getelementptr <4 x float>, ptr addrspace(1) %c, i32 %t
  store <4 x float> %z, ptr addrspace(1) %q, align 16
  ret void
}
)";
}

class AmdPriorities : public testing::Test {
protected:
  /// The assembly of \p text as a kernel of 512 threads with priorities.
  std::string assemblyOf(const std::string &text) {
    llvm::SMDiagnostic diagnostic;
    const std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, diagnostic, context);
    if (!module) {
      ADD_FAILURE() << diagnostic.getLineNo() << ": " << diagnostic.getMessage().str();
      return "";
    }
    EXPECT_EQ(llvm::toString(prepareModule(*module, *machine, {.entry = "k", .threads = 512})), "");
    llvm::Function &kernel = *module->getFunction("k");
    raisePriorities(kernel, *machine);
    interleaveReads(kernel);
    EXPECT_FALSE(llvm::verifyModule(*module));
    llvm::Expected<std::string> assembly = assemblyText(*module, *machine);
    EXPECT_TRUE(bool(assembly));
    return assembly ? *assembly : llvm::toString(assembly.takeError());
  }

  /// What priorities are about, in its order, a letter each: [ raised, ] lowered, m product, r read of shared memory,
  /// w write to it, g load from global memory, | barrier.
  static std::string orderOf(llvm::StringRef assembly) {
    constexpr std::pair<llvm::StringLiteral, char> kKinds[] = {
        {"s_setprio 1", '['}, {"s_setprio 0", ']'}, {"v_mfma", 'm'},   {"ds_read", 'r'},
        {"ds_write", 'w'},    {"global_load", 'g'}, {"s_barrier", '|'}};
    std::string order;
    while (!assembly.empty()) {
      const auto [line, rest] = assembly.split('\n');
      for (const auto &[word, letter] : kKinds)
        if (line.trim().starts_with(word))
          order += letter;
      assembly = rest;
    }
    return order;
  }

  llvm::LLVMContext context;
  std::string problem;
  std::unique_ptr<llvm::TargetMachine> machine = makeTargetMachine(amdChip("gfx942"), problem);
};

} // namespace

TEST_F(AmdPriorities, productsOfARoundAreRaised) {
  const std::string order = orderOf(assemblyOf(kernelOf(run(0, 8, "%sums", "%z"))));
  const std::size_t raised = order.find('['), lowered = order.find(']');
  ASSERT_NE(raised, std::string::npos) << order;
  ASSERT_NE(lowered, std::string::npos) << order;
  const std::string inside = order.substr(raised, lowered - raised);
  EXPECT_EQ(test::countOf(inside, "m"), 9) << order;
  EXPECT_EQ(test::countOf(order, "m"), 9) << order;
  EXPECT_EQ(order.find('[', raised + 1), std::string::npos) << order;
  // Data moves outside, and both barriers are where they were.
  EXPECT_EQ(inside.find_first_of("gw|"), std::string::npos) << order;
  EXPECT_LT(order.find('|'), raised) << order;
  EXPECT_GT(order.rfind('|'), lowered) << order;
  // Later steps are read beside products.
  EXPECT_NE(inside.find("mr"), std::string::npos) << order;
}

/// What is computed of a product's results before they are multiplied again goes after others' products.
TEST_F(AmdPriorities, productsOfProductsAreRaisedApart) {
  const std::string between = "  %e = fadd <4 x float> %s, splat(float 1.0)\n"
                              "  %h = fptrunc <4 x float> %e to <4 x half>\n"
                              "  %first = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(<4 x half> %h, <4 x half> "
                              "%h, <4 x float> %sums, i32 0, i32 0, i32 0)\n";
  const std::string order =
      orderOf(assemblyOf(kernelOf(run(0, 8, "zeroinitializer", "%s") + between + run(9, 17, "%first", "%z"))));
  EXPECT_EQ(test::countOf(order, "["), 2) << order;
  EXPECT_EQ(test::countOf(order, "]"), 2) << order;
}

TEST_F(AmdPriorities, fewProductsAreNotRaised) {
  EXPECT_EQ(orderOf(assemblyOf(kernelOf(run(0, 6, "%sums", "%z")))).find('['), std::string::npos);
}

TEST_F(AmdPriorities, whatNotAllLanesExecuteIsNotRaised) {
  EXPECT_EQ(orderOf(assemblyOf(kernelOf(run(0, 8, "%sums", "%z"), "%i1, %t"))).find('['), std::string::npos)
      << "lanes leave the loop one by one";
  const std::string some = "  %lane = icmp slt i32 %t, 17\n  br i1 %lane, label %some, label %all\nsome:\n" +
                           run(0, 8, "%sums", "%w") +
                           "  br label %all\nall:\n  %z = phi <4 x float> [%w, %some], [%sums, %loop]\n";
  EXPECT_EQ(orderOf(assemblyOf(kernelOf(some))).find('['), std::string::npos) << "some lanes multiply";
}

TEST_F(AmdPriorities, forgettingOrdersLeavesNone) {
  llvm::SMDiagnostic diagnostic;
  const auto module = llvm::parseAssemblyString(kernelOf(run(0, 8, "%sums", "%z")), diagnostic, context);
  ASSERT_TRUE(module);
  ASSERT_EQ(llvm::toString(prepareModule(*module, *machine, {.entry = "k", .threads = 512})), "");
  llvm::Function &kernel = *module->getFunction("k");
  const auto instructions = kernel.getInstructionCount();
  raisePriorities(kernel, *machine);
  EXPECT_EQ(kernel.getInstructionCount(), instructions + 2);
  forgetOrder(kernel);
  EXPECT_EQ(kernel.getInstructionCount(), instructions);
}

TEST(AmdPrioritiesOf, programsWhoseWavesShareUnits) {
  EXPECT_FALSE(sharesUnits(amdChip("gfx942"), 256));
  EXPECT_TRUE(sharesUnits(amdChip("gfx942"), 512));
  EXPECT_FALSE(sharesUnits(amdChip("gfx1100"), 128));
  EXPECT_TRUE(sharesUnits(amdChip("gfx1100"), 256));
}

} // namespace tessera::ir::amd
