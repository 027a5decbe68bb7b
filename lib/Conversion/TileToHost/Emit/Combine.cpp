//===- Combine.cpp - combining lanes along an axis -----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Emit/Combine.h"

namespace tessera::ir::host {

Lanes combineLanes(Emitter &e, Region &combine, const Lanes &left, const Lanes &right) {
  SmallVector<Value> arguments(left);
  arguments.append(right.begin(), right.end());
  return Lanes(e.inlineRegion(combine, arguments));
}

Lanes combinePairs(Emitter &e, Region &combine, const Lanes &first, const Lanes &second) {
  const auto count = static_cast<int64_t>(lanesOf(first[0]));
  if (count == 1)
    return combineLanes(e, combine, first, second);
  SmallVector<int64_t> even, odd;
  for (int64_t lane = 0; lane != count; ++lane) {
    even.push_back(2 * lane);
    odd.push_back(2 * lane + 1);
  }
  Lanes left, right;
  for (auto [a, b] : llvm::zip_equal(first, second)) {
    left.push_back(e.shuffle(a, b, even));
    right.push_back(e.shuffle(a, b, odd));
  }
  return combineLanes(e, combine, left, right);
}

Lanes combineVectors(Emitter &e, Region &combine, SmallVector<Lanes> vectors) {
  for (; vectors.size() > 1; vectors.resize(vectors.size() / 2))
    for (size_t i = 0; i != vectors.size() / 2; ++i)
      vectors[i] = combinePairs(e, combine, vectors[2 * i], vectors[2 * i + 1]);
  return vectors[0];
}

Lanes combineWithin(Emitter &e, Region &combine, Lanes vector) {
  for (auto count = static_cast<int64_t>(lanesOf(vector[0])); count > 1; count /= 2) {
    Lanes left, right;
    for (Value lanes : vector) {
      if (count == 2) {
        left.push_back(e.extractLane(lanes, 0));
        right.push_back(e.extractLane(lanes, 1));
        continue;
      }
      SmallVector<int64_t> even, odd;
      for (int64_t lane = 0; lane != count; lane += 2) {
        even.push_back(lane);
        odd.push_back(lane + 1);
      }
      left.push_back(e.shuffle(lanes, lanes, even));
      right.push_back(e.shuffle(lanes, lanes, odd));
    }
    vector = combineLanes(e, combine, left, right);
  }
  return vector;
}

Lanes combineRows(Emitter &e, Region &combine, SmallVector<Lanes> rows) {
  for (; rows.size() > 1; rows.resize(rows.size() / 2))
    for (size_t i = 0; i != rows.size() / 2; ++i)
      rows[i] = combineLanes(e, combine, rows[2 * i], rows[2 * i + 1]);
  return rows[0];
}

LaneBlock withAxis(const LaneBlock &block, unsigned axis, Value at) {
  LaneBlock result = block;
  result.index.insert(result.index.begin() + axis, at);
  if (result.axis >= axis)
    ++result.axis;
  return result;
}

LaneBlock elementAt(ArrayRef<Value> index) {
  LaneBlock block;
  block.index.assign(index.begin(), index.end());
  return block;
}

} // namespace tessera::ir::host
