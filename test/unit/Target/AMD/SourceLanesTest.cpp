//===- SourceLanesTest.cpp - which lane each lane reads -------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/AMD/SourceLanes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"

#include <gtest/gtest.h>

using namespace tessera::ir::amd;

namespace {

class AmdSourceLanes : public testing::Test {
protected:
  AmdSourceLanes() : module("m", context), b(context) {
    auto *type = llvm::FunctionType::get(b.getVoidTy(), {b.getInt32Ty()}, false);
    function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "f", module);
    b.SetInsertPoint(llvm::BasicBlock::Create(context, "", function));
    thread = b.CreateIntrinsic(b.getInt32Ty(), llvm::Intrinsic::amdgcn_workitem_id_x, llvm::ArrayRef<llvm::Value *>());
  }
  llvm::Value *lane(std::uint32_t warp = 64) { return b.CreateAnd(thread, warp - 1); }

  llvm::LLVMContext context;
  llvm::Module module;
  llvm::IRBuilder<> b;
  llvm::Function *function;
  llvm::Value *thread;
};

} // namespace

TEST_F(AmdSourceLanes, areThoseOfEveryThread) {
  const auto found = SourceLanes::of(b.CreateXor(lane(), 5), 64);
  ASSERT_TRUE(found);
  for (std::uint32_t i = 0; i != 64; ++i)
    EXPECT_EQ((*found)[i], i ^ 5);
  EXPECT_EQ(found->flipped(), 5u);
  EXPECT_FALSE(found->common());
  EXPECT_TRUE(found->repeats(8));
  EXPECT_FALSE(found->repeats(4));
  EXPECT_TRUE(found->repeats(4, 1));
}

TEST_F(AmdSourceLanes, numbersWrapAround) {
  const auto found = SourceLanes::of(b.CreateAdd(thread, b.getInt32(3)), 32);
  ASSERT_TRUE(found);
  EXPECT_EQ((*found)[31], 2u);
  EXPECT_FALSE(found->flipped());
  EXPECT_FALSE(found->bitForm(32));
}

TEST_F(AmdSourceLanes, bitForms) {
  const auto found = SourceLanes::of(b.CreateXor(b.CreateOr(b.CreateAnd(lane(), ~6u), 2), 16), 64);
  ASSERT_TRUE(found);
  const auto form = found->bitForm(32);
  ASSERT_TRUE(form);
  EXPECT_EQ(form->keep, 0b11001u);
  EXPECT_EQ(form->set, 0b00010u);
  EXPECT_EQ(form->flip, 0b10000u);
  EXPECT_FALSE(SourceLanes::of(b.CreateXor(lane(), 32), 64)->bitForm(32));
}

TEST_F(AmdSourceLanes, whatDiffersBetweenWarpsOrIsNotKnownIsNone) {
  EXPECT_FALSE(SourceLanes::of(b.CreateXor(lane(), function->getArg(0)), 64));
  // Threads 0 and 64 are lane 0 of warps of 64; they read lanes 0 and 1.
  EXPECT_TRUE(SourceLanes::of(b.CreateAnd(thread, 63), 64));
  EXPECT_FALSE(SourceLanes::of(b.CreateUDiv(thread, b.getInt32(64)), 64));
  EXPECT_FALSE(SourceLanes::of(b.CreateLShr(thread, 5), 32));
  EXPECT_EQ(SourceLanes::of(b.getInt32(7), 32)->common(), 7u);
}
