//===- MatrixInstruction.cpp - products that a warp multiplies ------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// MFMA multiplies f32 by a chain of fused multiply-adds that keep small numbers: exactly as f32. What is asked for less
// exactly is multiplied so too where the chip has nothing faster. Three products of bf16 are more exact than one of
// tf32, and far faster than f32 where units of bf16 are.
//
// Which instruction has 32 rows and which 16 changes neither their number for a product nor its time, but the larger
// one reads each operand half as often.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToROCDL/MatrixInstruction.h"

#include "Layout/FlatIndex.h"

#include <fmt/format.h>

namespace tessera::ir::gpu {

using arch::Feature;
using ::tessera::layout::log2Of;
using ::tessera::layout::WarpGrid;

//===----------------------------------------------------------------------===//
// fp8
//===----------------------------------------------------------------------===//

static bool isFp8(Type element) { return isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 8; }

/// Whether the units of \p chip multiply \p element, an fp8.
static bool multipliesFp8(const arch::Chip &chip, Type element) {
  const bool isFnuz = isa<mlir::Float8E4M3FNUZType, mlir::Float8E5M2FNUZType>(element);
  const bool isOcp = isa<mlir::Float8E4M3FNType, mlir::Float8E5M2Type>(element);
  return chip.has(Feature::Fp8Mma) && ((isFnuz && chip.has(Feature::Fp8Fnuz)) || (isOcp && chip.has(Feature::Fp8Ocp)));
}

/// 0 for e4m3, 1 for e5m2.
static int formatOf(Type element) { return isa<mlir::Float8E4M3FNType, mlir::Float8E4M3FNUZType>(element) ? 0 : 1; }

static StringRef nameOfFp8(Type element) { return formatOf(element) == 0 ? "fp8" : "bf8"; }

/// What elements of the types \p a and \p b are converted to: fp8 of kinds that units lack to f16, or to bf16 where
/// they do not keep the smallest numbers of f16. Either holds it exactly.
static std::pair<Type, Type> unitElements(const arch::Chip &chip, Type a, Type b) {
  if (!isFp8(a) || !isFp8(b) || (multipliesFp8(chip, a) && multipliesFp8(chip, b)))
    return {a, b};
  MLIRContext *const context = a.getContext();
  const Type wide = chip.has(Feature::MfmaFlushesDenormals) ? Type(mlir::BFloat16Type::get(context))
                                                            : Type(mlir::Float16Type::get(context));
  return {wide, wide};
}

//===----------------------------------------------------------------------===//
// MFMA
//===----------------------------------------------------------------------===//

namespace {

/// What is multiplied as what.
enum class Kind { F16, BF16, Split, I8, Fp8, F32, Tf32, F64 };

/// What a warp is to multiply.
struct Request {
  Type a, b; ///< elements, as the unit takes them
  tile::DotPrecision precision;
  std::int64_t rows, columns, depth;
};

} // namespace

static std::optional<Kind> kindOf(const arch::Chip &chip, const Request &request) {
  const Type a = request.a, b = request.b;
  if (isFp8(a) && isFp8(b))
    return Kind::Fp8;
  if (a != b)
    return std::nullopt;
  if (a.isF16())
    return Kind::F16;
  if (a.isBF16())
    return Kind::BF16;
  if (a.isInteger(8))
    return Kind::I8;
  const bool isMfma = chip.has(Feature::Mfma);
  if (a.isF64())
    return isMfma ? std::optional(Kind::F64) : std::nullopt;
  if (!a.isF32())
    return std::nullopt;
  const bool keepsSmallParts = !chip.has(Feature::MfmaFlushesDenormals);
  if (request.precision == tile::DotPrecision::BF16x3 && keepsSmallParts)
    return Kind::Split;
  if (request.precision == tile::DotPrecision::TF32) {
    if (chip.has(Feature::MfmaTf32))
      return Kind::Tf32;
    if (chip.has(Feature::Mfma16Bytes) || !isMfma)
      return Kind::Split;
  }
  return isMfma ? std::optional(Kind::F32) : std::nullopt;
}

/// The exponent of the elements that a run has: 16 bytes.
static int runBitsOf(Kind kind) {
  switch (kind) {
  case Kind::I8:
  case Kind::Fp8:
    return 4;
  case Kind::F16:
  case Kind::BF16:
    return 3;
  case Kind::Split:
  case Kind::F32:
  case Kind::Tf32:
    return 2;
  case Kind::F64:
    return 1;
  }
  return 0;
}

/// Elements along k that a lane gives the instruction of all small formats.
static constexpr std::int64_t kOfAllFormats = 32;

/// Elements along k that a lane gives an MFMA.
static std::int64_t elementsOfMfma(const arch::Chip &chip, Kind kind, std::int64_t groups, std::int64_t depth) {
  // The widest that the product is deep enough for.
  const bool has16 = chip.has(Feature::Mfma16Bytes);
  switch (kind) {
  case Kind::F16:
  case Kind::BF16:
  case Kind::Split:
    return has16 && depth >= 8 * groups ? 8 : 4;
  case Kind::I8:
    return has16 && depth >= 16 * groups ? 16 : chip.has(Feature::Mfma8Bytes) ? 8 : 4;
  case Kind::Fp8: // chips that take 16 bytes of others have an instruction of all small formats, of 32 bytes
    return has16 && depth >= kOfAllFormats * groups ? kOfAllFormats : 8;
  case Kind::Tf32:
    return 2;
  default:
    return 1;
  }
}

/// What follows the depth in the name of an MFMA.
static std::string endOfName(Kind kind, std::int64_t elements, const Request &request) {
  switch (kind) {
  case Kind::F16:
    return elements == 8 ? ".f16" : "f16";
  case Kind::BF16:
  case Kind::Split:
    return elements == 8 ? ".bf16" : "bf16.1k";
  case Kind::I8:
    return elements >= 8 ? ".i8" : "i8";
  case Kind::Fp8: // operands are exchanged
    if (elements == kOfAllFormats)
      return ".f8f6f4";
    return fmt::format(".{}.{}", nameOfFp8(request.b).str(), nameOfFp8(request.a).str());
  case Kind::F32:
    return "f32";
  case Kind::Tf32:
    return ".xf32";
  case Kind::F64:
    return "f64";
  }
  return {};
}

/// \p count numbers in registers; one is itself.
static Type several(std::int64_t count, Type type) { return count == 1 ? type : mlir::VectorType::get({count}, type); }

static MatrixInstruction mfma(const arch::Chip &chip, Kind kind, const Request &request) {
  constexpr std::int64_t kLarge = 32, kSmall = 16;
  const bool isLarge = kind != Kind::F64 && request.rows >= kLarge && request.columns >= kLarge;
  const std::int64_t side = isLarge ? kLarge : kSmall, groups = chip.warpSize / side,
                     elements = elementsOfMfma(chip, kind, groups, request.depth);
  OpBuilder b(request.a.getContext());
  MatrixInstruction result;
  result.fragment = {.rows = kind == Kind::F64 ? "llrr"
                             : isLarge         ? "rrlrr"
                                               : "rrll",
                     .laneBits = log2Of(chip.warpSize),
                     .depthBits = log2Of(elements),
                     .runBits = runBitsOf(kind),
                     .hasCopies = false};
  result.result = kind == Kind::F64 ? Type(b.getF64Type()) : kind == Kind::I8 ? Type(b.getI32Type()) : b.getF32Type();
  result.isSplit = kind == Kind::Split;
  const bool hasFormats = kind == Kind::Fp8 && elements == kOfAllFormats;
  if (hasFormats) {
    result.operands = MatrixInstruction::Operands::MfmaFormats;
    result.formats = {formatOf(request.b), formatOf(request.a)}; // operands are exchanged
  }
  result.name = fmt::format("mfma.{}{}.{}x{}x{}{}", hasFormats ? "scale." : "",
                            kind == Kind::F64  ? "f64"
                            : kind == Kind::I8 ? "i32"
                                               : "f32",
                            side, side, elements * groups, endOfName(kind, elements, request));
  switch (kind) {
  case Kind::F16:
    result.operand = several(elements, b.getF16Type());
    break;
  case Kind::BF16:
  case Kind::Split:
    result.operand = several(elements, elements == 8 ? Type(b.getBF16Type()) : Type(b.getI16Type()));
    break;
  case Kind::I8:
    result.operand = elements == 8 ? Type(b.getI64Type()) : several(elements / 4, b.getI32Type());
    break;
  case Kind::Fp8:
    result.operand = hasFormats ? several(elements / 4, b.getI32Type()) : Type(b.getI64Type());
    break;
  case Kind::F32:
  case Kind::Tf32:
    result.operand = several(elements, b.getF32Type());
    break;
  case Kind::F64:
    result.operand = b.getF64Type();
    break;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// WMMA
//===----------------------------------------------------------------------===//

static std::optional<MatrixInstruction> wmma(const arch::Chip &chip, Kind kind, const Request &request) {
  const bool hasCopies = chip.has(Feature::WmmaCopies);
  const std::int64_t elements = hasCopies ? 16 : 8;
  OpBuilder b(request.a.getContext());
  MatrixInstruction result;
  result.operands = kind == Kind::I8 ? MatrixInstruction::Operands::WmmaIntegers : MatrixInstruction::Operands::Wmma;
  result.fragment = {.rows = hasCopies ? "lrrr" : "rrrl",
                     .laneBits = log2Of(chip.warpSize),
                     .depthBits = log2Of(elements),
                     .runBits = runBitsOf(kind),
                     .hasCopies = hasCopies};
  result.result = kind == Kind::I8 ? Type(b.getI32Type()) : b.getF32Type();
  result.isSplit = kind == Kind::Split;
  switch (kind) {
  case Kind::F16:
    result.name = "wmma.f32.16x16x16.f16";
    result.operand = several(elements, b.getF16Type());
    return result;
  case Kind::BF16:
  case Kind::Split:
    result.name = "wmma.f32.16x16x16.bf16";
    result.operand = several(elements, b.getI16Type());
    return result;
  case Kind::I8:
    result.name = "wmma.i32.16x16x16.iu8";
    result.operand = several(elements / 4, b.getI32Type());
    return result;
  case Kind::Fp8:
    result.name = fmt::format("wmma.f32.16x16x16.{}.{}", nameOfFp8(request.b).str(), nameOfFp8(request.a).str());
    result.operand = several(elements / 4, b.getI32Type());
    return result;
  default:
    return std::nullopt;
  }
}

std::optional<MatrixInstruction> matrixInstruction(const arch::Chip &chip, const Product &product, WarpGrid warps) {
  const auto [a, b] = unitElements(chip, product.a, product.b);
  const Request request{.a = a,
                        .b = b,
                        .precision = product.precision,
                        .rows = product.rows / warps.rows,
                        .columns = product.columns / warps.columns,
                        .depth = product.depth};
  const std::optional<Kind> kind = kindOf(chip, request);
  if (!kind)
    return std::nullopt;
  std::optional<MatrixInstruction> result =
      chip.has(Feature::Mfma) ? mfma(chip, *kind, request) : wmma(chip, *kind, request);
  if (result) {
    result->a = a;
    result->b = b;
  }
  return result;
}

} // namespace tessera::ir::gpu
