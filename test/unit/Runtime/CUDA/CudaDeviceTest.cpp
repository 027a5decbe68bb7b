//===- CudaDeviceTest.cpp - the driver on a device that is there ----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Kernels are written by hand, so that nothing of the compiler takes part. Skipped where there is no device.
//
//===---------------------------------------------------------------------===//

#include "Runtime/CUDA/CudaDevice.h"
#include "Runtime/CUDA/CudaDriver.h"
#include "Runtime/DeviceState.h"
#include "Runtime/LaunchPlan.h"
#include "unit/Expect.h"

#include <cstring>
#include <dlfcn.h>
#include <numeric>
#include <thread>

using namespace tessera;
using namespace tessera::rt;
using tessera::test::wordsOf;
using testing::AllOf;
using testing::HasSubstr;

namespace {

constexpr const char *kHeader = ".version 8.0\n.target sm_80\n.address_size 64\n";
constexpr const char *kHopperHeader = ".version 8.0\n.target sm_90\n.address_size 64\n";

/// out[i] = value + i, for every thread of the grid's x axis.
constexpr const char *kStore = R"(
.visible .entry store(.param .u64 out, .param .u64 value) {
  .reg .b32 %r<5>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd0, [out];
  ld.param.u64 %rd1, [value];
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  cvt.u64.u32 %rd2, %r3;
  add.u64 %rd3, %rd1, %rd2;
  shl.b64 %rd4, %rd2, 3;
  add.u64 %rd5, %rd0, %rd4;
  st.global.u64 [%rd5], %rd3;
  ret;
}
)";

/// out[0] = value, by way of the last word of the dynamic shared memory.
constexpr const char *kShared = R"(
.extern .shared .align 16 .b8 memory[];
.visible .entry store(.param .u64 out, .param .u64 value) {
  .reg .b32 %r<3>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd0, [out];
  ld.param.u64 %rd1, [value];
  mov.u32 %r0, memory;
  mov.u32 %r1, %dynamic_smem_size;
  add.u32 %r2, %r0, %r1;
  st.shared.u64 [%r2 + -8], %rd1;
  bar.sync 0;
  ld.shared.u64 %rd2, [%r2 + -8];
  st.global.u64 [%rd0], %rd2;
  ret;
}
)";

/// out[block] = value + the number of blocks in the cluster.
constexpr const char *kCluster = R"(
.visible .entry store(.param .u64 out, .param .u64 value) {
  .reg .b32 %r<2>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd0, [out];
  ld.param.u64 %rd1, [value];
  mov.u32 %r0, %cluster_nctaid.x;
  mov.u32 %r1, %ctaid.x;
  cvt.u64.u32 %rd2, %r0;
  add.u64 %rd3, %rd1, %rd2;
  mul.wide.u32 %rd4, %r1, 8;
  add.u64 %rd5, %rd0, %rd4;
  st.global.u64 [%rd5], %rd3;
  ret;
}
)";

/// Copies a box of 16 x 8 floats from column 8, row 6 to `out`.
constexpr const char *kTensorMap = R"(
.visible .entry store(.param .u64 out, .param .align 64 .b8 map[128]) {
  .reg .pred %p;
  .reg .b32 %r<8>;
  .reg .b64 %rd<6>;
  .shared .align 128 .b8 tile[512];
  .shared .align 8 .b8 full[8];
  ld.param.u64 %rd0, [out];
  mov.u32 %r0, %tid.x;
  mov.u32 %r1, full;
  mov.u32 %r2, tile;
  setp.ne.u32 %p, %r0, 0;
  @%p bra STARTED;
  mbarrier.init.shared.b64 [%r1], 1;
  fence.mbarrier_init.release.cluster;
  mbarrier.arrive.expect_tx.shared.b64 %rd1, [%r1], 512;
  mov.b64 %rd2, map;
  cvta.param.u64 %rd3, %rd2;
  mov.u32 %r3, 8;
  mov.u32 %r4, 6;
  cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd3, {%r3, %r4}], [%r1];
