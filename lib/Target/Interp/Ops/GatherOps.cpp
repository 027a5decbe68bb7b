//===- GatherOps.cpp - elements at run-time indices ------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Interp/Ops/Combine.h"
#include "Target/Interp/Ops/Families.h"

#include "fmt/format.h"

namespace tessera::ir::interp {

using namespace mlir;

namespace {

struct GatherPayload : Payload {
  AxisShape source;
  std::int64_t indices = 1; ///< extent of the index on the axis
};

/// An index outside the axis is reported and gives 0.
template <class W, class I> void gather(const Inst &inst, Frame &frame) {
  const auto &g = inst.payload<GatherPayload>();
  const auto [outer, extent, inner] = g.source;
  const W *from = frame.in<W>(inst, 0);
  const I *index = frame.in<I>(inst, 1);
  W *to = frame.out<W>(inst);
  std::uint64_t lane = 0, first = 0, outside = 0;
  for (std::int64_t o = 0; o != outer; ++o, from += extent * inner)
    for (std::int64_t j = 0; j != g.indices; ++j)
      for (std::int64_t i = 0; i != inner; ++i, ++lane) {
        const std::int64_t at = AsSigned<I>::get(index[lane]);
        const bool inside = at >= 0 && at < extent;
        to[lane] = inside ? from[at * inner + i] : W(0);
        if (!inside && outside++ == 0)
          first = lane;
      }
  if (outside != 0 && frame.checks())
    frame.fault(
        inst, first, outside,
        [&] {
          return fmt::format("index {} is outside an axis of extent {}", std::int64_t(AsSigned<I>::get(index[first])),
                             g.source.extent);
        },
        "a run-time index must lie in the tile");
}

LogicalResult lowerGather(Operation &op, Builder &b) {
  auto gatherOp = cast<tile::GatherOp>(op);
  const auto axis = static_cast<unsigned>(gatherOp.getAxis());
  auto payload = std::make_unique<GatherPayload>();
  payload->source = axisShape(shapeOf(gatherOp.getSource().getType()), axis);
  payload->indices = shapeOf(gatherOp.getIndex().getType()).extent[axis];
  const Elem element = b.in(gatherOp.getSource()).elem, index = b.in(gatherOp.getIndex()).elem;
  const ExecFn exec = dispatchWidth<ExecFn>(element, [&]<class W>() -> ExecFn {
    return dispatchInt<ExecFn>(index, []<class I>() -> ExecFn { return gather<W, I>; });
  });
  b.emit(op, exec).extra = std::move(payload);
  return success();
}

} // namespace

void registerGatherOps(OpTable &table) { table.add<tile::GatherOp>(lowerGather); }

} // namespace tessera::ir::interp
