//===- image_fuzzer.cpp - arbitrary bytes through the reader of kernel images -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The checksum would keep a fuzzer out, so the input is only what follows it: edits of a sound image's contents, or
// whole contents. What the reader accepts keeps the launch ABI and survives another round trip; everything else must
// end in a UsageError.
//
//===---------------------------------------------------------------------===//

#include "Runtime/Image.h"
#include "Support/Bytes.h"
#include "Support/Hash.h"

#include "tessera/core/Error.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

using namespace tessera;
using namespace tessera::rt;

static constexpr std::size_t kHeaderBytes = 8 + 4 + 16 + 8;

/// An image with every kind of argument.
static Image sample() {
  Image image;
  image.target = "cuda:sm_90a";
  image.format = "cubin";
  image.kernel = image.entry = "k";
  for (int kind = 0; kind != static_cast<int>(ArgumentKind::kCount); ++kind) {
    Argument argument;
    argument.kind = static_cast<ArgumentKind>(kind);
    argument.dtype = i64;
    argument.name = "a";
    argument.value = Expr::numPrograms(0);
    argument.bytes = Expr::argument(1) * 4 + 16;
    if (argument.kind == ArgumentKind::TensorMap) {
      argument.tensorMap.emplace();
      argument.tensorMap->dtype = f16;
      argument.tensorMap->extents = {Expr::argument(1), 64};
      argument.tensorMap->strides = {Expr::argument(1) * 2};
      argument.tensorMap->box = {64, 64};
    }
    image.arguments.push_back(argument);
  }
  image.launchGrid = {Expr::min(Expr::numPrograms(0), 132), 1, 1};
  image.requirements = {Expr::binary(ExprCode::Eq, Expr::binary(ExprCode::RemFloor, Expr::argument(0), 16), 0)};
  image.sites = {{"text", "k.cpp:1:1", {"x"}, {f32}}};
  image.setFact("registers", "40");
  image.binary.resize(8);
  image.layOut();
  return image;
}

static std::vector<std::byte> contentsFor(const std::uint8_t *data, std::size_t size) {
  const auto *bytes = reinterpret_cast<const std::byte *>(data);
  if (size && data[0] & 1)
    return {bytes + 1, bytes + size};
  const std::vector<std::byte> sound = sample().serialize();
  std::vector<std::byte> contents(sound.begin() + kHeaderBytes, sound.end());
  for (std::size_t i = 1; i + 3 <= size; i += 3)
    contents[(data[i] | data[i + 1] << 8) % contents.size()] = bytes[i + 2];
  return contents;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const std::vector<std::byte> contents = contentsFor(data, size);
  std::vector<std::byte> file = sample().serialize();
  file.resize(kHeaderBytes);
  const support::Hash128 hash = support::hashBytes(contents);
  const std::uint64_t length = contents.size();
  std::memcpy(file.data() + 12, &hash.low, 8);
  std::memcpy(file.data() + 20, &hash.high, 8);
  std::memcpy(file.data() + 28, &length, 8);
  file.insert(file.end(), contents.begin(), contents.end());
  try {
    const Image image = Image::deserialize(file);
    if (!image.check().empty() || Image::deserialize(image.serialize()) != image)
      std::abort();
  } catch (const UsageError &) {
  }
  return 0;
}
