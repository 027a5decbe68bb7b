//===- SharedMemory.cpp - the memory of a block of threads ----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Core.h"
#include "Conversion/LayoutToLLVM/Emit/Packing.h"

namespace tessera::ir::gpu {

namespace LLVM = mlir::LLVM;

/// The start of the program's part of shared memory.
static Value sharedBase(Emitter &e) {
  Emitter::State &s = e.state();
  if (s.sharedBase)
    return s.sharedBase;
  s.sharedBase = atStart(e, [&]() -> Value {
    ModuleOp module = s.function->getParentOfType<ModuleOp>();
    auto array = module.lookupSymbol<LLVM::GlobalOp>(border::kSharedArray);
    if (!array) {
      OpBuilder::InsertionGuard guard(s.b);
      s.b.setInsertionPointToStart(module.getBody());
      array = LLVM::GlobalOp::create(
          s.b, module.getLoc(),
          LLVM::LLVMArrayType::get(s.b.getI8Type(),
                                   static_cast<std::uint64_t>(s.programSharedBytes * s.shape.programsPerBlock)),
          /*isConstant=*/false, LLVM::Linkage::External, border::kSharedArray, Attribute(), kSharedAlignment,
          border::kSharedSpace);
    }
    const Value start = LLVM::AddressOfOp::create(s.b, s.loc, array);
    if (s.shape.programsPerBlock == 1)
      return start;
    return e.bytePointer(start, e.mul(programInBlock(e), e.i32(s.programSharedBytes)));
  });
  return s.sharedBase;
}

Value Emitter::sharedPointer(Value offset) { return bytePointer(sharedBase(*this), offset); }

SmallVector<Value> Emitter::loadShared(Type element, unsigned count, Value pointer, Value mask) {
  const border::AccessType type = accessTypeOf(element, count);
  const Type code = border().typeOf(type);
  const Value packed = mask ? border().sharedLoad(type, pointer, mask, zero(code))
                            : LLVM::LoadOp::create(s->b, s->loc, code, pointer, type.bytes()).getResult();
  return unpack(*this, element, count, packed);
}

void Emitter::storeShared(Type element, ArrayRef<Value> values, Value pointer, Value mask) {
  const border::AccessType type = accessTypeOf(element, static_cast<unsigned>(values.size()));
  const Value packed = pack(*this, element, values);
  if (mask)
    border().sharedStore(type, pointer, packed, mask);
  else
    LLVM::StoreOp::create(s->b, s->loc, packed, pointer, type.bytes());
}

void Emitter::storeInCluster(Type element, ArrayRef<Value> values, Value pointer, Value mask) {
  const border::AccessType type = accessTypeOf(element, static_cast<unsigned>(values.size()));
  const Value packed = pack(*this, element, values);
  for (unsigned block = 0; block != numBlocks(); ++block)
    border().clusterStore(type, pointer, i32(block), packed, mask ? mask : integer(1, 1));
}

} // namespace tessera::ir::gpu
