//===- Report.h - rows of results ------------------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What is measured, on which device, and how it is printed: a JSON object a line, with the keys that rows about other
// systems have.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_BENCH_REPORT_H
#define TESSERA_BENCH_REPORT_H

#include "tessera/tessera.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::bench {

/// Sets the device that our kernels run on; "cpu" by default.
void setDevice(const std::string &name);
const Device &device();
/// How our kernels are called in rows: "tessera-cpu".
std::string ourName();

/// A line of output.
struct Row {
  std::string bench, shape, dtype, system;
  double ms;
  double value;
  std::string unit;
  std::vector<std::pair<std::string, double>> extra = {};
  std::string config = {}; ///< how it was done, if there was a choice
};
void print(const Row &row);

/// "fp32" for f32, as rows of other systems spell it.
std::string rowName(DType dtype);

/// What follows \p name, `--<name>=`, at the start of \p argument goes into \p value. Returns whether that was there.
bool option(std::string_view argument, std::string_view name, std::string &value);

} // namespace tessera::bench

#endif // TESSERA_BENCH_REPORT_H