STARTED:
  bar.sync 0;
WAIT:
  mbarrier.try_wait.parity.shared.b64 %p, [%r1], 0;
  @!%p bra WAIT;
  shl.b32 %r5, %r0, 2;
  add.u32 %r6, %r2, %r5;
  ld.shared.u32 %r7, [%r6];
  cvt.u64.u32 %rd4, %r5;
  add.u64 %rd5, %rd0, %rd4;
  st.global.u32 [%rd5], %r7;
  ret;
}
)";

/// Stores to an address that nobody has.
constexpr const char *kFault = R"(
.visible .entry store(.param .u64 out, .param .u64 value) {
  .reg .b64 %rd<2>;
  mov.u64 %rd0, 64;
  ld.param.u64 %rd1, [value];
  st.global.u64 [%rd0], %rd1;
  ret;
}
)";

/// One driver for all tests: a fault is the last thing that is tried.
DeviceDriver &driver() {
  static const std::unique_ptr<DeviceDriver> driver = cuda::createDriver("libcuda.so.1");
  return *driver;
}

class CudaDeviceTest : public testing::Test {
protected:
  void SetUp() override {
    if (!driver().deviceCount())
      GTEST_SKIP() << driver().whyAbsent();
  }
  bool isHopper() { return driver().properties(0).target.chip() == "sm_90a"; }

  static Image imageOf(const char *header, const char *body) {
    Image image;
    image.target = std::string("cuda:") + (header == kHeader ? "sm_80" : "sm_90a");
    image.format = "ptx";
    image.kernel = "by_hand";
    image.entry = "store";
    image.threadsPerProgram = 32;
    Argument out;
    out.kind = ArgumentKind::Pointer;
    out.dtype = i64;
    Argument value;
    value.dtype = i64;
    image.arguments = {out, value};
    const std::string text = std::string(header) + body;
    const auto *bytes = reinterpret_cast<const std::byte *>(text.data());
    image.binary.assign(bytes, bytes + text.size());
    image.layOut();
    return image;
  }
  static void launch(LoadedKernel &kernel, void *stream, void *out, std::int64_t value,
                     std::array<std::int64_t, 3> grid = {1, 1, 1}) {
    std::array<std::byte, 16> packed;
    std::memcpy(packed.data(), &out, 8);
    std::memcpy(packed.data() + 8, &value, 8);
    driver().launch(0, stream, kernel, {grid, packed, {}});
  }
  template <class T> static std::vector<T> download(const void *memory, std::size_t count) {
    std::vector<T> values(count);
    driver().copyToHost(0, nullptr, values.data(), memory, count * sizeof(T));
    driver().synchronize(0, nullptr);
    return values;
  }
};

} // namespace

TEST_F(CudaDeviceTest, launchesOnStreamsAndTheNullStream) {
  const auto kernel = driver().load(0, imageOf(kHeader, kStore));
  for (auto &[key, value] : kernel->facts())
    std::printf("%s %s\n", key.c_str(), value.c_str());
  void *memory = driver().allocate(0, 8 * 32 * 100), *stream = driver().createStream(0);
  for (void *on : {static_cast<void *>(nullptr), stream}) {
    launch(*kernel, on, memory, on ? 5 : 7, {100, 1, 1});
    driver().synchronize(0, on);
    const auto found = download<std::int64_t>(memory, 3200);
    for (std::int64_t i = 0; i != 3200; ++i)
      ASSERT_EQ(found[static_cast<std::size_t>(i)], (on ? 5 : 7) + i);
  }
  driver().destroyStream(0, stream);
  driver().free(0, memory);
}

