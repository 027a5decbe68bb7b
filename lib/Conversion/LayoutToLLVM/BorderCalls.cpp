//===- BorderCalls.cpp - calls of the border's functions ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/BorderCalls.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tessera::ir {

namespace LLVM = mlir::LLVM;
using border::Callee;
using border::Effects;
using border::Function;
using border::Memory;

Type BorderCalls::typeOf(border::AccessType type) {
  const Type element = [&]() -> Type {
    switch (type.element) {
    case border::Element::I8:
      return b.getI8Type();
    case border::Element::I16:
      return b.getI16Type();
    case border::Element::I32:
      return b.getI32Type();
    case border::Element::I64:
      return b.getI64Type();
    case border::Element::F16:
      return b.getF16Type();
    case border::Element::BF16:
      return b.getBF16Type();
    case border::Element::F32:
      return b.getF32Type();
    case border::Element::F64:
      return b.getF64Type();
    }
    return {};
  }();
  return type.lanes == 1 ? element : mlir::VectorType::get({type.lanes}, element);
}

static LLVM::MemoryEffectsAttr memoryOf(MLIRContext *context, Memory memory) {
  using Info = LLVM::ModRefInfo;
  const auto only = [&](Info argument) {
    return LLVM::MemoryEffectsAttr::get(
        context, {Info::NoModRef, argument, Info::NoModRef, Info::NoModRef, Info::NoModRef, Info::NoModRef});
  };
  switch (memory) {
  case Memory::None:
    return only(Info::NoModRef);
  case Memory::ReadsArgument:
    return only(Info::Ref);
  case Memory::WritesArgument:
    return only(Info::Mod);
  case Memory::Argument:
    return only(Info::ModRef);
  case Memory::Any:
    return {};
  }
  return {};
}

Value BorderCalls::call(const Callee &callee, const Effects &effects, Type result, ValueRange operands) {
  const std::string name = border::nameOf(callee);
  LLVM::LLVMFuncOp &function = declared[name];
  if (!function)
    function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  const Type returned = result ? result : LLVM::LLVMVoidType::get(b.getContext());
  const auto type = LLVM::LLVMFunctionType::get(returned, llvm::to_vector(operands.getTypes()));
  if (function && function.getFunctionType() != type && callee.function == Function::Native) {
    Callee next = callee;
    ++next.overload;
    return call(next, effects, result, operands);
  }
  if (!function) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    function = LLVM::LLVMFuncOp::create(b, module.getLoc(), name, type);
    function.setNoUnwind(true);
    function.setWillReturn(effects.willReturn);
    if (effects.isConvergent)
      function.setConvergent(true);
    if (const auto memory = memoryOf(b.getContext(), effects.memory))
      function.setMemoryEffectsAttr(memory);
  }
  auto made = LLVM::CallOp::create(b, loc, function, operands);
  return result ? made.getResult() : Value();
}

Value BorderCalls::call(const Callee &callee, Type result, ValueRange operands) {
  return call(callee, border::effectsOf(callee), result, operands);
}

Value BorderCalls::hintsOf(border::Hints hints) {
  return mlir::arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(static_cast<std::int32_t>(hints.encode())));
}

Value BorderCalls::shuffle(border::Shuffle how, Value value, Value argument) {
  return call({.function = Function::Shuffle, .shuffle = how}, b.getI32Type(), {value, argument});
}

Value BorderCalls::reduce(border::Reduction how, Value value) {
  return call({.function = Function::Reduce, .reduction = how}, b.getI32Type(), {value});
}

Value BorderCalls::ballot(Value condition) { return call({.function = Function::Ballot}, b.getI64Type(), {condition}); }

Value BorderCalls::load(border::AccessType type, Value pointer, Value mask, Value other, border::Hints hints,
                        bool isVolatile) {
  const Function function = isVolatile ? Function::VolatileLoad : Function::Load;
  return call({.function = function, .type = type}, typeOf(type), {pointer, mask, other, hintsOf(hints)});
}

void BorderCalls::store(border::AccessType type, Value pointer, Value value, Value mask, border::Hints hints) {
  call({.function = Function::Store, .type = type}, {}, {pointer, value, mask, hintsOf(hints)});
}

Value BorderCalls::sharedLoad(border::AccessType type, Value pointer, Value mask, Value other) {
  return call({.function = Function::SharedLoad, .type = type}, typeOf(type), {pointer, mask, other});
}

void BorderCalls::sharedStore(border::AccessType type, Value pointer, Value value, Value mask) {
  call({.function = Function::SharedStore, .type = type}, {}, {pointer, value, mask});
}

void BorderCalls::clusterStore(border::AccessType type, Value pointer, Value block, Value value, Value mask) {
  call({.function = Function::ClusterStore, .type = type}, {}, {pointer, block, value, mask});
}

void BorderCalls::copyToShared(border::AccessType type, Value from, Value mask, Value to) {
  call({.function = Function::CopyToShared, .type = type}, {}, {from, mask, to});
}

Value BorderCalls::atomic(Callee callee, Value pointer, ValueRange values, Value mask) {
  callee.isShared = cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace() == border::kSharedSpace;
  SmallVector<Value> operands{pointer};
  llvm::append_range(operands, values);
  operands.push_back(mask);
  return call(callee, callee.function == Function::AtomicStore ? Type() : typeOf(callee.type), operands);
}

Value BorderCalls::native(StringRef vendor, StringRef instruction, Type result, ValueRange operands, Effects effects) {
  return call({.function = Function::Native, .vendor = vendor.str(), .instruction = instruction.str()}, effects, result,
              operands);
}

} // namespace tessera::ir
