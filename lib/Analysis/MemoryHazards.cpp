//===- MemoryHazards.cpp - which accesses of a kernel need order -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Shared memory is told apart by bytes, global memory by what its pointers may address. That two accesses touch the
// same element from the same thread is seen where both use the whole of one buffer, or addresses that are equal and
// differ between elements.
//
// Work that goes on beside the program begins after all that comes before it, and is over at a wait for its kind: there
// its accesses stand for what comes after. (Between its beginning and the wait nothing may meet it, barrier or not.)
//
//===---------------------------------------------------------------------===//

#include "Analysis/MemoryHazards.h"

#include "Analysis/SharedMemory.h"
#include "Layout/LinearMap.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tessera::ir {

using layout::TileLayout;

ThreadScope scopeBetween(const TileLayout &a, const TileLayout &b) {
  using ::tessera::layout::Dim;
  using ::tessera::layout::LinearMap;
  const LinearMap left = LinearMap::of(a), right = LinearMap::of(b);
  if (a.shape().size() != b.shape().size() || !std::equal(a.shape().begin(), a.shape().end(), b.shape().begin()) ||
      left.inBits() + right.inBits() > 64)
    return ThreadScope::Cluster;
  const auto partOf = [](const TileLayout &layout, uint64_t number, Dim dim) {
    int shift = 0;
    for (const Dim before : ::tessera::layout::kDims)
      shift += before < dim ? layout.bits(before) : 0;
    return number >> shift & (layout.size(dim) - 1);
  };
  ThreadScope scope = ThreadScope::None;
  // Two holders of one element differ by what maps to nothing.
  for (const uint64_t both : ::tessera::layout::sum(left, right).kernel()) {
    const uint64_t second = left.inBits() == 64 ? 0 : both >> left.inBits();
    const auto differ = [&](Dim dim) { return partOf(a, both, dim) != partOf(b, second, dim); };
    if (differ(Dim::Block))
      return ThreadScope::Cluster;
    if (differ(Dim::Warp))
      scope = ThreadScope::Block;
    else if (differ(Dim::Lane))
      scope = std::max(scope, ThreadScope::Warp);
  }
  return scope;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// One memory that an op touches.
struct MemoryHazards::Part {
  bool reads = false, writes = false;
  bool isShared = false;
  bool isOfCluster = false;      ///< it touches the shared memory of all blocks
  bool comesAfter = true;        ///< accesses before the op are done before it
  bool comesBefore = true;       ///< it is done before accesses after the op
  layout::TileLayoutAttr layout; ///< of the elements moved; null for a scalar
  bool isFence = false;          ///< a fence after which the units of the chip see what its thread wrote before
  bool isOfUnit = false;         ///< the chip's units read it, not threads
  bool isDirect = false;         ///< thread by element: holders of an element access it, and nothing else
  // Of shared memory: all that `buffer` may be, and the whole that is told apart by elements.
  int64_t begin = 0, end = 0;
  Value whole; ///< the allocation, if `buffer` is that or a slot of it
  // Of global memory:
  llvm::BitVector roots;
  Value pointer;             ///< a scalar, a tile or a view
  SmallVector<Value> coords; ///< in a view
  bool acquires = false, releases = false;
  std::optional<tile::AtomicKind> update; ///< of elements whose old value nobody sees
  Type element;                           ///< what such an update takes memory for

  /// Whether the order of two updates cannot be seen.
  static bool commute(const Part &a, const Part &b) {
    return a.update && a.update == b.update && a.element == b.element;
  }
};

struct MemoryHazards::Access {
  Operation *op = nullptr;
  SmallVector<Part, 1> parts;
};

static bool touches(ArrayRef<mlir::MemoryEffects::EffectInstance> effects, mlir::SideEffects::Resource *resource) {
  return llvm::any_of(effects, [&](const auto &effect) { return effect.getResource() == resource; });
}

/// Whether \p op accesses global memory. Ops that only order it say so without naming a pointer.
static bool touchesGlobal(Operation *op, ArrayRef<mlir::MemoryEffects::EffectInstance> effects) {
  if (isa<tile::InlineAsmOp>(op))
    return !effects.empty();
  const bool isNamed = isa<layout::LayoutDialect>(op->getDialect());
  return llvm::any_of(effects, [&](const auto &effect) {
    return effect.getResource() == tile::GlobalMemory::get() && (!isNamed || effect.getValue());
  });
}

static tile::MemoryOrder orderOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, tile::MemoryOrder>(op)
      .Case<tile::AtomicRMWOp, tile::AtomicCASOp, tile::AtomicLoadOp, tile::AtomicStoreOp>(
          [](auto atomic) { return atomic.getOrder(); })
      .Default([](Operation *) { return tile::MemoryOrder::Relaxed; });
}

