//===- Races.cpp - two programs at one address ------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Interp/Checks/Races.h"

#include "Target/Interp/Checks/OrderedRaces.h"
#include "Target/Interp/Launch.h"

#include "fmt/format.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <map>
#include <new>
#include <span>
#include <thread>
#include <tuple>
#include <utility>

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

/// Shadow of 4096 bytes. At first a short list of who touched which range, since most pages see few: the granules come
/// with the first access that does not fit it. Three numbers per granule suffice: it is raced on if and only if it has
/// a writer and some access by another program, and then the least or the greatest accessor is such a one.
struct UnorderedRaces::Page {
  struct Range {
    std::uint64_t key;
    std::uint16_t from, to; ///< bytes of the page; to may be 4096
    std::uint8_t shift;     ///< log2 of what both are multiples of
    bool write;
  };
  static constexpr unsigned maxRanges = 6;

  std::atomic<bool> busy{false};
  bool anyWrite = false;
  std::uint8_t rangeCount = 0;
  std::uint8_t shift = 3; ///< a granule has 1 << shift bytes
  std::uint64_t leastProgram = kNone, greatestProgram = 0;
  std::array<Range, maxRanges> ranges;
  std::vector<std::uint64_t> leastWrite, leastAccess, greatestAccess; ///< per granule; empty at first

  void lock() {
    for (unsigned spins = 0; busy.exchange(true, std::memory_order_acquire); ++spins)
      if (spins > 64)
        std::this_thread::yield();
  }
  void unlock() { busy.store(false, std::memory_order_release); }

  void touch(const Range &range) {
    anyWrite |= range.write;
    leastProgram = std::min(leastProgram, programOf(range.key));
    greatestProgram = std::max(greatestProgram, programOf(range.key));
    if (leastAccess.empty()) {
      for (Range &r : std::span(ranges).first(rangeCount)) {
        if (r.key != range.key || r.write != range.write || range.from > r.to || r.from > range.to)
          continue;
        r.from = std::min(r.from, range.from);
        r.to = std::max(r.to, range.to);
        r.shift = std::min(r.shift, range.shift);
        return;
      }
      if (rangeCount != maxRanges) {
        ranges[rangeCount++] = range;
        return;
      }
      spread();
    }
    if (shift > range.shift)
      refine(range.shift);
    mark(range);
  }

  /// Whether the page needs a look at its granules.
  bool mayRace() const {
    if (!anyWrite || leastProgram == greatestProgram)
      return false;
    if (!leastAccess.empty())
      return true;
    for (unsigned i = 0; i != rangeCount; ++i)
      for (unsigned j = 0; j != i; ++j)
        if (const Range &a = ranges[i], &b = ranges[j];
            (a.write || b.write) && programOf(a.key) != programOf(b.key) && a.from < b.to && b.from < a.to)
          return true;
    return false;
  }

  /// Turns the ranges into granules.
  void spread() {
    for (const Range &r : std::span(ranges).first(rangeCount))
      shift = std::min(shift, r.shift);
    const std::size_t n = kPageBytes >> shift;
    leastWrite.assign(n, kNone);
    leastAccess.assign(n, kNone);
    greatestAccess.assign(n, 0);
    for (const Range &r : std::span(ranges).first(rangeCount))
      mark(r);
  }

private:
  /// Splits every granule so that they have 1 << \p finer bytes.
  void refine(std::uint8_t finer) {
    const std::size_t n = kPageBytes >> finer;
    for (std::vector<std::uint64_t> *v : {&leastWrite, &leastAccess, &greatestAccess}) {
      std::vector<std::uint64_t> split(n);
      for (std::size_t i = 0; i != n; ++i)
        split[i] = (*v)[i >> (shift - finer)];
      *v = std::move(split);
    }
    shift = finer;
  }

  void mark(const Range &range) {
    const std::size_t a = range.from >> shift, b = range.to >> shift;
    for (std::size_t i = a; i != b; ++i) {
      leastAccess[i] = std::min(leastAccess[i], range.key);
      greatestAccess[i] = std::max(greatestAccess[i], range.key);
    }
    if (range.write)
      for (std::size_t i = a; i != b; ++i)
        leastWrite[i] = std::min(leastWrite[i], range.key);
  }
};

/// The shadow of one buffer: a page, or null, for each 4096 bytes that it touches.
struct UnorderedRaces::Table {
  std::uint64_t base = 0, count = 0;
  Page **pages = nullptr; ///< from calloc, which costs nothing for parts that are never touched

  explicit Table(const Buffer &buffer) {
    if (!buffer.maybeWritten)
      return;
    base = buffer.begin & ~(kPageBytes - 1);
    count = (buffer.end - base + kPageBytes - 1) >> kPageShift;
    pages = static_cast<Page **>(std::calloc(std::max<std::uint64_t>(count, 1), sizeof(Page *)));
    if (!pages)
      throw std::bad_alloc();
  }
  Table(Table &&other) noexcept : base(other.base), count(other.count), pages(std::exchange(other.pages, nullptr)) {}
  ~Table() {
    if (!pages)
      return;
    for (std::uint64_t i = 0; i != count; ++i)
      delete pages[i];
    std::free(pages);
  }

