//===- DType.cpp - names of element types ---------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "tessera/core/DType.h"

namespace tessera {

static const char *kindName(Kind kind) {
  switch (kind) {
  case Kind::None:
    return "none";
  case Kind::Any:
    return "any";
  case Kind::I1:
    return "i1";
  case Kind::I8:
    return "i8";
  case Kind::I16:
    return "i16";
  case Kind::I32:
    return "i32";
  case Kind::I64:
    return "i64";
  case Kind::U8:
    return "u8";
  case Kind::U16:
    return "u16";
  case Kind::U32:
    return "u32";
  case Kind::U64:
    return "u64";
  case Kind::F16:
    return "f16";
  case Kind::BF16:
    return "bf16";
  case Kind::F32:
    return "f32";
  case Kind::F64:
    return "f64";
  case Kind::E4M3:
    return "e4m3";
  case Kind::E5M2:
    return "e5m2";
  case Kind::E4M3Fnuz:
    return "e4m3fnuz";
  case Kind::E5M2Fnuz:
    return "e5m2fnuz";
  }
  return "none";
}

std::string DType::name() const {
  std::string text = kindName(kind);
  for (int level = 0; level != pointers; ++level)
    text = "ptr_to(" + text + ")";
  return text;
}

} // namespace tessera
