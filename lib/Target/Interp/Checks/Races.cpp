//===- Races.cpp - two programs at one address ------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Interp/Checks/Races.h"

#include "Target/Interp/Checks/OrderedRaces.h"
#include "Target/Interp/Launch.h"

#include "fmt/format.h"

#include <algorithm>
#include <bit>
#include <map>
#include <thread>
#include <tuple>

namespace tessera::ir::interp {

RaceChecker::~RaceChecker() = default;

std::unique_ptr<RaceChecker> makeRaceChecker(const Launch &launch) {
  const bool ordered = std::any_of(launch.code.memory.begin(), launch.code.memory.end(),
                                   [](const MemorySite &site) { return site.atomic; });
  if (ordered)
    return std::make_unique<OrderedRaces>(launch.buffers);
  return std::make_unique<UnorderedRaces>(launch.buffers);
}

namespace {

constexpr unsigned kPageShift = 12;
constexpr std::uint64_t kPageBytes = std::uint64_t(1) << kPageShift;
constexpr unsigned kSiteBits = 24;
constexpr std::uint64_t kNone = ~std::uint64_t(0);

/// Who accessed: the program above, the memory site below. Ordered by program, so that minima name the first one.
std::uint64_t pack(std::uint64_t program, const MemorySite &site) {
  return program << kSiteBits | (site.index & ((1u << kSiteBits) - 1));
}
std::uint64_t programOf(std::uint64_t key) { return key >> kSiteBits; }

} // namespace

/// Shadow of 4096 bytes in granules of 1 << shift bytes. Three numbers per granule suffice: it is raced on if and only
/// if it has a writer and some access by another program, and then the least or the greatest accessor is such a one.
struct UnorderedRaces::Page {
  std::atomic<bool> busy{false};
  unsigned shift;
  bool anyWrite = false;
  std::uint64_t leastProgram = kNone, greatestProgram = 0;
  struct Granules {
    std::vector<std::uint64_t> leastWrite, leastAccess, greatestAccess;
  } granules;

  explicit Page(unsigned shift) : shift(shift) {
    const std::size_t n = kPageBytes >> shift;
    granules = {std::vector(n, kNone), std::vector(n, kNone), std::vector(n, std::uint64_t(0))};
  }

  void lock() {
    for (unsigned spins = 0; busy.exchange(true, std::memory_order_acquire); ++spins)
      if (spins > 64)
        std::this_thread::yield();
  }
  void unlock() { busy.store(false, std::memory_order_release); }

  /// Splits every granule so that they have 1 << \p finer bytes.
  void refine(unsigned finer) {
    const std::size_t n = kPageBytes >> finer, parts = shift - finer;
    for (std::vector<std::uint64_t> *v : {&granules.leastWrite, &granules.leastAccess, &granules.greatestAccess}) {
      std::vector<std::uint64_t> split(n);
      for (std::size_t i = 0; i != n; ++i)
        split[i] = (*v)[i >> parts];
      *v = std::move(split);
    }
    shift = finer;
  }

