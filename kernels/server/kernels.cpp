//===- kernels.cpp - what the server of the example has compiled ahead ----===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The last layer of a classifier of 128 classes: products of rows with a matrix of weights, then softmax over them.
//
//===---------------------------------------------------------------------===//

#include "matmul/matmul.h"
#include "softmax/softmax.h"

#include "tessera/runtime/Bundler.h"

using namespace tessera;

void bundle(Bundler &b) {
  b.add(kernels::matmul<f32>.with({.bm = 64, .bn = 64, .bk = 32}), {.name = "scores"});
  b.add(kernels::softmax<f32>.with(kernels::SoftmaxConfig::forColumns(128)), {.name = "softmax"});
}
