//===- HipApi.h - the HIP runtime's interface, by hand ---------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// libamdhip64.so comes with ROCm and is opened when a device is asked for; neither it nor HIP's headers are needed to
// build. Types and constants have the values of hip_runtime_api.h, which a test compares where that file is present.
//
// What differs between the versions 5, 6 and 7 of the library is said here and nowhere else. It is little: the numbers
// of all attributes and codes below are the same, and so are the functions of Symbols.def, but
//
//  - the struct of a device's properties, of which only the chip's name is read (PropertiesLayout);
//  - hipInit without a device: 101 in version 5, 100 later.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_HIP_HIPAPI_H
#define TESSERA_RUNTIME_HIP_HIPAPI_H

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace tessera::rt::hip {

// Not the public classes of these names.
struct Stream;
struct Event;

using ModuleHandle = struct Module *;
using FunctionHandle = struct Function *;
using StreamHandle = Stream *;
using EventHandle = Event *;
using GraphHandle = struct Graph *;
using GraphNodeHandle = struct GraphNode *;
using ExecutableGraphHandle = struct ExecutableGraph *;

/// The codes that something here depends on.
enum class Result : int {
  Success = 0,
  OutOfMemory = 2,
  NoDevice = 100,
  InvalidDevice = 101,
  EccUncorrectable = 214,
  IllegalAddress = 700,
  LaunchTimeout = 702,
  Assert = 710,
  LaunchFailed = 719,
  CaptureImplicit = 906,
};

enum class DeviceAttribute : int {
  MaxGridX = 29,
  MaxGridY = 30,
  MaxGridZ = 31,
  MaxThreadsPerBlock = 56,
  Multiprocessors = 63,
  MaxSharedBytesPerBlock = 74,
  WarpSize = 87,
};

enum class FunctionAttribute : int {
  MaxThreadsPerBlock = 0,
  LocalBytes = 3,
  Registers = 4,
};

enum class CaptureMode : int { ThreadLocal = 1 };
enum class CaptureStatus : int { None = 0, Active = 1, Invalidated = 2 };

/// Of hipHostMalloc. Coherent: what a kernel writes is seen while it still runs.
inline constexpr unsigned kHostPortable = 1, kHostMapped = 2, kHostCoherent = 0x40000000;
inline constexpr unsigned kEventDisableTiming = 2; ///< of hipEventCreateWithFlags

/// Words of the list that hands hipModuleLaunchKernel all arguments in one block.
enum class LaunchWord : std::size_t { BufferPointer = 1, BufferBytes = 2, End = 3 };

/// Holds a hipDeviceProp_t of any version.
struct alignas(16) PropertiesBlock {
  char bytes[4096];
};

/// Where a hipDeviceProp_t has the chip's name, "gfx942:sramecc+:xnack-", which ends with a zero.
struct PropertiesLayout {
  std::size_t archOffset, archBytes, bytes;
};
/// Written by hipGetDeviceProperties: that of version 5, which later libraries still export for old programs.
inline constexpr PropertiesLayout kProperties5{396, 256, 792};
/// Written by hipGetDevicePropertiesR0600, of versions 6 and 7.
inline constexpr PropertiesLayout kProperties6{1160, 256, 1472};

/// The functions of Symbols.def. Never unloaded: the library has threads of its own.
struct Api {
#define TESSERA_HIP_SYMBOL(result, name, needed, parameters) result(*name) parameters = nullptr;
#include "Runtime/HIP/Symbols.def"

  int version = 0; ///< of HIP: 60240092 is 6.2

  /// Opens one of the libraries called \p names, best one that this process has already, else the first that there is,
  /// and initialises it. Null if there is none or it is too old or unwilling, and then \p why says so.
  static std::unique_ptr<const Api> open(std::span<const std::string> names, std::string &why);

  /// "719 (hipErrorLaunchFailure: unspecified launch failure)". Forgets the error: others in this thread who ask for
  /// the last one mean theirs.
  std::string describe(Result code) const;

  /// The name of a device's chip with its features, into \p name.
  Result chipName(int device, std::string &name) const;
};

/// What the library must be, as `Api::version`: the oldest one whose interface was compared.
inline constexpr int kOldestVersion = 50200000;

} // namespace tessera::rt::hip

#endif // TESSERA_RUNTIME_HIP_HIPAPI_H