  void touch(std::uint64_t from, std::uint64_t to, std::uint64_t key, bool write) {
    const std::size_t a = from >> shift, b = to >> shift;
    std::uint64_t *least = granules.leastAccess.data(), *greatest = granules.greatestAccess.data();
    for (std::size_t i = a; i != b; ++i) {
      least[i] = std::min(least[i], key);
      greatest[i] = std::max(greatest[i], key);
    }
    if (write) {
      std::uint64_t *w = granules.leastWrite.data();
      for (std::size_t i = a; i != b; ++i)
        w[i] = std::min(w[i], key);
      anyWrite = true;
    }
    leastProgram = std::min(leastProgram, programOf(key));
    greatestProgram = std::max(greatestProgram, programOf(key));
  }
};

UnorderedRaces::UnorderedRaces(const Buffers &buffers) : tables(buffers.all.size()), buffers(buffers) {}

UnorderedRaces::~UnorderedRaces() {
  for (std::atomic<Slot *> &table : tables) {
    Slot *slots = table.load();
    if (!slots)
      continue;
    // The table's own length stands in front of it.
    const std::uint64_t n = reinterpret_cast<std::uint64_t *>(slots)[-1];
    for (std::uint64_t i = 0; i != n; ++i)
      delete slots[i].load();
    ::operator delete(reinterpret_cast<std::uint64_t *>(slots) - 1);
  }
}

UnorderedRaces::Page &UnorderedRaces::page(const Buffer &buffer, std::uint64_t number, unsigned shift) {
  std::atomic<Slot *> &table = tables[buffer.index];
  Slot *slots = table.load(std::memory_order_acquire);
  if (!slots) {
    const std::uint64_t n = (buffer.bytes() + kPageBytes - 1 + (buffer.begin & (kPageBytes - 1))) / kPageBytes;
    auto *words = static_cast<std::uint64_t *>(::operator new((n + 1) * sizeof(std::uint64_t)));
    words[0] = n;
    Slot *fresh = reinterpret_cast<Slot *>(words + 1);
    for (std::uint64_t i = 0; i != n; ++i)
      new (fresh + i) Slot(nullptr);
    if (table.compare_exchange_strong(slots, fresh, std::memory_order_acq_rel))
      slots = fresh;
    else
      ::operator delete(words);
  }
  Page *p = slots[number].load(std::memory_order_acquire);
  if (!p) {
    auto fresh = std::make_unique<Page>(shift);
    if (slots[number].compare_exchange_strong(p, fresh.get(), std::memory_order_acq_rel))
      p = fresh.release();
  }
  return *p;
}

void UnorderedRaces::record(const Buffer &buffer, std::uint64_t address, std::uint64_t bytes, unsigned size,
                            AccessKind kind, std::uint64_t program, const MemorySite &site) {
  const std::uint64_t key = pack(program, site);
  const std::uint64_t base = buffer.begin & ~(kPageBytes - 1);
  const unsigned shift = std::countr_zero(std::uint64_t(size) | address | 8);
  while (bytes != 0) {
    const std::uint64_t inPage = address & (kPageBytes - 1);
    const std::uint64_t part = std::min(bytes, kPageBytes - inPage);
    Page &p = page(buffer, (address - base) >> kPageShift, shift);
    p.lock();
    if (p.shift > shift)
      p.refine(shift);
    p.touch(inPage, inPage + part, key, kind != AccessKind::Read);
    p.unlock();
    address += part;
    bytes -= part;
  }
}

namespace {
/// Races of one pair of places and programs, told once.
struct Found {
  const Buffer *buffer;
  std::uint64_t address;
  std::uint64_t bytes;
};
} // namespace

void UnorderedRaces::finish(const Launch &launch, FaultLog &log) {
  using Pair = std::tuple<std::uint64_t, std::uint32_t, std::uint32_t, std::uint32_t>; // program, sites, buffer
  std::map<Pair, std::pair<Found, std::uint64_t>> found;                               // and the second program
  const auto visit = [&](const Buffer &buffer) {
    Slot *slots = tables[buffer.index].load();
    if (!slots)
      return;
    const std::uint64_t n = reinterpret_cast<std::uint64_t *>(slots)[-1], base = buffer.begin & ~(kPageBytes - 1);
    for (std::uint64_t number = 0; number != n; ++number) {
      const Page *p = slots[number].load();
      if (!p || !p->anyWrite || p->leastProgram == p->greatestProgram)
        continue;
      for (std::size_t i = 0; i != kPageBytes >> p->shift; ++i) {
        const std::uint64_t writer = p->granules.leastWrite[i];
        if (writer == kNone)
          continue;
        std::uint64_t other = p->granules.leastAccess[i];
        if (programOf(other) == programOf(writer))
          other = p->granules.greatestAccess[i];
        if (programOf(other) == programOf(writer))
          continue;
        const std::uint64_t first = std::min(writer, other), second = std::max(writer, other);
        constexpr std::uint64_t siteMask = (1u << kSiteBits) - 1;
        const Pair pair{programOf(first), first & siteMask, second & siteMask, buffer.index};
        const std::uint64_t address = base + (number << kPageShift) + (std::uint64_t(i) << p->shift);
        auto [it, fresh] = found.try_emplace(pair, Found{&buffer, address, 0}, programOf(second));
        it->second.first.bytes += std::uint64_t(1) << p->shift;
      }
    }
  };
  for (const Buffer &buffer : buffers.all)
    visit(buffer);
  for (const auto &[pair, value] : found) {
    const auto &[race, secondProgram] = value;
    const auto &[firstProgram, firstSite, secondSite, index] = pair;
    log.add(firstProgram, raceText(launch, *race.buffer, race.address, race.bytes, firstProgram,
                                   launch.code.memory[firstSite], secondProgram, launch.code.memory[secondSite],
                                   "programs run in any order and only atomics may meet at one address; give each "
                                   "program its own elements or use an atomic"));
  }
}

std::string raceText(const Launch &launch, const Buffer &buffer, std::uint64_t address, std::uint64_t bytes,
                     std::uint64_t firstProgram, const MemorySite &first, std::uint64_t secondProgram,
                     const MemorySite &second, std::string_view rule) {
  const auto place = [&](const MemorySite &m, std::uint64_t program) {
    const Site &site = launch.code.sites[m.site];
    return fmt::format("{} in {}{}{}", site.op, programName(programId(program, launch.grid)),
                       site.at.empty() ? "" : " at ", site.at);
  };
  const Site &site = launch.code.sites[first.site];
  const std::uint64_t offset = address - buffer.begin;
  return fmt::format(
      "{}{}race on byte {} of {} (element {}, {} bytes in all): {} and {} touch it, and at least one of them "
      "writes; {}",
      site.at, site.at.empty() ? "" : ": ", offset, buffer.name, offset / bytesOf(first.elem), bytes,
      place(first, firstProgram), place(second, secondProgram), rule);
}

} // namespace tessera::ir::interp
