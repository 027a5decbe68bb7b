//===- Layout.h - the whole layout dialect -----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Umbrella over the dialect, its attributes, types, ops and layout rules.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUT_H
#define TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUT_H

#include "tessera-ir/Dialect/Layout/IR/KernelShape.h"
#include "tessera-ir/Dialect/Layout/IR/LayoutAttrs.h"
#include "tessera-ir/Dialect/Layout/IR/LayoutDialect.h"
#include "tessera-ir/Dialect/Layout/IR/LayoutOps.h"
#include "tessera-ir/Dialect/Layout/IR/LayoutRules.h"
#include "tessera-ir/Dialect/Layout/IR/LayoutTypes.h"

#endif // TESSERA_IR_DIALECT_LAYOUT_IR_LAYOUT_H
