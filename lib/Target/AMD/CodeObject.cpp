//===- CodeObject.cpp - what a code object says of its kernel -------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/AMD/CodeObject.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/MsgPackReader.h"
#include "llvm/Object/ELF.h"

#include <limits>
#include <optional>

namespace tessera::ir::amd {

using llvm::Expected;
using llvm::StringRef;
using File = llvm::object::ELF64LEFile;
using Section = File::Elf_Shdr;

namespace {

/// The size of a kernel's descriptor.
constexpr std::uint64_t kDescriptorBytes = 64;

/// A document in the form MessagePack, object by object. Each function is false if the bytes are no such thing.
class Document {
public:
  using Object = llvm::msgpack::Object;
  using Type = llvm::msgpack::Type;

  explicit Document(StringRef bytes) : reader(bytes) {}

  /// The next object; of a map or array its head.
  bool next(Object &object) {
    Expected<bool> found = reader.read(object);
    if (!found)
      llvm::consumeError(found.takeError());
    return found && *found;
  }

  /// Passes over what is in \p head.
  bool skip(const Object &head) {
    for (std::uint64_t left = inside(head); left != 0; --left) {
      Object object;
      if (!next(object))
        return false;
      left += inside(object);
    }
    return true;
  }

  /// Calls \p visit with each key of the map and the head of what stands there, which it must pass over.
  template <class Visit> bool forEach(const Object &map, Visit visit) {
    if (map.Kind != Type::Map)
      return false;
    for (std::size_t i = 0; i != map.Length; ++i) {
      Object key, value;
      if (!next(key) || key.Kind != Type::String || !next(value) || !visit(key.Raw, value))
        return false;
    }
    return true;
  }

  /// Calls \p visit with the head of each element of the array, which it must pass over.
  template <class Visit> bool forEachIn(const Object &array, Visit visit) {
    if (array.Kind != Type::Array)
      return false;
    for (std::size_t i = 0; i != array.Length; ++i)
      if (Object element; !next(element) || !visit(element))
        return false;
    return true;
  }

private:
  static std::uint64_t inside(const Object &object) {
    if (object.Kind == Type::Array)
      return object.Length;
    return object.Kind == Type::Map ? 2 * std::uint64_t{object.Length} : 0;
  }

  llvm::msgpack::Reader reader;
};

/// A number that fits; nothing for any other object.
std::optional<std::uint32_t> numberOf(const Document::Object &object) {
  constexpr auto kMost = std::numeric_limits<std::uint32_t>::max();
  if (object.Kind == Document::Type::UInt && object.UInt <= kMost)
    return static_cast<std::uint32_t>(object.UInt);
  if (object.Kind == Document::Type::Int && object.Int >= 0 && object.Int <= std::int64_t{kMost})
    return static_cast<std::uint32_t>(object.Int);
  return std::nullopt;
}

/// Reads one kernel.
class Reader {
public:
  Reader(const File &file, StringRef entry) : file(file), entry(entry) {}

  Expected<CodeObjectFacts> read() {
    auto sections = file.sections();
    if (!sections)
      return sections.takeError();
    for (const Section &section : *sections) {
      llvm::Error error = llvm::Error::success();
      if (section.sh_type == llvm::ELF::SHT_NOTE)
        error = readNotes(section);
      else if (section.sh_type == llvm::ELF::SHT_DYNSYM)
        error = readSymbols(section);
      if (error)
        return error;
    }
    if (!hasCode || !hasDescriptor)
      return llvm::createStringError("it has no %s for `%s`", hasCode ? "descriptor" : "code", entry.str().c_str());
    if (!isDescribed)
      return llvm::createStringError("no note describes `%s`", entry.str().c_str());
    return std::move(facts);
  }

private:
  llvm::Error readSymbols(const Section &section) {
    auto symbols = file.symbols(&section);
    if (!symbols)
      return symbols.takeError();
    auto names = file.getStringTableForSymtab(section);
    if (!names)
      return names.takeError();
    for (const File::Elf_Sym &symbol : *symbols) {
      auto name = symbol.getName(*names);
      if (!name)
        return name.takeError();
      if (*name == entry && symbol.getType() == llvm::ELF::STT_FUNC) {
        hasCode = true;
        facts.codeBytes = static_cast<std::uint32_t>(symbol.st_size);
      }
      StringRef rest = *name;
      if (rest.consume_front(entry) && rest == ".kd")
        hasDescriptor = symbol.getType() == llvm::ELF::STT_OBJECT && symbol.st_size == kDescriptorBytes;
    }
    return llvm::Error::success();
  }

