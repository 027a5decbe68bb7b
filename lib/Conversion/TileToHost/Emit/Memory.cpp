//===- Memory.cpp - buffers of the arena, memory of arguments ----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Lanes that are neighbours in memory move as one vector. Others move one by one. A lane whose mask is false gets its
// address replaced by that of a spare piece of the arena, where reading and writing do no harm, so that no access needs
// a branch; processors that have masked accesses use them.
//
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Emit/Core.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tessera::ir::host {

using mlir::VectorType;
namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;
namespace vector = mlir::vector;

/// Bytes of the spare piece: 64 lanes of 8 bytes.
static constexpr uint64_t kSpareBytes = 512;
/// Up to so many lanes are moved one by one without a loop.
static constexpr unsigned kUnrolledLanes = 16;

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

Value Emitter::toPointer(Value address) {
  Type type = LLVM::LLVMPointerType::get(s->b.getContext());
  if (const unsigned lanes = lanesOf(address); lanes > 1)
    type = VectorType::get({lanes}, type);
  return LLVM::IntToPtrOp::create(s->b, s->loc, type, address);
}

Value Emitter::toAddress(Value pointer) { return LLVM::PtrToIntOp::create(s->b, s->loc, s->b.getI64Type(), pointer); }

/// \p pointer + \p bytes.
static Value bytePointer(Emitter &e, Value pointer, Value bytes) {
  return LLVM::GEPOp::create(e.builder(), e.loc(), pointer.getType(), e.builder().getI8Type(), pointer,
                             ArrayRef<LLVM::GEPArg>{bytes});
}

Value Emitter::elementPointer(Value pointer, Value index, Type element) {
  if (index == i64(0))
    return pointer;
  return LLVM::GEPOp::create(s->b, s->loc, pointer.getType(), storedType(element), pointer,
                             ArrayRef<LLVM::GEPArg>{index});
}

Value Emitter::scratch(uint64_t bytes) {
  const uint64_t start = s->scratchUsed;
  s->scratchUsed += llvm::alignTo(bytes, 64);
  s->scratchMost = std::max(s->scratchMost, s->scratchUsed);
  return arenaPointer(*this, static_cast<uint64_t>(s->plan.arenaBytes()) + kSpareBytes + start);
}

Value arenaPointer(Emitter &e, uint64_t offset) {
  Emitter::State &s = e.state();
  if (offset == 0)
    return s.arena;
  return LLVM::GEPOp::create(s.b, s.loc, s.arena.getType(), s.b.getI8Type(), s.arena,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)}, LLVM::GEPNoWrapFlags::inbounds);
}

static Value sparePointer(Emitter &e) { return arenaPointer(e, static_cast<uint64_t>(e.plan().arenaBytes())); }

uint64_t arenaBytes(Emitter &e) {
  return static_cast<uint64_t>(e.plan().arenaBytes()) + kSpareBytes + e.state().scratchMost;
}

Buffer Emitter::scratchBuffer(ArrayRef<int64_t> shape, Type element) {
  uint64_t count = 1;
  for (int64_t extent : shape)
    count *= static_cast<uint64_t>(extent);
  return {scratch(count * storedBytes(element)), denseStrides(shape), element};
}

bool Emitter::hasBuffer(Value tile) {
  return s->buffers.contains(tile) ||
         (isa<RankedTensorType>(tile.getType()) && s->plan.home(tile).kind == HomeKind::Buffer);
}

Buffer Emitter::bufferOf(Value tile) {
  if (const auto known = s->buffers.find(tile); known != s->buffers.end())
    return known->second;
  return bufferAt(*this, s->plan.home(tile).buffer, tile::elementOf(tile.getType()));
}

void Emitter::setBuffer(Value tile, Buffer buffer) { s->buffers[tile] = std::move(buffer); }

Buffer bufferAt(Emitter &e, const BufferView &view, Type element) {
  const Slot &slot = e.plan().slots()[view.slot];
  const auto offset = static_cast<uint64_t>(slot.offset + view.offset * int64_t(storedBytes(element)));
  return {arenaPointer(e, offset), view.strides, element};
}

