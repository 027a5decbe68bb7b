//===- Costs.cpp - what ops and moves take under a layout -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/TileToLayout/Costs.h"

#include "IRSupport/LLVM.h"
#include "Layout/Conversion.h"
#include "Layout/ThreadProduct.h"

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

/// What a warp takes to read its elements of an operand for one step of k: those in the rows, or columns, that are bits
/// of \p axis.
static double readCost(const TileLayout &layout, int axis) {
  const std::uint32_t mask = layout.axisMask(axis), lowest = mask & -mask;
  const double elements = static_cast<double>(std::int64_t{1} << bitsAlong(layout, Dim::Register, axis));
  double neighbours = 1;
  for (const std::uint32_t next : {lowest, 2 * lowest})
    if (next != 0 && llvm::is_contained(layout.bases(Dim::Register), next))
      neighbours *= 2;
    else
      break;
  // Twice as much arrives where every second lane, or every second two, need the same.
  const ArrayRef<std::uint32_t> lanes(layout.bases(Dim::Lane));
  const bool isPaired = llvm::any_of(lanes.take_front(2), [&](std::uint32_t column) { return (column & mask) == 0; });
  return elements / neighbours * kInstruction + elements * (isPaired ? 0.5 : 1);
}

/// In each step of k every thread reads the rows and columns of its elements, and multiplies.
static double dotCost(tile::DotOp dot, const TileLayout &layout) {
  const auto depth = static_cast<double>(tile::shapeOf(dot.getA().getType()).back());
  const double products = static_cast<double>(distinctRegisters(layout)) * kInstruction;
  const double reads = readCost(layout, layout.rank() - 2) + readCost(layout, layout.rank() - 1);
  return depth * layout.size(Dim::Warp) * (products + reads);
}

double unitCost(tile::DotOp dot, const TileLayout &unit, const TileLayout &layout) {
  const unsigned bits = tile::bitsOf(tile::elementOf(dot.getType()));
  return unit == layout ? 0 : moveCost(layout, unit, bits) + moveCost(unit, layout, bits);
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
  return {algebra::threadAccumulator({shape.data(), shape.size()}, static_cast<int>(kernel.numWarps),
                                     static_cast<int>(kernel.warpSize))};
}

} // namespace tessera::ir::layout
