//===- BundleFile.cpp - compiled kernels of many chips in one file --------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A file is: 8 bytes magic, u32 version, u32 zero, u64 bytes of the file, u64 where its index starts, u64 + u64 hash of
// the index, then blocks, then the index, which reaches to the end. The version covers everything behind it.
//
//===---------------------------------------------------------------------===//

#include "Runtime/Bundle/BundleFile.h"

#include "Arch/Chip.h"
#include "Support/Bytes.h"
#include "Support/Files.h"

#include "tessera/core/Error.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <system_error>
#include <utility>

namespace tessera::rt {

using support::ByteReader;
using support::ByteWriter;

static constexpr char kMagic[8] = {'t', 'e', 's', 's', 'b', 'n', 'd', '\n'};
static constexpr std::uint32_t kVersion = 1;
static constexpr std::uint64_t kHeaderBytes = 8 + 4 + 4 + 8 + 8 + 16;
/// No index and no code object comes near.
static constexpr std::uint64_t kLargestBlock = std::uint64_t{1} << 30;

static std::string errorText() { return std::generic_category().message(errno); }

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

void BundleFile::refuse(std::string_view why) const { throw UsageError(fmt::format("{}: {}", title_, why)); }

void BundleFile::refuseDamaged(std::string_view what, std::string_view why) const {
  refuse(fmt::format("{} is damaged: {}; copy the {} again, or make it anew", what, why, file ? "file" : "program"));
}

std::shared_ptr<const BundleFile> BundleFile::open(const std::string &path) {
  std::shared_ptr<BundleFile> bundle(new BundleFile(fmt::format("bundle {}", path)));
  bundle->file = support::FileHandle(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat facts{};
  if (!bundle->file || ::fstat(bundle->file.get(), &facts) != 0)
    bundle->refuse(fmt::format("it cannot be opened: {}", errorText()));
  if (!S_ISREG(facts.st_mode))
    bundle->refuse("it is no file, but a folder or a device");
  bundle->size = static_cast<std::uint64_t>(facts.st_size);
  bundle->readIndex();
  bundle->title_ = fmt::format("bundle `{}` ({})", bundle->index_.name, path);
  return bundle;
}

std::shared_ptr<const BundleFile> BundleFile::view(std::span<const std::byte> bytes, std::string origin) {
  std::shared_ptr<BundleFile> bundle(new BundleFile(std::move(origin)));
  bundle->memory = bytes;
  bundle->size = bytes.size();
  bundle->readIndex();
  return bundle;
}

std::vector<std::byte> BundleFile::readBytes(std::uint64_t offset, std::uint64_t count) const {
  if (offset > size || size - offset < count || count > kLargestBlock)
    refuseDamaged("it", fmt::format("it has {} bytes and says that {} follow the first {}", size, count, offset));
  if (!file)
    return {memory.begin() + static_cast<std::ptrdiff_t>(offset),
            memory.begin() + static_cast<std::ptrdiff_t>(offset + count)};
  std::vector<std::byte> bytes(count);
  const std::optional<std::size_t> done = support::readAt(file.get(), offset, bytes);
  if (!done)
    refuse(fmt::format("it cannot be read: {}", errorText()));
  if (*done != count)
    refuse("it became shorter after it was opened");
  return bytes;
}

void BundleFile::readIndex() {
  const std::vector<std::byte> start = readBytes(0, std::min(size, kHeaderBytes));
  ByteReader header(start);
  bool magic = true;
  for (const char c : kMagic)
    magic &= header.number<std::uint8_t>() == static_cast<std::uint8_t>(c);
  if (header.failed() || !magic)
    refuse(fmt::format("it is no bundle: its {} bytes do not begin as a bundle's do", size));
  const auto version = header.number<std::uint32_t>();
  if (!header.failed() && version != kVersion)
    refuse(fmt::format("it has version {}, and this library reads version {}; make it again", version, kVersion));
  const auto zero = header.number<std::uint32_t>();
  const auto wholeBytes = header.number<std::uint64_t>(), indexOffset = header.number<std::uint64_t>();
  support::Hash128 hash;
  hash.low = header.number<std::uint64_t>();
  hash.high = header.number<std::uint64_t>();
  if (header.failed())
    refuseDamaged("it", "it ends within its header");
  if (zero != 0)
    refuseDamaged("it", "a field that must be zero is not");
  if (wholeBytes != size)
    refuseDamaged("it", fmt::format("it should have {} bytes and has {}", wholeBytes, size));
  if (indexOffset < kHeaderBytes || indexOffset > size)
    refuseDamaged("it", "its index lies outside");
  const std::vector<std::byte> bytes = readBytes(indexOffset, size - indexOffset);
  if (support::hashBytes(bytes) != hash)
    refuseDamaged("it", "the checksum of its index does not match");
  try {
    index_ = BundleIndex::deserialize(bytes);
  } catch (const UsageError &error) {
    refuse(error.what());
  }
  title_ = fmt::format("bundle `{}`", index_.name);
}

std::vector<std::byte> BundleFile::read(const BundleBlock &block, std::string_view what) const {
  std::vector<std::byte> bytes = readBytes(block.offset, block.bytes);
  if (support::hashBytes(bytes) != block.hash)
    refuseDamaged(what, "the checksum does not match");
  return bytes;
}

/// Why \p found, read from a bundle, is not what its index says; empty if it is.
static std::string difference(const BundleFunction &function, const BundleImage &image, const CacheEntry &found) {
  const rt::Image &code = found.image;
  if (code.kernel != function.kernel || code.target != image.target || code.format != image.format)
    return fmt::format("it holds kernel `{}` for {} as {}", code.kernel, code.target, code.format);
  if (found.config != function.config || found.options != function.options)
    return fmt::format("it was compiled with config {} and options {}", found.config, found.options);
  if (found.variant != image.variant.str(function.facts()))
    return fmt::format("it is the variant `{}`", found.variant);
  std::size_t callers = 0;
  for (const Argument &argument : code.arguments) {
    if (argument.isHidden())
      continue;
    if (callers >= function.arguments.size())
      return "it takes more arguments";
    const BundleArgument &known = function.arguments[callers++];
    if ((argument.kind == ArgumentKind::Pointer) != known.pointer || argument.dtype != known.dtype ||
        argument.zeroed != known.zeroed)
      return fmt::format("its argument `{}` has another type", known.name);
  }
  return callers == function.arguments.size() ? "" : "it takes fewer arguments";
}

CacheEntry BundleFile::entry(const BundleFunction &function, const BundleImage &image) const {
  const std::string what =
      fmt::format("its image of `{}` for {} ({})", function.symbol, image.target, image.variant.str(function.facts()));
  const std::vector<std::byte> bytes = read(image.block, what);
  try {
    CacheEntry found = CacheEntry::deserialize(bytes);
    if (const std::string problem = difference(function, image, found); !problem.empty())
      refuse(fmt::format("{} is not what the index says: {}", what, problem));
    return found;
  } catch (const UsageError &error) {
    const std::string_view words = error.what();
    if (words.starts_with(title_))
      throw;
    refuse(fmt::format("{}: {}", what, words));
  }
}

std::string BundleFile::records() const {
  const std::vector<std::byte> bytes = read(index_.records, "what it holds of tuning records");
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

BundleBlock BundleWriter::add(std::vector<std::byte> bytes) {
  const support::Hash128 hash = support::hashBytes(bytes);
  const auto [place, fresh] = known.try_emplace(hash);
  if (fresh) {
    place->second = {kHeaderBytes + blocks.size(), bytes.size(), hash};
    blocks.insert(blocks.end(), bytes.begin(), bytes.end());
  }
  return place->second;
}

std::vector<std::byte> BundleWriter::finish(const BundleIndex &index) const {
  BundleIndex complete = index;
  if (!complete.records.bytes)
    complete.records = {kHeaderBytes, 0, support::hashBytes({})};
  const std::vector<std::byte> end = complete.serialize();
  const support::Hash128 hash = support::hashBytes(end);
  ByteWriter header;
  for (const char c : kMagic)
    header.number(static_cast<std::uint8_t>(c));
  header.number(kVersion);
  header.number<std::uint32_t>(0);
  header.number<std::uint64_t>(kHeaderBytes + blocks.size() + end.size());
  header.number<std::uint64_t>(kHeaderBytes + blocks.size());
  header.number(hash.low);
  header.number(hash.high);
  std::vector<std::byte> bytes = header.take();
  bytes.insert(bytes.end(), blocks.begin(), blocks.end());
  bytes.insert(bytes.end(), end.begin(), end.end());
  return bytes;
}

void writeBundle(const std::string &path, std::span<const std::byte> bytes) {
  const auto fail = [&](std::string_view what) {
    throw UsageError(fmt::format("bundle {} cannot be written: {}: {}", path, what, errorText()));
  };
  const std::string unfinished = fmt::format("{}.{}", path, ::getpid());
  const support::FileHandle file(::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!file)
    fail(unfinished);
  const bool written = support::writeAll(file.get(), {reinterpret_cast<const char *>(bytes.data()), bytes.size()}) &&
                       ::rename(unfinished.c_str(), path.c_str()) == 0;
  if (!written) {
    const int reason = errno;
    ::unlink(unfinished.c_str());
    errno = reason;
    fail(unfinished);
  }
}

//===----------------------------------------------------------------------===//
// From compilations to functions
//===----------------------------------------------------------------------===//

/// What a processor must have to run \p image: its architecture, where the target names it, and instruction sets.
static std::string instructionSetsFor(const Image &image) {
  const arch::Chip *chip = arch::findChip(image.target);
  const std::string *features = image.fact("cpu_features");
  std::string text(chip ? chip->architecture : std::string_view());
  if (features && !features->empty())
    text += (text.empty() ? "" : ",") + *features;
  return text;
}

BundleFunction functionOf(const CacheEntry &entry, std::string symbol, BundleWriter &writer) {
  BundleFunction function;
  function.symbol = std::move(symbol);
  function.kernel = entry.image.kernel;
  function.config = entry.config;
  function.options = entry.options;
  function.program = entry.program;
  for (const Argument &argument : entry.image.arguments) {
    if (argument.isHidden() || function.arguments.size() == kMostBundleArguments)
      break; // the launcher's own come last
    BundleArgument described;
    described.name = argument.name;
    described.dtype = argument.dtype;
    described.pointer = argument.kind == ArgumentKind::Pointer;
    described.mayAlias = argument.mayAlias;
    described.zeroed = argument.zeroed;
    described.stored = argument.written || argument.zeroed;
    const std::size_t number = function.arguments.size();
    described.asStride = entry.strides.test(number);
    described.inAddress = entry.addresses.test(number);
    function.arguments.push_back(std::move(described));
  }
  BundleImage image;
  image.target = entry.image.target;
  image.format = entry.image.format;
  image.instructions = instructionSetsFor(entry.image);
  const std::optional<VariantKey> variant = VariantKey::parse(entry.variant, function.facts());
  if (!variant)
    throw UsageError(fmt::format("kernel `{}` for {} cannot be bundled: its arguments do not explain its variant `{}`",
                                 function.kernel, image.target, entry.variant));
  image.variant = *variant;
  // The same kernels make the same bundle, whenever and however fast they were compiled.
  CacheEntry kept = entry;
  kept.made = 0;
  kept.stages.clear();
  image.block = writer.add(kept.serialize());
  function.images.push_back(std::move(image));
  return function;
}

bool mergeFunction(BundleFunction &to, const BundleFunction &from) {
  const auto same = [](const BundleFunction &a, const BundleFunction &b) {
    return a.signature() == b.signature() && a.kernel == b.kernel && a.config == b.config && a.options == b.options &&
           a.program == b.program;
  };
  if (!same(to, from))
    return false;
  for (std::size_t i = 0; i != to.arguments.size(); ++i)
    to.arguments[i].stored |= from.arguments[i].stored;
  for (const BundleImage &image : from.images)
    if (std::ranges::none_of(to.images, [&](const BundleImage &known) {
          return known.target == image.target && known.format == image.format && known.variant == image.variant;
        }))
      to.images.push_back(image);
  return true;
}

} // namespace tessera::rt
