//===- LocationsTest.cpp - places and names in locations -------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "IRSupport/Locations.h"
#include "IRSupport/LLVM.h"

#include "mlir/IR/MLIRContext.h"
#include <gtest/gtest.h>

using namespace tessera::ir;

namespace {

struct Locations : testing::Test {
  MLIRContext context;
  Location unknown = mlir::UnknownLoc::get(&context);
  Location place = FileLineColLoc::get(&context, "kernel.cpp", 12, 8);
};

TEST_F(Locations, placeInsideNamesCallsAndFusions) {
  EXPECT_EQ(locationText(place), "kernel.cpp:12:8");
  EXPECT_EQ(locationText(namedLocation("row", place)), "kernel.cpp:12:8");
  EXPECT_EQ(locationText(mlir::CallSiteLoc::get(place, FileLineColLoc::get(&context, "caller.cpp", 1, 1))),
            "kernel.cpp:12:8");
  EXPECT_EQ(locationText(FusedLoc::get(&context, {unknown, namedLocation("row", place)})), "kernel.cpp:12:8");
}

TEST_F(Locations, placesOfTheUsersText) {
  const std::source_location here = std::source_location::current();
  EXPECT_EQ(locationText(placeLocation(&context, here)),
            std::string(here.file_name()) + ":" + std::to_string(here.line()) + ":" + std::to_string(here.column()));
}

TEST_F(Locations, unknownHasNoText) {
  EXPECT_EQ(locationText(unknown), "");
  EXPECT_FALSE(fileLocation(unknown));
}

TEST_F(Locations, namesComeBack) {
  EXPECT_EQ(userName(namedLocation("row", place)), "row");
  EXPECT_EQ(userName(FusedLoc::get(&context, {place, namedLocation("row", unknown)})), "row");
  EXPECT_EQ(userName(place), "");
  EXPECT_EQ(namedLocation("", place), place);
}

} // namespace
