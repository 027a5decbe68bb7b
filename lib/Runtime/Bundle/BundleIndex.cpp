//===- BundleIndex.cpp - what a bundle holds ------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Bundle/BundleIndex.h"

#include "Support/Bytes.h"

#include "tessera/core/Error.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace tessera::rt {

using support::ByteReader;
using support::ByteWriter;

static bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool isDigit(char c) { return c >= '0' && c <= '9'; }

bool isIdentifier(std::string_view text) {
  return !text.empty() && isLetter(text.front()) &&
         std::ranges::all_of(text, [](char c) { return isLetter(c) || isDigit(c); });
}

std::string identifierOf(std::string_view text) {
  std::string name(text);
  for (char &c : name)
    if (!isLetter(c) && !isDigit(c))
      c = '_';
  return name.empty() || isDigit(name.front()) ? "_" + name : name;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

LaunchFacts BundleFunction::facts() const {
  LaunchFacts facts;
  for (std::size_t i = 0; i != arguments.size(); ++i) {
    const BundleArgument &argument = arguments[i];
    if (argument.pointer)
      facts.pointers.set(i);
    if (argument.stored)
      facts.stored.set(i);
    if (argument.zeroed)
      facts.zeroed.set(i);
    if (argument.asStride)
      facts.strides.set(i);
    if (argument.inAddress)
      facts.addresses.set(i);
    facts.names.push_back(argument.name);
    facts.dtypes.push_back(argument.dtype);
  }
  return facts;
}

std::string BundleFunction::typesText() const {
  const LaunchFacts all = facts();
  return rt::typesText(all.dtypes, all.pointers);
}

std::uint64_t BundleFunction::signature() const {
  support::FieldHasher fields;
  fields.add(symbol).add(static_cast<std::int64_t>(arguments.size()));
  for (const BundleArgument &argument : arguments)
    fields.add(argument.name)
        .add(argument.dtype.name())
        .add(argument.pointer ? 1 : 0)
        .add(argument.zeroed ? 1 : 0)
        .add(static_cast<std::int64_t>(argument.role))
        .add(argument.rank)
        .add(argument.contiguous);
  return fields.finish().low;
}

static const char *checkArgument(const BundleArgument &argument) {
  if (argument.dtype.bytes() == 0)
    return "an argument has no type";
  if (!argument.pointer && (argument.dtype.isPointer() || argument.zeroed || argument.stored || argument.mayAlias))
    return "a number is described as a pointer";
  if ((argument.asStride || argument.inAddress) && (argument.pointer || !argument.dtype.isInt()))
    return "an argument that is no integer is described as a stride";
  if (argument.role != BundleRole::Plain &&
      (argument.rank < 1 || argument.rank > 5 || argument.contiguous >= argument.rank))
    return "a view has no such rank";
  return nullptr;
}

/// Whether the parts of views stand together: a base, its extents, its strides.
static bool viewsAreWhole(const std::vector<BundleArgument> &arguments) {
  for (std::size_t i = 0; i != arguments.size();) {
    const BundleArgument &base = arguments[i++];
    if (base.role == BundleRole::Plain)
      continue;
    if (base.role != BundleRole::ViewBase || !base.pointer)
      return false;
    for (const BundleRole role : {BundleRole::ViewExtent, BundleRole::ViewStride})
      for (int axis = 0; axis != base.rank; ++axis, ++i)
        if (i >= arguments.size() || arguments[i].role != role || arguments[i].dtype != i64 || arguments[i].pointer ||
            arguments[i].rank != base.rank || arguments[i].contiguous != base.contiguous)
          return false;
  }
  return true;
}

std::string BundleFunction::check() const {
  if (!isIdentifier(symbol))
    return fmt::format("`{}` is no name for a function", symbol);
  if (arguments.size() > kMostBundleArguments)
    return "it has too many arguments";
  for (const BundleArgument &argument : arguments)
    if (const char *problem = checkArgument(argument))
      return problem;
  if (!viewsAreWhole(arguments))
    return "a view is not whole";
  for (const auto &[name, value] : constants)
    if (!isIdentifier(name))
      return fmt::format("`{}` is no name for a constant", name);
  const LaunchFacts all = facts();
  for (const BundleImage &image : images)
    if (without(image.variant.unit, all.strides).any())
      return "a variant folds what is no stride";
  return {};
}

const BundleFunction *BundleIndex::find(std::string_view symbol) const {
  const auto found = std::ranges::find(functions, symbol, &BundleFunction::symbol);
  return found == functions.end() ? nullptr : &*found;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static void writeBlock(ByteWriter &writer, const BundleBlock &block) {
  writer.number(block.offset);
  writer.number(block.bytes);
  writer.number(block.hash.low);
  writer.number(block.hash.high);
}

static void writeArgument(ByteWriter &writer, const BundleArgument &argument) {
  writer.text(argument.name);
  writer.number(static_cast<std::uint8_t>(argument.dtype.kind));
  writer.number(argument.dtype.pointers);
  for (const bool flag :
       {argument.pointer, argument.mayAlias, argument.zeroed, argument.stored, argument.asStride, argument.inAddress})
    writer.flag(flag);
  writer.number(static_cast<std::uint8_t>(argument.role));
  writer.number(argument.rank);
  writer.number(argument.contiguous);
}

static void writeImage(ByteWriter &writer, const BundleImage &image, std::size_t arguments) {
  for (const std::string *text : {&image.target, &image.format, &image.instructions})
    writer.text(*text);
  for (std::size_t i = 0; i != arguments; ++i)
    writer.flag(image.variant.unit.test(i));
  writer.flag(image.variant.aligned);
  writer.flag(image.variant.fold);
  writeBlock(writer, image.block);
}

static void writeFunction(ByteWriter &writer, const BundleFunction &function) {
  for (const std::string *text : {&function.symbol, &function.kernel, &function.config, &function.options})
    writer.text(*text);
  writer.number(function.program.low);
  writer.number(function.program.high);
  writer.count(function.arguments.size());
  for (const BundleArgument &argument : function.arguments)
    writeArgument(writer, argument);
  writer.count(function.constants.size());
  for (const auto &[name, value] : function.constants) {
    writer.text(name);
    writer.signedNumber(value);
  }
  writer.count(function.images.size());
  for (const BundleImage &image : function.images)
    writeImage(writer, image, function.arguments.size());
}

std::vector<std::byte> BundleIndex::serialize() const {
  ByteWriter writer;
  writer.text(name);
  writer.text(creator);
  writer.count(functions.size());
  for (const BundleFunction &function : functions)
    writeFunction(writer, function);
  writeBlock(writer, records);
  return writer.take();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static constexpr std::size_t kBlockBytes = 32, kArgumentBytes = 4 + 2 + 6 + 3, kImageBytes = 3 * 4 + 2 + kBlockBytes,
                             kFunctionBytes = 4 * 4 + 16 + 3 * 4;

static BundleBlock readBlock(ByteReader &reader) {
  BundleBlock block;
  block.offset = reader.number<std::uint64_t>();
  block.bytes = reader.number<std::uint64_t>();
  block.hash.low = reader.number<std::uint64_t>();
  block.hash.high = reader.number<std::uint64_t>();
  return block;
}

static BundleArgument readArgument(ByteReader &reader) {
  BundleArgument argument;
  argument.name = reader.text();
  const auto kind = reader.number<std::uint8_t>();
  if (kind > static_cast<std::uint8_t>(Kind::E5M2Fnuz))
    reader.fail("unknown element type");
  else
    argument.dtype.kind = static_cast<Kind>(kind);
  argument.dtype.pointers = reader.number<std::uint8_t>();
  for (bool *flag : {&argument.pointer, &argument.mayAlias, &argument.zeroed, &argument.stored, &argument.asStride,
                     &argument.inAddress})
    *flag = reader.flag();
  argument.role = reader.enumerator<BundleRole>();
  argument.rank = reader.number<std::uint8_t>();
  argument.contiguous = reader.number<std::uint8_t>();
  return argument;
}

static BundleImage readImage(ByteReader &reader, std::size_t arguments) {
  BundleImage image;
  for (std::string *text : {&image.target, &image.format, &image.instructions})
    *text = reader.text();
  for (std::size_t i = 0; i != arguments; ++i)
    if (reader.flag())
      image.variant.unit.set(i);
  image.variant.aligned = reader.flag();
  image.variant.fold = reader.flag();
  image.block = readBlock(reader);
  return image;
}

static BundleFunction readFunction(ByteReader &reader) {
  BundleFunction function;
  for (std::string *text : {&function.symbol, &function.kernel, &function.config, &function.options})
    *text = reader.text();
  function.program.low = reader.number<std::uint64_t>();
  function.program.high = reader.number<std::uint64_t>();
  function.arguments.resize(reader.count(kArgumentBytes));
  if (function.arguments.size() > kMostBundleArguments) {
    reader.fail("a function has too many arguments");
    return function;
  }
  for (BundleArgument &argument : function.arguments)
    argument = readArgument(reader);
  function.constants.resize(reader.count(4 + 8));
  for (auto &[name, value] : function.constants) {
    name = reader.text();
    value = reader.signedNumber();
  }
  function.images.resize(reader.count(kImageBytes + function.arguments.size()));
  for (BundleImage &image : function.images)
    image = readImage(reader, function.arguments.size());
  return function;
}

BundleIndex BundleIndex::deserialize(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  BundleIndex index;
  index.name = reader.text();
  index.creator = reader.text();
  index.functions.resize(reader.count(kFunctionBytes));
  for (BundleFunction &function : index.functions)
    function = readFunction(reader);
  index.records = readBlock(reader);
  if (reader.failed())
    throw UsageError(fmt::format("its index is damaged: {}", reader.error()));
  if (!reader.atEnd())
    throw UsageError("its index is damaged: something follows it");
  if (!isIdentifier(index.name))
    throw UsageError("its index is damaged: it has no name");
  std::set<std::string_view> symbols;
  for (const BundleFunction &function : index.functions) {
    if (const std::string problem = function.check(); !problem.empty())
      throw UsageError(fmt::format("its index is damaged: function `{}`: {}", function.symbol, problem));
    if (!symbols.insert(function.symbol).second)
      throw UsageError(fmt::format("its index is damaged: two functions are called `{}`", function.symbol));
  }
  return index;
}

} // namespace tessera::rt
