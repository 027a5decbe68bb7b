//===- TrackedMemory.h - a host device that knows its memory -----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_INTERP_TRACKEDMEMORY_H
#define TESSERA_TARGET_INTERP_TRACKEDMEMORY_H

#include "Runtime/HostMemory.h"
#include "Target/Interp/LiveMemory.h"

namespace tessera::ir::interp {

/// The part of a checking device's driver that hands out memory of the host: it has room on both sides, looks like
/// nothing anybody wrote, and `live` knows which bytes were written.
class TrackedMemoryDriver : public rt::HostMemoryDriver {
public:
  void *allocate(int device, std::size_t bytes) override;
  void free(int device, void *memory) noexcept override;
  void copyToDevice(int device, void *stream, void *to, const void *from, std::size_t bytes) override;
  void copyOnDevice(int device, void *stream, void *to, const void *from, std::size_t bytes) override;
  void fill(int device, void *stream, void *to, std::uint64_t pattern, int patternBytes, std::size_t count) override;

protected:
  LiveMemory live;
};

} // namespace tessera::ir::interp

#endif // TESSERA_TARGET_INTERP_TRACKEDMEMORY_H
