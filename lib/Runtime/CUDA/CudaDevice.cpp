//===- CudaDevice.cpp - one NVIDIA device ---------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/CUDA/CudaDevice.h"

#include "Arch/Chip.h"

#include "tessera/core/Error.h"

#include <array>
#include <fmt/format.h>

namespace tessera::rt::cuda {

CudaDevice::CudaDevice(const Api &api, int index) : api(api), index(index), name_(fmt::format("cuda:{}", index)) {
  call("cuDeviceGet", api.cuDeviceGet, &handle, index);
  capability_ = {attribute(DeviceAttribute::CapabilityMajor), attribute(DeviceAttribute::CapabilityMinor)};
  if (const std::string chip = chipFor(capability_); !chip.empty())
    tensorMemoryAccess = arch::chipOf(Target("cuda:" + chip)).has(arch::Feature::TensorMemoryAccess);
}

int CudaDevice::attribute(DeviceAttribute attribute) const {
  int value = 0;
  if (const Result code = api.cuDeviceGetAttribute(&value, attribute, handle); code != Result::Success)
    throw DeviceError(fmt::format("device {}: cuDeviceGetAttribute({}) failed with {}", name_,
                                  static_cast<int>(attribute), api.describe(code)));
  return value;
}

DeviceProperties CudaDevice::properties() const {
  const auto check = [&](const char *what, Result code) {
    if (code != Result::Success)
      throw DeviceError(fmt::format("device {}: {} failed with {}", name_, what, api.describe(code)));
  };
  std::array<char, 256> text{};
  check("cuDeviceGetName", api.cuDeviceGetName(text.data(), static_cast<int>(text.size()), handle));
  std::size_t bytes = 0;
  check("cuDeviceTotalMem", api.cuDeviceTotalMem(&bytes, handle));
  const std::string chip = chipFor(capability_);
  if (chip.empty())
    throw DeviceError(fmt::format("device {} ({}) has compute capability {}.{}, for which there is no code generation; "
                                  "hide it with CUDA_VISIBLE_DEVICES, or set TESSERA_DEVICE to another device",
                                  name_, text.data(), capability_.major, capability_.minor));
  DeviceProperties properties;
  properties.name = text.data();
  properties.software = fmt::format("CUDA {}.{}", api.version / 1000, api.version % 1000 / 10);
  properties.target = Target("cuda:" + chip);
  properties.warpSize = attribute(DeviceAttribute::WarpSize);
  properties.multiprocessors = attribute(DeviceAttribute::Multiprocessors);
  properties.memoryBytes = static_cast<std::int64_t>(bytes);
  properties.cacheBytes = attribute(DeviceAttribute::L2CacheBytes);
  properties.maxGrid = {attribute(DeviceAttribute::MaxGridX), attribute(DeviceAttribute::MaxGridY),
                        attribute(DeviceAttribute::MaxGridZ)};
  properties.maxThreadsPerProgram = static_cast<std::uint32_t>(attribute(DeviceAttribute::MaxThreadsPerBlock));
  properties.maxSharedBytes = static_cast<std::uint32_t>(attribute(DeviceAttribute::MaxSharedBytesOptIn));
  return properties;
}

ContextHandle CudaDevice::context() {
  std::call_once(retained, [this] {
    ContextHandle context = nullptr;
    call("cuDevicePrimaryCtxRetain", api.cuDevicePrimaryCtxRetain, &context, handle);
    primary = context;
  });
  return primary;
}

/// Whether no later call to a device works after \p code.
static bool losesDevice(Result code) {
  switch (code) {
  case Result::EccUncorrectable:
  case Result::NvlinkUncorrectable:
  case Result::IllegalAddress:
  case Result::LaunchTimeout:
  case Result::Assert:
  case Result::HardwareStackError:
  case Result::IllegalInstruction:
  case Result::MisalignedAddress:
  case Result::InvalidAddressSpace:
  case Result::InvalidPc:
  case Result::LaunchFailed:
  case Result::TensorMemoryLeak:
    return true;
  default:
    return false;
  }
}

/// Whether \p code speaks of an access to memory, which a checked run can find.
static bool isAccess(Result code) {
  return code == Result::IllegalAddress || code == Result::MisalignedAddress || code == Result::InvalidAddressSpace ||
         code == Result::LaunchFailed;
}

void CudaDevice::fail(std::string_view what, Result code) {
  const std::string error = fmt::format("device {}: {} failed with {}", name_, what, api.describe(code));
  if (losesDevice(code))
    health.lose(error, isAccess(code));
  throw DeviceError(error);
}

} // namespace tessera::rt::cuda
