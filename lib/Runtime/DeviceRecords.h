//===- DeviceRecords.h - what running kernels report -----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The memory formats behind the hidden arguments PrintBuffer and FaultFlag. They lie in memory of the host that the
// device reaches, so that reading them costs nothing and works after a fault. Kernels of every target write them; they
// are read when the stream is synchronised. Kernels and readers are built together, so the formats may change with the
// version of images.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_DEVICERECORDS_H
#define TESSERA_RUNTIME_DEVICERECORDS_H

#include "Runtime/Image.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::rt {

struct DeviceState;

/// One printed element, 64 bytes. For the n values of one lane a kernel adds n to PrintHeader::count and owns the
/// records from the old number on, as far as they are below the capacity; it fills them in the order of the values. A
/// print without values has one record a program, whose element counts for nothing.
struct PrintRecord {
  std::uint32_t site = 0;       ///< number in Image::sites
  std::uint32_t value = 0;      ///< which of the site's values
  std::int64_t program[3] = {}; ///< program id
  std::int32_t coordinates[5] = {};
  std::int32_t rank = 0;  ///< how many coordinates count
  std::uint64_t bits = 0; ///< the element, in the low bytes
};
static_assert(sizeof(PrintRecord) == 64);

/// Stands before the records.
struct PrintHeader {
  std::uint32_t count = 0;    ///< records wanted so far; may exceed the capacity
  std::uint32_t capacity = 0; ///< set by the launcher
  std::uint32_t unused[14] = {};
};
static_assert(sizeof(PrintHeader) == 64);

/// The first failed check, 64 bytes. A kernel claims it by changing `state` from 0 to 1 with a compare-and-swap.
struct FaultRecord {
  std::uint32_t state = 0;
  std::uint32_t site = 0; ///< number in Image::sites
  std::int64_t program[3] = {};
  std::int32_t coordinates[5] = {};
  std::int32_t rank = 0;
  std::uint64_t unused = 0;
};
static_assert(sizeof(FaultRecord) == 64);

/// `kernel.cpp:7:3: row i = 3, x = 1.5 in program (0, 0, 0) at (3)`: one line for the records of one lane, at least
/// one.
std::string describe(std::span<const PrintRecord> lane, const std::vector<Site> &sites);
/// The words of a DeviceError for a failed check.
std::string describe(const FaultRecord &record, const std::vector<Site> &sites, std::string_view kernel);
/// An element of \p dtype as text, for people.
std::string elementText(std::uint64_t bits, DType dtype);

/// Hands out one line that a kernel printed. Thread-safe.
void printLine(std::string_view line);
/// While it lives, lines that this thread hands out are dropped: those of launches that nobody asked for.
class MutedPrints {
public:
  MutedPrints();
  ~MutedPrints();
  MutedPrints(const MutedPrints &) = delete;
  MutedPrints &operator=(const MutedPrints &) = delete;
};
/// Sends printed lines to \p sink instead of standard output, or back there if it is empty. For tests.
void setPrintSink(std::function<void(std::string_view)> sink);

/// The record memory of one kernel on one stream.
class DeviceRecords {
public:
  /// \p printBytes or \p wantsFault may be 0 or false: then nothing is kept for it.
  DeviceRecords(DeviceState &device, std::string kernel, std::vector<Site> sites, std::size_t printBytes,
                bool wantsFault);
  ~DeviceRecords();
  DeviceRecords(const DeviceRecords &) = delete;
  DeviceRecords &operator=(const DeviceRecords &) = delete;

  void *printBuffer() const { return print; }
  void *faultFlag() const { return fault; }
  std::size_t printBytes() const { return bytes; }
  /// Prints what was recorded and clears it; DeviceError if a check failed. All work on the stream is done.
  void drain();

private:
  DeviceState &device;
  std::string kernel;
  std::vector<Site> sites;
  PrintHeader *print = nullptr; ///< the records follow
  FaultRecord *fault = nullptr;
  std::size_t bytes = 0;
};

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_DEVICERECORDS_H