/// The tile that an access of global memory moves; null for a scalar.
static Value movedTile(Operation *op) {
  for (const Value value : op->getResults())
    if (isa<RankedTensorType>(value.getType()))
      return value;
  for (const Value value : op->getOperands())
    if (isa<RankedTensorType>(value.getType()))
      return value;
  return {};
}

void MemoryHazards::collectGlobal(Operation *op, Access &access) {
  Part part;
  part.reads =
      !isa<tile::StoreOp, tile::ViewStoreOp, tile::ViewStoreRowsOp, tile::AtomicStoreOp, layout::TensorStoreOp>(op);
  part.writes = !isa<tile::LoadOp, tile::ViewLoadOp, tile::ViewLoadRowsOp, tile::AtomicLoadOp, layout::AsyncCopyOp,
                     layout::ViewAsyncCopyOp, layout::TensorLoadOp>(op);
  part.roots = roots.ofOperands(op);
  if (isa<tile::InlineAsmOp>(op))
    part.roots.set();
  using tile::MemoryOrder;
  const MemoryOrder order = orderOf(op);
  part.acquires = order == MemoryOrder::Acquire || order == MemoryOrder::AcqRel;
  part.releases = order == MemoryOrder::Release || order == MemoryOrder::AcqRel;
  if (auto atomic = dyn_cast<tile::AtomicRMWOp>(op))
    if (atomic.getKind() != tile::AtomicKind::Xchg && atomic.use_empty()) {
      part.update = atomic.getKind();
      part.element = tile::elementOf(atomic.getPtr().getType());
    }
  if (auto view = dyn_cast<tile::ViewLoadOp>(op))
    llvm::append_range(part.coords, view.getCoords());
  if (auto view = dyn_cast<tile::ViewStoreOp>(op))
    llvm::append_range(part.coords, view.getCoords());
  part.isDirect = isa<tile::LoadOp, tile::StoreOp, tile::ViewLoadOp, tile::ViewStoreOp, tile::AtomicRMWOp,
                      tile::AtomicCASOp, tile::AtomicLoadOp, tile::AtomicStoreOp>(op);
  if (part.isDirect)
    part.pointer = op->getOperand(0);
  const Value tile = movedTile(op);
  if (tile)
    part.layout = layout::encodingOf(tile.getType());
  part.isDirect &= part.layout != nullptr;
  access.parts.push_back(std::move(part));
}

/// The bytes that \p buffer, or barriers, may be.
static std::pair<int64_t, int64_t> bytesOf(Value buffer) {
  if (auto barrier = buffer.getDefiningOp<layout::MBarrierAllocOp>()) {
    const int64_t begin = static_cast<int64_t>(barrier.getOffset().value_or(0));
    return {begin, begin + 8 * barrier.getResult().getType().getSlots()};
  }
  if (!isa<layout::BufferType>(buffer.getType()))
    return {0, std::numeric_limits<int64_t>::max()};
  const layout::BufferType type = cast<layout::BufferType>(buffer.getType());
  if (auto alloc = buffer.getDefiningOp<layout::SharedAllocOp>()) {
    const int64_t begin = static_cast<int64_t>(alloc.getOffset().value_or(0));
    return {begin, begin + type.bytes()};
  }
  if (auto part = buffer.getDefiningOp<layout::SharedSubviewOp>()) {
    const auto [begin, end] = bytesOf(part.getBuffer());
    const int64_t offset = part.elementOffset() * type.bytesOfElement();
    return {begin + offset, end - part.getBuffer().getType().bytes() + offset + type.bytes()};
  }
  if (auto slot = buffer.getDefiningOp<layout::SharedSlotOp>())
    return bytesOf(slot.getRing());
  if (auto trans = buffer.getDefiningOp<layout::SharedTransOp>())
    return bytesOf(trans.getBuffer());
  if (auto reshape = buffer.getDefiningOp<layout::SharedReshapeOp>())
    return bytesOf(reshape.getBuffer());
  return {0, std::numeric_limits<int64_t>::max()};
}

