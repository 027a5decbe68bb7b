//===- Drawing.h - pictures of layouts -------------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TOOLS_TESSERA_LAYOUT_DRAWING_H
#define TESSERA_TOOLS_TESSERA_LAYOUT_DRAWING_H

#include "Layout/SharedLayout.h"
#include "Layout/TileLayout.h"

#include <string>
#include <vector>

namespace tessera::layout {

/// The elements of a tile with what is to be said of each, matrix by matrix; a tile of rank 1 is broken into rows.
struct Drawing {
  struct Cell {
    std::string text;
    double hue = 0;   ///< from 0 to 1
    double shade = 0; ///< from 0, light, to 1
  };
  struct Panel {
    std::string title; ///< the coordinates on leading axes; empty if there are none
    std::vector<std::string> rows, columns;
    std::vector<Cell> cells;
  };

  std::string title;
  std::vector<Panel> panels;
  std::vector<std::string> notes;

  std::string asText() const;
  std::string asSvg() const;
};

/// Who holds which element, "T<lane>:<register>", before it a letter for the warp and a number for the block if there
/// are several. Of copies the owner is drawn. Lanes have hues, warps shades.
Drawing drawingOf(const TileLayout &layout);
/// Where elements of \p elementBytes lie: "<row of 128 bytes>:<bank>". Banks have hues, rows shades.
Drawing drawingOf(const SharedLayout &layout, int elementBytes);

} // namespace tessera::layout

#endif // TESSERA_TOOLS_TESSERA_LAYOUT_DRAWING_H
