//===- Passes.td - from tile IR to loops over short vectors ----*- tablegen -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef TESSERA_IR_CONVERSION_TILETOHOST_PASSES_TD
#define TESSERA_IR_CONVERSION_TILETOHOST_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertTileToHostPass : Pass<"convert-tile-to-host", "::mlir::ModuleOp"> {
  let summary = "turn a kernel into loops over short vectors";
  let description = [{
    Replaces the `tile.kernel` of a module by an `llvm.func` whose body is of `scf`, `arith`, `math`, `vector` and
    `llvm`, for the processor that the options describe. TileToHost.h says what the function takes and which attributes
    it has.

    - Needs the tile stage in canonical form.
    - Gives no op, type or tensor of `tile`; vectors have one dimension and up to 64 elements of 1, 8, 16, 32 or 64
    bits. - Numerics: as SEMANTICS says; sums and products carry `contract` where `fp-contract` allows it.
  }];
  let options = [
    Option<"vectorBytes", "vector-bytes", "unsigned", "64", "bytes of a vector in loops that compute">,
    Option<"streamVectorBytes", "stream-vector-bytes", "unsigned", "32", "bytes of a vector in loops that move data">,
    Option<"hasFma", "fma", "bool", "true", "the processor has fused multiply-add">,
    Option<"hasF16C", "f16c", "bool", "true", "the processor converts between f16 and f32">,
    Option<"maskedNarrow", "masked-narrow", "bool", "true", "it has masked accesses of 8- and 16-bit elements">,
    Option<"fastGather", "fast-gather", "bool", "true", "its gathers beat loops over lanes">,
    Option<"fuse", "fuse", "bool", "true", "plan fused loops">,
    Option<"fpContract", "fp-contract", "bool", "true", "`a * b + c` may round once">,
    Option<"checks", "checks", "bool", "false", "emit assertions">,
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::vector::VectorDialect", "::mlir::scf::SCFDialect",
                           "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def PrintHostPlanPass : Pass<"tile-print-host-plan", "::mlir::ModuleOp"> {
  let summary = "print where tiles would live and which ops would share a loop";
  let description = [{
    Prints the plan by which `-convert-tile-to-host` would emit each kernel, as a text for people and tests.
  }];
  let options = [
    Option<"vectorBytes", "vector-bytes", "unsigned", "64", "bytes of a vector in loops that compute">,
    Option<"streamVectorBytes", "stream-vector-bytes", "unsigned", "32", "bytes of a vector in loops that move data">,
    Option<"fuse", "fuse", "bool", "true", "plan fused loops">,
    Option<"checks", "checks", "bool", "false", "plan assertions">,
  ];
}

#endif // TESSERA_IR_CONVERSION_TILETOHOST_PASSES_TD
