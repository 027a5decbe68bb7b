//===- HiddenArguments.h - what a launcher fills in ------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The arguments of images that only a launcher fills in, and the table of sites, as emitters of code leave it on a
// function: an array of dictionaries, one for each print or check: `text` and `location`, strings; of printed values
// `names` and `dtypes`, arrays of strings ("f32", "u8").
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_HIDDENARGUMENTS_H
#define TESSERA_TARGET_HIDDENARGUMENTS_H

#include "IRSupport/LLVM.h"
#include "Runtime/Image.h"

#include <string>

namespace tessera::ir {

void addPrintBuffer(rt::Image &image);
void addFaultFlag(rt::Image &image);
/// The extent of the grid on \p axis, an i64.
void addGridExtent(rt::Image &image, int axis);
/// A descriptor; its name is that of the argument it starts from with `.map`.
void addTensorMap(rt::Image &image, rt::TensorMapRecipe recipe);

/// Appends the sites of \p table. What is wrong with it; empty if nothing is.
std::string addSites(ArrayAttr table, rt::Image &image);

} // namespace tessera::ir

#endif // TESSERA_TARGET_HIDDENARGUMENTS_H
