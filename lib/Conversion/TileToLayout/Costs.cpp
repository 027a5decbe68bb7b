//===- Costs.cpp - what ops and moves take under a layout -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/TileToLayout/Costs.h"

#include "IRSupport/LLVM.h"
#include "Layout/Conversion.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <bit>

namespace tessera::ir::layout {

namespace algebra = ::tessera::layout;
using algebra::Dim;

/// Cycles of a trip through shared memory beside those of its bytes: barriers, and latencies that nothing hides.
static constexpr double kTripCycles = 60;
/// The same where the elements of a warp stay in it.
static constexpr double kWarpTripCycles = 20;
/// Bytes that shared memory moves in a cycle.
static constexpr double kSharedBytes = 128;
/// Cycles of an instruction of a warp: four of them start in each.
static constexpr double kInstruction = 0.25;
static constexpr double kShuffle = 1;

static std::int64_t distinctRegisters(const TileLayout &layout) {
  return std::int64_t{1} << (layout.bits(Dim::Register) - std::popcount(layout.copyMask(Dim::Register)));
}

double moveCost(const TileLayout &from, const TileLayout &to, unsigned bits) {
  const double warps = std::max(from.size(Dim::Warp), to.size(Dim::Warp));
  const double words = std::max(1u, bits / 32), bytes = std::max(1u, bits / 8);
  const algebra::ConversionKind kind = algebra::conversionKind(from, to);
  switch (kind) {
  case algebra::ConversionKind::Identity:
  case algebra::ConversionKind::Registers:
    return 0;
  case algebra::ConversionKind::Warp:
  case algebra::ConversionKind::Shared:
    break;
  }
  const double written = static_cast<double>(from.elements()) * bytes;
  const double read = static_cast<double>(distinctRegisters(to)) * to.size(Dim::Lane) * warps * bytes;
  const double moved = 1.5 * (written + read) / kSharedBytes;
  if (kind == algebra::ConversionKind::Shared)
    return kTripCycles + moved;
  return std::min(warps * static_cast<double>(distinctRegisters(to)) * words * 2 * kShuffle, kWarpTripCycles + moved);
}

/// How many columns of \p dim have a bit of \p axis.
static int bitsAlong(const TileLayout &layout, Dim dim, int axis) {
  const std::uint32_t mask = layout.axisMask(axis);
  return static_cast<int>(
      llvm::count_if(layout.bases(dim), [&](std::uint32_t column) { return (column & mask) != 0; }));
}

/// Of an op that combines \p inputs tiles along an axis, with \p factor times the work of a reduction.
static double alongAxisCost(const TileLayout &layout, int axis, size_t inputs, double factor) {
  const double warps = layout.size(Dim::Warp);
  const auto registers = static_cast<double>(distinctRegisters(layout));
  const double kept =
      static_cast<double>(std::int64_t{1} << (layout.bits(Dim::Register) - bitsAlong(layout, Dim::Register, axis)));
  const double inWarp = warps * (registers * kInstruction + kept * bitsAlong(layout, Dim::Lane, axis) * 2 * kShuffle);
  const int warpBits = bitsAlong(layout, Dim::Warp, axis);
  const double trip = warpBits == 0 ? 0 : kTripCycles + 4 * warps * layout.size(Dim::Lane) * kept / kSharedBytes;
  return static_cast<double>(inputs) * factor * (inWarp + trip);
}

/// Every thread multiplies a column of a by a row of b for each step of k, which it loads.
static double dotCost(tile::DotOp dot, const TileLayout &layout) {
  const int rank = layout.rank();
  const auto extentAlong = [&](int axis) {
    return static_cast<double>(std::int64_t{1} << bitsAlong(layout, Dim::Register, axis));
  };
  const double rows = extentAlong(rank - 2), columns = extentAlong(rank - 1);
  const auto depth = static_cast<double>(tile::shapeOf(dot.getA().getType()).back());
  const auto registers = static_cast<double>(layout.size(Dim::Register));
  return depth * layout.size(Dim::Warp) * registers * kInstruction * (1 + 2 * (rows + columns) / (rows * columns));
}

double computeCost(Operation *op, const TileLayout &layout) {
  const double uniform = kInstruction * layout.size(Dim::Warp) * layout.size(Dim::Register);
  return llvm::TypeSwitch<Operation *, double>(op)
      .Case([&](tile::DotOp dot) { return dotCost(dot, layout); })
      .Case([&](tile::ReduceOp op) {
        return alongAxisCost(layout, static_cast<int>(op.getAxis()), op.getInputs().size(), 1);
      })
      .Case([&](tile::ScanOp op) {
        return alongAxisCost(layout, static_cast<int>(op.getAxis()), op.getInputs().size(), 2);
      })
      .Case([&](tile::SortOp op) {
        return alongAxisCost(layout, static_cast<int>(op.getAxis()), 1 + op.getPayload().size(), 8);
      })
      .Default([&](Operation *) { return uniform; });
}

llvm::SmallVector<TileLayout> dotLayouts(ArrayRef<int64_t> shape, const KernelShape &kernel) {
  const size_t rank = shape.size(), row = rank - 2, column = rank - 1;
  SmallVector<int64_t> perThread(rank, 1), lanes(rank, 1), warps(rank, 1);
  SmallVector<int> order;
  for (size_t axis = rank; axis-- > 0;)
    order.push_back(static_cast<int>(axis));
  // Squares of up to 4 x 4 elements a thread, as large as leaves every thread some.
  const int64_t elements = shape[row] * shape[column];
  for (int64_t share = std::max<int64_t>(1, elements / kernel.threadsOfProgram()); share > 1; share /= 2) {
    const size_t axis = perThread[column] <= perThread[row] ? column : row;
    if (perThread[axis] < std::min<int64_t>(4, shape[axis]))
      perThread[axis] *= 2;
  }
  const auto distribute = [&](SmallVectorImpl<int64_t> &threads, int64_t count) {
    const auto left = [&](size_t axis) { return shape[axis] / (perThread[axis] * lanes[axis] * warps[axis]); };
    for (; count > 1; count /= 2) {
      const bool toColumn = threads[column] * perThread[column] <= threads[row] * perThread[row];
      const size_t first = toColumn ? column : row, second = toColumn ? row : column;
      size_t axis = left(first) > 1 ? first : left(second) > 1 ? second : 0;
      if (axis == 0 && (rank == 2 || left(0) <= 1))
        axis = left(row) > 1 ? row : column;
      threads[axis] *= 2;
    }
  };
  distribute(lanes, kernel.warpSize);
  distribute(warps, kernel.numWarps);
  return {TileLayout::blocked({shape.data(), rank}, perThread, lanes, warps, order)};
}

} // namespace tessera::ir::layout
