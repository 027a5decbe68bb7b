//===- Limits.cpp - whether a kernel fits its chip ------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/NVIDIA/Limits.h"

#include "llvm/Support/MathExtras.h"

#include <fmt/format.h>

namespace tessera::ir::nvidia {

/// Registers are given to warps in portions of this many.
static constexpr std::uint64_t kRegisterPortion = 256;

std::string brokenLimit(const rt::Image &image, const CubinFacts &facts, const arch::Chip &chip) {
  const std::uint64_t shared = std::uint64_t{image.sharedBytes} + facts.staticSharedBytes;
  if (shared > static_cast<std::uint64_t>(chip.sharedBytesOfProgram))
    return gpu::tooMuchShared(shared, chip);
  const auto warpSize = static_cast<std::uint32_t>(chip.warpSize);
  const std::uint64_t warps = llvm::divideCeil(image.threadsPerProgram, warpSize);
  const std::uint64_t registers = warps * llvm::alignTo(std::uint64_t{facts.registers} * warpSize, kRegisterPortion);
  if (registers > static_cast<std::uint64_t>(chip.registersOfCore))
    return fmt::format("needs {} registers in each of {} threads, {} in all; a multiprocessor of {} has {}; lower "
                       "num_warps or set max_registers",
                       facts.registers, image.threadsPerProgram, registers, chip.name, chip.registersOfCore);
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

void setFacts(rt::Image &image, const CubinFacts &facts) {
  image.staticSharedBytes = facts.staticSharedBytes;
  const auto set = [&](const char *name, std::uint64_t value) { image.setFact(name, fmt::format("{}", value)); };
  set("registers", facts.registers);
  set("spill_bytes", facts.localStores.bytes());
  set("stack_bytes", facts.stackBytes);
  set("shared_bytes", std::uint64_t{image.sharedBytes} + facts.staticSharedBytes);
  set("constant_bytes", facts.constantBytes);
  set("instructions", facts.instructions);
  if (facts.globalLoads.count())
    image.setFact("global_loads", describe(facts.globalLoads));
  if (facts.globalStores.count())
    image.setFact("global_stores", describe(facts.globalStores));
  if (const std::uint32_t flat = facts.flatLoads.count() + facts.flatStores.count())
    set("flat_accesses", flat);
}

} // namespace tessera::ir::nvidia
