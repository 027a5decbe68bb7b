//===- BundlerTest.cpp - compile kernels ahead of time --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Bundle/BundleState.h"
#include "unit/CollectedNotes.h"
#include "unit/Expect.h"
#include "unit/ScopedEnvironment.h"
#include "unit/TemporaryFolder.h"

#include "tessera/tessera.h"

#include "gmock/gmock.h"

#include <numeric>
#include <random>
#include <span>

using namespace tessera;
using tessera::test::readText;
using tessera::test::TemporaryFolder;
using tessera::test::wordsOf;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

struct Config {
  int block = 64;
  bool twice = false;
};

const auto scale = kernel("scale", {"x", "out", "stride"}, [](const Config &c, Ptr<f32> x, Ptr<f32> out, Int stride) {
  Tile i = arange(0, c.block);
  store(out + i, load(x + i * stride) * (c.twice ? 2 : 1));
});

const auto product = kernel("product", {"a", "b", "out"}, [](View<f16, 2> a, View<f16, 2> b, View<f32, 2> out) {
  out.store({0, 0}, dot(a.load({0, 0}, {64, 64}), b.load({0, 0}, {64, 64})));
});

std::vector<std::string> variantsOf(const rt::BundleFunction &function) {
  std::vector<std::string> variants;
  for (const rt::BundleImage &image : function.images)
    variants.push_back(image.variant.str(function.facts()));
  return variants;
}

/// The only function of a bundle made by \p fill for \p target.
template <class Fill> rt::BundleFunction bundled(Fill fill, const char *target = "cpu:x86-64-v2") {
  const TemporaryFolder folder;
  Bundler b("made", {target});
  fill(b);
  b.write(folder.path());
  return rt::BundleFile::open(folder.path("made.tbundle"))->index().functions.at(0);
}

std::string problem(auto action) { return wordsOf<UsageError>(action); }

} // namespace

TEST(Bundler, keepsEveryVariantThatLaunchesAskFor) {
  EXPECT_THAT(variantsOf(bundled([](Bundler &b) { b.add(scale); })), ElementsAre("aligned", "general"));
  EXPECT_THAT(variantsOf(bundled([](Bundler &b) { b.add(scale, {.unit_strides = {{"stride"}}}); })),
              ElementsAre("aligned", "general", "aligned, stride 1: stride", "stride 1: stride"));
  const auto folded = [](Bundler &b) { b.add(scale, {.folded_grid = true}); };
  EXPECT_THAT(variantsOf(bundled(folded, "hip:gfx942")),
              ElementsAre("aligned", "aligned, folded grid", "general", "folded grid"));
  EXPECT_THAT(variantsOf(bundled(folded)), ElementsAre("aligned", "general")) << "no grid is too large for cpu";
  EXPECT_THAT(variantsOf(bundled([](Bundler &b) { b.add(product); })),
              ElementsAre("aligned, stride 1: a.stride1 b.stride1 out.stride1",
                          "stride 1: a.stride1 b.stride1 out.stride1", "general"));
}

TEST(Bundler, describesConfigsAndViews) {
  const rt::BundleFunction function = bundled([](Bundler &b) { b.add(scale.with({.block = 32, .twice = true})); });
  EXPECT_EQ(function.symbol, "scale_f32");
  EXPECT_EQ(function.config, "{block=32, twice=true}");
  EXPECT_THAT(function.constants, ElementsAre(std::pair<std::string, std::int64_t>("block", 32),
                                              std::pair<std::string, std::int64_t>("twice", 1)));
  EXPECT_TRUE(function.arguments[1].stored);
  EXPECT_FALSE(function.arguments[0].stored);
  const rt::BundleFunction views = bundled([](Bundler &b) { b.add(product); });
  EXPECT_EQ(views.symbol, "product_f16_f32");
  EXPECT_EQ(views.arguments[0].role, rt::BundleRole::ViewBase);
  EXPECT_EQ(views.arguments[4].role, rt::BundleRole::ViewStride);
  EXPECT_EQ(views.arguments[0].rank, 2);
  EXPECT_EQ(views.arguments[0].contiguous, 1);
}

TEST(Bundler, spacesAreNumbered) {
  const TemporaryFolder folder;
  Bundler b("made", {"cpu:x86-64-v2"});
  b.add(scale, Space<Config>{{{.block = 32}, {}}, {{.block = 64}, {.num_warps = 2}}});
  b.write(folder.path());
  EXPECT_THAT(Bundle::load(folder.path("made.tbundle")).functions(), ElementsAre("scale_f32_0", "scale_f32_1"));
}

TEST(Bundler, theSameKernelsMakeTheSameBundle) {
  const TemporaryFolder one, other;
  for (const TemporaryFolder *folder : {&one, &other}) {
    Bundler b("made", {"cpu:x86-64-v2", "hip:gfx942"});
    b.add(scale).add(product);
    b.write(folder->path());
  }
  EXPECT_EQ(readText(one.path("made.tbundle")), readText(other.path("made.tbundle")));
}

