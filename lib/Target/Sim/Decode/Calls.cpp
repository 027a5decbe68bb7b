//===- Calls.cpp - decode intrinsics and functions of the border ----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Sim/Decode/Decoder.h"

#include "Conversion/LayoutToLLVM/Border.h"
#include "Target/Sim/Ops/Arithmetic.h"
#include "Target/Sim/Ops/ControlOps.h"
#include "Target/Sim/Ops/MemoryOps.h"
#include "Target/Sim/Ops/StraightCopies.h"

#include "llvm/IR/Intrinsics.h"

namespace tessera::ir::sim {

namespace Intrinsic = llvm::Intrinsic;

//===----------------------------------------------------------------------===//
// Intrinsics
//===----------------------------------------------------------------------===//

static std::optional<IntOp> intOpOf(llvm::Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::smin:
    return IntOp::SMin;
  case Intrinsic::smax:
    return IntOp::SMax;
  case Intrinsic::umin:
    return IntOp::UMin;
  case Intrinsic::umax:
    return IntOp::UMax;
  case Intrinsic::uadd_sat:
    return IntOp::UAddSat;
  case Intrinsic::usub_sat:
    return IntOp::USubSat;
  case Intrinsic::sadd_sat:
    return IntOp::SAddSat;
  case Intrinsic::ssub_sat:
    return IntOp::SSubSat;
  case Intrinsic::abs:
    return IntOp::Abs;
  case Intrinsic::ctpop:
    return IntOp::CtPop;
  case Intrinsic::ctlz:
    return IntOp::Ctlz;
  case Intrinsic::cttz:
    return IntOp::Cttz;
  case Intrinsic::bswap:
    return IntOp::BSwap;
  case Intrinsic::bitreverse:
    return IntOp::BitReverse;
  case Intrinsic::fshl:
    return IntOp::FShl;
  case Intrinsic::fshr:
    return IntOp::FShr;
  default:
    return std::nullopt;
  }
}

static std::optional<FloatOp> floatOpOf(llvm::Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    return FloatOp::Fma;
  case Intrinsic::fabs:
    return FloatOp::Abs;
  case Intrinsic::sqrt:
    return FloatOp::Sqrt;
  case Intrinsic::floor:
    return FloatOp::Floor;
  case Intrinsic::ceil:
    return FloatOp::Ceil;
  case Intrinsic::trunc:
    return FloatOp::Trunc;
  case Intrinsic::round:
    return FloatOp::Round;
  case Intrinsic::roundeven:
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
    return FloatOp::RoundEven;
  case Intrinsic::copysign:
    return FloatOp::CopySign;
  case Intrinsic::minnum:
  case Intrinsic::minimumnum:
    return FloatOp::MinNum;
  case Intrinsic::maxnum:
  case Intrinsic::maximumnum:
    return FloatOp::MaxNum;
  case Intrinsic::minimum:
    return FloatOp::Minimum;
  case Intrinsic::maximum:
    return FloatOp::Maximum;
  default:
    return std::nullopt;
  }
}

/// Of a reduction over the elements of a vector: how two of them become one.
static ExecFn combineOf(llvm::Intrinsic::ID id, Type type) {
  switch (id) {
  case Intrinsic::vector_reduce_add:
    return intFunction(IntOp::Add, type);
  case Intrinsic::vector_reduce_mul:
    return intFunction(IntOp::Mul, type);
  case Intrinsic::vector_reduce_and:
    return intFunction(IntOp::And, type);
  case Intrinsic::vector_reduce_or:
    return intFunction(IntOp::Or, type);
  case Intrinsic::vector_reduce_xor:
    return intFunction(IntOp::Xor, type);
  case Intrinsic::vector_reduce_smin:
    return intFunction(IntOp::SMin, type);
  case Intrinsic::vector_reduce_smax:
    return intFunction(IntOp::SMax, type);
  case Intrinsic::vector_reduce_umin:
    return intFunction(IntOp::UMin, type);
  case Intrinsic::vector_reduce_umax:
    return intFunction(IntOp::UMax, type);
  default:
    return nullptr;
  }
}

bool Decoder::decodeVectorReduction(const llvm::CallInst &call) {
  const std::optional<Type> type = elementOf(call.getType());
  const ExecFn combine = type ? combineOf(call.getIntrinsicID(), *type) : nullptr;
  if (!combine)
    return refuse(call);
  const Slots elements = in(call.getArgOperand(0));
  std::uint32_t sum = elements[0];
  for (std::uint32_t element : llvm::drop_begin(elements)) {
    const std::uint32_t next = fresh(*type);
    emit(combine, next, {sum, element});
    sum = next;
  }
  define(&call, {sum});
  return true;
}

