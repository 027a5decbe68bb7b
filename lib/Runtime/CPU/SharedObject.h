//===- SharedObject.h - a shared library from memory -----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_CPU_SHAREDOBJECT_H
#define TESSERA_RUNTIME_CPU_SHAREDOBJECT_H

#include <cstddef>
#include <span>
#include <string>

namespace tessera::rt::cpu {

/// A loaded shared library whose bytes come from memory. Every load is a library of its own, also of equal bytes.
class SharedObject {
public:
  /// Loads \p bytes, an ELF shared object for this processor without dependencies. DeviceError if it is none or the
  /// dynamic loader refuses it.
  explicit SharedObject(std::span<const std::byte> bytes);
  ~SharedObject();
  SharedObject(const SharedObject &) = delete;
  SharedObject &operator=(const SharedObject &) = delete;

  /// The address of an exported symbol; null if there is none.
  void *find(const std::string &symbol) const;

private:
  void *handle = nullptr;
};

} // namespace tessera::rt::cpu

#endif // TESSERA_RUNTIME_CPU_SHAREDOBJECT_H
