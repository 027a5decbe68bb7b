//===- Lanes.cpp - the elements of tile values, block by block --------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A value with a buffer is read from there, a uniform one is a scalar, and everything else is computed from its
// operands at the same place. Shape operations only change the place.
//
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Emit/Core.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

namespace tessera::ir::host {

using mlir::VectorType;
namespace arith = mlir::arith;
namespace vector = mlir::vector;

//===----------------------------------------------------------------------===//
// Types, shapes
//===----------------------------------------------------------------------===//

Type laneType(Type element, unsigned lanes) {
  const Type one = laneElement(element);
  return lanes == 1 ? one : Type(VectorType::get({lanes}, one));
}

unsigned lanesOf(Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  return type ? static_cast<unsigned>(type.getNumElements()) : 1;
}

SmallVector<int64_t, 5> denseStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t, 5> strides(shape.size());
  int64_t step = 1;
  for (size_t axis = shape.size(); axis-- != 0; step *= shape[axis])
    strides[axis] = step;
  return strides;
}

Domain domainOf(ArrayRef<int64_t> shape, unsigned lanes, ArrayRef<unsigned> order) {
  Domain domain;
  domain.shape.assign(shape.begin(), shape.end());
  domain.order.assign(order.begin(), order.end());
  if (order.empty())
    llvm::append_range(domain.order, llvm::seq(static_cast<unsigned>(shape.size())));
  domain.joined.assign(shape.size(), false);
  for (unsigned axis : domain.order)
    if (shape[axis] > 1)
      domain.axis = axis;
  if (!shape.empty())
    domain.lanes = static_cast<unsigned>(std::min<int64_t>(lanes, shape[domain.axis]));
  return domain;
}

SmallVector<DomainLoop, 5> loopsOf(const Domain &domain) {
  SmallVector<DomainLoop, 5> loops;
  int64_t outer = 1; // extent of the axes that go with the next one
  for (unsigned axis : domain.order) {
    if (domain.shape[axis] == 1)
      continue;
    outer *= domain.shape[axis];
    if (domain.joined[axis])
      continue;
    loops.push_back({axis, outer});
    outer = 1;
  }
  return loops;
}

//===----------------------------------------------------------------------===//
// Places of the operands of shape operations
//===----------------------------------------------------------------------===//

/// The block of one lane at the same place, for a value that is the same along the lanes.
static LaneBlock single(LaneBlock block) {
  block.axis = 0;
  block.lanes = 1;
  return block;
}

static LaneBlock beforeBroadcast(Emitter &e, ArrayRef<int64_t> source, ArrayRef<int64_t> result, LaneBlock block) {
  for (auto [axis, from, to] : llvm::enumerate(source, result)) {
    if (from == to)
      continue;
    block.index[axis] = e.i64(0);
    if (block.lanes > 1 && axis == block.axis)
      block.lanes = 1;
  }
  return block;
}

static LaneBlock beforeExpandDims(unsigned axis, LaneBlock block) {
  block.index.erase(block.index.begin() + axis);
  if (block.lanes > 1 && block.axis == axis) // its only element
    return single(block);
  if (block.axis > axis)
    --block.axis;
  return block;
}

SmallVector<Segment, 5> segmentsOf(ArrayRef<int64_t> source, ArrayRef<int64_t> result) {
  SmallVector<Segment, 5> segments;
  size_t s = 0, r = 0;
  while (s != source.size() || r != result.size()) {
    Segment segment;
    int64_t left = 1, right = 1;
    do {
      const bool takeSource = s != source.size() && (left <= right || r == result.size());
      const size_t axis = takeSource ? s++ : r++;
      const int64_t extent = takeSource ? source[axis] : result[axis];
      (takeSource ? left : right) *= extent;
      if (extent > 1)
        (takeSource ? segment.source : segment.result).push_back(static_cast<unsigned>(axis));
    } while (left != right);
    if (!segment.source.empty())
      segments.push_back(std::move(segment));
  }
  return segments;
}

