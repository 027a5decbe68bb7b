//===- CudaDriverTest.cpp - the device `cuda` without one -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/CUDA/CudaDriver.h"
#include "Runtime/CUDA/CudaDevice.h"
#include "Runtime/CUDA/CudaKernel.h"
#include "Runtime/DeviceState.h"
#include "Runtime/ElfCheck.h"
#include "Runtime/LaunchPlan.h"
#include "unit/Expect.h"
#include "unit/Runtime/CUDA/FakeCuda.h"

#include <cstring>
#include <dlfcn.h>
#include <elf.h>

using namespace tessera;
using namespace tessera::rt;
using tessera::test::FakeCuda;
using tessera::test::wordsOf;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

FakeCuda *tessera::test::resetFakeCuda(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  auto *reset = library ? reinterpret_cast<FakeCuda *(*)()>(dlsym(library, "fakeCudaReset")) : nullptr;
  return reset ? reset() : nullptr;
}

namespace {

constexpr const char *kStore = "entry store\nparams 8 8\nregisters 40\nlocal 16\ndoes store";

std::vector<std::byte> bytesOf(const std::string &text) {
  const auto *bytes = reinterpret_cast<const std::byte *>(text.data());
  return {bytes, bytes + text.size()};
}

/// \p text behind the header of a cubin.
std::vector<std::byte> cubin(const std::string &text) {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_machine = EM_CUDA;
  std::string file(reinterpret_cast<const char *>(&header), sizeof header);
  return bytesOf(file + text + '\0');
}

class CudaDriverTest : public testing::Test {
protected:
  CudaDriverTest() : fake(*test::resetFakeCuda(TESSERA_TEST_FAKE_CUDA)) {
    driver = cuda::createDriver(TESSERA_TEST_FAKE_CUDA);
    image.target = "cuda:sm_90a";
    image.format = "ptx";
    image.kernel = "the_kernel";
    image.entry = "store";
    image.threadsPerProgram = 128;
    Argument out;
    out.kind = ArgumentKind::Pointer;
    out.dtype = i64;
    Argument value;
    value.dtype = i64;
    image.arguments = {out, value};
    image.layOut();
    image.binary = bytesOf(kStore);
  }
  ~CudaDriverTest() override {
    if (!fake.lost)
      EXPECT_EQ(fake.memory + fake.hostMemory + fake.streams + fake.events + fake.modules + fake.graphs, 0)
          << "something leaked";
  }

  void fail(const char *call, int code, int skip = 0) {
    fake.failing = call;
    fake.code = code;
    fake.skip = skip;
  }
  std::string loadError() {
    return wordsOf<DeviceError>([&] { driver->load(0, image); });
  }
  /// Launches the image's kernel on \p stream.
  void launch(LoadedKernel &kernel, void *stream, std::int64_t *out, std::int64_t value,
              std::array<std::int64_t, 3> grid = {4, 1, 1}) {
    std::array<std::byte, 16> packed;
    std::memcpy(packed.data(), &out, 8);
    std::memcpy(packed.data() + 8, &value, 8);
    driver->launch(0, stream, kernel, {grid, packed, {}});
  }

  FakeCuda &fake;
  std::unique_ptr<DeviceDriver> driver;
  Image image;
};

} // namespace

TEST_F(CudaDriverTest, countsItsDevices) {
  EXPECT_EQ(driver->deviceCount(), 2);
  EXPECT_EQ(driver->whyAbsent(), "");
  EXPECT_TRUE(driver->isNumbered());
  EXPECT_EQ(driver->priority(), 100);
  EXPECT_EQ(fake.retained, 0) << "counting devices makes no context";
}

TEST_F(CudaDriverTest, knowsWhatADeviceIs) {
  const DeviceProperties properties = driver->properties(1);
  EXPECT_EQ(properties.name, "a fake device");
  EXPECT_EQ(properties.target.str(), "cuda:sm_90a");
  EXPECT_EQ(properties.warpSize, 32);
  EXPECT_EQ(properties.multiprocessors, 132);
  EXPECT_EQ(properties.maxGrid, (std::array<std::int64_t, 3>{0x7fffffff, 65535, 65535}));
  EXPECT_EQ(properties.maxThreadsPerProgram, 1024u);
  EXPECT_EQ(properties.maxSharedBytes, 227u * 1024);
}

