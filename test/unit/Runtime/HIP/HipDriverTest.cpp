//===- HipDriverTest.cpp - the device `hip` without one -------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/HIP/HipDriver.h"
#include "Runtime/DeviceState.h"
#include "Runtime/HIP/HipDevice.h"
#include "Runtime/LaunchPlan.h"
#include "unit/Expect.h"
#include "unit/Runtime/HIP/FakeHip.h"

#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <thread>
#include <unistd.h>

using namespace tessera;
using namespace tessera::rt;
using tessera::test::FakeHip;
using tessera::test::wordsOf;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;
using testing::StartsWith;

FakeHip *tessera::test::resetFakeHip(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  auto *reset = library ? reinterpret_cast<FakeHip *(*)()>(dlsym(library, "fakeHipReset")) : nullptr;
  return reset ? reset() : nullptr;
}

namespace {

constexpr const char *kStore = "entry store\nregisters 40\nlocal 16\ndoes store";

/// \p text behind the header of a hsaco.
std::vector<std::byte> hsaco(const std::string &text) {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_machine = 224;
  std::vector<std::byte> file(sizeof header + text.size() + 1);
  std::memcpy(file.data(), &header, sizeof header);
  std::memcpy(file.data() + sizeof header, text.c_str(), text.size() + 1);
  return file;
}

std::unique_ptr<DeviceDriver> driverOf(std::string library) {
  return hip::createDriver({.files = {}, .libraries = {std::move(library)}});
}

class HipDriverTest : public testing::Test {
protected:
  HipDriverTest() : fake(*test::resetFakeHip(TESSERA_TEST_FAKE_HIP)) {
    driver = driverOf(TESSERA_TEST_FAKE_HIP);
    image.target = "hip:gfx942";
    image.format = "hsaco";
    image.kernel = "the_kernel";
    image.entry = "store";
    image.threadsPerProgram = 256;
    Argument out;
    out.kind = ArgumentKind::Pointer;
    out.dtype = i64;
    Argument value;
    value.dtype = i64;
    image.arguments = {out, value};
    image.layOut();
    image.binary = hsaco(kStore);
  }
  ~HipDriverTest() override {
    if (!fake.lost) {
      EXPECT_EQ(fake.memory + fake.hostMemory + fake.streams + fake.events + fake.modules + fake.graphs, 0)
          << "something leaked";
      EXPECT_EQ(fake.lastError, 0) << "an error was left for others";
    }
  }

  void fail(const char *call, int code, int skip = 0) {
    fake.failing = call;
    fake.code = code;
    fake.skip = skip;
  }
  std::string whyAbsent() { return driverOf(TESSERA_TEST_FAKE_HIP)->whyAbsent(); }
  std::string loadError(int device = 0) {
    return wordsOf<DeviceError>([&] { driver->load(device, image); });
  }
  /// Launches the image's kernel on \p stream.
  void launch(LoadedKernel &kernel, void *stream, std::int64_t *out, std::int64_t value,
              std::array<std::int64_t, 3> grid = {4, 1, 1}) {
    std::array<std::byte, 16> packed;
    std::memcpy(packed.data(), &out, 8);
    std::memcpy(packed.data() + 8, &value, 8);
    driver->launch(0, stream, kernel, {grid, packed, {}});
  }
  /// The calling thread's current device in the library.
  static int currentDevice() {
    void *library = dlopen(TESSERA_TEST_FAKE_HIP, RTLD_NOW | RTLD_LOCAL);
    int device = -1;
    reinterpret_cast<int (*)(int *)>(dlsym(library, "hipGetDevice"))(&device);
    return device;
  }

  FakeHip &fake;
  std::unique_ptr<DeviceDriver> driver;
  Image image;
};

} // namespace

TEST_F(HipDriverTest, countsItsDevices) {
  EXPECT_EQ(driver->deviceCount(), 2);
  EXPECT_EQ(driver->whyAbsent(), "");
  EXPECT_EQ(driver->family(), "hip");
  EXPECT_TRUE(driver->isNumbered());
  EXPECT_EQ(driver->priority(), 100);
}

