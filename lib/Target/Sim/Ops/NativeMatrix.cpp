//===- NativeMatrix.cpp - NVIDIA's matrix instructions of a warp ----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// All fragments follow one rule (PTX ISA, "Matrix Fragments"). With e elements in a register, g = lane / 4 and
// t = lane % 4: register r of A holds row g + 8 (r % rows) and columns t e + 4 e (r / rows) + 0 … e-1, where rows is 2
// for 16 rows and 1 for 8; register r of B the same with columns of B for rows of A. Elements 2 i and 2 i + 1 of C and
// D are in row g + 8 i, columns 2 t and 2 t + 1.
//
//===---------------------------------------------------------------------===//

#include "Target/Sim/Ops/NativeMatrix.h"

#include "Target/Sim/Ops/Cell.h"
#include "Target/Sim/Ops/Touch.h"
#include "Target/Sim/Ops/Words.h"

#include <charconv>
#include <limits>

namespace tessera::ir::sim {

std::optional<MatrixType> matrixTypeNamed(std::string_view name) {
  static constexpr std::pair<std::string_view, MatrixType> all[] = {
      {"f16", MatrixType::F16},   {"bf16", MatrixType::BF16}, {"tf32", MatrixType::TF32}, {"f64", MatrixType::F64},
      {"e4m3", MatrixType::E4M3}, {"e5m2", MatrixType::E5M2}, {"s8", MatrixType::S8},     {"u8", MatrixType::U8},
      {"f32", MatrixType::F32},   {"s32", MatrixType::S32}};
  for (const auto &[known, type] : all)
    if (known == name)
      return type;
  return std::nullopt;
}

unsigned bitsOf(MatrixType type) {
  switch (type) {
  case MatrixType::F16:
  case MatrixType::BF16:
    return 16;
  case MatrixType::E4M3:
  case MatrixType::E5M2:
  case MatrixType::E4M3Fnuz:
  case MatrixType::E5M2Fnuz:
  case MatrixType::S8:
  case MatrixType::U8:
    return 8;
  case MatrixType::F64:
    return 64;
  default:
    return 32;
  }
}

template <class T> static T loadBits(const std::byte *bits, unsigned index) {
  T value;
  std::memcpy(&value, bits + index * sizeof(T), sizeof value);
  return value;
}

double matrixElement(MatrixType type, const std::byte *bits, unsigned index) {
  switch (type) {
  case MatrixType::F16:
    return interp::toDouble(loadBits<interp::F16>(bits, index));
  case MatrixType::BF16:
    return interp::toDouble(loadBits<interp::BF16>(bits, index));
  case MatrixType::TF32: // the low bits are not looked at
    return std::bit_cast<float>(loadBits<std::uint32_t>(bits, index) & 0xffffe000u);
  case MatrixType::F64:
    return loadBits<double>(bits, index);
  case MatrixType::E4M3:
    return interp::toDouble(loadBits<interp::E4M3>(bits, index));
  case MatrixType::E5M2:
    return interp::toDouble(loadBits<interp::E5M2>(bits, index));
  case MatrixType::E4M3Fnuz:
    return interp::toDouble(loadBits<interp::E4M3Fnuz>(bits, index));
  case MatrixType::E5M2Fnuz:
    return interp::toDouble(loadBits<interp::E5M2Fnuz>(bits, index));
  case MatrixType::S8:
    return loadBits<std::int8_t>(bits, index);
  case MatrixType::U8:
    return loadBits<std::uint8_t>(bits, index);
  case MatrixType::F32:
    return loadBits<float>(bits, index);
  case MatrixType::S32:
    return loadBits<std::int32_t>(bits, index);
  }
  return 0;
}

void storeMatrixElement(MatrixType type, std::byte *bits, unsigned index, double value, bool saturates) {
  const auto put = [&](auto number) { std::memcpy(bits + index * sizeof number, &number, sizeof number); };
  switch (type) {
  case MatrixType::F16:
    return put(interp::fromDouble<interp::F16>(value));
  case MatrixType::F64:
    return put(value);
  case MatrixType::S32: {
    using Limits = std::numeric_limits<std::int32_t>;
    if (saturates)
      value = std::clamp<double>(value, Limits::min(), Limits::max());
    return put(static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::int64_t>(value))));
  }
  default:
    return put(static_cast<float>(value));
  }
}

//===----------------------------------------------------------------------===//
// mma.sync
//===----------------------------------------------------------------------===//