TEST_F(CudaDriverTest, saysWhyThereIsNoDevice) {
  fake.devices = 0;
  EXPECT_EQ(driver->deviceCount(), 0);
  EXPECT_EQ(driver->whyAbsent(), "NVIDIA's driver found no device");

  fake.devices = 1;
  fake.major = 7, fake.minor = 5;
  auto old = cuda::createDriver(TESSERA_TEST_FAKE_CUDA);
  EXPECT_EQ(old->deviceCount(), 0);
  EXPECT_THAT(old->whyAbsent(), HasSubstr("of compute capability 7.5"));

  fail("cuInit", 100);
  auto none = cuda::createDriver(TESSERA_TEST_FAKE_CUDA);
  EXPECT_EQ(none->deviceCount(), 0);
  EXPECT_EQ(none->whyAbsent(), "NVIDIA's driver found no device");

  fail("cuInit", 999);
  auto broken = cuda::createDriver(TESSERA_TEST_FAKE_CUDA);
  EXPECT_THAT(broken->whyAbsent(), HasSubstr("cuInit failed with 999 (CUDA_ERROR_OF_THE_TEST: words of the driver)"));

  fail("cuDeviceGetCount", 3);
  auto uncounted = cuda::createDriver(TESSERA_TEST_FAKE_CUDA);
  EXPECT_THAT(uncounted->whyAbsent(), HasSubstr("does not count its devices: 3 "));

  fail("cuDeviceGetAttribute", 101);
  auto mute = cuda::createDriver(TESSERA_TEST_FAKE_CUDA);
  EXPECT_EQ(mute->deviceCount(), 0);
  EXPECT_THAT(mute->whyAbsent(), HasSubstr("cuDeviceGetAttribute(75) failed with 101"));
}

TEST(CudaChip, isTheOneWhoseCodeRuns) {
  EXPECT_EQ(cuda::chipFor({8, 0}), "sm_80");
  EXPECT_EQ(cuda::chipFor({8, 6}), "sm_86");
  EXPECT_EQ(cuda::chipFor({8, 7}), "sm_86");
  EXPECT_EQ(cuda::chipFor({8, 9}), "sm_89");
  EXPECT_EQ(cuda::chipFor({9, 0}), "sm_90a");
  EXPECT_EQ(cuda::chipFor({10, 0}), "sm_100a");
  EXPECT_EQ(cuda::chipFor({10, 3}), "") << "code for sm_100a runs on nothing else";
  EXPECT_EQ(cuda::chipFor({12, 0}), "sm_120");
  EXPECT_EQ(cuda::chipFor({12, 1}), "sm_120");
  EXPECT_EQ(cuda::chipFor({7, 5}), "");
  EXPECT_EQ(cuda::chipFor({13, 0}), "");
}

TEST(CudaChip, decidesWhatRuns) {
  EXPECT_TRUE(cuda::runsOn("sm_80", "cubin", {8, 9}));
  EXPECT_FALSE(cuda::runsOn("sm_89", "cubin", {8, 0}));
  EXPECT_FALSE(cuda::runsOn("sm_80", "cubin", {9, 0}));
  EXPECT_TRUE(cuda::runsOn("sm_80", "ptx", {9, 0}));
  EXPECT_FALSE(cuda::runsOn("sm_90a", "ptx", {10, 0}));
  EXPECT_FALSE(cuda::runsOn("gfx942", "ptx", {9, 0}));
  EXPECT_FALSE(cuda::runsOn("sm_90b", "ptx", {9, 0}));
}

