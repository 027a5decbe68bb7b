//===- DeviceState.h - one device and its streams --------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What the public Device and Stream point to. A device lives as long as the process; a stream as long as a handle to
// it.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_DEVICESTATE_H
#define TESSERA_RUNTIME_DEVICESTATE_H

#include "Runtime/DeviceDriver.h"

#include "tessera/runtime/Stream.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tessera::rt {

struct DeviceState;
class DeviceRecords;

/// A block of device memory that only grows.
class Arena {
public:
  /// Whether reserve() would allocate.
  bool mustGrow(std::size_t wanted) const { return !block || wanted > bytes; }
  /// At least \p wanted bytes, aligned to 256; what was handed out before may move. Sets \p fresh if the block is new.
  std::byte *reserve(DeviceState &device, std::size_t wanted, bool *fresh = nullptr);
  /// The present block is part of a captured graph: it stays until release().
  void keep() { kept = true; }
  void release(DeviceState &device) noexcept;
  std::size_t size() const { return bytes; }

private:
  std::byte *block = nullptr;
  std::size_t bytes = 0;
  bool kept = false;
  std::vector<std::byte *> retired; ///< outgrown, but kept
};

/// A stream: the vendor's handle and the memory that kernels on it share, one after another.
struct StreamState {
  /// Takes \p native over if \p owned.
  StreamState(DeviceState &device, void *native, bool owned);
  ~StreamState();
  StreamState(const StreamState &) = delete;
  StreamState &operator=(const StreamState &) = delete;

  /// Waits for the work enqueued so far, prints what kernels printed; DeviceError for what went wrong in it.
  void synchronize();

  DeviceState &device;
  void *const native;
  const bool owned;

  std::mutex mutex;                                                ///< of everything below, and of launches that use it
  Arena scratch;                                                   ///< workspaces
  Arena counters;                                                  ///< zeros between launches
  bool countersAreZero = false;                                    ///< false after a failed launch
  std::map<std::uint64_t, std::unique_ptr<DeviceRecords>> records; ///< by the id of the launch plan
};

struct DeviceState {
  DeviceState(DeviceDriver &driver, int index, std::string name);

  /// The state of a stream made elsewhere; the same for the same handle.
  std::shared_ptr<StreamState> borrow(void *native);

  DeviceDriver &driver;
  const int index;
  const std::string name; ///< "cuda:0"
  const DeviceProperties properties;
  const std::shared_ptr<StreamState> defaultStream;
  const Stream defaultHandle; ///< to it

private:
  std::mutex mutex;
  std::map<void *, std::shared_ptr<StreamState>> borrowed;
};

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_DEVICESTATE_H
