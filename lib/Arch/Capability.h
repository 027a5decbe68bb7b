//===- Capability.h - which code NVIDIA's chips run ------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_ARCH_CAPABILITY_H
#define TESSERA_ARCH_CAPABILITY_H

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace tessera::arch {

/// Compute capability: {9, 0}.
struct Capability {
  int major = 0, minor = 0;
  auto operator<=>(const Capability &) const = default;
};

/// The capability that \p chip ("sm_90a") has; nothing if it is no chip of NVIDIA's.
std::optional<Capability> capabilityOf(std::string_view chip);

/// The chip in our tables whose machine code runs on devices of \p capability: the very one, or an older one of the
/// same major number whose code is not bound to it; empty if there is none.
std::string chipFor(Capability capability);

/// Whether an image of \p format ("cubin", "ptx") for \p chip ("sm_90a") runs on devices of \p capability.
bool runsOn(std::string_view chip, std::string_view format, Capability capability);

/// Whether code for \p chip runs on no other chip, whatever its format.
bool isBound(std::string_view chip);

} // namespace tessera::arch

#endif // TESSERA_ARCH_CAPABILITY_H