/// The allocation of which \p buffer is the whole or a slot; null for a part of it.
static Value wholeOf(Value buffer) {
  if (auto slot = buffer.getDefiningOp<layout::SharedSlotOp>())
    buffer = slot.getRing();
  return buffer.getDefiningOp<layout::SharedAllocOp>() ? buffer : Value();
}

/// The layout in which threads hold what \p op moves to or from a buffer; null for ops that move it otherwise.
static layout::TileLayoutAttr layoutOfMoved(Operation *op) {
  return llvm::TypeSwitch<Operation *, layout::TileLayoutAttr>(op)
      .Case([](layout::SharedStoreOp o) { return layout::encodingOf(o.getValue().getType()); })
      .Case([](layout::SharedLoadOp o) { return layout::encodingOf(o.getType()); })
      .Case([](layout::AsyncCopyOp o) { return layout::encodingOf(o.getPtr().getType()); })
      .Case([](layout::ViewAsyncCopyOp o) { return o.getAccess(); })
      .Default([](Operation *) { return layout::TileLayoutAttr(); });
}

void MemoryHazards::collectShared(Operation *op, Access &access) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<layout::BufferType, layout::MBarrierType>(operand.get().getType()))
      continue;
    SmallVector<mlir::MemoryEffects::EffectInstance> effects;
    cast<mlir::MemoryEffectOpInterface>(op).getEffects(effects);
    Part part;
    part.isShared = true;
    for (const auto &effect : effects)
      if (effect.getEffectValue<OpOperand *>() == &operand) {
        part.reads |= isa<mlir::MemoryEffects::Read>(effect.getEffect());
        part.writes |= isa<mlir::MemoryEffects::Write>(effect.getEffect());
      }
    if (isa<layout::MBarrierType>(operand.get().getType()) && !isa<layout::MBarrierInitOp>(op))
      part.writes = false; // they order themselves, once there
    std::tie(part.begin, part.end) = bytesOf(operand.get());
    if (isa<layout::SharedAtomicAddOp>(op)) {
      part.update = tile::AtomicKind::Add;
      part.element = cast<layout::BufferType>(operand.get().getType()).getElement();
    }
    if (auto store = dyn_cast<layout::SharedStoreOp>(op))
      part.isOfCluster = store.getCluster();
    part.layout = layoutOfMoved(op);
    part.isDirect = part.layout != nullptr;
    if (part.isDirect)
      part.whole = wholeOf(operand.get());
    if (part.reads || part.writes)
      access.parts.push_back(std::move(part));
  }
}

/// Whether it is the chip's units that make the accesses of \p op.
static bool isOfUnit(Operation *op) { return isa<layout::TensorLoadOp, layout::TensorStoreOp, layout::AsyncDotOp>(op); }

/// Whether the accesses of \p op are only begun by it.
static bool goesOn(Operation *op) {
  return isa<layout::AsyncCopyOp, layout::ViewAsyncCopyOp, layout::TensorLoadOp, layout::TensorStoreOp,
             layout::AsyncDotOp>(op);
}

/// Whether \p wait, of the thread that began \p op, is for it. Boxes that are loaded are waited for by all threads.
static bool isWaitFor(Operation *wait, Operation *op) {
  return (isa<layout::AsyncWaitOp>(wait) && isa<layout::AsyncCopyOp, layout::ViewAsyncCopyOp>(op)) ||
         (isa<layout::TensorWaitOp>(wait) && isa<layout::TensorStoreOp>(op)) ||
         (isa<layout::AsyncDotWaitOp>(wait) && isa<layout::AsyncDotOp>(op));
}

