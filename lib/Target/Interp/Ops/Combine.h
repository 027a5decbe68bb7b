//===- Combine.h - combining elements along an axis ------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What tile.reduce and tile.scan share: a block seen from one axis, direct loops for the well-known combines, and
// combine regions that run over many lanes at once.
//
// The order of combining is that of a balanced binary tree in which neighbours meet first: level k joins blocks of 2^k
// elements with the next ones. It depends on the extent of the axis alone, so it is the order that `deterministic`
// promises (SEMANTICS R4); it never swaps operands; the rounding error of a sum grows with log2 of the extent; and the
// last element of a scan has the bits of the reduction.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_INTERP_OPS_COMBINE_H
#define TESSERA_TARGET_INTERP_OPS_COMBINE_H

#include "Target/Interp/Float.h"
#include "Target/Interp/Lowering.h"
#include "Target/Interp/Ops/Elementwise.h"

#include "tessera-ir/Dialect/Tile/IR/AxisShape.h"
#include "tessera-ir/Dialect/Tile/IR/Tile.h"

namespace tessera::ir::interp {

using tile::AxisShape;
AxisShape axisShape(const Shape &shape, unsigned axis);

/// The stored bytes of a number attribute.
llvm::SmallVector<char, 8> bytesOfAttribute(mlir::Attribute value, Elem elem);

// -- Well-known combines --------------------------------------------------------------------------

/// One combine on stored elements of type T.
template <class T, template <class> class Read, class Fn> struct Combiner {
  using Element = T;
  static T apply(T a, T b) { return Read<T>::put(Fn::apply(Read<T>::get(a), Read<T>::get(b))); }
};

namespace combine {
struct Add {
  template <class V> static V apply(V a, V b) {
    if constexpr (std::is_integral_v<V>)
      return static_cast<V>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    else
      return a + b;
  }
};
struct Mul {
  template <class V> static V apply(V a, V b) {
    if constexpr (std::is_integral_v<V>)
      return static_cast<V>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
    else
      return a * b;
  }
};
struct Max {
  template <class V> static V apply(V a, V b) { return a < b ? b : a; }
};
struct Min {
  template <class V> static V apply(V a, V b) { return b < a ? b : a; }
};
struct MaxNum {
  template <class V> static V apply(V a, V b) { return maximumNumber(a, b); }
};
struct MinNum {
  template <class V> static V apply(V a, V b) { return minimumNumber(a, b); }
};
struct Maximum {
  template <class V> static V apply(V a, V b) { return maximumPropagate(a, b); }
};
struct Minimum {
  template <class V> static V apply(V a, V b) { return minimumPropagate(a, b); }
};
struct And {
  template <class V> static V apply(V a, V b) { return static_cast<V>(a & b); }
};
struct Or {
  template <class V> static V apply(V a, V b) { return static_cast<V>(a | b); }
};
struct Xor {
  template <class V> static V apply(V a, V b) { return static_cast<V>(a ^ b); }
};
} // namespace combine

/// Calls `fn.operator()<C>()` with the Combiner of \p kind on \p elem; R{} if there is none.
template <class R, class Fn> R dispatchCombine(tile::CombineKind kind, Elem elem, Fn &&fn) {
  using tile::CombineKind;
  const auto onFloat = [&]<class F>() -> R {
    return dispatchFloat<R>(elem, [&]<class T>() -> R { return fn.template operator()<Combiner<T, AsFloat, F>>(); });
  };
  const auto onSigned = [&]<class F>() -> R {
    return dispatchInt<R>(elem, [&]<class T>() -> R { return fn.template operator()<Combiner<T, AsSigned, F>>(); });
  };
  const auto onUnsigned = [&]<class F>() -> R {
    return dispatchInt<R>(elem, [&]<class T>() -> R { return fn.template operator()<Combiner<T, AsUnsigned, F>>(); });
  };
  switch (kind) {
  case CombineKind::AddF:
    return onFloat.template operator()<combine::Add>();
  case CombineKind::MulF:
    return onFloat.template operator()<combine::Mul>();
  case CombineKind::MaxNum:
    return onFloat.template operator()<combine::MaxNum>();
  case CombineKind::MinNum:
    return onFloat.template operator()<combine::MinNum>();
  case CombineKind::MaximumF:
    return onFloat.template operator()<combine::Maximum>();
  case CombineKind::MinimumF:
    return onFloat.template operator()<combine::Minimum>();
  case CombineKind::AddI:
    return onUnsigned.template operator()<combine::Add>();
  case CombineKind::MulI:
    return onUnsigned.template operator()<combine::Mul>();
  case CombineKind::MaxSI:
    return onSigned.template operator()<combine::Max>();
  case CombineKind::MinSI:
    return onSigned.template operator()<combine::Min>();
  case CombineKind::MaxUI:
    return onUnsigned.template operator()<combine::Max>();
  case CombineKind::MinUI:
    return onUnsigned.template operator()<combine::Min>();
  case CombineKind::And:
    return onUnsigned.template operator()<combine::And>();
  case CombineKind::Or:
    return onUnsigned.template operator()<combine::Or>();
  case CombineKind::Xor:
    return onUnsigned.template operator()<combine::Xor>();
  }
  return R{};
}

// -- Regions --------------------------------------------------------------------------------------

/// A combine region lowered once for a fixed number of lanes, and the registers to feed it through.
struct CombineBody {
  Block block;
  std::uint32_t lanes = 1;
  llvm::SmallVector<Slot, 2> left, right, yielded; ///< one per input

  /// Lowers \p region, which will be asked for \p pairs combinations at a time or fewer. Call after every register that
  /// must survive the region is allocated.
  static llvm::FailureOr<CombineBody> lower(mlir::Region &region, std::int64_t pairs, Builder &b);

  /// Fills the lanes from \p used on with copies of lane 0, so that they do nothing of their own.
  void pad(Frame &frame, std::uint32_t used) const;
};

} // namespace tessera::ir::interp

#endif // TESSERA_TARGET_INTERP_OPS_COMBINE_H
