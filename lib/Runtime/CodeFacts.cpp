//===- CodeFacts.cpp - accesses and products as facts of an image ---------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/CodeFacts.h"

#include "Runtime/Image.h"

#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <string>

namespace tessera::rt {

template <class Entries, class Line> static std::string join(const Entries &entries, Line line) {
  std::string text;
  for (const auto &entry : entries)
    text += (text.empty() ? "" : "\n") + line(entry);
  return text;
}

void setAccesses(Image &image, const std::vector<MemoryAccess> &accesses) {
  image.setFact(std::string(kAccessesFact), join(accesses, [](const MemoryAccess &access) {
                  return fmt::format("{} {} of {} at {}", access.kind, access.bytes, access.held, access.at);
                }));
}

void setProducts(Image &image, const std::vector<MatrixProduct> &products) {
  image.setFact(std::string(kProductsFact), join(products, [](const MatrixProduct &product) {
                  return fmt::format("{} at {}", product.unit, product.at);
                }));
  std::set<std::string> units;
  for (const MatrixProduct &product : products)
    units.insert(product.unit);
  image.setFact(std::string(kMatrixUnitFact), fmt::format("{}", fmt::join(units, ", ")));
}

/// Calls \p entry with what stands before and after the first " at " of each line.
template <class Entry> static void forLines(std::string_view fact, Entry entry) {
  constexpr std::string_view kAt = " at ";
  while (!fact.empty()) {
    const std::size_t end = std::min(fact.find('\n'), fact.size());
    const std::string_view line = fact.substr(0, end);
    if (const std::size_t at = line.find(kAt); at != std::string_view::npos)
      entry(line.substr(0, at), std::string(line.substr(at + kAt.size())));
    fact.remove_prefix(std::min(end + 1, fact.size()));
  }
}

/// Cuts the number off the end of \p text, and the blank before it.
static std::optional<std::int64_t> takeNumber(std::string_view &text) {
  const std::size_t blank = text.rfind(' ');
  if (blank == std::string_view::npos)
    return std::nullopt;
  std::int64_t number = 0;
  const char *const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data() + blank + 1, last, number);
  if (error != std::errc() || end != last)
    return std::nullopt;
  text = text.substr(0, blank);
  return number;
}

std::vector<MemoryAccess> readAccesses(std::string_view fact) {
  std::vector<MemoryAccess> accesses;
  forLines(fact, [&](std::string_view words, std::string at) {
    constexpr std::string_view kOf = " of";
    const std::optional<std::int64_t> held = takeNumber(words);
    if (!held || !words.ends_with(kOf))
      return;
    words.remove_suffix(kOf.size());
    if (const std::optional<std::int64_t> bytes = takeNumber(words))
      accesses.push_back({std::move(at), std::string(words), *bytes, *held});
  });
  return accesses;
}

std::vector<MatrixProduct> readProducts(std::string_view fact) {
  std::vector<MatrixProduct> products;
  forLines(fact,
           [&](std::string_view unit, std::string at) { products.push_back({std::move(at), std::string(unit)}); });
  return products;
}

} // namespace tessera::rt
