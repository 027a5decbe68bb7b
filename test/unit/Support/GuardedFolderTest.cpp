//===- GuardedFolderTest.cpp - folders nobody else can write to -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Support/GuardedFolder.h"

#include "unit/TemporaryFolder.h"

#include "gmock/gmock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tessera;
using namespace tessera::support;
using tessera::test::readText;
using tessera::test::TemporaryFolder;
using tessera::test::writeText;
using testing::HasSubstr;

static std::vector<std::byte> bytesOf(std::string_view text) {
  const auto *first = reinterpret_cast<const std::byte *>(text.data());
  return {first, first + text.size()};
}

static unsigned modeOf(const std::string &path) {
  struct stat facts{};
  return ::stat(path.c_str(), &facts) == 0 ? facts.st_mode & 07777u : 0;
}

TEST(GuardedFolder, isMadeForTheUserAlone) {
  const TemporaryFolder base;
  const std::string path = base.path("a/b");
  EXPECT_FALSE(GuardedFolder::open(path, Trust::User, false));
  EXPECT_EQ(GuardedFolder::open(path, Trust::User, false).problem(), "");
  const GuardedFolder folder = GuardedFolder::open(path, Trust::User, true);
  ASSERT_TRUE(folder) << folder.problem();
  EXPECT_EQ(modeOf(base.path("a")), 0700u);
  EXPECT_EQ(modeOf(path), 0700u);
}

TEST(GuardedFolder, replacesFilesAtOnce) {
  const TemporaryFolder base;
  const GuardedFolder folder = GuardedFolder::open(base.path(), Trust::User, false);
  ASSERT_TRUE(folder);
  EXPECT_EQ(folder.replace("file", bytesOf("first")), "");
  const GuardedFolder::File before = folder.openFile("file", O_RDONLY);
  ASSERT_TRUE(before.handle) << before.problem;
  EXPECT_EQ(folder.replace("file", bytesOf("second")), "");
  EXPECT_EQ(GuardedFolder::read(before, 100), bytesOf("first")) << "who reads goes on reading what was there";
  EXPECT_EQ(readText(base.path("file")), "second");
  EXPECT_EQ(modeOf(base.path("file")), 0600u);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(base.path()), {}), 1);
  EXPECT_FALSE(GuardedFolder::read(folder.openFile("file", O_RDONLY), 3)) << "more than the limit";
}

TEST(GuardedFolder, saysWhyItCannotBeMade) {
  const TemporaryFolder base;
  writeText(base.path("file"), "");
  EXPECT_THAT(GuardedFolder::open(base.path("file/below"), Trust::User, true).problem(), HasSubstr("Not a directory"));
  EXPECT_THAT(GuardedFolder::open(base.path("file"), Trust::User, true).problem(), HasSubstr("Not a directory"));
}

TEST(GuardedFolder, refusesWhatOthersMayWriteTo) {
  const TemporaryFolder base;
  ::chmod(base.path().c_str(), 0770);
  EXPECT_THAT(GuardedFolder::open(base.path(), Trust::User, true).problem(),
              HasSubstr("others may write to it (mode 0770)"));
  ::chmod(base.path().c_str(), 0755);
  const GuardedFolder folder = GuardedFolder::open(base.path(), Trust::User, true);
  ASSERT_TRUE(folder) << folder.problem();
  writeText(base.path("file"), "text");
  ::chmod(base.path("file").c_str(), 0646);
  EXPECT_THAT(folder.openFile("file", O_RDONLY).problem, HasSubstr("others may write to it (mode 0646)"));
  ::chmod(base.path("file").c_str(), 0644);
  EXPECT_TRUE(folder.openFile("file", O_RDONLY).handle);
}

TEST(GuardedFolder, refusesWhatIsNoFile) {
  const TemporaryFolder base;
  const GuardedFolder folder = GuardedFolder::open(base.path(), Trust::User, false);
  ASSERT_TRUE(folder);
  EXPECT_EQ(folder.openFile("none", O_RDONLY).problem, "");
  ASSERT_EQ(::mkfifo(base.path("pipe").c_str(), 0600), 0);
  EXPECT_THAT(folder.openFile("pipe", O_RDONLY).problem, HasSubstr("no regular file"));
  ASSERT_EQ(::mkdir(base.path("folder").c_str(), 0700), 0);
  EXPECT_THAT(folder.openFile("folder", O_RDONLY).problem, HasSubstr("no regular file"));
  writeText(base.path("file"), "text");
  ASSERT_EQ(::symlink(base.path("file").c_str(), base.path("link").c_str()), 0);
  EXPECT_THAT(folder.openFile("link", O_RDONLY).problem, HasSubstr("symbolic link"));
}

TEST(GuardedFolder, refusesWhatBelongsToOthers) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "only root can give files away";
  const TemporaryFolder base;
  const GuardedFolder folder = GuardedFolder::open(base.path(), Trust::User, false);
  writeText(base.path("file"), "text");
  ASSERT_EQ(::chown(base.path("file").c_str(), 12345, 12345), 0);
  EXPECT_THAT(folder.openFile("file", O_RDONLY).problem, HasSubstr("it belongs to user 12345"));
  ASSERT_EQ(::chown(base.path().c_str(), 12345, 12345), 0);
  for (Trust trust : {Trust::User, Trust::UserOrRoot})
    EXPECT_THAT(GuardedFolder::open(base.path(), trust, false).problem(), HasSubstr("it belongs to user 12345"));
}
