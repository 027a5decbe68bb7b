//===- EmitTest.cpp - programs as text, without a device -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Image.h"
#include "unit/Driver/Kernels.h"
#include "unit/Expect.h"
#include "unit/ScopedEnvironment.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

using namespace tessera;
using namespace tessera::test;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace {

std::string readAll(const std::filesystem::path &path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

class DumpTest : public testing::Test {
protected:
  DumpTest() : folder(testing::TempDir() + "/tessera-dumps-" + std::to_string(getpid())) {}
  ~DumpTest() override { std::filesystem::remove_all(folder); }
  std::vector<std::string> files() {
    std::vector<std::string> names;
    if (std::filesystem::exists(folder))
      for (const auto &entry : std::filesystem::directory_iterator(folder))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
  void launch() {
    const Buffer<f32> x = interp().buffer<f32>(64);
    makeAdd<f32>().with({.block = 32}).launch(interp(), 0 + 1, x, x, interp().buffer<f32>(64), 0);
  }
  const std::string folder;
};

} // namespace

TEST(Emit, tileNeedsNoBackEnd) {
  for (const char *target : {"interp", "cuda:sm_90a", "hip:gfx942", "cpu"}) {
    const std::string text = emit(makeAdd<f32>(), Target(target), "tile");
    EXPECT_THAT(text, AllOf(HasSubstr("tile.kernel @add("), HasSubstr("%x: !tile.ptr<f32>"), HasSubstr("tile.store")));
    EXPECT_THAT(text, Not(HasSubstr("loc(")));
  }
}

TEST(Emit, sameTextEveryTime) { EXPECT_EQ(makeAdd<f32>().print(), makeAdd<f32>().print()); }

TEST(Emit, configDecides) {
  EXPECT_THAT(emit(makeAdd<f32>().with({.block = 256}), Target("interp"), "tile"), HasSubstr("tensor<256xf32>"));
}

TEST(Emit, variantDecides) {
  const auto add = makeAdd<f32>();
  EXPECT_THAT(add.print("tile"), HasSubstr("tile.multiple_of = 16"));
  EXPECT_THAT(add.print("tile", Target("interp"), {.aligned = false}), Not(HasSubstr("tile.multiple_of")));
}

TEST(Emit, stagesOfHip) {
  const auto add = makeAdd<f32>();
  const Target chip("hip:gfx942");
  EXPECT_THAT(emit(add, chip, "llvm"), HasSubstr("@tessera.gpu.load.i32("));
  EXPECT_THAT(emit(add, chip, "asm"), AllOf(HasSubstr("s_endpgm"), Not(HasSubstr("tessera.gpu"))));
  EXPECT_THAT(emit(add, chip, "binary"), HasSubstr(" for hip:gfx942: `add`"));
}

TEST(Emit, stagesOfCuda) {
  const auto add = makeAdd<f32>();
  const Target hopper("cuda:sm_90a");
  EXPECT_THAT(emit(add, hopper, "layout"), HasSubstr("#layout.tile<"));
  EXPECT_THAT(emit(add, hopper, "llvm"), HasSubstr("@tessera.gpu.load.i32("));
  EXPECT_THAT(emit(add, hopper, "asm"), AllOf(HasSubstr(".entry add("), Not(HasSubstr("tessera.gpu"))));
  EXPECT_THAT(emit(add, hopper, "binary"), HasSubstr(" for cuda:sm_90a: `add`"));
  EXPECT_NE(emit(add, hopper, "sass"), "");
}

TEST(Emit, stagesOfCpu) {
  const auto add = makeAdd<f32>();
  EXPECT_THAT(emit(add, Target("cpu"), "host"),
              AllOf(HasSubstr("llvm.func @add("), HasSubstr("scf.for"), Not(HasSubstr("alias_scope"))));
  EXPECT_THAT(emit(add, Target("cpu"), "llvm"), AllOf(HasSubstr("@add(ptr"), HasSubstr("fadd")));
  EXPECT_THAT(emit(add, Target("cpu:x86-64-v3"), "asm"), AllOf(HasSubstr("\nadd:"), HasSubstr("vaddps")));
  EXPECT_THAT(emit(add, Target("cpu:aarch64"), "asm"), HasSubstr("fadd"));
  EXPECT_THAT(emit(add, Target("cpu:x86-64-v2"), "binary"), HasSubstr("shared-object for cpu:x86-64-v2: `add`"));
}

TEST(Emit, unknownStage) {
  EXPECT_THAT(wordsOf<UsageError>([&] { emit(makeAdd<f32>(), Target("interp"), "tiles"); }),
              AllOf(HasSubstr("EmitTest.cpp:"),
                    HasSubstr("there is no stage `tiles`; stages are: tile, host, layout, llvm, asm")));
  EXPECT_THAT(wordsOf<UsageError>([&] { emit(makeAdd<f32>(), Target("interp"), "asm"); }),
              HasSubstr("target interp has no stage `asm`; its stages: tile, binary"));
}

TEST(Emit, boundElementTypesMustBeNamed) {
  const auto twice = kernel("twice", {"x"}, [](Ptr<any> x) { store(x, load(x) + load(x)); });
  EXPECT_THAT(wordsOf<UsageError>([&] { twice.print(); }),
              HasSubstr("the element type of parameter `x` is bound at launch; name it in Variant::any"));
  EXPECT_THAT(twice.print("tile", Target("interp"), {.any = {f16}}), HasSubstr("!tile.ptr<f16>"));
}

TEST(Emit, optionalParametersAreAbsentUnlessNamed) {
  const auto k = kernel("maybe", {"out", "bias"},
                        [](Ptr<f32> out, Opt<Ptr<f32>> bias) { store(out, bias ? load(*bias) : load(out)); });
  EXPECT_THAT(k.print(), Not(HasSubstr("%bias")));
  EXPECT_THAT(k.print("tile", Target("interp"), {.present = {true}}), HasSubstr("%bias"));
}

TEST(Compile, givesABinary) {
  const auto add = makeAdd<f32>();
  const Binary binary = add.compile(Target("interp"));
  EXPECT_EQ(binary.target(), "interp");
  EXPECT_EQ(binary.format(), "mlir-bytecode");
  EXPECT_FALSE(binary.bytes().empty());
  EXPECT_EQ(rt::Image::deserialize(binary.serialize()), binary.image());
  EXPECT_TRUE(add.compilations().empty()) << "these are of launches";
}

TEST(Compile, describesArguments) {
  const Binary binary = makeAdd<f32>().compile(Target("interp"));
  const std::vector<rt::Argument> &arguments = binary.image().arguments;
  ASSERT_EQ(arguments.size(), 4u);
  EXPECT_EQ(arguments[0].name, "x");
  EXPECT_TRUE(arguments[0].read && !arguments[0].written);
  EXPECT_TRUE(!arguments[2].read && arguments[2].written);
  EXPECT_EQ(arguments[3].dtype, i64);
}

TEST(Compile, keyIsTheProgram) {
  const auto key = [](const Binary &binary) { return *binary.image().fact("key"); };
  const auto add = makeAdd<f32>();
  const std::string usual = key(add.compile(Target("interp")));
  EXPECT_EQ(key(makeAdd<f32>().compile(Target("interp"))), usual);
  EXPECT_NE(key(add.with({.block = 32}).compile(Target("interp"))), usual);
  EXPECT_NE(key(add.compile(Target("interp"), {.num_warps = 8})), usual);
  EXPECT_NE(key(add.compile(Target("null"))), usual);
  EXPECT_NE(key(add.compile(Target("interp"), {}, {.aligned = false})), usual);
  EXPECT_NE(key(makeAdd<f16>().compile(Target("interp"))), usual);
}

TEST(Compile, linesAreOutsideTheKeyUnlessAsked) {
  const auto here = kernel("k", [](Ptr<i32> out) { store(out, 1); });
  const auto there = kernel("k", [](Ptr<i32> out) { store(out, 1); });
  const auto key = [](const auto &k, const CompileOptions &options) {
    return *k.compile(Target("interp"), options).image().fact("key");
  };
  EXPECT_EQ(key(here, {}), key(there, {}));
  EXPECT_NE(key(here, {.line_info = true}), key(there, {.line_info = true}));
}

TEST_F(DumpTest, oneFileAStage) {
  const ScopedEnvironment stages("TESSERA_DUMP", "tile,binary"), where("TESSERA_DUMP_DIR", folder);
  launch();
  ASSERT_EQ(files().size(), 2u);
  EXPECT_THAT(files()[0], AllOf(testing::StartsWith("add-interp-"), testing::EndsWith(".0-tile.txt")));
  EXPECT_THAT(files()[1], testing::EndsWith(".1-binary.txt"));
  const std::string text = readAll(folder + "/" + files()[0]);
  EXPECT_THAT(text, AllOf(HasSubstr("// add {block=32} for interp, arguments: f32*, f32*, f32*, i64, options: "
                                    "defaults, variant: aligned: tile"),
                          HasSubstr("tile.kernel @add("), HasSubstr("Kernels.h:")));
}

TEST_F(DumpTest, oneFileAnElementType) {
  const ScopedEnvironment stages("TESSERA_DUMP", "tile"), where("TESSERA_DUMP_DIR", folder);
  const Device dev = interp();
  makeAdd<f32>().launch(dev, 1, dev.buffer<f32>(1), dev.buffer<f32>(1), dev.buffer<f32>(1), 0);
  makeAdd<f16>().launch(dev, 1, dev.buffer<f16>(1), dev.buffer<f16>(1), dev.buffer<f16>(1), 0);
  EXPECT_EQ(files().size(), 2u);
}

TEST_F(DumpTest, onlyWhatIsAsked) {
  const ScopedEnvironment stages("TESSERA_DUMP", "layout"), where("TESSERA_DUMP_DIR", folder);
  launch();
  EXPECT_TRUE(files().empty());
}

TEST_F(DumpTest, passes) {
  const ScopedEnvironment stages("TESSERA_DUMP", "passes"), where("TESSERA_DUMP_DIR", folder);
  launch();
  ASSERT_EQ(files().size(), 1u);
  EXPECT_THAT(readAll(folder + "/" + files()[0]), HasSubstr("after pass tile-canonicalize"));
}

TEST_F(DumpTest, standardErrorByDefault) {
  const ScopedEnvironment stages("TESSERA_DUMP", "all");
  testing::internal::CaptureStderr();
  launch();
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("tile.kernel @add("));
}

TEST_F(DumpTest, unknownStage) {
  const ScopedEnvironment stages("TESSERA_DUMP", "tile,ptx");
  EXPECT_EQ(wordsOf<UsageError>([&] { launch(); }),
            "TESSERA_DUMP names `ptx`; it takes a list of: all, passes, tile, host, layout, llvm, asm, sass, binary");
}

TEST_F(DumpTest, aFolderThatCannotBeMadeStopsNothing) {
  const ScopedEnvironment stages("TESSERA_DUMP", "tile"), where("TESSERA_DUMP_DIR", "/dev/null/x");
  testing::internal::CaptureStderr();
  launch();
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("tessera: dump: cannot make folder /dev/null/x"));
}
