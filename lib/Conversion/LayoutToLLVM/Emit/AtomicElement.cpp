//===- AtomicElement.cpp - one atomic access of one element ---------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/AtomicElement.h"

#include "Conversion/Common/AtomicMath.h"
#include "Conversion/Common/Elementwise.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>

namespace tessera::ir::gpu {

namespace scf = mlir::scf;
using border::Atomic;
using border::Function;
using tile::AtomicKind;

namespace {

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

class AtomicElement {
public:
  AtomicElement(Emitter &e, const AtomicAccess &access)
      : access(access), e(e), m(e.math()), element(access.element), bits(8 * storedBytes(element)) {}

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
  static bool isShared(Value pointer) {
    return cast<mlir::LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace() == border::kSharedSpace;
  }
  Value toBits(Value code) { return toBitsInCode(m, code); }
  Value fromBits(Value word) { return fromBitsInCode(m, word, element); }

  border::Callee callee(Function function, border::AccessType type) const {
    return {.function = function,
            .scope = static_cast<border::Scope>(access.scope),
            .order = static_cast<border::Order>(access.order),
            .type = type};
  }

  /// By one function of the border, if the chip has it.
  std::optional<Value> emitDirectly(Value pointer, ValueRange values, Value mask) {
    const border::AccessType integer = border::integers(bits);
    if (access.what == AtomicAccess::Modify)
      return modifyDirectly(pointer, values[0], mask);
    if (!e.hooks().hasCompareAndSwap(bits))
      return std::nullopt;
    const Function function = access.what == AtomicAccess::CompareAndSwap ? Function::AtomicCas
                              : access.what == AtomicAccess::Load         ? Function::AtomicLoad
                                                                          : Function::AtomicStore;
    SmallVector<Value, 2> words;
    for (Value value : values)
      words.push_back(toBits(value));
    const Value old = e.border().atomic(callee(function, integer), pointer, words, mask);
    return old ? fromBits(old) : old;
  }

  std::optional<Value> modifyDirectly(Value pointer, Value value, Value mask) {
    const std::optional<Atomic> how = borderAtomicOf(access.kind);
    if (!how)
      return std::nullopt;
    const bool isSum = *how == Atomic::FAdd;
    if (isSum && !isa<mlir::Float64Type, mlir::Float32Type, mlir::Float16Type, mlir::BFloat16Type>(element))
      return std::nullopt;
    border::Callee named = callee(Function::Atomic, isSum ? floatType(element) : border::integers(bits));
    named.atomic = *how;
    if (!e.hooks().hasAtomic(*how, named.type, isShared(pointer)))
      return std::nullopt;
    if (access.kind == AtomicKind::Sub)
      value = m.subI(e.zero(value.getType()), value);
    Value word = toBits(value);
    if (access.kind == AtomicKind::FSub)
      word = m.xorI(word, e.integer(bits, static_cast<std::int64_t>(std::uint64_t{1} << (bits - 1))));
    if (!isSum)
      return fromBits(e.border().atomic(named, pointer, {word}, mask));
    const auto type = cast<FloatType>(element);
    return fromBits(m.toBits(e.border().atomic(named, pointer, {m.fromBits(word, type)}, mask)));
  }

  // -- Loops ----------------------------------------------------------------------------------------------------------

  /// What is stored where \p old was found, and whether anything is: an i1, or null for yes.
  std::pair<Value, Value> changed(Value old, ValueRange values) {
    if (access.what == AtomicAccess::Modify)
      return {combineAtomic(m, access.kind, old, values[0], element), Value()};
    if (access.what == AtomicAccess::CompareAndSwap)
      return {values[1], m.eqI(toBits(old), toBits(values[0]))};
    return {values[0], Value()};
  }

  /// Compares and swaps the word that the element lies in until nobody else has changed it meanwhile. The loop's own
  /// accesses are relaxed; fences order them.
  Value emitLoop(Value pointer, ValueRange values) {
    const auto scope = static_cast<border::Scope>(access.scope);
    if (access.isRelease())
      e.border().fence(scope);
    const unsigned wordBits = e.hooks().hasCompareAndSwap(bits) ? bits : 32;
    const Word word(*this, pointer, wordBits);
    border::Callee named{.function = Function::AtomicLoad, .scope = scope, .type = border::integers(wordBits)};
    const Value yes = e.integer(1, 1), seen = e.border().atomic(named, word.pointer, {}, yes);
    named.function = Function::AtomicCas;
    Value old;
    if (access.what == AtomicAccess::Load) {
      old = word.extract(seen);
    } else {
      OpBuilder &b = e.builder();
      auto loop = scf::WhileOp::create(b, e.loc(), TypeRange{seen.getType()}, ValueRange{seen});
      OpBuilder::InsertionGuard guard(b);
      Block *const before = b.createBlock(&loop.getBefore(), {}, {seen.getType()}, {e.loc()});
      const Value expected = before->getArgument(0);
      const auto [stored, isStored] = changed(fromBits(word.extract(expected)), values);
      const Value found = e.border().atomic(named, word.pointer, {expected, word.insert(expected, toBits(stored))},
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
    if (access.isAcquire())
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

  const AtomicAccess &access;
  Emitter &e;
  MathBuilder &m;
  const Type element;
  const unsigned bits;
};

} // namespace

Value emitAtomicElement(Emitter &e, const AtomicAccess &access, Value pointer, ValueRange values, Value mask) {
  return AtomicElement(e, access).emit(pointer, values, mask);
}

} // namespace tessera::ir::gpu
