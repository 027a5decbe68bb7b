//===- Image.cpp - layout and consistency of images -----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Image.h"

#include <algorithm>
#include <fmt/format.h>

namespace tessera::rt {

/// The largest packed block: what cuLaunchKernel takes, less what aligning descriptors may cost there.
static constexpr std::uint32_t kMaxPackedBytes = 32764 - 112;

std::uint32_t Argument::packedBytes() const {
  switch (kind) {
  case ArgumentKind::Scalar:
    return static_cast<std::uint32_t>(dtype.bytes());
  case ArgumentKind::TensorMap:
    return 128;
  default:
    return 8;
  }
}

std::uint32_t Argument::packedAlignment() const { return kind == ArgumentKind::TensorMap ? 64 : packedBytes(); }

void Image::layOut() {
  std::uint32_t end = 0;
  for (Argument &argument : arguments) {
    const std::uint32_t alignment = std::max(argument.packedAlignment(), 1u);
    argument.offset = (end + alignment - 1) / alignment * alignment;
    end = argument.offset + argument.packedBytes();
  }
  packedBytes = end;
}

void Image::setFact(std::string key, std::string value) {
  const auto place =
      std::lower_bound(metadata.begin(), metadata.end(), key,
                       [](const auto &entry, const std::string &wanted) { return entry.first < wanted; });
  if (place != metadata.end() && place->first == key)
    place->second = std::move(value);
  else
    metadata.insert(place, {std::move(key), std::move(value)});
}

const std::string *Image::fact(std::string_view key) const {
  for (const auto &[name, value] : metadata)
    if (name == key)
      return &value;
  return nullptr;
}

std::vector<std::string> Image::argumentNames() const {
  std::vector<std::string> names;
  for (const Argument &argument : arguments)
    names.push_back(argument.name);
  return names;
}

/// Why \p expr cannot be evaluated at a launch; null if it can. Recipes see the caller's arguments only.
static const char *checkRecipe(const Expr &expr, std::span<const Argument> arguments) {
  if (const char *malformed = expr.check(static_cast<int>(arguments.size())))
    return malformed;
  for (const Expr::Step &step : expr.steps()) {
    if (step.code != ExprCode::Argument)
      continue;
    const Argument &argument = arguments[static_cast<std::size_t>(step.operand)];
    if (argument.isHidden())
      return "an expression names a hidden argument";
    if (argument.kind == ArgumentKind::Scalar && !argument.dtype.isInt() && !argument.dtype.isBool())
      return "an expression names an argument that is not an integer";
  }
  return nullptr;
}

static const char *checkTensorMap(const Argument &argument, std::span<const Argument> arguments) {
  if (!argument.tensorMap)
    return "a descriptor has no recipe";
  const TensorMapRecipe &recipe = *argument.tensorMap;
  if (recipe.base < 0 || static_cast<std::size_t>(recipe.base) >= arguments.size() ||
      arguments[static_cast<std::size_t>(recipe.base)].kind != ArgumentKind::Pointer)
    return "a descriptor starts from an argument that is not a pointer";
  const std::size_t rank = recipe.extents.size();
  if (rank < 1 || rank > 5)
    return "a descriptor's rank is not 1 to 5";
  if (recipe.strides.size() != rank - 1 || recipe.box.size() != rank)
    return "a descriptor's box or strides do not match its rank";
  if (recipe.dtype.bytes() == 0)
    return "a descriptor has no element type";
  if (const char *why = checkRecipe(recipe.offset, arguments))
    return why;
  for (const std::vector<Expr> *exprs : {&recipe.extents, &recipe.strides})
    for (const Expr &expr : *exprs)
      if (const char *why = checkRecipe(expr, arguments))
        return why;
  return nullptr;
}

static const char *checkArgument(const Argument &argument, std::span<const Argument> arguments) {
  if (argument.kind >= ArgumentKind::kCount)
    return "an argument has an unknown kind";
  if (argument.kind == ArgumentKind::Scalar && (argument.dtype.bytes() == 0 || argument.dtype.isPointer()))
    return "a scalar argument has no scalar type";
  if (argument.kind == ArgumentKind::TensorMap)
    return checkTensorMap(argument, arguments);
  if (argument.tensorMap)
    return "an argument that is no descriptor has a descriptor's recipe";
  if (const char *why = checkRecipe(argument.value, arguments))
    return why;
  return checkRecipe(argument.bytes, arguments);
}

std::string Image::check() const {
  if (entry.empty())
    return "the entry has no name";
  if (threadsPerProgram == 0)
    return "a program has no threads";
  if (cluster[0] == 0 || cluster[1] == 0 || cluster[2] == 0)
    return "a cluster has an extent of 0";
  if (!launchGrid.empty() && launchGrid.size() != 3)
    return "the launch grid does not have three extents";
  for (const std::vector<Expr> *exprs : {&launchGrid, &requirements})
    for (const Expr &expr : *exprs)
      if (const char *why = checkRecipe(expr, arguments))
        return why;
  if (packedBytes > kMaxPackedBytes)
    return fmt::format("the arguments take {} bytes; at most {} can be passed", packedBytes, kMaxPackedBytes);

  std::uint32_t end = 0;
  bool hidden = false;
  for (std::size_t i = 0; i != arguments.size(); ++i) {
    const Argument &argument = arguments[i];
    const auto problem = [&](std::string_view why) {
      return fmt::format("argument {} (`{}`): {}", i, argument.name, why);
    };
    if (const char *why = checkArgument(argument, arguments))
      return problem(why);
    if (hidden && !argument.isHidden())
      return problem("a caller's argument follows a hidden one");
    hidden = argument.isHidden();
    if (argument.offset % argument.packedAlignment() || argument.offset < end)
      return problem("it is misaligned or overlaps the argument before it");
    if (argument.offset > packedBytes || packedBytes - argument.offset < argument.packedBytes())
      return problem("it lies outside the packed block");
    end = argument.offset + argument.packedBytes();
  }
  return {};
}

} // namespace tessera::rt
