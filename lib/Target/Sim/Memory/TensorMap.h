//===- TensorMap.h - descriptors of tensor copies --------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What the 128 bytes of a descriptor hold is the chip's secret; on the simulated GPU they hold this.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SIM_MEMORY_TENSORMAP_H
#define TESSERA_TARGET_SIM_MEMORY_TENSORMAP_H

#include "Runtime/DeviceDriver.h"

#include <cstddef>
#include <cstdint>

namespace tessera::ir::sim {

struct TensorMap {
  static constexpr std::uint32_t kMagic = 0x70616d74;

  std::uint32_t magic = kMagic;
  std::uint8_t rank = 0;
  std::uint8_t elementBytes = 0;
  std::uint8_t swizzle = 0; ///< rt::TensorSwizzle
  std::uint8_t fill = 0;    ///< rt::TensorFill
  std::uint64_t address = 0;
  std::uint64_t extents[5] = {};
  std::uint64_t strides[4] = {}; ///< bytes
  std::uint32_t box[5] = {};
};
static_assert(sizeof(TensorMap) <= 128);

void encodeTensorMap(const rt::TensorMapValues &values, std::byte *out);

} // namespace tessera::ir::sim

#endif // TESSERA_TARGET_SIM_MEMORY_TENSORMAP_H
