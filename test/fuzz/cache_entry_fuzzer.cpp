//===- cache_entry_fuzzer.cpp - arbitrary bytes through the reader of the disk cache -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Checksums and compression would keep a fuzzer out. The first byte of the input chooses: the rest is a whole file; the
// contents of one whose checksum is right; edits of a sound kernel's contents, whose image is not compressed, under a
// right checksum; or such edits of the image inside, under right checksums of both. What the reader accepts has an
// image that keeps the launch ABI and survives another round trip; everything else must end in a UsageError.
//
//===---------------------------------------------------------------------===//

#include "Edits.h"
#include "Runtime/Cache/CacheEntry.h"
#include "Support/Hash.h"

#include "tessera/core/Error.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

using namespace tessera;
using namespace tessera::rt;

using tessera::fuzz::Bytes;
using tessera::fuzz::edit;

/// Both kinds of file begin with a mark and a version; then come the hash, the length and the contents.
struct Format {
  std::size_t hashAt, headerBytes;
};
static constexpr Format kEntry{24, 48}, kImage{12, 36};

/// Makes hash and length of the file at \p from to its end right.
static void seal(Bytes &file, std::size_t from, const Format &format) {
  const std::size_t contents = from + format.headerBytes;
  const support::Hash128 hash = support::hashBytes(std::span(file).subspan(contents));
  const std::uint64_t length = file.size() - contents;
  std::memcpy(file.data() + from + format.hashAt, &hash.low, 8);
  std::memcpy(file.data() + from + format.hashAt + 8, &hash.high, 8);
  std::memcpy(file.data() + from + format.hashAt + 16, &length, 8);
}

static const CacheEntry &sample() {
  static const CacheEntry *const entry = [] {
    auto *made = new CacheEntry;
    made->arguments = "f32*, i64";
    made->config = "{}";
    made->options = "num_warps=4";
    made->stages = {{"tile", 1}};
    made->notes = {"note"};
    made->texts = {{"asm", std::string(300, 'x')}};
    made->image.target = "cpu";
    made->image.format = "shared-object";
    made->image.kernel = made->image.entry = "k";
    Argument pointer;
    pointer.kind = ArgumentKind::Pointer;
    pointer.dtype = f32;
    pointer.name = "out";
    Argument workspace;
    workspace.kind = ArgumentKind::Workspace;
    workspace.bytes = Expr::numPrograms(0) * 4;
    made->image.arguments = {pointer, workspace};
    // Noise, so that the image stays as it is.
    std::uint32_t noise = 1;
    for (int i = 0; i != 256; ++i)
      made->image.binary.push_back(static_cast<std::byte>((noise = noise * 1664525 + 1013904223) >> 24));
    made->image.layOut();
    return made;
  }();
  return *entry;
}

static Bytes fileFor(std::span<const std::uint8_t> input) {
  if (input.empty())
    return {};
  const std::span rest = input.subspan(1);
  const auto *first = reinterpret_cast<const std::byte *>(rest.data());
  static const Bytes sound = sample().serialize();
  // The image is the last thing in the file.
  static const std::size_t image = sound.size() - sample().image.serialize().size();
  Bytes file = sound;
  switch (input[0] % 4) {
  case 0:
    return {first, first + rest.size()};
  case 1:
    file.resize(kEntry.headerBytes);
    file.insert(file.end(), first, first + rest.size());
    break;
  case 2:
    edit(file, kEntry.headerBytes, rest);
    break;
  case 3:
    edit(file, image + kImage.headerBytes, rest);
    seal(file, image, kImage);
    break;
  }
  seal(file, 0, kEntry);
  return file;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const Bytes file = fileFor({data, size});
  CacheEntry::usesIn(file);
  try {
    const CacheEntry entry = CacheEntry::deserialize(file);
    if (!entry.image.check().empty() || CacheEntry::deserialize(entry.serialize()).image != entry.image)
      std::abort();
  } catch (const UsageError &) {
  }
  return 0;
}
