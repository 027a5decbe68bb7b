//===- AmdFragments.h - fragments as AMD's documents have them -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Where instructions have the elements of their matrices, by the formulas of the ISA documents of CDNA 2 to 4 and RDNA
// 3 and 4. B is as A, with its columns for rows.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_LAYOUT_AMDFRAGMENTS_H
#define TESSERA_TEST_UNIT_LAYOUT_AMDFRAGMENTS_H

#include <functional>

namespace tessera::layout::test {

/// A row, and a column or k.
struct Place {
  int row, column;
};
/// Of the number of an element that a lane has, and of the lane.
using PlaceOf = std::function<Place(int, int)>;

// -- Results ----------------------------------------------------------------------------------------------------------

inline Place mfma32x32(int r, int lane) { return {8 * (r / 4) + 4 * (lane / 32) + r % 4, lane % 32}; }
inline Place mfma16x16(int r, int lane) { return {4 * (lane / 16) + r % 4, lane % 16}; }
inline Place mfmaF64(int r, int lane) { return {4 * r + lane / 16, lane % 16}; }
inline Place wmmaGfx11(int r, int lane) { return {2 * r + lane / 16, lane % 16}; }
inline Place wmmaGfx12(int r, int lane) { return {r + 8 * (lane / 16), lane % 16}; }

// -- Operands ---------------------------------------------------------------------------------------------------------

/// \p count neighbours along k a lane, of \p side rows.
inline PlaceOf neighbours(int side, int count) {
  return [=](int e, int lane) -> Place { return {lane % side, count * (lane / side) + e}; };
}
inline Place wmmaOperandGfx11(int e, int lane) { return {lane % 16, e}; }
inline Place wmmaHalvesGfx12(int e, int lane) { return {lane % 16, e % 4 + 4 * (lane / 16) + 8 * (e / 4)}; }

} // namespace tessera::layout::test

#endif // TESSERA_TEST_UNIT_LAYOUT_AMDFRAGMENTS_H