void MemoryHazards::collectWaits() {
  const size_t begun = accesses.size();
  kernel->walk([&](Operation *wait) {
    Access access;
    access.op = wait;
    for (const Access &other : ArrayRef(accesses).take_front(begun))
      if (isWaitFor(wait, other.op))
        for (Part part : other.parts) {
          part.comesAfter = false;
          part.comesBefore = true;
          access.parts.push_back(std::move(part));
        }
    if (access.parts.empty())
      return;
    numbers[wait] = static_cast<unsigned>(accesses.size());
    accesses.push_back(std::move(access));
  });
}

void MemoryHazards::collect(Operation *op) {
  auto interface = dyn_cast<mlir::MemoryEffectOpInterface>(op);
  if (!interface)
    return;
  SmallVector<mlir::MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  Access access;
  access.op = op;
  if (touchesGlobal(op, effects))
    collectGlobal(op, access);
  if (touches(effects, layout::SharedMemory::get()))
    collectShared(op, access);
  if (auto fence = dyn_cast<layout::ProxyFenceOp>(op); fence && fence.getSpace() != layout::FenceSpace::Global) {
    Part part;
    part.isFence = part.isShared = true;
    access.parts.push_back(std::move(part));
  }
  if (access.parts.empty())
    return;
  for (Part &part : access.parts) {
    part.comesBefore = !goesOn(op);
    part.isOfUnit = isOfUnit(op);
  }
  numbers[op] = static_cast<unsigned>(accesses.size());
  accesses.push_back(std::move(access));
}

MemoryHazards::MemoryHazards(tile::KernelOp kernel) : kernel(kernel), roots(kernel), forms(exprs) {
  if (const auto shape = layout::kernelShapeOf(kernel))
    widest = shape->numBlocks != 1  ? ThreadScope::Cluster
             : shape->numWarps != 1 ? ThreadScope::Block
                                    : ThreadScope::Warp;
  kernel->walk<mlir::WalkOrder::PreOrder>([&](Operation *op) { collect(op); });
  collectWaits();
  for (const Access &first : accesses)
    for (const Access &second : accesses) {
      inOneRound.push_back(between(first, second, true));
      betweenRounds.push_back(between(first, second, false));
    }
}

MemoryHazards::~MemoryHazards() = default;

//===----------------------------------------------------------------------===//
// Between two accesses
//===----------------------------------------------------------------------===//

/// Whether elements of a tile that differ have bytes of their own, with constant \p strides in bytes.
static bool isInjective(ArrayRef<UniformExpr> strides, ArrayRef<int64_t> shape, int64_t elementBytes) {
  SmallVector<std::pair<int64_t, int64_t>> axes; // stride, extent
  for (const auto [stride, extent] : llvm::zip_equal(strides, shape)) {
    if (extent == 1)
      continue;
    const std::optional<int64_t> bytes = stride.asConstant();
    constexpr int64_t kMost = int64_t{1} << 40; // so that nothing comes round
    if (!bytes || std::abs(*bytes) > kMost)
      return false;
    axes.emplace_back(std::abs(*bytes), extent);
  }
  llvm::sort(axes);
  int64_t reach = elementBytes;
  for (const auto &[stride, extent] : axes) {
    if (stride < reach)
      return false;
    reach += stride * (extent - 1);
  }
  return true;
}

/// Whether \p value is one and the same for the whole of the program.
static bool isOutsideOfLoops(Value value) {
  Operation *parent = value.getParentBlock()->getParentOp();
  return !isa<mlir::LoopLikeOpInterface>(parent) && !parent->getParentOfType<mlir::LoopLikeOpInterface>();
}

static bool isOutsideOfLoops(UniformExpr expr) {
  bool outside = true;
  expr.forEachValue([&](Value value) { outside &= isOutsideOfLoops(value); });
  return outside;
}

static int64_t bytesInMemory(Type element) { return std::max<int64_t>(1, tile::bitsOf(element) / 8); }