TEST_F(CudaDriverTest, copiesAndFills) {
  auto *memory = static_cast<std::uint64_t *>(driver->allocate(0, 64));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 256, 0u);
  auto *other = driver->allocate(0, 0);
  EXPECT_NE(other, nullptr);
  driver->free(0, other);

  std::array<std::uint64_t, 4> host{1, 2, 3, 4}, back{};
  driver->copyToDevice(0, nullptr, memory, host.data(), 32);
  driver->copyOnDevice(0, nullptr, memory + 4, memory, 32);
  driver->copyToHost(0, nullptr, back.data(), memory + 4, 32);
  EXPECT_EQ(back, host);

  const auto filled = [&](std::uint64_t pattern, int bytes, std::size_t count) {
    std::memset(memory, 0, 64);
    driver->fill(0, nullptr, memory, pattern, bytes, count);
    return std::vector<std::uint64_t>(memory, memory + 2);
  };
  EXPECT_THAT(filled(0xab, 1, 3), ElementsAre(0xababab, 0));
  EXPECT_THAT(filled(0xabcd, 2, 3), ElementsAre(0xabcdabcdabcd, 0));
  EXPECT_THAT(filled(0x12345678, 4, 3), ElementsAre(0x1234567812345678, 0x12345678));
  EXPECT_THAT(filled(0x1122334455667788, 8, 2), ElementsAre(0x1122334455667788, 0x1122334455667788));
  EXPECT_THAT(filled(0x1111111111111111, 8, 1), ElementsAre(0x1111111111111111, 0));
  EXPECT_THAT(filled(7, 8, 0), ElementsAre(0, 0));
  EXPECT_THAT(wordsOf<InternalError>([&] { filled(7, 3, 1); }), HasSubstr("a pattern of 3 bytes"));
  // Nothing is asked of the driver for no bytes.
  fake.lost = 999;
  driver->copyToDevice(0, nullptr, memory, host.data(), 0);
  driver->copyToHost(0, nullptr, back.data(), memory, 0);
  driver->copyOnDevice(0, nullptr, memory, memory, 0);
  fake.lost = 0;
  driver->free(0, memory);

  void *shared = driver->allocateHost(0, 128);
  EXPECT_EQ(fake.hostMemory, 1);
  driver->freeHost(0, shared);
}

TEST_F(CudaDriverTest, saysHowMuchMemoryIsLeft) {
  fail("cuMemAlloc", 2);
  EXPECT_EQ(wordsOf<DeviceError>([&] { driver->allocate(1, 5000); }),
            "device cuda:1 has no memory for 5000 more bytes: 1000 of 2000 are free");
}

TEST_F(CudaDriverTest, leavesTheCallersContextAsItFoundIt) {
  void *library = dlopen(TESSERA_TEST_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL);
  auto *pop = reinterpret_cast<int (*)(void **)>(dlsym(library, "cuCtxPopCurrent_v2"));
  void *memory = driver->allocate(0, 16);
  driver->free(0, memory);
  fail("cuMemAlloc", 1);
  EXPECT_THROW(driver->allocate(0, 16), DeviceError);
  {
    const auto kernel = driver->load(0, image);
  }
  void *context = nullptr;
  EXPECT_EQ(pop(&context), 201) << "a context was left current";
  EXPECT_EQ(fake.retained, 1) << "one context for all calls";
}

TEST_F(CudaDriverTest, makesStreamsAndEvents) {
  void *stream = driver->createStream(0);
  EXPECT_FALSE(driver->isCapturing(0, stream));
  fake.capturing = true;
  EXPECT_TRUE(driver->isCapturing(0, stream));
  fail("cuStreamIsCapturing", 906);
  EXPECT_TRUE(driver->isCapturing(0, nullptr));
  void *from = driver->createEvent(0, true), *to = driver->createEvent(0, true);
  EXPECT_EQ(fake.eventFlags, 0u);
  driver->recordEvent(0, stream, from);
  driver->waitEvent(0, stream, from);
  driver->recordEvent(0, nullptr, to);
  driver->synchronizeEvent(0, to);
  EXPECT_EQ(driver->elapsedMs(0, from, to), 1.5);
  void *silent = driver->createEvent(0, false);
  EXPECT_EQ(fake.eventFlags, cuda::kEventDisableTiming);
  EXPECT_THAT(wordsOf<DeviceError>([&] { driver->elapsedMs(0, from, silent); }),
              HasSubstr("device cuda:0: cuEventElapsedTime failed with 400"));
  driver->synchronize(0, stream);
  for (void *event : {from, to, silent})
    driver->destroyEvent(0, event);
  driver->destroyStream(0, stream);
}

