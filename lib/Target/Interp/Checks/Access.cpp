//===- Access.cpp - which lanes may touch memory ----------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Lanes are taken in runs of ascending neighbours; a run that lies in one buffer and is aligned is settled as a whole.
// Only a run that fails is looked at lane by lane.
//
//===---------------------------------------------------------------------===//

#include "Target/Interp/Checks/Access.h"

#include "Target/Interp/Launch.h"

#include "fmt/format.h"

#include <algorithm>
#include <cstring>

namespace tessera::ir::interp {

namespace {

/// The faulting lanes of one kind.
struct Tally {
  std::uint64_t first = 0, lanes = 0;
  void add(std::uint64_t lane) {
    if (lanes++ == 0)
      first = lane;
  }
};

class Admission {
public:
  Admission(Frame &frame, const Inst &inst, const MemorySite &site, Lanes lanes, AccessKind kind)
      : frame(frame), launch(frame.launch), inst(inst), site(site), lanes(lanes), kind(kind), size(bytesOf(site.elem)) {
    if (const int origin = site.roots.only(); origin >= 0)
      expected = launch.bufferOfOrigin(static_cast<std::uint32_t>(origin));
    last = expected;
  }

  Admitted run(bool contiguous) {
    const auto active = [&](std::uint32_t i) { return !lanes.mask || lanes.mask[i].bits; };
    if (contiguous && !lanes.mask) {
      settle(0, lanes.n);
    } else {
      for (std::uint32_t i = 0; i != lanes.n;) {
        if (!active(i)) {
          ++i;
          continue;
        }
        std::uint32_t end = i + 1;
        while (end != lanes.n && lanes.address[end] == lanes.address[end - 1] + size && active(end))
          ++end;
        settle(i, end);
        i = end;
      }
    }
    report();
    return {refused ? allowed : lanes.mask, contiguous};
  }

private:
  void settle(std::uint32_t begin, std::uint32_t end) {
    const std::uint64_t address = lanes.address[begin], bytes = std::uint64_t(end - begin) * size;
    const Buffer *buffer = bufferOf(address);
    if (buffer && buffer->holds(address, bytes) && (!expected || buffer == expected) && address % size == 0 &&
        !constant(*buffer)) {
      settled(*buffer, begin, end);
      return;
    }
    for (std::uint32_t i = begin; i != end; ++i) {
      const std::uint64_t at = lanes.address[i];
      const Buffer *b = bufferOf(at);
      if (!b || !b->holds(at, size))
        refuse(outside, i);
      else if (expected && b != expected)
        refuse(elsewhere, i);
      else if (at % size != 0)
        refuse(misaligned, i);
      else if (constant(*b))
        refuse(constants, i);
      else
        settled(*b, i, i + 1);
    }
  }

  /// Whether the lanes must not do to \p buffer what they are about to do.
  bool constant(const Buffer &buffer) const { return buffer.readOnly && site.writes; }

  /// The lanes [begin, end) are neighbours inside \p buffer.
  void settled(const Buffer &buffer, std::uint32_t begin, std::uint32_t end) {
    const std::uint64_t address = lanes.address[begin], bytes = std::uint64_t(end - begin) * size;
    if (frame.aliases && !site.mayAlias) {
      for (std::uint32_t i = begin; i != end; ++i)
        if (const MemorySite *other = frame.aliases->conflict(frame, site, lanes.address[i], size)) {
          aliased.add(i);
          if (aliased.lanes == 1)
            aliasedWith = other;
        }
      if (kind != AccessKind::Read)
        frame.aliases->noteWrite(frame, site, address, bytes);
    }
    if (buffer.written) {
      std::uint8_t *flags = buffer.written + (address - buffer.begin);
      // An atomic reads and then writes; a plain write defines its bytes.
      if (kind != AccessKind::Write && std::memchr(flags, 0, bytes))
        for (std::uint32_t i = begin; i != end; ++i)
          if (std::memchr(flags + std::uint64_t(i - begin) * size, 0, size))
            unwritten.add(i);
      if (kind != AccessKind::Read)
        std::memset(flags, 1, bytes);
    }
    if (launch.races && buffer.maybeWritten)
      launch.races->record(buffer, address, bytes, size, kind, frame.program, site);
  }

  const Buffer *bufferOf(std::uint64_t address) {
    if (!last || !last->holds(address, 1))
      last = launch.buffers.find(address);
    return last;
  }

  void refuse(Tally &tally, std::uint32_t lane) {
    if (!refused) {
      allowed = frame.scratch<Bool>(0, lanes.n);
      if (lanes.mask)
        std::memcpy(allowed, lanes.mask, lanes.n);
      else
        std::memset(allowed, 1, lanes.n);
      refused = true;
    }
    allowed[lane].bits = 0;
    tally.add(lane);
  }

  std::string verb() const {
    const std::string &op = frame.site(inst).op;
    return fmt::format("{} {} {} byte{} of {}", op,
                       kind == AccessKind::Read    ? "reads"
                       : kind == AccessKind::Write ? "writes"
                                                   : "updates",
                       size, size == 1 ? "" : "s", nameOf(site.elem));
  }

