//===- LayoutText.cpp - layouts as text -----------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Layout/LayoutText.h"

#include "Layout/FlatIndex.h"
#include "Layout/MatrixUnits.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace tessera::layout {

using Shape = std::vector<std::int64_t>;

std::string TextProblem::str(std::string_view text) const {
  return fmt::format("{}\n  {}\n  {:>{}}", words, text, '^', column + 1);
}

namespace {

/// Where reading stopped.
struct Stop {
  TextProblem problem;
};

/// A cursor over a text. What it cannot read ends the reading with a Stop.
class Reader {
public:
  explicit Reader(std::string_view text) : text(text) { skipSpace(); }

  std::size_t at() const { return position; }
  [[noreturn]] static void fail(std::size_t column, std::string words) { throw Stop{{std::move(words), column}}; }

  /// Takes \p token if it comes next. A word ends where no letter follows.
  bool take(std::string_view token) {
    if (!text.substr(position).starts_with(token))
      return false;
    if (isWord(token.back()) && position + token.size() < text.size() && isWord(text[position + token.size()]))
      return false;
    position += token.size();
    skipSpace();
    return true;
  }
  void expect(std::string_view token) {
    if (!take(token))
      fail(position, fmt::format("expected `{}`", token));
  }
  void expectEnd() const {
    if (position != text.size())
      fail(position, "expected the end of the layout");
  }

