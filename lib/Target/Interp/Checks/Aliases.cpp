//===- Aliases.cpp - one place of memory through two arguments ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Interp/Checks/Aliases.h"

#include "llvm/ADT/STLExtras.h"

namespace tessera::ir::interp {

AliasTracker::Page &AliasTracker::pageOf(std::uint64_t program, std::uint64_t address) {
  Page &page = pages[address >> 12];
  if (page.program != program) {
    page.program = program;
    page.epoch = epoch;
    page.writer.fill(0);
    page.loads.fill({});
  } else if (page.epoch != epoch) {
    page.epoch = epoch;
    page.loads.fill({});
  }
  return page;
}

const MemorySite *AliasTracker::access(std::uint64_t program, const MemorySite &site, std::uint32_t lane,
                                       std::uint64_t address, std::uint64_t bytes) {
  const MemorySite *met = nullptr;
  for (; bytes != 0; ++address, --bytes) {
    Page &page = pageOf(program, address);
    const std::size_t at = address & 4095;
    std::uint32_t &writer = page.writer[at];
    Loads &loads = page.loads[at];
    if (writer != 0 && areApart(code.memory[writer - 1], site))
      met = &code.memory[writer - 1];
    if (site.writes) {
      for (unsigned i = 0; i != 2 && !met; ++i)
        if (loads.site[i] != 0 && loads.lane[i] != lane && areApart(code.memory[loads.site[i] - 1], site) &&
            !llvm::is_contained(site.moved, loads.site[i] - 1))
          met = &code.memory[loads.site[i] - 1];
      writer = site.index + 1;
      continue;
    }
    const unsigned i = loads.site[0] == 0 || (loads.site[0] == site.index + 1 && loads.lane[0] == lane) ? 0 : 1;
    loads.site[i] = site.index + 1;
    loads.lane[i] = lane;
  }
  return met;
}

} // namespace tessera::ir::interp
