//===- Lanes.cpp - values that go from lane to lane -----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A warp is rows of 16 lanes. What stays in a row is a modifier of an operand ("DPP") and costs an instruction at most;
// some chips have instructions that exchange rows; everything else goes through the crossbar of shared memory, which
// takes as long as an access to it.
//
//===---------------------------------------------------------------------===//

#include "Target/AMD/Border.h"
#include "Target/AMD/SourceLanes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/MC/MCSubtargetInfo.h"

namespace tessera::ir::amd {

LanePaths lanePathsOf(const llvm::TargetMachine &machine) {
  const auto has = [&](llvm::StringRef feature) {
    return machine.getMCSubtargetInfo()->checkFeatures(("+" + feature).str());
  };
  return {.permutesRows = has("gfx10-insts"),
          .sharesLanes = has("gfx10-insts") || has("gfx90a-insts"),
          .swapsRows = has("permlane16-swap"),
          .swapsHalves = has("permlane32-swap")};
}

namespace {

constexpr std::uint32_t kQuad = 4, kRow = 16, kHalf = 32;

/// How a DPP operand names the lane it is read from.
enum DppControl : std::uint32_t {
  kQuadPermute = 0x000, ///< two bits for each of four lanes
  kRotateRow = 0x120,   ///< by the number in the low bits
  kMirrorRow = 0x140,
  kMirrorHalfRow = 0x141,
  kShareLane = 0x150, ///< of the row, whose number is in the low bits
  kXorRow = 0x160,    ///< with the low bits
};

/// A word goes from lane to lane.
class Exchange {
public:
  Exchange(const BorderCall &call, const LanePaths &paths)
      : b(call.b), word(call.b.getInt32Ty()), warpSize(static_cast<std::uint32_t>(call.chip.warpSize)), paths(paths) {}

  llvm::Value *laneId() {
    return b.CreateAnd(b.CreateIntrinsic(word, llvm::Intrinsic::amdgcn_workitem_id_x, llvm::ArrayRef<llvm::Value *>()),
                       warpSize - 1);
  }

  /// \p value of lane \p lane.
  llvm::Value *read(llvm::Value *value, llvm::Value *lane) {
    if (const std::optional<SourceLanes> from = SourceLanes::of(lane, warpSize))
      if (llvm::Value *result = readKnown(value, *from))
        return result;
    return b.CreateIntrinsic(word, llvm::Intrinsic::amdgcn_ds_bpermute, {b.CreateShl(lane, 2), value});
  }

private:
  /// Null if there is no way but one that takes any lanes.
  llvm::Value *readKnown(llvm::Value *value, const SourceLanes &from) {
    if (const std::optional<std::uint32_t> lane = from.common())
      return b.CreateIntrinsic(word, llvm::Intrinsic::amdgcn_readlane, {value, b.getInt32(*lane)});
    if (from.repeats(kRow))
      if (llvm::Value *result = readInRow(value, from))
        return result;
    if (from.repeats(kRow, 1) && paths.permutesRows)
      return permuteRow(value, from, llvm::Intrinsic::amdgcn_permlanex16);
    if (const std::optional<std::uint32_t> mask = from.flipped(); mask && paths.swapsRows && paths.swapsHalves) {
      value = flipInRow(value, *mask % kRow);
      if (*mask & kRow)
        value = swap(value, llvm::Intrinsic::amdgcn_permlane16_swap, kRow);
      return *mask & kHalf ? swap(value, llvm::Intrinsic::amdgcn_permlane32_swap, kHalf) : value;
    }
    // Half a warp's crossbar takes such numbers from the instruction.
    if (const std::optional<SourceLanes::BitForm> form = from.bitForm(kHalf))
      return b.CreateIntrinsic(word, llvm::Intrinsic::amdgcn_ds_swizzle,
                               {value, b.getInt32(form->keep | form->set << 5 | form->flip << 10)});
    return nullptr;
  }

  llvm::Value *readInRow(llvm::Value *value, const SourceLanes &from) {
    if (from.repeats(kQuad))
      return permuteQuad(value, [&](std::uint32_t lane) { return from[lane]; });
    if (const std::optional<std::uint32_t> mask = from.flipped())
      return flipInRow(value, *mask);
    const auto first = llvm::seq(std::uint32_t{0}, kRow);
    if (paths.sharesLanes && llvm::all_of(first, [&](std::uint32_t lane) { return from[lane] == from[0]; }))
      return dpp(value, kShareLane | from[0]);
    return paths.permutesRows ? permuteRow(value, from, llvm::Intrinsic::amdgcn_permlane16) : nullptr;
  }

