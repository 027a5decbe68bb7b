//===- AmdFragments.h - fragments as AMD's documents have them -*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Where instructions have the elements of their matrices, by the formulas of the ISA documents of CDNA 2 to 4 and RDNA
// 3 and 4. B is as A, with its columns for rows. Loads of columns are listed lane by lane, as AMD's simulator of gfx950
// was corrected to have those of 16 bits, and Composable Kernel distributes a tile of 8 by 16 bytes.
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

// -- Loads of columns -------------------------------------------------------------------------------------------------

/// Of 16 lanes, whose address lane \p lane gets its element \p element from, where each gives that of 8 bytes; and
/// which of the elements there: of ds_read_b64_tr_b16, and of ds_read_b64_tr_b8.
struct Piece {
  int lane, element;
};
inline Piece columnOfHalves(int element, int lane) {
  static constexpr int kLanes[4][4] = {{0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15}};
  static constexpr int kPlaces[16] = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
  return {lane - lane % 16 + kLanes[lane % 16 / 4][element], kPlaces[lane % 16]};
}
inline Piece columnOfBytes(int element, int lane) {
  static constexpr int kLanes[2][8] = {{0, 2, 4, 6, 8, 10, 12, 14}, {1, 3, 5, 7, 9, 11, 13, 15}};
  static constexpr int kPlaces[16] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7};
  return {lane - lane % 16 + kLanes[lane % 16 / 8][element], kPlaces[lane % 16]};
}

} // namespace tessera::layout::test

#endif // TESSERA_TEST_UNIT_LAYOUT_AMDFRAGMENTS_H
