//===- Capability.cpp - which code NVIDIA's chips run ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Arch/Capability.h"

#include "Arch/Chip.h"

#include <charconv>
#include <system_error>

namespace tessera::arch {

namespace {

/// What a chip's name says: "sm_90a" is 9.0, and its code runs there only.
struct ChipNumber {
  Capability capability;
  bool bound = false;
};

} // namespace

static std::optional<ChipNumber> numberOf(std::string_view chip) {
  constexpr std::string_view prefix = "sm_";
  if (!chip.starts_with(prefix))
    return std::nullopt;
  chip.remove_prefix(prefix.size());
  int number = 0;
  const auto [end, error] = std::from_chars(chip.data(), chip.data() + chip.size(), number);
  const std::string_view suffix = chip.substr(static_cast<std::size_t>(end - chip.data()));
  if (error != std::errc() || (!suffix.empty() && suffix != "a"))
    return std::nullopt;
  return ChipNumber{{number / 10, number % 10}, !suffix.empty()};
}

std::optional<Capability> capabilityOf(std::string_view chip) {
  const std::optional<ChipNumber> number = numberOf(chip);
  return number ? std::optional(number->capability) : std::nullopt;
}

std::string chipFor(Capability capability) {
  std::string_view best;
  int bestMinor = -1;
  for (const Chip &chip : chips())
    if (chip.family == "cuda" && runsOn(chip.name, "cubin", capability) &&
        numberOf(chip.name)->capability.minor > bestMinor) {
      best = chip.name;
      bestMinor = numberOf(chip.name)->capability.minor;
    }
  return std::string(best);
}

bool runsOn(std::string_view chip, std::string_view format, Capability capability) {
  const std::optional<ChipNumber> number = numberOf(chip);
  if (!number)
    return false;
  const auto [major, minor] = number->capability;
  if (number->bound || number->capability == capability)
    return number->capability == capability;
  // Machine code runs on later chips of its generation, PTX on all later ones.
  return major == capability.major ? minor < capability.minor : format == "ptx" && major < capability.major;
}

bool isBound(std::string_view chip) {
  const std::optional<ChipNumber> number = numberOf(chip);
  return number && number->bound;
}

} // namespace tessera::arch
