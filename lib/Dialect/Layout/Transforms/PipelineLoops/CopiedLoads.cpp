//===- CopiedLoads.cpp - what a pipelined loop brings ahead --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Dialect/Layout/Transforms/PipelineLoops/CopiedLoads.h"

#include "Analysis/TensorMaps.h"
#include "Dialect/Layout/Transforms/PipelineLoops/LastingNumber.h"
#include "Dialect/Layout/Transforms/PipelineLoops/LoopMemory.h"
#include "Layout/Access.h"
#include "Layout/StraightCopy.h"
#include "Layout/Swizzle.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

namespace tessera::ir::layout {

using mlir::scf::ForOp;
using ::tessera::layout::chooseSwizzle;
using ::tessera::layout::Dim;

SmallVector<Operation *> accessesOf(Value buffer) {
  SmallVector<Operation *> accesses;
  for (Operation *user : buffer.getUsers())
    if (user->getNumResults() == 1 && isa<BufferType>(user->getResult(0).getType()))
      accesses.append(accessesOf(user->getResult(0)));
    else
      accesses.push_back(user);
  return accesses;
}

//===----------------------------------------------------------------------===//
// What may run ahead
//===----------------------------------------------------------------------===//

namespace {

/// Follows values back through a body.
class Slicer {
public:
  explicit Slicer(ForOp loop) : loop(loop) {}

  void add(Value value) {
    open.push_back(value);
    while (!open.empty())
      visit(open.pop_back_val());
  }
  void addOperandsOf(Operation *op) {
    for (const Value operand : op->getOperands())
      add(operand);
  }
  Slice take() { return std::move(slice); }

private:
  void visit(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (argument.getOwner() != loop.getBody() || argument == loop.getInductionVar())
        return;
      const unsigned number = argument.getArgNumber() - 1;
      if (slice.carried.insert(number))
        open.push_back(loop.getYieldedValues()[number]);
      return;
    }
    Operation *const op = value.getDefiningOp();
    if (op->getBlock() != loop.getBody() || !slice.ops.insert(op))
      return;
    llvm::append_range(open, op->getOperands());
    llvm::SetVector<Value> captured;
    mlir::getUsedValuesDefinedAbove(op->getRegions(), captured);
    llvm::append_range(open, captured);
  }

  ForOp loop;
  Slice slice;
  SmallVector<Value> open;
};

} // namespace

Slice sliceOf(ForOp loop, ArrayRef<CopiedLoad> loads) {
  Slicer slicer(loop);
  for (const CopiedLoad &load : loads)
    slicer.addOperandsOf(load.op);
  return slicer.take();
}

static Slice sliceOf(ForOp loop, Operation *op) {
  Slicer slicer(loop);
  slicer.addOperandsOf(op);
  return slicer.take();
}

//===----------------------------------------------------------------------===//
// What is worth it
//===----------------------------------------------------------------------===//

/// Whether a product multiplies \p value, or what ops that touch no global memory make of it.
static bool feedsProduct(Value value) {
  llvm::DenseSet<Value> seen{value};
  SmallVector<Value> open{value};
  const auto reach = [&](Value next) {
    if (seen.insert(next).second)
      open.push_back(next);
  };
  while (!open.empty()) {
    for (OpOperand &use : open.pop_back_val().getUses()) {
      Operation *const user = use.getOwner();
      if (isProduct(user)) {
        if (use.getOperandNumber() < 2)
          return true;
      } else if (auto store = dyn_cast<SharedStoreOp>(user)) {
        reach(store.getBuffer());
      } else if (isa<SharedLoadOp>(user) || mlir::isMemoryEffectFree(user)) {
        for (const Value result : user->getResults())
          reach(result);
      }
    }
  }
  return false;
}

//===----------------------------------------------------------------------===//
// How it is copied
//===----------------------------------------------------------------------===//

/// Whether every bit of \p value is 0. A null value is what a load takes for 0.
static bool isZero(Value value) {
  if (!value)
    return true;
  if (auto splat = value.getDefiningOp<tile::SplatOp>())
    value = splat.getSource();
  Attribute constant;
  if (!mlir::matchPattern(value, mlir::m_Constant(&constant)))
    return false;
  if (auto elements = dyn_cast<DenseElementsAttr>(constant)) {
    if (!elements.isSplat())
      return false;
    constant = elements.getSplatValue<Attribute>();
  }
  if (auto number = dyn_cast<FloatAttr>(constant))
    return number.getValue().bitcastToAPInt().isZero();
  auto number = dyn_cast<IntegerAttr>(constant);
  return number && number.getValue().isZero();
}

