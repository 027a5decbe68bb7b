//===- SourceLanes.cpp - which lane each lane reads -----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The value is computed for every thread that a block can have. Such values are a few operations deep.
//
//===---------------------------------------------------------------------===//

#include "Target/AMD/SourceLanes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

namespace tessera::ir::amd {

static constexpr std::uint32_t kMostThreads = 1024;
static constexpr unsigned kMostDepth = 6;

/// \p value in thread \p thread.
static std::optional<std::uint32_t> valueIn(const llvm::Value *value, std::uint32_t thread, unsigned depth = 0) {
  if (!value->getType()->isIntegerTy(32) || depth > kMostDepth)
    return std::nullopt;
  if (const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(value))
    return static_cast<std::uint32_t>(constant->getZExtValue());
  if (const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(value))
    return call->getIntrinsicID() == llvm::Intrinsic::amdgcn_workitem_id_x ? std::optional(thread) : std::nullopt;
  const auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
  if (!operation)
    return std::nullopt;
  const std::optional<std::uint32_t> left = valueIn(operation->getOperand(0), thread, depth + 1);
  const std::optional<std::uint32_t> right = left ? valueIn(operation->getOperand(1), thread, depth + 1) : std::nullopt;
  if (!right)
    return std::nullopt;
  switch (operation->getOpcode()) {
  case llvm::Instruction::And:
    return *left & *right;
  case llvm::Instruction::Or:
    return *left | *right;
  case llvm::Instruction::Xor:
    return *left ^ *right;
  case llvm::Instruction::Add:
    return *left + *right;
  case llvm::Instruction::Sub:
    return *left - *right;
  default:
    return std::nullopt;
  }
}

std::optional<SourceLanes> SourceLanes::of(const llvm::Value *lane, std::uint32_t warpSize) {
  SourceLanes found;
  for (const std::uint32_t thread : llvm::seq(kMostThreads)) {
    const std::optional<std::uint32_t> read = valueIn(lane, thread);
    if (!read)
      return std::nullopt;
    if (thread < warpSize)
      found.lanes.push_back(*read % warpSize);
    else if (found.lanes[thread % warpSize] != *read % warpSize)
      return std::nullopt;
  }
  return found;
}

std::optional<std::uint32_t> SourceLanes::common() const {
  return llvm::all_equal(lanes) ? std::optional(lanes.front()) : std::nullopt;
}

std::optional<std::uint32_t> SourceLanes::flipped() const {
  for (auto [lane, read] : llvm::enumerate(lanes))
    if (read != (lane ^ lanes.front()))
      return std::nullopt;
  return lanes.front();
}

bool SourceLanes::repeats(std::uint32_t size, std::uint32_t groupXor) const {
  return llvm::all_of(llvm::seq(warpSize()), [&](std::uint32_t lane) {
    return lanes[lane] / size == (lane / size ^ groupXor) && lanes[lane] % size == lanes[lane % size] % size;
  });
}

std::optional<SourceLanes::BitForm> SourceLanes::bitForm(std::uint32_t size) const {
  if (!repeats(size))
    return std::nullopt;
  BitForm form;
  for (std::uint32_t bit = 1; bit != size; bit *= 2) {
    const bool whenClear = lanes[0] & bit, whenSet = lanes[bit] & bit;
    if (whenClear != whenSet)
      form.keep |= bit;
    if (whenClear)
      (whenSet ? form.set : form.flip) |= bit;
  }
  const bool holds = llvm::all_of(llvm::seq(size), [&](std::uint32_t lane) {
    return lanes[lane] == (((lane & form.keep) | form.set) ^ form.flip);
  });
  return holds ? std::optional(form) : std::nullopt;
}

} // namespace tessera::ir::amd
