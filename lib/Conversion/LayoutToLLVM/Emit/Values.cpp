//===- Values.cpp - what stands for values of the kernel ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/LayoutToLLVM/Emit/Core.h"

namespace tessera::ir::gpu {

/// The op that is to blame for what is wrong with \p value.
static Operation &blamed(Value value) {
  Operation *const op = value.getDefiningOp();
  return op ? *op : *value.getParentBlock()->getParentOp();
}

/// What stands for a scalar or element of \p type that could not be made; buffers and tokens are numbers, too.
static Value placeholder(Emitter &e, Type type) {
  const Type element = tile::elementOf(type);
  return e.zero(tile::isElement(element) ? laneElement(element) : e.builder().getI32Type());
}

bool Emitter::isWanted(Value tile) { return s->wanted.contains(tile); }

SmallVector<Value> Emitter::registers(Value tile) {
  if (!isa<RankedTensorType>(tile.getType()))
    return {scalar(tile)};
  if (const auto known = s->tiles.find(tile); known != s->tiles.end())
    return known->second;
  refuse(blamed(tile), "gives a tile that was not computed");
  return SmallVector<Value>(layoutOf(tile).size(::tessera::layout::Dim::Register),
                            zero(laneElement(tile::elementOf(tile.getType()))));
}

void Emitter::setRegisters(Value tile, ArrayRef<Value> registers) {
  if (registers.size() != layoutOf(tile).size(::tessera::layout::Dim::Register))
    refuse(blamed(tile), "was given " + Twine(registers.size()) + " registers for a layout of " +
                             Twine(layoutOf(tile).size(::tessera::layout::Dim::Register)));
  s->tiles[tile].assign(registers.begin(), registers.end());
}

Value Emitter::scalar(Value value) {
  if (const Value known = s->scalars.lookup(value))
    return known;
  refuse(blamed(value), "gives a scalar that was not computed");
  return placeholder(*this, value.getType());
}

void Emitter::setScalar(Value value, Value code) { s->scalars[value] = code; }

ViewParts Emitter::view(Value view) {
  if (const auto known = s->views.find(view); known != s->views.end())
    return known->second;
  refuse(blamed(view), "gives a view that was not made");
  ViewParts parts;
  const unsigned rank = cast<tile::ViewType>(view.getType()).getRank();
  parts.base = i64(0);
  parts.extents.assign(rank, i64(0));
  parts.strides.assign(rank, i64(0));
  return parts;
}

void Emitter::setView(Value view, const ViewParts &parts) { s->views[view] = parts; }

Value Emitter::uniform(const UniformExpr &expr) {
  return s->uniforms.emit(expr, [&](Value value) { return scalar(value); }, [&](Value value) { return view(value); });
}

void Emitter::setPlaceholders(Operation &op) {
  for (Value result : op.getResults()) {
    const Type type = result.getType();
    if (isa<tile::ViewType>(type)) {
      s->views[result] = view(result);
    } else if (isa<RankedTensorType>(type)) {
      const unsigned count = layoutOf(result).size(::tessera::layout::Dim::Register);
      s->tiles[result].assign(count, placeholder(*this, type));
    } else {
      setScalar(result, placeholder(*this, type));
    }
  }
}

} // namespace tessera::ir::gpu
