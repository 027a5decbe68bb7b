//===- Contracts.cpp - what users ask of the code -------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Driver/Contracts.h"

#include <algorithm>
#include <fmt/format.h>

namespace tessera::ir {

std::string brokenContracts(const Report &report, const CompileOptions &options, bool aligned,
                            std::string_view kernelAt) {
  std::string text;
  const auto add = [&](std::string_view at, const std::string &what) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", at, what);
  };
  if (const std::int64_t spilled = report.spill_bytes.value_or(0);
      options.max_spill_bytes >= 0 && spilled > options.max_spill_bytes)
    add(kernelAt, fmt::format("a thread spills {} bytes of registers; max_spill_bytes allows {}", spilled,
                              options.max_spill_bytes));
  if (aligned)
    for (const MemoryAccess &access : report.accesses)
      if (access.bytes < std::min<std::int64_t>(options.min_vector_bytes, access.held))
        add(access.at, fmt::format("the {} moves {} bytes at a time; min_vector_bytes asks for {}, of {} that a thread "
                                   "has",
                                   access.kind, access.bytes, options.min_vector_bytes, access.held));
  if (options.require_matrix_unit)
    for (const MatrixProduct &product : report.products)
      if (product.unit == "fma")
        add(product.at, "the dot is multiplied element by element; require_matrix_unit asks for matrix instructions");
  return text;
}

} // namespace tessera::ir