std::uint64_t MmaShape::encode() const {
  return m | n << 8 | k << 16 | std::uint64_t(d) << 32 | std::uint64_t(a) << 40 | std::uint64_t(b) << 48 |
         std::uint64_t(saturates) << 56;
}
MmaShape MmaShape::decode(std::uint64_t word) {
  const auto byte = [&](unsigned at) { return static_cast<unsigned>(word >> at & 0xff); };
  return {byte(0),
          byte(8),
          byte(16),
          static_cast<MatrixType>(byte(32)),
          static_cast<MatrixType>(byte(40)),
          static_cast<MatrixType>(byte(48)),
          byte(56) != 0};
}

/// Reads "m16n8k16".
static bool parseShape(std::string_view word, MmaShape &shape) {
  for (auto [letter, value] : {std::pair('m', &shape.m), std::pair('n', &shape.n), std::pair('k', &shape.k)}) {
    if (word.empty() || word.front() != letter)
      return false;
    const auto [rest, error] = std::from_chars(word.data() + 1, word.data() + word.size(), *value);
    if (error != std::errc())
      return false;
    word.remove_prefix(static_cast<std::size_t>(rest - word.data()));
  }
  return word.empty();
}

std::optional<MmaShape> parseMma(std::string_view opcode) {
  const Words words = wordsOf(opcode);
  MmaShape shape;
  if (words.size() < 10 || !startWith(words, {"mma", "sync", "aligned"}) || !parseShape(words[3], shape) ||
      words[4] != "row" || words[5] != "col")
    return std::nullopt;
  const std::size_t types = words.size() - 4;
  for (std::size_t k = 6; k != types; ++k) {
    if (words[k] != "satfinite" && !words[k].starts_with("kind::"))
      return std::nullopt;
    shape.saturates |= words[k] == "satfinite";
  }
  const auto d = matrixTypeNamed(words[types]), a = matrixTypeNamed(words[types + 1]),
             b = matrixTypeNamed(words[types + 2]);
  if (!d || !a || !b || words[types + 3] != words[types] || bitsOf(*a) != bitsOf(*b))
    return std::nullopt;
  shape.d = *d;
  shape.a = *a;
  shape.b = *b;
  const bool isFloat = *d == MatrixType::F32 || *d == MatrixType::F16 || *d == MatrixType::F64;
  const bool fits = *d == MatrixType::S32 ? *a == MatrixType::S8 || *a == MatrixType::U8
                                          : isFloat && (*d == MatrixType::F64) == (*a == MatrixType::F64);
  const unsigned step = *a == MatrixType::F64 ? 4 : 128 / bitsOf(*a); // columns that one register of all lanes holds
  if (!fits || (shape.m != 16 && shape.m != 8) || shape.n != 8 || shape.k % step || shape.k > 64)
    return std::nullopt;
  return shape;
}

/// Calls `fn(lane, register, index, row, column)` for every element of an operand of \p rows rows and \p columns
/// columns, \p perRegister elements in a register.
template <class Fn> static void forFragment(unsigned rows, unsigned columns, unsigned perRegister, Fn fn) {
  const unsigned halves = rows / 8, registers = halves * columns / (4 * perRegister);
  for (unsigned lane = 0; lane != 32; ++lane)
    for (unsigned r = 0; r != registers; ++r)
      for (unsigned j = 0; j != perRegister; ++j)
        fn(lane, r, j, lane / 4 + 8 * (r % halves), lane % 4 * perRegister + 4 * perRegister * (r / halves) + j);
}

