//===- TraceSupport.h - tracing functions in tests ---------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Records a lambda as a kernel and gives the printed IR, or the words of the UsageError it throws.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_FRONTEND_TRACESUPPORT_H
#define TESSERA_TEST_UNIT_FRONTEND_TRACESUPPORT_H

#include "tessera/core/Error.h"
#include "tessera/lang/Kernel.h"

#include <string>
#include <vector>

namespace tessera::test {

/// The tile IR of \p spec.
std::string traceSpec(const detail::KernelSpec &spec, const detail::Specialization &specialization = {},
                      bool locations = false);

/// The tile IR of a kernel with this function.
template <class Body>
std::string trace(Body body, std::vector<std::string> names = {}, const detail::Specialization &specialization = {},
                  const typename detail::KernelTypes<Body>::Config &config = {}, bool locations = false) {
  const auto maker = detail::specMaker("k", std::move(names), std::move(body), std::source_location::current());
  return traceSpec(maker(config), specialization, locations);
}

/// The words of the UsageError that recording \p body throws; "" if it throws none.
template <class Body>
std::string misuse(Body body, const detail::Specialization &specialization = {},
                   const typename detail::KernelTypes<Body>::Config &config = {}) {
  try {
    trace(std::move(body), {}, specialization, config);
  } catch (const UsageError &error) {
    return error.what();
  }
  return "";
}

} // namespace tessera::test

#endif // TESSERA_TEST_UNIT_FRONTEND_TRACESUPPORT_H
