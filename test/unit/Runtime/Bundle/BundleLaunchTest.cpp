//===- BundleLaunchTest.cpp - launches from bundles -----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Bundle/BundleState.h"
#include "Runtime/Registry.h"
#include "unit/CollectedNotes.h"
#include "unit/Expect.h"
#include "unit/Runtime/Bundle/SampleBundle.h"
#include "unit/Runtime/FakeDriver.h"
#include "unit/ScopedEnvironment.h"
#include "unit/TemporaryFolder.h"

#include "tessera/c/bundle.h"
#include "tessera/runtime/Bundle.h"
#include "tessera/runtime/Device.h"

#include "gmock/gmock.h"

#include <mutex>
#include <thread>

using namespace tessera;
using namespace tessera::rt;
using tessera::test::FakeDriver;
using tessera::test::wordsOf;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

/// A device that remembers which images were loaded, by their variants.
class BundledDriver : public FakeDriver {
public:
  using FakeDriver::FakeDriver;
  std::unique_ptr<LoadedKernel> load(int device, const Image &image) override {
    const std::lock_guard lock(mutex);
    loaded.push_back(*image.fact("variant"));
    return FakeDriver::load(device, image);
  }
  void launch(int device, void *stream, LoadedKernel &kernel, const LaunchParams &params) override {
    const std::lock_guard lock(mutex);
    FakeDriver::launch(device, stream, kernel, params);
  }
  std::vector<std::string> loaded;

private:
  std::mutex mutex;
};

BundledDriver &theDriver() {
  static BundledDriver *const driver = [] {
    auto fresh = std::make_unique<BundledDriver>("bundled");
    BundledDriver *kept = fresh.get();
    Registry::get().add(std::move(fresh));
    return kept;
  }();
  return *driver;
}

struct SampleConfig {
  std::int64_t block = 128;
};
using Scale = BundledKernel<SampleConfig, Ptr<f32>, Scalar<f32>, Scalar<i64>, Scalar<i64>>;

class BundleLaunch : public testing::Test {
protected:
  BundleLaunch() : driver(theDriver()), dev(Device::get("bundled")), memory(dev.buffer<f32>(4096)) {
    driver.launches.clear();
    driver.loaded.clear();
    driver.capturing = false;
  }
  /// The source of a header for \p bytes, which stay.
  tessera::detail::BundleSource &sourceFor(std::vector<std::byte> bytes) {
    kept = std::move(bytes);
    const auto *begin = reinterpret_cast<const unsigned char *>(kept.data());
    source = std::make_unique<tessera::detail::BundleSource>("sample", begin, begin + kept.size());
    return *source;
  }
  static std::uint64_t signature() {
    static const std::vector<std::byte> bytes = sampleBundle();
    return BundleFile::view(bytes, "a bundle")->index().functions[0].signature();
  }

  BundledDriver &driver;
  const Device dev;
  Buffer<f32> memory;
  std::vector<std::byte> kept;
  std::unique_ptr<tessera::detail::BundleSource> source;
};

} // namespace

TEST_F(BundleLaunch, argumentsChooseTheVariant) {
  const Scale scale(sourceFor(sampleBundle()), 0, signature());
  scale.launch(dev, 1, memory, 2.0, 100, 16);
  scale.launch(dev, 1, memory, 2.0, 100, 32);
  scale.launch(dev, 1, memory, 2.0, 100, 1);
  scale.launch(dev, 1, memory.from(1), 2.0, 100, 16);
  scale.launch(dev, 1, memory.from(1), 2.0, 100, 1);
  scale.launch(dev, 1, memory, 2.0, 100, 3);
  EXPECT_THAT(driver.loaded, ElementsAre("aligned", "aligned, stride 1: stride", "general", "stride 1: stride"));
  ASSERT_EQ(driver.launches.size(), 6u);
  EXPECT_EQ(driver.launches[0].at<float>(8), 2.0F);
  EXPECT_EQ(driver.launches[0].at<std::int64_t>(16), 100);
}

TEST_F(BundleLaunch, gridsComeFromTheConfig) {
  const Scale scale(sourceFor(sampleBundle()), 0, signature());
  scale.launch(dev, [](const auto &c) { return Grid(512 / c.block); }, memory, 2.0, 100, 1);
  EXPECT_THAT(driver.launches.at(0).grid, ElementsAre(4, 1, 1));
  scale.launch(dev, 0, memory, 2.0, 100, 1);
  EXPECT_EQ(driver.launches.size(), 1u) << "an empty grid launches nothing";
  static_assert(Scale::config.block == 128);
}

