//===- HipDevice.cpp - one AMD device -------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/HIP/HipDevice.h"

#include "Arch/Chip.h"

#include "tessera/core/Error.h"

#include <array>
#include <fmt/format.h>

namespace tessera::rt::hip {

std::string chipFor(std::string_view archName) {
  const std::string_view name = archName.substr(0, archName.find(':'));
  for (const arch::Chip &chip : arch::chips())
    if (chip.family == "hip" && chip.name == name)
      return std::string(name);
  return {};
}

HipDevice::HipDevice(const Api &api, int index) : api(api), index(index), name_(fmt::format("hip:{}", index)) {
  check("hipGetDeviceProperties", api.chipName(index, archName_));
}

void HipDevice::check(std::string_view what, Result code) const {
  if (code != Result::Success)
    throw DeviceError(fmt::format("device {}: {} failed with {}", name_, what, api.describe(code)));
}

int HipDevice::attribute(DeviceAttribute attribute) const {
  int value = 0;
  check(fmt::format("hipDeviceGetAttribute({})", static_cast<int>(attribute)),
        api.hipDeviceGetAttribute(&value, attribute, index));
  return value;
}

DeviceProperties HipDevice::properties() const {
  std::array<char, 256> text{};
  check("hipDeviceGetName", api.hipDeviceGetName(text.data(), static_cast<int>(text.size()), index));
  std::size_t bytes = 0;
  check("hipDeviceTotalMem", api.hipDeviceTotalMem(&bytes, index));
  const std::string chip = chipFor(archName_);
  if (chip.empty())
    throw DeviceError(fmt::format("device {} ({}) is a {}, for which there is no code generation; hide it with "
                                  "HIP_VISIBLE_DEVICES, or set TESSERA_DEVICE to another device",
                                  name_, text.data(), archName_));
  DeviceProperties properties;
  properties.name = text.data();
  properties.software = fmt::format("HIP {}.{}", api.version / 10000000, api.version / 100000 % 100);
  properties.target = Target("hip:" + chip);
  properties.warpSize = attribute(DeviceAttribute::WarpSize);
  properties.multiprocessors = attribute(DeviceAttribute::Multiprocessors);
  properties.memoryBytes = static_cast<std::int64_t>(bytes);
  properties.maxGrid = {attribute(DeviceAttribute::MaxGridX), attribute(DeviceAttribute::MaxGridY),
                        attribute(DeviceAttribute::MaxGridZ)};
  properties.maxThreadsPerProgram = static_cast<std::uint32_t>(attribute(DeviceAttribute::MaxThreadsPerBlock));
  properties.maxSharedBytes = static_cast<std::uint32_t>(attribute(DeviceAttribute::MaxSharedBytesPerBlock));
  return properties;
}

/// Whether no later call to a device works after \p code.
static bool losesDevice(Result code) {
  switch (code) {
  case Result::EccUncorrectable:
  case Result::IllegalAddress:
  case Result::LaunchTimeout:
  case Result::Assert:
  case Result::LaunchFailed:
    return true;
  default:
    return false;
  }
}

void HipDevice::fail(std::string_view what, Result code) {
  const std::string error = fmt::format("device {}: {} failed with {}", name_, what, api.describe(code));
  if (losesDevice(code))
    health.lose(error, code == Result::IllegalAddress || code == Result::LaunchFailed);
  throw DeviceError(error);
}

} // namespace tessera::rt::hip
