//===- ProgramOps.cpp - program ids, workspaces, sources of tiles ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Interp/Lowering.h"
#include "Target/Interp/Ops/Elementwise.h"
#include "Target/Interp/Ops/Families.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include <algorithm>
#include <numeric>

namespace tessera::ir::interp {

using namespace mlir;

namespace {

template <unsigned axis> void programIdOf(const Inst &inst, Frame &frame) {
  *frame.out<std::int64_t>(inst) = frame.id[axis];
}
template <unsigned axis> void programsOf(const Inst &inst, Frame &frame) {
  *frame.out<std::int64_t>(inst) = frame.launch.grid[axis];
}

LogicalResult lowerProgramId(Operation &op, Builder &b) {
  constexpr ExecFn of[] = {programIdOf<0>, programIdOf<1>, programIdOf<2>};
  b.emit(op, of[static_cast<unsigned>(cast<tile::ProgramIdOp>(op).getAxis())]);
  return success();
}

LogicalResult lowerNumPrograms(Operation &op, Builder &b) {
  constexpr ExecFn of[] = {programsOf<0>, programsOf<1>, programsOf<2>};
  b.emit(op, of[static_cast<unsigned>(cast<tile::NumProgramsOp>(op).getAxis())]);
  return success();
}

/// The address is a parameter, in its register from the start.
LogicalResult lowerWorkspace(Operation &, Builder &) { return success(); }

LogicalResult lowerArange(Operation &op, Builder &b) {
  auto arange = cast<tile::ArangeOp>(op);
  const auto start = static_cast<std::int32_t>(arange.getStart()), end = static_cast<std::int32_t>(arange.getEnd());
  std::vector<std::int32_t> values(static_cast<std::size_t>(std::int64_t(end) - start));
  std::iota(values.begin(), values.end(), start);
  b.bind(arange.getResult(),
         b.constant(Elem::I32, static_cast<std::uint32_t>(values.size()),
                    {reinterpret_cast<const char *>(values.data()), values.size() * sizeof(values[0])}));
  return success();
}

template <class W> void splatLoop(const Inst &inst, Frame &frame) {
  std::fill_n(frame.out<W>(inst), inst.n, frame.scalar<W>(inst, 0));
}

LogicalResult lowerSplat(Operation &op, Builder &b) {
  b.emit(op,
         dispatchWidth<ExecFn>(*elemOf(op.getResult(0).getType()), []<class W>() -> ExecFn { return splatLoop<W>; }));
  return success();
}

// -- Philox-4x32 (SEMANTICS N1) -------------------------------------------------------------------

struct PhiloxPayload : Payload {
  int rounds = 10;
};

void philoxLoop(const Inst &inst, Frame &frame) {
  const int rounds = inst.payload<PhiloxPayload>().rounds;
  for (std::uint32_t i = 0; i != inst.n; ++i) {
    std::uint32_t k[2], c[4];
    for (unsigned j = 0; j != 2; ++j)
      k[j] = frame.in<std::uint32_t>(inst, j)[i];
    for (unsigned j = 0; j != 4; ++j)
      c[j] = frame.in<std::uint32_t>(inst, 2 + j)[i];
    for (int round = 0; round != rounds; ++round) {
      const std::uint64_t p = std::uint64_t(0xD2511F53u) * c[0], q = std::uint64_t(0xCD9E8D57u) * c[2];
      const std::uint32_t next[4] = {static_cast<std::uint32_t>(q >> 32) ^ c[1] ^ k[0], static_cast<std::uint32_t>(q),
                                     static_cast<std::uint32_t>(p >> 32) ^ c[3] ^ k[1], static_cast<std::uint32_t>(p)};
      std::copy_n(next, 4, c);
      k[0] += 0x9E3779B9u;
      k[1] += 0xBB67AE85u;
    }
    for (unsigned j = 0; j != 4; ++j)
      frame.out<std::uint32_t>(inst, j)[i] = c[j];
  }
}

LogicalResult lowerPhilox(Operation &op, Builder &b) {
  auto payload = std::make_unique<PhiloxPayload>();
  payload->rounds = static_cast<int>(cast<tile::PhiloxOp>(op).getRounds());
  b.emit(op, philoxLoop).extra = std::move(payload);
  return success();
}

} // namespace

void registerProgramOps(OpTable &table) {
  table.add<tile::ProgramIdOp>(lowerProgramId);
  table.add<tile::NumProgramsOp>(lowerNumPrograms);
  table.add<tile::WorkspaceOp>(lowerWorkspace);
  table.add<tile::ArangeOp>(lowerArange);
  table.add<tile::SplatOp>(lowerSplat);
  table.add<tile::PhiloxOp>(lowerPhilox);
}

} // namespace tessera::ir::interp