bool Decoder::decodeIntrinsic(const llvm::CallInst &call) {
  const llvm::Intrinsic::ID id = call.getIntrinsicID();
  switch (id) {
  case Intrinsic::assume:
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::experimental_noalias_scope_decl:
    return true;
  case Intrinsic::ssa_copy:
  case Intrinsic::expect:
    define(&call, in(call.getArgOperand(0)));
    return true;
  default:
    break;
  }
  const std::optional<Type> type = call.arg_size() ? elementOf(call.getArgOperand(0)->getType()) : std::nullopt;
  if (!type)
    return refuse(call);
  llvm::SmallVector<const llvm::Value *, 3> operands(call.args());
  if (const std::optional<IntOp> op = intOpOf(id)) {
    // abs, ctlz and cttz say in a second operand what zero or the lowest number gives; here always a number.
    const bool isUnary = *op == IntOp::Abs || *op == IntOp::Ctlz || *op == IntOp::Cttz;
    return emitElementwise(call, intFunction(*op, *type), isUnary ? llvm::ArrayRef(operands).take_front() : operands);
  }
  if (const std::optional<FloatOp> op = floatOpOf(id))
    return emitElementwise(call, floatFunction(*op, *type), operands);
  const std::optional<Type> to = elementOf(call.getType());
  switch (id) {
  case Intrinsic::fptosi_sat:
  case Intrinsic::fptoui_sat:
    if (!to)
      return refuse(call);
    return emitElementwise(
        call, castFunction(id == Intrinsic::fptosi_sat ? CastOp::FpToSiSat : CastOp::FpToUiSat, *type, *to), operands);
  case Intrinsic::ldexp:
    return emitElementwise(call, scaleFunction(*type), operands);
  case Intrinsic::is_fpclass:
    return emitElementwise(call, floatClass(*type), operands[0],
                           llvm::cast<llvm::ConstantInt>(operands[1])->getZExtValue());
  default:
    return decodeVectorReduction(call);
  }
}

//===----------------------------------------------------------------------===//
// The border
//===----------------------------------------------------------------------===//

bool Decoder::emitCall(const llvm::CallInst &call, ExecFn exec, std::uint8_t flags) {
  Slots ins;
  for (const llvm::Use &operand : call.args()) {
    const Slots own = in(operand);
    if (own.empty())
      return refuse(call);
    ins.append(own);
  }
  const std::optional<Types> types = typesOf(call.getType());
  if (!exec || !types)
    return refuse(call);
  emit(exec, types->empty() ? Slots() : in(&call), ins, flags);
  return true;
}

/// The number of an enumeration's value in a list that begins alike.
template <class To, class From> static To numberedAs(From value) {
  return static_cast<To>(static_cast<unsigned>(value));
}

bool Decoder::decodeBorder(const llvm::CallInst &call) {
  using border::Function;
  const std::optional<border::Callee> callee = border::parse(call.getCalledFunction()->getName());
  if (!callee)
    return refuse(call);
  const auto special = [&](Special first, border::Axis axis) {
    return emitCall(call,
                    specialFunction(static_cast<Special>(static_cast<unsigned>(first) + static_cast<unsigned>(axis))));
  };
  const auto numbered = [&](ExecFn exec, std::uint64_t &counter) {
    if (!emitCall(call, exec, kConverge | kYield))
      return false;
    drafts.back().inst.imm = counter++;
    return true;
  };
  switch (callee->function) {
  case Function::ThreadId:
    return special(Special::ThreadId, border::Axis::X);
  case Function::LaneId:
    return special(Special::LaneId, border::Axis::X);
  case Function::WarpId:
    return special(Special::WarpId, border::Axis::X);
  case Function::BlockId:
    return special(Special::BlockIdX, callee->axis);
  case Function::NumBlocks:
    return special(Special::NumBlocksX, callee->axis);
  case Function::Barrier:
    return numbered(barrierFunction(), counters[barrierFunction()]);
  case Function::SharedBarrier:
    return numbered(sharedBarrierFunction(), counters[barrierFunction()]);
  case Function::ClusterBarrier:
    return numbered(clusterBarrierFunction(), counters[clusterBarrierFunction()]);
  case Function::NamedBarrier:
    return numbered(namedBarrierFunction(), counters[namedBarrierFunction()]);
  case Function::WarpSync:
    return numbered(warpSyncFunction(), counters[warpSyncFunction()]);
  case Function::CopyToShared:
    return decodeStraightCopy(call);
  case Function::CopyWait:
    return call.arg_size() == 1 ? numbered(straightWaitFunction(), waits) : refuse(call);
  case Function::Fence:
    return emitCall(call, fenceFunction(), kYield);
  case Function::Shuffle:
    return emitCall(call, shuffleFunction(numberedAs<ShuffleOp>(callee->shuffle)), kConverge | kYield);
  case Function::Ballot:
    return emitCall(call, ballotFunction(), kConverge | kYield);
  case Function::Reduce:
    return emitCall(call, reduceFunction(numberedAs<ReduceOp>(callee->reduction)), kConverge | kYield);
  case Function::Load:
  case Function::VolatileLoad:
    return decodeBorderAccess(call, false, false);
  case Function::Store:
    return decodeBorderAccess(call, true, false);
  case Function::SharedLoad:
    return decodeBorderAccess(call, false, true);
  case Function::SharedStore:
    return decodeBorderAccess(call, true, true);
  case Function::ClusterStore:
    return decodeClusterStore(call);
  case Function::Atomic:
  case Function::AtomicCas:
  case Function::AtomicLoad:
  case Function::AtomicStore:
    return decodeBorderAtomic(call);
  case Function::Native:
    if (callee->vendor == "nv")
      return decodeNative(call, callee->instruction);
    if (callee->vendor == "amd")
      return decodeAmdNative(call, callee->instruction);
    return refuse(call);
  }
  return refuse(call);
}

bool Decoder::decodeCall(const llvm::CallInst &call) {
  const llvm::Function *callee = call.getCalledFunction();
  if (!callee)
    return refuse(call, call.isInlineAsm() ? "inline assembly is for real chips" : "the callee is not known");
  if (callee->isIntrinsic())
    return decodeIntrinsic(call);
  if (callee->getName().starts_with(border::kPrefix))
    return decodeBorder(call);
  return refuse(call, callee->isDeclaration() ? "nobody defines it" : "it should have been inlined");
}

} // namespace tessera::ir::sim