static void mma(const Inst &i, Warp &w) {
  const MmaShape s = MmaShape::decode(i.imm);
  const auto perRegister = [](MatrixType type) { return type == MatrixType::F64 ? 1 : 32 / bitsOf(type); };
  const auto bytesOfRegister = [](MatrixType type) {
    return type == MatrixType::F64 ? std::size_t(8) : std::size_t(4);
  };
  const unsigned firstB = s.registersOfA(), firstC = firstB + s.registersOfB();
  double a[16][64], b[8][64];
  const bool misorder = w.block.launch.request.sabotage.misorderFragment;
  forFragment(s.m, s.k, perRegister(s.a), [&](unsigned lane, unsigned r, unsigned j, unsigned row, unsigned column) {
    if (misorder && r < 2 && firstB > 1)
      r = 1 - r;
    a[row][column] = matrixElement(s.a, w.reg<std::byte>(i.in(r)) + lane * bytesOfRegister(s.a), j);
  });
  forFragment(8, s.k, perRegister(s.b), [&](unsigned lane, unsigned r, unsigned j, unsigned row, unsigned column) {
    b[row][column] = matrixElement(s.b, w.reg<std::byte>(i.in(firstB + r)) + lane * bytesOfRegister(s.b), j);
  });
  // Elements of C and D lie in registers by twos.
  const unsigned packed = s.d == MatrixType::F16 ? 2 : 1;
  for (unsigned lane = 0; lane != 32; ++lane)
    for (unsigned e = 0; e != s.m / 4; ++e) {
      const unsigned row = lane / 4 + 8 * (e / 2), column = lane % 4 * 2 + e % 2;
      const std::size_t at = lane * bytesOfRegister(s.d);
      double sum = matrixElement(s.d, w.reg<std::byte>(i.in(firstC + e / packed)) + at, e % packed);
      for (unsigned k = 0; k != s.k; ++k)
        sum += a[row][k] * b[column][k];
      storeMatrixElement(s.d, w.reg<std::byte>(i.out(e / packed)) + at, e % packed, sum, s.saturates);
    }
}

ExecFn mmaFunction() { return mma; }

//===----------------------------------------------------------------------===//
// ldmatrix, stmatrix
//===----------------------------------------------------------------------===//

std::optional<MatrixMove> parseMatrixMove(std::string_view opcode) {
  Words words = wordsOf(opcode);
  MatrixMove move;
  const auto take = [&](std::string_view word) { return std::erase(words, word) != 0; };
  if (words.empty() || (words[0] != "ldmatrix" && words[0] != "stmatrix"))
    return std::nullopt;
  move.isStore = words[0] == "stmatrix";
  move.isTransposed = take("trans");
  move.count = take("x4") ? 4 : take("x2") ? 2 : take("x1") ? 1 : 0;
  take("shared");
  take("shared::cta");
  if (move.count == 0 || words != Words{words[0], "sync", "aligned", "m8n8", "b16"})
    return std::nullopt;
  return move;
}

/// Lane 8 i + r has the address of row r of matrix i. Register i of a lane holds two neighbours of row lane / 4 of
/// matrix i, or of its column if it is transposed.
template <bool kStores> static void moveMatrix(const Inst &i, Warp &w) {
  const MemoryOp &op = w.program.memory[i.extra];
  const unsigned count = kStores ? op.count : i.outs;
  const bool isTransposed = i.imm != 0;
  const std::uint64_t *address = w.reg<std::uint64_t>(i.in(0));
  std::uint16_t rows[32][8];
  const auto element = [&](unsigned matrix, unsigned lane, unsigned j) -> std::uint16_t & {
    const unsigned row = lane / 4, column = lane % 4 * 2 + j;
    return isTransposed ? rows[8 * matrix + column][row] : rows[8 * matrix + row][column];
  };
  const auto half = [&](unsigned matrix, unsigned lane, unsigned j) -> std::uint16_t & {
    return w.reg<std::uint16_t>(kStores ? i.in(1 + matrix) : i.out(matrix))[2 * lane + j];
  };
  const auto forElements = [&](auto fn) {
    for (unsigned matrix = 0; matrix != count; ++matrix)
      for (unsigned lane = 0; lane != 32; ++lane)
        for (unsigned j = 0; j != 2; ++j)
          fn(half(matrix, lane, j), element(matrix, lane, j));
  };
  beginTouches(w, op);
  if constexpr (kStores)
    forElements([](std::uint16_t &inRegister, std::uint16_t &inMemory) { inMemory = inRegister; });
  for (unsigned lane = 0; lane != 8 * count; ++lane) {
    const Touched row = touch(w, i, op, lane, address[lane], 16, kStores ? Use::Write : Use::Read);
    if (!row) {
      std::memset(rows[lane], 0xa5, 16);
    } else if constexpr (kStores) {
      if (row.sameOp && std::memcmp(row.bytes, rows[lane], 16) != 0)
        reportDifferentValues(w, i, lane, address[lane]);
      std::memcpy(row.bytes, rows[lane], 16);
    } else {
      std::memcpy(rows[lane], row.bytes, 16);
    }
  }
  if constexpr (!kStores)
    forElements([](std::uint16_t &inRegister, std::uint16_t &inMemory) { inRegister = inMemory; });
}

ExecFn matrixMoveFunction(bool isStore) { return isStore ? moveMatrix<true> : moveMatrix<false>; }

} // namespace tessera::ir::sim