TEST_F(CudaDriverTest, capturesWorkAndRepeatsIt) {
  const auto kernel = driver->load(0, image);
  std::int64_t out[2] = {};
  const std::uint64_t packed[2] = {reinterpret_cast<std::uintptr_t>(out), 7};
  const PointerExtent extents[2] = {{out, sizeof out, true, false}, {}};
  LaunchParams params;
  params.packed = std::as_bytes(std::span(packed));
  params.extents = extents;
  void *stream = driver->createStream(0);
  const auto launch = [&] { driver->launch(0, stream, *kernel, params); };

  const auto work = driver->capture(0, stream, launch);
  ASSERT_TRUE(work);
  EXPECT_FALSE(driver->isCapturing(0, stream));
  EXPECT_EQ(out[0], 0);
  for (int i = 0; i != 2; ++i) {
    out[0] = 0;
    work->enqueue(stream);
    EXPECT_EQ(out[0], 7);
  }

  // Whatever is thrown meanwhile, the capture ends.
  EXPECT_THROW(driver->capture(0, stream, [] { throw DeviceError("of the test"); }), DeviceError);
  EXPECT_FALSE(driver->isCapturing(0, stream));
  fail("cuGraphInstantiateWithFlags", 2);
  EXPECT_THAT(wordsOf<DeviceError>([&] { driver->capture(0, stream, launch); }),
              HasSubstr("cuGraphInstantiateWithFlags failed with 2"));
  driver->destroyStream(0, stream);
}

TEST_F(CudaDriverTest, launches) {
  const auto kernel = driver->load(0, image);
  EXPECT_THAT(kernel->facts(), ElementsAre(Pair("registers", "40"), Pair("stack_bytes", "16")));
  std::array<std::int64_t, 6> out{};
  launch(*kernel, nullptr, out.data(), 100, {2, 3, 1});
  EXPECT_THAT(out, ElementsAre(100, 101, 102, 103, 104, 105));
  EXPECT_EQ(fake.launch.blockDimX, 128u);
  EXPECT_EQ(fake.launch.gridDimY, 3u);
  EXPECT_EQ(fake.launch.numAttrs, 0u);
  EXPECT_EQ(fake.sharedBytesAsked, 0);
}

TEST_F(CudaDriverTest, asksForSharedMemoryAndClusters) {
  image.sharedBytes = 100 * 1024;
  image.cluster = {2, 1, 1};
  const auto pair = driver->load(0, image);
  EXPECT_EQ(fake.sharedBytesAsked, 100 * 1024);
  EXPECT_EQ(fake.nonPortable, 0);
  std::array<std::int64_t, 4> out{};
  void *stream = driver->createStream(0);
  launch(*pair, stream, out.data(), 1);
  driver->destroyStream(0, stream);
  EXPECT_EQ(fake.launch.sharedMemBytes, 100u * 1024);
  EXPECT_EQ(fake.launch.numAttrs, 1u);
  EXPECT_THAT(fake.cluster, ElementsAre(2, 1, 1));
  image.cluster = {16, 1, 1};
  const auto large = driver->load(0, image);
  EXPECT_EQ(fake.nonPortable, 1);
}

TEST_F(CudaDriverTest, launchesWithManyArguments) {
  std::string params = "entry store\nparams 8 8";
  for (int i = 0; i != 300; ++i) {
    Argument more;
    more.dtype = i32;
    image.arguments.push_back(more);
    params += " 4";
  }
  image.layOut();
  image.binary = bytesOf(params);
  const auto kernel = driver->load(0, image);
  std::int64_t out = 0, *address = &out, value = 7;
  std::vector<std::byte> packed(image.packedBytes);
  std::memcpy(packed.data(), &address, 8);
  std::memcpy(packed.data() + 8, &value, 8);
  driver->launch(0, nullptr, *kernel, {{1, 1, 1}, packed, {}});
  EXPECT_EQ(out, 7);
}