TEST_F(BundleLaunch, theGeneralVariantServesWhatNoOtherDoes) {
  const Scale scale(sourceFor(bundleOf({scaleEntry("null", "noise", "general")})), 0, signature());
  scale.launch(dev, 1, memory, 2.0, 100, 1);
  scale.launch(dev, 1, memory, 2.0, 100, 16);
  EXPECT_THAT(driver.loaded, ElementsAre("general"));
}

TEST_F(BundleLaunch, brokenRequirementsLeaveTheLaunchToAnother) {
  CacheEntry picky = scaleEntry("null", "noise", "aligned");
  picky.image.requirements = {Expr::binary(ExprCode::Lt, Expr::argument(2), 50)};
  const Scale scale(sourceFor(bundleOf({picky, scaleEntry("null", "noise", "general")})), 0, signature());
  scale.launch(dev, 1, memory, 2.0, 49, 16);
  scale.launch(dev, 1, memory, 2.0, 50, 16);
  EXPECT_THAT(driver.loaded, ElementsAre("aligned", "general"));
}

TEST_F(BundleLaunch, whatIsMissingIsNamedExactly) {
  const Scale scale(sourceFor(bundleOf({scaleEntry("null", "noise", "aligned")})), 0, signature());
  EXPECT_THAT(wordsOf<UsageError>([&] { scale.launch(dev, 1, memory, 2.0, 100, 3); }),
              AllOf(HasSubstr("BundleLaunchTest.cpp:"), HasSubstr("launch of kernel `scale`: bundle `sample` lacks "),
                    HasSubstr("arguments: f32*, f32, i64, i64, config {block=128}, options: defaults, target: null, "
                              "variant: general; of that kernel for this target it has `aligned`")));
  const std::int64_t many = 17; // axis y of the device has 16
  EXPECT_THAT(wordsOf<UsageError>([&] { scale.launch(dev, Grid(1, many), memory, 2.0, 100, 16); }),
              HasSubstr("variant: aligned, folded grid"));
  EXPECT_TRUE(driver.launches.empty());
}

TEST_F(BundleLaunch, devicesWithoutCodeAreToldWhatThereIs) {
  const Scale scale(
      sourceFor(bundleOf({scaleEntry("cuda:sm_80", "cubin", "aligned"), scaleEntry("cuda:sm_80", "ptx", "aligned")})),
      0, signature());
  EXPECT_THAT(wordsOf<UsageError>([&] { scale.launch(dev, 1, memory, 2.0, 100, 16); }),
              HasSubstr("bundle `sample` has no code of `scale_f32` for device bundled (null); it was compiled for "
                        "cuda:sm_80 (cubin), cuda:sm_80 (ptx)"));
}

TEST_F(BundleLaunch, wrongArgumentsAreRefused) {
  const Scale scale(sourceFor(sampleBundle()), 0, signature());
  EXPECT_THAT(wordsOf<UsageError>([&] { scale.launch(dev, 1, Buffer<f32>(), 2.0, 100, 16); }),
              HasSubstr("argument `x` (the first) is a buffer without memory"));
  const float constant[4] = {};
  EXPECT_THAT(wordsOf<UsageError>([&] { scale.launch(dev, 1, constant, 2.0, 100, 16); }),
              HasSubstr("argument `x` (the first) is a pointer to const, and the kernel stores through it"));
  EXPECT_THAT(wordsOf<UsageError>([&] { scale.launch(dev, -1, memory, 2.0, 100, 16); }), HasSubstr("-1"));
  EXPECT_TRUE(driver.launches.empty());
}

TEST_F(BundleLaunch, codeThatIsDamagedIsNotLoaded) {
  std::vector<std::byte> bytes = sampleBundle();
  bytes[100] ^= std::byte{4};
  const Scale scale(sourceFor(std::move(bytes)), 0, signature());
  const auto told = AllOf(HasSubstr("BundleLaunchTest.cpp:"),
                          HasSubstr(": launch of kernel `scale`: bundle `sample`: its image of `scale_f32` for null "
                                    "(aligned) is damaged: the checksum does not match"));
  EXPECT_THAT(wordsOf<UsageError>([&] { scale.launch(dev, 1, memory, 2.0, 100, 16); }), told);
  EXPECT_THAT(wordsOf<UsageError>([&] { source->get().preload(dev); }), told);
  EXPECT_TRUE(driver.loaded.empty());
  scale.launch(dev, 1, memory, 2.0, 100, 3); // the others are sound
  EXPECT_THAT(driver.loaded, ElementsAre("general"));
}

