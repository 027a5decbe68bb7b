//===- Wgmma.h - matrix products that are under way ------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A product reads its operands and has its result at a wait, not before. Until then its registers hold tags, special
// NaNs that moves carry along and that later products and waits recognise.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SIM_MEMORY_WGMMA_H
#define TESSERA_TARGET_SIM_MEMORY_WGMMA_H

#include "Target/Sim/Program.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera::ir::sim {

/// The registers of one operand of a warp: 32 lanes of each.
using WarpRegisters = std::vector<std::array<std::uint32_t, 32>>;

/// The product of one warp: 16 of the 64 rows.
struct Wgmma {
  const Inst *inst = nullptr;
  std::uint64_t descriptorA = 0, descriptorB = 0;
  bool addsUp = true; ///< false: the accumulator counts as zero
  WarpRegisters a;    ///< where A is in registers
  WarpRegisters acc;  ///< in; once done, out
  bool isDone = false;
};

/// The products of one warp, in order.
class WgmmaQueue {
public:
  void clear() {
    products.clear();
    ends.clear();
  }
  /// The number of a new product, or -1 if there have been too many.
  int add(Wgmma product);
  void commit() { ends.push_back(products.size()); }
  /// Products that a wait for all but the latest \p kept groups must finish: numbers below this.
  std::size_t dueWith(std::size_t kept) const { return ends.size() > kept ? ends[ends.size() - 1 - kept] : 0; }
  Wgmma &at(std::size_t number) { return products[number]; }

  /// What stands for register \p index of product \p number until it is done.
  static std::uint32_t tag(unsigned number, unsigned index) { return kTag | number << kIndexBits | index; }
  /// The value behind \p bits, which may be a tag of a product that is done; \p bits itself otherwise.
  std::uint32_t resolve(std::uint32_t bits, unsigned lane) const;

private:
  static constexpr std::uint32_t kTag = 0x7fa00000, kTagMask = 0xffe00000;
  static constexpr unsigned kIndexBits = 7;

  std::vector<Wgmma> products;
  std::vector<std::size_t> ends; ///< of each committed group
};

} // namespace tessera::ir::sim

#endif // TESSERA_TARGET_SIM_MEMORY_WGMMA_H
