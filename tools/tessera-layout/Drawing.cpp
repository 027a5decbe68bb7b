//===- Drawing.cpp - pictures of layouts ----------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Drawing.h"

#include "Layout/Access.h"
#include "Layout/FlatIndex.h"
#include "Layout/LinearMap.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tessera::layout {

using Cell = Drawing::Cell;
using Panel = Drawing::Panel;

/// The widest row that a tile of rank 1 is broken into.
static constexpr std::int64_t kLine = 16;

/// Cells from \p cellOf(flat index) in panels of the last two axes.
template <class CellOf> static std::vector<Panel> panelsOf(std::span<const std::int64_t> shape, CellOf cellOf) {
  const int rank = static_cast<int>(shape.size());
  std::int64_t elements = 1;
  for (const std::int64_t extent : shape)
    elements *= extent;
  const std::int64_t last = rank == 0 ? 1 : shape[rank - 1];
  const std::int64_t columns = rank == 1 ? std::min(last, kLine) : last;
  const std::int64_t rows = rank < 2 ? last / columns : shape[rank - 2];
  std::vector<Panel> panels;
  for (std::int64_t flat = 0; flat != elements; ++flat) {
    if (flat % (rows * columns) == 0) {
      Panel &panel = panels.emplace_back();
      for (int axis = 0; axis < rank - 2; ++axis)
        panel.title +=
            fmt::format("{}{}", axis == 0 ? "[" : ", ", coordinateOf(shape, static_cast<std::uint32_t>(flat), axis));
      panel.title += rank > 2 ? ", *, *]" : "";
      for (std::int64_t row = 0; row != rows; ++row)
        panel.rows.push_back(std::to_string(rank == 1 ? row * columns : row));
      for (std::int64_t column = 0; column != columns; ++column)
        panel.columns.push_back(std::to_string(column));
    }
    panels.back().cells.push_back(cellOf(static_cast<std::uint32_t>(flat)));
  }
  return panels;
}

/// A, B … Z, AA, AB …
static std::string letters(std::uint32_t number) {
  std::string text;
  for (std::int64_t rest = number; rest >= 0; rest = rest / 26 - 1)
    text.insert(text.begin(), static_cast<char>('A' + rest % 26));
  return text;
}

/// "lane bits 3, 4".
static std::string bitsText(Dim dim, std::uint32_t mask) {
  std::vector<int> bits;
  for (; mask != 0; mask &= mask - 1)
    bits.push_back(std::countr_zero(mask));
  return fmt::format("{} bit{} {}", nameOf(dim), bits.size() == 1 ? "" : "s", fmt::join(bits, ", "));
}

Drawing drawingOf(const TileLayout &layout) {
  const LinearMap map = LinearMap::of(layout);
  Drawing drawing{.title = layout.str(), .panels = {}, .notes = {}};
  if (drawing.title.empty())
    drawing.title = "scalar";
  drawing.panels = panelsOf(layout.shape(), [&](std::uint32_t flat) {
    std::uint64_t holder = map.solve(flat).value_or(0); // zero on bits that make copies: the owner
    const auto next = [&](Dim dim) {
      const std::uint32_t number = static_cast<std::uint32_t>(holder & (layout.size(dim) - 1));
      holder >>= layout.bits(dim);
      return number;
    };
    const std::uint32_t reg = next(Dim::Register), lane = next(Dim::Lane), warp = next(Dim::Warp),
                        block = next(Dim::Block);
    std::string text = fmt::format("T{}:{}", lane, reg);
    if (layout.bits(Dim::Warp) != 0)
      text = letters(warp) + "." + text;
    if (layout.bits(Dim::Block) != 0)
      text = fmt::format("{}{}{}", block, layout.bits(Dim::Warp) != 0 ? "" : ".", text);
    return Cell{std::move(text), static_cast<double>(lane) / layout.size(Dim::Lane),
                static_cast<double>(warp) / layout.size(Dim::Warp)};
  });

  int holders = 0;
  std::vector<std::string> copies;
  for (const Dim dim : kDims) {
    holders += layout.bits(dim);
    if (const std::uint32_t mask = layout.copyMask(dim); mask != 0)
      copies.push_back(bitsText(dim, mask));
  }
  if (!copies.empty())
    drawing.notes.push_back(fmt::format("each element is held {} times; drawn is the owner, with 0 in {}",
                                        (std::int64_t{1} << holders) / layout.elements(), fmt::join(copies, ", ")));
  return drawing;
}

