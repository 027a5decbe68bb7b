//===- Memory.cpp - decode addresses, loads, stores, atomics --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Sim/Decode/Decoder.h"

#include "Conversion/LayoutToLLVM/Border.h"
#include "Target/Sim/Ops/Arithmetic.h"
#include "Target/Sim/Ops/MemoryOps.h"
#include "Target/Sim/Ops/StraightCopies.h"

#include "llvm/IR/GetElementPtrTypeIterator.h"

namespace tessera::ir::sim {

bool Decoder::decodeAddress(const llvm::GetElementPtrInst &gep) {
  if (gep.getType()->isVectorTy())
    return refuse(gep, "vectors of pointers");
  std::uint64_t constant = 0;
  std::uint32_t at = in(gep.getPointerOperand())[0];
  llvm::SmallVector<std::pair<const llvm::Value *, std::uint64_t>, 4> scaled;
  for (auto i = llvm::gep_type_begin(gep), end = llvm::gep_type_end(gep); i != end; ++i) {
    const llvm::Value *index = i.getOperand();
    if (llvm::StructType *structure = i.getStructTypeOrNull()) {
      const auto field = static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(index)->getZExtValue());
      constant += layout.getStructLayout(structure)->getElementOffset(field);
      continue;
    }
    const std::uint64_t stride = i.getSequentialElementStride(layout);
    if (const auto *number = llvm::dyn_cast<llvm::ConstantInt>(index))
      constant += static_cast<std::uint64_t>(number->getSExtValue()) * stride;
    else
      scaled.push_back({index, stride});
  }
  for (const auto &[index, stride] : scaled) {
    const std::optional<Type> type = elementOf(index->getType());
    const ExecFn exec = type ? indexFunction(*type) : nullptr;
    if (!exec)
      return refuse(gep);
    const std::uint32_t next = fresh(Type::I64);
    emit(exec, next, {at, in(index)[0]}).imm = stride;
    at = next;
  }
  if (constant) {
    const std::uint32_t next = fresh(Type::I64);
    emit(intFunction(IntOp::Add, Type::I64), next, {at, constantSlot(Type::I64, constant)});
    at = next;
  }
  define(&gep, {at});
  return true;
}

/// The memory a pointer says it points to; nothing for those that kernels have no use for.
static std::optional<Space> spaceOf(unsigned space) {
  if (space == 0 || space == 1 || space == 3 || space == 4)
    return static_cast<Space>(space);
  return std::nullopt;
}

static Order orderOf(llvm::AtomicOrdering ordering) {
  switch (ordering) {
  case llvm::AtomicOrdering::Acquire:
    return Order::Acquire;
  case llvm::AtomicOrdering::Release:
    return Order::Release;
  case llvm::AtomicOrdering::AcquireRelease:
  case llvm::AtomicOrdering::SequentiallyConsistent:
    return Order::AcquireRelease;
  default:
    return Order::Relaxed;
  }
}

bool Decoder::decodeLoad(const llvm::LoadInst &load) {
  const std::optional<Type> type = elementOf(load.getType());
  const std::optional<Space> space = spaceOf(load.getPointerAddressSpace());
  if (!type || !space)
    return refuse(load);
  const Slots outs = in(&load), pointer = in(load.getPointerOperand());
  if (load.isAtomic()) {
    const ExecFn exec = outs.size() == 1 ? atomicFunction(AtomicOp::Load, *type) : nullptr;
    if (!exec)
      return refuse(load);
    Inst &inst = emit(exec, outs, {pointer[0], constantSlot(Type::I1, 1)});
    MemoryOp &op = addMemory(inst);
    op = {*space,
          static_cast<std::uint8_t>(bytesOf(*type)),
          1,
          static_cast<std::uint32_t>(load.getAlign().value()),
          false,
          true,
          orderOf(load.getOrdering()),
          op.number,
          op.op};
    return true;
  }
  MemoryOp &op = addMemory(emit(loadFunction(false), outs, pointer));
  op.space = *space;
  op.elementBytes = static_cast<std::uint8_t>(bytesOf(*type));
  op.count = static_cast<std::uint8_t>(outs.size());
  op.align = static_cast<std::uint32_t>(load.getAlign().value());
  return true;
}

