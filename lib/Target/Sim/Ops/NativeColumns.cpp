//===- NativeColumns.cpp - AMD's loads of columns -------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// 16 lanes in a row read a matrix of 16 columns. Each gives the address of the next 8 bytes of it, row by row, and gets
// a column.
//
//===---------------------------------------------------------------------===//

#include "Target/Sim/Ops/NativeColumns.h"

#include "Target/Sim/Ops/Touch.h"

#include <cstring>

namespace tessera::ir::sim {

static constexpr unsigned kLanes = 16, kBytes = 8;

std::optional<unsigned> bytesOfColumnLoad(std::string_view name) {
  if (name == "ds.read.tr16.b64")
    return 2;
  if (name == "ds.read.tr8.b64")
    return 1;
  return std::nullopt;
}

static void loadColumns(const Inst &i, Warp &w) {
  const MemoryOp &op = w.program.memory[i.extra];
  const auto elementBytes = static_cast<unsigned>(i.imm), rows = kBytes / elementBytes, registerBytes = kBytes / i.outs;
  const std::uint64_t *address = w.reg<std::uint64_t>(i.in(0));
  beginTouches(w, op);
  for (unsigned first = 0; first != w.lanes; first += kLanes) {
    std::byte matrix[kLanes * kBytes];
    for (unsigned lane = 0; lane != kLanes; ++lane) {
      std::byte *const piece = matrix + lane * kBytes;
      if (const Touched bytes = touch(w, i, op, first + lane, address[first + lane], kBytes, Use::Read))
        std::memcpy(piece, bytes.bytes, kBytes);
      else
        std::memset(piece, 0xa5, kBytes);
    }
    for (unsigned column = 0; column != kLanes; ++column)
      for (unsigned row = 0; row != rows; ++row) {
        const unsigned at = row * elementBytes;
        std::byte *const inRegister = w.reg<std::byte>(i.out(at / registerBytes)) + (first + column) * registerBytes;
        std::memcpy(inRegister + at % registerBytes, matrix + (row * kLanes + column) * elementBytes, elementBytes);
      }
  }
}

ExecFn columnLoadFunction() { return loadColumns; }

} // namespace tessera::ir::sim
