//===- LateValuesTest.cpp - loops compute what they cannot keep -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Target/AMD/Compile.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"

#include <fmt/format.h>

namespace tessera::ir::amd {

namespace {

/// A loop that stores \p count numbers in each round, each under a mask of its own, at a multiple of a stride of its
/// own, all of which are computed before it.
std::string stores(int count) {
  std::string masks, body;
  for (int i = 0; i != count; ++i) {
    masks +=
        fmt::format("  %r{0} = icmp slt i32 %t, {1}\n  %c{0} = icmp sgt i32 %t, {2}\n  %m{0} = and i1 %r{0}, %c{0}\n"
                    "  %o{0} = mul i64 %stride, {3}\n",
                    i, 60 - i, -i, 2 * i + 2);
    body += fmt::format("  %p{0} = getelementptr i8, ptr addrspace(1) %at, i64 %o{0}\n"
                        "  %q{0} = getelementptr i8, ptr addrspace(1) %p{0}, i64 %wide\n"
                        "  %v{0} = select i1 %m{0}, i32 %i, i32 {0}\n"
                        "  store i32 %v{0}, ptr addrspace(1) %q{0}, align 4\n",
                        i);
  }
  return "define void @k(ptr addrspace(1) %x, i64 %stride, i32 %n) {\nentry:\n"
         "  %t = call i32 @llvm.amdgcn.workitem.id.x()\n  %wide = zext i32 %t to i64\n" +
         masks +
         "  br label %loop\nloop:\n  %i = phi i32 [0, %entry], [%i1, %loop]\n"
         "  %at = phi ptr addrspace(1) [%x, %entry], [%next, %loop]\n" +
         body +
         "  %i1 = add i32 %i, 1\n  %next = getelementptr i8, ptr addrspace(1) %at, i64 4096\n"
         "  %again = icmp slt i32 %i1, %n\n  br i1 %again, label %loop, label %end\nend:\n  ret void\n}\n"
         "declare i32 @llvm.amdgcn.workitem.id.x()\n";
}

class AmdLateValues : public testing::Test {
protected:
  std::unique_ptr<llvm::Module> parse(const std::string &text) {
    llvm::SMDiagnostic diagnostic;
    std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, diagnostic, context);
    EXPECT_TRUE(module) << diagnostic.getMessage().str();
    if (module)
      EXPECT_EQ(llvm::toString(prepareModule(*module, *machine, {.entry = "k", .threads = 64})), "");
    return module;
  }
  /// The scalar registers that wait elsewhere.
  std::uint32_t spillsOf(llvm::Module &module) {
    llvm::Expected<CodeObject> object = makeFittingCode(module, *machine, "k");
    EXPECT_TRUE(bool(object));
    return object ? object->facts.spilledScalars : 0;
  }
  static unsigned masksIn(const llvm::BasicBlock &block) {
    return static_cast<unsigned>(llvm::count_if(block, llvm::IsaPred<llvm::ICmpInst>));
  }

  llvm::LLVMContext context;
  std::string problem;
  std::unique_ptr<llvm::TargetMachine> machine = makeTargetMachine(test::amdChip("gfx942"), problem);
};

} // namespace

TEST_F(AmdLateValues, whatManyRegistersWouldHoldIsComputedInTheLoop) {
  const std::unique_ptr<llvm::Module> kept = parse(stores(48)), late = parse(stores(48));
  ASSERT_TRUE(kept && late);
  llvm::Function &function = *late->getFunction("k");
  computeLate(function, *machine);
  EXPECT_FALSE(llvm::verifyFunction(function, &llvm::errs()));
  EXPECT_EQ(masksIn(function.getEntryBlock()), 0u);
  EXPECT_GE(masksIn(*std::next(function.begin())), 96u);
  EXPECT_GT(spillsOf(*kept), 0u) << "the test needs more masks";
  EXPECT_EQ(spillsOf(*late), 0u);
}

TEST_F(AmdLateValues, fewStayWhereTheyAre) {
  const std::unique_ptr<llvm::Module> module = parse(stores(8));
  ASSERT_TRUE(module);
  llvm::Function &function = *module->getFunction("k");
  computeLate(function, *machine);
  EXPECT_EQ(masksIn(function.getEntryBlock()), 16u);
  EXPECT_EQ(spillsOf(*module), 0u);
}

} // namespace tessera::ir::amd