TEST_F(CudaDriverTest, servesLaunchPlans) {
  DeviceState device(*driver, 0, "cuda:0");
  const LaunchPlan plan(device, image);
  std::array<std::int64_t, 3> out{};
  const CallArgument arguments[] = {{reinterpret_cast<std::uint64_t>(out.data()), sizeof out, true}, {50}};
  EXPECT_TRUE(plan.launch(*device.defaultStream, {3, 1, 1}, arguments));
  device.defaultStream->synchronize();
  EXPECT_THAT(out, ElementsAre(50, 51, 52));
  EXPECT_EQ(*plan.description().fact("registers"), "40");
}

TEST_F(CudaDriverTest, loadsCubins) {
  image.format = "cubin";
  image.binary = cubin(kStore);
  const auto kernel = driver->load(0, image);
  std::array<std::int64_t, 4> out{};
  launch(*kernel, nullptr, out.data(), 1);
  EXPECT_THAT(out, ElementsAre(1, 2, 3, 4));
}

TEST_F(CudaDriverTest, refusesBrokenCubins) {
  image.format = "cubin";
  EXPECT_THAT(loadError(), HasSubstr("cannot load the cubin of kernel `the_kernel`: it has"));
  std::vector<std::byte> whole = cubin(kStore);
  image.binary = whole;
  image.binary[0] = std::byte{1};
  EXPECT_THAT(loadError(), HasSubstr("no 64-bit ELF file"));
  image.binary = whole;
  image.binary[offsetof(Elf64_Ehdr, e_machine)] = std::byte{62};
  EXPECT_THAT(loadError(), HasSubstr("for ELF machine 62 and not for CUDA"));
  image.binary = whole;
  image.binary[offsetof(Elf64_Ehdr, e_shnum)] = std::byte{9};
  EXPECT_THAT(loadError(), HasSubstr("it is cut off"));
  // One section that ends behind the file.
  Elf64_Ehdr header;
  std::memcpy(&header, whole.data(), sizeof header);
  header.e_shoff = sizeof header;
  header.e_shnum = 1;
  Elf64_Shdr section{};
  section.sh_type = SHT_PROGBITS;
  section.sh_offset = 10;
  section.sh_size = 1000;
  image.binary.assign(sizeof header + sizeof section, std::byte{});
  std::memcpy(image.binary.data(), &header, sizeof header);
  std::memcpy(image.binary.data() + sizeof header, &section, sizeof section);
  EXPECT_THAT(loadError(), HasSubstr("it is cut off"));
  section.sh_type = SHT_NOBITS;
  std::memcpy(image.binary.data() + sizeof header, &section, sizeof section);
  EXPECT_EQ(problemOfElf(image.binary, EM_CUDA, "CUDA"), "");
}

TEST_F(CudaDriverTest, refusesWhatIsNotForIt) {
  image.format = "hsaco";
  EXPECT_THAT(loadError(), HasSubstr("compiled for cuda:sm_90a as hsaco, and device cuda:0 runs cubin and ptx"));
  image.format = "ptx";
  image.target = "cuda:sm_100a";
  EXPECT_THAT(loadError(), HasSubstr("does not run on device cuda:0 with compute capability 9.0; compile it for "
                                     "cuda:sm_90a"));
  image.target = "cpu";
  EXPECT_THAT(loadError(), HasSubstr("compiled for cpu"));
}

TEST_F(CudaDriverTest, saysWhatTheDriverSaysOfACode) {
  image.binary = bytesOf("nonsense here");
  EXPECT_THAT(loadError(),
              AllOf(HasSubstr("loading kernel `the_kernel` (ptx for cuda:sm_90a)"),
                    HasSubstr("of which the driver says: unknown word nonsense"), HasSubstr("failed with 218")));
  image.binary = bytesOf(kStore);
  image.entry = "other";
  EXPECT_THAT(loadError(), HasSubstr("finding entry `other` of kernel `the_kernel` failed with 500"));
  image.entry = "store";
  for (const char *call : {"cuFuncLoad", "cuFuncGetAttribute", "cuCtxPushCurrent"}) {
    fail(call, 1);
    EXPECT_THAT(loadError(), HasSubstr(std::string(call) + " failed with 1 "));
  }
}

