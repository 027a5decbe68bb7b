//===- Swizzle.cpp - the buffer between two layouts -----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The bits of an offset are, from the lowest: the elements of the narrower access, more elements of the wider one, the
// rest of a word of 4 bytes, banks, rows of a word of each bank. A layout is a basis of the elements, a vector for each
// bit.
//
// Vectors of an access must be held by registers of the thread; that of the narrower one by registers on both sides.
// All other vectors span a complement of these, and it must hold the threads' columns, or else some threads would have
// the registers of an access in another order.
//
// Lanes served together have no conflict if what they span meets the rows in nothing but 0. Two subspaces of the same
// dimension always have a common complement: with P = I + <p1, p2 …>, Q = I + <q1, q2 …> and I what they share, it is
// <p1 + q1, p2 + q2 …> and any complement of P + Q. So the rows are the common complement of what the lanes of both
// sides span, and there is no conflict on either side. Only the lanes of the narrower access may span more than the
// banks hold, when a wider one on the other side takes up bits of the bank.
//
//===---------------------------------------------------------------------===//

#include "Layout/Swizzle.h"

#include "Layout/FlatIndex.h"
#include "Layout/LinearMap.h"
#include "Layout/Span.h"

#include <algorithm>
#include <optional>

namespace tessera::layout {

using Vectors = std::vector<std::uint64_t>;

namespace {

/// A side of the round trip: what its registers, threads and lanes served together span.
struct Side {
  Side(const TileLayout &layout, int elementBits, bool loads)
      : layout(layout), registers(layout.bases(Dim::Register).begin(), layout.bases(Dim::Register).end()),
        elementBits(elementBits), loads(loads) {
    for (const Dim dim : {Dim::Lane, Dim::Warp, Dim::Block})
      threads.insert(threads.end(), layout.bases(dim).begin(), layout.bases(dim).end());
  }
  /// The columns of lanes served together by \p banks banks, when an access has 2^bits elements.
  Vectors lanes(int bits, int banks) const {
    const std::vector<std::uint32_t> columns =
        lanesTogether(layout, 1 << (elementBits + bits), {.loads = loads, .banks = banks});
    return Vectors(columns.begin(), columns.end());
  }

  const TileLayout &layout;
  Vectors registers, threads;
  int elementBits; // the exponent of the bytes of an element
  bool loads;
};

} // namespace

static Span spanOf(std::initializer_list<const Vectors *> lists) {
  Span span;
  for (const Vectors *list : lists)
    span.insertAll(*list);
  return span;
}

/// Appends vectors of \p from that are independent of \p list and of each other, until it has \p size.
static void extend(Vectors &list, const Vectors &from, std::size_t size) {
  Span span = spanOf({&list});
  for (const std::uint64_t vector : from)
    if (list.size() < size && span.insert(vector))
      list.push_back(vector);
}

/// The independent ones of \p vectors.
static Vectors independent(const Vectors &vectors) {
  Vectors result;
  extend(result, vectors, vectors.size());
  return result;
}

/// A basis of what both span.
static Vectors common(const Vectors &a, const Vectors &b) {
  const Vectors first = independent(a);
  Vectors both = first;
  both.insert(both.end(), b.begin(), b.end());
  const LinearMap combine(first, kMaxBits);
  Vectors result;
  for (const std::uint64_t relation : LinearMap(both, kMaxBits).kernel())
    result.push_back(combine(relation & ((std::uint64_t{1} << first.size()) - 1)));
  return independent(result);
}

/// Vectors of \p whole, as many as it has more than \p part, that complete \p part, which it spans.
static Vectors complement(const Vectors &part, const Vectors &whole) {
  Vectors list = part;
  extend(list, whole, whole.size());
  return Vectors(list.begin() + part.size(), list.end());
}

namespace {

/// Builds the layout for given widths: 2^a elements on the narrow side, 2^b on the wide one.
class Builder {
public:
  Builder(const Side &narrow, const Side &wide, int a, int b, int banks)
      : narrow(narrow), wide(wide), a(a), b(b), banks(banks) {}

