//===- Shadow.cpp - who touched memory last -------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Sim/Memory/Shadow.h"

#include <algorithm>

namespace tessera::ir::sim {

void Shadow::reset(std::size_t bytes) {
  for (std::unique_ptr<Chunk> &chunk : chunks)
    if (chunk)
      for (std::unique_ptr<Page> &page : *chunk)
        if (page)
          spare.push_back(std::move(page));
  chunks.resize((bytes / kPageBytes + 1024) / 1024);
}

Shadow::Page &Shadow::pageAt(std::size_t offset) {
  std::unique_ptr<Chunk> &chunk = chunks[offset / (1024 * kPageBytes)];
  if (!chunk)
    chunk = std::make_unique<Chunk>();
  std::unique_ptr<Page> &page = (*chunk)[offset / kPageBytes % 1024];
  if (page)
    return *page;
  if (spare.empty()) {
    page = std::make_unique<Page>();
  } else {
    page = std::move(spare.back());
    spare.pop_back();
    page->words = {};
    page->isSplit = {};
  }
  return *page;
}

void Shadow::split(Page &page, std::size_t word) {
  if (!page.bytes)
    page.bytes = std::make_unique<std::array<Cell, kPageBytes>>();
  std::fill_n(page.bytes->begin() + static_cast<std::ptrdiff_t>(4 * word), 4, page.words[word]);
  page.isSplit[word] = true;
}

Conflict Shadow::readCell(Cell &cell, const Toucher &by) {
  Conflict conflict;
  const Access &write = cell.write;
  if (write.clock && !(write.atomic && by.access.atomic) && !by.isAfter(write))
    conflict = {&write, true};
  const Access &mine = by.access;
  std::array<Access, 2> &reads = cell.reads;
  const auto isMine = [&](const Access &read) {
    return read.clock && read.block == mine.block && read.warp == mine.warp;
  };
  if (!isMine(reads[0]))
    std::swap(reads[0], reads[1]);
  if (isMine(reads[0])) {
    const bool many = reads[0].clock == mine.clock && reads[0].lane != mine.lane;
    reads[0] = mine;
    if (many)
      reads[0].lane = Access::kManyLanes;
    return conflict;
  }
  // Of two other readers, the later one stays, which is in the second place again after this.
  std::swap(reads[0], reads[1]);
  reads[1] = reads[0];
  reads[0] = mine;
  return conflict;
}

Conflict Shadow::writeCell(Cell &cell, const Toucher &by) {
  Conflict conflict;
  const Access &write = cell.write;
  if (write.clock && !(write.atomic && by.access.atomic) && !by.isAfter(write)) {
    if (write.isSameOp(by.access) && !write.atomic && !by.access.atomic)
      overlap = true;
    else
      conflict = {&write, true};
  }
  for (const Access &read : cell.reads)
    if (!conflict && read.clock && !(read.atomic && by.access.atomic) && !by.isAfter(read))
      conflict = {&read, false};
  return conflict;
}

template <bool kWrites> Conflict Shadow::touch(std::size_t offset, std::size_t bytes, const Toucher &by) {
  Conflict conflict;
  // A conflict must stay as it is until it is reported, so writes are noted here, behind the check.
  static thread_local Access reported;
  const auto visit = [&](Cell &cell) {
    const Conflict found = kWrites ? writeCell(cell, by) : readCell(cell, by);
    if (found && !conflict) {
      reported = *found.earlier;
      conflict = {&reported, found.wrote};
    }
    if (kWrites) {
      cell.write = by.access;
      cell.reads = {};
    }
  };
  for (const std::size_t end = offset + bytes; offset != end;) {
    Page &page = pageAt(offset);
    const std::size_t inPage = offset % kPageBytes, word = inPage / 4;
    const std::size_t piece = std::min(end - offset, 4 - inPage % 4);
    if (piece != 4 && !page.isSplit[word])
      split(page, word);
    if (page.isSplit[word])
      for (std::size_t k = 0; k != piece; ++k)
        visit((*page.bytes)[inPage + k]);
    else
      visit(page.words[word]);
    offset += piece;
  }
  return conflict;
}

template Conflict Shadow::touch<false>(std::size_t, std::size_t, const Toucher &);
template Conflict Shadow::touch<true>(std::size_t, std::size_t, const Toucher &);

} // namespace tessera::ir::sim