Value Emitter::constantMemory(DenseElementsAttr elements) {
  LLVM::GlobalOp &global = s->globals[elements];
  if (!global) {
    const Type element = elements.getElementType(), stored = storedType(element);
    SmallVector<Attribute> numbers;
    for (Attribute number : elements.getValues<Attribute>()) {
      if (element.isInteger(1))
        number = s->b.getI8IntegerAttr(cast<IntegerAttr>(number).getValue().getBoolValue());
      numbers.push_back(laneConstant(number, element));
    }
    const auto type = RankedTensorType::get({elements.getNumElements()}, stored);
    OpBuilder::InsertionGuard guard(s->b);
    s->b.setInsertionPoint(s->function);
    global = LLVM::GlobalOp::create(
        s->b, s->loc, LLVM::LLVMArrayType::get(stored, static_cast<unsigned>(numbers.size())), true,
        LLVM::Linkage::Internal, (s->kernel.getSymName() + "_constant_" + Twine(s->globals.size() - 1)).str(),
        DenseElementsAttr::get(type, numbers), 64);
  }
  return LLVM::AddressOfOp::create(s->b, s->loc, global);
}

//===----------------------------------------------------------------------===//
// Neighbouring lanes
//===----------------------------------------------------------------------===//

/// Says of an access that it meets none of the other space.
template <typename Op> static void setSpace(Op access, Space space, Emitter &e) {
  Emitter::State &s = e.state();
  const ArrayAttr arena = s.b.getArrayAttr(s.arenaScope), arguments = s.b.getArrayAttr(s.argumentScope);
  access.setAliasScopesAttr(space == Space::Arena ? arena : arguments);
  access.setNoaliasScopesAttr(space == Space::Arena ? arguments : arena);
}

/// From the form in memory to the form in code, and back.
static Value fromStored(Emitter &e, Value stored, Type element) {
  if (!element.isInteger(1))
    return stored;
  const Value zero = e.zero(stored.getType());
  return arith::CmpIOp::create(e.builder(), e.loc(), arith::CmpIPredicate::ne, stored, zero);
}
static Value toStored(Emitter &e, Value lanes, Type element) {
  if (!element.isInteger(1))
    return lanes;
  return arith::ExtUIOp::create(e.builder(), e.loc(), laneType(e.builder().getI8Type(), lanesOf(lanes)), lanes);
}

/// The type of \p lanes elements in memory.
static Type storedLanes(Type element, unsigned lanes) { return laneType(storedType(element), lanes); }

Value Emitter::load(Type element, unsigned lanes, Value pointer, Space space) {
  auto op = LLVM::LoadOp::create(s->b, s->loc, storedLanes(element, lanes), pointer, storedBytes(element));
  setSpace(op, space, *this);
  return fromStored(*this, op, element);
}

void Emitter::store(Type element, Value lanes, Value pointer, Space space) {
  auto op = LLVM::StoreOp::create(s->b, s->loc, toStored(*this, lanes, element), pointer, storedBytes(element));
  setSpace(op, space, *this);
}

//===----------------------------------------------------------------------===//
// Lanes one by one
//===----------------------------------------------------------------------===//

static Value gather(Emitter &e, Type element, Value pointersOrAddresses, Space space) {
  const unsigned lanes = lanesOf(pointersOrAddresses);
  if (lanes > kUnrolledLanes)
    return e.mapLanes({pointersOrAddresses}, {laneElement(element)}, [&](Value, ValueRange one) -> SmallVector<Value> {
      return {e.load(element, 1, e.toPointer(one[0]), space)};
    })[0];
  Value result = e.zero(laneType(element, lanes));
  for (unsigned lane = 0; lane != lanes; ++lane) {
    const Value pointer = e.toPointer(e.extractLane(pointersOrAddresses, lane));
    const Value one = e.load(element, 1, pointer, space);
    result = vector::InsertOp::create(e.builder(), e.loc(), one, result, lane);
  }
  return result;
}