  /// "4 bytes past the end of `x` (64 bytes)", for the buffer the pointer was made from or, failing that, the nearest.
  std::string position(std::uint64_t address) const {
    if (address == 0)
      return "at a null pointer";
    const Buffer *b = expected ? expected : launch.nearestOrigin(site.roots, address);
    if (!b)
      return fmt::format("at {:#x}, where no buffer is live", address);
    const std::string buffer = fmt::format("{} ({} bytes)", b->name(), b->bytes());
    if (address + size > b->end)
      return fmt::format("{} bytes past the end of {}, at its element {}", address + size - b->end, buffer,
                         (address - b->begin) / size);
    return fmt::format("{} bytes before the start of {}", b->begin - address, buffer);
  }

  void report() {
    if (outside.lanes)
      frame.fault(
          inst, outside.first, outside.lanes, [&] { return verb() + " " + position(lanes.address[outside.first]); },
          "every access must stay inside a live buffer; mask the lanes that leave it");
    if (elsewhere.lanes)
      frame.fault(
          inst, elsewhere.first, elsewhere.lanes,
          [&] {
            const std::uint64_t at = lanes.address[elsewhere.first];
            const Buffer *b = launch.buffers.find(at);
            return fmt::format("{} {} and inside {}", verb(), position(at), b ? b->name() : "another buffer");
          },
          "a pointer must stay in the buffer of its own argument; mask the lanes that leave it");
    if (misaligned.lanes)
      frame.fault(
          inst, misaligned.first, misaligned.lanes,
          [&] {
            const std::uint64_t at = lanes.address[misaligned.first];
            const Buffer *b = launch.buffers.find(at);
            return fmt::format("{} at a misaligned address, {:#x}{}", verb(), at,
                               b ? fmt::format(", byte {} of {}", at - b->begin, b->name()) : "");
          },
          "an element must lie at a multiple of its size");
    if (constants.lanes)
      frame.fault(
          inst, constants.first, constants.lanes,
          [&] {
            const Buffer *b = launch.buffers.find(lanes.address[constants.first]);
            return fmt::format("{} to {}, which was given as a pointer to const", verb(), b ? b->name() : "a buffer");
          },
          "a kernel must not change such memory; pass a pointer to memory that may change");
    if (unwritten.lanes)
      frame.fault(
          inst, unwritten.first, unwritten.lanes,
          [&] {
            const std::uint64_t at = lanes.address[unwritten.first];
            const Buffer *b = launch.buffers.find(at);
            return fmt::format("{} that nothing has written, element {} of {}", verb(), b ? (at - b->begin) / size : 0,
                               b ? b->name() : "a buffer");
          },
          "memory holds anything until it is written; copy or fill the buffer first, or store before loading");
    if (aliased.lanes)
      frame.fault(
          inst, aliased.first, aliased.lanes,
          [&] {
            const Site &other = launch.code.sites[aliasedWith->site];
            return fmt::format("{} through {} where {}{}{} wrote through {} before", verb(), launch.namesOf(site.roots),
                               other.op, other.at.empty() ? "" : " at ", other.at, launch.namesOf(aliasedWith->roots));
          },
          "memory of different arguments is assumed disjoint; declare one of them may_alias");
  }

  Frame &frame;
  Launch &launch;
  const Inst &inst;
  const MemorySite &site;
  const Lanes lanes;
  const AccessKind kind;
  const unsigned size;
  const Buffer *expected = nullptr, *last = nullptr;
  Bool *allowed = nullptr;
  bool refused = false;
  Tally outside, elsewhere, misaligned, constants, unwritten, aliased;
  const MemorySite *aliasedWith = nullptr;
};

} // namespace

Admitted admit(Frame &frame, const Inst &inst, const MemorySite &site, Lanes lanes, AccessKind kind) {
  if (lanes.mask && !std::memchr(lanes.mask, 0, lanes.n))
    lanes.mask = nullptr;
  const std::uint64_t size = bytesOf(site.elem), first = lanes.n ? lanes.address[0] : 0;
  std::uint64_t off = 0;
  for (std::uint32_t i = 0; i != lanes.n; ++i)
    off |= lanes.address[i] ^ (first + i * size);
  if (!frame.launch.options.checks)
    return {lanes.mask, off == 0};
  return Admission(frame, inst, site, lanes, kind).run(off == 0);
}

const MemorySite *AliasTracker::conflict(const Frame &frame, const MemorySite &site, std::uint64_t address,
                                         std::uint64_t bytes) const {
  for (; bytes != 0; ++address, --bytes) {
    const auto it = pages.find(address >> 12);
    if (it == pages.end() || it->second.program != frame.program)
      continue;
    const std::uint32_t writer = it->second.writer[address & 4095];
    if (writer == 0)
      continue;
    const MemorySite &other = frame.launch.code.memory[writer - 1];
    if (!other.mayAlias && !other.roots.meets(site.roots))
      return &other;
  }
  return nullptr;
}

void AliasTracker::noteWrite(const Frame &frame, const MemorySite &site, std::uint64_t address, std::uint64_t bytes) {
  for (; bytes != 0; ++address, --bytes) {
    Page &page = pages[address >> 12];
    if (page.program != frame.program) {
      page.program = frame.program;
      page.writer.fill(0);
    }
    page.writer[address & 4095] = site.index + 1;
  }
}

} // namespace tessera::ir::interp
