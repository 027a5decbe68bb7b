//===- Dot.cpp - products of matrices ------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// SEMANTICS D1 to D3.
//
//===---------------------------------------------------------------------===//

#include "tessera/lang/Dot.h"

#include "Frontend/Recorder.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

namespace tessera::ir {

static bool isFnuz(DType dtype) { return dtype == e4m3fnuz || dtype == e5m2fnuz; }

/// The accumulator's dtype (SEMANTICS D1), None where the two do not multiply.
static DType accumulatorOf(DType a, DType b) {
  if (a.isFp8() && b.isFp8())
    return isFnuz(a) == isFnuz(b) ? f32 : DType{};
  if (a != b)
    return {};
  if (a == f16 || a == bf16 || a == f32)
    return f32;
  if (a == f64)
    return f64;
  return a == i8 ? i32 : DType{};
}

static std::string_view whyNoProduct(DType a, DType b) {
  if (a.isPointer() || b.isPointer())
    return "load the elements first";
  if (a.isFp8() && b.isFp8())
    return "fp8 kinds of OCP mix with each other, and fnuz kinds with each other; convert one side with .to";
  if (a == u8 || b == u8)
    return "dot multiplies signed bytes; convert with .to(i8) where all values are below 128, or with .to(f16)";
  const bool eachMultiplies = accumulatorOf(a, a) != DType{} && accumulatorOf(b, b) != DType{};
  if (eachMultiplies)
    return "both sides have one dtype (e4m3 and e5m2 may mix); convert one with .to";
  return "dot takes f16, bf16, fp8, f32, f64 and i8; convert with .to";
}

static tile::DotPrecision precisionOf(Precision precision) {
  switch (precision) {
  case Precision::ieee:
    return tile::DotPrecision::IEEE;
  case Precision::tf32:
    return tile::DotPrecision::TF32;
  case Precision::tf32x3:
    return tile::DotPrecision::TF32x3;
  case Precision::bf16x3:
    return tile::DotPrecision::BF16x3;
  }
  return tile::DotPrecision::IEEE;
}

/// The shape of the product; UsageError if the two do not fit.
static SmallVector<std::int64_t> productShape(const Recorder &r, Typed a, Typed b) {
  const std::size_t rank = rankOf(a);
  if (rank != rankOf(b) || rank < 2 || rank > 3)
    r.fail(
        "{}: both have 2 axes, or 3 with one product for each place on the first; use reshape, expand_dims, .row() or "
        ".col()",
        cannot("multiply", {a, b}));
  const ArrayRef<std::int64_t> aShape = shapeOf(a), bShape = shapeOf(b);
  if (aShape[rank - 1] != bShape[rank - 2])
    r.fail("{}: {} columns and {} rows; the left has as many columns as the right has rows; use trans",
           cannot("multiply", {a, b}), aShape[rank - 1], bShape[rank - 2]);
  if (rank == 3 && aShape[0] != bShape[0])
    r.fail("{}: {} products and {}; the first extents are equal; use broadcast_to", cannot("multiply", {a, b}),
           aShape[0], bShape[0]);
  SmallVector<std::int64_t> shape(aShape);
  shape.back() = bShape.back();
  checkBlock(shape, fmt::format("the product of {} and {}", describe(a), describe(b)), r.at);
  return shape;
}

/// \p accumulator is null where the user gave none.
static Typed dot(Recorder &r, const Operand &left, const Operand &right, const Operand *accumulator,
                 const DotOptions &options) {
  r.refuseInCombine("dot");
  const Typed a = r.operand(left), b = r.operand(right);
  const DType dtype = accumulatorOf(a.dtype, b.dtype);
  if (dtype == DType{})
    r.fail("{}: {}", cannot("multiply", {a, b}), whyNoProduct(a.dtype, b.dtype));
  const SmallVector<std::int64_t> shape = productShape(r, a, b);
  if (options.max_imprecise_k < 0)
    r.fail("max_imprecise_k is {}; it is at least 1, or 0 to leave it to the unit", options.max_imprecise_k);
  Typed acc;
  if (accumulator) {
    acc = r.operand(*accumulator);
    if (accumulator->isLiteral() || acc.dtype != dtype || shapeOf(acc) != ArrayRef<std::int64_t>(shape))
      r.fail("the accumulator is {} where {} times {} gives a tile of {} {}; it must be exactly that; start with "
             "zeros({}, "
             "{{...}}) or leave it out",
             describe(*accumulator), describe(a), describe(b), nameOf(dtype), nameOf(shape), nameOf(dtype));
  } else {
    acc = r.constantInt(dtype, 0, shape);
  }
  const auto precision = a.dtype == f32 ? precisionOf(options.precision) : tile::DotPrecision::IEEE;
  return {tile::DotOp::create(r.builder(), r.loc, a.value, b.value, acc.value, precision,
                              a.dtype.isFp8() ? options.max_imprecise_k : 0),
          dtype};
}

} // namespace tessera::ir

namespace tessera {

Tile dot(Operand a, Operand b, Operand acc, DotOptions options, std::source_location at) {
  ir::Recorder r(at);
  return r.tile(ir::dot(r, a, b, &acc, options));
}

Tile dot(Operand a, Operand b, DotOptions options, std::source_location at) {
  ir::Recorder r(at);
  return r.tile(ir::dot(r, a, b, nullptr, options));
}

} // namespace tessera
