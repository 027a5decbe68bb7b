//===- Span.h - the vectors that others combine to -------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_LAYOUT_SPAN_H
#define TESSERA_LAYOUT_SPAN_H

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

namespace tessera::layout {

/// The span over F2 of vectors of up to 64 bits, added one by one. It also tells which of them combine to a given one.
class Span {
public:
  /// Adds \p vector; true if the span grew.
  bool insert(std::uint64_t vector) {
    std::uint64_t combination = std::uint64_t{1} << (added++ & 63);
    reduce(vector, combination);
    if (vector == 0)
      return false;
    const int lead = std::bit_width(vector) - 1;
    leads |= std::uint64_t{1} << lead;
    rows[lead] = vector;
    combinations[lead] = combination;
    return true;
  }
  template <class Range> void insertAll(const Range &vectors) {
    for (std::uint64_t vector : vectors)
      insert(vector);
  }

  int rank() const { return std::popcount(leads); }
  bool contains(std::uint64_t vector) const {
    std::uint64_t combination = 0;
    reduce(vector, combination);
    return vector == 0;
  }
  /// What is left of \p vector when the leading bits of the span are cleared: equal for vectors that differ by one of
  /// the span.
  std::uint64_t remainder(std::uint64_t vector) const {
    std::uint64_t combination = 0;
    reduce(vector, combination);
    return vector;
  }
  /// Which of the first 64 vectors added combine to \p vector: bit k stands for the k-th. Nothing if none do.
  std::optional<std::uint64_t> combinationOf(std::uint64_t vector) const {
    std::uint64_t combination = 0;
    reduce(vector, combination);
    return vector == 0 ? std::optional(combination) : std::nullopt;
  }
  /// A basis, by falling leading bit; no vector has the leading bit of another.
  std::vector<std::uint64_t> basis() const;

private:
  void reduce(std::uint64_t &vector, std::uint64_t &combination) const {
    for (std::uint64_t rest = vector & leads; rest != 0;
         rest = vector & leads & ((std::uint64_t{1} << lead(rest)) - 1)) {
      vector ^= rows[lead(rest)];
      combination ^= combinations[lead(rest)];
    }
  }
  static int lead(std::uint64_t vector) { return std::bit_width(vector) - 1; }

  std::uint64_t leads = 0;
  int added = 0;
  std::array<std::uint64_t, 64> rows;         // by leading bit; only those of `leads` are written
  std::array<std::uint64_t, 64> combinations; // of the vectors added
};

} // namespace tessera::layout

#endif // TESSERA_LAYOUT_SPAN_H