TEST_F(HipDriverTest, knowsWhatADeviceIs) {
  const DeviceProperties properties = driver->properties(1);
  EXPECT_EQ(properties.name, "a fake device");
  EXPECT_EQ(properties.target.str(), "hip:gfx942");
  EXPECT_EQ(properties.warpSize, 64);
  EXPECT_EQ(properties.multiprocessors, 304);
  EXPECT_EQ(properties.memoryBytes, std::int64_t{1} << 37);
  EXPECT_EQ(properties.maxGrid, (std::array<std::int64_t, 3>{0x7fffffff, 65536, 65536}));
  EXPECT_EQ(properties.maxThreadsPerProgram, 1024u);
  EXPECT_EQ(properties.maxSharedBytes, 64u * 1024);
}

TEST_F(HipDriverTest, readsThePropertiesOfEitherAge) {
  FakeHip &old = *test::resetFakeHip(TESSERA_TEST_FAKE_HIP_5);
  old.version = 50221153;
  old.chips[0] = "gfx1100";
  const auto driver = driverOf(TESSERA_TEST_FAKE_HIP_5);
  ASSERT_EQ(driver->whyAbsent(), "");
  EXPECT_EQ(driver->properties(0).target.str(), "hip:gfx1100");
  EXPECT_EQ(driver->properties(0).warpSize, 32);
  EXPECT_EQ(driver->properties(1).target.str(), "hip:gfx942");
  old.failing = "hipGetDeviceProperties";
  old.code = 999;
  EXPECT_EQ(driverOf(TESSERA_TEST_FAKE_HIP_5)->whyAbsent(),
            "device hip:0: hipGetDeviceProperties failed with 999 (hipErrorOfTheTest: words of the runtime)");
}

TEST_F(HipDriverTest, saysWhyThereIsNoDevice) {
  fake.devices = 0;
  EXPECT_EQ(driver->deviceCount(), 0);
  EXPECT_EQ(driver->whyAbsent(), "AMD's HIP runtime found no device");
  fake.devices = 1;
  fake.chips[0] = "gfx906:sramecc+:xnack-";
  EXPECT_EQ(whyAbsent(), "there is no code generation for AMD's devices here, the first of which is a "
                         "gfx906:sramecc+:xnack-");
  for (const int code : {100, 101}) {
    fail("hipInit", code);
    EXPECT_EQ(whyAbsent(), "AMD's HIP runtime found no device");
  }
  fail("hipInit", 999);
  EXPECT_EQ(whyAbsent(), "AMD's HIP runtime does not start: hipInit failed with 999 (hipErrorOfTheTest: words of the "
                         "runtime)");
  fail("hipInit", 12345);
  EXPECT_THAT(whyAbsent(), HasSubstr("hipInit failed with 12345"));
  fail("hipGetDeviceCount", 3);
  EXPECT_THAT(whyAbsent(), HasSubstr("does not count its devices: 3 "));
  fail("hipGetDeviceCount", 100);
  EXPECT_EQ(whyAbsent(), "AMD's HIP runtime found no device");
  fake.lastError = 0;
}

TEST_F(HipDriverTest, asksTheKernelBeforeTheLibrary) {
  const auto absent = [](std::vector<std::string> files) {
    return hip::createDriver({.files = std::move(files), .libraries = {TESSERA_TEST_FAKE_HIP}})->whyAbsent();
  };
  EXPECT_EQ(absent({"/dev/null"}), "");
  EXPECT_EQ(absent({"/no/such/file", "/dev/null"}), "");
  fail("hipInit", 999); // would show if the library was touched
  EXPECT_EQ(absent({"/no/such/file", "/nor/this"}),
            "there is no /no/such/file or /nor/this, which the kernel's driver for AMD's GPUs makes");
  EXPECT_STREQ(fake.failing, "hipInit");
  fake.failing = nullptr;
}

TEST_F(HipDriverTest, saysThatTheKernelKeepsTheUserOut) {
  const std::string file = testing::TempDir() + "tessera-closed-" + std::to_string(getpid());
  std::ofstream(file).close();
  std::filesystem::permissions(file, std::filesystem::perms::none);
  // In a process of its own, of a user who is not allowed everything.
  EXPECT_EXIT(
      {
        if (getuid() == 0 && setuid(65534) != 0)
          std::exit(1);
        std::fputs(hip::createDriver({.files = {file}, .libraries = {}})->whyAbsent().c_str(), stderr);
        std::exit(0);
      },
      testing::ExitedWithCode(0), "closed to this user; the groups `render` and `video` may open it");
  std::filesystem::remove(file);
}

