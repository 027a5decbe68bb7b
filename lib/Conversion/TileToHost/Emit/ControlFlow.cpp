//===- ControlFlow.cpp - loops and branches of the kernel --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What a loop or branch carries is scalars: a view is its parts, and tiles stay in buffers, which the plan has filled
// by copies.
//
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Emit/Core.h"

#include "Conversion/Common/RegionCode.h"

namespace tessera::ir::host {

namespace {

class HostRegions final : public RegionCode {
public:
  explicit HostRegions(Emitter &e) : RegionCode(e.builder(), e.state().loc, e.state().code), e(e) {}

private:
  Value scalar(Value value) override { return e.scalar(value); }
  void setScalar(Value value, Value part) override { e.setScalar(value, part); }
  void emitBody(Block &block) override { emitSteps(e, block); }

  void appendParts(Value value, SmallVectorImpl<Value> &parts) override {
    if (isa<tile::ViewType>(value.getType())) {
      const ViewParts view = e.view(value);
      parts.push_back(view.base);
      llvm::append_range(parts, view.extents);
      llvm::append_range(parts, view.strides);
    } else if (!isa<RankedTensorType>(value.getType())) {
      parts.push_back(e.scalar(value));
    }
  }

  void appendPartTypes(Type type, SmallVectorImpl<Type> &types) override {
    if (auto view = dyn_cast<tile::ViewType>(type))
      types.append(1 + 2 * view.getRank(), b.getI64Type());
    else if (!isa<RankedTensorType>(type))
      types.push_back(laneElement(type));
  }

  void bind(Value value, function_ref<Value()> next) override {
    if (auto type = dyn_cast<tile::ViewType>(value.getType())) {
      ViewParts view;
      view.base = next();
      for (unsigned axis = 0; axis != type.getRank(); ++axis)
        view.extents.push_back(next());
      for (unsigned axis = 0; axis != type.getRank(); ++axis)
        view.strides.push_back(next());
      e.state().views[value] = view;
    } else if (!isa<RankedTensorType>(value.getType())) {
      e.setScalar(value, next());
    }
  }

  Emitter &e;
};

} // namespace

void emitRegionStep(Emitter &e, Operation &op) {
  if (!HostRegions(e).emit(op))
    e.refuse(op, "is not an operation of this target");
}

} // namespace tessera::ir::host
