//===- HostMemory.h - drivers whose device is the host ---------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Memory, streams and events of a device that is the host itself and finishes every call before it returns. Interp, cpu
// and null build on it and add load and launch.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_HOSTMEMORY_H
#define TESSERA_RUNTIME_HOSTMEMORY_H

#include "Runtime/DeviceDriver.h"

namespace tessera::rt {

class HostMemoryDriver : public DeviceDriver {
public:
  void *allocate(int device, std::size_t bytes) override;
  void free(int device, void *memory) noexcept override;
  void *allocateHost(int device, std::size_t bytes) override;
  void freeHost(int device, void *memory) noexcept override;
  void copyToDevice(int device, void *stream, void *to, const void *from, std::size_t bytes) override;
  void copyToHost(int device, void *stream, void *to, const void *from, std::size_t bytes) override;
  void copyOnDevice(int device, void *stream, void *to, const void *from, std::size_t bytes) override;
  void fill(int device, void *stream, void *to, std::uint64_t pattern, int patternBytes, std::size_t count) override;

  void *createStream(int device) override;
  void destroyStream(int device, void *stream) noexcept override;
  void synchronize(int, void *) override {}

  void *createEvent(int device, bool timing) override;
  void destroyEvent(int device, void *event) noexcept override;
  void recordEvent(int device, void *stream, void *event) override;
  void waitEvent(int, void *, void *) override {}
  void synchronizeEvent(int, void *) override {}
  double elapsedMs(int device, void *from, void *to) override;
};

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_HOSTMEMORY_H