TEST_F(HipDriverTest, refusesDevicesWithoutCode) {
  fake.devices = 3;
  EXPECT_EQ(driver->deviceCount(), 3);
  EXPECT_EQ(wordsOf<DeviceError>([&] { driver->properties(2); }),
            "device hip:2 (a fake device) is a gfx1036, for which there is no code generation; hide it with "
            "HIP_VISIBLE_DEVICES, or set TESSERA_DEVICE to another device");
}

TEST(HipChip, isTheDevicesOwnWithoutFeatures) {
  EXPECT_EQ(hip::chipFor("gfx942:sramecc+:xnack-"), "gfx942");
  EXPECT_EQ(hip::chipFor("gfx1100"), "gfx1100");
  EXPECT_EQ(hip::chipFor("gfx90a:xnack+"), "gfx90a");
  EXPECT_EQ(hip::chipFor("gfx94"), "");
  EXPECT_EQ(hip::chipFor("gfx9420"), "");
  EXPECT_EQ(hip::chipFor(""), "");
  EXPECT_EQ(hip::chipFor("sm_90a"), "");
}

TEST_F(HipDriverTest, copiesAndFills) {
  auto *memory = static_cast<std::uint64_t *>(driver->allocate(0, 128));
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
    std::memset(memory, 0, 128);
    driver->fill(0, nullptr, memory, pattern, bytes, count);
    return std::vector<std::uint64_t>(memory, memory + 2);
  };
  EXPECT_THAT(filled(0xab, 1, 3), ElementsAre(0xababab, 0));
  EXPECT_THAT(filled(0xabcd, 2, 3), ElementsAre(0xabcdabcdabcd, 0));
  EXPECT_THAT(filled(0xf2345678, 4, 3), ElementsAre(0xf2345678f2345678, 0xf2345678));
  EXPECT_THAT(filled(0x1111111111111111, 8, 1), ElementsAre(0x1111111111111111, 0));
  EXPECT_THAT(filled(7, 8, 0), ElementsAre(0, 0));
  for (std::size_t count = 1; count != 16; ++count) {
    filled(0x1122334455667788, 8, count);
    for (std::size_t i = 0; i != 16; ++i)
      EXPECT_EQ(memory[i], i < count ? 0x1122334455667788 : 0) << count << " times, at " << i;
  }
  EXPECT_THAT(wordsOf<InternalError>([&] { filled(7, 3, 1); }), HasSubstr("a pattern of 3 bytes"));
  // Nothing is asked of the runtime for no bytes.
  fake.lost = 999;
  driver->copyToDevice(0, nullptr, memory, host.data(), 0);
  driver->copyToHost(0, nullptr, back.data(), memory, 0);
  driver->copyOnDevice(0, nullptr, memory, memory, 0);
  fake.lost = 0;
  driver->free(0, memory);

  void *shared = driver->allocateHost(0, 128);
  EXPECT_EQ(fake.hostFlags, hip::kHostPortable | hip::kHostMapped | hip::kHostCoherent);
  driver->freeHost(0, shared);
}

TEST_F(HipDriverTest, saysHowMuchMemoryIsLeft) {
  fail("hipMalloc", 2);
  EXPECT_EQ(wordsOf<DeviceError>([&] { driver->allocate(1, 5000); }),
            "device hip:1 has no memory for 5000 more bytes: 1000 of 2000 are free");
  fail("hipMalloc", 999);
  EXPECT_THAT(wordsOf<DeviceError>([&] { driver->allocate(1, 5000); }), HasSubstr("hip:1: hipMalloc failed with 999"));
}

TEST_F(HipDriverTest, leavesTheCallersDeviceAsItFoundIt) {
  void *memory = driver->allocate(1, 16);
  EXPECT_EQ(fake.deviceOfMemory, 1);
  EXPECT_EQ(currentDevice(), 0);
  driver->free(1, memory);
  fail("hipMalloc", 1);
  EXPECT_THROW(driver->allocate(1, 16), DeviceError);
  EXPECT_EQ(currentDevice(), 0);
  {
    const auto kernel = driver->load(1, image);
    std::array<std::int64_t, 4> out{};
    launch(*kernel, nullptr, out.data(), 1);
    EXPECT_EQ(fake.deviceOfLaunch, 1) << "the null stream is the kernel's device's";
    EXPECT_EQ(currentDevice(), 0);
    std::thread([&] { launch(*kernel, nullptr, out.data(), 1); }).join();
    EXPECT_EQ(fake.deviceOfLaunch, 1);
  }
  fail("hipSetDevice", 101);
  EXPECT_THAT(wordsOf<DeviceError>([&] { driver->allocate(1, 16); }), HasSubstr("hipSetDevice failed with 101"));
}

