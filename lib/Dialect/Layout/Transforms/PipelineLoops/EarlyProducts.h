//===- EarlyProducts.h - products begun a round ahead ----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Before:  scf.for { %s = product of what the round loads;  %p = f(%s);  %acc = product of %p and more }
// After:   %s0 = the product of the first round, if there is one
//          scf.for, carrying %s { %p = f(%s);  %s' = that product of the next round;  %acc = product of %p and more }
//
// So matrix units work on the first product while the program computes from the second's, and not in turns.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_DIALECT_LAYOUT_TRANSFORMS_PIPELINELOOPS_EARLYPRODUCTS_H
#define TESSERA_DIALECT_LAYOUT_TRANSFORMS_PIPELINELOOPS_EARLYPRODUCTS_H

#include "Arch/Chip.h"
#include "IRSupport/LLVM.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera::ir::layout {

/// Begins asynchronous products in the body of \p loop a round ahead where another product of the round multiplies
/// what is made of them, all that they need may be loaded then, and \p chip has registers for both; waits for products
/// where the first op needs them. Gives the loop that is there now.
mlir::scf::ForOp beginProductsEarly(mlir::scf::ForOp loop, const arch::Chip &chip);

} // namespace tessera::ir::layout

#endif // TESSERA_DIALECT_LAYOUT_TRANSFORMS_PIPELINELOOPS_EARLYPRODUCTS_H
