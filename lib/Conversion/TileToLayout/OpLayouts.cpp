//===- OpLayouts.cpp - which tiles of an op share a layout ----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/TileToLayout/OpLayouts.h"

#include "Analysis/Elementwise.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

namespace tessera::ir::layout {

namespace arith = mlir::arith;

static bool isTensor(Type type) { return isa<RankedTensorType>(type); }

bool hasTiles(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isTensor) || llvm::any_of(op->getResultTypes(), isTensor);
}

namespace {

/// Describes one op, starting from one group of everything.
class Describer {
public:
  explicit Describer(Operation *op) : op(op) {
    layouts.operands.resize(op->getNumOperands());
    layouts.results.resize(op->getNumResults());
  }

  OpLayouts run() {
    llvm::TypeSwitch<Operation *>(op)
        .Case<tile::ExpandDimsOp, tile::ReshapeOp>([&](Operation *op) { reshape(op->getOperand(0), op->getResult(0)); })
        .Case([&](tile::TransOp op) {
          addGroup(op.getType());
          layouts.operands[0].map = LayoutMap::permuted(op.getPermutation());
        })
        .Case([&](tile::BroadcastOp op) {
          addGroup(op.getType());
          layouts.operands[0].map = LayoutMap::squeezed(shapeOf(op.getType()), shapeOf(op.getSource().getType()));
        })
        .Case([&](tile::ReduceOp op) {
          addGroup(op.getInputs().front().getType());
          for (LayoutPlace &result : layouts.results)
            result.map = LayoutMap::dropped(layouts.groups[0].shape, op.getAxis());
        })
        .Case([&](tile::JoinOp op) { joinOperands(op.getType(), 1); })
        .Case([&](tile::SplitOp op) { joinResults(op.getSource().getType(), 1); })
        .Case([&](tile::BitcastOp op) { bitcast(op); })
        .Case<tile::ViewLoadRowsOp>([&](auto op) { rows(op.getType(), op.getRows()); })
        .Case<tile::ViewStoreRowsOp>([&](auto op) { rows(op.getValue().getType(), op.getRows()); })
        .Case([&](tile::DotOp op) {
          addGroup(op.getType());
          separate(op.getAMutable());
          separate(op.getBMutable());
        })
        .Case([&](tile::CatOp op) {
          addGroup(op.getType());
          layouts.operands[0].group = layouts.operands[1].group = addGroup(op.getLhs().getType());
        })
        .Case<tile::SliceOp, tile::ExtractAtOp>([&](auto op) {
          addGroup(isTensor(op.getType()) ? op.getType() : op.getSource().getType());
          if (isTensor(op.getType()))
            separate(op.getSourceMutable());
        })
        .Case<tile::InsertOp, tile::InsertAtOp>([&](auto op) {
          addGroup(op.getType());
          separate(op.getSourceMutable());
        })
        .Case([&](tile::GatherOp op) {
          addGroup(op.getType());
          separate(op.getSourceMutable());
        })
        .Case([&](tile::HistogramOp op) {
          addGroup(op.getSource().getType());
          addGroup(op.getType());
          layouts.results[0].group = 1;
        })
        .Case([&](tile::InlineAsmOp op) {
          uniform();
          layouts.groups[0].registerBits = packedBits(op.getPack());
        })
        .Default([&](Operation *) { uniform(); });
    return std::move(layouts);
  }

private:
  static ArrayRef<int64_t> shapeOf(Type type) { return tile::shapeOf(type); }

  unsigned addGroup(Type type) {
    layouts.groups.push_back({SmallVector<int64_t, 5>(shapeOf(type)), 0});
    return static_cast<unsigned>(layouts.groups.size() - 1);
  }

  void uniform() {
    for (Type type : op->getOperandTypes())
      if (isTensor(type))
        return void(addGroup(type));
    for (Type type : op->getResultTypes())
      if (isTensor(type))
        return void(addGroup(type));
  }

