//===- NativeMfma.cpp - AMD's matrix instructions of a warp ---------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The fragments of AMD's ISA documents. With s rows and columns, and e elements of an operand in a lane: lane l has row
// l % s of A, or column l % s of B, and of k the e from e (l / s) on. Element r of the result is in column l % s and in
// row
//
//   MFMA, 32 bits    r % 4 + 4 (l / s) + 4 (64 / s) (r / 4)
//   MFMA, 64 bits    4 r + l / 16
//   WMMA, copies     2 r + l / 16      all of k is in each half of the warp
//   WMMA, halves     r + 8 (l / 16)    of 16 bits, four k of each half take turns
//
// Products of f32 and f64 are chains of fused multiply-adds along k. Others are summed exactly and rounded once.
//
//===---------------------------------------------------------------------===//

#include "Target/Sim/Ops/NativeMfma.h"

#include "Target/Sim/Block.h"
#include "Target/Sim/Ops/Words.h"

#include <bit>
#include <charconv>
#include <cmath>

namespace tessera::ir::sim {

std::uint64_t MfmaShape::encode() const {
  const std::uint64_t bytes[] = {static_cast<std::uint64_t>(form) | (isWmma ? 0x80 : 0),
                                 side,
                                 k,
                                 static_cast<std::uint64_t>(d) | static_cast<std::uint64_t>(first) << 4,
                                 static_cast<std::uint64_t>(a),
                                 static_cast<std::uint64_t>(b),
                                 registers,
                                 registerBytes};
  std::uint64_t word = 0;
  for (unsigned i = 0; i != 8; ++i)
    word |= bytes[i] << 8 * i;
  return word;
}

MfmaShape MfmaShape::decode(std::uint64_t word) {
  const auto byte = [&](unsigned i) { return static_cast<unsigned>(word >> 8 * i & 0xff); };
  return {.form = static_cast<Form>(byte(0) & 0x7f),
          .isWmma = (byte(0) & 0x80) != 0,
          .side = byte(1),
          .k = byte(2),
          .d = static_cast<MatrixType>(byte(3) & 0xf),
          .a = static_cast<MatrixType>(byte(4)),
          .b = static_cast<MatrixType>(byte(5)),
          .registers = byte(6),
          .registerBytes = byte(7),
          .first = byte(3) >> 4};
}

/// Reads "32x32x8f16": numbers go to \p shape, what follows them is left in \p word.
static bool takeExtents(std::string_view &word, MfmaShape &shape) {
  unsigned columns = 0;
  for (unsigned *value : {&shape.side, &columns, &shape.k}) {
    const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), *value);
    if (error != std::errc())
      return false;
    word.remove_prefix(static_cast<std::size_t>(rest - word.data()));
    if (value != &shape.k && !word.starts_with("x"))
      return false;
    if (value != &shape.k)
      word.remove_prefix(1);
  }
  return shape.side == columns && (shape.side == 16 || (shape.side == 32 && !shape.isWmma));
}

static std::optional<MatrixType> operandNamed(std::string_view name, bool isFnuz) {
  if (name == "fp8")
    return isFnuz ? MatrixType::E4M3Fnuz : MatrixType::E4M3;
  if (name == "bf8")
    return isFnuz ? MatrixType::E5M2Fnuz : MatrixType::E5M2;
  if (name == "i8" || name == "iu8")
    return MatrixType::S8;
  if (name == "xf32")
    return MatrixType::TF32;
  if (name == "f16" || name == "bf16" || name == "f32" || name == "f64")
    return matrixTypeNamed(name);
  return std::nullopt;
}

