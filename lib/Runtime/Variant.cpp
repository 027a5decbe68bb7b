//===- Variant.cpp - one kernel, compiled for kinds of arguments ----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/Variant.h"

#include <algorithm>
#include <fmt/format.h>

namespace tessera::rt {

static constexpr std::string_view kGeneral = "general", kAligned = "aligned",
                                  kUnit = "stride 1: ", kFolded = "folded grid";

std::string typesText(std::span<const DType> dtypes, const SlotMask &pointers) {
  std::string text;
  for (std::size_t i = 0; i != dtypes.size(); ++i)
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", dtypes[i].name(), pointers.test(i) ? "*" : "");
  return text.empty() ? "none" : text;
}

std::string VariantKey::str(const LaunchFacts &facts) const {
  std::string text(aligned ? kAligned : "");
  std::string units;
  for (std::size_t i = 0; i != facts.names.size(); ++i)
    if (unit.test(i))
      units += (units.empty() ? "" : " ") + facts.names[i];
  if (!units.empty())
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", kUnit, units);
  if (fold)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", kFolded);
  return text.empty() ? std::string(kGeneral) : text;
}

/// Cuts what stands before \p separator off \p text.
static std::string_view cut(std::string_view &text, std::string_view separator) {
  const std::size_t at = text.find(separator);
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + separator.size());
  return part;
}

std::optional<VariantKey> VariantKey::parse(std::string_view text, const LaunchFacts &facts) {
  VariantKey key;
  for (std::string_view rest = text == kGeneral ? "" : text; !rest.empty();) {
    std::string_view part = cut(rest, ", ");
    if (part == kAligned)
      key.aligned = true;
    else if (part == kFolded)
      key.fold = true;
    else if (part.starts_with(kUnit))
      for (part.remove_prefix(kUnit.size()); !part.empty();) {
        const auto name = std::ranges::find(facts.names, cut(part, " "));
        if (name == facts.names.end())
          return std::nullopt;
        key.unit.set(static_cast<std::size_t>(name - facts.names.begin()));
      }
    else
      return std::nullopt;
  }
  return key.str(facts) == text ? std::optional(key) : std::nullopt;
}

/// Whether everything whose alignment counts, once \p unit is folded, is a multiple of 16.
static bool isAligned(const LaunchFacts &facts, const SlotPattern &pattern, const SlotMask &unit) {
  return !without(without(facts.pointers | facts.addresses, unit), pattern.multiples).any();
}

VariantKey variantFor(const LaunchFacts &facts, const SlotPattern &pattern, bool fold) {
  VariantKey key;
  key.unit = pattern.ones & facts.strides;
  key.aligned = isAligned(facts, pattern, key.unit);
  key.fold = fold;
  return key;
}

bool serves(const VariantKey &variant, const LaunchFacts &facts, const SlotPattern &pattern, bool fold) {
  return variant.fold == fold && !without(variant.unit, pattern.ones).any() &&
         (!variant.aligned || isAligned(facts, pattern, variant.unit));
}

bool isBetter(const VariantKey &a, const VariantKey &b) {
  const int more = a.unit.count() - b.unit.count();
  return more ? more > 0 : a.aligned && !b.aligned;
}

} // namespace tessera::rt
