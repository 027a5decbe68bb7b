//===- RunSupport.h - running traced control flow in tests ------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_FRONTEND_RUNSUPPORT_H
#define TESSERA_TEST_UNIT_FRONTEND_RUNSUPPORT_H

#include "unit/Frontend/TraceSupport.h"
#include "unit/Interp/Harness.h"

#include "tessera/lang/Lang.h"

#include <cstdint>
#include <vector>

namespace tessera::test {

using I64s = std::vector<std::int64_t>;

/// Runs a kernel of (out, n, program) with one program for each n on the interpreter. Programs share \p out, which has
/// \p width elements for each of them.
template <class Body> I64s runPrograms(Body body, const I64s &ns, std::size_t width = 1) {
  ir::interp::TestKernel kernel(trace([body](Ptr<i64> out, Ptr<i64> ns) {
    Int program = program_id(0);
    body(out, Int(load(ns + program)), program);
  }));
  ir::interp::Memory<std::int64_t> out(ns.size() * width, -1), in(ns);
  ir::interp::expectNoFaults(kernel.run({static_cast<std::int64_t>(ns.size()), 1, 1}, out, in));
  return out.values;
}

/// The same in plain C++, where \p body gives the element of each n.
template <class Body> I64s expected(Body body, const I64s &ns) {
  I64s out;
  for (const std::int64_t n : ns)
    out.push_back(body(n));
  return out;
}

} // namespace tessera::test

#endif // TESSERA_TEST_UNIT_FRONTEND_RUNSUPPORT_H