TEST(Bundler, ptxComesBesideMachineCode) {
  const TemporaryFolder folder;
  Bundler b("made", {"cuda:sm_80+ptx", "cuda:sm_90a"});
  b.add(scale);
  b.write(folder.path());
  const auto file = rt::BundleFile::open(folder.path("made.tbundle"));
  EXPECT_THAT(Bundle::load(folder.path("made.tbundle")).targets(), testing::Contains("cuda:sm_80+ptx"));
  for (const rt::BundleImage &image : file->index().functions[0].images) {
    const rt::CacheEntry entry = file->entry(file->index().functions[0], image);
    if (image.format == "ptx" && image.target == "cuda:sm_80")
      EXPECT_THAT(std::string(reinterpret_cast<const char *>(entry.image.binary.data()), entry.image.binary.size()),
                  AllOf(HasSubstr(".target sm_80"), HasSubstr(entry.image.entry)));
  }
}

TEST(Bundler, missingMachineCodeIsNoted) {
  const test::ScopedEnvironment assembler("TESSERA_PTXAS", "driver"); // leaves PTX as it is
  const TemporaryFolder folder;
  const test::CollectedNotes notes;
  Bundler b("made", {"cuda:sm_90a", "cpu:x86-64-v2"});
  b.add(scale);
  b.write(folder.path());
  EXPECT_THAT(notes.lines, ElementsAre(HasSubstr("bundle `made` has PTX and no machine code for cuda:sm_90a")));
}

TEST(Bundler, saysWhatIsWrong) {
  EXPECT_THAT(problem([] { Bundler("a b", {"cpu"}); }), HasSubstr("a bundle cannot be called `a b`"));
  EXPECT_THAT(problem([] { Bundler("b", {}); }), HasSubstr("bundle `b` has no targets"));
  EXPECT_THAT(problem([] { Bundler("b", {"cuda:sm_91"}); }), HasSubstr("unknown target `cuda:sm_91`"));
  EXPECT_THAT(problem([] { Bundler("b", {"interp"}); }), HasSubstr("a bundle cannot hold kernels for interp"));
  EXPECT_THAT(problem([] { Bundler("b", {"hip:gfx942+ptx"}); }), HasSubstr("there is PTX for cuda only"));
  EXPECT_THAT(problem([] { Bundler("b", {"cuda:sm_90a+ptx"}); }),
              HasSubstr("code for sm_90a runs on no other chip, so that later ones have no use for its PTX"));
  Bundler b("b", {"cpu:x86-64-v2"});
  EXPECT_THAT(problem([&] { b.add(scale, {.name = "a b"}); }),
              AllOf(HasSubstr("BundlerTest.cpp:"), HasSubstr("`a b` is no name for a function in C++")));
  EXPECT_THAT(problem([&] { b.add(scale, {.targets = {"cuda:sm_80"}}); }),
              HasSubstr("`cuda:sm_80` is none of the bundle's targets: cpu:x86-64-v2"));
  EXPECT_THAT(problem([&] { b.add(scale.with({}, {.num_warps = 3})); }), HasSubstr("option num_warps is 3"));
  EXPECT_THAT(problem([&] { b.add_records("/nowhere/tuning.txt"); }), HasSubstr("tuning records /nowhere/tuning.txt"));
  const TemporaryFolder folder;
  const auto writing = [&](auto fill) {
    return problem([&] {
      Bundler made("made", {"cpu:x86-64-v2"});
      fill(made);
      made.write(folder.path());
    });
  };
  EXPECT_THAT(writing([](Bundler &) {}), HasSubstr("bundle `made` has no kernels: Bundler::add adds them"));
  EXPECT_THAT(writing([](Bundler &b) { b.add(scale).add(scale.with({.block = 32})); }),
              HasSubstr("two functions of the bundle would be called `scale_f32`"));
  EXPECT_THAT(
      writing([](Bundler &b) { b.add(scale, {.unit_strides = {{"out"}}}); }),
      HasSubstr("BundleOptions::unit_strides names `out`, which is no stride of the kernel; its strides: stride"));
  EXPECT_THAT(writing([](Bundler &b) { b.add(scale, {.name = "use"}); }), HasSubstr("cannot be called `use`"));
  const auto bytes = kernel("bytes", {"x"}, [](Ptr<any> x) { store(x, load(x)); });
  EXPECT_THAT(writing([&](Bundler &b) { b.add(bytes); }), HasSubstr("the element type of parameter `x` is bound at"));
}

