//===- CudaApi.h - the CUDA driver's interface, by hand --------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// libcuda.so.1 comes with NVIDIA's driver and is opened when a device is asked for; neither it nor cuda.h is needed to
// build. Types and constants have the values of cuda.h, which a test compares where that file is present.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_CUDA_CUDAAPI_H
#define TESSERA_RUNTIME_CUDA_CUDAAPI_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace tessera::rt::cuda {

// Not the public classes of these names.
struct Stream;
struct Event;

using DeviceHandle = int;
using DeviceAddress = unsigned long long;
using ContextHandle = struct Context *;
using ModuleHandle = struct Module *;
using FunctionHandle = struct Function *;
using StreamHandle = Stream *;
using EventHandle = Event *;
using GraphHandle = struct Graph *;
using ExecutableGraphHandle = struct ExecutableGraph *;

/// The codes that something here depends on.
enum class Result : int {
  Success = 0,
  InvalidValue = 1,
  OutOfMemory = 2,
  NoDevice = 100,
  EccUncorrectable = 214,
  NvlinkUncorrectable = 220,
  IllegalAddress = 700,
  LaunchTimeout = 702,
  Assert = 710,
  HardwareStackError = 714,
  IllegalInstruction = 715,
  MisalignedAddress = 716,
  InvalidAddressSpace = 717,
  InvalidPc = 718,
  LaunchFailed = 719,
  TensorMemoryLeak = 721,
  CaptureImplicit = 906,
};

enum class DeviceAttribute : int {
  MaxThreadsPerBlock = 1,
  MaxGridX = 5,
  MaxGridY = 6,
  MaxGridZ = 7,
  WarpSize = 10,
  Multiprocessors = 16,
  L2CacheBytes = 38,
  CapabilityMajor = 75,
  CapabilityMinor = 76,
  MaxSharedBytesOptIn = 97,
};

enum class FunctionAttribute : int {
  MaxThreadsPerBlock = 0,
  SharedBytes = 1,
  LocalBytes = 3,
  Registers = 4,
  MaxDynamicSharedBytes = 8,
  NonPortableClusterAllowed = 14,
};

enum class LoadOption : int { ErrorLog = 5, ErrorLogBytes = 6 };
enum class CaptureMode : int { ThreadLocal = 1 };
enum class CaptureStatus : int { None = 0, Active = 1, Invalidated = 2 };

inline constexpr unsigned kHostPortable = 1, kHostDeviceMap = 2; ///< of cuMemHostAlloc
inline constexpr unsigned kStreamDefault = 0;                    ///< of cuStreamCreate
inline constexpr unsigned kEventDisableTiming = 2;               ///< of cuEventCreate

enum class LaunchAttributeId : int { ClusterDimension = 4 };

/// CUlaunchAttribute with the one value used here.
struct LaunchAttribute {
  LaunchAttributeId id;
  char pad[4];
  union {
    char bytes[64];
    unsigned clusterDim[3];
  } value;
};

/// CUlaunchConfig.
struct LaunchConfig {
  unsigned gridDimX, gridDimY, gridDimZ;
  unsigned blockDimX, blockDimY, blockDimZ;
  unsigned sharedMemBytes;
  StreamHandle hStream;
  LaunchAttribute *attrs;
  unsigned numAttrs;
};

/// CUtensorMap.
struct alignas(128) TensorMap {
  std::uint64_t opaque[16];
};

enum class TensorMapDataType : int {
  Uint8,
  Uint16,
  Uint32,
  Int32,
  Uint64,
  Int64,
  Float16,
  Float32,
  Float64,
  Bfloat16,
};
enum class TensorMapInterleave : int { None };
enum class TensorMapSwizzle : int { None, Bytes32, Bytes64, Bytes128 };
enum class TensorMapPromotion : int { None, L2Bytes64, L2Bytes128, L2Bytes256 };
enum class TensorMapFill : int { Zero, Nan };

/// The functions of Symbols.def. Never unloaded: the driver has threads of its own.
struct Api {
#define TESSERA_CUDA_SYMBOL(name, symbol, needed, parameters) Result(*name) parameters = nullptr;
#include "Runtime/CUDA/Symbols.def"

  int version = 0; ///< of CUDA that the driver supports: 13000

  /// Opens the library called \p path and initialises it. Null if there is none or it is too old or unwilling, and then
  /// \p why says so.
  static std::unique_ptr<const Api> open(const std::string &path, std::string &why);

  /// "700 (CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered)".
  std::string describe(Result code) const;
};

/// What the library must support, as `Api::version`: launches with attributes and tensor maps.
inline constexpr int kOldestVersion = 12000;

} // namespace tessera::rt::cuda

#endif // TESSERA_RUNTIME_CUDA_CUDAAPI_H
