//===- SampleEntry.h - compiled kernels for tests of the cache -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_RUNTIME_CACHE_SAMPLEENTRY_H
#define TESSERA_TEST_UNIT_RUNTIME_CACHE_SAMPLEENTRY_H

#include "Runtime/Cache/CacheEntry.h"
#include "unit/Runtime/SampleImage.h"

#include <random>

namespace tessera::rt {

/// The \p number th kernel, with a binary of \p bytes of which half are noise.
inline CacheEntry sampleEntry(unsigned number, std::size_t bytes = 4000) {
  CacheEntry entry;
  entry.key = support::hashText("kernel " + std::to_string(number));
  entry.placed = support::hashText("placed " + std::to_string(number));
  entry.program = support::hashText("program " + std::to_string(number));
  entry.made = 1'700'000'000;
  entry.arguments = "f16*, i1, i64, i32";
  entry.strides.set(3);
  entry.addresses.set(2);
  entry.config = "{bm=64}";
  entry.options = "num_warps=8";
  entry.variant = "aligned";
  entry.toolchain = "tessera of the test";
  entry.stages = {{"trace", 0.25}, {"tile", 1.5}};
  entry.notes = {"kernel.cpp:3:4: warning: slow"};
  entry.texts = {{"asm", std::string(2000, 'x')}};
  entry.image = sampleImage();
  entry.image.binary.resize(bytes);
  std::minstd_rand random(number);
  for (std::size_t i = 0; i < bytes; i += 2)
    entry.image.binary[i] = static_cast<std::byte>(random());
  return entry;
}

/// Whether \p entry is that kernel, to the last byte.
inline bool isSample(const CacheEntry &entry, unsigned number) {
  return entry.serialize() == sampleEntry(number, entry.image.binary.size()).serialize();
}

} // namespace tessera::rt

#endif // TESSERA_TEST_UNIT_RUNTIME_CACHE_SAMPLEENTRY_H
