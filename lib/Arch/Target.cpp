//===- Target.cpp - read and print targets --------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "tessera/core/Target.h"

#include "Arch/Chip.h"

#include "tessera/core/Error.h"

#include <algorithm>
#include <fmt/format.h>

namespace tessera {

static std::string join(std::string_view family, std::string_view chip) {
  return chip.empty() ? std::string(family) : fmt::format("{}:{}", family, chip);
}

/// What to say about \p text beside the list of targets.
static std::string hintFor(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view family = text.substr(0, colon);
  const std::string_view chip = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  for (const arch::Chip &known : arch::chips()) {
    const bool near = !chip.empty() && known.name.size() == chip.size() + 1 && known.name.starts_with(chip);
    const bool bare = colon == std::string_view::npos && !known.name.empty() && known.name == family;
    if ((known.family == family && near) || bare)
      return fmt::format("did you mean `{}`? ", join(known.family, known.name));
  }
  return {};
}

Target::Target(std::string_view text) {
  for (const arch::Chip &known : arch::chips())
    if (join(known.family, known.name) == text) {
      family_ = known.family;
      chip_ = known.name;
      return;
    }
  throw UsageError(
      fmt::format("unknown target `{}`; {}known targets: {}", text, hintFor(text), fmt::join(known(), ", ")));
}

std::string Target::str() const { return join(family_, chip_); }

int Target::warp_size() const { return arch::chipOf(*this).warpSize; }
std::int64_t Target::shared_bytes() const { return arch::chipOf(*this).sharedBytesOfProgram; }
int Target::max_threads() const { return arch::chipOf(*this).maxThreadsOfProgram; }
int Target::max_cluster() const {
  constexpr int portable = 8;
  return arch::chipOf(*this).has(arch::Feature::ClusterLaunch) ? portable : 1;
}

std::vector<std::string> Target::known() {
  std::vector<std::string> names;
  for (const arch::Chip &chip : arch::chips())
    if (chip.family != "null") // measures this library, and computes nothing
      names.push_back(join(chip.family, chip.name));
  std::sort(names.begin(), names.end());
  return names;
}

} // namespace tessera
