//===- DTypes.h - dtypes as constants --------------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_FUZZ_DIFFERENTIAL_DTYPES_H
#define TESSERA_TEST_FUZZ_DIFFERENTIAL_DTYPES_H

#include "tessera/tessera.h"

namespace tessera::fuzz {

/// Calls `fn.operator()<T>()` with the dtype as a constant.
template <class Fn> auto withDType(DType dtype, Fn &&fn) {
  switch (dtype.kind) {
  case Kind::I8:
    return fn.template operator()<i8>();
  case Kind::I16:
    return fn.template operator()<i16>();
  case Kind::I32:
    return fn.template operator()<i32>();
  case Kind::I64:
    return fn.template operator()<i64>();
  case Kind::U8:
    return fn.template operator()<u8>();
  case Kind::U16:
    return fn.template operator()<u16>();
  case Kind::U32:
    return fn.template operator()<u32>();
  case Kind::U64:
    return fn.template operator()<u64>();
  case Kind::F16:
    return fn.template operator()<f16>();
  case Kind::BF16:
    return fn.template operator()<bf16>();
  case Kind::F32:
    return fn.template operator()<f32>();
  case Kind::F64:
    return fn.template operator()<f64>();
  case Kind::E4M3:
    return fn.template operator()<e4m3>();
  case Kind::E5M2:
    return fn.template operator()<e5m2>();
  case Kind::E4M3Fnuz:
    return fn.template operator()<e4m3fnuz>();
  case Kind::E5M2Fnuz:
    return fn.template operator()<e5m2fnuz>();
  default:
    return fn.template operator()<i1>();
  }
}

} // namespace tessera::fuzz

#endif // TESSERA_TEST_FUZZ_DIFFERENTIAL_DTYPES_H