/// Whether the addresses of two accesses are equal for equal elements and different for different ones.
static bool isOneToOne(AffineForms &forms, Value a, Value b, bool sameRound) {
  const AffineForm *left = forms.of(a), *right = forms.of(b);
  if (!left || !right || left->base != right->base || left->pointer != right->pointer || !left->pointer ||
      left->strides != right->strides)
    return false;
  const ArrayRef<int64_t> shape = tile::shapeOf(a.getType());
  // Should integers have come round, different indices along one axis are still different numbers.
  const bool isLine = llvm::count_if(shape, [](int64_t extent) { return extent != 1; }) <= 1;
  if ((!left->isExact() || !right->isExact()) && (a != b || !isLine))
    return false;
  const auto element = cast<tile::PtrType>(tile::elementOf(a.getType())).getPointee();
  if (!isInjective(left->strides, shape, bytesInMemory(element)))
    return false;
  return sameRound || (isOutsideOfLoops(left->pointer) && isOutsideOfLoops(left->base));
}

namespace {

/// A sum of multiples of expressions and a constant, modulo 2^64.
class LinearSum {
public:
  explicit LinearSum(UniformExprs &exprs) : exprs(exprs) {}

  void add(UniformExpr expr, uint64_t factor) {
    using Kind = UniformExpr::Kind;
    if (const std::optional<int64_t> number = expr.asConstant()) {
      constant += factor * static_cast<uint64_t>(*number);
    } else if (expr.kind() == Kind::Add || expr.kind() == Kind::Sub) {
      add(expr.lhs(), factor);
      add(expr.rhs(), expr.kind() == Kind::Sub ? -factor : factor);
    } else if (expr.kind() == Kind::Mul && expr.rhs().asConstant()) {
      add(expr.lhs(), factor * static_cast<uint64_t>(*expr.rhs().asConstant()));
    } else if (expr.kind() == Kind::Mul && expr.lhs().asConstant()) {
      add(expr.rhs(), factor * static_cast<uint64_t>(*expr.lhs().asConstant()));
    } else if (auto sum = sumOf(expr)) {
      add(exprs.signExtended(sum.getLhs()), factor);
      add(exprs.signExtended(sum.getRhs()), factor);
    } else {
      addTerm(expr, factor);
    }
  }

  /// The address of the scalar \p pointer but for that of the one it comes from, which is returned.
  Value addOffsets(Value pointer, uint64_t factor) {
    while (auto moved = pointer.getDefiningOp<tile::AddPtrOp>()) {
      const Type pointee = cast<tile::PtrType>(pointer.getType()).getPointee();
      add(exprs.signExtended(moved.getOffset()), factor * static_cast<uint64_t>(bytesInMemory(pointee)));
      pointer = moved.getPtr();
    }
    return pointer;
  }

  std::optional<int64_t> asConstant() const {
    const bool isConstant = llvm::all_of(terms, [](const auto &term) { return term.second == 0; });
    return isConstant ? std::optional(static_cast<int64_t>(constant)) : std::nullopt;
  }

private:
  /// The sum of 64 bits that \p expr names.
  static mlir::arith::AddIOp sumOf(UniformExpr expr) {
    if (expr.kind() != UniformExpr::Kind::SignExtended || !expr.value().getType().isInteger(64))
      return {};
    return expr.value().getDefiningOp<mlir::arith::AddIOp>();
  }

  void addTerm(UniformExpr expr, uint64_t factor) {
    for (auto &term : terms)
      if (term.first == expr) {
        term.second += factor;
        return;
      }
    terms.emplace_back(expr, factor);
  }

  UniformExprs &exprs;
  uint64_t constant = 0;
  SmallVector<std::pair<UniformExpr, uint64_t>> terms;
};

} // namespace

/// How many bytes the base of \p b lies after that of \p a, if that is the same for all values.
static std::optional<int64_t> distanceBetween(UniformExprs &exprs, const AffineForm &a, const AffineForm &b) {
  LinearSum sum(exprs);
  if (!a.pointer || !b.pointer || !isa<tile::PtrType>(a.pointer.getType()) || !isa<tile::PtrType>(b.pointer.getType()))
    return std::nullopt;
  constexpr uint64_t kMinusOne = ~uint64_t{0};
  if (sum.addOffsets(a.pointer, kMinusOne) != sum.addOffsets(b.pointer, 1))
    return std::nullopt;
  sum.add(a.base, kMinusOne);
  sum.add(b.base, 1);
  return sum.asConstant();
}

