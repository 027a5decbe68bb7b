//===- Arithmetic.h - choose the function of an instruction ----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// All of them return null for what they do not know. What LLVM calls poison comes out as a fixed odd number; only
// division by zero, which LLVM leaves undefined, is a fault.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_SIM_OPS_ARITHMETIC_H
#define TESSERA_TARGET_SIM_OPS_ARITHMETIC_H

#include "Target/Sim/Program.h"

namespace tessera::ir::sim {

enum class IntOp : std::uint8_t {
  Add,
  Sub,
  Mul,
  UDiv,
  SDiv,
  URem,
  SRem,
  Shl,
  LShr,
  AShr,
  And,
  Or,
  Xor,
  SMin,
  SMax,
  UMin,
  UMax,
  UAddSat,
  USubSat,
  SAddSat,
  SSubSat,
  Eq,
  Ne,
  Ugt,
  Uge,
  Ult,
  Ule,
  Sgt,
  Sge,
  Slt,
  Sle,
  Abs,
  CtPop,
  Ctlz,
  Cttz,
  BSwap,
  BitReverse,
  FShl,
  FShr,
};
/// Of integers of one type; comparisons give i1.
ExecFn intFunction(IntOp op, Type type);

enum class FloatOp : std::uint8_t {
  Add,
  Sub,
  Mul,
  Div,
  Rem,
  Neg,
  Fma,
  Abs,
  Sqrt,
  Floor,
  Ceil,
  Trunc,
  Round,
  RoundEven,
  CopySign,
  MinNum,
  MaxNum,
  Minimum,
  Maximum,
  // Elementary functions whose exact form stands for the chip's approximate one.
  Exp2,
  Log2,
  Sin,
  Cos,
  Tanh,
  Reciprocal,
  RSqrt,
};
ExecFn floatFunction(FloatOp op, Type type);

/// A comparison: \p relations has a bit for each relation that gives true: 1 equal, 2 greater, 4 less, 8 unordered,
/// as LLVM numbers its predicates.
ExecFn floatCompare(unsigned relations, Type type);
/// llvm.ldexp with an exponent of type i32.
ExecFn scaleFunction(Type type);
/// llvm.is.fpclass; the classes are in `imm`.
ExecFn floatClass(Type type);

enum class CastOp : std::uint8_t { Trunc, ZExt, SExt, FpToUi, FpToSi, FpToUiSat, FpToSiSat, UiToFp, SiToFp, FpConvert };
ExecFn castFunction(CastOp op, Type from, Type to);

/// Copies a register.
ExecFn moveFunction(Type type);
/// Chooses between in(1) and in(2) by the i1 in(0).
ExecFn selectFunction(Type type);
/// The bytes of all inputs, one after another, as the bytes of all outputs. `imm`: bytes of an input's element + 256 *
/// those of an output's.
ExecFn repackFunction();
/// out = in(0) + in(1) * imm, the index in(1) sign-extended from its type.
ExecFn indexFunction(Type index);

} // namespace tessera::ir::sim

#endif // TESSERA_TARGET_SIM_OPS_ARITHMETIC_H
