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

#include "Target/Interp/Checks/Aliases.h"
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
    if (frame.aliases)
      for (std::uint32_t i = begin; i != end; ++i)
        if (const MemorySite *other = frame.aliases->access(
                frame.program, site, lanes.n == 1 ? AliasTracker::kAnyLane : i, lanes.address[i], size)) {
          aliased.add(i);
          if (aliased.lanes == 1)
            aliasedWith = other;
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
      launch.races->record(buffer, address, bytes, size, kind, frame.turn, site);
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

  /// "load of"
  std::string_view deed() const {
    return kind == AccessKind::Read ? "load of" : kind == AccessKind::Write ? "store to" : "atomic change of";
  }

  /// What elements are counted in: the memory of the argument that the pointer was made from or, failing that, of the
  /// buffer nearest to \p address.
  struct Home {
    std::string name; ///< "`x`"; empty where nothing is live
    std::uint64_t begin = 0, bytes = 0;
  };
  Home homeOf(std::uint64_t address) const {
    if (const int only = site.roots.only(); expected) {
      const auto origin = static_cast<std::uint32_t>(only);
      const std::uint64_t begin = launch.addressOfOrigin(origin);
      return {launch.namesOf(site.roots), begin, expected->end - begin};
    }
    const Buffer *b = launch.nearestOrigin(site.roots, address);
    return b ? Home{b->name(), b->begin, b->bytes()} : Home{};
  }

  /// "element 3 of `x`", or "f32 at byte 13 of `x`" where no element begins.
  std::string element(const Home &home, std::uint64_t address) const {
    const auto offset = static_cast<std::int64_t>(address - home.begin), width = static_cast<std::int64_t>(size);
    return offset % width == 0 ? fmt::format("element {} of {}", offset / width, home.name)
                               : fmt::format("{} at byte {} of {}", nameOf(site.elem), offset, home.name);
  }
  std::string element(std::uint64_t address) const {
    const Home home = homeOf(address);
    return home.name.empty() ? fmt::format("{} at {:#x}", nameOf(site.elem), address) : element(home, address);
  }

  /// "element 16 of `x`, which has 16".
  std::string elementOutside(std::uint64_t address) const {
    if (address == 0)
      return fmt::format("{} at a null pointer", nameOf(site.elem));
    const Home home = homeOf(address);
    if (home.name.empty())
      return fmt::format("{} at {:#x}, where no buffer is live", nameOf(site.elem), address);
    return (address - home.begin) % size == 0 && home.bytes % size == 0
               ? fmt::format("{}, which has {}", element(home, address), home.bytes / size)
               : fmt::format("{}, which has {} bytes", element(home, address), home.bytes);
  }

  void report() {
    if (outside.lanes)
      frame.fault(
          inst, outside.first, outside.lanes,
          [&] { return fmt::format("{} {}", deed(), elementOutside(lanes.address[outside.first])); },
          "every access must stay inside a live buffer; mask the lanes that leave it");
    if (elsewhere.lanes)
      frame.fault(
          inst, elsewhere.first, elsewhere.lanes,
          [&] {
            const std::uint64_t at = lanes.address[elsewhere.first];
            const Buffer *b = launch.buffers.find(at);
            return fmt::format("{} {}, inside {}", deed(), elementOutside(at), b ? b->name() : "another buffer");
          },
          "a pointer must stay in the buffer of its own argument; mask the lanes that leave it");
    if (misaligned.lanes)
      frame.fault(
          inst, misaligned.first, misaligned.lanes,
          [&] {
            const std::uint64_t at = lanes.address[misaligned.first];
            const Buffer *b = launch.buffers.find(at);
            return fmt::format("{} {} at a misaligned address, {:#x}{}", deed(), nameOf(site.elem), at,
                               b ? fmt::format(", byte {} of {}", at - b->begin, b->name()) : "");
          },
          "an element must lie at a multiple of its size");
    if (constants.lanes)
      frame.fault(
          inst, constants.first, constants.lanes,
          [&] {
            return fmt::format("{} {}, which was given as a pointer to const", deed(),
                               element(lanes.address[constants.first]));
          },
          "a kernel must not change such memory; pass a pointer to memory that may change");
    if (unwritten.lanes)
      frame.fault(
          inst, unwritten.first, unwritten.lanes,
          [&] {
            return fmt::format("{} {}, which nothing has written", deed(), element(lanes.address[unwritten.first]));
          },
          "memory holds anything until it is written; copy or fill the buffer first, or store before loading");
    if (aliased.lanes)
      frame.fault(inst, aliased.first, aliased.lanes, [&] { return aliasText(); }, aliasRule());
  }

  std::string aliasText() const {
    const Site &other = launch.code.sites[aliasedWith->site];
    return fmt::format("{} {} through {}, which {}{}{} through {} before", deed(),
                       element(lanes.address[aliased.first]), launch.namesOf(site.roots),
                       aliasedWith->writes ? "a store" : "a load of another lane",
                       other.at.empty() ? "" : " at " + other.at, aliasedWith->writes ? " wrote" : " read",
                       launch.namesOf(aliasedWith->roots));
  }
  std::string aliasRule() const {
    const std::string pointee = launch.pointeeOf(site.roots);
    return fmt::format("memory of different arguments is assumed disjoint; declare one of them MayAlias{}",
                       pointee.empty() ? "" : "<" + pointee + ">");
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

} // namespace tessera::ir::interp
