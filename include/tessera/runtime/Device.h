//===- Device.h - where kernels run ----------------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_DEVICE_H
#define TESSERA_RUNTIME_DEVICE_H

#include "tessera/core/HostRange.h"
#include "tessera/core/Target.h"
#include "tessera/runtime/Buffer.h"
#include "tessera/runtime/Stream.h"

#include <cstdint>
#include <iterator>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// A device by name: "interp" (checked execution on this machine), "cpu", "cuda:0", "hip:1". A handle: copies name the
/// same device, which lives as long as the process. Any thread may use it.
class TESSERA_API Device {
public:
  /// The device TESSERA_DEVICE names, else the best one present: a GPU before the host before the interpreter.
  /// UsageError, listing what is available, if TESSERA_DEVICE names none.
  static Device current(std::source_location at = std::source_location::current());
  /// The device called \p name; "cuda" is "cuda:0". UsageError, listing what is available, if there is none.
  static Device get(std::string_view name, std::source_location at = std::source_location::current());
  /// Names of all devices present, best first.
  static std::vector<std::string> available();

  /// "cuda:0".
  const std::string &name() const;
  /// What its vendor calls it.
  const std::string &description() const;
  /// What kernels are compiled for to run here.
  const Target &target() const;
  /// Threads in a warp; 0 where programs are not split over threads.
  int warp_size() const;
  /// Programs that can run at the same time come in multiples of this.
  int multiprocessors() const;
  /// The device's default stream.
  Stream stream() const;
  /// A new stream.
  Stream create_stream() const;
  /// Waits for the default stream.
  void synchronize() const { stream().synchronize(); }

  /// Memory for \p count elements, with unspecified contents.
  template <DType Element>
  Buffer<Element> buffer(std::int64_t count, std::source_location at = std::source_location::current()) const {
    return Buffer<Element>(detail::Memory(state(), count, Element, at));
  }
  /// Memory that holds a copy of \p values, a contiguous range of host elements: `upload(std::vector<float>{…})`.
  template <detail::ContiguousHostRange Values>
    requires(dtype_of<detail::HostRangeValue<Values>>.kind != Kind::None)
  auto upload(const Values &values, std::source_location at = std::source_location::current()) const {
    constexpr DType Element = dtype_of<detail::HostRangeValue<Values>>;
    detail::Memory memory(state(), static_cast<std::int64_t>(std::size(values)), Element, at);
    memory.write(0, std::data(values), std::size(values), nullptr, at);
    return Buffer<Element>(std::move(memory));
  }
  /// The same with each value converted to an element of \p Element: `upload<bf16>(std::vector<float>{…})`.
  template <DType Element, detail::SizedHostRange Values>
  Buffer<Element> upload(const Values &values, std::source_location at = std::source_location::current()) const {
    std::vector<host_type<Element>> converted;
    converted.reserve(std::size(values));
    for (const auto &value : values)
      converted.push_back(static_cast<host_type<Element>>(value));
    Buffer<Element> result = buffer<Element>(static_cast<std::int64_t>(converted.size()), at);
    result.copy_from(converted, at);
    return result;
  }

  bool operator==(const Device &) const = default;

  /// \name For other parts of this library
  /// @{
  explicit Device(rt::DeviceState &state) : state_(&state) {}
  rt::DeviceState &state() const { return *state_; }
  /// stream(), without another handle to it.
  const Stream &default_stream() const;
  /// @}

private:
  rt::DeviceState *state_;
};

} // namespace tessera

#endif // TESSERA_RUNTIME_DEVICE_H
