//===- ImageFile.cpp - images as bytes ------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A file is: 8 bytes magic, u32 version, u64 + u64 hash of the contents, u64 length of the contents, the contents. The
// version covers everything behind it: a reader takes its own version only, since images are cheap to make again.
//
//===---------------------------------------------------------------------===//

#include "Runtime/Image.h"
#include "Support/Bytes.h"
#include "Support/Hash.h"

#include "tessera/core/Error.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace tessera::rt {

using support::ByteReader;
using support::ByteWriter;

static constexpr char kMagic[8] = {'t', 'e', 's', 's', 'i', 'm', 'g', '\n'};
static constexpr std::uint32_t kVersion = 1;

static void writeDType(ByteWriter &writer, DType dtype) {
  writer.number(static_cast<std::uint8_t>(dtype.kind));
  writer.number(dtype.pointers);
}

static DType readDType(ByteReader &reader) {
  DType dtype;
  const auto kind = reader.number<std::uint8_t>();
  if (kind > static_cast<std::uint8_t>(Kind::E5M2Fnuz))
    reader.fail("unknown element type");
  else
    dtype.kind = static_cast<Kind>(kind);
  dtype.pointers = reader.number<std::uint8_t>();
  return dtype;
}

static void writeExprs(ByteWriter &writer, std::span<const Expr> exprs) {
  writer.count(exprs.size());
  for (const Expr &expr : exprs)
    expr.write(writer);
}

static std::vector<Expr> readExprs(ByteReader &reader) {
  std::vector<Expr> exprs(reader.count(4));
  for (Expr &expr : exprs)
    expr = Expr::read(reader);
  return exprs;
}

static void writeTensorMap(ByteWriter &writer, const TensorMapRecipe &recipe) {
  writer.signedNumber(recipe.base);
  recipe.offset.write(writer);
  writeDType(writer, recipe.dtype);
  writeExprs(writer, recipe.extents);
  writeExprs(writer, recipe.strides);
  writer.count(recipe.box.size());
  for (std::uint32_t extent : recipe.box)
    writer.number(extent);
  writer.number(static_cast<std::uint8_t>(recipe.swizzle));
  writer.number(static_cast<std::uint8_t>(recipe.fill));
}

static TensorMapRecipe readTensorMap(ByteReader &reader) {
  TensorMapRecipe recipe;
  const std::int64_t base = reader.signedNumber();
  recipe.base = base >= 0 && base <= 0xffff ? static_cast<int>(base) : -1;
  recipe.offset = Expr::read(reader);
  recipe.dtype = readDType(reader);
  recipe.extents = readExprs(reader);
  recipe.strides = readExprs(reader);
  recipe.box.resize(reader.count(4));
  for (std::uint32_t &extent : recipe.box)
    extent = reader.number<std::uint32_t>();
  recipe.swizzle = reader.enumerator<TensorSwizzle>();
  recipe.fill = reader.enumerator<TensorFill>();
  return recipe;
}

static void writeArgument(ByteWriter &writer, const Argument &argument) {
  writer.number(static_cast<std::uint8_t>(argument.kind));
  writeDType(writer, argument.dtype);
  writer.text(argument.name);
  writer.number(argument.offset);
  for (bool flag : {argument.mayAlias, argument.zeroed, argument.read, argument.written})
    writer.flag(flag);
  argument.value.write(writer);
  argument.bytes.write(writer);
  writer.flag(argument.tensorMap.has_value());
  if (argument.tensorMap)
    writeTensorMap(writer, *argument.tensorMap);
}

static Argument readArgument(ByteReader &reader) {
  Argument argument;
  argument.kind = reader.enumerator<ArgumentKind>();
  argument.dtype = readDType(reader);
  argument.name = reader.text();
  argument.offset = reader.number<std::uint32_t>();
  for (bool *flag : {&argument.mayAlias, &argument.zeroed, &argument.read, &argument.written})
    *flag = reader.flag();
  argument.value = Expr::read(reader);
  argument.bytes = Expr::read(reader);
  if (reader.flag())
    argument.tensorMap = readTensorMap(reader);
  return argument;
}

