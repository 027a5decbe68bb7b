//===- Wgmma.cpp - matrix products that are under way ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Sim/Memory/Wgmma.h"

namespace tessera::ir::sim {

int WgmmaQueue::add(Wgmma product) {
  if (products.size() >> (21 - kIndexBits))
    return -1;
  products.push_back(std::move(product));
  return static_cast<int>(products.size() - 1);
}

std::uint32_t WgmmaQueue::resolve(std::uint32_t bits, unsigned lane) const {
  if ((bits & kTagMask) != kTag)
    return bits;
  const std::uint32_t number = (bits & ~kTagMask) >> kIndexBits, index = bits & ((1u << kIndexBits) - 1);
  if (number >= products.size() || !products[number].isDone || index >= products[number].acc.size())
    return bits;
  return products[number].acc[index][lane];
}

} // namespace tessera::ir::sim
