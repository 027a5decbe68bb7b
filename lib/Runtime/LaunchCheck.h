//===- LaunchCheck.h - what is wrong with a launch -------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_LAUNCHCHECK_H
#define TESSERA_RUNTIME_LAUNCHCHECK_H

#include "Runtime/DeviceState.h"
#include "Runtime/LaunchPlan.h"
#include "Runtime/SlotMask.h"

#include "tessera/runtime/LaunchArguments.h"

#include <cstdint>
#include <source_location>
#include <span>
#include <string>
#include <string_view>

namespace tessera::rt {

/// What the arguments of a launch look like to the choice of a variant.
struct SlotPattern {
  SlotMask ones;      ///< integers equal to 1
  SlotMask multiples; ///< addresses and integers that are multiples of 16
  SlotMask readOnly;  ///< pointers to const
};

/// UsageError at \p at about the launch of \p kernel: `launch of kernel `add`: …`.
[[noreturn]] void throwLaunchError(const tessera::detail::KernelName &kernel, std::source_location at,
                                   std::string_view problem);

/// `argument `n` (the third)`, or `the third argument` of a kernel whose parameters have no names.
std::string argumentText(const tessera::detail::KernelName &kernel, std::size_t parameter);

/// UsageError about the first pointer to const among those that the kernel stores through.
[[noreturn]] void throwReadOnly(const tessera::detail::KernelName &kernel,
                                std::span<const tessera::detail::LaunchSlot> slots, const SlotMask &stored,
                                std::source_location at);

/// What a launch plan takes of a slot.
inline rt::CallArgument callArgument(const tessera::detail::LaunchSlot &slot) {
  return {slot.bits, slot.bytes, slot.sized, slot.readOnly};
}

/// Copies the slots to \p arguments, of the same length, and looks at each. UsageError for a null pointer, a buffer
/// without memory or of another device, an address that its elements cannot have.
SlotPattern checkSlots(const tessera::detail::KernelName &kernel, std::span<const tessera::detail::LaunchSlot> slots,
                       const DeviceState &device, std::span<CallArgument> arguments, std::source_location at);

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_LAUNCHCHECK_H
