//===- Lld.cpp - link objects inside this process -------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// lld works on file names. The object lies in memory and is read by its name below /proc/self/fd. The result goes into
// a pipe: lld writes what is no regular file from memory and in one go, while a file in memory could not be renamed,
// which it would insist on. A pipe that holds the whole result is read after the link; for larger ones a thread reads
// along.
//
//===---------------------------------------------------------------------===//

#include "Target/Lld.h"

#include "Support/Files.h"

#include "lld/Common/Driver.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <mutex>
#include <shared_mutex>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

LLD_HAS_DRIVER(elf)

// lld makes every code generator of LLVM ready, for objects that hold bitcode. Ours hold code, so the generators that
// no back end here uses stay out of the library: without this they would be nine tenths of it. A back end that needs
// one takes it off the list.
#define TESSERA_UNUSED_GENERATOR(name)                                                                                 \
  void LLVMInitialize##name##TargetInfo() {}                                                                           \
  void LLVMInitialize##name##Target() {}                                                                               \
  void LLVMInitialize##name##TargetMC() {}                                                                             \
  void LLVMInitialize##name##AsmPrinter() {}                                                                           \
  void LLVMInitialize##name##AsmParser() {}

extern "C" {
TESSERA_UNUSED_GENERATOR(ARM)
TESSERA_UNUSED_GENERATOR(AVR)
TESSERA_UNUSED_GENERATOR(BPF)
TESSERA_UNUSED_GENERATOR(Hexagon)
TESSERA_UNUSED_GENERATOR(Lanai)
TESSERA_UNUSED_GENERATOR(LoongArch)
TESSERA_UNUSED_GENERATOR(M68k)
TESSERA_UNUSED_GENERATOR(MSP430)
TESSERA_UNUSED_GENERATOR(Mips)
TESSERA_UNUSED_GENERATOR(PowerPC)
TESSERA_UNUSED_GENERATOR(RISCV)
TESSERA_UNUSED_GENERATOR(SPIRV)
TESSERA_UNUSED_GENERATOR(Sparc)
TESSERA_UNUSED_GENERATOR(SystemZ)
TESSERA_UNUSED_GENERATOR(VE)
TESSERA_UNUSED_GENERATOR(WebAssembly)
TESSERA_UNUSED_GENERATOR(XCore)
TESSERA_UNUSED_GENERATOR(Xtensa)
}

#undef TESSERA_UNUSED_GENERATOR

namespace tessera::ir {

namespace {

/// A file descriptor that closes itself.
class Descriptor {
public:
  explicit Descriptor(int number = -1) : number(number) {}
  ~Descriptor() { reset(); }
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;

  void reset(int fresh = -1) {
    if (number >= 0)
      ::close(number);
    number = fresh;
  }
  int get() const { return number; }
  std::string path() const { return fmt::format("/proc/self/fd/{}", number); }

private:
  int number;
};

/// Reads until the last writer is gone; false on an error.
bool readAll(int file, SmallVectorImpl<char> &out) {
  for (;;) {
    char buffer[1 << 16];
    const ssize_t count = ::read(file, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return count == 0;
    out.append(buffer, buffer + count);
  }
}

/// The largest pipe that every process may have.
constexpr std::size_t kLargestPipe = std::size_t{1} << 20;

/// Whether the pipe \p file can be made to hold \p bytes.
bool holds(int file, std::size_t bytes) {
  if (bytes > kLargestPipe)
    return false;
  fcntl(file, F_SETPIPE_SZ, static_cast<int>(bytes)); // refused where this user's pipes are many
  const int capacity = fcntl(file, F_GETPIPE_SZ);
  return capacity > 0 && static_cast<std::size_t>(capacity) >= bytes;
}

LogicalResult systemError(const char *call, std::string &words) {
  words = fmt::format("{}: {}", call, std::strerror(errno));
  return failure();
}

} // namespace

/// lld keeps its state in global variables, LLVM's options among them.
static std::shared_mutex linking;
static SmallVector<void (*)()> setters; // under `linking`

void setBehindLinks(void (*set)()) {
  const std::lock_guard lock(linking);
  setters.push_back(set);
  set();
}

std::shared_lock<std::shared_mutex> keepOptions() { return std::shared_lock(linking); }

LogicalResult linkSharedObject(ArrayRef<char> object, SmallVectorImpl<char> &out, std::string &words,
                               LinkOptions options) {
  const Descriptor input(memfd_create("tessera-object", MFD_CLOEXEC));
  if (input.get() < 0)
    return systemError("memfd_create", words);
  if (!support::writeAll(input.get(), {object.data(), object.size()}))
    return systemError("write", words);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0)
    return systemError("pipe2", words);
  Descriptor reader(ends[0]), writer(ends[1]);

  // The headers and the padding of a few segments come to the object's own bytes.
  const bool fits = holds(writer.get(), object.size() + (std::size_t{1} << 16));
  bool read = true;
  std::thread along;
  if (!fits)
    along = std::thread([&] { read = readAll(reader.get(), out); });

  const std::string from = input.path(), to = writer.path();
  SmallVector<const char *> arguments{"ld.lld",
                                      "-shared",
                                      "--threads=1",
                                      "-z",
                                      "text",
                                      "-z",
                                      "noexecstack",
                                      "-z",
                                      "norelro",
                                      "--hash-style=gnu",
                                      "--build-id=none",
                                      "--no-undefined",
                                      from.c_str(),
                                      "-o",
                                      to.c_str()};
  if (!options.keepSymbols)
    arguments.push_back("-s");
  lld::Result result;
  {
    llvm::raw_string_ostream stream(words);
    const std::lock_guard lock(linking);
    result = lld::lldMain(arguments, stream, stream, {{lld::Gnu, &lld::elf::link}});
    for (void (*set)() : setters)
      set();
  }
  writer.reset();
  if (along.joinable())
    along.join();
  else
    read = readAll(reader.get(), out);
  if (result.retCode != 0)
    return failure();
  if (!read)
    return systemError("read", words);
  return success();
}

} // namespace tessera::ir