  llvm::Error readNotes(const Section &section) {
    llvm::Error error = llvm::Error::success();
    for (const File::Elf_Note &note : file.notes(section, error)) {
      const std::size_t align = std::max<std::size_t>(section.sh_addralign, 4);
      if (note.getName() != "AMDGPU" || note.getType() != llvm::ELF::NT_AMDGPU_METADATA)
        continue;
      const llvm::ArrayRef<std::uint8_t> bytes = note.getDesc(align);
      if (!describe(StringRef(reinterpret_cast<const char *>(bytes.data()), bytes.size())))
        return llvm::joinErrors(std::move(error), llvm::createStringError("its note cannot be read"));
    }
    return error;
  }

  /// False if \p text is no document of the kind.
  bool describe(StringRef text) {
    Document document(text);
    Document::Object root;
    bool hasKernels = false;
    return document.next(root) && document.forEach(root, [&](StringRef key, const Document::Object &value) {
      if (key != "amdhsa.kernels")
        return document.skip(value);
      hasKernels = true;
      return document.forEachIn(value,
                                [&](const Document::Object &kernel) { return describeKernel(document, kernel); });
    }) && hasKernels;
  }

  bool describeKernel(Document &document, const Document::Object &kernel) {
    CodeObjectFacts found;
    StringRef name;
    struct Field {
      StringRef key;
      std::uint32_t *value;
      bool isGiven = false;
    };
    Field fields[] = {
        {".vgpr_count", &found.registers},
        {".sgpr_count", &found.scalarRegisters},
        {".vgpr_spill_count", &found.spilledRegisters},
        {".sgpr_spill_count", &found.spilledScalars},
        {".private_segment_fixed_size", &found.stackBytes},
        {".group_segment_fixed_size", &found.sharedBytes},
        {".wavefront_size", &found.warpSize},
        {".max_flat_workgroup_size", &found.threads},
        {".kernarg_segment_size", &found.parameterBytes},
        {".agpr_count", &found.accumulators, /*isGiven=*/true}, // only where the chip has them
    };
    const bool isRead = document.forEach(kernel, [&](StringRef key, const Document::Object &value) {
      if (key == ".name" && value.Kind == Document::Type::String)
        name = value.Raw;
      if (key == ".args")
        return document.forEachIn(
            value, [&](const Document::Object &parameter) { return describeParameter(document, parameter, found); });
      for (Field &field : fields)
        if (field.key == key) {
          const std::optional<std::uint32_t> number = numberOf(value);
          *field.value = number.value_or(0);
          field.isGiven = number.has_value();
        }
      return document.skip(value);
    });
    if (!isRead || name != entry)
      return isRead;
    found.codeBytes = facts.codeBytes;
    facts = std::move(found);
    isDescribed = llvm::all_of(fields, [](const Field &field) { return field.isGiven; });
    return isDescribed;
  }

  static bool describeParameter(Document &document, const Document::Object &parameter, CodeObjectFacts &found) {
    std::optional<std::uint32_t> offset, bytes;
    bool isHidden = false;
    const bool isRead = document.forEach(parameter, [&](StringRef key, const Document::Object &value) {
      if (key == ".offset")
        offset = numberOf(value);
      else if (key == ".size")
        bytes = numberOf(value);
      else if (key == ".value_kind" && value.Kind == Document::Type::String)
        isHidden = value.Raw.starts_with("hidden_");
      return document.skip(value);
    });
    if (isHidden)
      return isRead;
    if (offset && bytes)
      found.parameters.push_back({*offset, *bytes});
    return isRead && offset && bytes;
  }

  const File &file;
  StringRef entry;
  bool hasCode = false, hasDescriptor = false, isDescribed = false;
  CodeObjectFacts facts;
};

} // namespace

Expected<CodeObjectFacts> readCodeObject(llvm::ArrayRef<std::byte> code, StringRef entry) {
  auto file = File::create(StringRef(reinterpret_cast<const char *>(code.data()), code.size()));
  if (!file)
    return file.takeError();
  if (file->getHeader().e_machine != llvm::ELF::EM_AMDGPU)
    return llvm::createStringError("it is no code for a GPU of AMD");
  return Reader(*file, entry).read();
}

} // namespace tessera::ir::amd