/// The block's lanes lie along one axis of the source too (see lanesAcross()).
static LaneBlock beforeReshape(Emitter &e, ArrayRef<int64_t> source, ArrayRef<int64_t> result, const LaneBlock &block) {
  OpBuilder &b = e.builder();
  LaneBlock before;
  before.index.assign(source.size(), e.i64(0));
  for (const Segment &segment : segmentsOf(source, result)) {
    if (block.lanes > 1 && llvm::is_contained(segment.result, block.axis)) {
      before.axis = segment.source.back();
      before.lanes = block.lanes;
    }
    Value linear = e.i64(0);
    int64_t stride = 1;
    for (unsigned axis : llvm::reverse(segment.result)) {
      linear = e.add(linear, e.mul(block.index[axis], e.i64(stride)));
      stride *= result[axis];
    }
    for (unsigned axis : llvm::reverse(segment.source)) {
      if (axis == segment.source.front()) {
        before.index[axis] = linear;
        break;
      }
      before.index[axis] = b.createOrFold<arith::AndIOp>(e.loc(), linear, e.i64(source[axis] - 1));
      linear = b.createOrFold<arith::ShRUIOp>(e.loc(), linear, e.i64(llvm::Log2_64(source[axis])));
    }
  }
  return before;
}

static LaneBlock beforeTrans(ArrayRef<int32_t> permutation, const LaneBlock &block) {
  LaneBlock before = block;
  for (auto [axis, from] : llvm::enumerate(permutation))
    before.index[static_cast<size_t>(from)] = block.index[axis];
  before.axis = static_cast<unsigned>(permutation[block.axis]);
  return before;
}

std::optional<LaneBlock> sourceBlock(Emitter &e, Operation &op, const LaneBlock &block) {
  using Result = std::optional<LaneBlock>;
  const auto shapes = [&] {
    return std::pair(tile::shapeOf(op.getOperand(0).getType()), tile::shapeOf(op.getResult(0).getType()));
  };
  return llvm::TypeSwitch<Operation *, Result>(&op)
      .Case([&](tile::BroadcastOp) { return beforeBroadcast(e, shapes().first, shapes().second, block); })
      .Case([&](tile::ExpandDimsOp o) { return beforeExpandDims(static_cast<unsigned>(o.getAxis()), block); })
      .Case([&](tile::ReshapeOp) { return beforeReshape(e, shapes().first, shapes().second, block); })
      .Case([&](tile::TransOp o) { return beforeTrans(o.getPermutation(), block); })
      .Case([&](tile::SliceOp o) {
        LaneBlock before = block;
        for (auto [index, offset] : llvm::zip_equal(before.index, o.getOffsets()))
          index = e.add(index, e.i64(offset));
        return before;
      })
      .Default([](Operation *) -> Result { return std::nullopt; });
}

//===----------------------------------------------------------------------===//
// Computing
//===----------------------------------------------------------------------===//

/// start + index + lane, in i32.
static Value arangeLanes(tile::ArangeOp op, const LaneBlock &block, Emitter &e) {
  const auto start = static_cast<int32_t>(op.getStart());
  const Value first = e.add(block.index[0], e.i64(start));
  Value narrow = e.builder().createOrFold<arith::TruncIOp>(e.loc(), e.builder().getI32Type(), first);
  if (block.lanes == 1)
    return narrow;
  return arith::AddIOp::create(e.builder(), e.loc(), e.splat(narrow, block.lanes), e.iota(32, block.lanes));
}

/// An integer or address by its affine form; null if it has none that may be used.
static Value affineLanes(Value tile, const LaneBlock &block, Emitter &e) {
  const Type element = laneElement(tile::elementOf(tile.getType()));
  if (!element.isInteger() || element.isInteger(1))
    return {};
  const AffineForm *const form = e.plan().affine().of(tile);
  const auto holdsHere = [&](const Condition &condition) {
    return e.state().full && e.state().group && e.state().group->implies(condition);
  };
  if (!form || !llvm::all_of(form->needs, holdsHere))
    return {};
  Value first = e.uniform(form->base);
  if (form->pointer)
    first = e.add(baseAddress(e, form->pointer), first);
  for (auto [stride, at] : llvm::zip_equal(form->strides, block.index))
    first = e.add(first, e.mul(e.uniform(stride), at));
  OpBuilder &b = e.builder();
  const auto narrow = [&](Value number) -> Value {
    return element.isInteger(64) ? number : b.createOrFold<arith::TruncIOp>(e.loc(), element, number);
  };
  if (block.lanes == 1 || form->strides[block.axis].isConstant(0))
    return narrow(first);
  Value steps = e.iota(element.getIntOrFloatBitWidth(), block.lanes);
  if (!form->strides[block.axis].isConstant(1)) {
    const Value stride = narrow(e.uniform(form->strides[block.axis]));
    steps = arith::MulIOp::create(b, e.loc(), steps, e.splat(stride, block.lanes));
  }
  return arith::AddIOp::create(b, e.loc(), e.splat(narrow(first), block.lanes), steps);
}

