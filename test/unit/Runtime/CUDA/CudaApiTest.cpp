//===- CudaApiTest.cpp - our declarations beside those of cuda.h ----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/CUDA/CudaApi.h"
#include "unit/Expect.h"
#include "unit/Runtime/SameFunction.h"
#include "unit/ScopedEnvironment.h"

using namespace tessera;
using namespace tessera::rt;
using tessera::test::same;
using tessera::test::SameFunction;
using testing::HasSubstr;

// cuda.h makes macros of most functions' names, so ours are named before it.
#define TESSERA_CUDA_SYMBOL(name, symbol, needed, parameters) using Our_##name = decltype(cuda::Api::name);
#include "Runtime/CUDA/Symbols.def"

#if __has_include(<cuda.h>)
#include <cuda.h>
#define TESSERA_HAS_CUDA_HEADER 1
#endif

#ifdef TESSERA_HAS_CUDA_HEADER

static_assert(same<cuda::ContextHandle, CUcontext>() && !same<cuda::ContextHandle, void **>());

#define TESSERA_TEXT_OF(name) #name
#define TESSERA_EXPANDED(name) TESSERA_TEXT_OF(name)

TEST(CudaApi, declaresFunctionsAsTheHeaderDoes) {
#define TESSERA_CUDA_SYMBOL(name, symbol, needed, parameters)                                                          \
  EXPECT_TRUE((SameFunction<Our_##name, decltype(&::name)>::check())) << symbol;
#include "Runtime/CUDA/Symbols.def"
}

TEST(CudaApi, namesTheVersionsThatTheHeaderMeans) {
  const auto check = [](std::string name, std::string expanded, std::string symbol) {
    if (name == "cuEventElapsedTime") // the header's is newer than the oldest driver, and of the same type
      EXPECT_EQ(symbol, "cuEventElapsedTime");
    else
      EXPECT_EQ(symbol, expanded);
  };
#define TESSERA_CUDA_SYMBOL(name, symbol, needed, parameters) check(#name, TESSERA_EXPANDED(name), symbol);
#include "Runtime/CUDA/Symbols.def"
}

TEST(CudaApi, laysOutStructsAsTheHeaderDoes) {
  static_assert(sizeof(cuda::LaunchConfig) == sizeof(CUlaunchConfig));
  static_assert(offsetof(cuda::LaunchConfig, sharedMemBytes) == offsetof(CUlaunchConfig, sharedMemBytes));
  static_assert(offsetof(cuda::LaunchConfig, hStream) == offsetof(CUlaunchConfig, hStream));
  static_assert(offsetof(cuda::LaunchConfig, attrs) == offsetof(CUlaunchConfig, attrs));
  static_assert(offsetof(cuda::LaunchConfig, numAttrs) == offsetof(CUlaunchConfig, numAttrs));
  static_assert(sizeof(cuda::LaunchAttribute) == sizeof(CUlaunchAttribute));
  static_assert(offsetof(cuda::LaunchAttribute, value) == offsetof(CUlaunchAttribute, value));
  static_assert(sizeof(cuda::TensorMap) == sizeof(CUtensorMap) && alignof(cuda::TensorMap) == alignof(CUtensorMap));
}

TEST(CudaApi, numbersConstantsAsTheHeaderDoes) {
#define TESSERA_SAME(ours, theirs) EXPECT_EQ(static_cast<int>(cuda::ours), static_cast<int>(theirs)) << #ours
  TESSERA_SAME(Result::Success, CUDA_SUCCESS);
  TESSERA_SAME(Result::InvalidValue, CUDA_ERROR_INVALID_VALUE);
  TESSERA_SAME(Result::OutOfMemory, CUDA_ERROR_OUT_OF_MEMORY);
  TESSERA_SAME(Result::NoDevice, CUDA_ERROR_NO_DEVICE);
  TESSERA_SAME(Result::EccUncorrectable, CUDA_ERROR_ECC_UNCORRECTABLE);
  TESSERA_SAME(Result::NvlinkUncorrectable, CUDA_ERROR_NVLINK_UNCORRECTABLE);
  TESSERA_SAME(Result::IllegalAddress, CUDA_ERROR_ILLEGAL_ADDRESS);
  TESSERA_SAME(Result::LaunchTimeout, CUDA_ERROR_LAUNCH_TIMEOUT);
  TESSERA_SAME(Result::Assert, CUDA_ERROR_ASSERT);
  TESSERA_SAME(Result::HardwareStackError, CUDA_ERROR_HARDWARE_STACK_ERROR);
  TESSERA_SAME(Result::IllegalInstruction, CUDA_ERROR_ILLEGAL_INSTRUCTION);
  TESSERA_SAME(Result::MisalignedAddress, CUDA_ERROR_MISALIGNED_ADDRESS);
  TESSERA_SAME(Result::InvalidAddressSpace, CUDA_ERROR_INVALID_ADDRESS_SPACE);
  TESSERA_SAME(Result::InvalidPc, CUDA_ERROR_INVALID_PC);
  TESSERA_SAME(Result::LaunchFailed, CUDA_ERROR_LAUNCH_FAILED);
  TESSERA_SAME(Result::CaptureImplicit, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  TESSERA_SAME(DeviceAttribute::MaxThreadsPerBlock, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  TESSERA_SAME(DeviceAttribute::MaxGridX, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X);
  TESSERA_SAME(DeviceAttribute::MaxGridY, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y);
  TESSERA_SAME(DeviceAttribute::MaxGridZ, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z);
  TESSERA_SAME(DeviceAttribute::WarpSize, CU_DEVICE_ATTRIBUTE_WARP_SIZE);
  TESSERA_SAME(DeviceAttribute::L2CacheBytes, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  TESSERA_SAME(CaptureMode::ThreadLocal, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
  TESSERA_SAME(DeviceAttribute::Multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  TESSERA_SAME(DeviceAttribute::CapabilityMajor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  TESSERA_SAME(DeviceAttribute::CapabilityMinor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  TESSERA_SAME(DeviceAttribute::MaxSharedBytesOptIn, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  TESSERA_SAME(FunctionAttribute::MaxThreadsPerBlock, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  TESSERA_SAME(FunctionAttribute::LocalBytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  TESSERA_SAME(FunctionAttribute::Registers, CU_FUNC_ATTRIBUTE_NUM_REGS);
  TESSERA_SAME(FunctionAttribute::MaxDynamicSharedBytes, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
  TESSERA_SAME(FunctionAttribute::NonPortableClusterAllowed, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED);
  TESSERA_SAME(LoadOption::ErrorLog, CU_JIT_ERROR_LOG_BUFFER);
  TESSERA_SAME(LoadOption::ErrorLogBytes, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
  TESSERA_SAME(CaptureStatus::Active, CU_STREAM_CAPTURE_STATUS_ACTIVE);
  TESSERA_SAME(CaptureStatus::Invalidated, CU_STREAM_CAPTURE_STATUS_INVALIDATED);
  TESSERA_SAME(kHostPortable, CU_MEMHOSTALLOC_PORTABLE);
  TESSERA_SAME(kHostDeviceMap, CU_MEMHOSTALLOC_DEVICEMAP);
  TESSERA_SAME(kStreamDefault, CU_STREAM_DEFAULT);
  TESSERA_SAME(kEventDisableTiming, CU_EVENT_DISABLE_TIMING);
  TESSERA_SAME(LaunchAttributeId::ClusterDimension, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
  TESSERA_SAME(TensorMapDataType::Uint8, CU_TENSOR_MAP_DATA_TYPE_UINT8);
  TESSERA_SAME(TensorMapDataType::Uint16, CU_TENSOR_MAP_DATA_TYPE_UINT16);
  TESSERA_SAME(TensorMapDataType::Uint32, CU_TENSOR_MAP_DATA_TYPE_UINT32);
  TESSERA_SAME(TensorMapDataType::Int32, CU_TENSOR_MAP_DATA_TYPE_INT32);
  TESSERA_SAME(TensorMapDataType::Uint64, CU_TENSOR_MAP_DATA_TYPE_UINT64);
  TESSERA_SAME(TensorMapDataType::Int64, CU_TENSOR_MAP_DATA_TYPE_INT64);
  TESSERA_SAME(TensorMapDataType::Float16, CU_TENSOR_MAP_DATA_TYPE_FLOAT16);
  TESSERA_SAME(TensorMapDataType::Float32, CU_TENSOR_MAP_DATA_TYPE_FLOAT32);
  TESSERA_SAME(TensorMapDataType::Float64, CU_TENSOR_MAP_DATA_TYPE_FLOAT64);
  TESSERA_SAME(TensorMapDataType::Bfloat16, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16);
  TESSERA_SAME(TensorMapInterleave::None, CU_TENSOR_MAP_INTERLEAVE_NONE);
  TESSERA_SAME(TensorMapSwizzle::Bytes32, CU_TENSOR_MAP_SWIZZLE_32B);
  TESSERA_SAME(TensorMapSwizzle::Bytes64, CU_TENSOR_MAP_SWIZZLE_64B);
  TESSERA_SAME(TensorMapSwizzle::Bytes128, CU_TENSOR_MAP_SWIZZLE_128B);
  TESSERA_SAME(TensorMapPromotion::L2Bytes256, CU_TENSOR_MAP_L2_PROMOTION_L2_256B);
  TESSERA_SAME(TensorMapFill::Zero, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  TESSERA_SAME(TensorMapFill::Nan, CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA);
}

#else

TEST(CudaApi, matchesTheHeader) { GTEST_SKIP() << "cuda.h is not installed here"; }

#endif

namespace {

/// Why \p library cannot be used.
std::string refusal(const char *library) {
  std::string why;
  EXPECT_EQ(cuda::Api::open(library, why), nullptr);
  return why;
}

} // namespace

TEST(CudaApi, saysThatTheLibraryIsMissing) {
  EXPECT_THAT(refusal("libno-such-cuda.so.1"),
              HasSubstr("NVIDIA's driver library libno-such-cuda.so.1 could not be opened"));
}

TEST(CudaApi, saysThatTheDriverIsTooOld) {
  EXPECT_EQ(refusal(TESSERA_TEST_OLD_CUDA),
            "NVIDIA's driver supports CUDA 11.4, and tessera needs 12.0 or newer; update the driver");
}

TEST(CudaApi, saysWhichFunctionIsMissing) {
  const test::ScopedEnvironment version("TESSERA_TEST_CUDA_VERSION", "12020");
  EXPECT_THAT(refusal(TESSERA_TEST_OLD_CUDA), HasSubstr("has no function cuGetErrorName; update the driver"));
}