static void writeSite(ByteWriter &writer, const Site &site) {
  writer.text(site.text);
  writer.text(site.location);
  writer.count(site.names.size());
  for (const std::string &name : site.names)
    writer.text(name);
  writer.count(site.dtypes.size());
  for (DType dtype : site.dtypes)
    writeDType(writer, dtype);
}

static Site readSite(ByteReader &reader) {
  Site site;
  site.text = reader.text();
  site.location = reader.text();
  site.names.resize(reader.count(4));
  for (std::string &name : site.names)
    name = reader.text();
  site.dtypes.resize(reader.count(2));
  for (DType &dtype : site.dtypes)
    dtype = readDType(reader);
  return site;
}

std::vector<std::byte> Image::serialize() const {
  ByteWriter contents;
  for (const std::string *text : {&target, &format, &kernel, &entry})
    contents.text(*text);
  contents.count(arguments.size());
  for (const Argument &argument : arguments)
    writeArgument(contents, argument);
  contents.number(packedBytes);
  contents.number(threadsPerProgram);
  contents.number(sharedBytes);
  contents.number(staticSharedBytes);
  for (std::uint32_t extent : cluster)
    contents.number(extent);
  writeExprs(contents, requirements);
  writeExprs(contents, launchGrid);
  contents.count(sites.size());
  for (const Site &site : sites)
    writeSite(contents, site);
  contents.count(metadata.size());
  for (const auto &[key, value] : metadata) {
    contents.text(key);
    contents.text(value);
  }
  contents.block(binary);

  const std::vector<std::byte> body = contents.take();
  const support::Hash128 hash = support::hashBytes(body);
  ByteWriter file;
  for (char c : kMagic)
    file.number(static_cast<std::uint8_t>(c));
  file.number(kVersion);
  file.number(hash.low);
  file.number(hash.high);
  file.block(body);
  return file.take();
}

static Image readContents(ByteReader &reader) {
  Image image;
  for (std::string *text : {&image.target, &image.format, &image.kernel, &image.entry})
    *text = reader.text();
  image.arguments.resize(reader.count(16));
  for (Argument &argument : image.arguments)
    argument = readArgument(reader);
  image.packedBytes = reader.number<std::uint32_t>();
  image.threadsPerProgram = reader.number<std::uint32_t>();
  image.sharedBytes = reader.number<std::uint32_t>();
  image.staticSharedBytes = reader.number<std::uint32_t>();
  for (std::uint32_t &extent : image.cluster)
    extent = reader.number<std::uint32_t>();
  image.requirements = readExprs(reader);
  image.launchGrid = readExprs(reader);
  image.sites.resize(reader.count(16));
  for (Site &site : image.sites)
    site = readSite(reader);
  image.metadata.resize(reader.count(8));
  for (auto &[key, value] : image.metadata) {
    key = reader.text();
    value = reader.text();
  }
  image.binary = reader.block();
  return image;
}

[[noreturn]] static void refuse(std::string_view why) {
  throw UsageError(fmt::format("these bytes are not a usable kernel image: {}", why));
}

Image Image::deserialize(std::span<const std::byte> bytes) {
  ByteReader file(bytes);
  bool magic = true;
  for (char c : kMagic)
    magic &= file.number<std::uint8_t>() == static_cast<std::uint8_t>(c);
  if (file.failed() || !magic)
    refuse("they do not start with the mark of one");
  const auto version = file.number<std::uint32_t>();
  if (!file.failed() && version != kVersion)
    refuse(fmt::format("they have version {}, and this library reads version {}", version, kVersion));
  support::Hash128 hash;
  hash.low = file.number<std::uint64_t>();
  hash.high = file.number<std::uint64_t>();
  const std::vector<std::byte> body = file.block();
  if (file.failed())
    refuse(file.error());
  if (!file.atEnd())
    refuse("something follows the image");
  if (support::hashBytes(body) != hash)
    refuse("the checksum does not match; the file is damaged");

  ByteReader reader(body);
  Image image = readContents(reader);
  if (reader.failed())
    refuse(reader.error());
  if (!reader.atEnd())
    refuse("something follows the binary");
  if (const std::string problem = image.check(); !problem.empty())
    refuse(problem);
  return image;
}

} // namespace tessera::rt
