//===- SmallCode.cpp - constants, index arithmetic, branches --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Core.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera::ir::gpu {

namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;
namespace scf = mlir::scf;

Value Emitter::constant(TypedAttr value) { return s->code.constant(value); }
Value Emitter::integer(unsigned bits, std::int64_t value) { return s->code.integer(bits, value); }
Value Emitter::zero(Type type) { return s->code.zero(type); }
Value Emitter::add(Value a, Value b) { return s->code.add(a, b); }
Value Emitter::sub(Value a, Value b) { return s->code.sub(a, b); }
Value Emitter::mul(Value a, Value b) { return s->code.mul(a, b); }

Value Emitter::bitXor(Value a, Value b) {
  const std::optional<int64_t> x = SmallCode::asConstant(a), y = SmallCode::asConstant(b);
  if (x && y)
    return integer(a.getType().getIntOrFloatBitWidth(), *x ^ *y);
  if (x == 0)
    return b;
  if (y == 0)
    return a;
  return arith::XOrIOp::create(s->b, s->loc, a, b);
}

Value Emitter::both(Value a, Value b) {
  if (!a || !b || a == b)
    return a ? a : b;
  return s->b.createOrFold<arith::AndIOp>(s->loc, a, b);
}

Value Emitter::bytePointer(Value pointer, Value bytes) {
  if (SmallCode::asConstant(bytes) == 0)
    return pointer;
  return LLVM::GEPOp::create(s->b, s->loc, pointer.getType(), s->b.getI8Type(), pointer, ArrayRef<LLVM::GEPArg>{bytes});
}

Value Emitter::bytePointer(Value pointer, std::int64_t bytes) {
  // The op takes numbers of 32 bits.
  if (bytes != static_cast<std::int32_t>(bytes))
    return bytePointer(pointer, i64(bytes));
  if (bytes == 0)
    return pointer;
  return LLVM::GEPOp::create(s->b, s->loc, pointer.getType(), s->b.getI8Type(), pointer,
                             ArrayRef<LLVM::GEPArg>{static_cast<std::int32_t>(bytes)});
}

Value Emitter::toPointer(Value address) {
  const auto type = LLVM::LLVMPointerType::get(s->b.getContext(), border::kGlobalSpace);
  if (auto made = address.getDefiningOp<LLVM::PtrToIntOp>(); made && made.getArg().getType() == type)
    return made.getArg();
  return LLVM::IntToPtrOp::create(s->b, s->loc, type, address);
}

void Emitter::ifThen(Value condition, function_ref<void()> then) {
  ifElse(condition, {}, [&] { return then(), SmallVector<Value>(); }, nullptr);
}

SmallVector<Value> Emitter::ifElse(Value condition, TypeRange results, function_ref<SmallVector<Value>()> then,
                                   function_ref<SmallVector<Value>()> otherwise) {
  auto branch = scf::IfOp::create(s->b, s->loc, results, condition, /*addThenBlock=*/true, !!otherwise);
  const auto fill = [&](Block *block, function_ref<SmallVector<Value>()> code) {
    OpBuilder::InsertionGuard guard(s->b);
    s->b.setInsertionPointToEnd(block);
    scf::YieldOp::create(s->b, s->loc, code());
  };
  fill(branch.thenBlock(), then);
  if (otherwise)
    fill(branch.elseBlock(), otherwise);
  return SmallVector<Value>(branch.getResults());
}

static scf::ForOp createLoop(Emitter &e, std::int64_t count, ValueRange init,
                             function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  OpBuilder &b = e.builder();
  auto loop = scf::ForOp::create(b, e.loc(), e.i32(0), e.i32(count), e.i32(1), init,
                                 [](OpBuilder &, Location, Value, ValueRange) {}); // the body is filled below
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(loop.getBody());
  scf::YieldOp::create(b, e.loc(), body(loop.getInductionVar(), loop.getRegionIterArgs()));
  return loop;
}

SmallVector<Value> Emitter::forRange(std::int64_t count, ValueRange init,
                                     function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  return SmallVector<Value>(createLoop(*this, count, init, body).getResults());
}

void Emitter::forSeldom(std::int64_t count, function_ref<void(Value)> body) {
  scf::ForOp loop = createLoop(*this, count, {}, [&](Value i, ValueRange) -> SmallVector<Value> {
    body(i);
    return {};
  });
  mlir::MLIRContext *const context = s->b.getContext();
  const auto isRolled = LLVM::LoopUnrollAttr::get(context, s->b.getBoolAttr(true), {}, {}, {}, {}, {}, {});
  // The conversion of loops hands it on to the branch back.
  loop->setAttr("loop_annotation", LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, isRolled, {}, {}, {}, {}, {}, {},
                                                                 {}, {}, {}, {}, {}));
}

} // namespace tessera::ir::gpu