bool Decoder::decodeStore(const llvm::StoreInst &store) {
  const std::optional<Type> type = elementOf(store.getValueOperand()->getType());
  const std::optional<Space> space = spaceOf(store.getPointerAddressSpace());
  if (!type || !space)
    return refuse(store);
  const Slots values = in(store.getValueOperand());
  Slots ins = in(store.getPointerOperand());
  ins.append(values);
  ExecFn exec = storeFunction(false);
  if (store.isAtomic()) {
    exec = values.size() == 1 ? atomicFunction(AtomicOp::Store, *type) : nullptr;
    ins.push_back(constantSlot(Type::I1, 1));
  }
  if (!exec)
    return refuse(store);
  MemoryOp &op = addMemory(emit(exec, {}, ins));
  op.space = *space;
  op.elementBytes = static_cast<std::uint8_t>(bytesOf(*type));
  op.count = static_cast<std::uint8_t>(values.size());
  op.align = static_cast<std::uint32_t>(store.getAlign().value());
  op.writes = true;
  op.atomic = store.isAtomic();
  op.order = orderOf(store.getOrdering());
  return true;
}

static std::optional<AtomicOp> atomicOpOf(llvm::AtomicRMWInst::BinOp op) {
  switch (op) {
  case llvm::AtomicRMWInst::Add:
    return AtomicOp::Add;
  case llvm::AtomicRMWInst::FAdd:
    return AtomicOp::FAdd;
  case llvm::AtomicRMWInst::Min:
    return AtomicOp::SMin;
  case llvm::AtomicRMWInst::Max:
    return AtomicOp::SMax;
  case llvm::AtomicRMWInst::UMin:
    return AtomicOp::UMin;
  case llvm::AtomicRMWInst::UMax:
    return AtomicOp::UMax;
  case llvm::AtomicRMWInst::And:
    return AtomicOp::And;
  case llvm::AtomicRMWInst::Or:
    return AtomicOp::Or;
  case llvm::AtomicRMWInst::Xor:
    return AtomicOp::Xor;
  case llvm::AtomicRMWInst::Xchg:
    return AtomicOp::Xchg;
  default:
    return std::nullopt;
  }
}

bool Decoder::decodeAtomicUpdate(const llvm::AtomicRMWInst &update) {
  const std::optional<Type> type = elementOf(update.getType());
  const std::optional<Space> space = spaceOf(update.getPointerAddressSpace());
  const std::optional<AtomicOp> what = atomicOpOf(update.getOperation());
  const ExecFn exec = type && space && what ? atomicFunction(*what, *type) : nullptr;
  if (!exec || update.getType()->isVectorTy())
    return refuse(update);
  Inst &inst = emit(exec, in(&update),
                    {in(update.getPointerOperand())[0], in(update.getValOperand())[0], constantSlot(Type::I1, 1)});
  MemoryOp &op = addMemory(inst);
  op.space = *space;
  op.elementBytes = static_cast<std::uint8_t>(bytesOf(*type));
  op.align = bytesOf(*type);
  op.writes = op.atomic = true;
  op.order = orderOf(update.getOrdering());
  return true;
}

bool Decoder::decodeCompareExchange(const llvm::AtomicCmpXchgInst &exchange) {
  const std::optional<Type> type = elementOf(exchange.getCompareOperand()->getType());
  const std::optional<Space> space = spaceOf(exchange.getPointerAddressSpace());
  const ExecFn exec = type && space ? atomicFunction(AtomicOp::CompareExchange, *type) : nullptr;
  if (!exec)
    return refuse(exchange);
  const Slots outs = in(&exchange); // the old value, and whether it was the expected one
  const std::uint32_t expected = in(exchange.getCompareOperand())[0];
  Inst &inst = emit(
      exec, outs[0],
      {in(exchange.getPointerOperand())[0], expected, in(exchange.getNewValOperand())[0], constantSlot(Type::I1, 1)});
  MemoryOp &op = addMemory(inst);
  op.space = *space;
  op.elementBytes = static_cast<std::uint8_t>(bytesOf(*type));
  op.align = bytesOf(*type);
  op.writes = op.atomic = true;
  op.order = orderOf(exchange.getSuccessOrdering());
  emit(intFunction(IntOp::Eq, *type), outs[1], {outs[0], expected});
  return true;
}

//===----------------------------------------------------------------------===//
// Accesses by functions of the border
//===----------------------------------------------------------------------===//

static Type typeOf(border::Element element) {
  constexpr Type types[] = {Type::I8, Type::I16, Type::I32, Type::I64, Type::F16, Type::BF16, Type::F32, Type::F64};
  return types[static_cast<unsigned>(element)];
}