/// The bytes that a tile of addresses reaches before and after its base, where that is known.
static std::optional<Range> reachOf(const AffineForm &form, Type type) {
  const Type element = cast<tile::PtrType>(tile::elementOf(type)).getPointee();
  Range reach{0, bytesInMemory(element)};
  for (const auto [stride, extent] : llvm::zip_equal(form.strides, tile::shapeOf(type))) {
    constexpr int64_t kMost = int64_t{1} << 40; // so that nothing comes round
    const std::optional<int64_t> bytes = stride.asConstant();
    if (!bytes || std::abs(*bytes) > kMost)
      return std::nullopt;
    (*bytes < 0 ? reach.lo : reach.hi) += *bytes * (extent - 1);
  }
  return reach;
}

/// Whether two tiles of addresses, a known distance from each other, do not meet.
static bool areApart(AffineForms &forms, Value a, Value b, bool sameRound) {
  const AffineForm *left = forms.of(a), *right = forms.of(b);
  if (!left || !right || !left->isExact() || !right->isExact())
    return false;
  const std::optional<int64_t> distance = distanceBetween(forms.getExprs(), *left, *right);
  const std::optional<Range> first = reachOf(*left, a.getType()), second = reachOf(*right, b.getType());
  constexpr int64_t kMost = int64_t{1} << 61;
  if (!distance || std::abs(*distance) > kMost || !first || !second)
    return false;
  if (!sameRound && !(isOutsideOfLoops(left->pointer) && isOutsideOfLoops(left->base) && isOutsideOfLoops(right->base)))
    return false;
  return *distance + second->lo >= first->hi || *distance + second->hi <= first->lo;
}

/// The same as isOneToOne for tiles of one view.
static bool isOneToOne(UniformExprs &exprs, Value view, ArrayRef<Value> coords, ArrayRef<int64_t> shape,
                       bool sameRound) {
  const auto type = cast<tile::ViewType>(view.getType());
  SmallVector<UniformExpr> strides;
  for (unsigned axis = 0; axis != type.getRank(); ++axis)
    strides.push_back(exprs.mul(exprs.viewStride(view, axis), exprs.constant(bytesInMemory(type.getElement()))));
  const auto isFixed = [](Value value) { return isOutsideOfLoops(value); };
  return isInjective(strides, shape, bytesInMemory(type.getElement())) &&
         (sameRound || (isFixed(view) && llvm::all_of(coords, isFixed)));
}

ThreadScope MemoryHazards::betweenHolders(const Part &first, const Part &second) {
  const auto [found, isNew] = holders.try_emplace({first.layout, second.layout}, ThreadScope::Block);
  if (isNew)
    found->second = scopeBetween(first.layout.getLayout(), second.layout.getLayout());
  return found->second;
}

ThreadScope MemoryHazards::betweenGlobal(const Part &first, const Part &second, bool sameRound) {
  if (first.acquires || second.releases)
    return ThreadScope::Cluster;
  if (!(first.writes || second.writes) || !roots.meet(first.roots, second.roots) || Part::commute(first, second))
    return ThreadScope::None;
  if (!first.isDirect || !second.isDirect)
    return ThreadScope::Cluster;
  const ::tessera::layout::TileLayout &layout = first.layout.getLayout();
  const ArrayRef<int64_t> shape(layout.shape().data(), layout.shape().size());
  const Type type = first.pointer.getType();
  if (!isa<tile::ViewType>(type) && !isa<tile::ViewType>(second.pointer.getType()) &&
      areApart(forms, first.pointer, second.pointer, sameRound))
    return ThreadScope::None;
  const bool oneToOne = isa<tile::ViewType>(type)
                            ? first.pointer == second.pointer && first.coords == second.coords &&
                                  isOneToOne(forms.getExprs(), first.pointer, first.coords, shape, sameRound)
                            : tile::elementOf(type) == tile::elementOf(second.pointer.getType()) &&
                                  isOneToOne(forms, first.pointer, second.pointer, sameRound);
  return oneToOne ? betweenHolders(first, second) : ThreadScope::Cluster;
}