static Value flipLanes(tile::FlipOp op, const LaneBlock &block, Emitter &e) {
  const auto axis = static_cast<unsigned>(op.getAxis());
  const int64_t extent = tile::shapeOf(op.getType())[axis];
  const bool reversed = block.lanes > 1 && block.axis == axis;
  LaneBlock before = block;
  before.index[axis] = e.sub(e.i64(extent - (reversed ? block.lanes : 1)), block.index[axis]);
  Value code = e.lanesOrScalar(op.getSource(), before);
  if (!reversed || !isa<VectorType>(code.getType()))
    return code;
  SmallVector<int64_t, 64> lanes(llvm::reverse(llvm::seq<int64_t>(block.lanes)));
  return e.shuffle(code, code, lanes);
}

static Value splitLanes(tile::SplitOp op, Value result, const LaneBlock &block, Emitter &e) {
  LaneBlock before = block;
  before.index.push_back(e.i64(result == op.getRhs()));
  return e.lanesOrScalar(op.getSource(), before);
}

/// Parts of wider elements, or wider elements made of parts (part 0 holds the lowest bits).
static Value recutLanes(tile::BitcastOp op, const LaneBlock &block, Emitter &e) {
  OpBuilder &b = e.builder();
  const Type from = tile::elementOf(op.getSource().getType()), to = tile::elementOf(op.getType());
  const unsigned fromBits = tile::bitsOf(from), toBits = tile::bitsOf(to);
  const unsigned wide = std::max(fromBits, toBits), narrow = std::min(fromBits, toBits);
  const auto integers = [&](unsigned bits) { return laneType(b.getIntegerType(bits), block.lanes); };
  LaneBlock before = block;
  if (fromBits > toBits) {
    Value part = before.index.pop_back_val(), whole;
    Value number = b.createOrFold<arith::TruncIOp>(e.loc(), b.getIntegerType(wide), part);
    if (wide == 64)
      number = part;
    number = e.splat(number, block.lanes);
    if (block.lanes > 1 && block.axis == before.index.size()) { // all lanes are parts of one element
      whole = e.lanes(op.getSource(), single(before));
      number = arith::AddIOp::create(b, e.loc(), number, e.iota(wide, block.lanes));
    } else {
      whole = e.lanes(op.getSource(), before);
    }
    whole = e.splat(toBitsOf(e, whole), block.lanes);
    const Value amount = arith::MulIOp::create(b, e.loc(), number, e.splat(e.integer(wide, narrow), block.lanes));
    const Value moved = arith::ShRUIOp::create(b, e.loc(), whole, amount);
    return fromBitsOf(e, arith::TruncIOp::create(b, e.loc(), integers(narrow), moved), to);
  }
  Value whole;
  for (unsigned part = 0; part != wide / narrow; ++part) {
    before.index.resize(block.index.size());
    before.index.push_back(e.i64(part));
    Value code = toBitsOf(e, e.lanes(op.getSource(), before));
    code = arith::ExtUIOp::create(b, e.loc(), integers(wide), code);
    if (part != 0)
      code = arith::ShLIOp::create(b, e.loc(), code, e.splat(e.integer(wide, part * narrow), block.lanes));
    whole = whole ? arith::OrIOp::create(b, e.loc(), whole, code).getResult() : code;
  }
  return fromBitsOf(e, whole, to);
}

/// Elements of a constant that are not all equal, from a global.
static Value constantLanes(arith::ConstantOp op, const LaneBlock &block, Emitter &e) {
  const auto type = cast<RankedTensorType>(op.getType());
  Buffer buffer{e.constantMemory(cast<DenseElementsAttr>(op.getValue())), denseStrides(type.getShape()),
                type.getElementType()};
  return e.readBuffer(buffer, block);
}

static bool isElementwise(Operation &op) {
  return !isa<tile::ReduceOp, tile::ScanOp, tile::SortOp, tile::HistogramOp, tile::DotOp, tile::GatherOp, tile::JoinOp,
              tile::CatOp, tile::InsertOp, tile::InsertAtOp, tile::ExtractAtOp>(op) &&
         op.getNumRegions() == 0;
}

