//===- InnerLoop.h - the loop of a kernel's instructions -------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_TARGET_AMD_INNERLOOP_H
#define TESSERA_TEST_UNIT_TARGET_AMD_INNERLOOP_H

#include <cstddef>
#include <map>
#include <sstream>
#include <string>
#include <string_view>

namespace tessera::test {

/// From a label of \p assembly to the branch back to it: the longest stretch with \p word that has no such stretch in
/// it; empty if there is none.
inline std::string innermostLoop(const std::string &assembly, std::string_view word = {}) {
  std::map<std::string, std::size_t> labels; // where they end
  std::istringstream lines(assembly);
  std::string line, longest;
  std::size_t at = 0, lastLoop = 0; // where the latest loop begins
  while (std::getline(lines, line)) {
    at += line.size() + 1;
    if (line.starts_with(".LBB")) {
      labels[line.substr(0, line.find(':'))] = at;
      continue;
    }
    const std::size_t name = line.find(".LBB");
    if (name == std::string::npos || line.find("branch") == std::string::npos)
      continue;
    const auto label = labels.find(line.substr(name));
    if (label == labels.end() || label->second <= lastLoop)
      continue; // forward, or around another loop
    lastLoop = label->second;
    const std::string_view loop = std::string_view(assembly).substr(lastLoop, at - lastLoop);
    if (loop.size() > longest.size() && loop.find(word) != std::string_view::npos)
      longest = loop;
  }
  return longest;
}

} // namespace tessera::test

#endif // TESSERA_TEST_UNIT_TARGET_AMD_INNERLOOP_H
