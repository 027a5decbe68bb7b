//===- HipDevice.h - one AMD device ----------------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The HIP runtime keeps one context for each device, which all of a process share: pointers, streams and events of
// other libraries can be passed to us and ours to them. Each thread has a current device there.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_HIP_HIPDEVICE_H
#define TESSERA_RUNTIME_HIP_HIPDEVICE_H

#include "Runtime/DeviceDriver.h"
#include "Runtime/DeviceHealth.h"
#include "Runtime/HIP/HipApi.h"

#include <string>
#include <string_view>

namespace tessera::rt::hip {

/// The chip in our tables whose code runs on devices that call theirs \p archName ("gfx942:sramecc+:xnack-"); empty if
/// there is none. Our code asks for none of the features behind the colons, so that it runs with and without them.
std::string chipFor(std::string_view archName);

class HipDevice {
public:
  /// The device number \p index of the runtime. DeviceError if the runtime tells nothing about it.
  HipDevice(const Api &api, int index);
  HipDevice(const HipDevice &) = delete;
  HipDevice &operator=(const HipDevice &) = delete;

  /// DeviceError if there is no code for its chip.
  DeviceProperties properties() const;
  /// As the runtime calls its chip: "gfx942:sramecc+:xnack-".
  const std::string &archName() const { return archName_; }
  /// "hip:0".
  const std::string &name() const { return name_; }

  /// Calls \p function, known as \p what. DeviceError if it fails.
  template <class... Parameters, class... Arguments>
  void call(const char *what, Result (*function)(Parameters...), Arguments... arguments) {
    if (const Result code = function(arguments...); code != Result::Success) [[unlikely]]
      fail(what, code);
  }
  /// DeviceError for the code that \p what gave; notes a fault that loses the device.
  [[noreturn]] void fail(std::string_view what, Result code);

  const Api &api;
  const int index;
  DeviceHealth health;

private:
  int attribute(DeviceAttribute attribute) const;
  /// DeviceError if \p code, which \p what gave, is no success.
  void check(std::string_view what, Result code) const;

  const std::string name_;
  std::string archName_;
};

/// While it lives, the device is the calling thread's current one.
class CurrentDevice {
public:
  explicit CurrentDevice(HipDevice &device) : api(device.api) {
    device.call("hipGetDevice", api.hipGetDevice, &before);
    if (before == device.index)
      return;
    device.call("hipSetDevice", api.hipSetDevice, device.index);
    changed = true;
  }
  ~CurrentDevice() {
    if (changed)
      api.hipSetDevice(before);
  }
  CurrentDevice(const CurrentDevice &) = delete;
  CurrentDevice &operator=(const CurrentDevice &) = delete;

private:
  const Api &api;
  int before = 0;
  bool changed = false;
};

} // namespace tessera::rt::hip

#endif // TESSERA_RUNTIME_HIP_HIPDEVICE_H
