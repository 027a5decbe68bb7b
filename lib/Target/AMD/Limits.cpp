//===- Limits.cpp - whether a kernel fits its chip ------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/AMD/Limits.h"

#include "Analysis/Occupancy.h"

#include "llvm/Support/MathExtras.h"

#include <fmt/format.h>

namespace tessera::ir::amd {

static Occupancy occupancy(const rt::Image &image, const CodeObjectFacts &facts, const arch::Chip &chip) {
  return gpu::occupancyOf(image, chip, facts.registers, facts.sharedBytes);
}

std::string brokenLimit(const rt::Image &image, const CodeObjectFacts &facts, const arch::Chip &chip) {
  if (facts.sharedBytes > static_cast<std::uint64_t>(chip.sharedBytesOfProgram))
    return gpu::tooMuchShared(facts.sharedBytes, chip);
  if (occupancy(image, facts, chip).blocks == 0)
    return fmt::format("needs {} registers in each of {} threads; a compute unit of {} has {}; lower num_warps or set "
                       "max_registers",
                       facts.registers, image.threadsPerProgram, chip.name, chip.registersOfCore);
  return {};
}

std::string mismatch(const rt::Image &image, const CodeObjectFacts &facts, const arch::Chip &chip) {
  if (facts.parameters.size() != image.arguments.size())
    return fmt::format("the code object has {} parameters, the image {} arguments", facts.parameters.size(),
                       image.arguments.size());
  for (std::size_t i = 0; i != image.arguments.size(); ++i)
    if (facts.parameters[i].offset != image.arguments[i].offset ||
        facts.parameters[i].bytes != image.arguments[i].packedBytes())
      return fmt::format("parameter {} of the code object takes {} bytes at {}, argument `{}` of the image {} at {}", i,
                         facts.parameters[i].bytes, facts.parameters[i].offset, image.arguments[i].name,
                         image.arguments[i].packedBytes(), image.arguments[i].offset);
  if (facts.threads != image.threadsPerProgram || facts.warpSize != static_cast<std::uint32_t>(chip.warpSize))
    return fmt::format("the code object is for {} threads in warps of {}, the image for {} in warps of {}",
                       facts.threads, facts.warpSize, image.threadsPerProgram, chip.warpSize);
  return {};
}

void setFacts(rt::Image &image, const CodeObjectFacts &facts, const arch::Chip &chip) {
  image.sharedBytes = 0;
  image.staticSharedBytes = facts.sharedBytes;
  const auto set = [&](const char *name, std::uint64_t value) { image.setFact(name, fmt::format("{}", value)); };
  set("registers", facts.registers);
  if (facts.accumulators != 0)
    set("accumulators", facts.accumulators);
  set("scalar_registers", facts.scalarRegisters);
  set("spill_bytes", std::uint64_t{facts.spilledRegisters} * 4);
  if (facts.spilledScalars != 0)
    set("spilled_scalars", facts.spilledScalars);
  set("stack_bytes", facts.stackBytes);
  set("shared_bytes", facts.sharedBytes);
  set("code_bytes", facts.codeBytes);
  gpu::setOccupancy(image, chip, occupancy(image, facts, chip));
}

} // namespace tessera::ir::amd
