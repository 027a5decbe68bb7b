//===- SharedObject.cpp - a shared library from memory --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The dynamic loader wants a file name. A file in memory has one below /proc/self/fd, but the loader takes equal names
// for the same library, and descriptors are reused: each load spells its name in another way. Where the system forbids
// programs in such files, a temporary file of a private folder takes its place for a moment.
//
//===---------------------------------------------------------------------===//

#include "Runtime/CPU/SharedObject.h"

#include "Runtime/CPU/HostFeatures.h"
#include "Support/Files.h"

#include "tessera/core/Error.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

namespace tessera::rt::cpu {

/// Why \p bytes cannot be a library of this process; null if nothing speaks against it.
static const char *problemOf(std::span<const std::byte> bytes) {
  Elf64_Ehdr header;
  if (bytes.size() < sizeof header)
    return "it is too short for an ELF file";
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    return "it is no ELF file";
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
    return "it is no 64-bit little-endian ELF file";
  if (header.e_type != ET_DYN)
    return "it is no shared object";
  const unsigned machine = hostArchitecture() == "x86-64" ? EM_X86_64 : EM_AARCH64;
  if (header.e_machine != machine)
    return "it is made for another architecture";
  return nullptr;
}

static bool writeAll(int file, std::span<const std::byte> bytes) {
  return support::writeAll(file, {reinterpret_cast<const char *>(bytes.data()), bytes.size()});
}

/// A name for descriptor \p file that no other call gives: the bits of a counter as "./" and "/".
static std::string freshName(int file) {
  static std::atomic<unsigned long> counter{0};
  std::string name = "/proc/self/fd/";
  for (unsigned long rest = ++counter; rest; rest >>= 1)
    name += rest & 1 ? "./" : "/";
  return name + std::to_string(file);
}

/// Loads from memory; null with the reason in \p why.
static void *loadFromMemory(std::span<const std::byte> bytes, std::string &why) {
  const int file = memfd_create("tessera-kernel", MFD_CLOEXEC);
  if (file < 0) {
    why = fmt::format("memfd_create: {}", std::strerror(errno));
    return nullptr;
  }
  void *handle = nullptr;
  if (!writeAll(file, bytes))
    why = fmt::format("write: {}", std::strerror(errno));
  else if (!(handle = dlopen(freshName(file).c_str(), RTLD_NOW | RTLD_LOCAL)))
    why = dlerror();
  close(file);
  return handle;
}

/// Loads from a file that is gone again afterwards; null with the reason in \p why.
static void *loadFromFile(std::span<const std::byte> bytes, std::string &why) {
  std::error_code error;
  std::string folder = (std::filesystem::temp_directory_path(error) / "tessera-XXXXXX").string();
  if (!mkdtemp(folder.data())) { // only we may enter it
    why = fmt::format("mkdtemp {}: {}", folder, std::strerror(errno));
    return nullptr;
  }
  std::string path = folder + "/kernel-XXXXXX";
  const int file = mkstemp(path.data());
  void *handle = nullptr;
  if (file < 0 || !writeAll(file, bytes))
    why = fmt::format("{}: {}", path, std::strerror(errno));
  else if (!(handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)))
    why = dlerror();
  if (file >= 0) {
    close(file);
    unlink(path.c_str());
  }
  rmdir(folder.c_str());
  return handle;
}

SharedObject::SharedObject(std::span<const std::byte> bytes) {
  if (const char *problem = problemOf(bytes))
    throw DeviceError(fmt::format("the code cannot be loaded: {}", problem));
  std::string inMemory, inFile;
  if ((handle = loadFromMemory(bytes, inMemory)) || (handle = loadFromFile(bytes, inFile)))
    return;
  throw DeviceError(fmt::format("the code cannot be loaded: from memory: {}; from a file: {}", inMemory, inFile));
}

SharedObject::~SharedObject() {
  if (handle)
    dlclose(handle);
}

void *SharedObject::find(const std::string &symbol) const { return dlsym(handle, symbol.c_str()); }

} // namespace tessera::rt::cpu
