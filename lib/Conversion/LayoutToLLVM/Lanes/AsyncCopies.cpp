//===- AsyncCopies.cpp - copies into buffers, thread by thread -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Registers that are neighbours in memory and in the buffer move together, 4, 8 or 16 bytes of them. Of threads that
// hold copies of an element one copies it. Where the lanes of a warp fill the buffer one behind the other, and the chip
// copies so, the warp copies as one.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Access.h"
#include "Conversion/LayoutToLLVM/Emit/CodeNotes.h"
#include "Conversion/LayoutToLLVM/Lanes/Buffer.h"
#include "Conversion/LayoutToLLVM/Lanes/Families.h"
#include "Layout/FlatIndex.h"
#include "Layout/StraightCopy.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"

namespace tessera::ir::gpu {

using ::tessera::layout::Dim;
using ::tessera::layout::kDims;
using ::tessera::layout::SharedLayout;

namespace {

constexpr std::int64_t kLeastBytes = 4, kMostBytes = 16;

/// How many neighbouring registers, of at most \p most, lie in the buffer as they are numbered, from a multiple of
/// their number on.
unsigned widthIn(const TileLayout &layout, const SharedLayout &shared, unsigned most) {
  const auto isAligned = [&](unsigned width) {
    for (const Dim dim : kDims)
      for (auto [bit, base] : llvm::enumerate(layout.bases(dim))) {
        const std::uint32_t offset = shared.offset(base);
        const bool isInside = dim == Dim::Register && (1U << bit) < width;
        if (isInside ? offset != 1U << bit : offset % width != 0)
          return false;
      }
    return true;
  };
  while (most > 1 && !isAligned(most))
    most /= 2;
  return most;
}

/// Where in a buffer the accesses of a warp begin.
class WarpPlaces {
public:
  /// Of elements of the dialect's type \p element, held as \p layout, in \p buffer (its place) of \p shared.
  WarpPlaces(Emitter &e, Value buffer, Type element, const TileLayout &layout, const SharedLayout &shared)
      : e(e), columns(offsetColumns(layout, shared)), bytes(storedBytes(element)) {
    const Value offset = e.linearMap(columns[static_cast<size_t>(Dim::Warp)], e.uniformWarpId());
    start = e.sharedPointer(e.add(buffer, e.mul(offset, e.i32(bytes))));
  }
  /// Registers and warps share no bits of the offset.
  Value pointer(unsigned reg) {
    return e.bytePointer(start, ::tessera::layout::combined(columns[static_cast<size_t>(Dim::Register)], reg) * bytes);
  }

private:
  Emitter &e;
  const TileLayout::Bases columns;
  const std::int64_t bytes;
  Value start;
};

/// The copies of \p op into \p buffer, whose elements threads hold under \p layout. Where \p when, an i1 of the kernel
/// or null, is false all elements become 0.
void emitCopies(Operation &op, Emitter &e, Value buffer, Value mask, Value when, const TileLayout &layout) {
  const auto type = cast<layout::BufferType>(buffer.getType());
  const SharedLayout &shared = type.getLayout().getLayout();
  const std::int64_t bytes = type.bytesOfElement();
  const auto most = static_cast<unsigned>(std::max<std::int64_t>(1, kMostBytes / bytes));
  const unsigned width = widthIn(layout, shared, std::min(most, vectorOf(op, layout)));
  if (width * bytes < kLeastBytes)
    return e.refuse(op, "copies " + Twine(width * bytes) + " bytes at a time; threads can copy 4, 8 or 16");
  const auto accessBytes = static_cast<unsigned>(width * bytes);
  e.notes().access(op, "copy", accessBytes, accessBytes);
  const std::unique_ptr<Addresses> addresses = addressesOf(e, op, layout);
  Masks masks(e, op, mask, layout);
  const Value always = when ? e.scalar(when) : Value();
  const auto maskAt = [&](unsigned reg) { return e.both(masks.at(reg), always); };
  if (e.hooks().copiesStraight(accessBytes) && ::tessera::layout::isStraight(layout, shared, width)) {
    WarpPlaces places(e, e.scalar(buffer), type.getElement(), layout, shared);
    for (unsigned reg = 0; reg != layout.size(Dim::Register); reg += width) {
      const Value inside = maskAt(reg);
      e.border().copyToShared(border::integers(32, accessBytes / 4), addresses->pointer(reg),
                              inside ? inside : e.integer(1, 1), places.pointer(reg));
    }
    return;
  }
  Places places(e, e.scalar(buffer), type.getElement(), offsetColumns(layout, shared));
  const auto copyAll = [&] {
    for (unsigned reg = 0; reg != layout.size(Dim::Register); reg += width)
      if (!Emitter::isCopy(layout, reg))
        e.hooks().asyncCopy(e, places.pointer(reg), addresses->pointer(reg), accessBytes, maskAt(reg));
  };
  if (const Value owner = e.isOwnerInBlock(layout))
    e.ifThen(owner, copyAll);
  else
    copyAll();
}

void emitCopy(Operation &op, Emitter &e) {
  auto copy = cast<layout::AsyncCopyOp>(op);
  emitCopies(op, e, copy.getBuffer(), copy.getMask(), {}, e.layoutOf(copy.getPtr()));
}

void emitViewCopy(Operation &op, Emitter &e) {
  auto copy = cast<layout::ViewAsyncCopyOp>(op);
  emitCopies(op, e, copy.getBuffer(), {}, copy.getWhen(), copy.getAccess().getLayout());
}

void emitCommit(Operation &, Emitter &e) { e.hooks().asyncCommit(e); }
void emitWait(Operation &op, Emitter &e) {
  auto wait = cast<layout::AsyncWaitOp>(op);
  e.hooks().asyncWait(e, wait.getPending(), wait.getAccesses().value_or(0));
}

} // namespace

void registerAsyncCopyOps(OpTable &table) {
  table.add<layout::AsyncCopyOp>(emitCopy);
  table.add<layout::ViewAsyncCopyOp>(emitViewCopy);
  table.add<layout::AsyncCommitOp>(emitCommit);
  table.add<layout::AsyncWaitOp>(emitWait);
}

} // namespace tessera::ir::gpu
