//===- Buffer.h - device memory --------------------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// `Buffer<T>` owns memory of one device, `Borrowed<T>` names memory of somebody else. Both are launched as `Ptr<T>`.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_BUFFER_H
#define TESSERA_RUNTIME_BUFFER_H

#include "tessera/core/DType.h"
#include "tessera/core/Export.h"
#include "tessera/core/HostTypes.h"
#include "tessera/runtime/Stream.h"

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera {

namespace detail {

/// Owned device memory without a type. Moves; the moved-from one is empty.
class TESSERA_API Memory {
public:
  Memory() = default;
  Memory(rt::DeviceState &device, std::int64_t count, DType dtype, std::source_location at);
  ~Memory();
  Memory(Memory &&other) noexcept;
  Memory &operator=(Memory &&other) noexcept;

  rt::DeviceState *device() const { return device_; }
  void *data() const { return data_; }
  std::int64_t count() const { return count_; }

  /// Copies \p count host elements to the elements from \p first on; through \p stream, or the default one if null.
  void write(std::int64_t first, const void *from, std::size_t count, const Stream *stream, std::source_location at);
  /// Copies elements to the host. Waits for the copy, unless a stream is given.
  void read(std::int64_t first, void *to, std::size_t count, const Stream *stream, std::source_location at) const;
  void copy(const Memory &from, const Stream *stream, std::source_location at);
  void fill(std::uint64_t pattern, const Stream *stream, std::source_location at);

private:
  void check(std::int64_t first, std::size_t count, const Stream *stream, const char *verb,
             std::source_location at) const;

  rt::DeviceState *device_ = nullptr;
  void *data_ = nullptr;
  std::int64_t count_ = 0;
  DType dtype_;
};

/// UsageError: a copy of \p given elements meets a buffer of \p size.
[[noreturn]] TESSERA_API void throwSizeMismatch(std::int64_t size, std::size_t given, std::source_location at);

/// The most elements of \p dtype that any memory has.
constexpr std::int64_t maxCount(DType dtype) { return (std::int64_t{1} << 48) / dtype.bytes(); }
/// UsageError if nobody has memory for \p count elements of \p dtype.
TESSERA_API void checkBorrow(std::int64_t count, DType dtype, std::source_location at);
/// UsageError if memory for \p count elements, as far as that is known, has no part from \p first on.
TESSERA_API void checkFrom(std::int64_t first, std::int64_t count, bool sized, DType dtype, std::source_location at);

} // namespace detail

/// Memory that somebody else owns: a raw pointer, and how many elements it may reach. A value, made by `borrow`.
template <DType Element> struct Borrowed {
  void *data = nullptr;
  std::int64_t count = 0;            ///< elements, if `sized`
  rt::DeviceState *device = nullptr; ///< null: unknown, taken to be the launch's
  bool sized = true;                 ///< false: nobody said how many elements there are
  bool readOnly = false;             ///< a pointer to const: launching a kernel that stores through it is a UsageError

  /// The part of it from element \p first on; UsageError unless 0 <= first <= count.
  Borrowed from(std::int64_t first, std::source_location at = std::source_location::current()) const {
    detail::checkFrom(first, count, sized, Element, at);
    Borrowed part = *this;
    if (data) {
      part.data = static_cast<std::byte *>(data) + first * Element.bytes();
      part.count = sized ? count - first : 0;
    }
    return part;
  }
};

/// Owns memory for elements of \p Element on one device. Moves only; free of the device's work: destroying a buffer
/// that an enqueued launch uses is safe. Made by Device::buffer and Device::upload. Host elements have the type
/// host_type<Element>.
///
/// copy_from, copy_to, fill and download are done when they return. A wrong size is a UsageError at the caller's line.
template <DType Element> class Buffer {
public:
  static_assert(Element.bytes() != 0, "a Buffer needs an element type such as f32, not any");
  using value_type = host_type<Element>;

  /// No memory; launching with it is a UsageError.
  Buffer() = default;
  explicit Buffer(detail::Memory memory) : memory_(std::move(memory)) {}

  /// Elements.
  std::int64_t size() const { return memory_.count(); }
  bool empty() const { return size() == 0; }
  /// The device's address. Host code may follow it on devices that share the host's memory only.
  value_type *data() const { return static_cast<value_type *>(memory_.data()); }
  /// The device, or null for a buffer without memory.
  rt::DeviceState *device() const { return memory_.device(); }

  /// Replaces all elements.
  void copy_from(std::span<const value_type> values, std::source_location at = std::source_location::current()) {
    wholeSize(values.size(), at);
    memory_.write(0, values.data(), values.size(), nullptr, at);
  }
  /// Reads all elements.
  void copy_to(std::span<value_type> values, std::source_location at = std::source_location::current()) const {
    wholeSize(values.size(), at);
    memory_.read(0, values.data(), values.size(), nullptr, at);
  }
  /// Copies another buffer of the same device and size, on the device.
  void copy_from(const Buffer &other, std::source_location at = std::source_location::current()) {
    memory_.copy(other.memory_, nullptr, at);
  }
  /// Enqueues the copy. \p values must stay as they are until the stream is synchronised.
  void copy_from_async(const Stream &stream, std::span<const value_type> values,
                       std::source_location at = std::source_location::current()) {
    wholeSize(values.size(), at);
    memory_.write(0, values.data(), values.size(), &stream, at);
  }
  /// Enqueues a copy of another buffer of the same device and size, on the device.
  void copy_from_async(const Stream &stream, const Buffer &other,
                       std::source_location at = std::source_location::current()) {
    memory_.copy(other.memory_, &stream, at);
  }
  /// Enqueues the copy. \p values holds the elements once the stream is synchronised.
  void copy_to_async(const Stream &stream, std::span<value_type> values,
                     std::source_location at = std::source_location::current()) const {
    wholeSize(values.size(), at);
    memory_.read(0, values.data(), values.size(), &stream, at);
  }
  /// Sets all elements to \p value.
  void fill(value_type value, std::source_location at = std::source_location::current()) {
    memory_.fill(patternOf(value), nullptr, at);
  }
  /// Enqueues the fill.
  void fill_async(const Stream &stream, value_type value, std::source_location at = std::source_location::current()) {
    memory_.fill(patternOf(value), &stream, at);
  }
  /// All elements, on the host.
  std::vector<value_type> download(std::source_location at = std::source_location::current()) const {
    std::vector<value_type> values(static_cast<std::size_t>(size()));
    copy_to(values, at);
    return values;
  }
  /// The memory from element \p first on, to launch with; UsageError unless 0 <= first <= size(). The buffer must
  /// outlive it.
  Borrowed<Element> from(std::int64_t first, std::source_location at = std::source_location::current()) const {
    return Borrowed<Element>(*this).from(first, at);
  }
  /// The whole memory, to keep beside other borrowed pointers. The buffer must outlive it.
  operator Borrowed<Element>() const { return {memory_.data(), size(), device(), device() != nullptr, false}; }

private:
  void wholeSize(std::size_t given, std::source_location at) const {
    if (static_cast<std::int64_t>(given) != size())
      detail::throwSizeMismatch(size(), given, at);
  }
  static std::uint64_t patternOf(value_type value) {
    std::uint64_t pattern = 0;
    __builtin_memcpy(&pattern, &value, sizeof value);
    return pattern;
  }

  detail::Memory memory_;
};

/// Memory of another owner for a launch: \p count elements from \p pointer on. With the count, checks know how far
/// accesses may reach, and outputs can be zeroed and saved. Kernels cannot store through a pointer to const. UsageError
/// for a count below 0, or above what any memory has.
template <class Host>
  requires(dtype_of<Host>.kind != Kind::None)
Borrowed<dtype_of<Host>> borrow(Host *pointer, std::int64_t count,
                                std::source_location at = std::source_location::current()) {
  detail::checkBorrow(count, dtype_of<Host>, at);
  return {const_cast<std::remove_cv_t<Host> *>(pointer), count, nullptr, true, std::is_const_v<Host>};
}
/// The same for memory of unknown size, where no access is checked.
template <class Host>
  requires(dtype_of<Host>.kind != Kind::None)
Borrowed<dtype_of<Host>> borrow(Host *pointer) {
  return {const_cast<std::remove_cv_t<Host> *>(pointer), 0, nullptr, false, std::is_const_v<Host>};
}
/// The same for an untyped pointer, or to choose the dtype: `borrow<bf16>(tensor.data_ptr(), n)`.
template <DType Element>
Borrowed<Element> borrow(void *pointer, std::int64_t count, std::source_location at = std::source_location::current()) {
  detail::checkBorrow(count, Element, at);
  return {pointer, count, nullptr, true, false};
}
template <DType Element>
Borrowed<Element> borrow(const void *pointer, std::int64_t count,
                         std::source_location at = std::source_location::current()) {
  detail::checkBorrow(count, Element, at);
  return {const_cast<void *>(pointer), count, nullptr, true, true};
}
template <DType Element> Borrowed<Element> borrow(void *pointer) { return {pointer, 0, nullptr, false, false}; }
template <DType Element> Borrowed<Element> borrow(const void *pointer) {
  return {const_cast<void *>(pointer), 0, nullptr, false, true};
}

} // namespace tessera

#endif // TESSERA_RUNTIME_BUFFER_H
