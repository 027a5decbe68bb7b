//===- CacheEntry.cpp - a compiled kernel as a file -----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A file is: 8 bytes magic, u32 version, u32 zero, u64 uses, u64 + u64 hash of the contents, u64 length of the
// contents, the contents. The version covers everything behind it: a reader takes its own version only, since kernels
// can be compiled again.
//
//===---------------------------------------------------------------------===//

#include "Runtime/Cache/CacheEntry.h"

#include "Support/Bytes.h"
#include "Support/Packed.h"

#include "tessera/core/Error.h"

#include <array>
#include <cmath>
#include <fmt/format.h>

namespace tessera::rt {

using support::ByteReader;
using support::ByteWriter;

static constexpr char kMagic[8] = {'t', 'e', 's', 's', 'k', 'e', 'r', '\n'};
static constexpr std::uint32_t kVersion = 2;

static void writeHash(ByteWriter &writer, const support::Hash128 &hash) {
  writer.number(hash.low);
  writer.number(hash.high);
}

static support::Hash128 readHash(ByteReader &reader) {
  support::Hash128 hash;
  hash.low = reader.number<std::uint64_t>();
  hash.high = reader.number<std::uint64_t>();
  return hash;
}

static void writeMask(ByteWriter &writer, const SlotMask &mask) {
  for (const std::uint64_t word : mask.bits())
    writer.number(word);
}

static SlotMask readMask(ByteReader &reader) {
  std::array<std::uint64_t, 4> bits{};
  for (std::uint64_t &word : bits)
    word = reader.number<std::uint64_t>();
  return SlotMask(bits);
}

const std::string *CacheEntry::text(std::string_view stage) const {
  for (const auto &[name, words] : texts)
    if (name == stage)
      return &words;
  return nullptr;
}

std::vector<std::byte> CacheEntry::serialize() const {
  ByteWriter contents;
  writeHash(contents, key);
  writeHash(contents, placed);
  writeHash(contents, program);
  contents.signedNumber(made);
  for (const std::string *words : {&arguments, &config, &options, &variant, &toolchain})
    contents.text(*words);
  writeMask(contents, strides);
  writeMask(contents, addresses);
  contents.count(stages.size());
  for (const auto &[stage, ms] : stages) {
    contents.text(stage);
    contents.signedNumber(std::llround(ms * 1e6));
  }
  contents.count(notes.size());
  for (const std::string &note : notes)
    contents.text(note);
  contents.count(texts.size());
  for (const auto &[stage, words] : texts) {
    contents.text(stage);
    support::writePacked(contents, std::as_bytes(std::span(words)));
  }
  support::writePacked(contents, image.serialize());

  const std::vector<std::byte> body = contents.take();
  ByteWriter file;
  for (char c : kMagic)
    file.number(static_cast<std::uint8_t>(c));
  file.number(kVersion);
  file.number<std::uint32_t>(0);
  file.number<std::uint64_t>(0);
  writeHash(file, support::hashBytes(body));
  file.block(body);
  return file.take();
}

[[noreturn]] static void refuse(std::string_view why) { throw UsageError(std::string(why)); }

static CacheEntry readContents(ByteReader &reader) {
  CacheEntry entry;
  entry.key = readHash(reader);
  entry.placed = readHash(reader);
  entry.program = readHash(reader);
  entry.made = reader.signedNumber();
  for (std::string *words : {&entry.arguments, &entry.config, &entry.options, &entry.variant, &entry.toolchain})
    *words = reader.text();
  entry.strides = readMask(reader);
  entry.addresses = readMask(reader);
  entry.stages.resize(reader.count(12));
  for (auto &[stage, ms] : entry.stages) {
    stage = reader.text();
    ms = static_cast<double>(reader.signedNumber()) / 1e6;
  }
  entry.notes.resize(reader.count(4));
  for (std::string &note : entry.notes)
    note = reader.text();
  entry.texts.resize(reader.count(4 + 1 + 8 + 8));
  for (auto &[stage, words] : entry.texts) {
    stage = reader.text();
    const std::vector<std::byte> bytes = support::readPacked(reader);
    words.assign(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  }
  const std::vector<std::byte> image = support::readPacked(reader);
  if (reader.failed())
    refuse(reader.error());
  if (!reader.atEnd())
    refuse("something follows the image");
  entry.image = Image::deserialize(image);
  return entry;
}

CacheEntry CacheEntry::deserialize(std::span<const std::byte> bytes) {
  ByteReader file(bytes);
  bool magic = true;
  for (char c : kMagic)
    magic &= file.number<std::uint8_t>() == static_cast<std::uint8_t>(c);
  if (file.failed() || !magic)
    refuse("it is no kernel of the cache");
  const auto version = file.number<std::uint32_t>();
  if (!file.failed() && version != kVersion)
    refuse(fmt::format("it has version {}, and this library reads version {}", version, kVersion));
  if (file.number<std::uint32_t>() != 0)
    refuse("it is damaged: a field that must be zero is not");
  file.number<std::uint64_t>(); // uses
  const support::Hash128 hash = readHash(file);
  const std::vector<std::byte> body = file.block();
  if (file.failed())
    refuse(fmt::format("it is damaged: {}", file.error()));
  if (!file.atEnd())
    refuse("it is damaged: something follows its contents");
  if (support::hashBytes(body) != hash)
    refuse("it is damaged: its checksum does not match");
  ByteReader reader(body);
  return readContents(reader);
}

std::uint64_t CacheEntry::usesIn(std::span<const std::byte> bytes) {
  if (bytes.size() < kUsesOffset + 8)
    return 0;
  ByteReader reader(bytes.subspan(kUsesOffset));
  return reader.number<std::uint64_t>();
}

} // namespace tessera::rt
