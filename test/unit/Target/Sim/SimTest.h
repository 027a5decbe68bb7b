//===- SimTest.h - run LLVM text on the simulated GPU ----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_TARGET_SIM_SIMTEST_H
#define TESSERA_TEST_UNIT_TARGET_SIM_SIMTEST_H

#include "Target/Sim/Decode/Decode.h"
#include "Target/Sim/Launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tessera::ir::sim {

/// What declares the functions of the border that tests call.
extern const char *const kDeclarations;

/// Decodes the kernel `k` of \p text; kDeclarations is put in front. Null, with the reason in \p why, if it is refused.
std::unique_ptr<Program> decodeText(const std::string &text, std::string &why, const Machine &machine = {});

/// One launch of a kernel text.
struct Trial {
  std::vector<std::vector<std::byte>> buffers; ///< one for each pointer parameter, in order
  std::vector<std::uint64_t> numbers;          ///< the parameters behind the pointers
  LaunchRequest request;
  Machine machine;
  bool areWritten = true; ///< whether the buffers hold something before the launch
  /// Gets the addresses of the buffers before the launch; may change `numbers`.
  std::function<void(const std::vector<std::uint64_t> &)> prepare;

  /// Adds a buffer that holds \p values.
  template <class T> void buffer(const std::vector<T> &values) {
    const auto *bytes = reinterpret_cast<const std::byte *>(values.data());
    buffers.emplace_back(bytes, bytes + values.size() * sizeof(T));
  }
  template <class T> std::vector<T> values(std::size_t buffer) const {
    const auto *begin = reinterpret_cast<const T *>(buffers[buffer].data());
    return {begin, begin + buffers[buffer].size() / sizeof(T)};
  }
  /// The faults as text; empty if there are none. A text that is refused gives "refused: " and the reason.
  std::string operator()(const std::string &text);
};

} // namespace tessera::ir::sim

#endif // TESSERA_TEST_UNIT_TARGET_SIM_SIMTEST_H
