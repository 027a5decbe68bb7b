//===- SameFunction.h - our declarations beside a vendor's -----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_RUNTIME_SAMEFUNCTION_H
#define TESSERA_TEST_UNIT_RUNTIME_SAMEFUNCTION_H

#include <cstdint>
#include <type_traits>

namespace tessera::test {

/// Whether a library takes an A where it declares a B: the same width and kind of register, the same level of pointer,
/// and no promise in A to leave alone what B may write.
template <class A, class B> constexpr bool same() {
  if constexpr (std::is_pointer_v<A> && std::is_pointer_v<B>) {
    using PA = std::remove_cv_t<std::remove_pointer_t<A>>;
    using PB = std::remove_cv_t<std::remove_pointer_t<B>>;
    constexpr bool opaque = std::is_class_v<PA> || std::is_class_v<PB>;
    if constexpr (std::is_const_v<std::remove_pointer_t<A>> && !std::is_const_v<std::remove_pointer_t<B>>)
      return false;
    else if constexpr (opaque)
      return std::is_class_v<PA> && std::is_class_v<PB>;
    else
      return same<PA, PB>();
  } else if constexpr (std::is_void_v<A> || std::is_void_v<B>) {
    return std::is_void_v<A> && std::is_void_v<B>;
  } else if constexpr (std::is_floating_point_v<A> || std::is_floating_point_v<B>) {
    return std::is_same_v<A, B>;
  } else {
    return !std::is_pointer_v<A> && !std::is_pointer_v<B> && sizeof(A) == sizeof(B);
  }
}

template <class A, class B> struct SameFunction : std::false_type {};
template <class RA, class... A, class RB, class... B>
struct SameFunction<RA (*)(A...), RB (*)(B...)> : std::bool_constant<sizeof...(A) == sizeof...(B)> {
  static constexpr bool check() {
    if constexpr (sizeof...(A) == sizeof...(B))
      return (same<A, B>() && ...) && same<RA, RB>();
    return false;
  }
};

static_assert(!same<const int *, int *>() && !same<int, std::int64_t>() && !same<int *, int>());

} // namespace tessera::test

#endif // TESSERA_TEST_UNIT_RUNTIME_SAMEFUNCTION_H
