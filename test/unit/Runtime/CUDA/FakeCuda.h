//===- FakeCuda.h - a driver library for machines without one --*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// FakeCuda.cpp is a shared library with the functions of Symbols.def. Its devices have the host's memory and finish
// every call at once; like the real ones they insist on a current context and are lost after a fault. Tests look into
// it and make its calls fail through the state below.
//
// A module is text (behind 64 bytes of ELF header in a cubin), a word and its values a line:
//   entry NAME · params BYTES... · registers N · local N · threads N · does store | nothing | fault CODE
// `store` takes a pointer and an i64 and sets element i to value + i, for every block i of the grid.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_RUNTIME_CUDA_FAKECUDA_H
#define TESSERA_TEST_UNIT_RUNTIME_CUDA_FAKECUDA_H

#include "Runtime/CUDA/CudaApi.h"

#include <cstdint>

namespace tessera::test {

struct FakeCuda {
  int version = 13000;
  int devices = 2;
  int major = 9, minor = 0;
  bool capturing = false; ///< also between the begin and the end of a capture

  /// The call of this name fails with this code, once, after `skip` that work. Null: none.
  const char *failing = nullptr;
  int code = 0, skip = 0;
  /// What every call gives after a fault; 0: none.
  int lost = 0;

  // What is alive.
  int memory = 0, hostMemory = 0, streams = 0, events = 0, modules = 0, retained = 0, graphs = 0;
  // What was seen last.
  rt::cuda::LaunchConfig launch{};
  unsigned cluster[3] = {};
  unsigned eventFlags = 0;
  int sharedBytesAsked = 0, nonPortable = 0;
  std::uint64_t extents[5] = {}, strides[4] = {};
  int mapDtype = -1, mapRank = 0, mapSwizzle = -1;
  /// What descriptors are filled with.
  int mapByte = 0x5a;
};

/// The state of the library at \p path, set back to its first values; null if it cannot be opened.
FakeCuda *resetFakeCuda(const char *path);

} // namespace tessera::test

#endif // TESSERA_TEST_UNIT_RUNTIME_CUDA_FAKECUDA_H