  /// Nothing if the widths cannot be had.
  std::optional<SharedLayout> build() {
    if (!chooseElements())
      return std::nullopt;
    chooseOthers();
    chooseRows();
    return layout();
  }

private:
  /// `elements` of the narrow access, then more of the wide one.
  bool chooseElements() {
    const Vectors shared = common(narrow.registers, wide.registers);
    const Span inShared = spanOf({&shared});
    Vectors candidates; // single registers first
    for (const Vectors *registers : {&wide.registers, &narrow.registers})
      for (const std::uint64_t column : *registers)
        if (inShared.contains(column))
          candidates.push_back(column);
    candidates.insert(candidates.end(), shared.rbegin(), shared.rend());
    Span outside = spanOf({&narrow.threads, &wide.threads});
    for (const std::uint64_t vector : candidates)
      if (static_cast<int>(elements.size()) != a && outside.insert(vector))
        elements.push_back(vector);
    if (static_cast<int>(elements.size()) != a)
      return false;

    // More of the wide side, less the part that the narrow elements are of it beside all threads.
    const Span parts = spanOf({&elements, &narrow.threads, &wide.threads, &wide.registers});
    const LinearMap narrowPart(elements, kMaxBits);
    Span ofWide = spanOf({&wide.threads, &elements});
    for (const std::uint64_t column : wide.registers) {
      const std::uint64_t part = parts.combinationOf(column).value_or(0) & ((std::uint64_t{1} << a) - 1);
      const std::uint64_t vector = column ^ narrowPart(part);
      if (static_cast<int>(elements.size()) != b && ofWide.insert(vector))
        elements.push_back(vector);
    }
    // Lanes of the narrow side that differ by one of these had best find both in a word.
    if (wordBits() > a) {
      const Vectors more(elements.begin() + a, elements.end());
      Vectors ordered = common(narrow.lanes(a, banks), more);
      extend(ordered, more, more.size());
      std::ranges::copy(ordered, elements.begin() + a);
    }
    return static_cast<int>(elements.size()) == b;
  }

  /// `others` span a complement of the elements that holds the threads of the wide side. Lanes of the narrow side lie
  /// at different words of the wide access where possible, since this leaves fewer for the banks to tell apart.
  void chooseOthers() {
    Span span = spanOf({&elements});
    const auto add = [&](std::uint64_t vector, std::uint64_t moved) {
      if (span.insert(vector))
        others.push_back(moved);
    };
    for (const std::uint64_t vector : wide.threads)
      add(vector, vector);
    Vectors fixed = elements;
    fixed.insert(fixed.end(), wide.threads.begin(), wide.threads.end());
    const std::uint64_t words = (std::uint64_t{1} << b) - (std::uint64_t{1} << std::min(wordBits(), b));
    Span told; // bits of the word by which lanes differ
    for (const std::uint64_t vector : common(narrow.lanes(a, banks), fixed))
      told.insert(span.combinationOf(vector).value_or(0) & words);
    for (const std::uint64_t vector : narrow.lanes(a, banks)) {
      if (span.contains(vector))
        continue;
      int bit = std::max(a, wordBits());
      while (bit < b && !told.insert(std::uint64_t{1} << bit))
        ++bit;
      add(vector, bit < b ? vector ^ elements[bit] : vector);
    }
    for (const std::uint64_t vector : narrow.threads)
      add(vector, vector);
    for (int bit = 0; bit != elementCountBits(); ++bit)
      add(std::uint64_t{1} << bit, std::uint64_t{1} << bit);
  }

  void chooseRows() {
    const std::size_t inRow = std::min<std::size_t>(log2Of(4 * banks) - wide.elementBits - b, others.size());
    const std::size_t inWord = std::min<std::size_t>(std::max(0, wordBits() - b), inRow);
    // What lanes differ by but for the place in a word.
    Vectors lanes = narrow.lanes(a, banks);
    lanes.insert(lanes.end(), elements.begin(), elements.begin() + std::min(wordBits(), b));
    const Vectors wideLanes = independent(wide.lanes(b, banks)), narrowLanes = common(others, lanes);
    Vectors word;
    extend(word, wideLanes, inWord);
    extend(word, others, inWord);
    banksOfWide = word;
    Vectors banksOfNarrow = word;
    extend(banksOfWide, wideLanes, inRow);
    extend(banksOfNarrow, narrowLanes, inRow);
    // More of one side where the other has it too, then anything.
    extend(banksOfWide, banksOfNarrow, inRow);
    extend(banksOfNarrow, banksOfWide, inRow);
    extend(banksOfWide, others, inRow);
    extend(banksOfNarrow, banksOfWide, inRow);

    const Vectors both = common(banksOfWide, banksOfNarrow), p = complement(both, banksOfWide),
                  q = complement(both, banksOfNarrow);
    Vectors sum = banksOfWide;
    sum.insert(sum.end(), q.begin(), q.end());
    for (std::size_t at = 0; at != p.size(); ++at)
      rows.push_back(p[at] ^ q[at]);
    const Vectors rest = complement(sum, others);
    rows.insert(rows.end(), rest.begin(), rest.end());
  }

