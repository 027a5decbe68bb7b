//===- DiskCacheTest.cpp - kernels from the process before ----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Support/Subprocess.h"
#include "unit/ScopedEnvironment.h"
#include "unit/TemporaryFolder.h"

#include "gmock/gmock.h"

#include <thread>

using namespace tessera;
using tessera::test::readText;
using tessera::test::ScopedEnvironment;
using tessera::test::TemporaryFolder;
using tessera::test::writeText;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

namespace {

/// The program, and the program after an edit that moved its kernels to other lines.
constexpr const char *kProgram = TESSERA_TEST_PROGRAM, *kEdited = TESSERA_TEST_EDITED;
constexpr const char *kTool = TESSERA_TEST_TOOL;

/// A warm process records, looks and loads; no stage runs.
constexpr const char *kWarm = "cache: trace find load\n";
constexpr const char *kCold = "compiled: trace find tile host llvm asm binary load\n";

std::string run(const std::vector<std::string> &arguments) {
  const support::SubprocessResult result = support::runProgram(arguments, std::chrono::seconds(60));
  EXPECT_EQ(result.problem, "");
  return result.output;
}

struct DiskCache : testing::Test {
  const TemporaryFolder base;
  const ScopedEnvironment folder{"TESSERA_CACHE_DIR", base.path("cache")};
  const ScopedEnvironment mode{"TESSERA_CACHE", "rw"};

  std::vector<std::string> files() const {
    std::vector<std::string> paths;
    for (const auto &file : std::filesystem::directory_iterator(base.path("cache")))
      if (file.path().extension() == ".kernel")
        paths.push_back(file.path().string());
    return paths;
  }
};

} // namespace