ThreadScope MemoryHazards::between(const Part &first, const Part &second, bool sameRound) {
  // A unit reads what all threads wrote: each must have come to its fence.
  if (first.isFence || second.isFence)
    return first.isFence && second.isOfUnit && second.isShared && second.comesAfter ? ThreadScope::Block
                                                                                    : ThreadScope::None;
  if (first.isShared != second.isShared || !first.comesBefore || !second.comesAfter)
    return ThreadScope::None;
  if (!first.isShared)
    return betweenGlobal(first, second, sameRound);
  if (!(first.writes || second.writes) || first.begin >= second.end || second.begin >= first.end ||
      Part::commute(first, second))
    return ThreadScope::None;
  if (first.isOfCluster || second.isOfCluster)
    return ThreadScope::Cluster;
  if (!first.whole || first.whole != second.whole)
    return ThreadScope::Block;
  return std::min(betweenHolders(first, second), ThreadScope::Block);
}

MemoryHazards::Order MemoryHazards::between(const Access &first, const Access &second, bool sameRound) {
  Order order;
  for (const Part &a : first.parts)
    for (const Part &b : second.parts) {
      ThreadScope &scope = a.isShared ? order.shared : order.global;
      scope = std::max(scope, std::min(between(a, b, sameRound), widest));
    }
  return order;
}

Hazards MemoryHazards::hazards(ThreadScope scope) const {
  const unsigned count = static_cast<unsigned>(accesses.size());
  Hazards result(count);
  for (unsigned first = 0; first != count; ++first)
    for (unsigned second = 0; second != count; ++second) {
      const Order &near = inOneRound[first * count + second], &far = betweenRounds[first * count + second];
      result.add(first, second, near.shared == scope, far.shared == scope, BarrierStrength::Weak);
      result.add(first, second, near.global == scope, far.global == scope, BarrierStrength::Strong);
    }
  return result;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

BarrierSteps MemoryHazards::stepsOf(Block &block, ThreadScope scope) const {
  using Kind = BarrierStep::Kind;
  BarrierSteps steps;
  for (Operation &op : block) {
    BarrierStep step;
    step.op = &op;
    if (isa<layout::ClusterBarrierOp, layout::WarpRolesOp>(op) ||
        (isa<layout::BarrierOp>(op) && scope <= ThreadScope::Block) ||
        (isa<layout::WarpSyncOp>(op) && scope == ThreadScope::Warp)) {
      step.kind = Kind::Barrier;
      if (auto barrier = dyn_cast<layout::BarrierOp>(op))
        step.isWeak = barrier.getShared();
    } else if (const auto found = numbers.find(&op); found != numbers.end()) {
      step.access = found->second;
    } else if (auto loop = dyn_cast<mlir::scf::ForOp>(op)) {
      step.kind = Kind::Loop;
      step.body = stepsOf(*loop.getBody(), scope);
    } else if (auto loop = dyn_cast<mlir::scf::WhileOp>(op)) {
      step.kind = Kind::Loop;
      step.body = stepsOf(loop.getBefore().front(), scope);
      step.exit = step.body.size();
      llvm::append_range(step.body, stepsOf(loop.getAfter().front(), scope));
    } else if (auto branch = dyn_cast<mlir::scf::IfOp>(op)) {
      step.kind = Kind::Branch;
      step.body = stepsOf(*branch.thenBlock(), scope);
      if (Block *other = branch.elseBlock())
        step.other = stepsOf(*other, scope);
    } else {
      continue;
    }
    const bool isFlow = step.kind == Kind::Loop || step.kind == Kind::Branch;
    if (!isFlow || !step.body.empty() || !step.other.empty())
      steps.push_back(std::move(step));
  }
  return steps;
}

BarrierSteps MemoryHazards::steps(ThreadScope scope) const {
  tile::KernelOp op = kernel;
  return stepsOf(op.getBody().front(), scope);
}

} // namespace tessera::ir
