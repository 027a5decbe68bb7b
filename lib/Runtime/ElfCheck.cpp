//===- ElfCheck.cpp - whether bytes are a whole ELF file ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/ElfCheck.h"

#include <cstring>
#include <elf.h>
#include <fmt/format.h>

namespace tessera::rt {

std::string problemOfElf(std::span<const std::byte> bytes, std::uint16_t machine, std::string_view machineName) {
  Elf64_Ehdr header;
  if (bytes.size() < sizeof header)
    return fmt::format("it has {} bytes, fewer than an ELF header", bytes.size());
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64)
    return "it is no 64-bit ELF file";
  if (header.e_machine != machine)
    return fmt::format("it is for ELF machine {} and not for {}", header.e_machine, machineName);
  const auto inside = [&](std::uint64_t offset, std::uint64_t size) {
    return offset <= bytes.size() && size <= bytes.size() - offset;
  };
  const std::uint64_t sections = header.e_shnum, programs = header.e_phnum;
  if (!inside(header.e_shoff, sections * sizeof(Elf64_Shdr)) || !inside(header.e_phoff, programs * sizeof(Elf64_Phdr)))
    return "it is cut off";
  for (std::uint64_t i = 0; i != sections; ++i) {
    Elf64_Shdr section;
    std::memcpy(&section, bytes.data() + header.e_shoff + i * sizeof section, sizeof section);
    if (section.sh_type != SHT_NOBITS && !inside(section.sh_offset, section.sh_size))
      return "it is cut off";
  }
  return {};
}

} // namespace tessera::rt
