//===- Instructions.cpp - decode what LLVM has instructions for -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Sim/Decode/Decoder.h"

#include "Conversion/LayoutToLLVM/Border.h"
#include "Target/Sim/Ops/Arithmetic.h"
#include "Target/Sim/Ops/ControlOps.h"
#include "Target/Sim/Ops/MemoryOps.h"

#include "llvm/IR/GetElementPtrTypeIterator.h"

namespace tessera::ir::sim {

using llvm::cast;
using llvm::dyn_cast;
using llvm::Instruction;
using llvm::isa;

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static std::optional<IntOp> intOpOf(unsigned opcode) {
  switch (opcode) {
  case Instruction::Add:
    return IntOp::Add;
  case Instruction::Sub:
    return IntOp::Sub;
  case Instruction::Mul:
    return IntOp::Mul;
  case Instruction::UDiv:
    return IntOp::UDiv;
  case Instruction::SDiv:
    return IntOp::SDiv;
  case Instruction::URem:
    return IntOp::URem;
  case Instruction::SRem:
    return IntOp::SRem;
  case Instruction::Shl:
    return IntOp::Shl;
  case Instruction::LShr:
    return IntOp::LShr;
  case Instruction::AShr:
    return IntOp::AShr;
  case Instruction::And:
    return IntOp::And;
  case Instruction::Or:
    return IntOp::Or;
  case Instruction::Xor:
    return IntOp::Xor;
  default:
    return std::nullopt;
  }
}

static std::optional<FloatOp> floatOpOf(unsigned opcode) {
  switch (opcode) {
  case Instruction::FAdd:
    return FloatOp::Add;
  case Instruction::FSub:
    return FloatOp::Sub;
  case Instruction::FMul:
    return FloatOp::Mul;
  case Instruction::FDiv:
    return FloatOp::Div;
  case Instruction::FRem:
    return FloatOp::Rem;
  case Instruction::FNeg:
    return FloatOp::Neg;
  default:
    return std::nullopt;
  }
}

static IntOp compareOf(llvm::CmpInst::Predicate predicate) {
  switch (predicate) {
  case llvm::CmpInst::ICMP_EQ:
    return IntOp::Eq;
  case llvm::CmpInst::ICMP_NE:
    return IntOp::Ne;
  case llvm::CmpInst::ICMP_UGT:
    return IntOp::Ugt;
  case llvm::CmpInst::ICMP_UGE:
    return IntOp::Uge;
  case llvm::CmpInst::ICMP_ULT:
    return IntOp::Ult;
  case llvm::CmpInst::ICMP_ULE:
    return IntOp::Ule;
  case llvm::CmpInst::ICMP_SGT:
    return IntOp::Sgt;
  case llvm::CmpInst::ICMP_SGE:
    return IntOp::Sge;
  case llvm::CmpInst::ICMP_SLT:
    return IntOp::Slt;
  default:
    return IntOp::Sle;
  }
}

bool Decoder::decodeArithmetic(const Instruction &instruction) {
  const std::optional<Type> type = elementOf(instruction.getOperand(0)->getType());
  if (!type)
    return refuse(instruction);
  llvm::SmallVector<const llvm::Value *, 2> operands(instruction.operand_values());
  if (const auto *compare = dyn_cast<llvm::ICmpInst>(&instruction))
    return emitElementwise(instruction, intFunction(compareOf(compare->getPredicate()), *type), operands);
  if (const auto *compare = dyn_cast<llvm::FCmpInst>(&instruction))
    return emitElementwise(instruction, floatCompare(compare->getPredicate(), *type), operands);
  if (const std::optional<IntOp> op = intOpOf(instruction.getOpcode()))
    return emitElementwise(instruction, intFunction(*op, *type), operands);
  if (const std::optional<FloatOp> op = floatOpOf(instruction.getOpcode()))
    return emitElementwise(instruction, floatFunction(*op, *type), operands);
  return false;
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

bool Decoder::decodeBitcast(const llvm::CastInst &cast) {
  const llvm::Value *source = cast.getOperand(0);
  const std::optional<Type> from = elementOf(source->getType()), to = elementOf(cast.getType());
  if (!from || !to || (*from == Type::I1) != (*to == Type::I1))
    return refuse(cast);
  if (bytesOf(*from) == bytesOf(*to)) { // the same bits under another name
    define(&cast, in(source));
    return true;
  }
  emit(repackFunction(), in(&cast), in(source)).imm = bytesOf(*from) | bytesOf(*to) << 8;
  return true;
}

bool Decoder::decodeCast(const llvm::CastInst &cast) {
  const llvm::Value *source = cast.getOperand(0);
  const std::optional<Type> from = elementOf(source->getType()), to = elementOf(cast.getType());
  if (!from || !to)
    return refuse(cast);
  switch (cast.getOpcode()) {
  case Instruction::BitCast:
    return decodeBitcast(cast);
  case Instruction::AddrSpaceCast:
    define(&cast, in(source));
    return true;
  case Instruction::PtrToInt:
  case Instruction::Trunc:
    return emitElementwise(cast, castFunction(CastOp::Trunc, *from, *to), source);
  case Instruction::ZExt:
    return emitElementwise(cast, castFunction(CastOp::ZExt, *from, *to), source);
  case Instruction::SExt:
    return emitElementwise(cast, castFunction(CastOp::SExt, *from, *to), source);
  case Instruction::IntToPtr: {
    if (cast.getType()->getPointerAddressSpace() != border::kSharedSpace)
      return emitElementwise(cast, castFunction(CastOp::ZExt, *from, *to), source);
    // An offset becomes a pointer to shared memory by its tag.
    const std::uint32_t low = fresh(Type::I32), wide = fresh(Type::I64);
    emit(castFunction(CastOp::Trunc, *from, Type::I32), low, in(source));
    emit(castFunction(CastOp::ZExt, Type::I32, Type::I64), wide, low);
    emit(intFunction(IntOp::Or, Type::I64), in(&cast), {wide, constantSlot(Type::I64, kSharedTag)});
    return true;
  }
  case Instruction::FPToUI:
    return emitElementwise(cast, castFunction(CastOp::FpToUi, *from, *to), source);
  case Instruction::FPToSI:
    return emitElementwise(cast, castFunction(CastOp::FpToSi, *from, *to), source);
  case Instruction::UIToFP:
    return emitElementwise(cast, castFunction(CastOp::UiToFp, *from, *to), source);
  case Instruction::SIToFP:
    return emitElementwise(cast, castFunction(CastOp::SiToFp, *from, *to), source);
  case Instruction::FPTrunc:
  case Instruction::FPExt:
    return emitElementwise(cast, castFunction(CastOp::FpConvert, *from, *to), source);
  default:
    return refuse(cast);
  }
}

//===----------------------------------------------------------------------===//
// Vectors and structures
//===----------------------------------------------------------------------===//

bool Decoder::decodeSelect(const llvm::SelectInst &select) {
  const Slots condition = in(select.getCondition()), yes = in(select.getTrueValue()), no = in(select.getFalseValue()),
              outs = in(&select);
  if (outs.empty() || yes.size() != outs.size() || no.size() != outs.size() || condition.empty())
    return refuse(select);
  for (std::size_t k = 0; k != outs.size(); ++k)
    emit(selectFunction(slots[outs[k]].type), outs[k],
         {condition.size() == 1 ? condition[0] : condition[k], yes[k], no[k]});
  return true;
}

/// The first number of the part of \p type that \p indices name, and how many it has.
static std::size_t offsetOf(llvm::Type *type, llvm::ArrayRef<unsigned> indices,
                            llvm::function_ref<std::size_t(llvm::Type *)> count) {
  std::size_t offset = 0;
  for (unsigned index : indices) {
    if (auto *array = dyn_cast<llvm::ArrayType>(type)) {
      offset += index * count(array->getElementType());
      type = array->getElementType();
      continue;
    }
    for (unsigned k = 0; k != index; ++k)
      offset += count(type->getStructElementType(k));
    type = type->getStructElementType(index);
  }
  return offset;
}

bool Decoder::decodeAggregate(const Instruction &instruction) {
  const auto count = [](llvm::Type *type) {
    const std::optional<Types> types = typesOf(type);
    return types ? types->size() : 0;
  };
  if (!typesOf(instruction.getType()))
    return refuse(instruction);
  const Slots whole = in(instruction.getOperand(0));
  if (const auto *extract = dyn_cast<llvm::ExtractValueInst>(&instruction)) {
    const std::size_t at = offsetOf(extract->getAggregateOperand()->getType(), extract->getIndices(), count);
    define(&instruction, Slots(llvm::ArrayRef(whole).slice(at, count(instruction.getType()))));
    return true;
  }
  if (const auto *insert = dyn_cast<llvm::InsertValueInst>(&instruction)) {
    const std::size_t at = offsetOf(insert->getType(), insert->getIndices(), count);
    const Slots part = in(insert->getInsertedValueOperand());
    Slots result = whole;
    std::copy(part.begin(), part.end(), result.begin() + static_cast<std::ptrdiff_t>(at));
    define(&instruction, result);
    return true;
  }
  if (const auto *shuffle = dyn_cast<llvm::ShuffleVectorInst>(&instruction)) {
    Slots both = whole;
    both.append(in(shuffle->getOperand(1)));
    Slots result;
    for (int k : shuffle->getShuffleMask())
      result.push_back(k < 0 ? constantSlot(*elementOf(instruction.getType()), kPoison)
                             : both[static_cast<unsigned>(k)]);
    define(&instruction, result);
    return true;
  }
  // An element by number.
  const bool inserts = isa<llvm::InsertElementInst>(instruction);
  const auto *index = dyn_cast<llvm::ConstantInt>(instruction.getOperand(inserts ? 2 : 1));
  if (!index || index->getValue().uge(whole.size()))
    return refuse(instruction, "the number of the element is not a constant");
  const std::uint64_t at = index->getZExtValue();
  if (!inserts) {
    define(&instruction, {whole[at]});
    return true;
  }
  Slots result = whole;
  result[at] = in(instruction.getOperand(1))[0];
  define(&instruction, result);
  return true;
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

bool Decoder::decodeControl(const Instruction &instruction) {
  const llvm::BasicBlock &from = *instruction.getParent();
  llvm::SmallVector<Edge, 4> pending;
  switch (instruction.getOpcode()) {
  case Instruction::Ret:
    emit(returnFunction(), {}, {}, kControl);
    return true;
  case Instruction::Unreachable:
    emit(unreachableFunction(), {}, {}, kControl);
    return true;
  case Instruction::Switch: {
    const auto &choice = cast<llvm::SwitchInst>(instruction);
    const std::optional<Type> type = elementOf(choice.getCondition()->getType());
    const ExecFn exec = type && *type != Type::I128 ? switchFunction(*type) : nullptr;
    if (!exec)
      return refuse(instruction);
    SwitchTable table;
    for (const auto &each : choice.cases())
      table.cases.push_back({each.getCaseValue()->getZExtValue(), edge(from, *each.getCaseSuccessor(), pending)});
    table.otherwise = edge(from, *choice.getDefaultDest(), pending);
    emit(exec, {}, in(choice.getCondition()), kControl | kYield).extra =
        static_cast<std::uint32_t>(program.switches.size());
    program.switches.push_back(std::move(table));
    return emitEdges(from, pending);
  }
  default:
    break;
  }
  const auto &branch = cast<llvm::BranchInst>(instruction);
  if (!branch.isConditional()) {
    const llvm::BasicBlock &to = *branch.getSuccessor(0);
    if (!emitPhiMoves(from, to))
      return false;
    emitJump(blockLabels[&to]);
    return true;
  }
  const std::uint64_t yes = edge(from, *branch.getSuccessor(0), pending),
                      no = edge(from, *branch.getSuccessor(1), pending);
  emit(branchFunction(), {}, in(branch.getCondition()), kControl).imm = yes | no << 32;
  drafts.back().labels = Labels::Two;
  return emitEdges(from, pending);
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

bool Decoder::decode(const Instruction &instruction) {
  if (instruction.isBinaryOp() || instruction.isUnaryOp() || isa<llvm::CmpInst>(instruction))
    return decodeArithmetic(instruction);
  if (const auto *cast = dyn_cast<llvm::CastInst>(&instruction))
    return decodeCast(*cast);
  switch (instruction.getOpcode()) {
  case Instruction::Select:
    return decodeSelect(cast<llvm::SelectInst>(instruction));
  case Instruction::Freeze:
    define(&instruction, in(instruction.getOperand(0)));
    return true;
  case Instruction::ExtractValue:
  case Instruction::InsertValue:
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
    return decodeAggregate(instruction);
  case Instruction::Br:
  case Instruction::Switch:
  case Instruction::Ret:
  case Instruction::Unreachable:
    return decodeControl(instruction);
  case Instruction::GetElementPtr:
    return decodeAddress(cast<llvm::GetElementPtrInst>(instruction));
  case Instruction::Load:
    return decodeLoad(cast<llvm::LoadInst>(instruction));
  case Instruction::Store:
    return decodeStore(cast<llvm::StoreInst>(instruction));
  case Instruction::AtomicRMW:
    return decodeAtomicUpdate(cast<llvm::AtomicRMWInst>(instruction));
  case Instruction::AtomicCmpXchg:
    return decodeCompareExchange(cast<llvm::AtomicCmpXchgInst>(instruction));
  case Instruction::Fence:
    emit(fenceFunction(), {}, {}, kYield);
    return true;
  case Instruction::Call:
    return decodeCall(cast<llvm::CallInst>(instruction));
  case Instruction::Alloca:
    return refuse(instruction, "a thread has no local memory here");
  default:
    return refuse(instruction);
  }
}

} // namespace tessera::ir::sim