  Page &page(std::uint64_t number) {
    std::atomic_ref<Page *> slot(pages[number]);
    Page *p = slot.load(std::memory_order_acquire);
    if (!p) {
      auto fresh = std::make_unique<Page>();
      if (slot.compare_exchange_strong(p, fresh.get(), std::memory_order_acq_rel))
        p = fresh.release();
    }
    return *p;
  }
};

UnorderedRaces::UnorderedRaces(const Buffers &buffers) : buffers(buffers) {
  tables.reserve(buffers.all.size());
  for (const Buffer &buffer : buffers.all)
    tables.emplace_back(buffer);
}

UnorderedRaces::~UnorderedRaces() = default;

void UnorderedRaces::record(const Buffer &buffer, std::uint64_t address, std::uint64_t bytes, unsigned size,
                            AccessKind kind, std::uint64_t program, const MemorySite &site) {
  Table &table = tables[buffer.index];
  Page::Range range{pack(program, site), 0, 0, static_cast<std::uint8_t>(std::countr_zero(address | size | 8)),
                    kind != AccessKind::Read};
  while (bytes != 0) {
    const std::uint64_t inPage = address & (kPageBytes - 1), part = std::min(bytes, kPageBytes - inPage);
    range.from = static_cast<std::uint16_t>(inPage);
    range.to = static_cast<std::uint16_t>(inPage + part);
    Page &page = table.page((address - table.base) >> kPageShift);
    page.lock();
    page.touch(range);
    page.unlock();
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
    const Table &table = tables[buffer.index];
    for (std::uint64_t number = 0; number != table.count; ++number) {
      Page *p = table.pages[number];
      if (!p || !p->mayRace())
        continue;
      if (p->leastAccess.empty())
        p->spread();
      for (std::size_t i = 0; i != kPageBytes >> p->shift; ++i) {
        const std::uint64_t writer = p->leastWrite[i];
        if (writer == kNone)
          continue;
        std::uint64_t other = p->leastAccess[i];
        if (programOf(other) == programOf(writer))
          other = p->greatestAccess[i];
        if (programOf(other) == programOf(writer))
          continue;
        const std::uint64_t first = std::min(writer, other), second = std::max(writer, other);
        constexpr std::uint64_t siteMask = (1u << kSiteBits) - 1;
        const Pair pair{programOf(first), first & siteMask, second & siteMask, buffer.index};
        const std::uint64_t address = table.base + (number << kPageShift) + (std::uint64_t(i) << p->shift);
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
    reportRace(launch,
               {race.buffer,
                race.address,
                race.bytes,
                {firstProgram, secondProgram},
                {&launch.code.memory[firstSite], &launch.code.memory[secondSite]}},
               "programs run in any order and only atomics may meet at one address; give each program its own elements "
               "or use an atomic",
               log);
  }
}

/// "stores to it"; \p ending is what the verb takes.
static std::string deedOf(const MemorySite &site, std::string_view ending) {
  if (!site.atomic)
    return site.writes ? fmt::format("store{} to it", ending) : fmt::format("load{} it", ending);
  return site.writes ? fmt::format("change{} it atomically", ending) : fmt::format("load{} it atomically", ending);
}

void reportRace(const Launch &launch, const Race &race, std::string_view rule, FaultLog &log) {
  const bool swapped = race.programs[1] < race.programs[0];
  const MemorySite &first = *race.sites[swapped], &second = *race.sites[!swapped];
  const std::uint64_t programs[] = {race.programs[swapped], race.programs[!swapped]};
  const std::string place = fmt::format("{} {} {}", std::min(first.index, second.index),
                                        std::max(first.index, second.index), race.buffer->index);
  log.add(programs[0], place, rule, [&] {
    const Site &at = launch.code.sites[first.site], &there = launch.code.sites[second.site];
    const auto name = [&](unsigned i) { return programName(programId(programs[i], launch.grid)); };
    std::string memory = race.buffer->name();
    std::uint64_t begin = race.buffer->begin;
    if (const int origin = first.roots.only(); origin >= 0) // counted from the argument, as other faults are
      if (const std::uint64_t address = launch.addressOfOrigin(static_cast<std::uint32_t>(origin));
          address >= begin && address <= race.address) {
        memory = launch.namesOf(first.roots);
        begin = address;
      }
    const std::uint64_t offset = race.address - begin;
    const unsigned size = bytesOf(first.elem);
    std::string text = at.at.empty() ? "" : at.at + ": ";
    if (offset % size == 0 && second.elem == first.elem)
      text += fmt::format("race on element {} of {}", offset / size, memory);
    else
      text += fmt::format("race on byte {} of {}", offset, memory);
    if (race.bytes > size)
      text += fmt::format(" and {} more bytes", race.bytes - size);
    if (first.index == second.index)
      return text + fmt::format(": {} and {} both {}", name(0), name(1), deedOf(first, ""));
    text += fmt::format(": {} {} and {} {}", name(0), deedOf(first, "s"), name(1), deedOf(second, "s"));
    return there.at.empty() || there.at == at.at ? text : text + " at " + there.at;
  });
}

} // namespace tessera::ir::interp
