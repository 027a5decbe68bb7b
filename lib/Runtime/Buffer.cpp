//===- Buffer.cpp - device memory -----------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "tessera/runtime/Buffer.h"

#include "Runtime/DeviceState.h"

#include "tessera/core/Error.h"

#include <fmt/format.h>
#include <utility>

namespace tessera::detail {

void throwSizeMismatch(std::int64_t size, std::size_t given, std::source_location at) {
  throw UsageError(at,
                   fmt::format("a buffer of {} elements cannot be copied from or to {} host elements; the counts must "
                               "be equal",
                               size, given));
}

void checkBorrow(std::int64_t count, DType dtype, std::source_location at) {
  if (count < 0 || count > maxCount(dtype))
    throw UsageError(at,
                     fmt::format("cannot borrow {} elements of {}; the count must lie between 0 and {}; leave it out "
                                 "if nobody knows it",
                                 count, dtype.name(), maxCount(dtype)));
}

void checkFrom(std::int64_t first, std::int64_t count, bool sized, DType dtype, std::source_location at) {
  const std::int64_t last = sized ? count : maxCount(dtype);
  if (first >= 0 && first <= last)
    return;
  const std::string memory = sized ? fmt::format("memory for {} elements", count) : "memory of unknown size";
  throw UsageError(at, fmt::format("{} has no part from element {} on; the first element must lie between 0 and {}",
                                   memory, first, last));
}

Memory::Memory(rt::DeviceState &device, std::int64_t count, DType dtype, std::source_location at)
    : device_(&device), count_(count), dtype_(dtype) {
  if (count < 0 || count > maxCount(dtype))
    throw UsageError(at,
                     fmt::format("a buffer of {} elements of {} cannot be made; the count must lie between 0 and {}",
                                 count, dtype.name(), maxCount(dtype)));
  data_ = device.driver.allocate(device.index, static_cast<std::size_t>(count * dtype.bytes()));
}

Memory::~Memory() {
  if (data_)
    device_->driver.free(device_->index, data_);
}

Memory::Memory(Memory &&other) noexcept
    : device_(std::exchange(other.device_, nullptr)), data_(std::exchange(other.data_, nullptr)),
      count_(std::exchange(other.count_, 0)), dtype_(other.dtype_) {}

Memory &Memory::operator=(Memory &&other) noexcept {
  std::swap(device_, other.device_);
  std::swap(data_, other.data_);
  std::swap(count_, other.count_);
  std::swap(dtype_, other.dtype_);
  return *this;
}

void Memory::check(std::int64_t first, std::size_t count, const Stream *stream, const char *verb,
                   std::source_location at) const {
  if (!data_)
    throw UsageError(at,
                     fmt::format("cannot {} a buffer without memory (default-constructed or moved from); make it with "
                                 "Device::buffer",
                                 verb));
  if (first < 0 || first > count_ || count > static_cast<std::size_t>(count_ - first))
    throw UsageError(at, fmt::format("cannot {} elements {} to {} of a buffer of {}", verb, first,
                                     static_cast<std::size_t>(first) + count, count_));
  if (stream && &stream->state().device != device_)
    throw UsageError(at, fmt::format("cannot {} a buffer of device {} through a stream of device {}", verb,
                                     device_->name, stream->state().device.name));
}

/// Calls \p enqueue with the queue that \p stream names; without one, with that of the default stream, and waits.
template <class Enqueue> static void through(rt::DeviceState &device, const Stream *stream, Enqueue enqueue) {
  rt::StreamState &queue = stream ? stream->state() : *device.defaultStream;
  enqueue(queue.native);
  if (!stream)
    queue.synchronize();
}

void Memory::write(std::int64_t first, const void *from, std::size_t count, const Stream *stream,
                   std::source_location at) {
  check(first, count, stream, "write", at);
  const auto size = static_cast<std::size_t>(dtype_.bytes());
  through(*device_, stream, [&](void *queue) {
    device_->driver.copyToDevice(device_->index, queue,
                                 static_cast<std::byte *>(data_) + static_cast<std::size_t>(first) * size, from,
                                 count * size);
  });
}

void Memory::read(std::int64_t first, void *to, std::size_t count, const Stream *stream,
                  std::source_location at) const {
  check(first, count, stream, "read", at);
  const auto size = static_cast<std::size_t>(dtype_.bytes());
  through(*device_, stream, [&](void *queue) {
    device_->driver.copyToHost(device_->index, queue, to,
                               static_cast<const std::byte *>(data_) + static_cast<std::size_t>(first) * size,
                               count * size);
  });
}

void Memory::copy(const Memory &from, const Stream *stream, std::source_location at) {
  from.check(0, 0, nullptr, "copy from", at);
  check(0, 0, stream, "copy to", at);
  if (from.device_ != device_)
    throw UsageError(at,
                     fmt::format("cannot copy a buffer of device {} to a buffer of device {}; copy through the host",
                                 from.device_->name, device_->name));
  if (from.count_ != count_)
    throw UsageError(at, fmt::format("cannot copy a buffer of {} elements to a buffer of {}; the counts must be equal",
                                     from.count_, count_));
  through(*device_, stream, [&](void *queue) {
    device_->driver.copyOnDevice(device_->index, queue, data_, from.data_,
                                 static_cast<std::size_t>(count_ * dtype_.bytes()));
  });
}

void Memory::fill(std::uint64_t pattern, const Stream *stream, std::source_location at) {
  check(0, static_cast<std::size_t>(count_), stream, "fill", at);
  through(*device_, stream, [&](void *queue) {
    device_->driver.fill(device_->index, queue, data_, pattern, dtype_.bytes(), static_cast<std::size_t>(count_));
  });
}

} // namespace tessera::detail
