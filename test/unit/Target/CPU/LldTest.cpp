//===- LldTest.cpp - linking inside this process --------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Lld.h"
#include "Target/CPU/Codegen.h"
#include "unit/Expect.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include <atomic>
#include <thread>
#include <vector>

using namespace tessera;
using namespace tessera::ir;
using testing::HasSubstr;

namespace {

/// The object file of a module whose kernel is `k`.
SmallVector<char, 0> objectOf(llvm::Module &module) {
  const host::HostTarget target = host::hostTargetOf(Target("cpu"));
  std::string problem;
  const std::unique_ptr<llvm::TargetMachine> machine = host::makeTargetMachine(target, problem);
  EXPECT_TRUE(machine) << problem;
  host::prepareModule(module, target, *machine, "k");
  SmallVector<char, 0> object;
  EXPECT_FALSE(llvm::errorToBool(host::emitObject(module, *machine, object)));
  return object;
}

/// The same for IR text.
SmallVector<char, 0> objectOf(const std::string &text) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  const std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, error, context);
  EXPECT_TRUE(module) << error.getMessage().str();
  return objectOf(*module);
}

} // namespace

TEST(Lld, linksManyTimes) {
  const SmallVector<char, 0> object = objectOf("define void @k() { ret void }");
  SmallVector<char, 0> first;
  for (int i = 0; i != 20; ++i) {
    SmallVector<char, 0> linked;
    std::string words;
    ASSERT_TRUE(succeeded(linkSharedObject(object, linked, words))) << words;
    EXPECT_FALSE(llvm::errorToBool(host::checkSharedObject(linked, "k")));
    if (first.empty())
      first = linked;
    EXPECT_EQ(linked, first);
  }
}

TEST(Lld, linksOnManyThreads) {
  const SmallVector<char, 0> object = objectOf("define void @k() { ret void }");
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int i = 0; i != 4; ++i)
    threads.emplace_back([&] {
      for (int j = 0; j != 5; ++j) {
        SmallVector<char, 0> linked;
        std::string words;
        failures += failed(linkSharedObject(object, linked, words));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);
}

TEST(Lld, linksMoreThanAPipeHolds) {
  llvm::LLVMContext context;
  llvm::Module module("big", context);
  std::vector<uint32_t> words(3 << 18);
  for (std::size_t i = 0; i != words.size(); ++i)
    words[i] = static_cast<uint32_t>(i) * 2654435761u;
  llvm::Constant *data = llvm::ConstantDataArray::get(context, words);
  auto *table = new llvm::GlobalVariable(module, data->getType(), true, llvm::GlobalValue::InternalLinkage, data, "t");
  auto *function = llvm::Function::Create(llvm::FunctionType::get(table->getType(), false),
                                          llvm::GlobalValue::ExternalLinkage, "k", module);
  llvm::ReturnInst::Create(context, table, llvm::BasicBlock::Create(context, "", function));
  const SmallVector<char, 0> object = objectOf(module);
  SmallVector<char, 0> linked;
  std::string said;
  ASSERT_TRUE(succeeded(linkSharedObject(object, linked, said))) << said;
  EXPECT_GT(linked.size(), std::size_t{3} << 20);
  EXPECT_FALSE(llvm::errorToBool(host::checkSharedObject(linked, "k")));
}

TEST(Lld, namesWhatIsMissing) {
  const SmallVector<char, 0> object = objectOf("declare void @elsewhere()\ndefine void @k() { call void @elsewhere()\n"
                                               "ret void }");
  SmallVector<char, 0> linked;
  std::string words;
  EXPECT_TRUE(failed(linkSharedObject(object, linked, words)));
  EXPECT_THAT(words, HasSubstr("undefined symbol: elsewhere"));
  EXPECT_TRUE(succeeded(linkSharedObject(objectOf("define void @k() { ret void }"), linked, words)))
      << "a failed link must not spoil the next";
}

TEST(Lld, bordersNoticeOtherSymbols) {
  const SmallVector<char, 0> object = objectOf("define void @k() { ret void }");
  SmallVector<char, 0> linked;
  std::string words;
  ASSERT_TRUE(succeeded(linkSharedObject(object, linked, words))) << words;
  EXPECT_EQ(llvm::toString(host::checkSharedObject(linked, "other")), "the linked code shows symbol `k`");
}
