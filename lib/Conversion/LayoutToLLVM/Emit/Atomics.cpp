//===- Atomics.cpp - atomic access ----------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// One thread acts for each element. What the chip has no instruction for is a loop of compare-and-swaps on the
// element's bits, or on the word of 32 bits that they lie in.
//
// A release orders what the whole program did before, an acquire what it does later (SEMANTICS M5): the program's
// threads meet before the one, and behind the other.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Access.h"
#include "Conversion/LayoutToLLVM/Emit/Copies.h"
#include "Conversion/LayoutToLLVM/Emit/Families.h"

#include "Conversion/Common/AtomicMath.h"
#include "Conversion/Common/Elementwise.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

#include <optional>

namespace tessera::ir::gpu {

namespace scf = mlir::scf;
using border::Atomic;
using border::Function;
using ::tessera::layout::Dim;
using tile::AtomicKind;
using tile::MemoryOrder;

namespace {

bool isRelease(MemoryOrder order) { return order == MemoryOrder::Release || order == MemoryOrder::AcqRel; }
bool isAcquire(MemoryOrder order) { return order == MemoryOrder::Acquire || order == MemoryOrder::AcqRel; }

/// What the atomics have in common.
struct AtomicOp {
  MemoryOrder order;
  tile::MemoryScope scope;
  Value pointer, mask;
  SmallVector<Value, 2> values; ///< expected and desired of a compare-and-swap
};

AtomicOp partsOf(Operation &op) {
  return llvm::TypeSwitch<Operation *, AtomicOp>(&op)
      .Case([](tile::AtomicRMWOp o) {
        return AtomicOp{o.getOrder(), o.getScope(), o.getPtr(), o.getMask(), {o.getValue()}};
      })
      .Case([](tile::AtomicCASOp o) {
        return AtomicOp{o.getOrder(), o.getScope(), o.getPtr(), o.getMask(), {o.getExpected(), o.getDesired()}};
      })
      .Case([](tile::AtomicLoadOp o) { return AtomicOp{o.getOrder(), o.getScope(), o.getPtr(), o.getMask(), {}}; })
      .Case([](tile::AtomicStoreOp o) {
        return AtomicOp{o.getOrder(), o.getScope(), o.getPtr(), o.getMask(), {o.getValue()}};
      });
}

/// The border's word for \p kind; a difference is a sum.
std::optional<Atomic> borderAtomicOf(AtomicKind kind) {
  switch (kind) {
  case AtomicKind::Add:
  case AtomicKind::Sub:
    return Atomic::Add;
  case AtomicKind::And:
    return Atomic::And;
  case AtomicKind::Or:
    return Atomic::Or;
  case AtomicKind::Xor:
    return Atomic::Xor;
  case AtomicKind::Xchg:
    return Atomic::Xchg;
  case AtomicKind::Min:
    return Atomic::SMin;
  case AtomicKind::Max:
    return Atomic::SMax;
  case AtomicKind::UMin:
    return Atomic::UMin;
  case AtomicKind::UMax:
    return Atomic::UMax;
  case AtomicKind::FAdd:
  case AtomicKind::FSub:
    return Atomic::FAdd;
  case AtomicKind::FMin:
  case AtomicKind::FMax:
    return std::nullopt;
  }
  return std::nullopt;
}

border::AccessType floatType(Type element) {
  if (element.isF64())
    return {border::Element::F64};
  if (element.isF16())
    return {border::Element::F16};
  return {element.isBF16() ? border::Element::BF16 : border::Element::F32};
}

/// One element of one atomic op.
class AtomicElement {
public:
  AtomicElement(Operation &op, const AtomicOp &parts, Emitter &e)
      : op(op), parts(parts), e(e), m(e.math()),
        element(cast<tile::PtrType>(tile::elementOf(parts.pointer.getType())).getPointee()),
        bits(8 * storedBytes(element)) {}

  Type elementType() const { return element; }

  /// What the element was, 0 where \p mask (null: true) is false; nothing for a store.
  Value emit(Value pointer, ValueRange values, Value mask) {
    if (const std::optional<Value> direct = emitDirectly(pointer, values, mask ? mask : e.integer(1, 1)))
      return *direct;
    if (!mask)
      return emitLoop(pointer, values);
    const Value zero = e.zero(laneElement(element));
    return e.ifElse(
        mask, zero.getType(), [&]() -> SmallVector<Value> { return {emitLoop(pointer, values)}; },
        [&]() -> SmallVector<Value> { return {zero}; })[0];
  }

private:
  Value toBits(Value code) { return toBitsInCode(m, code); }
  Value fromBits(Value word) { return fromBitsInCode(m, word, element); }

