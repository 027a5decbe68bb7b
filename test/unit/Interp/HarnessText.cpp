//===- HarnessText.cpp - the text of kernels, for every harness -------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Interp/Harness.h"

namespace tessera::ir::interp {

std::string substitute(std::string_view text, std::initializer_list<std::pair<std::string_view, std::string>> values) {
  std::string result(text);
  for (const auto &[key, value] : values)
    for (std::size_t at = 0; (at = result.find(key, at)) != std::string::npos; at += value.size())
      result.replace(at, key.size(), value);
  return result;
}

std::string tensorType(std::size_t n, std::string_view element) {
  return "tensor<" + std::to_string(n) + "x" + std::string(element) + ">";
}

} // namespace tessera::ir::interp
