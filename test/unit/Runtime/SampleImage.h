//===- SampleImage.h - an image for tests ----------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_RUNTIME_SAMPLEIMAGE_H
#define TESSERA_TEST_UNIT_RUNTIME_SAMPLEIMAGE_H

#include "Runtime/Image.h"

namespace tessera::rt {

inline Argument pointer(const char *name, DType dtype) {
  Argument argument;
  argument.kind = ArgumentKind::Pointer;
  argument.name = name;
  argument.dtype = dtype;
  return argument;
}
inline Argument scalar(const char *name, DType dtype) {
  Argument argument;
  argument.name = name;
  argument.dtype = dtype;
  return argument;
}

/// An image that uses everything the format has.
inline Image sampleImage() {
  Image image;
  image.target = "cuda:sm_90a";
  image.format = "cubin";
  image.kernel = "matmul";
  image.entry = "matmul_kernel";
  image.arguments = {pointer("a", f16), scalar("flag", i1), scalar("m", i64), scalar("k", i32)};
  image.arguments[0].read = image.arguments[0].mayAlias = true;

  Argument map;
  map.kind = ArgumentKind::TensorMap;
  map.name = "a.map";
  map.tensorMap.emplace();
  map.tensorMap->dtype = f16;
  map.tensorMap->extents = {Expr::argument(3), Expr::argument(2)};
  map.tensorMap->strides = {Expr::argument(3) * 2};
  map.tensorMap->box = {64, 128};
  map.tensorMap->swizzle = TensorSwizzle::Bytes128;
  image.arguments.push_back(map);

  Argument workspace;
  workspace.kind = ArgumentKind::Workspace;
  workspace.dtype = f32;
  workspace.name = "partial";
  workspace.zeroed = true;
  workspace.bytes = Expr::argument(2) * Expr::numPrograms(0) * 4;
  image.arguments.push_back(workspace);

  Argument grid;
  grid.kind = ArgumentKind::Value;
  grid.dtype = i64;
  grid.value = Expr::numPrograms(1);
  image.arguments.push_back(grid);

  image.threadsPerProgram = 384;
  image.sharedBytes = 200000;
  image.staticSharedBytes = 16;
  image.cluster = {2, 1, 1};
  image.launchGrid = {Expr::device(DeviceFact::Multiprocessors), 1, 1};
  image.requirements = {Expr::binary(ExprCode::Eq, Expr::binary(ExprCode::RemFloor, Expr::argument(0), 16), 0)};
  image.sites = {{"row", "kernel.cpp:7:3", {"x", "y"}, {f32, i64}}};
  image.setFact("registers", "168");
  image.setFact("key", "abc");
  image.binary = {std::byte{1}, std::byte{2}, std::byte{3}};
  image.layOut();
  return image;
}

} // namespace tessera::rt

#endif // TESSERA_TEST_UNIT_RUNTIME_SAMPLEIMAGE_H
