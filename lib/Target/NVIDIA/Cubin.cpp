//===- Cubin.cpp - what a cubin says of its kernel ------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/NVIDIA/Cubin.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Endian.h"

#include <algorithm>
#include <numeric>

namespace tessera::ir::nvidia {

using llvm::ArrayRef;
using llvm::Expected;
using llvm::StringRef;
using File = llvm::object::ELF64LEFile;
using Section = File::Elf_Shdr;

std::uint32_t AccessCounts::count() const { return std::accumulate(byWidth.begin(), byWidth.end(), 0u); }

std::uint64_t AccessCounts::bytes() const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i != byWidth.size(); ++i)
    sum += std::uint64_t{byWidth[i]} << i;
  return sum;
}

std::uint32_t AccessCounts::ofWidth(std::uint32_t width) const {
  const auto i = static_cast<std::size_t>(llvm::countr_zero(width));
  return i < byWidth.size() ? byWidth[i] : 0;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

namespace {

/// What attributes are called in listings of the vendor's tools.
enum Attribute : std::uint8_t {
  EIATTR_FRAME_SIZE = 0x11,
  EIATTR_KPARAM_INFO = 0x17,
  EIATTR_CBANK_PARAM_SIZE = 0x19,
  EIATTR_REGCOUNT = 0x2f,
};
/// How an attribute's value is stored: in the entry, or behind it with its size in the entry.
enum Form : std::uint8_t { EIFMT_NVAL = 1, EIFMT_BVAL = 2, EIFMT_HVAL = 3, EIFMT_SVAL = 4 };

constexpr std::uint32_t kInfoType = 0x70000000; // SHT_CUDA_INFO
/// Shared memory of a block that chips with clusters keep for themselves, in front of the kernel's own.
constexpr std::uint64_t kReservedSharedBytes = 1024;

std::uint32_t word(ArrayRef<std::uint8_t> bytes, std::size_t index) {
  return 4 * index + 4 <= bytes.size() ? llvm::support::endian::read32le(bytes.data() + 4 * index) : 0;
}

/// Calls \p visit with each attribute of an info section: its number, the value of an entry, what is stored behind it.
template <class Visit> llvm::Error forEachAttribute(ArrayRef<std::uint8_t> bytes, Visit visit) {
  while (!bytes.empty()) {
    if (bytes.size() < 4)
      return llvm::createStringError("an attribute is cut off");
    const std::uint8_t form = bytes[0], attribute = bytes[1];
    const std::uint16_t value = llvm::support::endian::read16le(bytes.data() + 2);
    bytes = bytes.drop_front(4);
    ArrayRef<std::uint8_t> stored;
    if (form == EIFMT_SVAL) {
      if (value > bytes.size())
        return llvm::createStringError("an attribute's value is cut off");
      stored = bytes.take_front(value);
      bytes = bytes.drop_front(value);
    } else if (form < EIFMT_NVAL || form > EIFMT_SVAL) {
      return llvm::createStringError("an attribute has unknown form %u", unsigned{form});
    }
    visit(attribute, value, stored);
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

/// Operations of Volta and every chip since, less the form of the operands. Accesses of 32 bytes are of their own.
enum Operation : std::uint16_t {
  LD = 0x180,
  LDG = 0x181,
  LDL = 0x183,
  ST = 0x185,
  STG = 0x186,
  STL = 0x187,
  LDG256 = 0x17e,
  STG256 = 0x17f
};

constexpr std::size_t kInstructionBytes = 16;

void countInstructions(ArrayRef<std::uint8_t> code, CubinFacts &facts) {
  facts.instructions = static_cast<std::uint32_t>(code.size() / kInstructionBytes);
  for (; code.size() >= kInstructionBytes; code = code.drop_front(kInstructionBytes)) {
    AccessCounts *counts = nullptr;
    const unsigned operation = llvm::support::endian::read16le(code.data()) & 0x1ff;
    switch (operation) {
    case LD:
      counts = &facts.flatLoads;
      break;
    case ST:
      counts = &facts.flatStores;
      break;
    case LDG:
    case LDG256:
      counts = &facts.globalLoads;
      break;
    case STG:
    case STG256:
      counts = &facts.globalStores;
      break;
    case LDL:
      counts = &facts.localLoads;
      break;
    case STL:
      counts = &facts.localStores;
      break;
    default:
      continue;
    }
    // Bits 73 to 75: u8, s8, u16, s16, 4 bytes, 8, 16, 32.
    static constexpr std::uint8_t kLogBytes[] = {0, 0, 1, 1, 2, 3, 4, 5};
    const bool isWide = operation == LDG256 || operation == STG256;
    ++counts->byWidth[isWide ? 5 : kLogBytes[code[9] >> 1 & 7]];
  }
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

/// Reads one kernel, section by section.
class Reader {
public:
  Reader(const File &file, StringRef entry) : file(file), entry(entry) {}

  Expected<CubinFacts> read() {
    auto sections = file.sections();
    if (!sections)
      return sections.takeError();
    if (llvm::Error error = findSymbol(*sections))
      return error;
    bool hasCode = false, reserves = false;
    std::uint64_t sharedBytes = 0;
    for (const Section &section : *sections) {
      auto name = file.getSectionName(section);
      if (!name)
        return name.takeError();
      if (name->starts_with(".nv.shared.reserved.")) {
        reserves = true;
      } else if (isOf(*name, ".nv.shared.")) {
        sharedBytes = section.sh_size;
      } else if (isOf(*name, ".nv.constant0.")) {
        facts.constantBytes = static_cast<std::uint32_t>(section.sh_size);
      } else if (isOf(*name, ".text.")) {
        hasCode = true;
        if (llvm::Error error = withContents(section, [&](auto bytes) { countInstructions(bytes, facts); }))
          return error;
      } else if (*name == ".note.nv.tkinfo") {
        if (llvm::Error error = withContents(section, [&](auto bytes) { readToolInfo(bytes); }))
          return error;
      } else if (section.sh_type == kInfoType && (*name == ".nv.info" || isOf(*name, ".nv.info."))) {
        if (llvm::Error error = readInfo(section))
          return error;
      }
    }
    if (!hasCode)
      return llvm::createStringError("it has no code for `%s`", entry.str().c_str());
    facts.staticSharedBytes =
        static_cast<std::uint32_t>(reserves ? sharedBytes - std::min(sharedBytes, kReservedSharedBytes) : sharedBytes);
    llvm::sort(facts.parameters, [](const auto &a, const auto &b) { return a.ordinal < b.ordinal; });
    return std::move(facts);
  }

private:
  /// Whether a section belongs to the kernel: \p prefix and its name.
  bool isOf(StringRef name, StringRef prefix) const { return name.consume_front(prefix) && name == entry; }

  template <class Use> llvm::Error withContents(const Section &section, Use use) {
    auto contents = file.getSectionContents(section);
    if (!contents)
      return contents.takeError();
    use(*contents);
    return llvm::Error::success();
  }

  llvm::Error findSymbol(llvm::object::ELFFile<llvm::object::ELF64LE>::Elf_Shdr_Range sections) {
    for (const Section &section : sections) {
      if (section.sh_type != llvm::ELF::SHT_SYMTAB)
        continue;
      auto symbols = file.symbols(&section);
      if (!symbols)
        return symbols.takeError();
      auto names = file.getStringTableForSymtab(section);
      if (!names)
        return names.takeError();
      for (auto [index, symbol] : llvm::enumerate(*symbols)) {
        auto name = symbol.getName(*names);
        if (!name)
          return name.takeError();
        if (*name == entry && symbol.getType() == llvm::ELF::STT_FUNC)
          symbolNumber = static_cast<std::uint32_t>(index);
      }
    }
    return llvm::Error::success();
  }

  llvm::Error readInfo(const Section &section) {
    auto contents = file.getSectionContents(section);
    if (!contents)
      return contents.takeError();
    return forEachAttribute(*contents, [&](std::uint8_t attribute, std::uint16_t value, ArrayRef<std::uint8_t> stored) {
      const bool ofKernel = symbolNumber != 0 && word(stored, 0) == symbolNumber;
      if (attribute == EIATTR_REGCOUNT && ofKernel) {
        facts.registers = word(stored, 1);
      } else if (attribute == EIATTR_FRAME_SIZE && ofKernel) {
        facts.stackBytes = word(stored, 1);
      } else if (attribute == EIATTR_CBANK_PARAM_SIZE) {
        facts.parameterBytes = value;
      } else if (attribute == EIATTR_KPARAM_INFO && stored.size() >= 12) {
        // index, ordinal and offset in 16 bits each, then the size in the upper 14 bits.
        const std::uint32_t place = word(stored, 1);
        facts.parameters.push_back({place & 0xffff, place >> 16, word(stored, 2) >> 18});
      }
    });
  }

  /// The note's strings: program, toolkit, build, options.
  void readToolInfo(ArrayRef<std::uint8_t> bytes) {
    StringRef text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
    const std::size_t version = text.find(", V");
    if (version != StringRef::npos)
      facts.assembler = (text.contains("nvJIT API") ? "nvJitLink " : "ptxas ") +
                        text.drop_front(version + 2).take_while([](char c) { return c >= ' ' && c <= '~'; }).str();
  }

  const File &file;
  StringRef entry;
  std::uint32_t symbolNumber = 0;
  CubinFacts facts;
};

} // namespace

Expected<CubinFacts> readCubin(ArrayRef<std::byte> cubin, StringRef entry) {
  auto file = File::create(StringRef(reinterpret_cast<const char *>(cubin.data()), cubin.size()));
  if (!file)
    return file.takeError();
  if (file->getHeader().e_machine != llvm::ELF::EM_CUDA)
    return llvm::createStringError("it is no code for a GPU of NVIDIA");
  return Reader(*file, entry).read();
}

} // namespace tessera::ir::nvidia