static Value computeLanes(Value tile, const LaneBlock &block, Emitter &e) {
  Operation *const op = tile.getDefiningOp();
  if (!op)
    return {};
  if (Value linear = affineLanes(tile, block, e))
    return linear;
  if (const std::optional<LaneBlock> before = sourceBlock(e, *op, block))
    return e.lanesOrScalar(op->getOperand(0), *before);
  const auto isRecut = [](tile::BitcastOp o) {
    return tile::bitsOf(tile::elementOf(o.getType())) != tile::bitsOf(tile::elementOf(o.getSource().getType()));
  };
  if (auto bitcast = dyn_cast<tile::BitcastOp>(op); bitcast && isRecut(bitcast))
    return recutLanes(bitcast, block, e);
  const Value special =
      llvm::TypeSwitch<Operation *, Value>(op)
          .Case([&](arith::ConstantOp o) { return constantLanes(o, block, e); })
          .Case([&](tile::ArangeOp o) { return arangeLanes(o, block, e); })
          .Case([&](tile::SplatOp o) { return e.scalar(o.getSource()); })
          .Case([&](tile::FlipOp o) { return flipLanes(o, block, e); })
          .Case([&](tile::SplitOp o) { return splitLanes(o, tile, block, e); })
          .Case<tile::LoadOp, tile::ViewLoadOp, tile::ViewLoadRowsOp>([&](auto o) { return loadLanes(e, *o, block); })
          .Default([](Operation *) { return Value(); });
  if (special)
    return special;
  if (!isElementwise(*op))
    return {};

  SmallVector<Value> operands;
  unsigned lanes = 1;
  for (Value operand : op->getOperands()) {
    operands.push_back(e.lanesOrScalar(operand, block));
    lanes = std::max(lanes, lanesOf(operands.back()));
  }
  for (Value &operand : operands)
    operand = e.splat(operand, lanes);
  const SmallVector<Value> results = e.emitElementwise(*op, operands);
  for (auto [result, code] : llvm::zip_equal(op->getResults(), results))
    remember(e, result, block, code);
  return results[cast<OpResult>(tile).getResultNumber()];
}

//===----------------------------------------------------------------------===//
// Remembering
//===----------------------------------------------------------------------===//

static bool isSamePlace(const LaneBlock &a, const LaneBlock &b) {
  return a.lanes == b.lanes && (a.lanes == 1 || a.axis == b.axis) && a.index == b.index;
}

void remember(Emitter &e, Value tile, const LaneBlock &block, Value code) {
  SmallVector<Memo, 1> &known = e.state().memo[tile];
  for (Memo &memo : known)
    if (isSamePlace(memo.block, block)) {
      memo.code = code;
      return;
    }
  known.push_back({block, code});
}

static Value recall(Emitter &e, Value tile, const LaneBlock &block) {
  const auto known = e.state().memo.find(tile);
  if (known == e.state().memo.end())
    return {};
  for (const Memo &memo : known->second)
    if (isSamePlace(memo.block, block) && e.state().code.dominates(memo.code))
      return memo.code;
  return {};
}

Value define(Emitter &e, Value tile, const LaneBlock &block) {
  if (Value known = recall(e, tile, block))
    return known;
  Value code = computeLanes(tile, block, e);
  if (!code) {
    Operation *const op = tile.getDefiningOp();
    e.refuse(op ? *op : *tile.getParentBlock()->getParentOp(), "is not computed element by element");
    code = e.placeholder(laneType(tile::elementOf(tile.getType()), 1));
  }
  remember(e, tile, block, code);
  return code;
}

Value Emitter::lanesOrScalar(Value tile, const LaneBlock &block) {
  const Home *home = isa<RankedTensorType>(tile.getType()) ? &s->plan.home(tile) : nullptr;
  if (!home || home->kind == HomeKind::Uniform)
    return scalar(tile);
  if (Value known = recall(*this, tile, block))
    return known;
  if (!hasBuffer(tile))
    return define(*this, tile, block);
  const Value code = readBuffer(bufferOf(tile), block);
  remember(*this, tile, block, code);
  return code;
}

Value Emitter::lanes(Value tile, const LaneBlock &block) { return splat(lanesOrScalar(tile, block), block.lanes); }

} // namespace tessera::ir::host
