//===- FloatEnvironment.h - the rounding kernels count on ------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Kernels round to nearest and keep denormals (SEMANTICS A3). A caller may have changed both: programs linked with
// -ffast-math flush denormals in every thread they start.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_CPU_FLOATENVIRONMENT_H
#define TESSERA_RUNTIME_CPU_FLOATENVIRONMENT_H

#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace tessera::rt::cpu {

/// While it lives, the calling thread has the processor's default float environment.
class FloatEnvironment {
public:
  FloatEnvironment() : saved(read()) {
    if ((saved & kControl) != kDefault)
      write(kDefault);
  }
  ~FloatEnvironment() {
    if ((saved & kControl) != kDefault)
      write(saved);
  }
  FloatEnvironment(const FloatEnvironment &) = delete;
  FloatEnvironment &operator=(const FloatEnvironment &) = delete;

private:
#if defined(__x86_64__)
  // MXCSR: everything but the sticky flags; by default all exceptions are masked.
  static constexpr std::uint64_t kControl = 0xffc0, kDefault = 0x1f80;
  static std::uint64_t read() { return _mm_getcsr(); }
  static void write(std::uint64_t value) { _mm_setcsr(static_cast<unsigned>(value)); }
#elif defined(__aarch64__)
  static constexpr std::uint64_t kControl = ~std::uint64_t{0}, kDefault = 0;
  static std::uint64_t read() {
    std::uint64_t value;
    asm volatile("mrs %0, fpcr" : "=r"(value));
    return value;
  }
  static void write(std::uint64_t value) { asm volatile("msr fpcr, %0" ::"r"(value)); }
#else
  static constexpr std::uint64_t kControl = 0, kDefault = 0;
  static std::uint64_t read() { return 0; }
  static void write(std::uint64_t) {}
#endif

  const std::uint64_t saved;
};

} // namespace tessera::rt::cpu

#endif // TESSERA_RUNTIME_CPU_FLOATENVIRONMENT_H
