//===- DTypes.cpp - element types as the language names them --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "tessera-ir/Dialect/Tile/IR/DTypes.h"

#include "IRSupport/LLVM.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "llvm/ADT/TypeSwitch.h"

namespace tessera::ir::tile {

DType dtypeOf(Type type, bool isUnsigned) {
  type = elementOf(type);
  if (auto pointer = dyn_cast<PtrType>(type))
    return ptr_to(dtypeOf(pointer.getPointee(), isUnsigned));
  if (auto integer = dyn_cast<IntegerType>(type))
    switch (integer.getWidth()) {
    case 1:
      return i1;
    case 8:
      return isUnsigned ? u8 : i8;
    case 16:
      return isUnsigned ? u16 : i16;
    case 32:
      return isUnsigned ? u32 : i32;
    default:
      return isUnsigned ? u64 : i64;
    }
  return llvm::TypeSwitch<Type, DType>(type)
      .Case<mlir::Float16Type>([](Type) { return f16; })
      .Case<mlir::BFloat16Type>([](Type) { return bf16; })
      .Case<mlir::Float32Type>([](Type) { return f32; })
      .Case<mlir::Float64Type>([](Type) { return f64; })
      .Case<mlir::Float8E4M3FNType>([](Type) { return e4m3; })
      .Case<mlir::Float8E5M2Type>([](Type) { return e5m2; })
      .Case<mlir::Float8E4M3FNUZType>([](Type) { return e4m3fnuz; })
      .Case<mlir::Float8E5M2FNUZType>([](Type) { return e5m2fnuz; })
      .Default([](Type) { return DType{}; });
}

} // namespace tessera::ir::tile
