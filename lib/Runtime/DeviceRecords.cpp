//===- DeviceRecords.cpp - what running kernels report --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/DeviceRecords.h"

#include "Runtime/DeviceState.h"

#include "tessera/core/Error.h"
#include "tessera/core/HostTypes.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <fmt/format.h>
#include <mutex>
#include <utility>

namespace tessera::rt {

static std::mutex sinkMutex;
static std::function<void(std::string_view)> &printSink() {
  static std::function<void(std::string_view)> sink;
  return sink;
}

void setPrintSink(std::function<void(std::string_view)> sink) {
  const std::lock_guard lock(sinkMutex);
  printSink() = std::move(sink);
}

static thread_local int mutes = 0;

MutedPrints::MutedPrints() { ++mutes; }
MutedPrints::~MutedPrints() { --mutes; }

void printLine(std::string_view line) {
  if (mutes)
    return;
  const std::lock_guard lock(sinkMutex);
  if (printSink())
    printSink()(line);
  else
    std::fprintf(stdout, "%.*s\n", static_cast<int>(line.size()), line.data());
}

std::string elementText(std::uint64_t bits, DType dtype) {
  const auto narrow = static_cast<std::uint32_t>(bits);
  if (dtype.isPointer())
    return fmt::format("{:#x}", bits);
  switch (dtype.kind) {
  case Kind::I1:
    return bits & 1 ? "true" : "false";
  case Kind::I8:
    return fmt::format("{}", static_cast<int>(static_cast<std::int8_t>(bits)));
  case Kind::I16:
    return fmt::format("{}", static_cast<std::int16_t>(bits));
  case Kind::I32:
    return fmt::format("{}", static_cast<std::int32_t>(bits));
  case Kind::I64:
    return fmt::format("{}", static_cast<std::int64_t>(bits));
  case Kind::U8:
    return fmt::format("{}", narrow & 0xff);
  case Kind::U16:
    return fmt::format("{}", narrow & 0xffff);
  case Kind::U32:
    return fmt::format("{}", narrow);
  case Kind::U64:
    return fmt::format("{}", bits);
  case Kind::F16:
    return fmt::format("{}", static_cast<float>(half::from_bits(static_cast<std::uint16_t>(bits))));
  case Kind::BF16:
    return fmt::format("{}", static_cast<float>(bfloat16::from_bits(static_cast<std::uint16_t>(bits))));
  case Kind::F32:
    return fmt::format("{}", std::bit_cast<float>(narrow));
  case Kind::F64:
    return fmt::format("{}", std::bit_cast<double>(bits));
  case Kind::E4M3:
    return fmt::format("{}", static_cast<float>(float8_e4m3::from_bits(static_cast<std::uint8_t>(bits))));
  case Kind::E5M2:
    return fmt::format("{}", static_cast<float>(float8_e5m2::from_bits(static_cast<std::uint8_t>(bits))));
  case Kind::E4M3Fnuz:
    return fmt::format("{}", static_cast<float>(float8_e4m3fnuz::from_bits(static_cast<std::uint8_t>(bits))));
  case Kind::E5M2Fnuz:
    return fmt::format("{}", static_cast<float>(float8_e5m2fnuz::from_bits(static_cast<std::uint8_t>(bits))));
  case Kind::None:
  case Kind::Any:
    break;
  }
  return fmt::format("{:#x}", bits);
}

/// ` in program (x, y, z) at (i, j)`. The rank comes from the device: clamp it.
static std::string place(const std::int64_t (&program)[3], const std::int32_t (&coordinates)[5], std::int32_t rank) {
  std::string text = fmt::format(" in program ({}, {}, {})", program[0], program[1], program[2]);
  const int count = std::clamp(rank, 0, 5);
  if (count)
    text += fmt::format(" at ({})", fmt::join(coordinates, coordinates + count, ", "));
  return text;
}

static const Site &siteOf(std::uint32_t number, const std::vector<Site> &sites) {
  static const Site unknown{"unknown site", "?", {}, {}};
  return number < sites.size() ? sites[number] : unknown;
}

std::string describe(std::span<const PrintRecord> lane, const std::vector<Site> &sites) {
  const PrintRecord &first = lane.front();
  const Site &site = siteOf(first.site, sites);
  std::string text = fmt::format("{}: {}", site.location, site.text);
  for (const PrintRecord &record : lane) {
    if (record.value >= site.dtypes.size())
      continue;
    text += &record != &first ? ", " : site.text.empty() ? "" : " ";
    if (record.value < site.names.size() && !site.names[record.value].empty())
      text += site.names[record.value] + " = ";
    text += elementText(record.bits, site.dtypes[record.value]);
  }
  return text + place(first.program, first.coordinates, first.rank);
}

/// Whether \p next is the value after \p record of the same lane.
static bool continues(const PrintRecord &record, const PrintRecord &next) {
  return next.site == record.site && next.value == record.value + 1 && next.rank == record.rank &&
         std::equal(next.program, next.program + 3, record.program) &&
         std::equal(next.coordinates, next.coordinates + 5, record.coordinates);
}

std::string describe(const FaultRecord &record, const std::vector<Site> &sites, std::string_view kernel) {
  const Site &site = siteOf(record.site, sites);
  return fmt::format("{}: kernel `{}`: {}{}", site.location, kernel, site.text,
                     place(record.program, record.coordinates, record.rank));
}

DeviceRecords::DeviceRecords(DeviceState &device, std::string kernel, std::vector<Site> sites, std::size_t printBytes,
                             bool wantsFault)
    : device(device), kernel(std::move(kernel)), sites(std::move(sites)) {
  if (printBytes) {
    bytes = std::max(printBytes, sizeof(PrintHeader) + sizeof(PrintRecord));
    print = static_cast<PrintHeader *>(device.driver.allocateHost(device.index, bytes));
    *print = {};
    print->capacity = static_cast<std::uint32_t>((bytes - sizeof(PrintHeader)) / sizeof(PrintRecord));
  }
  if (wantsFault) {
    fault = static_cast<FaultRecord *>(device.driver.allocateHost(device.index, sizeof(FaultRecord)));
    *fault = {};
  }
}

DeviceRecords::~DeviceRecords() {
  if (print)
    device.driver.freeHost(device.index, print);
  if (fault)
    device.driver.freeHost(device.index, fault);
}

void DeviceRecords::drain() {
  if (print && print->count) {
    const auto *records = reinterpret_cast<const PrintRecord *>(print + 1);
    const std::uint32_t count = std::exchange(print->count, 0), kept = std::min(count, print->capacity);
    for (std::uint32_t i = 0; i != kept;) {
      const std::uint32_t first = i++;
      while (i != kept && continues(records[i - 1], records[i]))
        ++i;
      printLine(describe({records + first, records + i}, sites));
    }
    if (count > kept)
      printLine(fmt::format("kernel `{}`: {} more values were printed than the buffer holds", kernel, count - kept));
  }
  if (fault && fault->state) {
    const FaultRecord failed = std::exchange(*fault, FaultRecord());
    throw DeviceError(describe(failed, sites, kernel));
  }
}

} // namespace tessera::rt
