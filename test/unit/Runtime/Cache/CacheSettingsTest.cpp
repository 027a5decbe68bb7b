//===- CacheSettingsTest.cpp - where the disk cache lies ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Cache/CacheSettings.h"

#include "unit/CollectedNotes.h"
#include "unit/Expect.h"
#include "unit/ScopedEnvironment.h"
#include "unit/TemporaryFolder.h"

#include <sys/stat.h>
#include <unistd.h>

using namespace tessera;
using namespace tessera::rt;
using tessera::test::CollectedNotes;
using tessera::test::ScopedEnvironment;
using tessera::test::TemporaryFolder;
using tessera::test::wordsOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(CacheSettings, followTheEnvironment) {
  const ScopedEnvironment home("HOME", "/somewhere");
  const ScopedEnvironment mode("TESSERA_CACHE", "");
  {
    const ScopedEnvironment xdg("XDG_CACHE_HOME", "");
    EXPECT_EQ(cacheSettings().folder, "/somewhere/.cache/tessera");
  }
  {
    const ScopedEnvironment xdg("XDG_CACHE_HOME", "relative");
    EXPECT_EQ(cacheSettings().folder, "/somewhere/.cache/tessera");
  }
  const ScopedEnvironment xdg("XDG_CACHE_HOME", "/xdg");
  EXPECT_EQ(cacheSettings().folder, "/xdg/tessera");
  EXPECT_EQ(cacheSettings().mode, CacheMode::ReadWrite);
  EXPECT_EQ(cacheSettings().limit, std::uint64_t{1} << 30);
  EXPECT_THAT(cacheSettings().overlays, ElementsAre());

  const ScopedEnvironment folder("TESSERA_CACHE_DIR", "/mine");
  const ScopedEnvironment path("TESSERA_CACHE_PATH", "/one::/two:");
  const ScopedEnvironment size("TESSERA_CACHE_SIZE", "3M");
  const ScopedEnvironment readOnly("TESSERA_CACHE", "ro");
  EXPECT_EQ(cacheSettings().folder, "/mine");
  EXPECT_THAT(cacheSettings().overlays, ElementsAre("/one", "/two"));
  EXPECT_EQ(cacheSettings().limit, std::uint64_t{3} << 20);
  EXPECT_EQ(cacheSettings().mode, CacheMode::ReadOnly);
}

TEST(CacheSettings, namesTheVariableThatMakesNoSense) {
  const auto words = [](const char *name, const char *value) {
    const ScopedEnvironment mode("TESSERA_CACHE", "rw");
    const ScopedEnvironment set(name, value);
    return wordsOf<UsageError>([] { cacheSettings(); });
  };
  EXPECT_THAT(words("TESSERA_CACHE", "on"), HasSubstr("TESSERA_CACHE is `on`; it must be rw, ro or off"));
  EXPECT_THAT(words("TESSERA_CACHE_DIR", "here"),
              HasSubstr("TESSERA_CACHE_DIR is `here`; it must be an absolute path"));
  EXPECT_THAT(words("TESSERA_CACHE_PATH", "/a:b"), HasSubstr("TESSERA_CACHE_PATH names `b`"));
  for (const char *value : {"many", "-1", "1T", "1 M", "99999999999G", "99999999999999999999"})
    EXPECT_THAT(words("TESSERA_CACHE_SIZE", value), HasSubstr("it must be a number of bytes")) << value;
}

TEST(CacheDirectory, isMadeWhenItMayBe) {
  const TemporaryFolder base;
  const ScopedEnvironment folder("TESSERA_CACHE_DIR", base.path("cache"));
  for (const char *mode : {"off", "ro"}) {
    const ScopedEnvironment set("TESSERA_CACHE", mode);
    EXPECT_EQ(cacheDirectory(), "");
    EXPECT_FALSE(std::filesystem::exists(base.path("cache")));
  }
  const ScopedEnvironment set("TESSERA_CACHE", "rw");
  EXPECT_EQ(cacheDirectory(), base.path("cache"));
  EXPECT_TRUE(std::filesystem::exists(base.path("cache")));
  const ScopedEnvironment readOnly("TESSERA_CACHE", "ro");
  EXPECT_EQ(cacheDirectory(), base.path("cache"));
}

TEST(CacheDirectory, saysOnceWhatIsWrongWithIt) {
  const TemporaryFolder base;
  const ScopedEnvironment folder("TESSERA_CACHE_DIR", base.path());
  const ScopedEnvironment mode("TESSERA_CACHE", "rw");
  ::chmod(base.path().c_str(), 0777);
  const CollectedNotes notes;
  EXPECT_EQ(cacheDirectory(), "");
  EXPECT_EQ(cacheDirectory(), "");
  EXPECT_THAT(notes.lines, ElementsAre(HasSubstr("nothing is kept between processes: folder " + base.path() +
                                                 " is not used: others may write to it (mode 0777)")));
}
