//===- BufferAccess.cpp - masked accesses become those of buffers ---------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  %q = getelementptr i8, %p, i64 %wide          where %wide = zext i32 %o, and %o < 2^31
//          %a = load(%q, mask, 0)
// After:   %r = make.buffer.rsrc(%p, 2^31 bytes)
//          %a = raw.buffer.load(%r, mask ? %o : 2^31)
//
// What lies outside of a buffer reads as 0 and is not written, so that no branch is needed and loads need not wait for
// each other. An address is a base that all lanes share plus an offset of the lane, which must be known to be small:
// where it is not, or the base is not shared, the access stays as it is.
//
//===---------------------------------------------------------------------===//

#include "Target/AMD/Access.h"
#include "Target/AMD/Border.h"
#include "Target/Gpu/EmitCode.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/Local.h"

#include <optional>

namespace tessera::ir::amd {

namespace {

/// What a buffer holds, and so the offset of what is not accessed.
constexpr std::uint64_t kBufferBytes = std::uint64_t{1} << 31;
/// The address space of buffers.
constexpr unsigned kBufferSpace = 8;

/// A number times so many bytes. The number may be replaced before it is used.
struct Term {
  llvm::WeakTrackingVH number;
  llvm::APInt bytes;
};

/// A place as buffer instructions take it: the sum of all its parts.
struct Place {
  llvm::WeakTrackingVH root;         ///< a pointer that all lanes share
  llvm::SmallVector<Term, 2> shared; ///< what all lanes share
  llvm::SmallVector<Term, 2> lane;   ///< what the lane adds, below kBufferBytes together with the constant
  llvm::APInt constant{64, 0};
};

class BufferPlaces {
public:
  BufferPlaces(const llvm::UniformityInfo &uniformity, const llvm::DataLayout &layout)
      : uniformity(uniformity), layout(layout) {}

  /// Whether all lanes have the same \p value.
  bool isShared(const llvm::Value *value) const {
    return llvm::isa<llvm::Constant>(value) || uniformity.isUniform(value);
  }

  /// Where \p pointer is if \p bytes from there can be accessed as part of a buffer.
  std::optional<Place> of(llvm::Value *pointer, unsigned bytes) const {
    Place place;
    while (!isShared(pointer)) {
      auto *address = llvm::dyn_cast<llvm::GEPOperator>(pointer);
      if (!address || !collect(*address, place))
        return std::nullopt;
      pointer = address->getPointerOperand();
    }
    place.root = pointer;
    return fits(place, bytes) ? std::optional(std::move(place)) : std::nullopt;
  }

private:
  bool collect(const llvm::GEPOperator &address, Place &place) const {
    llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4> factors;
    llvm::APInt constant(64, 0);
    if (!address.collectOffset(layout, 64, factors, constant))
      return false;
    place.constant += constant;
    for (const auto &[number, bytes] : factors)
      add(number, bytes, place);
    return true;
  }

  /// Adds \p number times \p bytes.
  void add(llvm::Value *number, const llvm::APInt &bytes, Place &place) const {
    using namespace llvm::PatternMatch;
    llvm::Value *x = nullptr, *y = nullptr;
    const llvm::APInt *constant = nullptr;
    if (isShared(number)) {
      place.shared.push_back({number, bytes});
    } else if (number->getType()->isIntegerTy(64) && match(number, m_AddLike(m_Value(x), m_APInt(constant)))) {
      add(x, bytes, place);
      place.constant += bytes * *constant;
    } else if (number->getType()->isIntegerTy(64) && match(number, m_AddLike(m_Value(x), m_Value(y)))) {
      add(x, bytes, place);
      add(y, bytes, place);
    } else {
      place.lane.push_back({number, bytes});
    }
  }

  /// Whether offsets lie within a buffer in all lanes, and so have 32 bits.
  bool fits(const Place &place, unsigned bytes) const {
    if (place.constant.isNegative())
      return false;
    llvm::APInt most = place.constant.zext(128) + bytes;
    for (const Term &term : place.lane) {
      if (term.bytes.isNegative())
        return false;
      most += llvm::computeKnownBits(term.number, layout).getMaxValue().zext(128) * term.bytes.zext(128);
    }
    return most.ule(kBufferBytes);
  }

  const llvm::UniformityInfo &uniformity;
  const llvm::DataLayout &layout;
};

/// The type in which buffer instructions move what \p type holds: whole words, or a byte or half.
llvm::Type *movedType(llvm::IRBuilderBase &b, border::AccessType type) {
  const unsigned bits = type.bits();
  if (bits <= 32)
    return b.getIntNTy(bits);
  return llvm::FixedVectorType::get(b.getInt32Ty(), bits / 32);
}

/// The last word of a buffer's descriptor: elements of 32 bits, and offsets that are checked byte by byte.
std::uint32_t descriptorWord(const arch::Chip &chip) {
  constexpr std::uint32_t kFloat = 7U << 12, kWord = 4U << 15;
  constexpr std::uint32_t kIsSet = 1U << 24, kChecksOffset = 3U << 28; // where warps have 32 lanes
  return kFloat | kWord | (chip.warpSize == 32 ? kIsSet | kChecksOffset : 0);
}

class BufferCode {
public:
  BufferCode(const arch::Chip &chip, llvm::IRBuilderBase &b) : chip(chip), b(b) {}

