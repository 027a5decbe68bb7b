//===- SubprocessTest.cpp - run another program ---------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Support/Subprocess.h"
#include "Support/Files.h"
#include "unit/ScopedEnvironment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

using namespace tessera::support;
using namespace std::chrono_literals;
using tessera::test::ScopedEnvironment;
using testing::HasSubstr;

TEST(Subprocess, givesStatusAndBothOutputs) {
  const SubprocessResult result = runProgram({"/bin/sh", "-c", "echo out; echo err >&2; exit 3"}, 10s);
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(result.problem, "");
  EXPECT_EQ(result.output, "out\nerr\n");
}

TEST(Subprocess, passesArgumentsAsTheyAre) {
  const SubprocessResult result = runProgram({"/bin/sh", "-c", "printf '%s|' \"$@\"", "sh", "a b", "$HOME", "'"}, 10s);
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.output, "a b|$HOME|'|");
}

TEST(Subprocess, takesMoreOutputThanAPipeHolds) {
  const SubprocessResult result = runProgram({"/bin/sh", "-c", "head -c 300000 /dev/zero"}, 10s);
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.output.size(), 300000u);
}

TEST(Subprocess, saysWhyThereIsNoStatus) {
  EXPECT_THAT(runProgram({"/no/such/program"}, 10s).problem, HasSubstr("cannot start /no/such/program: "));
  EXPECT_THAT(runProgram({"/bin/sh", "-c", "kill -9 $$"}, 10s).problem, HasSubstr("was ended by signal 9"));
  const SubprocessResult late = runProgram({"/bin/sh", "-c", "exec sleep 60"}, 50ms);
  EXPECT_EQ(late.status, -1);
  EXPECT_THAT(late.problem, HasSubstr("took longer than 50 ms"));
}

TEST(Subprocess, findsProgramsInPathFirst) {
  const PrivateFolder first, second;
  ASSERT_EQ(first.problem(), "");
  for (const PrivateFolder *folder : {&first, &second}) {
    ASSERT_EQ(writeFile(folder->path(), "tool", "#!/bin/sh\n"), "");
    std::filesystem::permissions(folder->file("tool"), std::filesystem::perms::owner_all);
  }
  {
    const ScopedEnvironment path("PATH", "relative::/no/such:" + first.path());
    EXPECT_EQ(findProgram("tool", {second.path()}), first.file("tool"));
  }
  const ScopedEnvironment path("PATH", "");
  EXPECT_EQ(findProgram("tool", {second.path()}), second.file("tool"));
  EXPECT_EQ(findProgram("tool"), "");
}

TEST(PrivateFolder, isGoneAtTheEnd) {
  std::string path;
  {
    const PrivateFolder folder;
    ASSERT_EQ(folder.problem(), "");
    path = folder.file("a");
    EXPECT_EQ(writeFile(folder.path(), "a", "text"), "");
    EXPECT_TRUE(std::filesystem::exists(path));
    EXPECT_NE(PrivateFolder().file("a"), path);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(PrivateFolder, saysWhyThereIsNone) {
  const ScopedEnvironment place("TMPDIR", "/proc");
  EXPECT_THAT(PrivateFolder().problem(), HasSubstr("cannot make folder /proc/tessera-"));
}