TEST_F(HipDriverTest, makesStreamsAndEvents) {
  void *stream = driver->createStream(0);
  EXPECT_FALSE(driver->isCapturing(0, stream));
  fake.capturing = true;
  EXPECT_TRUE(driver->isCapturing(0, stream));
  fail("hipStreamIsCapturing", 906);
  EXPECT_TRUE(driver->isCapturing(0, nullptr));
  fail("hipStreamIsCapturing", 3);
  EXPECT_THAT(wordsOf<DeviceError>([&] { driver->isCapturing(0, nullptr); }), HasSubstr("failed with 3 "));
  void *from = driver->createEvent(0, true), *to = driver->createEvent(0, true);
  EXPECT_EQ(fake.eventFlags, 0u);
  driver->recordEvent(0, stream, from);
  driver->waitEvent(0, stream, from);
  driver->recordEvent(0, nullptr, to);
  driver->synchronizeEvent(0, to);
  EXPECT_EQ(driver->elapsedMs(0, from, to), 1.5);
  void *silent = driver->createEvent(0, false);
  EXPECT_EQ(fake.eventFlags, hip::kEventDisableTiming);
  EXPECT_THAT(wordsOf<DeviceError>([&] { driver->elapsedMs(0, from, silent); }),
              HasSubstr("device hip:0: hipEventElapsedTime failed with 400"));
  driver->synchronize(0, stream);
  for (void *event : {from, to, silent})
    driver->destroyEvent(0, event);
  driver->destroyStream(0, stream);
}

TEST_F(HipDriverTest, capturesWorkAndRepeatsIt) {
  const auto kernel = driver->load(1, image);
  std::int64_t out[2] = {};
  void *stream = driver->createStream(1);
  const auto run = [&] { launch(*kernel, stream, out, 7, {2, 1, 1}); };

  const auto work = driver->capture(1, stream, run);
  ASSERT_TRUE(work);
  EXPECT_FALSE(driver->isCapturing(1, stream));
  EXPECT_THAT(out, ElementsAre(0, 0));
  for (int i = 0; i != 2; ++i) {
    out[0] = 0;
    work->enqueue(stream);
    EXPECT_THAT(out, ElementsAre(7, 8));
  }
  EXPECT_EQ(fake.deviceOfGraph, 1);
  EXPECT_EQ(currentDevice(), 0);

  // Whatever is thrown meanwhile, the capture ends.
  EXPECT_THROW(driver->capture(1, stream, [] { throw DeviceError("of the test"); }), DeviceError);
  EXPECT_FALSE(driver->isCapturing(1, stream));
  for (const char *call : {"hipStreamBeginCapture", "hipGraphInstantiate"}) {
    fail(call, 2);
    EXPECT_THAT(wordsOf<DeviceError>([&] { driver->capture(1, stream, run); }),
                HasSubstr(std::string(call) + " failed with 2"));
  }
  fail("hipGraphLaunch", 2);
  EXPECT_THAT(wordsOf<DeviceError>([&] { work->enqueue(stream); }), HasSubstr("hipGraphLaunch failed with 2"));
  driver->destroyStream(1, stream);
}

// Nothing is called then: whoever asked does the work as it is.
TEST(HipLibrary, withoutGraphsCapturesNothing) {
  test::resetFakeHip(TESSERA_TEST_FAKE_HIP_5);
  const auto driver = driverOf(TESSERA_TEST_FAKE_HIP_5);
  void *stream = driver->createStream(0);
  EXPECT_EQ(driver->capture(0, stream, [] { FAIL(); }), nullptr);
  driver->destroyStream(0, stream);
}

TEST_F(HipDriverTest, launches) {
  image.sharedBytes = 4096;
  const auto kernel = driver->load(0, image);
  EXPECT_THAT(kernel->facts(), ElementsAre(Pair("registers", "40"), Pair("stack_bytes", "16")));
  std::array<std::int64_t, 6> out{};
  void *stream = driver->createStream(1);
  launch(*kernel, stream, out.data(), 100, {2, 3, 1});
  EXPECT_THAT(out, ElementsAre(100, 101, 102, 103, 104, 105));
  EXPECT_THAT(fake.grid, ElementsAre(2, 3, 1));
  EXPECT_THAT(fake.block, ElementsAre(256, 1, 1));
  EXPECT_EQ(fake.sharedBytes, 4096u);
  EXPECT_EQ(fake.packedBytes, 16u);
  EXPECT_EQ(fake.deviceOfLaunch, 1) << "a stream brings its device";
  driver->destroyStream(1, stream);
}

