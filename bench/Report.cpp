//===- Report.cpp - rows of results --------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Report.h"

#include <cstdio>

namespace tessera::bench {

static std::string deviceName = "cpu";

void setDevice(const std::string &name) { deviceName = name; }

const Device &device() {
  static const Device device = Device::get(deviceName);
  return device;
}

std::string ourName() { return "tessera-" + deviceName; }

std::string rowName(DType dtype) {
  if (dtype == f32)
    return "fp32";
  if (dtype == e4m3)
    return "fp8e4m3";
  return dtype == f16 ? "fp16" : dtype.name();
}

void print(const Row &row) {
  std::printf("{\"bench\": \"%s\", \"shape\": \"%s\", \"dtype\": \"%s\", \"system\": \"%s\", \"ms\": %.5f, "
              "\"value\": %.3f, \"unit\": \"%s\"",
              row.bench.c_str(), row.shape.c_str(), row.dtype.c_str(), row.system.c_str(), row.ms, row.value,
              row.unit.c_str());
  for (const auto &[key, value] : row.extra)
    std::printf(", \"%s\": %.4g", key.c_str(), value);
  if (!row.config.empty())
    std::printf(", \"config\": \"%s\"", row.config.c_str());
  std::printf("}\n");
  std::fflush(stdout);
}

bool option(std::string_view argument, std::string_view name, std::string &value) {
  if (!argument.starts_with(name))
    return false;
  value = argument.substr(name.size());
  return true;
}

} // namespace tessera::bench
