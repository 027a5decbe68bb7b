//===- TensorMap.cpp - descriptors of tensor copies -----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Sim/Memory/TensorMap.h"

#include <algorithm>
#include <cstring>

namespace tessera::ir::sim {

void encodeTensorMap(const rt::TensorMapValues &values, std::byte *out) {
  TensorMap map;
  map.rank = static_cast<std::uint8_t>(values.rank);
  map.elementBytes = static_cast<std::uint8_t>(values.dtype.bytes());
  map.swizzle = static_cast<std::uint8_t>(values.swizzle);
  map.fill = static_cast<std::uint8_t>(values.fill);
  map.address = values.address;
  std::copy(values.extents.begin(), values.extents.end(), map.extents);
  std::copy(values.strideBytes.begin(), values.strideBytes.end(), map.strides);
  std::copy(values.box.begin(), values.box.end(), map.box);
  std::memset(out, 0, 128);
  std::memcpy(out, &map, sizeof map);
}

} // namespace tessera::ir::sim
