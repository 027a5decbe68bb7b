//===- Snapshot.cpp - memory as it was before tuning -------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Autotune/Snapshot.h"

#include "tessera/core/Error.h"

#include <algorithm>

namespace tessera::rt {

std::vector<MemoryRange> united(std::vector<MemoryRange> ranges) {
  std::erase_if(ranges, [](const MemoryRange &range) { return range.empty(); });
  std::ranges::sort(ranges, {}, &MemoryRange::begin);
  std::vector<MemoryRange> result;
  for (const MemoryRange &range : ranges)
    if (!result.empty() && range.begin <= result.back().end)
      result.back().end = std::max(result.back().end, range.end);
    else
      result.push_back(range);
  return result;
}

Snapshot::Snapshot(StreamState &stream, std::vector<MemoryRange> ranges) : stream(stream) {
  DeviceState &device = stream.device;
  copies.reserve(ranges.size());
  for (const MemoryRange &range : ranges) {
    Copy &copy = copies.emplace_back();
    copy.range = range;
    const auto *from = reinterpret_cast<const void *>(range.begin);
    try {
      copy.onDevice = device.driver.allocate(device.index, range.bytes());
      device.driver.copyOnDevice(device.index, stream.native, copy.onDevice, from, range.bytes());
    } catch (const DeviceError &) {
      if (copy.onDevice)
        throw; // the copy failed: the host would fare no better
      copy.onHost.resize(range.bytes());
      device.driver.copyToHost(device.index, stream.native, copy.onHost.data(), from, range.bytes());
    }
  }
  device.driver.synchronize(device.index, stream.native);
}

Snapshot::~Snapshot() {
  for (const Copy &copy : copies)
    if (copy.onDevice)
      stream.device.driver.free(stream.device.index, copy.onDevice);
}

void Snapshot::restore() const {
  DeviceState &device = stream.device;
  for (const Copy &copy : copies) {
    auto *to = reinterpret_cast<void *>(copy.range.begin);
    if (copy.onDevice)
      device.driver.copyOnDevice(device.index, stream.native, to, copy.onDevice, copy.range.bytes());
    else
      device.driver.copyToDevice(device.index, stream.native, to, copy.onHost.data(), copy.range.bytes());
  }
}

} // namespace tessera::rt
