//===- bundle_fuzzer.cpp - arbitrary bytes through the reader of bundles -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Whole files; edits of a sound one, whose checksums find them; and edits of its index with its checksum made right
// again. What the reader accepts keeps the format, survives another round trip and can be declared by headers; code is
// accepted only as what it is. Everything else must end in a UsageError.
//
//===---------------------------------------------------------------------===//

#include "Edits.h"
#include "Runtime/Bundle/BundleFile.h"
#include "Runtime/Bundle/BundleHeaders.h"
#include "Support/Hash.h"

#include "tessera/core/Error.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

using namespace tessera;
using namespace tessera::rt;

using tessera::fuzz::Bytes;
using tessera::fuzz::edit;

/// Where the header holds the size of the file, the start of the index and its hash.
static constexpr std::size_t kSizeAt = 16, kIndexAt = 24, kHashAt = 32;

static CacheEntry sampleEntry(const char *target, const char *format, const char *variant) {
  CacheEntry entry;
  entry.config = "{block=128}";
  entry.options = "num_warps=4";
  entry.variant = variant;
  entry.image.target = target;
  entry.image.format = format;
  entry.image.kernel = entry.image.entry = "k";
  Argument pointer;
  pointer.kind = ArgumentKind::Pointer;
  pointer.dtype = f32;
  pointer.name = "x";
  Argument stride;
  stride.dtype = i64;
  stride.name = "stride";
  entry.image.arguments = {pointer, stride};
  entry.strides.set(1);
  entry.addresses.set(1);
  entry.image.binary.resize(64);
  entry.image.layOut();
  return entry;
}

static const Bytes &sound() {
  static const Bytes *const bytes = [] {
    BundleWriter writer;
    BundleIndex index;
    index.name = "sample";
    for (const char *symbol : {"one", "two"}) {
      BundleFunction function = functionOf(sampleEntry("cuda:sm_80", "cubin", "aligned"), symbol, writer);
      mergeFunction(function, functionOf(sampleEntry("cpu", "shared-object", "stride 1: stride"), symbol, writer));
      function.constants = {{"block", 128}};
      index.functions.push_back(std::move(function));
    }
    return new Bytes(writer.finish(index));
  }();
  return *bytes;
}

static std::uint64_t indexStart(const Bytes &file) {
  std::uint64_t start = 0;
  std::memcpy(&start, file.data() + kIndexAt, 8);
  return start;
}

/// Makes the size of the file and the hash of its index right.
static void seal(Bytes &file) {
  const std::uint64_t size = file.size();
  const support::Hash128 hash = support::hashBytes(std::span(file).subspan(indexStart(file)));
  std::memcpy(file.data() + kSizeAt, &size, 8);
  std::memcpy(file.data() + kHashAt, &hash.low, 8);
  std::memcpy(file.data() + kHashAt + 8, &hash.high, 8);
}

static Bytes fileFor(std::span<const std::uint8_t> input) {
  if (input.empty())
    return {};
  const std::span rest = input.subspan(1);
  const auto *first = reinterpret_cast<const std::byte *>(rest.data());
  Bytes file = sound();
  switch (input[0] % 4) {
  case 0:
    return {first, first + rest.size()};
  case 1:
    edit(file, 0, rest);
    return file;
  case 2:
    edit(file, indexStart(file), rest);
    break;
  case 3:
    file.resize(indexStart(file));
    file.insert(file.end(), first, first + rest.size());
    break;
  }
  seal(file);
  return file;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const Bytes file = fileFor({data, size});
  try {
    const auto bundle = BundleFile::view(file, "a bundle");
    if (BundleIndex::deserialize(bundle->index().serialize()) != bundle->index())
      std::abort();
    if (headerProblem(bundle->index()).empty()) {
      bundleHeader(bundle->index());
      bundleHeaderForC(bundle->index());
    }
    for (const BundleFunction &function : bundle->index().functions)
      for (const BundleImage &image : function.images)
        try {
          const CacheEntry entry = bundle->entry(function, image);
          if (entry.image.kernel != function.kernel || entry.image.target != image.target ||
              !entry.image.check().empty())
            std::abort();
        } catch (const UsageError &) {
        }
  } catch (const UsageError &) {
  }
  return 0;
}
