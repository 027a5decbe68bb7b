//===- AtomicMath.cpp - what atomics make of elements ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/Common/AtomicMath.h"

#include "Conversion/Common/Numbers/Numbers.h"

namespace tessera::ir {

using tile::AtomicKind;

Value combineAtomic(MathBuilder &m, AtomicKind kind, Value old, Value value, Type element) {
  const auto wide = [&](Value stored) { return numbers::widen(m, stored, element); };
  const auto rounded = [&](Value computed) { return numbers::narrow(m, computed, element); };
  const auto exact = [&](Value computed) { return numbers::narrowExact(m, computed, element); };
  switch (kind) {
  case AtomicKind::Add:
    return m.addI(old, value);
  case AtomicKind::Sub:
    return m.subI(old, value);
  case AtomicKind::And:
    return m.andI(old, value);
  case AtomicKind::Or:
    return m.orI(old, value);
  case AtomicKind::Xor:
    return m.xorI(old, value);
  case AtomicKind::Xchg:
    return value;
  case AtomicKind::Min:
    return m.minS(old, value);
  case AtomicKind::Max:
    return m.maxS(old, value);
  case AtomicKind::UMin:
    return m.minU(old, value);
  case AtomicKind::UMax:
    return m.maxU(old, value);
  case AtomicKind::FAdd:
    return rounded(m.add(wide(old), wide(value)));
  case AtomicKind::FSub:
    return rounded(m.sub(wide(old), wide(value)));
  case AtomicKind::FMin:
    return exact(numbers::minNum(m, wide(old), wide(value)));
  case AtomicKind::FMax:
    return exact(numbers::maxNum(m, wide(old), wide(value)));
  }
  return value;
}

} // namespace tessera::ir