TEST_F(CudaDeviceTest, launchesFromThreadsThatNeverSawTheDevice) {
  const auto kernel = driver().load(0, imageOf(kHeader, kStore));
  void *memory = driver().allocate(0, 8 * 32 * 8), *stream = driver().createStream(0);
  std::vector<std::thread> threads;
  for (int i = 0; i != 8; ++i)
    threads.emplace_back([&, i] { launch(*kernel, stream, static_cast<std::int64_t *>(memory) + 32 * i, 1000 * i); });
  for (std::thread &thread : threads)
    thread.join();
  driver().synchronize(0, stream);
  const auto found = download<std::int64_t>(memory, 256);
  for (int i = 0; i != 256; ++i)
    EXPECT_EQ(found[static_cast<std::size_t>(i)], 1000 * (i / 32) + i % 32);
  driver().destroyStream(0, stream);
  driver().free(0, memory);
}

TEST_F(CudaDeviceTest, copiesWithoutAStreamWaitForStreams) {
  const auto kernel = driver().load(0, imageOf(kHeader, kStore));
  constexpr std::int64_t programs = 1 << 20;
  void *memory = driver().allocate(0, 8 * 32 * programs), *stream = driver().createStream(0);
  for (std::int64_t round = 1; round != 20; ++round) {
    launch(*kernel, stream, memory, round, {programs, 1, 1});
    const auto found = download<std::int64_t>(static_cast<std::int64_t *>(memory) + 32 * programs - 1, 1);
    ASSERT_EQ(found[0], round + 32 * programs - 1);
  }
  driver().destroyStream(0, stream);
  driver().free(0, memory);
}

TEST_F(CudaDeviceTest, fillsWithPatternsOfEveryWidth) {
  constexpr std::size_t count = (std::size_t{1} << 24) + 3;
  auto *memory = static_cast<std::byte *>(driver().allocate(0, 8 * count + 8));
  for (int bytes : {1, 2, 4, 8}) {
    driver().fill(0, nullptr, memory, 0, 1, 8 * count + 8);
    driver().fill(0, nullptr, memory, 0x1122334455667788, bytes, count);
    const auto found = download<std::uint8_t>(memory, 8 * count + 8);
    const std::uint64_t pattern = 0x1122334455667788;
    for (std::size_t i = 0; i != found.size(); ++i) {
      const auto byte = static_cast<std::uint8_t>(pattern >> 8 * (i % static_cast<std::size_t>(bytes)));
      ASSERT_EQ(found[i], i < count * static_cast<std::size_t>(bytes) ? byte : 0) << bytes << " bytes, at " << i;
    }
  }
  driver().free(0, memory);
}

TEST_F(CudaDeviceTest, sharesPinnedMemoryWithKernels) {
  const auto kernel = driver().load(0, imageOf(kHeader, kStore));
  auto *memory = static_cast<std::int64_t *>(driver().allocateHost(0, 8 * 32));
  launch(*kernel, nullptr, memory, 40);
  driver().synchronize(0, nullptr);
  for (int i = 0; i != 32; ++i)
    EXPECT_EQ(memory[i], 40 + i);
  driver().freeHost(0, memory);
}

TEST_F(CudaDeviceTest, timesAndOrdersByEvents) {
  const auto kernel = driver().load(0, imageOf(kHeader, kStore));
  constexpr std::int64_t programs = 1 << 18;
  void *memory = driver().allocate(0, 8 * 32 * programs);
  void *first = driver().createStream(0), *second = driver().createStream(0);
  void *start = driver().createEvent(0, true), *end = driver().createEvent(0, true);
  void *silent = driver().createEvent(0, false);
  driver().recordEvent(0, first, start);
  launch(*kernel, first, memory, 1, {programs, 1, 1});
  driver().recordEvent(0, first, silent);
  driver().waitEvent(0, second, silent);
  launch(*kernel, second, memory, 2, {programs, 1, 1});
  driver().recordEvent(0, second, end);
  driver().synchronizeEvent(0, end);
  EXPECT_GT(driver().elapsedMs(0, start, end), 0);
  EXPECT_LT(driver().elapsedMs(0, start, end), 1000);
  EXPECT_EQ(download<std::int64_t>(memory, 1)[0], 2);
  EXPECT_THAT(wordsOf<DeviceError>([&] { driver().elapsedMs(0, start, silent); }), HasSubstr("cuEventElapsedTime"));
  for (void *event : {start, end, silent})
    driver().destroyEvent(0, event);
  driver().destroyStream(0, first);
  driver().destroyStream(0, second);
  driver().free(0, memory);
}