static void scatter(Emitter &e, Type element, Value lanes, Value addresses, Space space) {
  const unsigned count = lanesOf(addresses);
  if (count > kUnrolledLanes) {
    e.forLanes({addresses, lanes},
               [&](Value, ValueRange one) { e.store(element, one[1], e.toPointer(one[0]), space); });
    return;
  }
  for (unsigned lane = 0; lane != count; ++lane)
    e.store(element, e.extractLane(lanes, lane), e.toPointer(e.extractLane(addresses, lane)), space);
}

/// Addresses that lie \p bytes apart from \p first on.
static Value spaced(Emitter &e, Value first, Value bytes, unsigned lanes) {
  OpBuilder &b = e.builder();
  const Value offsets = arith::MulIOp::create(b, e.loc(), e.iota(64, lanes), e.splat(bytes, lanes));
  return arith::AddIOp::create(b, e.loc(), e.splat(first, lanes), offsets);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static Value bufferIndex(Emitter &e, const Buffer &buffer, ArrayRef<Value> index) {
  Value sum = e.i64(0);
  for (auto [at, stride] : llvm::zip_equal(index, buffer.strides))
    sum = e.add(sum, e.mul(at, e.i64(stride)));
  return sum;
}

/// The lanes in the other order.
static Value mirrored(Emitter &e, Value lanes) {
  const SmallVector<int64_t, 64> order(llvm::reverse(llvm::seq<int64_t>(lanesOf(lanes))));
  return e.shuffle(lanes, lanes, order);
}

Value Emitter::readBuffer(const Buffer &buffer, const LaneBlock &block) {
  const int64_t stride = block.lanes == 1 ? 0 : buffer.strides[block.axis];
  Value index = bufferIndex(*this, buffer, block.index);
  if (stride == -1)
    index = sub(index, i64(int64_t(block.lanes) - 1));
  const Value pointer = elementPointer(buffer.pointer, index, buffer.element);
  if (stride == 0)
    return load(buffer.element, 1, pointer, Space::Arena);
  if (stride == 1)
    return load(buffer.element, block.lanes, pointer, Space::Arena);
  if (stride == -1)
    return mirrored(*this, load(buffer.element, block.lanes, pointer, Space::Arena));
  const Value bytes = i64(stride * int64_t(storedBytes(buffer.element)));
  return gather(*this, buffer.element, spaced(*this, toAddress(pointer), bytes, block.lanes), Space::Arena);
}

void Emitter::writeBuffer(const Buffer &buffer, Value lanes, const LaneBlock &block) {
  lanes = splat(lanes, block.lanes);
  const int64_t stride = block.lanes == 1 ? 1 : buffer.strides[block.axis];
  Value index = bufferIndex(*this, buffer, block.index);
  if (stride == -1)
    index = sub(index, i64(int64_t(block.lanes) - 1));
  const Value pointer = elementPointer(buffer.pointer, index, buffer.element);
  if (stride == 1)
    return store(buffer.element, lanes, pointer, Space::Arena);
  if (stride == -1)
    return store(buffer.element, mirrored(*this, lanes), pointer, Space::Arena);
  const Value bytes = i64(stride * int64_t(storedBytes(buffer.element)));
  scatter(*this, buffer.element, lanes, spaced(*this, toAddress(pointer), bytes, block.lanes), Space::Arena);
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Whether the processor has masked vector accesses for \p element.
static bool hasMaskedAccess(Emitter &e, Type element) {
  const HostOptions &options = e.options();
  return storedBytes(element) >= 4 ? options.vectorBytes >= 32 : options.maskedNarrow;
}

static bool hasMaskedGather(Emitter &e, Type element) { return e.options().fastGather && storedBytes(element) >= 4; }

/// \p pointer where \p mask is true, else the spare piece.
static Value guarded(Emitter &e, Value mask, Value pointer) {
  return arith::SelectOp::create(e.builder(), e.loc(), mask, pointer, sparePointer(e));
}

/// The addresses of the lanes; of lanes whose mask is false, if there is one, the spare piece.
static Value guardedAddresses(Emitter &e, const Access &access) {
  Value addresses = access.addresses
                        ? access.addresses
                        : spaced(e, e.toAddress(access.pointer), e.i64(storedBytes(access.element)), access.lanes);
  if (!access.mask)
    return addresses;
  const Value spare = e.splat(e.toAddress(sparePointer(e)), access.lanes);
  return arith::SelectOp::create(e.builder(), e.loc(), e.splat(access.mask, access.lanes),
                                 e.splat(addresses, access.lanes), spare);
}

/// A load of lanes that lie together or are one.
static Value readTogether(Emitter &e, const Access &access, Value pointer, unsigned lanes, Value other) {
  OpBuilder &b = e.builder();
  if (!access.mask)
    return e.load(access.element, lanes, pointer, Space::Arguments);
  if (!isa<VectorType>(access.mask.getType())) {
    const Value read = e.load(access.element, lanes, guarded(e, access.mask, pointer), Space::Arguments);
    return arith::SelectOp::create(b, e.loc(), access.mask, read, e.splat(other, lanes));
  }
  other = e.splat(other, lanes);
  if (hasMaskedAccess(e, access.element)) {
    const Value read = LLVM::MaskedLoadOp::create(b, e.loc(), storedLanes(access.element, lanes), pointer, access.mask,
                                                  toStored(e, other, access.element), storedBytes(access.element));
    return fromStored(e, read, access.element);
  }
  return e.ifElse(
      e.all(access.mask), other.getType(),
      [&]() -> SmallVector<Value> { return {e.load(access.element, lanes, pointer, Space::Arguments)}; },
      [&]() -> SmallVector<Value> {
        const Value read = gather(e, access.element, guardedAddresses(e, access), Space::Arguments);
        return {arith::SelectOp::create(b, e.loc(), access.mask, read, other)};
      })[0];
}

Value readAccess(Emitter &e, const Access &access, Value other) {
  OpBuilder &b = e.builder();
  if (!other)
    other = e.zero(laneElement(access.element));
  if (access.pointer)
    return readTogether(e, access, access.pointer, access.lanes, other);
  if (!isa<VectorType>(access.addresses.getType())) {
    // One address for all lanes.
    const bool isUniform = !access.mask || !isa<VectorType>(access.mask.getType());
    if (isUniform)
      return readTogether(e, access, e.toPointer(access.addresses), 1, other);
  }
  other = e.splat(other, access.lanes);
  if (access.mask && hasMaskedGather(e, access.element) && !access.element.isInteger(1)) {
    const Value mask = e.splat(access.mask, access.lanes);
    return LLVM::masked_gather::create(b, e.loc(), other.getType(),
                                       e.toPointer(e.splat(access.addresses, access.lanes)), mask, other,
                                       storedBytes(access.element));
  }
  if (!access.mask && hasMaskedGather(e, access.element)) {
    const Value mask = e.splat(e.integer(1, 1), access.lanes);
    return LLVM::masked_gather::create(b, e.loc(), other.getType(), e.toPointer(access.addresses), mask, other,
                                       storedBytes(access.element));
  }
  const Value read = gather(e, access.element, e.splat(guardedAddresses(e, access), access.lanes), Space::Arguments);
  if (!access.mask)
    return read;
  return arith::SelectOp::create(b, e.loc(), e.splat(access.mask, access.lanes), read, other);
}

/// A store of lanes that lie together.
static void writeTogether(Emitter &e, const Access &access, Value lanes) {
  if (!access.mask)
    return e.store(access.element, lanes, access.pointer, Space::Arguments);
  if (!isa<VectorType>(access.mask.getType()))
    return e.store(access.element, lanes, guarded(e, access.mask, access.pointer), Space::Arguments);
  if (hasMaskedAccess(e, access.element)) {
    LLVM::MaskedStoreOp::create(e.builder(), e.loc(), toStored(e, lanes, access.element), access.pointer, access.mask,
                                storedBytes(access.element));
    return;
  }
  e.ifElse(
      e.all(access.mask), {},
      [&]() -> SmallVector<Value> {
        e.store(access.element, lanes, access.pointer, Space::Arguments);
        return {};
      },
      [&]() -> SmallVector<Value> {
        scatter(e, access.element, lanes, guardedAddresses(e, access), Space::Arguments);
        return {};
      });
}

void writeAccess(Emitter &e, const Access &access, Value lanes) {
  lanes = e.splat(lanes, access.lanes);
  if (access.pointer)
    return writeTogether(e, access, lanes);
  scatter(e, access.element, lanes, e.splat(guardedAddresses(e, access), access.lanes), Space::Arguments);
}

Value baseAddress(Emitter &e, Value pointer) {
  return isa<tile::ViewType>(pointer.getType()) ? e.view(pointer).base : e.scalar(pointer);
}

/// Fills in where the lanes lie, by what analysis knows; false if it knows nothing that may be used.
static bool placeByForm(Emitter &e, const AccessForm *form, const LaneBlock &block, Access &access) {
  if (!form || !form->address || !(e.state().full || form->address->isExact()))
    return false;
  const AffineForm &address = *form->address;
  Value base = e.uniform(address.base);
  if (address.pointer)
    base =
        e.add(isa<tile::ViewType>(address.pointer.getType()) ? e.view(address.pointer).base : e.scalar(address.pointer),
              base);
  Value offset = e.i64(0);
  for (auto [stride, at] : llvm::zip_equal(address.strides, block.index))
    offset = e.add(offset, e.mul(at, e.uniform(stride)));
  const Value first = bytePointer(e, e.toPointer(base), offset);
  if (block.lanes == 1 || isContiguous(e, *form, block.axis)) {
    access.pointer = first;
    return true;
  }
  const UniformExpr stride = address.strides[block.axis];
  access.addresses =
      stride.isConstant(0) ? e.toAddress(first) : spaced(e, e.toAddress(first), e.uniform(stride), block.lanes);
  return true;
}

Access accessAt(Emitter &e, Operation &op, const LaneBlock &block) {
  Access access;
  access.lanes = block.lanes;
  const AccessForm *const form = e.plan().masks().accessOf(&op);
  if (isa<tile::LoadOp, tile::StoreOp>(op)) {
    const Value pointers = op.getOperand(0);
    access.element = cast<tile::PtrType>(tile::elementOf(pointers.getType())).getPointee();
    if (!placeByForm(e, form, block, access))
      access.addresses = e.lanesOrScalar(pointers, block);
    const Value mask = isa<tile::LoadOp>(op) ? cast<tile::LoadOp>(op).getMask() : cast<tile::StoreOp>(op).getMask();
    if (mask)
      access.mask = maskAt(e, form, mask, block);
    if (block.lanes == 1 && access.addresses) {
      access.pointer = e.toPointer(access.addresses);
      access.addresses = {};
    }
    return access;
  }
  access.element = tile::elementOf(viewAccessType(op));
  if (form && (e.state().full || form->mask.isExact()) && placeByForm(e, form, block, access)) {
    access.mask = maskAt(e, form, {}, block);
    return access;
  }
  placeInView(e, op, block, access);
  return access;
}

Value storedValueOf(Operation &op) {
  return llvm::TypeSwitch<Operation *, Value>(&op).Case<tile::StoreOp, tile::ViewStoreOp, tile::ViewStoreRowsOp>(
      [](auto o) { return o.getValue(); });
}

Value loadLanes(Emitter &e, Operation &op, const LaneBlock &block) {
  const Access access = accessAt(e, op, block);
  Value other;
  if (auto load = dyn_cast<tile::LoadOp>(op); load && load.getOther())
    other = e.lanesOrScalar(load.getOther(), block);
  else if (const Value pad = padOf(op))
    other = e.scalar(pad);
  return readAccess(e, access, other);
}

} // namespace tessera::ir::host