TEST(Bundler, theMainFunctionTellsWhatItTakes) {
  const auto said = [](std::vector<const char *> words) {
    words.insert(words.begin(), "bundler");
    testing::internal::CaptureStderr();
    EXPECT_EQ(run_bundler(static_cast<int>(words.size()), const_cast<char **>(words.data()),
                          [](Bundler &b) { b.add(scale); }),
              1);
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_THAT(said({"--help"}), HasSubstr("unknown option --help; there are --name NAME, --out FOLDER"));
  EXPECT_EQ(said({"--name"}), "error: --name needs a value\n");
  EXPECT_EQ(said({"--name", "b"}), "error: bundle `b` has no targets to compile for\n");
  EXPECT_THAT(said({"--name", "b", "--target", "cpu:x86-64-v2", "--out", "/proc/none"}),
              HasSubstr("bundle `b`: folder /proc/none cannot be made"));
}

// Cut at every KB, with 10,000 bits flipped at random: what runs all the same computes what it should.
TEST(Bundler, damagedBundlesNeverRunWrongCode) {
  const TemporaryFolder folder;
  Bundler b("made", {"cpu:x86-64-v2", "hip:gfx942"});
  b.add(scale).add(product);
  b.write(folder.path());
  const std::string whole = readText(folder.path("made.tbundle"));
  const Device device = Device::get("cpu");
  std::vector<float> values(3 * 64), expected(64);
  std::iota(values.begin(), values.end(), 1.0F);
  for (std::size_t i = 0; i != expected.size(); ++i)
    expected[i] = values[3 * i];
  const Buffer<f32> x = device.upload(values);
  Buffer<f32> out = device.buffer<f32>(64);
  const auto runs = [&](const std::string &bytes) {
    out.fill(-1);
    try {
      const Bundle bundle = Bundle::in_memory(std::as_bytes(std::span(bytes)));
      const rt::BundledFunction &function = bundle.state().functions().at(0);
      const detail::LaunchArguments<Ptr<f32>, Ptr<f32>, Int> arguments(detail::nameOf(function),
                                                                       std::source_location::current(), x, out, 3);
      detail::launch(function, device.stream(), 1, {arguments.slots.data(), arguments.count},
                     std::source_location::current());
    } catch (const UsageError &) {
      return false;
    }
    EXPECT_EQ(out.download(), expected);
    return true;
  };
  ASSERT_TRUE(runs(whole));
  for (std::size_t size = 0; size < whole.size(); size += 1024)
    EXPECT_FALSE(runs(whole.substr(0, size))) << size;
  std::mt19937_64 random(7);
  int ran = 0;
  for (int i = 0; i != 10'000; ++i) {
    std::string bytes = whole;
    const std::size_t bit = random() % (bytes.size() * 8);
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ 1 << bit % 8);
    ran += runs(bytes);
  }
  EXPECT_GT(ran, 1000) << "damage of what is not launched does not matter";
  EXPECT_LT(ran, 9900) << "damage of what is launched does";
}

// Tensor copies, shared memory and all, on a simulated chip.
TEST(Bundler, viewsRunOnASimulatedChip) {
  const TemporaryFolder folder;
  Bundler b("made", {"sim:sm_90a"});
  b.add(product);
  b.write(folder.path());
  const Bundle bundle = Bundle::load(folder.path("made.tbundle"));
  const rt::BundledFunction &function = bundle.state().functions()[0];
  const Device device = Device::get("sim:sm_90a");
  const std::vector<half> ones(64 * 64, half(1.0F));
  Buffer<f16> a = device.upload(ones);
  for (const std::int64_t ldc : {64, 65}) { // 65: no descriptor, another variant
    Buffer<f32> out = device.buffer<f32>(64 * 65);
    out.fill(-1);
    const detail::LaunchArguments<View<f16, 2>, View<f16, 2>, View<f32, 2>> arguments(
        detail::nameOf(function), std::source_location::current(), view_arg(a, {64, 64}), view_arg(a, {64, 64}),
        view_arg(out, {64, 64}, {ldc, 1}));
    detail::launch(function, device.stream(), 1, {arguments.slots.data(), arguments.count},
                   std::source_location::current());
    device.synchronize();
    EXPECT_EQ(out.download()[63 * static_cast<std::size_t>(ldc) + 63], 64.0F);
  }
}

TEST(Bundler, tuningRecordsTravelAlong) {
  const TemporaryFolder folder;
  const test::ScopedEnvironment cache("TESSERA_CACHE", "rw");
  const test::ScopedEnvironment directory("TESSERA_CACHE_DIR", folder.path("cache"));
  const Space<Config> space{{{.block = 32}, {}}, {{.block = 64}, {}}};
  const Device device = Device::get("cpu");
  Buffer<f32> x = device.buffer<f32>(64), out = device.buffer<f32>(64);
  autotune(scale, space, key("stride")).launch(device, 1, x, out, 1);
  Bundler b("made", {"cpu:x86-64-v2"});
  b.add(scale).add_records(folder.path("cache/tuning.txt"));
  b.write(folder.path());
  EXPECT_THAT(rt::BundleFile::open(folder.path("made.tbundle"))->records(), HasSubstr("stride=1"));
}
