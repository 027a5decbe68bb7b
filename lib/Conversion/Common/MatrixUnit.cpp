//===- MatrixUnit.cpp - which unit of a chip takes a product --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/Common/MatrixUnit.h"

namespace tessera::ir {

MatrixUnits::~MatrixUnits() = default;

} // namespace tessera::ir