TEST_F(DiskCache, theSecondProcessRunsNoStage) {
  EXPECT_EQ(run({kProgram, "launch"}), kCold);
  EXPECT_EQ(files().size(), 1u);
  for (int i = 0; i != 3; ++i)
    EXPECT_EQ(run({kProgram, "launch"}), kWarm);
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(DiskCache, whatDecidesTheCodeDecidesTheFile) {
  run({kProgram, "launch"});
  EXPECT_EQ(run({kProgram, "launch", "2"}), kCold) << "another config, another program";
  EXPECT_EQ(run({kProgram, "launch", "2"}), kWarm);
  const ScopedEnvironment cpu("TESSERA_CPU", "x86-64-v2");
  EXPECT_EQ(run({kProgram, "launch"}), kCold) << "another processor";
  EXPECT_EQ(files().size(), 3u);
}

TEST_F(DiskCache, linesCountWhereTheBinaryShowsThem) {
  EXPECT_EQ(run({kProgram, "launch"}), kCold);
  EXPECT_EQ(run({kEdited, "launch"}), kWarm);
  EXPECT_EQ(run({kProgram, "checked"}), kCold);
  EXPECT_EQ(run({kProgram, "checked"}), kWarm);
  EXPECT_EQ(run({kEdited, "checked"}), kCold) << "a failed check names its line";
}

// Lines of another text are not passed off as those of this one, whether or not the compiler had notes.
TEST_F(DiskCache, reportsSayThatTheirLinesAreOld) {
  constexpr const char *kChanged =
      "the source has changed since this kernel was compiled; lines named here are those of "
      "then";
  for (const char *program : {kProgram, kProgram})
    EXPECT_THAT(run({program, "report", "cuda:sm_90a"}), AllOf(HasSubstr("program.cpp:1"), Not(HasSubstr(kChanged))));
  EXPECT_THAT(run({kEdited, "report", "cuda:sm_90a"}), AllOf(HasSubstr("program.cpp:1"), HasSubstr(kChanged)));
  EXPECT_THAT(run({kProgram, "contract", "cuda:sm_90a"}),
              AllOf(HasSubstr("min_vector_bytes asks for 8"), Not(HasSubstr(kChanged))));
  EXPECT_THAT(run({kEdited, "contract", "cuda:sm_90a"}),
              AllOf(HasSubstr("min_vector_bytes asks for 8"), HasSubstr(kChanged)));
}

TEST_F(DiskCache, holdsBinariesForEveryVendor) {
  const std::vector<std::string> compile{kProgram,     "compile", "cpu",      "cuda:sm_90a",
                                         "hip:gfx942", "interp",  "sim:sm_80"};
  std::string cold = run(compile), warm = run(compile);
  EXPECT_THAT(cold, AllOf(HasSubstr("cpu shared-object"), HasSubstr("cuda:sm_90a "), HasSubstr("hip:gfx942 hsaco")));
  for (const char *target : {"cpu", "cuda:sm_90a", "hip:gfx942"}) {
    const std::size_t from = cold.find(std::string(target) + " "), to = cold.find(" found 0 kept 1\n", from);
    ASSERT_NE(to, std::string::npos) << cold;
    EXPECT_THAT(warm, HasSubstr(cold.substr(from, to - from) + " found 1 kept 0\n"))
        << "the same image, to the last byte";
  }
  for (const char *target : {"interp", "sim:sm_80"})
    EXPECT_THAT(warm, testing::ContainsRegex(std::string(target) + " [^\n]* found 0 kept 0\n"));
  EXPECT_EQ(files().size(), 3u);
}

TEST_F(DiskCache, logSaysWhereItCameFrom) {
  const ScopedEnvironment log("TESSERA_LOG", "compile");
  EXPECT_THAT(run({kProgram, "launch"}), HasSubstr("reason: first launch; trace "));
  EXPECT_THAT(run({kProgram, "launch"}), HasSubstr("reason: first launch; from the disk cache; trace "));
}

TEST_F(DiskCache, whatIsToBeSeenIsCompiled) {
  run({kProgram, "launch"});
  {
    const ScopedEnvironment dump("TESSERA_DUMP", "tile");
    EXPECT_THAT(run({kProgram, "launch"}), AllOf(HasSubstr("tile.kernel"), EndsWith(kCold)));
  }
  const ScopedEnvironment keep("TESSERA_CACHE_KEEP", "tile,asm,sass");
  EXPECT_EQ(run({kProgram, "launch"}), kCold) << "the kernel was kept without these texts";
  EXPECT_EQ(run({kProgram, "launch"}), kWarm);
  const std::string key = std::filesystem::path(files().at(0)).stem().string();
  EXPECT_THAT(run({kTool, "show", key, "--text", "tile"}), HasSubstr("tile.kernel"));
  EXPECT_THAT(run({kTool, "show", key, "--text", "asm"}), HasSubstr("scaled_add"));
}

TEST_F(DiskCache, settingsThatMakeNoSenseAreNamed) {
  const ScopedEnvironment keep("TESSERA_CACHE_KEEP", "tile,dust");
  EXPECT_THAT(run({kProgram, "launch"}), HasSubstr("TESSERA_CACHE_KEEP names `dust`; it takes a list of: tile"));
  const ScopedEnvironment mode("TESSERA_CACHE", "maybe");
  const ScopedEnvironment none("TESSERA_CACHE_KEEP", "");
  EXPECT_THAT(run({kProgram, "launch"}), HasSubstr("TESSERA_CACHE is `maybe`; it must be rw, ro or off"));
}

TEST_F(DiskCache, damagedFilesAreCompiledAgain) {
  run({kProgram, "launch"});
  const std::string path = files().at(0), sound = readText(path);
  std::string damaged = sound;
  damaged[damaged.size() / 2] ^= 4;
  writeText(path, damaged);
  EXPECT_THAT(run({kProgram, "launch"}),
              AllOf(StartsWith("tessera: note: " + path + " is not used"), HasSubstr("checksum"), EndsWith(kCold)));
  EXPECT_EQ(run({kProgram, "launch"}), kWarm);
  writeText(path, sound.substr(0, sound.size() - 100));
  EXPECT_THAT(run({kProgram, "launch"}), AllOf(HasSubstr("the file ends too early"), EndsWith(kCold)));
}

TEST_F(DiskCache, anotherKernelsFileIsNotLoaded) {
  run({kProgram, "launch", "1"});
  const std::string first = files().at(0);
  run({kProgram, "launch", "2"});
  for (const std::string &path : files())
    if (path != first)
      std::filesystem::copy_file(path, first, std::filesystem::copy_options::overwrite_existing);
  // Loaded, it would give wrong numbers.
  EXPECT_THAT(run({kProgram, "launch", "1"}), AllOf(HasSubstr("it holds another kernel"), EndsWith(kCold)));
}

TEST_F(DiskCache, processesStartColdTogether) {
  for (int processes : {2, 8}) {
    const ScopedEnvironment own("TESSERA_CACHE_DIR", base.path("cold-" + std::to_string(processes)));
    std::vector<std::string> outputs(static_cast<std::size_t>(processes));
    std::vector<std::thread> threads;
    for (std::string &output : outputs)
      threads.emplace_back([&output] { output = run({kProgram, "launch"}); });
    for (std::thread &thread : threads)
      thread.join();
    for (const std::string &output : outputs)
      EXPECT_THAT(output, testing::AnyOf(kCold, kWarm));
    EXPECT_EQ(run({kProgram, "launch"}), kWarm);
  }
}

TEST_F(DiskCache, aSharedFolderWarmsAMachineOfItsOwn) {
  run({kProgram, "launch"});
  const ScopedEnvironment own("TESSERA_CACHE_DIR", base.path("own"));
  const ScopedEnvironment shared("TESSERA_CACHE_PATH", base.path("cache"));
  EXPECT_EQ(run({kProgram, "launch"}), kWarm);
  EXPECT_FALSE(std::filesystem::exists(base.path("own")));
}

TEST_F(DiskCache, offIsOff) {
  const ScopedEnvironment off("TESSERA_CACHE", "off");
  EXPECT_EQ(run({kProgram, "launch"}), kCold);
  EXPECT_EQ(run({kProgram, "launch"}), kCold);
  EXPECT_FALSE(std::filesystem::exists(base.path("cache")));
}

TEST_F(DiskCache, toolShowsAndLooksAfterIt) {
  EXPECT_THAT(run({kTool, "list"}), HasSubstr("0 kernels, 0 B, in " + base.path("cache")));
  run({kProgram, "launch"});
  run({kProgram, "launch"});
  run({kProgram, "launch", "2"});
  EXPECT_THAT(run({kTool, "list"}),
              AllOf(HasSubstr("kernel"), HasSubstr("scaled_add"), HasSubstr("{block=256, scale=1}"), HasSubstr("cpu"),
                    HasSubstr("aligned"), HasSubstr("2 kernels")));
  EXPECT_THAT(run({kTool, "verify"}), HasSubstr("2 sound, 0 not"));
  EXPECT_THAT(run({kTool, "show", "no"}), HasSubstr("has a key that starts with `no`"));
  EXPECT_THAT(run({kTool, "show", ""}), HasSubstr("2 kernels have a key that starts with ``; name more of it"));

  const std::string path = files().at(0), key = std::filesystem::path(path).stem().string();
  EXPECT_THAT(run({kTool, "show", key.substr(0, 8)}),
              AllOf(HasSubstr(key), HasSubstr("f32*, f32*, f32*, i64"), HasSubstr("num_warps=4"),
                    HasSubstr("stage asm"), HasSubstr("tessera 0."), HasSubstr("shared-object")));
  EXPECT_THAT(run({kTool, "show", key, "--text", "asm"}), HasSubstr("no text of stage `asm` was kept"));
  EXPECT_THAT(run({kTool, "show", key, "--binary", base.path("kernel.so")}), HasSubstr("wrote the shared-object"));
  EXPECT_THAT(readText(base.path("kernel.so")), StartsWith("\x7f"
                                                           "ELF"));

  writeText(path, "dust");
  EXPECT_THAT(run({kTool, "list"}), HasSubstr("(it is no kernel of the cache)"));
  EXPECT_THAT(run({kTool, "verify"}),
              AllOf(HasSubstr(path + ": it is no kernel of the cache\n"), HasSubstr("1 sound, 1 not")));
  EXPECT_THAT(run({kTool, "verify", "--remove"}), HasSubstr("; removed"));
  EXPECT_THAT(run({kTool, "verify"}), HasSubstr("1 sound, 0 not"));
  EXPECT_THAT(run({kTool, "prune"}), HasSubstr("removed 0 kernels"));
  EXPECT_THAT(run({kTool, "prune", "--size", "none"}), HasSubstr("--size is `none`; it must be a number of bytes"));
  EXPECT_THAT(run({kTool, "prune", "--all"}), HasSubstr("removed 1 kernel,"));
  EXPECT_THAT(run({kTool, "list"}), Not(HasSubstr("scaled_add")));
  const ScopedEnvironment off("TESSERA_CACHE", "off");
  EXPECT_THAT(run({kTool, "list"}), HasSubstr("the cache is off, or there is no folder for it"));
}
