//===- LinearMap.cpp - linear maps over F2 --------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Layout/LinearMap.h"

#include "Layout/FlatIndex.h"
#include "Layout/SharedLayout.h"
#include "Layout/Span.h"
#include "Layout/TileLayout.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace tessera::layout {

static std::uint64_t bit(int at) { return std::uint64_t{1} << at; }
static std::uint64_t lowBits(int count) { return count == 64 ? ~std::uint64_t{0} : bit(count) - 1; }

/// The bits of \p number that \p mask selects, moved together.
static std::uint64_t gather(std::uint64_t number, std::uint64_t mask) {
  std::uint64_t result = 0;
  for (int to = 0; mask != 0; mask &= mask - 1, ++to)
    result |= (number >> std::countr_zero(mask) & 1) << to;
  return result;
}

LinearMap LinearMap::identity(int bits) {
  std::vector<std::uint64_t> columns;
  for (int at = 0; at != bits; ++at)
    columns.push_back(bit(at));
  return LinearMap(std::move(columns), bits);
}

LinearMap LinearMap::zero(int inBits, int outBits) { return LinearMap(std::vector<std::uint64_t>(inBits, 0), outBits); }

LinearMap LinearMap::of(const TileLayout &layout) {
  std::vector<std::uint64_t> columns;
  for (const Dim dim : kDims)
    columns.insert(columns.end(), layout.bases(dim).begin(), layout.bases(dim).end());
  return LinearMap(std::move(columns), log2Of(layout.elements()));
}

LinearMap LinearMap::of(const SharedLayout &layout) {
  return LinearMap({layout.bases().begin(), layout.bases().end()}, static_cast<int>(layout.bases().size()));
}

std::uint64_t LinearMap::operator()(std::uint64_t number) const {
  std::uint64_t result = 0;
  for (const std::uint64_t column : columns_) {
    result ^= (number & 1) != 0 ? column : 0;
    number >>= 1;
  }
  return result;
}

std::string LinearMap::str() const {
  std::string text = "[";
  for (const std::uint64_t column : columns_)
    text += fmt::format("{}{:#x}", text.size() == 1 ? "" : " ", column);
  return text + fmt::format("] -> {} bits", outBits_);
}

static Span spanOf(std::span<const std::uint64_t> columns) {
  Span span;
  span.insertAll(columns);
  return span;
}

int LinearMap::rank() const { return spanOf(columns_).rank(); }

std::vector<std::uint64_t> LinearMap::kernel() const {
  std::vector<std::uint64_t> result;
  Span span;
  for (int at = 0; at != inBits(); ++at) {
    if (const auto combination = span.combinationOf(columns_[at]))
      result.push_back(*combination | bit(at));
    span.insert(columns_[at]);
  }
  return result;
}

std::vector<std::uint64_t> LinearMap::image() const { return spanOf(columns_).basis(); }

bool LinearMap::keeps(std::uint64_t part) const {
  if ((part & ~lowBits(std::min(inBits(), outBits_))) != 0)
    return false;
  for (int at = 0; at != inBits(); ++at)
    if ((part & bit(at)) != 0 ? columns_[at] != bit(at) : (columns_[at] & part) != 0)
      return false;
  return true;
}

LinearMap LinearMap::then(const LinearMap &next) const {
  std::vector<std::uint64_t> columns;
  for (const std::uint64_t column : columns_)
    columns.push_back(next(column));
  return LinearMap(std::move(columns), next.outBits_);
}

LinearMap LinearMap::ofInputs(std::uint64_t mask) const {
  std::vector<std::uint64_t> columns;
  for (int at = 0; at != inBits(); ++at)
    if ((mask & bit(at)) != 0)
      columns.push_back(columns_[at]);
  return LinearMap(std::move(columns), outBits_);
}

LinearMap LinearMap::toOutputs(std::uint64_t mask) const {
  mask &= lowBits(outBits_);
  std::vector<std::uint64_t> columns;
  for (const std::uint64_t column : columns_)
    columns.push_back(gather(column, mask));
  return LinearMap(std::move(columns), std::popcount(mask));
}

LinearMap LinearMap::quotient(std::uint64_t part) const { return ofInputs(~part).toOutputs(~part); }

std::optional<std::uint64_t> LinearMap::solve(std::uint64_t number) const {
  return spanOf(columns_).combinationOf(number);
}

std::optional<LinearMap> LinearMap::solve(const LinearMap &product) const {
  const Span span = spanOf(columns_);
  std::vector<std::uint64_t> columns;
  for (const std::uint64_t column : product.columns_) {
    const auto combination = span.combinationOf(column);
    if (!combination)
      return std::nullopt;
    columns.push_back(*combination);
  }
  return LinearMap(std::move(columns), inBits());
}

std::optional<LinearMap> LinearMap::inverse() const { return inBits() == outBits_ ? rightInverse() : std::nullopt; }

LinearMap product(const LinearMap &low, const LinearMap &high) {
  std::vector<std::uint64_t> columns(low.columns().begin(), low.columns().end());
  for (const std::uint64_t column : high.columns())
    columns.push_back(column << low.outBits());
  return LinearMap(std::move(columns), low.outBits() + high.outBits());
}

LinearMap sum(const LinearMap &low, const LinearMap &high) {
  std::vector<std::uint64_t> columns(low.columns().begin(), low.columns().end());
  columns.insert(columns.end(), high.columns().begin(), high.columns().end());
  return LinearMap(std::move(columns), std::max(low.outBits(), high.outBits()));
}

} // namespace tessera::layout
