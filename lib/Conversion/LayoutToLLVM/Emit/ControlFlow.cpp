//===- ControlFlow.cpp - loops and branches of the kernel -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A loop or branch carries scalars, the parts of views, the offsets of buffers and the registers of tiles. Its
// conditions and bounds are scalars, so all threads of a program go the same way.
//
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Core.h"
#include "Conversion/LayoutToLLVM/Emit/Families.h"

#include "Conversion/Common/RegionCode.h"

#include "tessera-ir/Dialect/Layout/IR/LayoutTypes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tessera::ir::gpu {

namespace scf = mlir::scf;
using ::tessera::layout::Dim;

namespace {

class GpuRegions final : public RegionCode {
public:
  explicit GpuRegions(Emitter &e) : RegionCode(e.builder(), e.state().loc, e.state().code), e(e) {}

private:
  Value scalar(Value value) override { return e.scalar(value); }
  void setScalar(Value value, Value part) override { e.setScalar(value, part); }
  void emitBody(Block &block) override { e.emitBlock(block); }

  void appendParts(Value value, SmallVectorImpl<Value> &parts) override {
    if (!isa<tile::ViewType>(value.getType())) {
      llvm::append_range(parts, e.registers(value));
      return;
    }
    const ViewParts view = e.view(value);
    parts.push_back(view.base);
    llvm::append_range(parts, view.extents);
    llvm::append_range(parts, view.strides);
  }

  void appendPartTypes(Type type, SmallVectorImpl<Type> &types) override {
    if (auto view = dyn_cast<tile::ViewType>(type))
      types.append(1 + 2 * view.getRank(), b.getI64Type());
    else if (isa<layout::BufferType>(type))
      types.push_back(b.getI32Type());
    else
      types.append(registerCount(type), laneElement(tile::elementOf(type)));
  }

  void bind(Value value, function_ref<Value()> next) override {
    const auto take = [&](size_t count) {
      SmallVector<Value> parts;
      for (size_t i = 0; i != count; ++i)
        parts.push_back(next());
      return parts;
    };
    if (auto type = dyn_cast<tile::ViewType>(value.getType())) {
      ViewParts view;
      view.base = next();
      view.extents = SmallVector<Value, 5>(take(type.getRank()));
      view.strides = SmallVector<Value, 5>(take(type.getRank()));
      e.setView(value, view);
    } else if (isa<RankedTensorType>(value.getType())) {
      e.setRegisters(value, take(registerCount(value.getType())));
    } else {
      e.setScalar(value, next());
    }
  }

  static unsigned registerCount(Type type) {
    const auto encoding = layout::encodingOf(type);
    return encoding ? encoding.getLayout().size(Dim::Register) : 1;
  }

  Emitter &e;
};

} // namespace

static void emitRegions(Operation &op, Emitter &e) { GpuRegions(e).emit(op); }

void registerControlFlowOps(OpTable &table) {
  table.add<scf::ForOp>(emitRegions);
  table.add<scf::IfOp>(emitRegions);
  table.add<scf::WhileOp>(emitRegions);
}

} // namespace tessera::ir::gpu