TEST_F(HipDriverTest, refusesMoreThreadsThanTheRuntimeCounts) {
  image.threadsPerProgram = 1024;
  const auto kernel = driver->load(0, image);
  const std::int64_t most = 0xffffffff / 1024;
  EXPECT_THAT(wordsOf<DeviceError>([&] { launch(*kernel, nullptr, nullptr, 0, {most + 1, 1, 1}); }),
              HasSubstr("cannot launch 4194304 programs of kernel `the_kernel`, which have 1024 threads each: axis x "
                        "allows 4194303"));
  std::vector<std::int64_t> out(static_cast<std::size_t>(most));
  launch(*kernel, nullptr, out.data(), 0, {most, 1, 1});
  EXPECT_EQ(out.back(), most - 1);
}

TEST_F(HipDriverTest, servesLaunchPlans) {
  DeviceState device(*driver, 0, "hip:0");
  const LaunchPlan plan(device, image);
  std::array<std::int64_t, 3> out{};
  const CallArgument arguments[] = {{reinterpret_cast<std::uint64_t>(out.data()), sizeof out, true}, {50}};
  EXPECT_TRUE(plan.launch(*device.defaultStream, {3, 1, 1}, arguments));
  device.defaultStream->synchronize();
  EXPECT_THAT(out, ElementsAre(50, 51, 52));
  EXPECT_EQ(*plan.description().fact("registers"), "40");
}

TEST_F(HipDriverTest, refusesBrokenFiles) {
  const std::vector<std::byte> whole = hsaco(kStore);
  image.binary.resize(10);
  EXPECT_THAT(loadError(), HasSubstr("cannot load the hsaco of kernel `the_kernel`: it has 10 bytes"));
  image.binary = whole;
  image.binary[0] = std::byte{1};
  EXPECT_THAT(loadError(), HasSubstr("no 64-bit ELF file"));
  image.binary = whole;
  image.binary[offsetof(Elf64_Ehdr, e_machine)] = std::byte{62};
  EXPECT_THAT(loadError(), HasSubstr("for ELF machine 62 and not for AMD's GPUs"));
  image.binary = whole;
  image.binary[offsetof(Elf64_Ehdr, e_shnum)] = std::byte{9};
  EXPECT_THAT(loadError(), HasSubstr("it is cut off"));
}

TEST_F(HipDriverTest, refusesWhatIsNotForIt) {
  image.target = "hip:gfx1100";
  EXPECT_THAT(loadError(), HasSubstr("compiled for hip:gfx1100, which does not run on device hip:0, a "
                                     "gfx942:sramecc+:xnack-; compile it for hip:gfx942"));
  fake.devices = 3;
  driver = driverOf(TESSERA_TEST_FAKE_HIP);
  EXPECT_THAT(loadError(2), AllOf(HasSubstr("does not run on device hip:2, a gfx1036"), Not(HasSubstr("compile it"))));
  image.target = "hip:gfx942";
  image.format = "cubin";
  EXPECT_THAT(loadError(), HasSubstr("compiled for hip:gfx942 as cubin, and device hip:0 runs hsaco for hip"));
  image.target = "cuda:sm_90a";
  EXPECT_THAT(loadError(), HasSubstr("compiled for cuda:sm_90a"));
}

TEST_F(HipDriverTest, saysWhatTheRuntimeSaysOfACode) {
  image.binary = hsaco("nonsense here");
  EXPECT_THAT(loadError(), HasSubstr("loading kernel `the_kernel` (hsaco for hip:gfx942) failed with 200 "
                                     "(hipErrorOfTheTest: words of the runtime)"));
  image.binary = hsaco(kStore);
  image.entry = "other";
  EXPECT_THAT(loadError(), HasSubstr("finding entry `other` of kernel `the_kernel` failed with 500"));
  image.entry = "store";
  for (const char *call : {"hipFuncGetAttribute", "hipGetDevice"}) {
    fail(call, 1);
    EXPECT_THAT(loadError(), HasSubstr(std::string(call) + " failed with 1 "));
  }
}

