//===- Limits.cpp - whether a kernel fits its chip ------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/NVIDIA/Limits.h"

#include <fmt/format.h>

namespace tessera::ir::nvidia {

static std::uint64_t sharedBytesOf(const rt::Image &image, const CubinFacts &facts) {
  return std::uint64_t{image.sharedBytes} + facts.staticSharedBytes;
}

static Occupancy occupancy(const rt::Image &image, const CubinFacts &facts, const arch::Chip &chip) {
  return gpu::occupancyOf(image, chip, facts.registers, sharedBytesOf(image, facts));
}

std::string brokenLimit(const rt::Image &image, const CubinFacts &facts, const arch::Chip &chip) {
  if (const std::uint64_t shared = sharedBytesOf(image, facts);
      shared > static_cast<std::uint64_t>(chip.sharedBytesOfProgram))
    return gpu::tooMuchShared(shared, chip);
  if (occupancy(image, facts, chip).blocks == 0)
    return fmt::format("needs {} registers in each of {} threads; a multiprocessor of {} has {}; lower num_warps or "
                       "set max_registers",
                       facts.registers, image.threadsPerProgram, chip.name, chip.registersOfCore);
  return {};
}

std::string parameterMismatch(const rt::Image &image, const CubinFacts &facts) {
  if (facts.parameters.size() != image.arguments.size())
    return fmt::format("the cubin has {} parameters, the image {} arguments", facts.parameters.size(),
                       image.arguments.size());
  for (std::size_t i = 0; i != image.arguments.size(); ++i)
    if (facts.parameters[i].ordinal != i || facts.parameters[i].bytes != image.arguments[i].packedBytes())
      return fmt::format("parameter {} of the cubin takes {} bytes, argument `{}` of the image {}",
                         facts.parameters[i].ordinal, facts.parameters[i].bytes, image.arguments[i].name,
                         image.arguments[i].packedBytes());
  return {};
}

/// "4 of 16 bytes, 1 of 4 bytes": widest first.
static std::string describe(const AccessCounts &counts) {
  std::string text;
  for (std::uint32_t width = 32; width != 0; width /= 2)
    if (const std::uint32_t count = counts.ofWidth(width))
      text += fmt::format("{}{} of {} bytes", text.empty() ? "" : ", ", count, width);
  return text;
}

void setFacts(rt::Image &image, const CubinFacts &facts, const arch::Chip &chip) {
  image.staticSharedBytes = facts.staticSharedBytes;
  const auto set = [&](const char *name, std::uint64_t value) { image.setFact(name, fmt::format("{}", value)); };
  set("registers", facts.registers);
  set("spill_bytes", facts.localStores.bytes());
  set("stack_bytes", facts.stackBytes);
  set("shared_bytes", sharedBytesOf(image, facts));
  set("constant_bytes", facts.constantBytes);
  set("instructions", facts.instructions);
  if (facts.globalLoads.count())
    image.setFact("global_loads", describe(facts.globalLoads));
  if (facts.globalStores.count())
    image.setFact("global_stores", describe(facts.globalStores));
  if (const std::uint32_t flat = facts.flatLoads.count() + facts.flatStores.count())
    set("flat_accesses", flat);
  gpu::setOccupancy(image, chip, occupancy(image, facts, chip));
}

} // namespace tessera::ir::nvidia
