//===- DeviceHealth.h - whether a device still works -----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A fault on a GPU shows in a later call and may lose the device for the rest of the process. Drivers of vendors note
// their launches here, so that the error can name the kernels, and ask here before each call.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_DEVICEHEALTH_H
#define TESSERA_RUNTIME_DEVICEHEALTH_H

#include <array>
#include <atomic>
#include <string>

namespace tessera::rt {

/// A copy of \p text that lives as long as the process; one for equal texts.
const std::string &forever(const std::string &text);

/// Of one device. All calls may come from any thread and never wait.
class DeviceHealth {
public:
  /// DeviceError with the first error if an earlier fault has lost the device.
  void requireAlive() const {
    if (const std::string *words = lost.load(std::memory_order_acquire)) [[unlikely]]
      throwLost(*words);
  }
  bool isLost() const { return lost.load(std::memory_order_acquire) != nullptr; }

  /// Notes a launch. \p kernel lives forever.
  void noteLaunch(const std::string &kernel) {
    const unsigned slot = launches.load(std::memory_order_relaxed);
    launched[slot % launched.size()].store(&kernel, std::memory_order_relaxed);
    launches.store(slot + 1, std::memory_order_relaxed);
  }

  /// DeviceError for \p error, after which no call to the device works. With \p isAccess it says how a wrong access to
  /// memory is found.
  [[noreturn]] void lose(const std::string &error, bool isAccess);

private:
  [[noreturn]] static void throwLost(const std::string &words);
  std::string lastLaunches() const;

  std::atomic<const std::string *> lost{nullptr};             ///< the words of the first fault, never freed
  std::array<std::atomic<const std::string *>, 4> launched{}; ///< the last ones, for messages
  std::atomic<unsigned> launches{0};
};

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_DEVICEHEALTH_H