TEST_F(BundleLaunch, headersAndBundlesBelongTogether) {
  const Scale stale(sourceFor(sampleBundle()), 0, signature() + 1);
  EXPECT_THAT(
      wordsOf<UsageError>([&] { stale.launch(dev, 1, memory, 2.0, 100, 16); }),
      HasSubstr("bundle `sample` was not made with the header this program was built with: its function number 0 "
                "is `scale_f32` for f32*, f32, i64, i64"));
  const Scale beyond(*source, 7, signature());
  EXPECT_THAT(wordsOf<UsageError>([&] { beyond.launch(dev, 1, memory, 2.0, 100, 16); }),
              HasSubstr("its function number 7 is not there"));
  tessera::detail::BundleSource none("sample", nullptr, nullptr);
  EXPECT_THAT(wordsOf<UsageError>([&] { Scale(none, 0, signature()).launch(dev, 1, memory, 2.0, 100, 16); }),
              HasSubstr("bundle `sample` is not linked into this program: link the library of "
                        "tessera_add_bundle(sample"));
  EXPECT_THAT(wordsOf<UsageError>([&] { none.get(); }),
              AllOf(HasSubstr("BundleLaunchTest.cpp:"), HasSubstr("is not linked into this program")));
  tessera::detail::BundleSource other("other", nullptr, nullptr);
  EXPECT_THAT(wordsOf<UsageError>([&] { other.take(source->get(), std::source_location::current()); }),
              HasSubstr("declares the functions of bundle `other`, and the bundle given is `sample`"));
}

TEST_F(BundleLaunch, filesTakeThePlaceOfWhatIsLinkedIn) {
  const test::TemporaryFolder folder;
  writeBundle(folder.path("b"), sampleBundle());
  tessera::detail::BundleSource none("sample", nullptr, nullptr);
  none.take(Bundle::load(folder.path("b")), std::source_location::current());
  Scale(none, 0, signature()).launch(dev, 1, memory, 2.0, 100, 16);
  EXPECT_EQ(driver.launches.size(), 1u);
  EXPECT_THAT(none.get().targets(), ElementsAre("cuda:sm_80", "null"));
  EXPECT_THAT(none.get().functions(), ElementsAre("scale_f32"));
}

TEST_F(BundleLaunch, capturesNeedWhatIsLoaded) {
  const Scale scale(sourceFor(sampleBundle()), 0, signature());
  driver.capturing = true;
  EXPECT_THAT(wordsOf<UsageError>([&] { scale.launch(dev, 1, memory, 2.0, 100, 16); }),
              HasSubstr("the stream is being captured, and this kernel is not loaded yet"));
  source->get().preload(dev);
  EXPECT_EQ(driver.loaded.size(), 4u);
  scale.launch(dev, 1, memory, 2.0, 100, 16);
  EXPECT_EQ(driver.launches.size(), 1u);
}

TEST_F(BundleLaunch, threadsLoadEachVariantOnce) {
  const Scale scale(sourceFor(sampleBundle()), 0, signature());
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i != 8; ++i)
      threads.emplace_back([&] {
        for (int k = 0; k != 50; ++k)
          scale.launch(dev, 1, memory, 2.0, 100, k % 2 ? 16 : 1);
      });
  }
  EXPECT_EQ(driver.loaded.size(), 2u);
  EXPECT_EQ(driver.launches.size(), 400u);
}

TEST_F(BundleLaunch, theLogTellsWhereCodeComesFrom) {
  const test::ScopedEnvironment log("TESSERA_LOG", "compile");
  const test::CollectedNotes notes;
  const Scale scale(sourceFor(sampleBundle()), 0, signature());
  scale.launch(dev, 1, memory, 2.0, 100, 16);
  ASSERT_EQ(notes.lines.size(), 1u);
  EXPECT_THAT(notes.lines[0], HasSubstr("kernel `scale` for null, arguments: f32*, f32, i64, i64, config {block=128}, "
                                        "variant: aligned; from bundle `sample`"));
}

//===----------------------------------------------------------------------===//
// The interface for C
//===----------------------------------------------------------------------===//

TEST_F(BundleLaunch, theInterfaceForCLaunches) {
  const std::vector<std::byte> bytes = sampleBundle();
  const auto *begin = reinterpret_cast<const unsigned char *>(bytes.data());
  tessera_bundle *bundle = nullptr, *again = nullptr;
  ASSERT_EQ(tessera_linked_bundle("sample", begin, begin + bytes.size(), &bundle), TESSERA_OK) << tessera_error();
  ASSERT_EQ(tessera_linked_bundle("sample", begin, begin + bytes.size(), &again), TESSERA_OK);
  EXPECT_EQ(bundle, again);
  tessera_device *device = nullptr;
  ASSERT_EQ(tessera_open_device("bundled", &device), TESSERA_OK) << tessera_error();
  EXPECT_STREQ(tessera_device_name(device), "bundled");
  EXPECT_STREQ(tessera_device_target(device), "null");
  void *data = nullptr;
  ASSERT_EQ(tessera_allocate(device, 64, &data), TESSERA_OK);
  const tessera_queue queue = {device, nullptr};
  const float in[4] = {1, 2, 3, 4};
  float out[4] = {};
  ASSERT_EQ(tessera_write(queue, data, in, sizeof in), TESSERA_OK);
  ASSERT_EQ(tessera_read(queue, out, data, sizeof out), TESSERA_OK);
  EXPECT_THAT(out, ElementsAre(1, 2, 3, 4));
  tessera_argument arguments[] = {tessera_pointer(data, -1), tessera_float32(2.5F), tessera_integer(7),
                                  tessera_integer(1)};
  ASSERT_EQ(tessera_launch(bundle, 0, signature(), queue, {3, 1, 1}, arguments, 4), TESSERA_OK) << tessera_error();
  ASSERT_EQ(tessera_synchronize(queue), TESSERA_OK);
  EXPECT_EQ(driver.launches.at(0).at<float>(8), 2.5F);
  EXPECT_THAT(driver.loaded, ElementsAre("aligned, stride 1: stride"));
  tessera_free(device, data);
}

