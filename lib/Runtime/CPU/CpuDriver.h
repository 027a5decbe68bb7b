//===- CpuDriver.h - the host's processor as a device ----------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Runs images of format "shared-object". Its memory is the host's, every call is finished when it returns, and programs
// are spread over the threads of ThreadPool.h.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_CPU_CPUDRIVER_H
#define TESSERA_RUNTIME_CPU_CPUDRIVER_H

#include <string_view>

namespace tessera::rt::cpu {

/// The format of images for this device: an ELF shared object that exports one `Entry` and needs no other library.
inline constexpr std::string_view kFormat = "shared-object";
/// The fact of images whose programs run on one thread in the order of their numbers, "1" there.
inline constexpr std::string_view kInOrderFact = "in_grid_order";

} // namespace tessera::rt::cpu

#endif // TESSERA_RUNTIME_CPU_CPUDRIVER_H
