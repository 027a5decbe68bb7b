//===- Combine.cpp - combining elements along an axis ------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Interp/Ops/Combine.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace tessera::ir::interp {

using namespace mlir;

AxisShape axisShape(const Shape &shape, unsigned axis) {
  return tile::axisShape(ArrayRef(shape.extent).take_front(shape.rank), axis);
}

SmallVector<char, 8> bytesOfAttribute(Attribute value, Elem elem) {
  const APInt bits = isa<IntegerAttr>(value) ? cast<IntegerAttr>(value).getValue()
                                             : cast<FloatAttr>(value).getValue().bitcastToAPInt();
  const std::uint64_t word = bits.getZExtValue();
  const char *raw = reinterpret_cast<const char *>(&word);
  return SmallVector<char, 8>(raw, raw + bytesOf(elem));
}

FailureOr<CombineBody> CombineBody::lower(Region &region, std::int64_t pairs, Builder &b) {
  // Enough lanes to make the cost of dispatch small, few enough that registers stay in the cache.
  constexpr std::int64_t kLanes = 2048;
  CombineBody body;
  body.lanes = static_cast<std::uint32_t>(std::clamp<std::int64_t>(pairs, 1, kLanes));
  // A branch or loop takes one path, so its lanes must come one at a time.
  for (Operation &op : region.front())
    if (op.getNumRegions() != 0)
      body.lanes = 1;

  const unsigned inputs = region.getNumArguments() / 2;
  SmallVector<Slot, 4> arguments;
  for (BlockArgument argument : region.getArguments())
    arguments.push_back(b.temporary(*elemOf(argument.getType()), body.lanes));
  body.left.assign(arguments.begin(), arguments.begin() + inputs);
  body.right.assign(arguments.begin() + inputs, arguments.end());
  FailureOr<Block> block = b.lowerCombine(region, arguments, body.lanes, [&](Operation &yield) {
    for (Value value : yield.getOperands())
      body.yielded.push_back(b.in(value));
    return success();
  });
  if (failed(block))
    return failure();
  body.block = std::move(*block);
  return body;
}

void CombineBody::pad(Frame &frame, std::uint32_t used) const {
  if (used == lanes)
    return;
  for (const Slot &slot : llvm::concat<const Slot>(left, right))
    dispatchWidth<int>(slot.elem, [&]<class W>() {
      W *lane = frame.at<W>(slot);
      std::fill(lane + used, lane + lanes, lane[0]);
      return 0;
    });
}

} // namespace tessera::ir::interp
