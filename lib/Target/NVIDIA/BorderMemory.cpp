//===- BorderMemory.cpp - accesses and atomics become PTX -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/NVIDIA/Border.h"
#include "Target/NVIDIA/PtxStatement.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

#include <fmt/format.h>

namespace tessera::ir::nvidia {

using border::AccessType;
using border::Atomic;
using border::Function;
using border::Order;
using gpu::hintsOf;
using gpu::isFalse;
using gpu::isTrue;

namespace {

/// LLVM's address space of the shared memory of a cluster.
constexpr unsigned kClusterSpace = 7;

/// How registers hold what an access moves: \p count of \p bits bits each, 16 for a single byte.
struct Registers {
  unsigned count = 1, bits = 32;
  unsigned memoryBits = 32; ///< of each in memory

  /// ".v4.b32".
  std::string suffix() const {
    return (count == 1 ? std::string() : fmt::format(".v{}", count)) + fmt::format(".b{}", memoryBits);
  }
};

Registers registersOf(AccessType type) {
  const unsigned bits = type.bits();
  if (bits == 8)
    return {1, 16, 8};
  if (bits < 64)
    return {1, bits, bits};
  const unsigned each = std::max(32u, bits / type.lanes);
  return {bits / each, each, each};
}

/// \p value of an access as its registers.
llvm::SmallVector<llvm::Value *> toRegisters(llvm::IRBuilderBase &b, llvm::Value *value, const Registers &form) {
  llvm::Type *element = b.getIntNTy(form.bits);
  if (form.memoryBits < form.bits)
    return {b.CreateZExt(value, element)};
  if (form.count == 1)
    return {b.CreateBitCast(value, element)};
  llvm::Value *vector = b.CreateBitCast(value, llvm::FixedVectorType::get(element, form.count));
  llvm::SmallVector<llvm::Value *> registers;
  for (unsigned i = 0; i != form.count; ++i)
    registers.push_back(b.CreateExtractElement(vector, i));
  return registers;
}

/// Back from registers to \p type.
llvm::Value *fromRegisters(llvm::IRBuilderBase &b, llvm::ArrayRef<llvm::Value *> registers, const Registers &form,
                           llvm::Type *type) {
  if (form.memoryBits < form.bits)
    return b.CreateTrunc(registers[0], type);
  if (form.count == 1)
    return b.CreateBitCast(registers[0], type);
  llvm::Value *vector = llvm::PoisonValue::get(llvm::FixedVectorType::get(registers[0]->getType(), form.count));
  for (unsigned i = 0; i != form.count; ++i)
    vector = b.CreateInsertElement(vector, registers[i], i);
  return b.CreateBitCast(vector, type);
}

/// `{a, b}`, or `a` alone.
template <class Range, class Each> void list(PtxStatement &statement, Range &&range, Each each) {
  if (range.size() == 1)
    each(*range.begin());
  else
    statement.group(range, each);
}

/// Cache modifiers and eviction priorities of an access, which exclude each other: what the user says of caches comes
/// first.
std::string hintWords(border::Hints hints, bool isStore) {
  static constexpr const char *kLoad[] = {"", ".ca", ".cg", ".cs", ".cv", ""};
  static constexpr const char *kStore[] = {"", "", ".cg", ".cs", ".wt", ".wb"};
  static constexpr const char *kEvict[] = {"", ".L1::evict_first", ".L1::evict_last"};
  const std::string words = hints.cache < 6 ? (isStore ? kStore : kLoad)[hints.cache] : "";
  return words.empty() && hints.evict < 3 ? kEvict[hints.evict] : words;
}

/// A load of \p opcode, with everything but the type.
llvm::Value *emitLoad(const BorderCall &call, const std::string &opcode, llvm::Value *mask, llvm::Value *other) {
  llvm::IRBuilderBase &b = call.b;
  const Registers form = registersOf(call.callee.type);
  llvm::SmallVector<llvm::Value *> others(form.count, nullptr);
  if (!llvm::isa<llvm::UndefValue>(other) && !isTrue(mask))
    others = toRegisters(b, other, form);
  PtxStatement statement(b, call.layout());
  statement.predicate(mask);
  statement.text(opcode + form.suffix() + " ");
  list(statement, others, [&](llvm::Value *value) { statement.result(b.getIntNTy(form.bits), value); });
  statement.text(", ").address(call.operand(0));
  return fromRegisters(b, statement.emit({.touchesMemory = true}), form, call.call.getType());
}

void emitStore(const BorderCall &call, const std::string &opcode, llvm::Value *pointer, llvm::Value *mask,
               llvm::Value *value) {
  const Registers form = registersOf(call.callee.type);
  const llvm::SmallVector<llvm::Value *> values = toRegisters(call.b, value, form);
  PtxStatement statement(call.b, call.layout());
  statement.predicate(mask);
  statement.text(opcode + form.suffix() + " ").address(pointer).text(", ");
  list(statement, values, [&](llvm::Value *each) { statement.operand(each); });
  statement.emit({.touchesMemory = true});
}

} // namespace

Lowered lowerAccess(const BorderCall &call) {
  llvm::IRBuilderBase &b = call.b;
  const AccessType type = call.callee.type;
  llvm::Value *pointer = call.operand(0);
  const bool isGlobal = pointer->getType()->getPointerAddressSpace() == border::kGlobalSpace;
  if (type.bytes() > (isGlobal && call.chip.has(arch::Feature::Access256) ? 32u : 16u))
    return llvm::createStringError("the chip has no access of %u bytes", type.bytes());
  const std::string space = spaceOf(pointer).str();
  switch (call.callee.function) {
  case Function::VolatileLoad:
    if (isFalse(call.operand(1)))
      return call.operand(2);
    return emitLoad(call, "ld.volatile" + space, call.operand(1), call.operand(2));
  case Function::Load:
  case Function::SharedLoad: {
    llvm::Value *mask = call.operand(1);
    if (isFalse(mask))
      return call.operand(2);
    const bool isShared = call.callee.function == Function::SharedLoad;
    const std::string hints = isShared ? "" : hintWords(hintsOf(call.operand(3)), /*isStore=*/false);
    if (isTrue(mask) && hints.empty())
      return b.CreateAlignedLoad(call.call.getType(), pointer, llvm::Align(type.bytes()));
    return emitLoad(call, "ld" + space + hints, mask, call.operand(2));
  }
  default:
    break;
  }
  llvm::Value *mask = call.operand(2);
  if (isFalse(mask))
    return nullptr;
  const bool isShared = call.callee.function == Function::SharedStore;
  const std::string hints = isShared ? "" : hintWords(hintsOf(call.operand(3)), /*isStore=*/true);
  if (isTrue(mask) && hints.empty())
    b.CreateAlignedStore(call.operand(1), pointer, llvm::Align(type.bytes()));
  else
    emitStore(call, "st" + space + hints, pointer, mask, call.operand(1));
  return nullptr;
}

Lowered lowerClusterStore(const BorderCall &call) {
  if (!call.chip.has(arch::Feature::ClusterLaunch))
    return llvm::createStringError("the chip has no clusters");
  llvm::IRBuilderBase &b = call.b;
  llvm::Value *const mask = call.operand(3);
  if (isFalse(mask))
    return nullptr;
  llvm::Value *const there = b.CreateIntrinsic(b.getPtrTy(kClusterSpace), llvm::Intrinsic::nvvm_mapa_shared_cluster,
                                               {call.operand(0), call.operand(1)});
  emitStore(call, "st.shared::cluster", there, mask, call.operand(2));
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

static std::string orderAndScope(Order order, border::Scope scope) {
  static constexpr const char *kOrders[] = {".relaxed", ".acquire", ".release", ".acq_rel"};
  static constexpr const char *kScopes[] = {".cta", ".gpu", ".sys"};
  return std::string(kOrders[static_cast<std::size_t>(order)]) + kScopes[static_cast<std::size_t>(scope)];
}

/// ".add.noftz.f16"; empty where no chip has it.
static std::string operationWords(Atomic atomic, AccessType type, const arch::Chip &chip) {
  const unsigned bits = type.bits();
  if (atomic == Atomic::FAdd) {
    switch (type.element) {
    case border::Element::F16:
      return ".add.noftz.f16";
    case border::Element::BF16:
      return chip.has(arch::Feature::Bf16Atomics) ? ".add.noftz.bf16" : "";
    case border::Element::F32:
      return ".add.f32";
    case border::Element::F64:
      return ".add.f64";
    default:
      return {};
    }
  }
  if (type.isFloat() || (bits != 32 && bits != 64))
    return {};
  static constexpr const char *kWords[] = {".add.u", "",       ".min.s", ".max.s", ".min.u",
                                           ".max.u", ".and.b", ".or.b",  ".xor.b", ".exch.b"};
  return fmt::format("{}{}", kWords[static_cast<std::size_t>(atomic)], bits);
}

static Lowered lowerReadModifyWrite(const BorderCall &call) {
  const border::Callee &callee = call.callee;
  const std::string operation = operationWords(callee.atomic, callee.type, call.chip);
  if (operation.empty() || callee.type.lanes != 1)
    return llvm::createStringError("the chip has no such atomic instruction");
  const bool orders = callee.order == Order::Acquire || callee.order == Order::AcqRel;
  const bool isReduction = call.call.use_empty() && !orders && callee.atomic != Atomic::Xchg;
  llvm::IRBuilderBase &b = call.b;
  const Registers form = registersOf(callee.type);
  llvm::Type *type = call.operand(1)->getType();
  PtxStatement statement(b, call.layout());
  statement.predicate(call.operand(2));
  statement.text(isReduction ? "red" : "atom")
      .text(orderAndScope(callee.order, callee.scope))
      .text(spaceOf(call.operand(0)))
      .text(operation + " ");
  if (!isReduction)
    statement.result(b.getIntNTy(form.bits), b.getIntN(form.bits, 0)).text(", ");
  statement.address(call.operand(0)).text(", ").operand(b.CreateBitCast(call.operand(1), b.getIntNTy(form.bits)));
  const llvm::SmallVector<llvm::Value *> results = statement.emit({.touchesMemory = true});
  return results.empty() ? llvm::PoisonValue::get(type) : b.CreateBitCast(results[0], type);
}

static Lowered lowerCompareAndSwap(const BorderCall &call) {
  const border::Callee &callee = call.callee;
  const unsigned bits = callee.type.bits();
  if (bits != 16 && bits != 32 && bits != 64)
    return llvm::createStringError("the chip has no compare-and-swap of %u bits", bits);
  PtxStatement statement(call.b, call.layout());
  statement.predicate(call.operand(3));
  statement.text("atom" + orderAndScope(callee.order, callee.scope))
      .text(spaceOf(call.operand(0)))
      .text(fmt::format(".cas.b{} ", bits))
      .result(call.call.getType(), call.b.getIntN(bits, 0))
      .text(", ")
      .address(call.operand(0))
      .text(", ")
      .operand(call.operand(1))
      .text(", ")
      .operand(call.operand(2));
  return statement.emit({.touchesMemory = true})[0];
}

Lowered lowerAtomic(const BorderCall &call) {
  const border::Callee &callee = call.callee;
  if (callee.function == Function::Atomic)
    return lowerReadModifyWrite(call);
  if (callee.function == Function::AtomicCas)
    return lowerCompareAndSwap(call);
  // A load releases nothing, a store acquires nothing.
  const bool isLoad = callee.function == Function::AtomicLoad;
  const Order order = callee.order == Order::Relaxed ? Order::Relaxed : isLoad ? Order::Acquire : Order::Release;
  const std::string opcode =
      (isLoad ? "ld" : "st") + orderAndScope(order, callee.scope) + spaceOf(call.operand(0)).str();
  if (isLoad)
    return emitLoad(call, opcode, call.operand(1), llvm::Constant::getNullValue(call.call.getType()));
  emitStore(call, opcode, call.operand(0), call.operand(2), call.operand(1));
  return nullptr;
}

} // namespace tessera::ir::nvidia