  SharedLayout layout() const {
    Vectors basis = elements;
    basis.insert(basis.end(), banksOfWide.begin(), banksOfWide.end());
    basis.insert(basis.end(), rows.begin(), rows.end());
    const Span span = spanOf({&basis});
    std::vector<std::uint32_t> bases;
    for (int bit = 0; bit != elementCountBits(); ++bit)
      bases.push_back(static_cast<std::uint32_t>(span.combinationOf(std::uint64_t{1} << bit).value_or(0)));
    const auto shape = wide.layout.shape();
    return SharedLayout({shape.begin(), shape.end()}, std::move(bases));
  }

  /// The exponent of the elements in a word of a bank.
  int wordBits() const { return std::max(0, 2 - wide.elementBits); }
  int elementCountBits() const { return log2Of(wide.layout.elements()); }

  const Side &narrow, &wide;
  int a, b, banks;
  Vectors elements, others, banksOfWide, rows;
};

} // namespace

/// The cheapest whose loads have at least \p leastLoadBytes.
static std::optional<Swizzle> cheapest(const TileLayout &store, const TileLayout &load, int elementBytes, int maxBytes,
                                       std::int64_t loads, int loadBanks, int leastLoadBytes) {
  const int elementBits = log2Of(elementBytes), most = std::max(0, log2Of(maxBytes) - elementBits);
  const Side storing(store, elementBits, false), loading(load, elementBits, true);
  std::optional<Swizzle> best;
  std::int64_t least = 0;
  const auto consider = [&](const Side &narrow, const Side &wide, int a, int b, int banks) {
    const auto shared = Builder(narrow, wide, a, b, banks).build();
    if (!shared)
      return;
    const std::uint32_t storeElements = widestAccess(store, *shared, elementBytes, maxBytes),
                        loadElements = widestAccess(load, *shared, elementBytes, maxBytes);
    if (static_cast<int>(loadElements) * elementBytes < leastLoadBytes)
      return;
    const std::int64_t cost =
        accessCost(store, *shared, storeElements, elementBytes) +
        loads * accessCost(load, *shared, loadElements, elementBytes, {.loads = true, .banks = loadBanks});
    if (!best || cost < least) {
      best = Swizzle{*shared, storeElements, loadElements};
      least = cost;
    }
  };
  constexpr int kStoreBanks = Service().banks;
  for (int banks = kStoreBanks; banks <= std::max(kStoreBanks, loadBanks); banks *= 2)
    for (int narrow = 0; narrow <= most; ++narrow)
      for (int wide = narrow; wide <= most; ++wide) {
        consider(storing, loading, narrow, wide, banks);
        if (wide != narrow)
          consider(loading, storing, narrow, wide, banks);
      }
  return best;
}

Swizzle chooseSwizzle(const TileLayout &store, const TileLayout &load, int elementBytes, int maxBytes,
                      std::int64_t loads, int loadBanks) {
  return cheapest(store, load, elementBytes, maxBytes, loads, loadBanks, 0).value_or(Swizzle{});
}

std::optional<Swizzle> chooseSwizzleForLoadsOf(int loadBytes, const TileLayout &store, const TileLayout &load,
                                               int elementBytes, std::int64_t loads, int loadBanks) {
  constexpr int kMostBytes = 16;
  return cheapest(store, load, elementBytes, kMostBytes, loads, loadBanks, loadBytes);
}

} // namespace tessera::layout
