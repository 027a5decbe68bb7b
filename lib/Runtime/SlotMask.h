//===- SlotMask.h - a bit for each argument of a kernel --------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_SLOTMASK_H
#define TESSERA_RUNTIME_SLOTMASK_H

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace tessera::rt {

/// A bit for each of the at most 256 arguments of a compiled kernel.
class SlotMask {
public:
  constexpr SlotMask() = default;
  explicit constexpr SlotMask(const std::array<std::uint64_t, 4> &bits) : words(bits) {}

  const std::array<std::uint64_t, 4> &bits() const { return words; }
  void set(std::size_t slot) { words[slot / 64] |= std::uint64_t{1} << slot % 64; }
  bool test(std::size_t slot) const { return words[slot / 64] >> slot % 64 & 1; }
  int count() const {
    return std::popcount(words[0]) + std::popcount(words[1]) + std::popcount(words[2]) + std::popcount(words[3]);
  }
  bool any() const { return (words[0] | words[1] | words[2] | words[3]) != 0; }

  friend SlotMask operator&(const SlotMask &a, const SlotMask &b) {
    SlotMask result;
    for (std::size_t i = 0; i != 4; ++i)
      result.words[i] = a.words[i] & b.words[i];
    return result;
  }
  friend SlotMask operator|(const SlotMask &a, const SlotMask &b) {
    SlotMask result;
    for (std::size_t i = 0; i != 4; ++i)
      result.words[i] = a.words[i] | b.words[i];
    return result;
  }
  /// The bits of \p a that \p b lacks.
  friend SlotMask without(const SlotMask &a, const SlotMask &b) {
    SlotMask result;
    for (std::size_t i = 0; i != 4; ++i)
      result.words[i] = a.words[i] & ~b.words[i];
    return result;
  }
  bool operator==(const SlotMask &) const = default;

private:
  std::array<std::uint64_t, 4> words{};
};

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_SLOTMASK_H