TEST_F(CudaDriverTest, comparesParametersWithTheImage) {
  image.binary = bytesOf("entry store\nparams 8");
  EXPECT_THAT(loadError(), HasSubstr("its code has 1 parameters and the image 2 arguments"));
  image.binary = bytesOf("entry store\nparams 8 8 8");
  EXPECT_THAT(loadError(), HasSubstr("has more parameters than the image's 2 arguments"));
  image.binary = bytesOf("entry store\nparams 8 4");
  EXPECT_THAT(loadError(), HasSubstr("takes 4 bytes for parameter 1 and the image 8"));
  image.binary = bytesOf(kStore);
  fail("cuFuncGetParamInfo", 999);
  EXPECT_THAT(loadError(), HasSubstr("cuFuncGetParamInfo failed with 999"));
}

TEST_F(CudaDriverTest, saysThatRegistersLimitThreads) {
  image.threadsPerProgram = 1024;
  image.binary = bytesOf("entry store\nparams 8 8\nregisters 255\nthreads 256");
  EXPECT_THAT(loadError(), HasSubstr("with 1024 threads per program: with 255 registers a thread it allows 256; lower "
                                     "num_warps or set max_registers"));
}

TEST_F(CudaDriverTest, saysWhyALaunchFails) {
  const auto kernel = driver->load(0, image);
  std::array<std::int64_t, 4> out{};
  fail("cuLaunchKernelEx", 701);
  EXPECT_THAT(wordsOf<DeviceError>([&] { launch(*kernel, nullptr, out.data(), 1); }),
              AllOf(HasSubstr("launching kernel `the_kernel` with a grid of 4 x 1 x 1 failed with 701"),
                    Not(HasSubstr("lost"))));
  launch(*kernel, nullptr, out.data(), 1); // and the next one works
  EXPECT_EQ(out[3], 4);
}

TEST_F(CudaDriverTest, isLostAfterAFault) {
  void *memory = driver->allocate(0, 16);
  void *stream = driver->createStream(0);
  void *event = driver->createEvent(0, false);
  image.binary = bytesOf("entry store\nparams 8 8\ndoes fault 700");
  auto kernel = driver->load(0, image);
  launch(*kernel, stream, nullptr, 0);
  const std::string first = wordsOf<DeviceError>([&] { driver->synchronize(0, stream); });
  EXPECT_THAT(first, AllOf(HasSubstr("device cuda:0"), HasSubstr("failed with 700 (CUDA_ERROR_ILLEGAL_ADDRESS"),
                           HasSubstr("launched last: `the_kernel`"), HasSubstr("must be restarted"),
                           HasSubstr("TESSERA_DEVICE=interp, or the compile option `checks`")));
  // The other device and, from now on, the driver's library are not asked any more.
  fake.lost = 0;
  const auto expectLost = [&](auto call) {
    EXPECT_EQ(wordsOf<DeviceError>(call), "the device was lost by an earlier error: " + first);
  };
  expectLost([&] { driver->allocate(0, 16); });
  expectLost([&] { driver->synchronize(0, nullptr); });
  expectLost([&] { driver->load(0, image); });
  expectLost([&] { launch(*kernel, stream, nullptr, 0); });
  expectLost([&] { driver->fill(0, nullptr, memory, 0, 1, 1); });
  expectLost([&] { driver->recordEvent(0, stream, event); });
  const int before = fake.modules;
  kernel.reset();
  driver->free(0, memory);
  driver->destroyEvent(0, event);
  driver->destroyStream(0, stream);
  EXPECT_EQ(fake.modules, before) << "a lost device's things are left alone";
  fake.lost = 700;
}

TEST_F(CudaDriverTest, keepsTheFirstFaultAmongThreads) {
  fail("cuStreamSynchronize", 716);
  const std::string first = wordsOf<DeviceError>([&] { driver->synchronize(0, nullptr); });
  EXPECT_THAT(first, AllOf(HasSubstr("716"), HasSubstr("no kernel was launched before")));
  EXPECT_THAT(wordsOf<DeviceError>([&] { driver->synchronize(0, nullptr); }), HasSubstr(first));
  driver->synchronize(1, nullptr); // another device goes on
}