  llvm::Value *dpp(llvm::Value *value, std::uint32_t control) {
    return b.CreateIntrinsic(
        llvm::Intrinsic::amdgcn_update_dpp, {word},
        {llvm::PoisonValue::get(word), value, b.getInt32(control), b.getInt32(0xf), b.getInt32(0xf), b.getTrue()});
  }

  llvm::Value *permuteQuad(llvm::Value *value, llvm::function_ref<std::uint32_t(std::uint32_t)> from) {
    std::uint32_t lanes = 0;
    for (std::uint32_t lane = 0; lane != kQuad; ++lane)
      lanes |= from(lane) << 2 * lane;
    constexpr std::uint32_t kIdentity = 0b11100100;
    return lanes == kIdentity ? value : dpp(value, kQuadPermute | lanes);
  }

  llvm::Value *flipInRow(llvm::Value *value, std::uint32_t mask) {
    if (mask >= kQuad && paths.permutesRows)
      return dpp(value, kXorRow | mask);
    static constexpr std::pair<std::uint32_t, std::uint32_t> kFar[] = {
        {0, 0}, {7, kMirrorHalfRow}, {8, kRotateRow | 8}, {15, kMirrorRow}};
    const auto [far, control] = kFar[mask / kQuad];
    if (far != 0)
      value = dpp(value, control);
    return permuteQuad(value, [&](std::uint32_t lane) { return lane ^ mask ^ far; });
  }

  /// Any lane of a row, its own or its neighbour's.
  llvm::Value *permuteRow(llvm::Value *value, const SourceLanes &from, llvm::Intrinsic::ID id) {
    std::uint64_t lanes = 0;
    for (std::uint32_t lane = 0; lane != kRow; ++lane)
      lanes |= std::uint64_t{from[lane] % kRow} << 4 * lane;
    return b.CreateIntrinsic(id, {word},
                             {llvm::PoisonValue::get(word), value, b.getInt32(static_cast<std::uint32_t>(lanes)),
                              b.getInt32(static_cast<std::uint32_t>(lanes >> 32)), b.getFalse(), b.getTrue()});
  }

  /// Neighbouring groups of \p lanes lanes exchange what they hold: of two registers, the instruction leaves all that
  /// the lower groups held in one and what the upper ones held in the other.
  llvm::Value *swap(llvm::Value *value, llvm::Intrinsic::ID id, std::uint32_t lanes) {
    llvm::Value *const both = b.CreateIntrinsic(id, {}, {value, value, b.getFalse(), b.getFalse()});
    llvm::Value *const isUpper = b.CreateICmpNE(b.CreateAnd(laneId(), lanes), b.getInt32(0));
    return b.CreateSelect(isUpper, b.CreateExtractValue(both, 0), b.CreateExtractValue(both, 1));
  }

  llvm::IRBuilderBase &b;
  llvm::Type *const word;
  std::uint32_t warpSize;
  const LanePaths &paths;
};

} // namespace

llvm::Value *lowerShuffle(const BorderCall &call, const LanePaths &paths) {
  llvm::IRBuilderBase &b = call.b;
  Exchange exchange(call, paths);
  llvm::Value *const value = call.operand(0);
  llvm::Value *const argument = call.operand(1);
  if (call.callee.shuffle == border::Shuffle::Idx)
    return exchange.read(value, argument);
  llvm::Value *const lane = exchange.laneId();
  if (call.callee.shuffle == border::Shuffle::Xor)
    return exchange.read(value, b.CreateXor(lane, argument));
  // A lane that has none so far away keeps its own.
  const bool isUp = call.callee.shuffle == border::Shuffle::Up;
  llvm::Value *const room = isUp ? lane : b.CreateXor(lane, static_cast<std::uint64_t>(call.chip.warpSize - 1));
  llvm::Value *const from = isUp ? b.CreateSub(lane, argument) : b.CreateAdd(lane, argument);
  return exchange.read(value, b.CreateSelect(b.CreateICmpULE(argument, room), from, lane));
}

llvm::Value *lowerBallot(const BorderCall &call) {
  llvm::IRBuilderBase &b = call.b;
  llvm::Type *const lanes = b.getIntNTy(static_cast<unsigned>(call.chip.warpSize));
  return b.CreateZExt(b.CreateIntrinsic(llvm::Intrinsic::amdgcn_ballot, {lanes}, {call.operand(0)}), b.getInt64Ty());
}

} // namespace tessera::ir::amd
