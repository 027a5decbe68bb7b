//===- Products.h - the matrix instructions of a block ---------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_AMD_PRODUCTS_H
#define TESSERA_TARGET_AMD_PRODUCTS_H

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Instruction.h"

#include <vector>

namespace tessera::ir::amd {

/// Matrix instructions in their order.
using Products = llvm::SmallVector<llvm::Instruction *, 0>;

/// So many are worth to be told to the code generator.
inline constexpr std::size_t kManyProducts = 8;

bool isMatrixProduct(const llvm::Value *value); ///< null is none
Products productsOf(llvm::BasicBlock &block);

/// Whether \p instruction reads shared memory by an intrinsic: columns (Layout/MatrixLoad.h).
bool readsColumns(const llvm::Instruction &instruction);

/// The products of \p block in runs, one after another: none takes what is computed from the results of its own run but
/// by adding to them.
std::vector<Products> runsOfProducts(llvm::BasicBlock &block);

/// What products of a block read from shared memory there.
struct SharedReads {
  explicit SharedReads(const Products &products);

  llvm::SmallSetVector<llvm::Instruction *, 32> all; ///< in the order in which they are needed
  /// Of the first step along k, which ends where a sum is added to again.
  std::size_t productsOfFirst = 0, readsOfFirst = 0;
};

} // namespace tessera::ir::amd

#endif // TESSERA_TARGET_AMD_PRODUCTS_H
