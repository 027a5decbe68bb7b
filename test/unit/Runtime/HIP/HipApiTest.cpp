//===- HipApiTest.cpp - our declarations beside HIP's ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// HIP's headers are of one version, here mostly 5.2, and the layouts of the other versions are compared where theirs
// are installed.
//
//===---------------------------------------------------------------------===//

#include "Runtime/HIP/HipApi.h"
#include "unit/Expect.h"
#include "unit/Runtime/SameFunction.h"
#include "unit/ScopedEnvironment.h"

#include <array>

using namespace tessera;
using namespace tessera::rt;
using testing::HasSubstr;
using testing::StartsWith;

// From version 6 on hip_runtime_api.h makes macros of some functions' names, so ours are named before it.
#define TESSERA_HIP_SYMBOL(result, name, needed, parameters) using Our_##name = decltype(hip::Api::name);
#include "Runtime/HIP/Symbols.def"

#if __has_include(<hip/hip_runtime_api.h>)
#define __HIP_PLATFORM_AMD__ 1
#define __HIP_DISABLE_CPP_FUNCTIONS__ 1
#include <hip/hip_runtime_api.h>
#define TESSERA_HAS_HIP_HEADER 1
#endif

#ifdef TESSERA_HAS_HIP_HEADER

#if HIP_VERSION_MAJOR < 6 // which has the struct of one age, and the function of the other takes it in the same way
#define hipGetDevicePropertiesR0600 hipGetDeviceProperties
static constexpr hip::PropertiesLayout kLayout = hip::kProperties5;
#else
static constexpr hip::PropertiesLayout kLayout = hip::kProperties6;
#endif

TEST(HipApi, declaresFunctionsAsTheHeaderDoes) {
#define TESSERA_HIP_SYMBOL(result, name, needed, parameters)                                                           \
  EXPECT_TRUE((test::SameFunction<Our_##name, decltype(&::name)>::check())) << #name;
#include "Runtime/HIP/Symbols.def"
}

TEST(HipApi, findsTheChipsNameWhereTheHeaderHasIt) {
  static_assert(kLayout.bytes == sizeof(hipDeviceProp_t) && sizeof(hip::PropertiesBlock) >= sizeof(hipDeviceProp_t));
  static_assert(alignof(hip::PropertiesBlock) >= alignof(hipDeviceProp_t));
  static_assert(kLayout.archOffset == offsetof(hipDeviceProp_t, gcnArchName));
  static_assert(kLayout.archBytes == sizeof(hipDeviceProp_t::gcnArchName));
}

TEST(HipApi, numbersConstantsAsTheHeaderDoes) {
#define TESSERA_SAME(ours, theirs) EXPECT_EQ(static_cast<int>(hip::ours), static_cast<int>(theirs)) << #ours
  TESSERA_SAME(Result::Success, hipSuccess);
  TESSERA_SAME(Result::OutOfMemory, hipErrorOutOfMemory);
  TESSERA_SAME(Result::NoDevice, hipErrorNoDevice);
  TESSERA_SAME(Result::InvalidDevice, hipErrorInvalidDevice);
  TESSERA_SAME(Result::EccUncorrectable, hipErrorECCNotCorrectable);
  TESSERA_SAME(Result::IllegalAddress, hipErrorIllegalAddress);
  TESSERA_SAME(Result::LaunchTimeout, hipErrorLaunchTimeOut);
  TESSERA_SAME(Result::Assert, hipErrorAssert);
  TESSERA_SAME(Result::LaunchFailed, hipErrorLaunchFailure);
  TESSERA_SAME(Result::CaptureImplicit, hipErrorStreamCaptureImplicit);
  TESSERA_SAME(DeviceAttribute::MaxGridX, hipDeviceAttributeMaxGridDimX);
  TESSERA_SAME(DeviceAttribute::MaxGridY, hipDeviceAttributeMaxGridDimY);
  TESSERA_SAME(DeviceAttribute::MaxGridZ, hipDeviceAttributeMaxGridDimZ);
  TESSERA_SAME(DeviceAttribute::MaxThreadsPerBlock, hipDeviceAttributeMaxThreadsPerBlock);
  TESSERA_SAME(DeviceAttribute::Multiprocessors, hipDeviceAttributeMultiprocessorCount);
  TESSERA_SAME(DeviceAttribute::MaxSharedBytesPerBlock, hipDeviceAttributeMaxSharedMemoryPerBlock);
  TESSERA_SAME(DeviceAttribute::WarpSize, hipDeviceAttributeWarpSize);
  TESSERA_SAME(FunctionAttribute::MaxThreadsPerBlock, HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  TESSERA_SAME(FunctionAttribute::LocalBytes, HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  TESSERA_SAME(FunctionAttribute::Registers, HIP_FUNC_ATTRIBUTE_NUM_REGS);
  TESSERA_SAME(CaptureMode::ThreadLocal, hipStreamCaptureModeThreadLocal);
  TESSERA_SAME(CaptureStatus::None, hipStreamCaptureStatusNone);
  TESSERA_SAME(CaptureStatus::Active, hipStreamCaptureStatusActive);
  TESSERA_SAME(CaptureStatus::Invalidated, hipStreamCaptureStatusInvalidated);
  TESSERA_SAME(kHostPortable, hipHostMallocPortable);
  TESSERA_SAME(kHostMapped, hipHostMallocMapped);
  TESSERA_SAME(kHostCoherent, hipHostMallocCoherent);
  TESSERA_SAME(kEventDisableTiming, hipEventDisableTiming);
  const auto word = [](hip::LaunchWord ours) { return reinterpret_cast<void *>(ours); };
  EXPECT_EQ(word(hip::LaunchWord::BufferPointer), HIP_LAUNCH_PARAM_BUFFER_POINTER);
  EXPECT_EQ(word(hip::LaunchWord::BufferBytes), HIP_LAUNCH_PARAM_BUFFER_SIZE);
  EXPECT_EQ(word(hip::LaunchWord::End), HIP_LAUNCH_PARAM_END);
}

#else

TEST(HipApi, matchesTheHeader) { GTEST_SKIP() << "HIP's headers are not installed here"; }

#endif

namespace {

/// Why none of \p names can be used.
template <class... Names> std::string refusal(Names... names) {
  const std::array<std::string, sizeof...(names)> list{names...};
  std::string why;
  EXPECT_EQ(hip::Api::open(list, why), nullptr);
  return why;
}

} // namespace

TEST(HipApi, saysThatTheLibraryIsMissing) {
  EXPECT_THAT(refusal("libno-such-hip.so.7", "libno-such-hip.so"),
              StartsWith("AMD's HIP runtime libno-such-hip.so.7 could not be opened: "));
}

TEST(HipApi, saysThatTheLibraryIsTooOld) {
  EXPECT_EQ(refusal("libno-such-hip.so.7", TESSERA_TEST_OLD_HIP),
            "AMD's HIP runtime " TESSERA_TEST_OLD_HIP " is version 5.1, and tessera needs 5.2 or newer; update ROCm");
}

TEST(HipApi, saysWhichFunctionIsMissing) {
  const test::ScopedEnvironment version("TESSERA_TEST_HIP_VERSION", "60240092");
  EXPECT_THAT(refusal(TESSERA_TEST_OLD_HIP), HasSubstr("has no function hipGetErrorName; update ROCm"));
}
