//===- Buffer.cpp - where a tile's elements lie in a buffer --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Lanes/Buffer.h"

#include "Layout/FlatIndex.h"

namespace tessera::ir::gpu {

using ::tessera::layout::combined;
using ::tessera::layout::Dim;
using ::tessera::layout::kDims;
using ::tessera::layout::SharedLayout;
using ::tessera::layout::TileLayout;

TileLayout::Bases offsetColumns(const TileLayout &layout, const SharedLayout &shared, std::uint32_t mask) {
  TileLayout::Bases columns;
  for (const Dim dim : kDims)
    for (const std::uint32_t base : layout.bases(dim))
      columns[static_cast<size_t>(dim)].push_back(shared.offset(base & mask));
  return columns;
}

static ArrayRef<std::uint32_t> columnsOf(const TileLayout::Bases &columns, Dim dim) {
  return columns[static_cast<size_t>(dim)];
}

Places::Places(Emitter &e, Value buffer, Type element, TileLayout::Bases bases)
    : e(e), buffer(buffer), bytes(storedBytes(element)), columns(std::move(bases)) {
  threadOffset = e.bitXor(e.linearMap(columnsOf(columns, Dim::Lane), e.laneId()),
                          e.linearMap(columnsOf(columns, Dim::Warp), e.warpId()));
  if (llvm::any_of(columnsOf(columns, Dim::Block), [](std::uint32_t column) { return column != 0; }))
    threadOffset = e.bitXor(threadOffset, e.linearMap(columnsOf(columns, Dim::Block), e.blockInCluster()));
  std::uint32_t registers = 0;
  for (const Dim dim : kDims)
    for (const std::uint32_t column : columnsOf(columns, dim))
      (dim == Dim::Register ? registers : threadBits) |= column;
  if ((registers & threadBits) == 0)
    threadPointer = e.sharedPointer(e.add(buffer, e.mul(threadOffset, e.i32(bytes))));
}

std::uint32_t Places::registerOffset(unsigned reg) const { return combined(columnsOf(columns, Dim::Register), reg); }

Value Places::pointer(unsigned reg) { return at(registerOffset(reg)); }

Value Places::at(std::uint32_t also, Value more, std::uint32_t moreBits) {
  const std::uint32_t mixed = also & (threadBits | moreBits);
  if (mixed == 0 && !more && threadPointer)
    return e.bytePointer(threadPointer, also * bytes);
  Value offset = e.bitXor(threadOffset, e.i32(mixed));
  if (more)
    offset = e.bitXor(offset, more);
  const Value start = e.sharedPointer(e.add(buffer, e.mul(offset, e.i32(bytes))));
  return e.bytePointer(start, (also ^ mixed) * bytes);
}

} // namespace tessera::ir::gpu
