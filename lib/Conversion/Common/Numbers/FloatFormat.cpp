//===- FloatFormat.cpp - how float types lie in their bits ----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/Common/Numbers/FloatFormat.h"

#include <cmath>

namespace tessera::ir::numbers {

FloatFormat FloatFormat::of(Type element) {
  if (element.isF16())
    return {16, 10, 15, Specials::Ieee};
  if (element.isBF16())
    return {16, 7, 127, Specials::Ieee};
  if (element.isF32())
    return {32, 23, 127, Specials::Ieee};
  if (isa<mlir::Float8E4M3FNType>(element))
    return {8, 3, 7, Specials::NanOnly};
  if (isa<mlir::Float8E5M2Type>(element))
    return {8, 2, 15, Specials::Ieee};
  if (isa<mlir::Float8E4M3FNUZType>(element))
    return {8, 3, 8, Specials::Fnuz};
  if (isa<mlir::Float8E5M2FNUZType>(element))
    return {8, 2, 16, Specials::Fnuz};
  return {64, 52, 1023, Specials::Ieee};
}

double FloatFormat::largest() const {
  const std::uint64_t implicit = std::uint64_t(1) << mantissa;
  const std::uint64_t significand = (maxFinite() & (implicit - 1)) | implicit;
  return std::ldexp(static_cast<double>(significand),
                    static_cast<int>(maxFinite() >> mantissa) - bias - static_cast<int>(mantissa));
}

} // namespace tessera::ir::numbers
