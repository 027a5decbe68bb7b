//===- BuildId.cpp - which build of a library this is ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Support/BuildId.h"

#include "Support/Files.h"

#include <cstdint>
#include <cstring>
#include <elf.h>
#include <fmt/format.h>
#include <link.h>
#include <span>
#include <string_view>

namespace tessera::support {

namespace {
struct Search {
  std::uintptr_t address;
  std::string id, path;
};
} // namespace

/// The build id among the notes of a loaded file, in hexadecimal; empty if there is none.
static std::string buildIdIn(std::span<const char> notes) {
  const auto aligned = [](std::uint32_t size) { return (std::size_t{size} + 3) / 4 * 4; };
  ElfW(Nhdr) note;
  while (notes.size() >= sizeof note) {
    std::memcpy(&note, notes.data(), sizeof note);
    const std::size_t name = aligned(note.n_namesz), contents = aligned(note.n_descsz);
    if (name > notes.size() - sizeof note || contents > notes.size() - sizeof note - name)
      return {};
    const std::string_view owner(notes.data() + sizeof note, note.n_namesz);
    if (note.n_type == NT_GNU_BUILD_ID && owner == std::string_view("GNU\0", 4)) {
      std::string text;
      for (const char byte : notes.subspan(sizeof note + name, note.n_descsz))
        text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
      return text;
    }
    notes = notes.subspan(sizeof note + name + contents);
  }
  return {};
}

/// Called for every loaded file; ends the search with 1 at the one that holds the address.
static int visit(dl_phdr_info *info, std::size_t, void *data) {
  auto &search = *static_cast<Search *>(data);
  const std::span headers(info->dlpi_phdr, info->dlpi_phnum);
  bool holds = false;
  for (const auto &header : headers)
    holds |= header.p_type == PT_LOAD && search.address - (info->dlpi_addr + header.p_vaddr) < header.p_memsz;
  if (!holds)
    return 0;
  search.path = info->dlpi_name;
  for (const auto &header : headers)
    if (header.p_type == PT_NOTE && search.id.empty())
      search.id = buildIdIn({reinterpret_cast<const char *>(info->dlpi_addr + header.p_vaddr), header.p_memsz});
  return 1;
}

std::string buildIdOf(const void *address) {
  Search search{reinterpret_cast<std::uintptr_t>(address), {}, {}};
  ::dl_iterate_phdr(visit, &search);
  if (!search.id.empty())
    return search.id;
  return identifyFile(search.path.empty() ? "/proc/self/exe" : search.path);
}

} // namespace tessera::support