std::optional<MfmaShape> parseMfma(std::string_view name, bool isFnuz) {
  Words words = wordsOf(name);
  MfmaShape shape;
  if (words.size() < 3 || (words[0] != "mfma" && words[0] != "wmma"))
    return std::nullopt;
  shape.isWmma = words[0] == "wmma";
  shape.hasFormats = words[1] == "scale" && words.back() == "f8f6f4";
  if (shape.hasFormats) {
    words.erase(words.begin() + 1);
    words.back() = "fp8";
    words.push_back("fp8");
  }
  if (words.size() < 3)
    return std::nullopt;
  const std::optional<MatrixType> d = words[1] == "i32" ? MatrixType::S32 : matrixTypeNamed(words[1]);
  if (!d || (*d != MatrixType::F32 && *d != MatrixType::F64 && *d != MatrixType::S32) || !takeExtents(words[2], shape))
    return std::nullopt;
  shape.d = *d;
  // The kind is the rest of the third word and what follows it.
  if (words[2].empty())
    words.erase(words.begin() + 2);
  if (words.back() == "1k" && words.size() == 4 && words[2] == "bf16")
    words.pop_back();
  if (words.size() != 3 && words.size() != 4)
    return std::nullopt;
  const auto a = operandNamed(words[2], isFnuz), b = operandNamed(words.back(), isFnuz);
  if (!a || !b || bitsOf(*a) != bitsOf(*b) || (words.size() == 4) != (words[2] == "fp8" || words[2] == "bf8") ||
      (*a == MatrixType::S8) != (*d == MatrixType::S32) || (*a == MatrixType::F64) != (*d == MatrixType::F64))
    return std::nullopt;
  shape.a = *a;
  shape.b = *b;
  if (shape.k > 128 || shape.k * shape.side > 2048 || shape.k * shape.side < shape.warpSize())
    return std::nullopt;
  return shape;
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

namespace {

struct Place {
  unsigned row, column;
};

constexpr unsigned kMostSide = 32, kMostDepth = 128;

/// An operand, by its rows.
using Rows = double[kMostSide][kMostDepth];

} // namespace

/// Where element \p e of an operand of lane \p lane is: its row, and its k.
static Place placeOf(const MfmaShape &s, unsigned e, unsigned lane) {
  const unsigned row = lane % s.side, group = lane / s.side;
  if (s.form == MfmaShape::Form::Copies)
    return {row, e};
  if (s.form == MfmaShape::Form::Halves && bitsOf(s.a) == 16)
    return {row, e % 4 + 4 * group + 8 * (e / 4)};
  return {row, s.elements() * group + e};
}

/// The row of element \p r of the result of lane \p lane.
static unsigned rowOf(const MfmaShape &s, unsigned r, unsigned lane) {
  const unsigned group = lane / s.side;
  if (s.form == MfmaShape::Form::Copies)
    return 2 * r + group;
  if (s.form == MfmaShape::Form::Halves)
    return r + 8 * group;
  if (s.d == MatrixType::F64)
    return 4 * r + group;
  return r % 4 + 4 * group + 4 * (64 / s.side) * (r / 4);
}

/// A number as units of \p type take it.
static double elementOf(MatrixType type, const std::byte *bits, unsigned index) {
  if (type != MatrixType::TF32)
    return matrixElement(type, bits, index);
  // Rounded to nearest even.
  std::uint32_t word;
  std::memcpy(&word, bits + 4 * index, sizeof word);
  const bool isFinite = (word & 0x7f800000) != 0x7f800000;
  return std::bit_cast<float>(isFinite ? (word + 0xfff + (word >> 13 & 1)) & 0xffffe000 : word);
}

/// Reads an operand whose registers are the inputs from \p first on.
static void gather(const Inst &i, Warp &w, const MfmaShape &s, unsigned first, MatrixType type, bool misorder,
                   Rows &rows) {
  std::byte held[64], others[64]; // of a lane, and of the one that has the same row
  const auto take = [&](unsigned lane, std::byte *to) {
    for (unsigned reg = 0; reg != s.registers; ++reg)
      std::memcpy(to + reg * s.registerBytes, w.reg<std::byte>(i.in(first + reg)) + lane * s.registerBytes,
                  s.registerBytes);
  };
  for (unsigned lane = 0; lane != w.lanes; ++lane) {
    take(lane, held);
    if (s.form == MfmaShape::Form::Copies && lane >= s.side) {
      take(lane - s.side, others);
      if (std::memcmp(held, others, s.registers * s.registerBytes) != 0)
        return w.fault(i, lane, "this lane gives another row than that 16 lanes before",
                       "both halves of a warp hold the operands of a matrix product");
    }
    for (unsigned e = 0; e != s.elements(); ++e) {
      const Place place = placeOf(s, e, lane);
      rows[place.row][misorder ? place.column ^ 1 : place.column] = elementOf(type, held, e);
    }
  }
}

static void mfma(const Inst &i, Warp &w) {
  const MfmaShape s = MfmaShape::decode(i.imm);
  Rows a, b;
  // Of integers a flag stands between A and B.
  const unsigned firstB = s.first + s.registers + s.first, firstC = firstB + s.registers;
  gather(i, w, s, s.first, s.a, w.block.launch.request.sabotage.misorderFragment, a);
  gather(i, w, s, firstB, s.b, false, b);
  for (unsigned r = 0; r != s.results(); ++r)
    for (unsigned lane = 0; lane != w.lanes; ++lane) {
      const double *const left = a[rowOf(s, r, lane)], *const right = b[lane % s.side];
      const auto into = [&]<class T>(T, auto sum) {
        const T before = w.reg<T>(i.in(firstC + r))[lane];
        w.reg<T>(i.out(r))[lane] = sum(before);
      };
      if (s.isInteger())
        into(std::uint32_t(), [&](std::uint32_t sum) {
          for (unsigned k = 0; k != s.k; ++k)
            sum += static_cast<std::uint32_t>(static_cast<std::int32_t>(left[k] * right[k]));
          return sum;
        });
      else if (s.d == MatrixType::F64)
        into(double(), [&](double sum) {
          for (unsigned k = 0; k != s.k; ++k)
            sum = std::fma(left[k], right[k], sum);
          return sum;
        });
      else if (s.a == MatrixType::F32)
        into(float(), [&](float sum) {
          for (unsigned k = 0; k != s.k; ++k)
            sum = std::fma(static_cast<float>(left[k]), static_cast<float>(right[k]), sum);
          return sum;
        });
      else
        into(float(), [&](float before) {
          double sum = before;
          for (unsigned k = 0; k != s.k; ++k)
            sum += left[k] * right[k];
          return static_cast<float>(sum);
        });
    }
}

ExecFn mfmaFunction() { return mfma; }

} // namespace tessera::ir::sim
