//===- BuildIdTest.cpp - which build of a library this is -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Support/BuildId.h"

#include "Support/Version.h"

#include "gmock/gmock.h"

using namespace tessera::support;

TEST(BuildId, tellsLibrariesApart) {
  static const int here = 0;
  const std::string program = buildIdOf(&here), library = buildIdOf(libraryVersion().data());
  EXPECT_THAT(program, testing::MatchesRegex("[0-9a-f]{40}"));
  EXPECT_THAT(library, testing::MatchesRegex("[0-9a-f]{40}"));
  EXPECT_NE(program, library);
}

TEST(BuildId, fallsBackToTheFile) {
  int onTheStack = 0;
  EXPECT_THAT(buildIdOf(&onTheStack), testing::StartsWith("/proc/self/exe "));
}
