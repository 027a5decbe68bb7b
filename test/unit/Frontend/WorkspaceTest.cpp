//===- WorkspaceTest.cpp - memory that the launcher provides -------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Expect.h"

#include "tessera/lang/Math.h"
#include "tessera/lang/Workspace.h"

#include <gtest/gtest.h>

using namespace tessera;
using test::expectIR;

// SEMANTICS P1b
TEST(Workspace, ofAConstantSize) {
  expectIR([] { Ptr<f32> p = workspace<f32>(1024); },
           {"arith.constant 1024 : i64", "tile.workspace %", ": !tile.ptr<f32>"});
  expectIR([] { Ptr<i32> p = workspace<i32>(1, {.zeroed = true}); }, {"tile.workspace %", "zeroed : !tile.ptr<i32>"});
}

// SEMANTICS P1b
TEST(Workspace, ofASizeTheLauncherKnows) {
  expectIR([](Int n, I32 m) { Ptr<f32> p = workspace<f32>(cdiv(n, 128) * num_programs(0) + m); },
           {"tile.idiv", "rounding ceil", "tile.num_programs x", "arith.muli", "arith.extsi", "arith.addi",
            "tile.workspace %"});
  expectIR([](Int n) { Ptr<f32> p = workspace<f32>(where(n < 64, minimum(n, 8), maximum(n / 2, 1)) - 1); },
           {"arith.cmpi", "arith.minsi", "tile.idiv", "arith.maxsi", "arith.select", "arith.subi", "tile.workspace %"});
}
