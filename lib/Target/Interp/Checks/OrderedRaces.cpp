//===- OrderedRaces.cpp - races in kernels whose programs communicate ------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Interp/Checks/OrderedRaces.h"

#include "Target/Interp/Launch.h"

#include <algorithm>
#include <bit>

namespace tessera::ir::interp {

namespace {
constexpr unsigned kPageShift = 12;
constexpr std::uint64_t kPageBytes = std::uint64_t(1) << kPageShift;
} // namespace

OrderedRaces::OrderedRaces(const Buffers &buffers) : pages(buffers.all.size()), histories(1) {}
OrderedRaces::~OrderedRaces() = default;

// -- Order ----------------------------------------------------------------------------------------

void OrderedRaces::enter(std::uint64_t turn) {
  if (turn == running)
    return;
  running = turn;
  known.clear();
  epoch = 0;
}

void OrderedRaces::acquire(std::uint64_t turn, std::uint64_t address) {
  enter(turn);
  if (const auto it = released.find(address); it != released.end())
    known.join(it->second);
}

void OrderedRaces::release(std::uint64_t turn, std::uint64_t address, bool keep) {
  enter(turn);
  Clock &clock = released[address];
  if (!keep)
    clock.clear();
  clock.join(known);
  clock.raise(turn, epoch + 1);
}

void OrderedRaces::forget(std::uint64_t address) { released.erase(address); }

void OrderedRaces::endEpoch(std::uint64_t turn) {
  enter(turn);
  ++epoch;
}

// -- Accesses -------------------------------------------------------------------------------------

bool OrderedRaces::conflicts(const Access &before, const Access &now) {
  const auto writes = [](Kind k) { return k == Kind::Write || k == Kind::AtomicWrite; };
  const auto isAtomic = [](Kind k) { return k >= Kind::AtomicRead; };
  if (!writes(before.kind) && !writes(now.kind))
    return false;
  // Atomics of one address and one size are always ordered.
  return !isAtomic(before.kind) || !isAtomic(now.kind) || before.size != now.size;
}

std::uint32_t OrderedRaces::after(std::uint32_t number, const Access &now, const Buffer &buffer, std::uint64_t address,
                                  std::uint64_t bytes) {
  for (const Access &before : histories[number]) {
    if (!conflicts(before, now))
      continue;
    // Turns ascend: only the last one of a run can be the running one's.
    if (before.first == now.first)
      continue;
    const std::uint64_t last = before.last == now.first ? before.last - 1 : before.last;
    const std::optional<std::uint64_t> other = known.firstBelow(before.first, last, before.epoch + 1);
    if (!other || *other > last)
      continue;
    const Pair pair{*other, before.site, now.site, buffer.index};
    races.try_emplace(pair, Found{&buffer, address, 0, now.first}).first->second.bytes += bytes;
  }

  History next;
  if (now.kind == Kind::Write) {
    // Whatever is ordered after this write is ordered after all that this program knows; the rest was told just now.
    next = {now};
  } else {
    next = histories[number];
    // A later access of the same program takes the place of its earlier one: who is ordered after it is so after both.
    const auto same = [&](const Access &a) { return a.kind == now.kind && a.size == now.size && a.last == now.first; };
    bool merged = false;
    if (auto it = std::find_if(next.begin(), next.end(), same); it != next.end()) {
      if (it->epoch == now.epoch)
        merged = true;
      else if (it->first == it->last)
        next.erase(it);
      else
        --it->last;
    }
    for (Access &a : next)
      if (!merged && a.kind == now.kind && a.size == now.size && a.epoch == now.epoch && a.site == now.site &&
          a.last + 1 == now.first) {
        a.last = now.first;
        merged = true;
      }
    if (!merged)
      next.push_back(now);
  }
  histories.push_back(std::move(next));
  return static_cast<std::uint32_t>(histories.size() - 1);
}

void OrderedRaces::record(const Buffer &buffer, std::uint64_t address, std::uint64_t bytes, unsigned size,
                          AccessKind kind, std::uint64_t turn, const MemorySite &site) {
  enter(turn);
  if (histories.size() >= collectAt)
    collect();
  Access now{turn, turn, epoch, site.index, static_cast<std::uint8_t>(size), Kind::Read};
  if (site.atomic)
    now.kind = kind == AccessKind::Read ? Kind::AtomicRead : Kind::AtomicWrite;
  else if (kind != AccessKind::Read)
    now.kind = Kind::Write;
  if (now.kind == Kind::Write && !released.empty())
    released.erase(released.lower_bound(address), released.lower_bound(address + bytes));

  const std::uint64_t base = buffer.begin & ~(kPageBytes - 1);
  const auto shift = std::min<unsigned>(std::countr_zero(std::uint64_t(size) | address), 3);
  std::uint32_t before = ~0u, next = 0; // the last history seen and what became of it
  while (bytes != 0) {
    const std::uint64_t inPage = address & (kPageBytes - 1), part = std::min(bytes, kPageBytes - inPage);
    Page &page = pages[buffer.index].try_emplace((address - base) >> kPageShift, Page{shift, {}}).first->second;
    if (page.history.empty())
      page.history.resize(kPageBytes >> shift);
    if (page.shift > shift) {
      std::vector<std::uint32_t> finer(kPageBytes >> shift);
      for (std::size_t i = 0; i != finer.size(); ++i)
        finer[i] = page.history[i >> (page.shift - shift)];
      page = {shift, std::move(finer)};
    }
    for (std::uint64_t i = inPage >> page.shift, end = (inPage + part) >> page.shift; i != end;) {
      const std::uint32_t here = page.history[i];
      std::uint64_t run = i;
      while (run != end && page.history[run] == here)
        ++run;
      const std::uint64_t at = address - inPage + (i << page.shift), length = (run - i) << page.shift;
      if (here != before || !races.empty())
        next = after(before = here, now, buffer, at, length);
      std::fill(page.history.begin() + static_cast<std::ptrdiff_t>(i),
                page.history.begin() + static_cast<std::ptrdiff_t>(run), next);
      i = run;
    }
    address += part;
    bytes -= part;
  }
}

void OrderedRaces::collect() {
  std::vector<std::uint32_t> moved(histories.size(), 0);
  std::vector<History> live(1);
  for (auto &ofBuffer : pages)
    for (auto &[number, page] : ofBuffer)
      for (std::uint32_t &history : page.history) {
        if (history != 0 && moved[history] == 0) {
          moved[history] = static_cast<std::uint32_t>(live.size());
          live.push_back(std::move(histories[history]));
        }
        history = moved[history];
      }
  histories = std::move(live);
  collectAt = std::max<std::size_t>(1 << 16, 2 * histories.size());
}

// -- Report ---------------------------------------------------------------------------------------

void OrderedRaces::finish(const Launch &launch, FaultLog &log) {
  for (const auto &[pair, race] : races) {
    const auto &[firstTurn, firstSite, secondSite, index] = pair;
    reportRace(launch,
               {race.buffer,
                race.address,
                race.bytes,
                {launch.programAt(firstTurn), launch.programAt(race.secondTurn)},
                {&launch.code.memory[firstSite], &launch.code.memory[secondSite]}},
               "nothing orders them: one program must release after its access, and the other acquire the same atomic, "
               "device-wide, before its own, and look at what it read",
               log);
  }
}

} // namespace tessera::ir::interp
