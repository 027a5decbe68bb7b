//===- DeviceDriver.cpp - what drivers share ------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/DeviceDriver.h"

#include "tessera/core/Error.h"

#include <fmt/format.h>

namespace tessera::rt {

LoadedKernel::~LoadedKernel() = default;
CapturedWork::~CapturedWork() = default;
DeviceDriver::~DeviceDriver() = default;

std::unique_ptr<CapturedWork> DeviceDriver::capture(int, void *, const std::function<void()> &) { return nullptr; }

std::string problemOf(const TensorMapValues &values) {
  if (values.address == 0)
    return "its address is null";
  if (values.address % 16)
    return fmt::format("its address {:#x} is not a multiple of 16", values.address);
  const auto elementBytes = static_cast<std::uint64_t>(values.dtype.bytes());
  for (int axis = 0; axis != values.rank; ++axis) {
    if (values.extents[axis] < 1 || values.extents[axis] > std::uint64_t{1} << 32)
      return fmt::format("its extent {} on axis {} is not between 1 and 2^32", values.extents[axis], axis);
    if (values.box[axis] < 1 || values.box[axis] > 256)
      return fmt::format("its box has {} elements on axis {}; 1 to 256 are possible", values.box[axis], axis);
  }
  for (int axis = 1; axis < values.rank; ++axis)
    if (values.strideBytes[axis - 1] % 16 || values.strideBytes[axis - 1] >= std::uint64_t{1} << 40)
      return fmt::format("its stride of {} bytes on axis {} is not a multiple of 16 below 2^40",
                         values.strideBytes[axis - 1], axis);
  const std::uint64_t rowBytes = values.box[0] * elementBytes;
  const std::uint64_t span = values.swizzle == TensorSwizzle::None ? 0 : 16u << static_cast<int>(values.swizzle);
  if (rowBytes % 16)
    return fmt::format("a row of its box has {} bytes, not a multiple of 16", rowBytes);
  if (span && rowBytes > span)
    return fmt::format("a row of its box has {} bytes, more than the {} of its swizzle", rowBytes, span);
  return {};
}

void DeviceDriver::encodeTensorMap(int device, const TensorMapValues &, std::byte *) {
  throw DeviceError(fmt::format("device {}:{} has no tensor memory access, which this kernel needs", family(), device));
}

} // namespace tessera::rt