  void replace(const Access &access, const Place &place) {
    constexpr std::uint32_t kStreaming = 2; // of all chips: what need not stay in caches
    llvm::Value *const buffer = bufferAt(place), *const offset = offsetOf(place, access.mask());
    llvm::Value *const none = b.getInt32(0), *const policy = b.getInt32(access.isUsedOnce() ? kStreaming : 0);
    llvm::Type *const moved = movedType(b, access.callee.type);
    llvm::Value *value = nullptr;
    if (access.isCopy()) {
      b.CreateIntrinsic(b.getVoidTy(), llvm::Intrinsic::amdgcn_raw_ptr_buffer_load_lds,
                        {buffer, access.target(), b.getInt32(access.callee.type.bytes()), offset, none, none, policy});
    } else if (access.isStore()) {
      llvm::Value *const stored = b.CreateBitCast(access.call->getArgOperand(1), moved);
      b.CreateIntrinsic(b.getVoidTy(), llvm::Intrinsic::amdgcn_raw_ptr_buffer_store,
                        {stored, buffer, offset, none, policy});
    } else {
      value = b.CreateIntrinsic(moved, llvm::Intrinsic::amdgcn_raw_ptr_buffer_load, {buffer, offset, none, policy});
      value = b.CreateBitCast(value, access.call->getType());
      if (!isZero(access.other()))
        value = b.CreateSelect(access.mask(), value, access.other());
    }
    access.replaceWith(value);
  }

private:
  static bool isZero(const llvm::Value *other) {
    auto *constant = llvm::dyn_cast<llvm::Constant>(other);
    return constant && (constant->isNullValue() || llvm::isa<llvm::UndefValue>(constant));
  }

  llvm::Value *bufferAt(const Place &place) {
    llvm::Value *base = place.root;
    for (const Term &term : place.shared)
      base = b.CreatePtrAdd(base, b.CreateMul(b.CreateSExt(term.number, b.getInt64Ty()), b.getInt(term.bytes)));
    return b.CreateIntrinsic(llvm::Intrinsic::amdgcn_make_buffer_rsrc, {b.getPtrTy(kBufferSpace), base->getType()},
                             {base, b.getInt16(0), b.getInt64(kBufferBytes), b.getInt32(descriptorWord(chip))});
  }

  /// The constant is added behind the choice, where it becomes part of the instruction.
  llvm::Value *offsetOf(const Place &place, llvm::Value *mask) {
    llvm::Value *offset = b.getInt32(0);
    for (const Term &term : place.lane)
      offset = b.CreateNUWAdd(
          offset, b.CreateNUWMul(b.CreateTrunc(term.number, b.getInt32Ty()), b.getInt(term.bytes.trunc(32))));
    offset = b.CreateSelect(mask, offset, b.getInt32(static_cast<std::uint32_t>(kBufferBytes)));
    return b.CreateNUWAdd(offset, b.getInt(place.constant.trunc(32)));
  }

  const arch::Chip &chip;
  llvm::IRBuilderBase &b;
};

} // namespace

/// The accesses of \p function that buffers can serve. Those whose mask all lanes share are better branched around, but
/// for copies, which have something to do there: zeros.
static llvm::SmallVector<std::pair<Access, Place>, 0> accessesOfBuffers(llvm::Function &function,
                                                                        const BufferPlaces &places) {
  llvm::SmallVector<std::pair<Access, Place>, 0> found;
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block) {
      Access access = accessOf(instruction);
      if (!access.call || access.isShared() || access.isVolatile() ||
          (places.isShared(access.mask()) && !access.isCopy()))
        continue;
      if (std::optional<Place> place = places.of(access.pointer(), access.callee.type.bytes()))
        found.emplace_back(std::move(access), std::move(*place));
    }
  return found;
}

void useBuffers(llvm::Module &module, const arch::Chip &chip, llvm::TargetMachine &machine) {
  gpu::analyse(machine, [&](llvm::FunctionAnalysisManager &analyses) {
    for (llvm::Function &function : module) {
      if (function.isDeclaration())
        continue;
      const BufferPlaces places(analyses.getResult<llvm::UniformityInfoAnalysis>(function), function.getDataLayout());
      for (const auto &[access, place] : accessesOfBuffers(function, places)) {
        llvm::IRBuilder<> before(access.call);
        const llvm::WeakTrackingVH pointer(access.pointer());
        BufferCode(chip, before).replace(access, place);
        if (pointer)
          llvm::RecursivelyDeleteTriviallyDeadInstructions(pointer);
      }
    }
  });
}

} // namespace tessera::ir::amd