Drawing drawingOf(const SharedLayout &layout, int elementBytes) {
  Drawing drawing{.title = layout.str(), .panels = {}, .notes = {}};
  const std::int64_t rows = std::max<std::int64_t>(1, layout.elements() * elementBytes / 128);
  drawing.panels = panelsOf(layout.shape(), [&](std::uint32_t flat) {
    const std::int64_t address = std::int64_t{layout.offset(flat)} * elementBytes, bank = address / 4 % 32;
    return Cell{fmt::format("{}:{}", address / 128, bank), static_cast<double>(bank) / 32,
                static_cast<double>(address / 128) / static_cast<double>(rows)};
  });
  drawing.notes.push_back(fmt::format("row of 128 bytes : bank, of elements of {} bytes", elementBytes));
  return drawing;
}

// -- Text -------------------------------------------------------------------------------------------------------------

std::string Drawing::asText() const {
  std::string text = title + "\n";
  for (const Panel &panel : panels) {
    text += panel.title.empty() ? "\n" : fmt::format("\n{}\n", panel.title);
    std::size_t label = 0, width = 0;
    for (const std::string &row : panel.rows)
      label = std::max(label, row.size());
    for (const std::string &column : panel.columns)
      width = std::max(width, column.size());
    for (const Cell &cell : panel.cells)
      width = std::max(width, cell.text.size());
    const auto line = [&](std::string_view first, auto items, auto textOf) {
      text += fmt::format("{:>{}} ", first, label);
      for (const auto &item : items)
        text += fmt::format(" {:>{}}", textOf(item), width);
      text += "\n";
    };
    line("", std::span(panel.columns), [](const std::string &column) { return column; });
    for (std::size_t row = 0; row != panel.rows.size(); ++row)
      line(panel.rows[row], std::span(panel.cells).subspan(row * panel.columns.size(), panel.columns.size()),
           [](const Cell &cell) { return cell.text; });
  }
  for (const std::string &note : notes)
    text += "\n" + note + "\n";
  return text;
}

// -- SVG --------------------------------------------------------------------------------------------------------------

/// A light colour that black text can be read on, as "#rrggbb".
static std::string colourOf(const Cell &cell) {
  const double lightness = 0.86 - 0.18 * cell.shade, chroma = 0.16 + 0.10 * cell.shade;
  const auto channel = [&](double shift) {
    const double at = cell.hue + shift, wave = std::abs((at - static_cast<int>(at)) * 6 - 3) - 1; // from -1 to 2
    return static_cast<int>(255 * std::clamp(lightness + chroma * (std::clamp(wave, 0.0, 1.0) - 0.5), 0.0, 1.0));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", channel(0), channel(2.0 / 3), channel(1.0 / 3));
}

static std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text)
    result += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return result;
}

std::string Drawing::asSvg() const {
  constexpr std::size_t kHeight = 20, kCharacter = 7, kMargin = 8;
  std::string boxes, centred, left, right; // what stands to the left and to the right of its place
  std::size_t width = 0, y = kMargin;
  const auto write = [&](std::string &into, std::size_t x, std::string_view words) {
    into += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n", x, y + 14, escaped(words));
  };
  for (const Panel &panel : panels) {
    std::size_t widest = 0, label = 0;
    for (const Cell &cell : panel.cells)
      widest = std::max(widest, cell.text.size());
    for (const std::string &row : panel.rows)
      label = std::max(label, row.size());
    const std::size_t cellWidth = widest * kCharacter + 8, start = kMargin + label * kCharacter + 6;
    if (!panel.title.empty()) {
      write(right, start, panel.title);
      y += kHeight;
    }
    for (std::size_t column = 0; column != panel.columns.size(); ++column)
      write(centred, start + column * cellWidth + cellWidth / 2, panel.columns[column]);
    y += kHeight;
    for (std::size_t row = 0; row != panel.rows.size(); ++row, y += kHeight) {
      write(left, start - 6, panel.rows[row]);
      for (std::size_t column = 0; column != panel.columns.size(); ++column) {
        const Cell &cell = panel.cells[row * panel.columns.size() + column];
        const std::size_t x = start + column * cellWidth;
        boxes += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", x, y, cellWidth,
                             kHeight, colourOf(cell));
        write(centred, x + cellWidth / 2, cell.text);
      }
    }
    width = std::max(width, start + panel.columns.size() * cellWidth);
    y += kMargin;
  }
  for (const std::string &note : notes) {
    write(right, kMargin, note);
    width = std::max(width, kMargin + note.size() * kCharacter);
    y += kHeight;
  }
  return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
                     "font-family=\"monospace\" font-size=\"11\">\n<title>{2}</title>\n"
                     "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n"
                     "<g stroke=\"#888\">\n{3}</g>\n<g text-anchor=\"middle\">\n{4}</g>\n"
                     "<g text-anchor=\"end\">\n{5}</g>\n<g>\n{6}</g>\n</svg>\n",
                     width + kMargin, y, escaped(title), boxes, centred, left, right);
}

} // namespace tessera::layout
