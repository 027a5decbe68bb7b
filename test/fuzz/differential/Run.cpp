//===- Run.cpp - one kernel on two executors -----------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Elements must have equal bits, NaN aside, whose bits are not defined; what an elementary function has touched may be
// as far apart as the bounds of two executors allow.
//
//===---------------------------------------------------------------------===//

#include "Run.h"

#include "DTypes.h"
#include "Random.h"
#include "Trace.h"

#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tessera::fuzz {

namespace {

/// Units in the last place that two right results of an elementary function may be apart, in their own type. Twice the
/// largest bound of SEMANTICS A4 for f32; narrower types round it away but for one step.
std::uint64_t boundOf(DType dtype) { return dtype == f32 || dtype == f64 ? 8 : 1; }

template <class Host> Host elementOf(Random &random) {
  if constexpr (std::is_same_v<Host, bool>) {
    return random.chance(50);
  } else if constexpr (std::is_integral_v<Host>) {
    if (random.chance(70))
      return static_cast<Host>(random.below(20) - (std::is_signed_v<Host> ? 6 : 0));
    return static_cast<Host>(random.bits());
  } else {
    if (random.chance(50))
      return Host(static_cast<float>(random.below(64) - 24) / 4);
    if (random.chance(70))
      return Host(static_cast<float>(std::ldexp(static_cast<double>(random.below(1 << 20)) - 500000, -19)));
    constexpr float special[] = {0.0f, -0.0f, 1e-45f, -3e-40f, 1e30f, 65520.0f, -1e-7f, INFINITY, -INFINITY, NAN};
    return Host(random.pick(special));
  }
}

template <class Host> Host smallOf(Random &random) {
  if constexpr (std::is_unsigned_v<Host>)
    return static_cast<Host>(random.below(3));
  else if constexpr (std::is_integral_v<Host>)
    return static_cast<Host>(random.below(5) - 2);
  else
    return Host(static_cast<float>(random.below(5) - 2));
}

std::vector<std::uint8_t> inputOf(DType dtype, std::uint64_t seed, bool isSmall) {
  Random random(seed);
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(kInputCount * dtype.bytes()));
  withDType(dtype, [&]<DType T>() {
    using Host = host_type<T>;
    for (std::size_t i = 0; i != bytes.size() / sizeof(Host); ++i) {
      const Host element = isSmall ? smallOf<Host>(random) : elementOf<Host>(random);
      std::memcpy(bytes.data() + i * sizeof(Host), &element, sizeof(Host));
    }
    return 0;
  });
  return bytes;
}

/// Bits of a float as an integer that counts representable numbers.
std::int64_t rankOf(std::uint64_t bits, int width) {
  const std::uint64_t sign = std::uint64_t(1) << (width - 1);
  const auto magnitude = static_cast<std::int64_t>(bits & (sign - 1));
  return bits & sign ? -magnitude : magnitude;
}

bool agree(std::uint64_t a, std::uint64_t b, const Slot &slot) {
  const DType dtype = slot.type.dtype;
  if (a == b)
    return true;
  if (!dtype.isFloat())
    return false;
  const auto isNaN = [&](std::uint64_t bits) {
    return withDType(dtype, [&]<DType T>() {
      host_type<T> value;
      std::memcpy(&value, &bits, sizeof(value));
      if constexpr (std::is_same_v<host_type<T>, double>)
        return std::isnan(value);
      else
        return std::isnan(static_cast<float>(value));
    });
  };
  if (isNaN(a) || isNaN(b))
    return isNaN(a) && isNaN(b);
  if (slot.isExact)
    return false;
  const std::int64_t x = rankOf(a, dtype.bits()), y = rankOf(b, dtype.bits());
  return static_cast<std::uint64_t>(x > y ? x - y : y - x) <= boundOf(dtype);
}

std::string elementText(std::uint64_t bits, DType dtype) {
  return withDType(dtype, [&]<DType T>() {
    host_type<T> value;
    std::memcpy(&value, &bits, sizeof(value));
    if constexpr (std::is_integral_v<host_type<T>>)
      return fmt::format("{}", +value);
    else
      return fmt::format("{} ({:#x})", static_cast<double>(value), bits);
  });
}

} // namespace

/// Whether a fault is no more than index arithmetic that wraps, which is defined, and which random kernels may do.
static bool isHarmless(const DeviceError &error) {
  const std::string words = error.what();
  std::size_t line = words.find('\n');
  if (words.find("checked execution") == std::string::npos || line == std::string::npos)
    return false;
  while (line != std::string::npos) {
    const std::size_t end = words.find('\n', line + 1);
    const std::string text = words.substr(line + 1, end == std::string::npos ? end : end - line - 1);
    if (!text.empty() && text.find(" overflows ") == std::string::npos)
      return false;
    line = end;
  }
  return true;
}

std::vector<std::byte> run(const Program &program, const Layout &layout, const Device &device) {
  std::array<Buffer<u8>, kInputs> inputs;
  for (std::size_t i = 0; i != inputs.size(); ++i)
    inputs[i] = device.upload<u8>(inputOf(program.inputs[i], program.seed * kInputs + i, program.isSmall));
  Buffer<u8> out = device.buffer<u8>(layout.bytesPerProgram * program.grid);
  out.fill(0xA5);
  try {
    kernelOf(program, layout)
        .with({}, program.options)
        .launch(device, {program.grid}, inputs[0], inputs[1], inputs[2], out, program.n);
    device.synchronize();
  } catch (const DeviceError &error) {
    if (!isHarmless(error))
      throw;
  }
  const std::vector<std::uint8_t> bytes = out.download();
  std::vector<std::byte> result(bytes.size());
  std::memcpy(result.data(), bytes.data(), bytes.size());
  return result;
}

std::string difference(const Program &program, const Layout &layout, const std::vector<std::byte> &expected,
                       const std::vector<std::byte> &found) {
  for (std::int64_t id = 0; id != program.grid; ++id)
    for (const auto &slot : layout.slots)
      for (std::int64_t i = 0; i != slot.type.count(); ++i) {
        const std::int64_t size = slot.type.dtype.bytes();
        const auto at = static_cast<std::size_t>(id * layout.bytesPerProgram + slot.offset + i * size);
        std::uint64_t a = 0, b = 0;
        std::memcpy(&a, expected.data() + at, static_cast<std::size_t>(size));
        std::memcpy(&b, found.data() + at, static_cast<std::size_t>(size));
        if (!agree(a, b, slot))
          return fmt::format("store {} ({} {{{}}}), program {}, place {}: expected {}, found {}",
                             &slot - layout.slots.data(), slot.type.dtype.name(), fmt::join(slot.type.shape, ", "), id,
                             i, elementText(a, slot.type.dtype), elementText(b, slot.type.dtype));
      }
  return {};
}

std::string failureOf(const Program &program, const Layout &layout, const Device &oracle, const Device &device) {
  std::vector<std::byte> expected;
  try {
    expected = run(program, layout, oracle);
  } catch (const Error &error) {
    return fmt::format("{}: {}", oracle.name(), error.what());
  }
  try {
    return difference(program, layout, expected, run(program, layout, device));
  } catch (const Error &error) {
    return fmt::format("{}: {}", device.name(), error.what());
  }
}

} // namespace tessera::fuzz
