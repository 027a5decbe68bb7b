//===- Passes.td - from kernels with layouts to a thread's code -*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_CONVERSION_LAYOUTTOLLVM_PASSES_TD
#define TESSERA_IR_CONVERSION_LAYOUTTOLLVM_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertLayoutToLLVMPass : Pass<"convert-layout-to-llvm", "::mlir::ModuleOp"> {
  let summary = "turn a kernel with layouts into the code of one thread";
  let description = [{
    Replaces the `tile.kernel` of a module by an `llvm.func` whose body is of `scf`, `arith`, `math` and `llvm` on
    scalars: a tile is the list of the registers that its layout gives a thread. LayoutToLLVM.h says what the function
    takes and which attributes it has, Border.h which functions it calls.

    - Needs the layout stage: layouts follow the rules, conversions stay within a warp, shared memory has its place.
    - Gives no op or type of `tile` and `layout`, and no tensor.
    - Numerics: as SEMANTICS says; sums and products carry `contract` where `fp-contract` allows it.
  }];
  let options = [Option<"target", "target", "std::string", "\"cuda:sm_80\"", "what the code is for">,
                 Option<"fpContract", "fp-contract", "bool", "true", "`a * b + c` may round once">,
                 Option<"checks", "checks", "bool", "false", "emit assertions">,
                 Option<"foldGrid", "fold-grid", "bool", "false", "all programs are launched on axis x">,
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect", "::mlir::vector::VectorDialect"];
}

def ExpandDotsPass : Pass<"layout-expand-dots", "::mlir::ModuleOp"> {
  let summary = "bring the operands of products where they belong";
  let description = [{
    A `tile.dot` becomes a `layout.shared_dot` of buffers with its operands: under the layouts of the chip's matrix unit
    of warps, where it has one for the product. Operands that are in registers as the unit takes them stay there.
    Without a vendor's hooks there is no unit. Where shared memory does not hold both operands, their parts along k are
    multiplied one after another.
  }];
  let options = [Option<"target", "target", "std::string", "\"cuda:sm_80\"", "what the code is for">];
  let dependentDialects = ["::tessera::ir::layout::LayoutDialect"];
}

#endif // TESSERA_IR_CONVERSION_LAYOUTTOLLVM_PASSES_TD
