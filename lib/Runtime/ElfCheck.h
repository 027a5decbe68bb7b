//===- ElfCheck.h - whether bytes are a whole ELF file ---------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_ELFCHECK_H
#define TESSERA_RUNTIME_ELFCHECK_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tessera::rt {

/// What is wrong with \p bytes as an ELF file for \p machine, which people call \p machineName: vendors' libraries may
/// end the process over a truncated one. Empty if nothing shows.
std::string problemOfElf(std::span<const std::byte> bytes, std::uint16_t machine, std::string_view machineName);

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_ELFCHECK_H
