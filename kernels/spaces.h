//===- spaces.h - what kernels of one kind are tried with ----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

//
// Lists differ by vendor, because what limits a kernel does: NVIDIA's chips keep many copies in flight in large shared
// memory, AMD's have half the shared memory, many of them warps of 64, and on the host only the block counts. Each list
// starts with what is right most often, since of equally fast candidates the earliest is taken.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_KERNELS_SPACES_H
#define TESSERA_KERNELS_SPACES_H

#include "tessera/tessera.h"

#include <algorithm>
#include <initializer_list>

namespace tessera::kernels {

/// Whether programs are spread over the threads of a GPU.
inline bool isGpu(const Target &target) { return target.warp_size() > 0; }

/// The warps of \p warps warps of 64 lanes: twice as many where warps have 32, so that a thread keeps as much of a
/// block.
inline int warps_of_64(const Target &target, int warps) { return target.warp_size() == 32 ? 2 * warps : warps; }

/// For kernels whose config has a `block` of elements.
template <class Config> Space<Config> elementwise_space(const Target &target, const Config &base = {}) {
  const Candidate<Config> start{base, {}};
  if (target.family() == "hip")
    return combinations(start, vary(&Config::block, {1024, 2048, 4096, 512}),
                        vary(&CompileOptions::num_warps, {4, 2, 8}));
  if (isGpu(target))
    return combinations(start, vary(&Config::block, {1024, 2048, 4096, 8192}),
                        vary(&CompileOptions::num_warps, {4, 8}));
  return combinations(start, vary(&Config::block, {1024, 4096, 256, 16384}));
}

/// For kernels a program of which holds a row of `base.block` lanes: the row is given, its threads are not.
template <class Config> Space<Config> row_space(const Target &target, const Config &base) {
  const Candidate<Config> start{base, {}};
  if (!isGpu(target))
    return {start};
  constexpr int mostOfThread = 64; // elements, in registers
  auto space = target.family() == "hip" ? combinations(start, vary(&CompileOptions::num_warps, {4, 2, 8, 1, 16}))
                                        : combinations(start, vary(&CompileOptions::num_warps, {4, 8, 16, 1, 2, 32}));
  const auto threads = [&](const CompileOptions &options) { return options.num_warps * target.warp_size(); };
  std::erase_if(space, [&](const Candidate<Config> &c) { return threads(c.options) > target.max_threads(); });
  if (base.block >= mostOfThread * target.max_threads() / 2)
    for (int cluster = target.max_cluster(); cluster > 1; cluster /= 2)
      for (const int warps : {8, 16, 32})
        space.push_back({base, {.num_warps = warps, .cluster = cluster}});
  const auto fits = [&](const Candidate<Config> &c) {
    return base.block <= mostOfThread * threads(c.options) * c.options.cluster;
  };
  int most = 0;
  for (const Candidate<Config> &c : space)
    most = std::max(most, c.options.num_warps);
  std::erase_if(space, [&](const Candidate<Config> &c) {
    return !fits(c) && (c.options.num_warps != most || c.options.cluster != 1);
  });
  return space;
}

/// A block of a product, and how many warps and copies it takes.
struct ProductBlock {
  int bm, bn, bk, num_warps, num_stages;
};

/// \p blocks as candidates for a config with bm, bn and bk, less those whose operands of \p type do not fit the chip's
/// shared memory.
template <class Config>
Space<Config> product_blocks(const Target &target, DType type, const Config &base,
                             std::initializer_list<ProductBlock> blocks) {
  Space<Config> space;
  for (const ProductBlock &block : blocks) {
    const std::int64_t bytes = std::int64_t{block.num_stages} * (block.bm + block.bn) * block.bk * type.bytes();
    if (isGpu(target) && bytes > target.shared_bytes())
      continue;
    Candidate<Config> candidate{base, {.num_warps = block.num_warps, .num_stages = block.num_stages}};
    candidate.config.bm = block.bm, candidate.config.bn = block.bn, candidate.config.bk = block.bk;
    space.push_back(std::move(candidate));
  }
  return space;
}

/// For products of matrices of \p type.
template <class Config> Space<Config> product_space(const Target &target, DType type, const Config &base = {}) {
  const auto list = [&](std::initializer_list<ProductBlock> blocks) {
    return product_blocks(target, type, base, blocks);
  };
  if (target.family() == "hip") {
    if (type.bytes() >= 4)
      return list(
          {{64, 64, 32, 4, 2}, {128, 64, 32, 4, 2}, {64, 128, 16, 4, 2}, {128, 128, 16, 8, 2}, {32, 64, 32, 4, 2}});
    const int few = warps_of_64(target, 4);
    Space<Config> space;
    const auto append = [&](std::initializer_list<ProductBlock> blocks) {
      const Space<Config> more = list(blocks);
      space.insert(space.end(), more.begin(), more.end());
    };
    // More rounds of copies, which take no registers, where there is room for them.
    if (target.warp_size() == 64 && target.shared_bytes() > 64 << 10)
      append({{256, 128, 64, 8, 3}, {128, 128, 64, 4, 3}, {128, 256, 64, 8, 3}});
    if (target.warp_size() == 64) // fewer lanes have no registers for these where arguments are not aligned
      append({{128, 128, 64, 4, 2}, {128, 128, 32, 4, 2}, {256, 128, 32, 8, 2}, {128, 256, 32, 8, 2}});
    else
      append({{128, 128, 32, 8, 2}});
    append({{64, 128, 64, few, 2}, {64, 64, 64, 4, 2}, {32, 64, 128, 4, 2}, {16, 64, 128, 4, 2}});
    return space;
  }
  if (!isGpu(target))
    return list(
        {{128, 128, 64, 4, 3}, {64, 64, 64, 4, 3}, {64, 128, 64, 4, 3}, {128, 256, 64, 4, 3}, {32, 128, 128, 4, 3}});
  if (type.bytes() == 1)
    return list({{128, 256, 128, 8, 3},
                 {128, 256, 128, 8, 4},
                 {128, 128, 128, 8, 4},
                 {128, 128, 128, 4, 4},
                 {64, 256, 128, 4, 4},
                 {64, 64, 128, 4, 4},
                 {16, 64, 128, 4, 4}});
  if (type.bytes() == 2)
    return list({{128, 256, 64, 8, 3},
                 {128, 256, 64, 8, 4},
                 {128, 128, 64, 8, 4},
                 {128, 128, 64, 4, 4},
                 {256, 128, 64, 8, 3},
                 {64, 256, 64, 4, 4},
                 {64, 128, 64, 4, 4},
                 {64, 64, 64, 4, 4},
                 {128, 128, 32, 4, 4},
                 {128, 64, 32, 4, 4},
                 {64, 64, 128, 4, 4},
                 {32, 64, 64, 4, 5},
                 {16, 64, 128, 4, 4},
                 {16, 128, 64, 4, 5},
                 {128, 32, 128, 4, 4}});
  return list({{128, 64, 32, 4, 3},
               {64, 64, 32, 4, 4},
               {128, 128, 16, 8, 3},
               {128, 128, 32, 8, 3},
               {64, 128, 16, 4, 3},
               {128, 64, 16, 4, 4},
               {128, 256, 32, 8, 3},
               {256, 128, 32, 8, 3},
               {32, 64, 32, 4, 4}});
}

} // namespace tessera::kernels

#endif // TESSERA_KERNELS_SPACES_H