TEST_F(CudaDriverTest, doesNotPromiseToFindWhatNoCheckFinds) {
  fail("cuStreamSynchronize", 214);
  EXPECT_THAT(wordsOf<DeviceError>([&] { driver->synchronize(0, nullptr); }),
              AllOf(HasSubstr("must be restarted"), Not(HasSubstr("interp"))));
}

TEST_F(CudaDriverTest, encodesTensorMaps) {
  TensorMapValues values;
  values.address = 256;
  values.dtype = bf16;
  values.rank = 2;
  values.extents = {64, 100};
  values.strideBytes = {128};
  values.box = {64, 8};
  values.swizzle = TensorSwizzle::Bytes128;
  std::array<std::byte, 130> out{};
  driver->encodeTensorMap(0, values, out.data() + 1); // wherever it is wanted
  EXPECT_EQ(out[0], std::byte{0});
  EXPECT_EQ(out[1], std::byte{0x5a});
  EXPECT_EQ(out[128], std::byte{0x5a});
  EXPECT_EQ(out[129], std::byte{0});
  EXPECT_EQ(fake.mapDtype, static_cast<int>(cuda::TensorMapDataType::Bfloat16));
  EXPECT_EQ(fake.mapRank, 2);
  EXPECT_EQ(fake.mapSwizzle, 3);
  EXPECT_EQ(fake.extents[1], 100u);
  EXPECT_EQ(fake.strides[0], 128u);
}

/// The driver sets bit 85, which is wrong for small tensors on some chips.
TEST_F(CudaDriverTest, correctsDescriptorsOfSmallTensors) {
  fake.mapByte = 0xff;
  TensorMapValues values;
  values.address = 256;
  values.dtype = f32;
  values.rank = 2;
  values.box = {32, 8};
  const auto hasBit = [&](int major, std::uint64_t columns, std::uint64_t rows, std::uint64_t stride) {
    fake.major = major, fake.minor = 0;
    const auto chip = cuda::createDriver(TESSERA_TEST_FAKE_CUDA);
    EXPECT_GT(chip->deviceCount(), 0);
    values.extents = {columns, rows};
    values.strideBytes = {stride};
    std::array<std::byte, 128> out{};
    chip->encodeTensorMap(0, values, out.data());
    for (std::size_t i = 0; i != out.size(); ++i)
      EXPECT_EQ(out[i] | (i == 10 ? std::byte{0x20} : std::byte{0}), std::byte{0xff}) << i;
    return (out[10] & std::byte{0x20}) != std::byte{0};
  };
  EXPECT_FALSE(hasBit(10, 64, 64, 256));
  EXPECT_FALSE(hasBit(12, 31, 64, 2048)); // 129 KB of memory, of which the last row is not whole
  EXPECT_TRUE(hasBit(10, 512, 64, 2048));
  EXPECT_TRUE(hasBit(10, 32, 65, 2048));
  EXPECT_TRUE(hasBit(9, 64, 64, 256));
}

TEST_F(CudaDriverTest, knowsWhichDtypesTensorMapsHave) {
  EXPECT_EQ(cuda::tensorMapDataType(e4m3), cuda::TensorMapDataType::Uint8);
  EXPECT_EQ(cuda::tensorMapDataType(i16), cuda::TensorMapDataType::Uint16);
  EXPECT_EQ(cuda::tensorMapDataType(u32), cuda::TensorMapDataType::Uint32);
  EXPECT_EQ(cuda::tensorMapDataType(f64), cuda::TensorMapDataType::Float64);
}

TEST_F(CudaDriverTest, hasNoTensorMapsOnOlderChips) {
  fake.major = 8;
  std::array<std::byte, 128> out{};
  EXPECT_THAT(wordsOf<DeviceError>([&] { driver->encodeTensorMap(0, {}, out.data()); }),
              HasSubstr("device cuda:0 has no tensor memory access"));
}
