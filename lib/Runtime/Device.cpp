//===- Device.cpp - where kernels run -------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "tessera/runtime/Device.h"

#include "Runtime/DeviceState.h"
#include "Runtime/Registry.h"
#include "Support/Environment.h"

#include "tessera/core/Error.h"

#include <fmt/format.h>

namespace tessera {

Device Device::current(std::source_location at) {
  try {
    return Device(rt::Registry::get().current());
  } catch (const UsageError &error) {
    throw UsageError(at, error.what());
  }
}

Device Device::get(std::string_view name, std::source_location at) {
  rt::Registry &registry = rt::Registry::get();
  if (rt::DeviceState *state = registry.find(name))
    return Device(*state);
  throw UsageError(at, registry.describeMissing(name));
}

std::vector<std::string> Device::available() { return rt::Registry::get().available(); }

const std::string &Device::name() const { return state_->name; }
const std::string &Device::description() const { return state_->properties.name; }
const Target &Device::target() const { return state_->properties.target; }
int Device::warp_size() const { return state_->properties.warpSize; }
int Device::multiprocessors() const { return state_->properties.multiprocessors; }
Stream Device::stream() const { return default_stream(); }
const Stream &Device::default_stream() const { return state_->defaultHandle; }

Stream Device::create_stream() const {
  return Stream(std::make_shared<rt::StreamState>(*state_, state_->driver.createStream(state_->index), true));
}

} // namespace tessera
