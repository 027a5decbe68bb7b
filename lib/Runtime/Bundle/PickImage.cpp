//===- PickImage.cpp - which image runs best on a device ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Bundle/PickImage.h"

#include "Arch/Capability.h"

#include <algorithm>
#include <string>

namespace tessera::rt {

/// Calls \p visit with every part of \p list, which commas separate.
template <class Visit> static void forEachPart(std::string_view list, Visit visit) {
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (comma)
      visit(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
}

static bool contains(std::string_view list, std::string_view wanted) {
  bool found = false;
  forEachPart(list, [&](std::string_view part) { found |= part == wanted; });
  return found;
}

/// How well code for a processor fits: one more than the sets it needs; 0 if one is missing.
static int fitOfProcessor(std::string_view present, std::string_view needed) {
  int count = 1;
  bool missing = false;
  forEachPart(needed, [&](std::string_view part) {
    ++count;
    missing |= !contains(present, part);
  });
  return missing ? 0 : count;
}

static int fitOfCuda(std::string_view device, std::string_view chip, std::string_view format) {
  const auto own = arch::capabilityOf(device), its = arch::capabilityOf(chip);
  if (!own || !its || !arch::runsOn(chip, format, *own))
    return 0;
  constexpr int machineCode = 1 << 20;
  return 1 + 2 * (its->major * 16 + its->minor) + (arch::isBound(chip) ? 1 : 0) + (format == "cubin" ? machineCode : 0);
}

/// 0: it does not run there.
static int fitOf(const DeviceCode &device, const ImageKind &image) {
  const std::size_t colon = std::min(image.target.find(':'), image.target.size());
  const std::string_view family = image.target.substr(0, colon);
  if (family != device.target.family())
    return 0;
  if (family == "cpu")
    return fitOfProcessor(device.instructionSets, image.instructionSets);
  if (family == "cuda")
    return fitOfCuda(device.target.chip(), image.target.substr(std::min(colon + 1, image.target.size())), image.format);
  return image.target == device.target.str() ? 1 : 0;
}

std::ptrdiff_t pickImage(const DeviceCode &device, std::span<const ImageKind> images) {
  std::ptrdiff_t best = -1;
  int bestFit = 0;
  for (std::size_t i = 0; i != images.size(); ++i)
    if (const int fit = fitOf(device, images[i]); fit > bestFit) {
      best = static_cast<std::ptrdiff_t>(i);
      bestFit = fit;
    }
  return best;
}

} // namespace tessera::rt