TEST_F(HipDriverTest, saysForHowManyThreadsTheCodeIs) {
  image.threadsPerProgram = 1024;
  image.binary = hsaco("entry store\nthreads 256");
  EXPECT_EQ(loadError(), "device hip:0 cannot run kernel `the_kernel` with 1024 threads per program: its code is made "
                         "for at most 256");
}

TEST_F(HipDriverTest, saysWhyALaunchFails) {
  const auto kernel = driver->load(0, image);
  std::array<std::int64_t, 4> out{};
  fail("hipModuleLaunchKernel", 701);
  EXPECT_THAT(wordsOf<DeviceError>([&] { launch(*kernel, nullptr, out.data(), 1); }),
              AllOf(HasSubstr("launching kernel `the_kernel` with a grid of 4 x 1 x 1 failed with 701"),
                    Not(HasSubstr("lost"))));
  launch(*kernel, nullptr, out.data(), 1); // and the next one works
  EXPECT_EQ(out[3], 4);
}

TEST_F(HipDriverTest, isLostAfterAFault) {
  void *memory = driver->allocate(0, 16);
  void *stream = driver->createStream(0);
  void *event = driver->createEvent(0, false);
  image.binary = hsaco("entry store\ndoes fault 700");
  auto kernel = driver->load(0, image);
  launch(*kernel, stream, nullptr, 0);
  const std::string first = wordsOf<DeviceError>([&] { driver->synchronize(0, stream); });
  EXPECT_THAT(first, AllOf(HasSubstr("device hip:0"), HasSubstr("failed with 700 (hipErrorIllegalAddress"),
                           HasSubstr("launched last: `the_kernel`"), HasSubstr("must be restarted"),
                           HasSubstr("TESSERA_DEVICE=interp, or the compile option `checks`")));
  // From now on the library is not asked any more.
  fake.lost = 0;
  const auto expectLost = [&](auto call) {
    EXPECT_EQ(wordsOf<DeviceError>(call), "the device was lost by an earlier error: " + first);
  };
  expectLost([&] { driver->allocate(0, 16); });
  expectLost([&] { driver->synchronize(0, nullptr); });
  expectLost([&] { driver->load(0, image); });
  expectLost([&] { launch(*kernel, stream, nullptr, 0); });
  expectLost([&] { launch(*kernel, nullptr, nullptr, 0); });
  expectLost([&] { driver->fill(0, nullptr, memory, 0, 1, 1); });
  expectLost([&] { driver->recordEvent(0, stream, event); });
  const int before = fake.modules;
  kernel.reset();
  driver->free(0, memory);
  driver->destroyEvent(0, event);
  driver->destroyStream(0, stream);
  EXPECT_EQ(fake.modules, before) << "a lost device's things are left alone";
  driver->synchronize(1, nullptr); // another device goes on
  fake.lost = 700;
}

TEST_F(HipDriverTest, doesNotPromiseToFindWhatNoCheckFinds) {
  fail("hipStreamSynchronize", 214);
  EXPECT_THAT(wordsOf<DeviceError>([&] { driver->synchronize(0, nullptr); }),
              AllOf(HasSubstr("must be restarted"), Not(HasSubstr("interp"))));
}

TEST_F(HipDriverTest, hasNoTensorMaps) {
  std::array<std::byte, 128> out{};
  EXPECT_THAT(wordsOf<DeviceError>([&] { driver->encodeTensorMap(0, {}, out.data()); }),
              HasSubstr("no tensor memory access"));
}

// The real library where there is no device: opened in spite of that, it must say so and leave this process whole.
TEST(HipLibrary, saysThatThereIsNoDevice) {
  if (std::filesystem::exists("/dev/kfd"))
    GTEST_SKIP() << "there may be a device";
  if (!dlopen("libamdhip64.so.5", RTLD_LAZY | RTLD_LOCAL))
    GTEST_SKIP() << "libamdhip64.so.5 is not installed";
  const auto driver = driverOf("libamdhip64.so.5");
  EXPECT_EQ(driver->deviceCount(), 0);
  EXPECT_EQ(driver->whyAbsent(), "AMD's HIP runtime found no device");
  const auto gated = hip::createDriver({.files = {"/dev/kfd"}, .libraries = {"libamdhip64.so.5"}});
  EXPECT_THAT(gated->whyAbsent(), StartsWith("there is no /dev/kfd"));
}
