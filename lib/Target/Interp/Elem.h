//===- Elem.h - element types as the interpreter stores them ---*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// One C++ storage type per element type, and the dispatch from the run-time tag to it. No MLIR here: the code that
// executes a kernel compiles without it.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_INTERP_ELEM_H
#define TESSERA_TARGET_INTERP_ELEM_H

#include <cstdint>
#include <string_view>

namespace tessera::ir::interp {

/// The element type of a register. `View` registers hold 1 + 2 * rank 64-bit words: base, extents, strides.
enum class Elem : std::uint8_t {
  I1,
  I8,
  I16,
  I32,
  I64,
  F16,
  BF16,
  F32,
  F64,
  E4M3,
  E5M2,
  E4M3Fnuz,
  E5M2Fnuz,
  Ptr,
  View
};

/// i1: one byte, 0 or 1.
struct Bool {
  std::uint8_t bits;
  bool operator==(const Bool &) const = default;
};
struct F16 {
  std::uint16_t bits;
};
struct BF16 {
  std::uint16_t bits;
};
struct E4M3 {
  std::uint8_t bits;
};
struct E5M2 {
  std::uint8_t bits;
};
struct E4M3Fnuz {
  std::uint8_t bits;
};
struct E5M2Fnuz {
  std::uint8_t bits;
};

/// Bytes of one element, in registers and in memory alike.
constexpr unsigned bytesOf(Elem e) {
  switch (e) {
  case Elem::I1:
  case Elem::I8:
  case Elem::E4M3:
  case Elem::E5M2:
  case Elem::E4M3Fnuz:
  case Elem::E5M2Fnuz:
    return 1;
  case Elem::I16:
  case Elem::F16:
  case Elem::BF16:
    return 2;
  case Elem::I32:
  case Elem::F32:
    return 4;
  case Elem::I64:
  case Elem::F64:
  case Elem::Ptr:
  case Elem::View:
    return 8;
  }
  return 8;
}

constexpr bool isFloat(Elem e) { return e >= Elem::F16 && e <= Elem::E5M2Fnuz; }
constexpr bool isInt(Elem e) { return e <= Elem::I64; }

/// The spelling users know: "f32", "e4m3", "pointer".
constexpr std::string_view nameOf(Elem e) {
  constexpr std::string_view names[] = {"i1",  "i8",   "i16",  "i32",      "i64",      "f16",     "bf16", "f32",
                                        "f64", "e4m3", "e5m2", "e4m3fnuz", "e5m2fnuz", "pointer", "view"};
  return names[static_cast<unsigned>(e)];
}

/// Calls `fn.operator()<T>()` with the storage type of an integer element (Bool for i1); others give R{}.
template <class R, class Fn> R dispatchInt(Elem e, Fn &&fn) {
  switch (e) {
  case Elem::I1:
    return fn.template operator()<Bool>();
  case Elem::I8:
    return fn.template operator()<std::int8_t>();
  case Elem::I16:
    return fn.template operator()<std::int16_t>();
  case Elem::I32:
    return fn.template operator()<std::int32_t>();
  case Elem::I64:
    return fn.template operator()<std::int64_t>();
  default:
    return R{};
  }
}

/// The same for the floats that compute: f16 bf16 f32 f64.
template <class R, class Fn> R dispatchFloat(Elem e, Fn &&fn) {
  switch (e) {
  case Elem::F16:
    return fn.template operator()<F16>();
  case Elem::BF16:
    return fn.template operator()<BF16>();
  case Elem::F32:
    return fn.template operator()<float>();
  case Elem::F64:
    return fn.template operator()<double>();
  default:
    return R{};
  }
}

/// The same for every float, fp8 included.
template <class R, class Fn> R dispatchAnyFloat(Elem e, Fn &&fn) {
  switch (e) {
  case Elem::E4M3:
    return fn.template operator()<E4M3>();
  case Elem::E5M2:
    return fn.template operator()<E5M2>();
  case Elem::E4M3Fnuz:
    return fn.template operator()<E4M3Fnuz>();
  case Elem::E5M2Fnuz:
    return fn.template operator()<E5M2Fnuz>();
  default:
    return dispatchFloat<R>(e, fn);
  }
}

/// For code that only moves bits: an unsigned type of the element's width.
template <class R, class Fn> R dispatchWidth(Elem e, Fn &&fn) {
  switch (bytesOf(e)) {
  case 1:
    return fn.template operator()<std::uint8_t>();
  case 2:
    return fn.template operator()<std::uint16_t>();
  case 4:
    return fn.template operator()<std::uint32_t>();
  default:
    return fn.template operator()<std::uint64_t>();
  }
}

} // namespace tessera::ir::interp

#endif // TESSERA_TARGET_INTERP_ELEM_H