TEST_F(CudaDeviceTest, knowsWhenAStreamIsCaptured) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  auto *begin = reinterpret_cast<int (*)(void *, int)>(dlsym(library, "cuStreamBeginCapture_v2"));
  auto *end = reinterpret_cast<int (*)(void *, void **)>(dlsym(library, "cuStreamEndCapture"));
  const auto kernel = driver().load(0, imageOf(kHeader, kStore));
  void *memory = driver().allocate(0, 256), *stream = driver().createStream(0);
  EXPECT_FALSE(driver().isCapturing(0, stream));
  EXPECT_FALSE(driver().isCapturing(0, nullptr));
  ASSERT_EQ(begin(stream, 1), 0);
  EXPECT_TRUE(driver().isCapturing(0, stream));
  EXPECT_TRUE(driver().isCapturing(0, nullptr)) << "which the captured stream would wait for";
  launch(*kernel, stream, memory, 3);
  void *graph = nullptr;
  EXPECT_EQ(end(stream, &graph), 0);
  EXPECT_NE(graph, nullptr);
  driver().destroyStream(0, stream);
  driver().free(0, memory);
}

TEST_F(CudaDeviceTest, capturesWorkAndRepeatsIt) {
  const auto kernel = driver().load(0, imageOf(kHeader, kStore));
  void *memory = driver().allocate(0, 8 * 64), *stream = driver().createStream(0);
  driver().fill(0, stream, memory, 0, 8, 64);
  auto *second = static_cast<std::int64_t *>(memory) + 32;
  const auto work = driver().capture(0, stream, [&] {
    launch(*kernel, stream, memory, 100);
    driver().copyOnDevice(0, stream, second, memory, 8 * 32);
  });
  ASSERT_TRUE(work);
  driver().synchronize(0, stream);
  EXPECT_EQ(download<std::int64_t>(memory, 64)[63], 0) << "captured, not done";
  for (int i = 0; i != 3; ++i) {
    driver().fill(0, stream, memory, 0, 8, 64);
    work->enqueue(stream);
    driver().synchronize(0, stream);
    EXPECT_EQ(download<std::int64_t>(memory, 64)[63], 131);
  }
  driver().destroyStream(0, stream);
  driver().free(0, memory);
}

TEST_F(CudaDeviceTest, givesLargeSharedMemory) {
  Image image = imageOf(kHeader, kShared);
  void *memory = driver().allocate(0, 8);
  for (std::uint32_t bytes : {1024u, 48u << 10, 100u << 10, driver().properties(0).maxSharedBytes}) {
    image.sharedBytes = bytes;
    const auto kernel = driver().load(0, image);
    launch(*kernel, nullptr, memory, bytes);
    EXPECT_EQ(download<std::int64_t>(memory, 1)[0], bytes);
  }
  driver().free(0, memory);
}

TEST_F(CudaDeviceTest, launchesClusters) {
  if (!isHopper())
    GTEST_SKIP() << "the kernel is for sm_90";
  Image image = imageOf(kHopperHeader, kCluster);
  void *memory = driver().allocate(0, 8 * 16);
  for (std::uint32_t size : {1u, 2u, 8u, 16u}) {
    image.cluster = {size, 1, 1};
    const auto kernel = driver().load(0, image);
    launch(*kernel, nullptr, memory, 100, {16, 1, 1});
    for (std::int64_t found : download<std::int64_t>(memory, 16))
      EXPECT_EQ(found, 100 + size);
  }
  driver().free(0, memory);
}