bool Decoder::decodeBorderAccess(const llvm::CallInst &call, bool writes, bool isShared) {
  const border::AccessType type = border::parse(call.getCalledFunction()->getName())->type;
  const unsigned pointerAt = 0, valueAt = writes ? 1 : 2, maskAt = writes ? 2 : 1;
  if (call.arg_size() <= std::max(valueAt, maskAt))
    return refuse(call);
  const Slots values = in(call.getArgOperand(valueAt)), mask = in(call.getArgOperand(maskAt)),
              pointer = in(call.getArgOperand(pointerAt));
  if (values.size() != type.lanes || mask.size() != 1 || pointer.size() != 1 ||
      elementOf(call.getArgOperand(valueAt)->getType()) != typeOf(type.element))
    return refuse(call);
  Slots ins = pointer;
  if (writes) {
    ins.append(values);
    ins.append(mask);
  } else {
    ins.append(mask);
    ins.append(values);
  }
  MemoryOp &op =
      writes ? addMemory(emit(storeFunction(true), {}, ins)) : addMemory(emit(loadFunction(true), in(&call), ins));
  op.space = isShared ? Space::Shared : Space::Global;
  op.elementBytes = static_cast<std::uint8_t>(type.bytes() / type.lanes);
  op.count = static_cast<std::uint8_t>(type.lanes);
  op.align = type.bytes();
  op.writes = writes;
  return true;
}

bool Decoder::decodeClusterStore(const llvm::CallInst &call) {
  if (call.arg_size() != 4)
    return refuse(call);
  const border::AccessType type = border::parse(call.getCalledFunction()->getName())->type;
  Slots ins = in(call.getArgOperand(0));
  for (unsigned operand : {1, 2, 3})
    ins.append(in(call.getArgOperand(operand)));
  if (ins.size() != 3 + type.lanes || elementOf(call.getArgOperand(2)->getType()) != typeOf(type.element))
    return refuse(call);
  MemoryOp &op = addMemory(emit(clusterStoreFunction(), {}, ins));
  op.space = Space::Shared;
  op.elementBytes = static_cast<std::uint8_t>(type.bytes() / type.lanes);
  op.count = static_cast<std::uint8_t>(type.lanes);
  op.align = type.bytes();
  op.writes = true;
  return true;
}

static AtomicOp atomicOpOf(const border::Callee &callee) {
  constexpr AtomicOp updates[] = {AtomicOp::Add,  AtomicOp::FAdd, AtomicOp::SMin, AtomicOp::SMax, AtomicOp::UMin,
                                  AtomicOp::UMax, AtomicOp::And,  AtomicOp::Or,   AtomicOp::Xor,  AtomicOp::Xchg};
  switch (callee.function) {
  case border::Function::AtomicCas:
    return AtomicOp::CompareExchange;
  case border::Function::AtomicLoad:
    return AtomicOp::Load;
  case border::Function::AtomicStore:
    return AtomicOp::Store;
  default:
    return updates[static_cast<unsigned>(callee.atomic)];
  }
}

bool Decoder::decodeStraightCopy(const llvm::CallInst &call) {
  const border::AccessType type = border::parse(call.getCalledFunction()->getName())->type;
  if (call.arg_size() != 3 || !emitCall(call, straightCopyFunction(), kConverge | kYield))
    return refuse(call);
  MemoryOp write;
  write.space = Space::Shared;
  write.elementBytes = static_cast<std::uint8_t>(type.bytes() / type.lanes);
  write.count = static_cast<std::uint8_t>(type.lanes);
  write.align = type.bytes();
  write.writes = true;
  MemoryOp read = write;
  read.space = Space::Global;
  read.writes = false;
  addMemoryPair(drafts.back().inst, write, read);
  return true;
}

bool Decoder::decodeBorderAtomic(const llvm::CallInst &call) {
  const border::Callee callee = *border::parse(call.getCalledFunction()->getName());
  const Type type = typeOf(callee.type.element);
  const AtomicOp what = atomicOpOf(callee);
  const ExecFn exec = callee.type.lanes == 1 ? atomicFunction(what, type) : nullptr;
  const unsigned values = what == AtomicOp::CompareExchange ? 2 : what == AtomicOp::Load ? 0 : 1;
  if (!exec || call.arg_size() != values + 2)
    return refuse(call);
  Slots ins;
  for (const llvm::Use &operand : call.args())
    ins.append(in(operand));
  const Slots outs = call.getType()->isVoidTy() ? Slots() : in(&call);
  if (ins.size() != values + 2)
    return refuse(call);
  MemoryOp &op = addMemory(emit(exec, outs, ins));
  op.space = callee.isShared ? Space::Shared : Space::Global;
  op.elementBytes = static_cast<std::uint8_t>(bytesOf(type));
  op.align = bytesOf(type);
  op.writes = what != AtomicOp::Load;
  op.atomic = true;
  op.order = static_cast<Order>(callee.order); // numbered alike
  return true;
}

} // namespace tessera::ir::sim