  /// Runs of packed elements do not go beyond the tile.
  unsigned packedBits(int64_t pack) const {
    int64_t count = 1;
    for (int64_t extent : layouts.groups[0].shape)
      count *= extent;
    return llvm::Log2_64(std::min(count, pack));
  }

  void separate(OpOperand &operand) {
    if (isTensor(operand.get().getType()))
      layouts.operands[operand.getOperandNumber()].group = addGroup(operand.get().getType());
  }

  void reshape(Value source, Value result) {
    if (!isTensor(result.getType()))
      return void(addGroup(source.getType()));
    addGroup(result.getType());
    if (isTensor(source.getType()))
      layouts.operands[0].map = LayoutMap::reshaped(shapeOf(result.getType()), shapeOf(source.getType()));
  }

  void joinOperands(Type type, unsigned bits) {
    layouts.groups[addGroup(type)].registerBits = bits;
    for (LayoutPlace &operand : layouts.operands)
      operand.map = LayoutMap::joined(shapeOf(type), bits);
  }

  void joinResults(Type type, unsigned bits) {
    layouts.groups[addGroup(type)].registerBits = bits;
    for (LayoutPlace &result : layouts.results)
      result.map = LayoutMap::joined(shapeOf(type), bits);
  }

  void bitcast(tile::BitcastOp cast) {
    const Type from = cast.getSource().getType(), to = cast.getType();
    const size_t fromRank = shapeOf(from).size(), toRank = shapeOf(to).size();
    if (fromRank == toRank)
      uniform();
    else if (fromRank < toRank)
      joinOperands(to, llvm::Log2_64(shapeOf(to).back()));
    else
      joinResults(from, llvm::Log2_64(shapeOf(from).back()));
  }

  void rows(Type type, Value rows) {
    addGroup(type);
    for (auto [operand, place] : llvm::zip_equal(op->getOperands(), layouts.operands))
      if (operand == rows)
        place.map = LayoutMap::dropped(shapeOf(type), 1);
  }

  Operation *op;
  OpLayouts layouts;
};

} // namespace

OpLayouts layoutsOf(Operation *op) {
  if (!hasTiles(op) || isa_and_nonnull<mlir::scf::SCFDialect>(op->getDialect()))
    return {};
  return Describer(op).run();
}

//===--- What is computed again ---------------------------------------------===//

/// More than this many operations are not done twice to spare a move.
static constexpr unsigned kMostOperations = 48;

/// Operations for one element, down to sources; nothing if the tile is not made so.
static std::optional<unsigned> operationsOf(Value tile, unsigned most) {
  Operation *op = tile.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (isa<tile::ArangeOp, tile::SplatOp>(op))
    return 0;
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
    return elements && elements.isSplat() ? std::optional(0u) : std::nullopt;
  }
  unsigned count = 0;
  if (isa<tile::IDivOp, tile::IRemOp, arith::DivFOp>(op))
    count = 16;
  else if (isa<tile::BroadcastOp, tile::ExpandDimsOp, tile::ReshapeOp, tile::TransOp, tile::HintOp>(op))
    count = 0;
  else if (isElementwise(op) && isa_and_nonnull<arith::ArithDialect>(op->getDialect()) && !isa<arith::RemFOp>(op))
    count = 1;
  else if (isa<tile::AddPtrOp, tile::PtrCastOp, tile::PtrToIntOp, tile::IntToPtrOp, tile::ShlOp, tile::ShrOp>(op))
    count = 1;
  else
    return std::nullopt;
  for (Value operand : op->getOperands()) {
    if (!isTensor(operand.getType()))
      continue;
    if (count > most)
      return std::nullopt;
    const std::optional<unsigned> more = operationsOf(operand, most - count);
    if (!more)
      return std::nullopt;
    count += *more;
  }
  return count <= most ? std::optional(count) : std::nullopt;
}

bool isCheap(Value tile) { return operationsOf(tile, kMostOperations).has_value(); }

} // namespace tessera::ir::layout