static Value elsewhereOf(Operation *load) {
  if (auto view = dyn_cast<tile::ViewLoadOp>(load))
    return view.getPad();
  return cast<tile::LoadOp>(load).getOther();
}

/// Whether registers that are \p count neighbours, from a multiple of it on, are that in the buffer.
static bool keepsTogether(const TileLayout &tile, const SharedLayout &shared, int64_t count) {
  uint32_t below = 0; // the registers' number in such a group
  for (const Dim dim : ::tessera::layout::kDims)
    for (const auto [bit, base] : llvm::enumerate(tile.bases(dim))) {
      const uint32_t offset = shared.offset(base);
      const bool isInside = dim == Dim::Register && (int64_t{1} << bit) < count;
      if (isInside ? offset != (uint32_t{1} << bit) : offset % static_cast<uint32_t>(count) != 0)
        return false;
      below += isInside;
    }
  return (int64_t{1} << below) == count;
}

/// How many elements of \p load a thread can copy at once into \p slot; 0 if too few for a copy.
static int64_t copiedAtOnce(Operation *load, BufferType slot) {
  constexpr int64_t kLeast = 4, kMost = 16; // bytes
  const auto attribute = load->getAttrOfType<IntegerAttr>(LayoutDialect::kVector);
  const TileLayout layout = layoutOf(load->getResult(0).getType());
  const int64_t bytes = slot.bytesOfElement();
  for (int64_t count = std::min(attribute ? attribute.getInt() : 1, kMost / bytes); count * bytes >= kLeast; count /= 2)
    if (keepsTogether(layout, slot.getLayout().getLayout(), count))
      return count;
  return 0;
}

/// In which layout the warps of a program copy \p load into \p slot as a whole, as many elements at a time as threads
/// would load; null if they cannot.
static TileLayoutAttr straightAccess(tile::ViewLoadOp load, BufferType slot, const CopyMeans &means) {
  const auto attribute = load->getAttrOfType<IntegerAttr>(LayoutDialect::kVector);
  const int64_t count = attribute ? attribute.getInt() : 1, bytes = slot.bytesOfElement();
  if (!::tessera::layout::isStraightWidth(count * bytes, means.straightBytes))
    return {};
  const auto copy = ::tessera::layout::straightCopy(layoutOf(load.getType()), slot.getLayout().getLayout(),
                                                    static_cast<uint32_t>(count), static_cast<int>(bytes));
  return copy ? TileLayoutAttr::get(load.getContext(), copy->layout) : TileLayoutAttr();
}

/// The store that alone uses what \p load gives, into a buffer that lives in \p body and that nothing else writes.
static SharedStoreOp storeOf(Operation *load, Block *body) {
  const Value value = load->getResult(0);
  auto store = value.hasOneUse() ? dyn_cast<SharedStoreOp>(*value.user_begin()) : SharedStoreOp();
  if (!store || store->getBlock() != body)
    return {};
  auto alloc = store.getBuffer().getDefiningOp<SharedAllocOp>();
  if (!alloc || alloc->getBlock() != body)
    return {};
  for (Operation *user : accessesOf(alloc.getResult()))
    if (user != store && !isa<SharedFreeOp, SharedLoadOp, SharedDotOp, AsyncDotOp>(user))
      return {};
  return store;
}

/// The type that all users convert what is loaded to; its own if there is none.
static Type readType(Value loaded, Block *body) {
  Type type;
  for (Operation *user : loaded.getUsers()) {
    auto convert = dyn_cast<ConvertOp>(user);
    if (!convert || convert->getBlock() != body || (type && type != convert.getType()))
      return loaded.getType();
    type = convert.getType();
  }
  return type ? type : loaded.getType();
}

/// A slot for what is stored and read by threads that hold it as these tiles.
static BufferType slotFor(Type stored, Type read, int64_t bytes, int loadBanks) {
  const auto layout = chooseSwizzle(layoutOf(stored), layoutOf(read), static_cast<int>(bytes), /*maxBytes=*/16,
                                    /*loads=*/1, loadBanks)
                          .shared;
  return BufferType::get(tile::elementOf(stored), SharedLayoutAttr::get(stored.getContext(), layout));
}

