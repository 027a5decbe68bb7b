//===- HostRange.h - ranges of values on the host --------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What an upload takes, said without <ranges>, which would be a tenth of what including the library costs.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CORE_HOSTRANGE_H
#define TESSERA_CORE_HOSTRANGE_H

#include <iterator>
#include <type_traits>
#include <utility>

namespace tessera::detail {

/// Values to go through one by one: a vector, a list, a view.
template <class Values>
concept HostRange = requires(Values &values) {
  std::begin(values);
  std::end(values);
};

/// The same with a known number of values.
template <class Values>
concept SizedHostRange = HostRange<Values> && requires(Values &values) { std::size(values); };

/// Values one after another in memory: a vector, an array, a span.
template <class Values>
concept ContiguousHostRange =
    SizedHostRange<Values> && requires(Values &values) { requires std::is_pointer_v<decltype(std::data(values))>; };

/// The type of the values of a HostRange.
template <class Values> using HostRangeValue = std::remove_cvref_t<decltype(*std::begin(std::declval<Values &>()))>;

} // namespace tessera::detail

#endif // TESSERA_CORE_HOSTRANGE_H
