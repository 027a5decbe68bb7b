//===- DeviceState.cpp - one device and its streams -----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/DeviceState.h"

#include "Runtime/DeviceRecords.h"

#include "tessera/core/Error.h"

#include <bit>
#include <fmt/format.h>

namespace tessera::rt {

std::byte *Arena::reserve(DeviceState &device, std::size_t wanted, bool *fresh) {
  if (!mustGrow(wanted))
    return block;
  const std::size_t size = std::bit_ceil(wanted < 4096 ? std::size_t{4096} : wanted);
  auto *larger = static_cast<std::byte *>(device.driver.allocate(device.index, size));
  if (kept)
    retired.push_back(block);
  else if (block)
    device.driver.free(device.index, block);
  kept = false;
  block = larger;
  bytes = size;
  if (fresh)
    *fresh = true;
  return block;
}

void Arena::release(DeviceState &device) noexcept {
  if (block)
    device.driver.free(device.index, block);
  for (std::byte *old : retired)
    device.driver.free(device.index, old);
  retired.clear();
  block = nullptr;
  bytes = 0;
}

StreamState::StreamState(DeviceState &device, void *native, bool owned)
    : device(device), native(native), owned(owned) {}

StreamState::~StreamState() {
  records.clear();
  scratch.release(device);
  counters.release(device);
  if (owned)
    device.driver.destroyStream(device.index, native);
}

void StreamState::synchronize() {
  std::string failure;
  try {
    device.driver.synchronize(device.index, native);
  } catch (const DeviceError &error) {
    failure = error.what();
  }
  // What kernels recorded is readable even after a fault, and says more than the vendor's code.
  const std::lock_guard lock(mutex);
  try {
    for (auto &[plan, kept] : records)
      kept->drain();
  } catch (const DeviceError &error) {
    countersAreZero = false;
    throw DeviceError(failure.empty() ? error.what() : fmt::format("{} ({})", error.what(), failure));
  }
  if (!failure.empty()) {
    countersAreZero = false;
    throw DeviceError(failure);
  }
}

DeviceState::DeviceState(DeviceDriver &driver, int index, std::string name)
    : driver(driver), index(index), name(std::move(name)), properties(driver.properties(index)),
      defaultStream(std::make_shared<StreamState>(*this, nullptr, false)), defaultHandle(defaultStream) {}

std::shared_ptr<StreamState> DeviceState::borrow(void *native) {
  if (!native)
    return defaultStream;
  const std::lock_guard lock(mutex);
  std::shared_ptr<StreamState> &state = borrowed[native];
  if (!state)
    state = std::make_shared<StreamState>(*this, native, false);
  return state;
}

} // namespace tessera::rt
