//===- Border.cpp - checks of what leaves the back end --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/CPU/Codegen.h"

#include "llvm/Object/ELF.h"

namespace tessera::ir::host {

llvm::Error checkModule(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    if (function.isDeclaration() && !function.isIntrinsic())
      return llvm::createStringError("the code calls `%s`, and kernels have no library",
                                     function.getName().str().c_str());
  return llvm::Error::success();
}

llvm::Error checkSharedObject(llvm::ArrayRef<char> bytes, llvm::StringRef entry) {
  using File = llvm::object::ELF64LEFile;
  llvm::Expected<File> file = File::create(llvm::StringRef(bytes.data(), bytes.size()));
  if (!file)
    return file.takeError();
  auto sections = file->sections();
  if (!sections)
    return sections.takeError();
  for (const auto &section : *sections) {
    if (section.sh_type == llvm::ELF::SHT_RELA || section.sh_type == llvm::ELF::SHT_REL)
      return llvm::createStringError("the linked code has relocations");
    if (section.sh_type == llvm::ELF::SHT_DYNSYM) {
      auto symbols = file->symbols(&section);
      auto names = file->getStringTableForSymtab(section);
      if (!symbols || !names)
        return llvm::joinErrors(symbols.takeError(), names.takeError());
      for (const auto &symbol : *symbols) {
        auto name = symbol.getName(*names);
        if (!name)
          return name.takeError();
        if (!name->empty() && (*name != entry || symbol.isUndefined()))
          return llvm::createStringError("the linked code %s symbol `%s`", symbol.isUndefined() ? "needs" : "shows",
                                         name->str().c_str());
      }
    }
    if (section.sh_type == llvm::ELF::SHT_DYNAMIC) {
      auto entries = file->getSectionContentsAsArray<File::Elf_Dyn>(section);
      if (!entries)
        return entries.takeError();
      for (const auto &dynamic : *entries)
        if (dynamic.d_tag == llvm::ELF::DT_NEEDED)
          return llvm::createStringError("the linked code needs another library");
    }
  }
  return llvm::Error::success();
}

} // namespace tessera::ir::host
