//===- LaunchCheck.cpp - what is wrong with a launch ----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/LaunchCheck.h"

#include "tessera/core/Error.h"
#include "tessera/runtime/Launch.h"

#include <fmt/format.h>
#include <limits>

namespace tessera::rt {

using tessera::detail::KernelName;
using tessera::detail::LaunchSlot;

void throwLaunchError(const KernelName &kernel, std::source_location at, std::string_view problem) {
  throw UsageError(at, fmt::format("launch of kernel `{}`: {}", kernel.name, problem));
}

/// "first" for 0.
static std::string ordinal(std::size_t index) {
  static constexpr std::string_view words[] = {"first", "second",  "third",  "fourth", "fifth",
                                               "sixth", "seventh", "eighth", "ninth",  "tenth"};
  if (index < std::size(words))
    return std::string(words[index]);
  const std::size_t number = index + 1, last = number % 100 / 10 == 1 ? 0 : number % 10;
  return fmt::format("{}{}", number, last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th");
}

std::string argumentText(const KernelName &kernel, std::size_t parameter) {
  const std::vector<std::string> &names = kernel.names;
  if (parameter < names.size() && !names[parameter].empty())
    return fmt::format("argument `{}` (the {})", names[parameter], ordinal(parameter));
  return fmt::format("the {} argument", ordinal(parameter));
}

void throwReadOnly(const KernelName &kernel, std::span<const LaunchSlot> slots, const SlotMask &stored,
                   std::source_location at) {
  std::size_t first = 0;
  while (!slots[first].readOnly || !stored.test(first))
    ++first;
  throwLaunchError(kernel, at,
                   fmt::format("{} is a pointer to const, and the kernel stores through it; pass a pointer to memory "
                               "that may change",
                               argumentText(kernel, slots[first].parameter)));
}

[[gnu::cold]] static void throwBadPointer(const KernelName &kernel, const LaunchSlot &slot, const DeviceState &device,
                                          std::source_location at) {
  const std::string argument = argumentText(kernel, slot.parameter);
  if (slot.form == LaunchSlot::Form::NoMemory)
    throwLaunchError(kernel, at,
                     fmt::format("{} is a buffer without memory (default-constructed or moved from); make it with "
                                 "Device::buffer",
                                 argument));
  if (slot.bits == 0)
    throwLaunchError(
        kernel, at,
        fmt::format("{} is a null pointer; it must be memory for elements of {}", argument, slot.dtype.name()));
  if (slot.device && slot.device != &device)
    throwLaunchError(kernel, at,
                     fmt::format("{} is memory of device {}, but the stream belongs to device {}", argument,
                                 slot.device->name, device.name));
  throwLaunchError(kernel, at,
                   fmt::format("{} is the address {:#x}, which is not a multiple of {}, the size of its elements "
                               "({})",
                               argument, slot.bits, slot.dtype.bytes(), slot.dtype.name()));
}

SlotPattern checkSlots(const KernelName &kernel, std::span<const LaunchSlot> slots, const DeviceState &device,
                       std::span<CallArgument> arguments, std::source_location at) {
  SlotPattern pattern;
  for (std::size_t i = 0; i != slots.size(); ++i) {
    const LaunchSlot &slot = slots[i];
    arguments[i] = callArgument(slot);
    if (slot.form == LaunchSlot::Form::Scalar) {
      if (slot.bits == 1)
        pattern.ones.set(i);
    } else {
      const bool wrongDevice = slot.device && slot.device != &device;
      const auto size = static_cast<std::uint64_t>(slot.dtype.bytes());
      if (slot.bits == 0 || wrongDevice || slot.bits % size)
        throwBadPointer(kernel, slot, device, at);
      if (slot.readOnly)
        pattern.readOnly.set(i);
    }
    if (slot.bits % 16 == 0)
      pattern.multiples.set(i);
  }
  return pattern;
}

} // namespace tessera::rt

namespace tessera::detail {

/// The range of an integer dtype, for messages.
static std::string rangeText(DType dtype) {
  const int bits = dtype.bits();
  if (dtype.isUnsigned())
    return fmt::format("0 to {}",
                       bits == 64 ? std::numeric_limits<std::uint64_t>::max() : (std::uint64_t{1} << bits) - 1);
  const std::int64_t largest = static_cast<std::int64_t>(std::numeric_limits<std::uint64_t>::max() >> (65 - bits));
  return fmt::format("{} to {}", -largest - 1, largest);
}

void throwOutOfRange(const LaunchPacker &packer, std::uint64_t value, bool negative, DType dtype) {
  const std::string number = negative ? fmt::format("{}", static_cast<std::int64_t>(value)) : fmt::format("{}", value);
  rt::throwLaunchError(packer.kernel, packer.at,
                       fmt::format("{} is {}, which does not fit its parameter's type {} ({})",
                                   rt::argumentText(packer.kernel, packer.parameter), number, dtype.name(),
                                   rangeText(dtype)));
}

void throwBadCount(const LaunchPacker &packer, std::int64_t count, DType dtype) {
  rt::throwLaunchError(packer.kernel, packer.at,
                       fmt::format("{} is memory for {} elements of {}; the count must lie between 0 and {}",
                                   rt::argumentText(packer.kernel, packer.parameter), count, dtype.name(),
                                   maxCount(dtype)));
}

void throwPresenceChanged(const KernelName &kernel, std::size_t parameter, std::source_location at) {
  rt::throwLaunchError(kernel, at,
                       fmt::format("{} of a prepared launch cannot appear or disappear; prepare another launch",
                                   rt::argumentText(kernel, parameter)));
}

void checkView(const LaunchPacker &packer, const LaunchMemory &memory, const std::int64_t *extents,
               const std::int64_t *strides, int rank) {
  const auto problem = [&](const std::string &words) {
    rt::throwLaunchError(packer.kernel, packer.at,
                         fmt::format("{}: {}", rt::argumentText(packer.kernel, packer.parameter), words));
  };
  // The offset of the last element; known to lie in the memory only if strides do not run backwards.
  std::int64_t last = 0;
  bool overflow = false, empty = false, backwards = false;
  for (int axis = 0; axis != rank; ++axis) {
    if (extents[axis] < 0)
      problem(fmt::format("its extent on axis {} is {}; extents are at least 0", axis, extents[axis]));
    std::int64_t reach = 0;
    overflow |= extents[axis] && __builtin_mul_overflow(extents[axis] - 1, strides[axis], &reach);
    overflow |= __builtin_add_overflow(last, reach, &last);
    empty |= extents[axis] == 0;
    backwards |= strides[axis] < 0;
  }
  if (empty)
    return;
  if (overflow)
    problem("its extents and strides reach beyond 64-bit offsets");
  if (memory.sized && !backwards && last >= memory.count)
    problem(fmt::format(
        "the view reaches element {} of memory for {} elements; check its extents ({}) and strides ({})", last,
        memory.count, fmt::join(extents, extents + rank, ", "), fmt::join(strides, strides + rank, ", ")));
}

} // namespace tessera::detail