namespace {

/// Which loads the chip can copy as boxes.
class Boxes {
public:
  explicit Boxes(tile::KernelOp kernel) : affine(exprs), infos(kernel, affine) {}
  bool areOf(tile::ViewLoadOp load, BufferType buffer) {
    return tensorMapOf(load.getView(), load.getCoords(), buffer, exprs, &infos).has_value();
  }

private:
  UniformExprs exprs;
  AffineForms affine;
  AxisInfos infos;
};

} // namespace

/// Whether products beside the program read \p buffer, and nothing else does.
static bool isReadBesideProgram(Value buffer) {
  return llvm::all_of(accessesOf(buffer),
                      [](Operation *user) { return isa<SharedStoreOp, SharedFreeOp, AsyncDotOp>(user); });
}

/// Whether \p slice may be computed in rounds that the loop does not have, and does nothing else.
static bool mayBeForNothing(const Slice &slice) {
  return llvm::all_of(slice.ops, [](Operation *op) { return mlir::isPure(op); });
}

/// \p boxes: null if the load may not be of one. \p slice is that of the load.
static void chooseWay(CopiedLoad &load, const Slice &slice, Block *body, const CopyMeans &means, Boxes *boxes) {
  const Type type = load.result().getType(), element = tile::elementOf(type);
  if (isa<tile::PtrType>(element) || element.isInteger(1) || !isZero(elsewhereOf(load.op)))
    return;
  if (SharedStoreOp store = storeOf(load.op, body)) {
    load.store = store;
    load.buffer = store.getBuffer();
  }
  load.read = readType(load.result(), body);
  const BufferType slot = load.buffer
                              ? cast<BufferType>(load.buffer.getType())
                              : slotFor(type, load.read, std::max(1u, tile::bitsOf(element) / 8), means.loadBanks);
  auto view = dyn_cast<tile::ViewLoadOp>(load.op);
  if (boxes && load.buffer && isReadBesideProgram(load.buffer) && view && boxes->areOf(view, slot)) {
    load.way = CopyWay::Tensor;
    load.slot = slot;
    return;
  }
  if (const int64_t vector = means.threads ? copiedAtOnce(load.op, slot) : 0; vector != 0) {
    load.way = CopyWay::Async;
    load.vector = vector;
    load.access = encodingOf(type);
    load.slot = slot;
  } else if (const auto access =
                 view && mayBeForNothing(slice) ? straightAccess(view, slot, means) : TileLayoutAttr()) {
    load.way = CopyWay::Straight;
    const auto vector = load.op->getAttrOfType<IntegerAttr>(LayoutDialect::kVector);
    load.vector = vector ? vector.getInt() : 1;
    load.access = access;
    load.slot = slot;
  }
}

//===----------------------------------------------------------------------===//
// The loads of a loop
//===----------------------------------------------------------------------===//

SmallVector<CopiedLoad> copiedLoads(ForOp loop, CopyMeans means, bool isAsked) {
  const LoopMemory memory(loop);
  SmallVector<CopiedLoad> loads;
  if (!memory.letsLoadsPass())
    return loads;
  std::optional<Boxes> boxes;
  if (means.boxes && LastingNumber::isPossible(loop))
    boxes.emplace(loop->getParentOfType<tile::KernelOp>());
  Block *const body = loop.getBody();
  llvm::DenseSet<Operation *> chosen; // loads that feed a product
  const auto isAhead = [&](Operation *op, const Slice &slice) {
    return memory.mayRunAhead(op) &&
           llvm::all_of(slice.ops, [&](Operation *each) { return memory.mayRunAhead(each) && !chosen.contains(each); });
  };
  llvm::DenseSet<Operation *> addresses; // loads that others need for their addresses
  for (Operation &op : *body) {
    if (!isa<tile::LoadOp, tile::ViewLoadOp>(op) || !isa<RankedTensorType>(op.getResult(0).getType()))
      continue;
    const bool feeds = feedsProduct(op.getResult(0));
    const Slice slice = sliceOf(loop, &op);
    if (!(feeds || isAsked) || !isAhead(&op, slice))
      continue;
    addresses.insert_range(slice.ops);
    if (feeds)
      chosen.insert(&op);
    CopiedLoad load;
    load.op = &op;
    chooseWay(load, slice, body, means, boxes && !memory.isEverWritten(&op) ? &*boxes : nullptr);
    loads.push_back(load);
  }
  llvm::erase_if(loads, [&](const CopiedLoad &load) { return addresses.contains(load.op); });
  return loads;
}

} // namespace tessera::ir::layout
