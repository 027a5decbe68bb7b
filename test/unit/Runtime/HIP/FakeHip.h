//===- FakeHip.h - a HIP runtime for machines without one ------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// FakeHip.cpp is a shared library with the functions of Symbols.def, built twice: as one of version 6, and as one of
// version 5, which has the older properties of devices only and no graphs. Its devices have the host's memory and
// finish every call at once; like the real ones they belong to a thread's current device and are lost after a fault.
// Tests look into it and make its calls fail through the state below.
//
// A module is text behind the 64 bytes of an ELF header, a word and its values a line:
//   entry NAME · registers N · local N · threads N · does store | fault CODE
// `store` takes a pointer and an i64 and sets element i to value + i, for every block i of the grid.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_RUNTIME_HIP_FAKEHIP_H
#define TESSERA_TEST_UNIT_RUNTIME_HIP_FAKEHIP_H

#include "Runtime/HIP/HipApi.h"

#include <cstdint>

namespace tessera::test {

struct FakeHip {
  int version = 60240092;
  int devices = 2;
  const char *chips[4] = {"gfx942:sramecc+:xnack-", "gfx942:sramecc+:xnack-", "gfx1036", "gfx1100"};
  bool capturing = false; ///< also between the begin and the end of a capture

  /// The call of this name fails with this code, once, after `skip` that work. Null: none.
  const char *failing = nullptr;
  int code = 0, skip = 0;
  /// What every call gives after a fault; 0: none.
  int lost = 0;
  /// What hipGetLastError gives.
  int lastError = 0;

  // What is alive.
  int memory = 0, hostMemory = 0, streams = 0, events = 0, modules = 0, graphs = 0;
  // What was seen last.
  unsigned grid[3] = {}, block[3] = {}, sharedBytes = 0, hostFlags = 0, eventFlags = 0;
  std::size_t packedBytes = 0;
  int deviceOfMemory = -1, deviceOfLaunch = -1, deviceOfGraph = -1;
};

/// The state of the library at \p path, set back to its first values; null if it cannot be opened.
FakeHip *resetFakeHip(const char *path);

} // namespace tessera::test

#endif // TESSERA_TEST_UNIT_RUNTIME_HIP_FAKEHIP_H