TEST_F(CudaDeviceTest, encodesTensorMaps) {
  if (!isHopper())
    GTEST_SKIP() << "the kernel is for sm_90";
  Image image = imageOf(kHopperHeader, kTensorMap);
  image.threadsPerProgram = 128;
  image.arguments[1] = Argument();
  image.arguments[1].kind = ArgumentKind::TensorMap;
  image.arguments[1].tensorMap.emplace();
  image.layOut();
  const auto kernel = driver().load(0, image);
  constexpr std::uint64_t rows = 10, cols = 20;
  std::vector<float> values(rows * cols);
  std::iota(values.begin(), values.end(), 1.0f);
  auto *memory = static_cast<std::byte *>(driver().allocate(0, 4 * rows * cols)),
       *out = static_cast<std::byte *>(driver().allocate(0, 512));
  driver().copyToDevice(0, nullptr, memory, values.data(), 4 * rows * cols);
  TensorMapValues map;
  map.address = reinterpret_cast<std::uint64_t>(memory);
  map.dtype = f32;
  map.rank = 2;
  map.extents = {cols, rows};
  map.strideBytes = {4 * cols};
  map.box = {16, 8};
  ASSERT_EQ(problemOf(map), "");
  std::vector<std::byte> packed(image.packedBytes + 64);
  std::byte *block = packed.data() + (64 - reinterpret_cast<std::uintptr_t>(packed.data()) % 64) % 64;
  std::memcpy(block, &out, 8);
  driver().encodeTensorMap(0, map, block + image.arguments[1].offset);
  driver().launch(0, nullptr, *kernel, {{1, 1, 1}, {block, image.packedBytes}, {}});
  const auto found = download<float>(out, 128);
  for (std::uint64_t row = 0; row != 8; ++row)
    for (std::uint64_t col = 0; col != 16; ++col) {
      const bool inside = row + 6 < rows && col + 8 < cols;
      EXPECT_EQ(found[row * 16 + col], inside ? values[(row + 6) * cols + col + 8] : 0) << row << ", " << col;
    }
  driver().free(0, memory);
  driver().free(0, out);
}

TEST_F(CudaDeviceTest, refusesKernelsWithOtherParameters) {
  Image image = imageOf(kHeader, kStore);
  Argument more;
  more.dtype = i32;
  image.arguments.push_back(more);
  image.layOut();
  EXPECT_THAT(wordsOf<DeviceError>([&] { driver().load(0, image); }), HasSubstr("2 parameters"));
  image.arguments.pop_back();
  image.arguments[1].dtype = i32;
  image.layOut();
  EXPECT_THAT(wordsOf<DeviceError>([&] { driver().load(0, image); }), HasSubstr("takes 8 bytes for parameter 1"));
  image = imageOf(kHeader, ".visible .entry store( nonsense");
  EXPECT_THAT(wordsOf<DeviceError>([&] { driver().load(0, image); }), HasSubstr("the driver says"));
}

TEST_F(CudaDeviceTest, saysThatThereIsNoMemory) {
  EXPECT_THAT(wordsOf<DeviceError>([&] { driver().allocate(0, std::size_t{1} << 46); }), HasSubstr("are free"));
}

// The last one: nothing works after it in this process.
TEST_F(CudaDeviceTest, zzIsLostAfterAFault) {
  const auto kernel = driver().load(0, imageOf(kHeader, kFault));
  auto *pinned = static_cast<std::int64_t *>(driver().allocateHost(0, 8));
  *pinned = 12;
  void *memory = driver().allocate(0, 16);
  const std::string first = wordsOf<DeviceError>([&] {
    launch(*kernel, nullptr, memory, 1);
    driver().synchronize(0, nullptr);
  });
  EXPECT_THAT(first, AllOf(HasSubstr("700 (CUDA_ERROR_ILLEGAL_ADDRESS"), HasSubstr("`by_hand`")));
  const std::string later = wordsOf<DeviceError>([&] { driver().allocate(0, 16); });
  EXPECT_EQ(later, "the device was lost by an earlier error: " + first);
  EXPECT_EQ(*pinned, 12) << "pinned memory stays readable";
  driver().free(0, memory); // silently
}