  border::Callee callee(Function function, border::AccessType type) const {
    return {.function = function,
            .scope = static_cast<border::Scope>(parts.scope),
            .order = static_cast<border::Order>(parts.order),
            .type = type};
  }

  /// By one function of the border, if the chip has it.
  std::optional<Value> emitDirectly(Value pointer, ValueRange values, Value mask) {
    const border::AccessType integer = border::integers(bits);
    if (auto rmw = dyn_cast<tile::AtomicRMWOp>(op))
      return modifyDirectly(rmw.getKind(), pointer, values[0], mask);
    if (!e.hooks().hasCompareAndSwap(bits))
      return std::nullopt;
    const Function function = isa<tile::AtomicCASOp>(op)    ? Function::AtomicCas
                              : isa<tile::AtomicLoadOp>(op) ? Function::AtomicLoad
                                                            : Function::AtomicStore;
    SmallVector<Value, 2> words;
    for (Value value : values)
      words.push_back(toBits(value));
    const Value old = e.border().atomic(callee(function, integer), pointer, words, mask);
    return old ? fromBits(old) : old;
  }

  std::optional<Value> modifyDirectly(AtomicKind kind, Value pointer, Value value, Value mask) {
    const std::optional<Atomic> how = borderAtomicOf(kind);
    if (!how)
      return std::nullopt;
    const bool isSum = *how == Atomic::FAdd;
    if (isSum && !isa<mlir::Float64Type, mlir::Float32Type, mlir::Float16Type, mlir::BFloat16Type>(element))
      return std::nullopt;
    border::Callee named = callee(Function::Atomic, isSum ? floatType(element) : border::integers(bits));
    named.atomic = *how;
    if (!e.hooks().hasAtomic(*how, named.type, /*isShared=*/false))
      return std::nullopt;
    if (kind == AtomicKind::Sub)
      value = m.subI(e.zero(value.getType()), value);
    Value word = toBits(value);
    if (kind == AtomicKind::FSub)
      word = m.xorI(word, e.integer(bits, static_cast<std::int64_t>(std::uint64_t{1} << (bits - 1))));
    if (!isSum)
      return fromBits(e.border().atomic(named, pointer, {word}, mask));
    const auto type = cast<FloatType>(element);
    return fromBits(m.toBits(e.border().atomic(named, pointer, {m.fromBits(word, type)}, mask)));
  }

  // -- Loops ----------------------------------------------------------------------------------------------------------

  /// What is stored where \p old was found, and whether anything is: an i1, or null for yes.
  std::pair<Value, Value> changed(Value old, ValueRange values) {
    if (auto rmw = dyn_cast<tile::AtomicRMWOp>(op))
      return {combineAtomic(m, rmw.getKind(), old, values[0], element), Value()};
    if (isa<tile::AtomicCASOp>(op))
      return {values[1], m.eqI(toBits(old), toBits(values[0]))};
    return {values[0], Value()};
  }

  /// Compares and swaps the word that the element lies in until nobody else has changed it meanwhile. The loop's own
  /// accesses are relaxed; fences order them.
  Value emitLoop(Value pointer, ValueRange values) {
    const auto scope = static_cast<border::Scope>(parts.scope);
    if (isRelease(parts.order))
      e.border().fence(scope);
    const unsigned wordBits = e.hooks().hasCompareAndSwap(bits) ? bits : 32;
    const Word word(*this, pointer, wordBits);
    border::Callee access{.function = Function::AtomicLoad, .scope = scope, .type = border::integers(wordBits)};
    const Value yes = e.integer(1, 1), seen = e.border().atomic(access, word.pointer, {}, yes);
    access.function = Function::AtomicCas;
    Value old;
    if (isa<tile::AtomicLoadOp>(op)) {
      old = word.extract(seen);
    } else {
      OpBuilder &b = e.builder();
      auto loop = scf::WhileOp::create(b, e.loc(), TypeRange{seen.getType()}, ValueRange{seen});
      OpBuilder::InsertionGuard guard(b);
      Block *const before = b.createBlock(&loop.getBefore(), {}, {seen.getType()}, {e.loc()});
      const Value expected = before->getArgument(0);
      const auto [stored, isStored] = changed(fromBits(word.extract(expected)), values);
      const Value found = e.border().atomic(access, word.pointer, {expected, word.insert(expected, toBits(stored))},
                                            isStored ? isStored : yes);
      const Value goesOn = e.both(isStored, m.neI(found, expected));
      // The loop's value is the word that the last turn started from.
      const Value next = m.select(goesOn, found, expected);
      scf::ConditionOp::create(b, e.loc(), goesOn, ValueRange{next});
      Block *const after = b.createBlock(&loop.getAfter(), {}, {seen.getType()}, {e.loc()});
      scf::YieldOp::create(b, e.loc(), after->getArguments());
      b.setInsertionPointAfter(loop);
      old = word.extract(loop.getResult(0));
    }
    if (isAcquire(parts.order))
      e.border().fence(scope);
    return fromBits(old);
  }