TEST_F(BundleLaunch, theInterfaceForCTellsWhatIsWrong) {
  tessera_device *device = nullptr;
  EXPECT_EQ(tessera_open_device("nothing", &device), TESSERA_USAGE_ERROR);
  EXPECT_THAT(tessera_error(), StartsWith("there is no device `nothing`"));
  EXPECT_EQ(tessera_open_device("bundled", nullptr), TESSERA_USAGE_ERROR);
  EXPECT_STREQ(tessera_error(), "the address for the device is NULL");
  EXPECT_STREQ(tessera_device_name(nullptr), "");
  EXPECT_STREQ(tessera_device_target(nullptr), "");
  tessera_bundle *bundle = nullptr;
  EXPECT_EQ(tessera_load_bundle(nullptr, &bundle), TESSERA_USAGE_ERROR);
  EXPECT_STREQ(tessera_error(), "the path of the bundle is NULL");
  EXPECT_EQ(tessera_load_bundle("/nowhere/b", &bundle), TESSERA_USAGE_ERROR);
  EXPECT_THAT(tessera_error(), StartsWith("bundle /nowhere/b: it cannot be opened"));
  EXPECT_EQ(tessera_linked_bundle("sample", nullptr, nullptr, &bundle), TESSERA_USAGE_ERROR);
  EXPECT_THAT(tessera_error(), HasSubstr("bundle `sample` is not linked into this program"));
  ASSERT_EQ(tessera_open_device("bundled", &device), TESSERA_OK);
  EXPECT_EQ(tessera_launch(nullptr, 0, 0, {device, nullptr}, {1, 1, 1}, nullptr, 0), TESSERA_USAGE_ERROR);
  EXPECT_THAT(tessera_error(), HasSubstr("the bundle is NULL"));
  EXPECT_EQ(tessera_synchronize({nullptr, nullptr}), TESSERA_USAGE_ERROR);
  EXPECT_THAT(tessera_error(), HasSubstr("the device is NULL"));

  const test::TemporaryFolder folder;
  writeBundle(folder.path("b"), sampleBundle());
  ASSERT_EQ(tessera_load_bundle(folder.path("b").c_str(), &bundle), TESSERA_OK);
  tessera_argument arguments[] = {tessera_pointer(nullptr, -1), tessera_float32(2.5F), tessera_integer(7),
                                  tessera_integer(1)};
  const tessera_queue queue = {device, nullptr};
  EXPECT_EQ(tessera_launch(bundle, 0, signature(), queue, {1, 1, 1}, arguments, 4), TESSERA_USAGE_ERROR);
  EXPECT_THAT(tessera_error(), StartsWith("launch of kernel `scale`: argument `x` (the first) is a null pointer"));
  EXPECT_EQ(tessera_launch(bundle, 0, signature() + 1, queue, {1, 1, 1}, arguments, 4), TESSERA_USAGE_ERROR);
  EXPECT_THAT(tessera_error(), HasSubstr("was not made with the header this program was built with"));
  EXPECT_EQ(tessera_launch(bundle, 0, signature(), queue, {1, 1, 1}, arguments, 3), TESSERA_USAGE_ERROR);
  EXPECT_THAT(tessera_error(), HasSubstr("it takes 4 arguments and was given 3"));
  EXPECT_EQ(tessera_launch(bundle, 0, signature(), queue, {1, 1, 1}, nullptr, 4), TESSERA_USAGE_ERROR);
  EXPECT_STREQ(tessera_error(), "launch of kernel `scale`: its arguments are NULL");
  EXPECT_EQ(tessera_allocate(device, 64, nullptr), TESSERA_USAGE_ERROR);
  EXPECT_STREQ(tessera_error(), "the address for the memory is NULL");
}