  std::int64_t number() {
    const std::size_t start = position;
    std::int64_t value = 0;
    while (position < text.size() && std::isdigit(static_cast<unsigned char>(text[position]))) {
      value = value * 10 + (text[position++] - '0');
      if (value > std::int64_t{1} << kMaxBits)
        fail(start, fmt::format("expected a number of at most 2^{}", kMaxBits));
    }
    if (position == start)
      fail(start, "expected a number");
    skipSpace();
    return value;
  }
  /// A power of two from \p least to \p most.
  std::int64_t powerOfTwo(std::int64_t least, std::int64_t most) {
    const std::size_t start = position;
    const std::int64_t value = number();
    if (!isPowerOfTwo(value) || value < least || value > most)
      fail(start, fmt::format("expected a power of two from {} to {}, got {}", least, most, value));
    return value;
  }
  /// "4x8"; with \p rank, as many extents. Nothing if no digit comes next and no rank is asked for.
  Shape extents(std::optional<std::size_t> rank = {}) {
    const std::size_t start = position;
    Shape result;
    if (!rank && (position == text.size() || !std::isdigit(static_cast<unsigned char>(text[position]))))
      return result;
    do
      result.push_back(number());
    while (take("x"));
    if (rank && result.size() != *rank)
      fail(start, fmt::format("expected {} extents, got {}", *rank, result.size()));
    if (const std::string words = problemOfShape(result); !words.empty())
      fail(start, words);
    return result;
  }
  /// The items of a list between \p open and \p close.
  template <class Item> void list(std::string_view open, std::string_view close, Item item) {
    expect(open);
    if (take(close))
      return;
    do
      item();
    while (take(","));
    if (!take(close))
      fail(position, fmt::format("expected `,` or `{}`", close));
  }

private:
  static bool isWord(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
  void skipSpace() {
    while (position < text.size() && std::isspace(static_cast<unsigned char>(text[position])))
      ++position;
  }

  std::string_view text;
  std::size_t position = 0;
};

} // namespace

/// Reads the whole text, or says why not.
template <class Result, class Read>
static std::optional<Result> readAll(std::string_view text, TextProblem &problem, Read read) {
  try {
    Reader reader(text);
    Result result = read(reader);
    reader.expectEnd();
    return result;
  } catch (Stop &stop) {
    problem = std::move(stop.problem);
    return std::nullopt;
  }
}

static int elementBitsOf(const Shape &shape) {
  return std::accumulate(shape.begin(), shape.end(), 0,
                         [](int sum, std::int64_t extent) { return sum + log2Of(extent); });
}

/// "order 1,0": which axis varies fastest, and so on; the last one if it is left out.
static std::vector<int> readOrder(Reader &reader, std::size_t rank) {
  std::vector<int> order(rank);
  std::iota(order.rbegin(), order.rend(), 0);
  if (!reader.take("order"))
    return order;
  const std::size_t start = reader.at();
  std::vector<int> given;
  do
    given.push_back(static_cast<int>(reader.number()));
  while (reader.take(","));
  std::vector<int> sorted = given;
  std::ranges::sort(sorted);
  std::ranges::sort(order);
  if (sorted != order)
    Reader::fail(start, fmt::format("expected each axis from 0 to {} once", static_cast<int>(rank) - 1));
  return given;
}

// -- Layouts of tiles -------------------------------------------------------------------------------------------------

static std::uint32_t readCoordinates(Reader &reader, const Shape &shape) {
  const std::size_t start = reader.at();
  std::size_t axis = 0;
  std::uint32_t flat = 0;
  reader.list("(", ")", [&] {
    const std::size_t at = reader.at();
    const std::int64_t coordinate = reader.number();
    if (axis < shape.size() && coordinate >= shape[axis])
      Reader::fail(at, fmt::format("expected a coordinate below {}, got {}", shape[axis], coordinate));
    if (axis < shape.size())
      flat = static_cast<std::uint32_t>(flat * shape[axis] + coordinate);
    ++axis;
  });
  if (axis != shape.size())
    Reader::fail(start, fmt::format("expected {} coordinates, got {}", shape.size(), axis));
  return flat;
}

/// \p layout, read from \p start on, if it is valid.
static TileLayout checked(TileLayout layout, std::size_t start) {
  TileLayout::Bases bases;
  for (const Dim dim : kDims)
    bases[static_cast<std::size_t>(dim)].assign(layout.bases(dim).begin(), layout.bases(dim).end());
  if (const std::string words = TileLayout::problemOf(layout.shape(), bases); !words.empty())
    Reader::fail(start, words);
  return layout;
}

static TileLayout readColumns(Reader &reader) {
  const bool wrapped = reader.take("#layout.tile<");
  const std::size_t start = reader.at();
  const Shape shape = reader.extents();
  TileLayout::Bases bases;
  for (bool more = shape.empty() || reader.take(","); more; more = reader.take(",")) {
    const std::size_t at = reader.at();
    const auto dim = std::ranges::find_if(kDims, [&](Dim candidate) { return reader.take(nameOf(candidate)); });
    if (dim == kDims.end()) {
      if (shape.empty() && at == start)
        break; // a scalar held once
      Reader::fail(at, "expected `register`, `lane`, `warp` or `block`");
    }
    std::vector<std::uint32_t> &columns = bases[static_cast<std::size_t>(*dim)];
    if (!columns.empty())
      Reader::fail(at, fmt::format("`{}` is given twice", nameOf(*dim)));
    reader.expect("=");
    reader.list("[", "]", [&] { columns.push_back(readCoordinates(reader, shape)); });
  }
  if (wrapped)
    reader.expect(">");
  return checked(TileLayout(shape, std::move(bases)), start);
}

static TileLayout readBlocked(Reader &reader) {
  const std::size_t start = reader.at();
  const Shape shape = reader.extents();
  if (shape.empty())
    Reader::fail(start, "expected extents, as in `16x64`");
  reader.expect("thread");
  const Shape perThread = reader.extents(shape.size());
  reader.expect("lanes");
  const Shape lanes = reader.extents(shape.size());
  const Shape warps = reader.take("warps") ? reader.extents(shape.size()) : Shape(shape.size(), 1);
  const std::vector<int> order = readOrder(reader, shape.size());
  return checked(TileLayout::blocked(shape, perThread, lanes, warps, order), start);
}

namespace {

/// The bits of an element that a matrix unit takes.
struct ElementBits {
  std::int64_t usual, least, most;
};

} // namespace

/// "64x32 bits 16 warps 2x2", given to the constructor of a matrix unit whose instructions take \p leastRows warps.
template <class Make>
static TileLayout readMatrix(Reader &reader, ElementBits element, std::int64_t leastRows, Make make) {
  const std::size_t start = reader.at();
  const Shape shape = reader.extents();
  if (shape.size() < 2)
    Reader::fail(start, "expected the extents of a matrix, as in `64x32`");
  const std::int64_t bits = reader.take("bits") ? reader.powerOfTwo(element.least, element.most) : element.usual;
  WarpGrid warps{.rows = static_cast<int>(leastRows)};
  if (reader.take("warps")) {
    warps.rows = static_cast<int>(reader.powerOfTwo(leastRows, 64));
    reader.expect("x");
    warps.columns = static_cast<int>(reader.powerOfTwo(1, 64));
  }
  return make(shape, static_cast<int>(bits), warps);
}

static TileLayout readMma(Reader &reader) {
  if (reader.take("accumulator"))
    return readMatrix(reader, {32, 16, 64}, 1, mmaAccumulator);
  if (reader.take("a"))
    return readMatrix(reader, {16, 8, 64}, 1, mmaOperandA);
  if (reader.take("b"))
    return readMatrix(reader, {16, 8, 64}, 1, mmaOperandB);
  Reader::fail(reader.at(), "expected `accumulator`, `a` or `b`");
}

static TileLayout readWgmma(Reader &reader) {
  if (reader.take("accumulator"))
    return readMatrix(reader, {32, 32, 32}, 4,
                      [](const Shape &shape, int, WarpGrid warps) { return wgmmaAccumulator(shape, warps); });
  if (reader.take("a"))
    return readMatrix(reader, {16, 8, 32}, 4,
                      [](const Shape &shape, int bits, WarpGrid warps) { return wgmmaOperandA(shape, bits, warps); });
  Reader::fail(reader.at(), "expected `accumulator` or `a`");
}

std::optional<TileLayout> parseTileLayout(std::string_view text, TextProblem &problem) {
  return readAll<TileLayout>(text, problem, [](Reader &reader) {
    return reader.take("blocked") ? readBlocked(reader)
           : reader.take("mma")   ? readMma(reader)
           : reader.take("wgmma") ? readWgmma(reader)
                                  : readColumns(reader);
  });
}

// -- Layouts of buffers -----------------------------------------------------------------------------------------------

static SharedLayout readOffsets(Reader &reader) {
  const bool wrapped = reader.take("#layout.shared<");
  const std::size_t start = reader.at();
  const Shape shape = reader.extents();
  std::vector<std::uint32_t> bases;
  if (reader.take(",")) {
    reader.expect("offsets");
    reader.expect("=");
    reader.list("[", "]", [&] { bases.push_back(static_cast<std::uint32_t>(reader.number())); });
  } else {
    for (int bit = 0; bit != elementBitsOf(shape); ++bit)
      bases.push_back(std::uint32_t{1} << bit);
  }
  if (const std::string words = SharedLayout::problemOf(shape, bases); !words.empty())
    Reader::fail(start, words);
  if (wrapped)
    reader.expect(">");
  return SharedLayout(shape, std::move(bases));
}

static SharedLayout readSwizzled(Reader &reader) {
  const std::size_t start = reader.at();
  const Shape shape = reader.extents();
  if (shape.size() < 2)
    Reader::fail(start, "expected the extents of a matrix, as in `64x64`");
  reader.expect("vec");
  const std::int64_t vec = reader.powerOfTwo(1, 1 << 10);
  reader.expect("per_phase");
  const std::int64_t perPhase = reader.powerOfTwo(1, 1 << 10);
  reader.expect("max_phase");
  const std::int64_t maxPhase = reader.powerOfTwo(1, 1 << 10);
  const std::vector<int> order = readOrder(reader, shape.size());
  if (vec * maxPhase > shape[order[0]])
    Reader::fail(start, fmt::format("expected at least vec * max_phase = {} elements along axis {}, got {}",
                                    vec * maxPhase, order[0], shape[order[0]]));
  return SharedLayout::swizzled(shape, order, vec, perPhase, maxPhase);
}

static SharedLayout readTensorCopy(Reader &reader) {
  const std::size_t start = reader.at();
  const Shape shape = reader.extents();
  reader.expect("swizzle");
  const std::int64_t swizzleBytes = reader.powerOfTwo(32, 128);
  reader.expect("element");
  const std::int64_t elementBytes = reader.powerOfTwo(1, 8);
  const std::vector<int> order = readOrder(reader, shape.size());
  if (shape.empty() || shape[order[0]] * elementBytes < swizzleBytes)
    Reader::fail(start, fmt::format("expected at least {} bytes along the fastest axis", swizzleBytes));
  return SharedLayout::tensorCopy(shape, order, static_cast<int>(swizzleBytes), static_cast<int>(elementBytes));
}

std::optional<SharedLayout> parseSharedLayout(std::string_view text, TextProblem &problem) {
  return readAll<SharedLayout>(text, problem, [](Reader &reader) {
    if (reader.take("plain")) {
      const Shape shape = reader.extents();
      return SharedLayout::inOrder(shape, readOrder(reader, shape.size()));
    }
    return reader.take("swizzled")      ? readSwizzled(reader)
           : reader.take("tensor_copy") ? readTensorCopy(reader)
                                        : readOffsets(reader);
  });
}

} // namespace tessera::layout