  /// The aligned word of `wordBits` bits that an element of `bits` bits lies in.
  struct Word {
    Word(AtomicElement &a, Value element, unsigned wordBits) : a(a), m(a.m), pointer(element), wordBits(wordBits) {
      if (wordBits == a.bits)
        return;
      const Value address =
          mlir::LLVM::PtrToIntOp::create(a.e.builder(), a.e.loc(), a.e.builder().getI64Type(), element);
      const Value byte = m.andI(address, a.e.i64(3));
      pointer = a.e.bytePointer(element, m.subI(a.e.i64(0), byte));
      shift = m.shl(m.truncate(byte, 32), 3);
    }
    Value extract(Value word) const { return shift ? m.truncate(m.shrU(word, shift), a.bits) : word; }
    Value insert(Value word, Value part) const {
      if (!shift)
        return part;
      const Value hole = m.shl(a.e.integer(wordBits, (std::int64_t{1} << a.bits) - 1), shift);
      return m.orI(m.andI(word, m.notI(hole)), m.shl(m.zeroExtend(part, wordBits), shift));
    }

    AtomicElement &a;
    MathBuilder &m;
    Value pointer;
    unsigned wordBits;
    Value shift; ///< null: the element is the word
  };

  Operation &op;
  const AtomicOp &parts;
  Emitter &e;
  MathBuilder &m;
  Type element;
  unsigned bits;
};

void emitAtomic(Operation &op, Emitter &e) {
  const AtomicOp parts = partsOf(op);
  const bool hasResult = op.getNumResults() != 0;
  // The value's layout is that of the pointers.
  const TileLayout &layout = e.layoutOf(parts.pointer);
  AtomicElement atomic(op, parts, e);
  const std::unique_ptr<Addresses> addresses = addressesOf(e, op, layout);
  Masks masks(e, op, parts.mask, layout);
  SmallVector<SmallVector<Value>> values;
  for (Value value : parts.values)
    values.push_back(e.registers(value));
  const Value owner = e.isOwner(layout);

  if (isRelease(parts.order))
    e.barrier();
  SmallVector<Value> registers;
  for (unsigned reg = 0; reg != layout.size(Dim::Register); ++reg) {
    if (Emitter::isCopy(layout, reg)) {
      registers.push_back(e.zero(laneElement(atomic.elementType())));
      continue;
    }
    SmallVector<Value, 2> elements;
    for (const SmallVector<Value> &tile : values)
      elements.push_back(tile[reg]);
    registers.push_back(atomic.emit(addresses->pointer(reg), elements, e.both(owner, masks.at(reg))));
  }
  if (isAcquire(parts.order))
    e.barrier();
  if (!hasResult)
    return;
  const Value result = op.getResult(0);
  fillCopies(layout, registers);
  if (isUsed(e, result))
    registers = shareWithCopies(e, layout, atomic.elementType(), registers);
  if (isa<RankedTensorType>(result.getType()))
    e.setRegisters(result, registers);
  else
    e.setScalar(result, registers[0]);
}

} // namespace

void registerAtomicOps(OpTable &table) {
  table.add<tile::AtomicRMWOp>(emitAtomic);
  table.add<tile::AtomicCASOp>(emitAtomic);
  table.add<tile::AtomicLoadOp>(emitAtomic);
  table.add<tile::AtomicStoreOp>(emitAtomic);
}

} // namespace tessera::ir::gpu
