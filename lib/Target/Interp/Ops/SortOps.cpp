//===- SortOps.cpp - sorting and counting ---------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A key becomes an unsigned integer of the same order (SEMANTICS R5: NaN above every number, -0 equal to +0),
// complemented for descending order. Sorting (integer, position), which is stable, then serves every type and
// direction, and the positions move keys and payloads bit by bit.
//
//===---------------------------------------------------------------------===//

#include "Target/Interp/Ops/Combine.h"
#include "Target/Interp/Ops/Families.h"

#include <algorithm>
#include <limits>

namespace tessera::ir::interp {

using namespace mlir;

namespace {

// -- sort -----------------------------------------------------------------------------------------

struct SortPayload : Payload {
  AxisShape shape;
  bool descending = false, hasValid = false;
  unsigned payloads = 0;
};

struct Ranked {
  std::uint64_t rank;
  std::uint32_t position; ///< on the axis
};

/// An unsigned integer in the order of the key.
struct SignedRank {
  template <class T> static std::uint64_t of(T key) {
    return static_cast<std::uint64_t>(std::int64_t(AsSigned<T>::get(key))) ^ (std::uint64_t(1) << 63);
  }
};
struct UnsignedRank {
  template <class T> static std::uint64_t of(T key) { return AsUnsigned<T>::get(key); }
};
struct FloatRank {
  template <class T> static std::uint64_t of(T key) {
    const double x = toDouble(key);
    if (x != x)
      return std::numeric_limits<std::uint64_t>::max();
    const auto bits = std::bit_cast<std::uint64_t>(x == 0 ? 0.0 : x);
    constexpr std::uint64_t sign = std::uint64_t(1) << 63;
    return bits & sign ? ~bits : bits | sign;
  }
};

template <class T, class Rank> void sortAlong(const Inst &inst, Frame &frame) {
  const auto &sort = inst.payload<SortPayload>();
  const auto [outer, extent, inner] = sort.shape;
  const T *key = frame.in<T>(inst, 0);
  const Bool *valid = sort.hasValid ? frame.in<Bool>(inst, 1 + sort.payloads) : nullptr;
  Ranked *line = frame.scratch<Ranked>(1, extent);
  for (std::int64_t o = 0; o != outer; ++o)
    for (std::int64_t i = 0; i != inner; ++i) {
      const std::int64_t start = o * extent * inner + i;
      // Lanes that are not valid go behind the others in their own order, whatever the direction.
      std::int64_t kept = 0, dropped = extent;
      for (std::int64_t j = 0; j != extent; ++j)
        if (const std::int64_t at = start + j * inner; !valid || valid[at].bits) {
          const std::uint64_t rank = Rank::of(key[at]);
          line[kept++] = {sort.descending ? ~rank : rank, static_cast<std::uint32_t>(j)};
        } else {
          line[--dropped] = {0, static_cast<std::uint32_t>(j)};
        }
      std::reverse(line + kept, line + extent);
      std::sort(line, line + kept, [](const Ranked &a, const Ranked &b) {
        return a.rank != b.rank ? a.rank < b.rank : a.position < b.position;
      });
      for (unsigned v = 0; v != 1 + sort.payloads; ++v)
        dispatchWidth<int>(inst.in[v].elem, [&]<class W>() {
          const W *from = frame.in<W>(inst, v) + start;
          W *to = frame.out<W>(inst, v) + start;
          for (std::int64_t j = 0; j != extent; ++j)
            to[j * inner] = from[line[j].position * inner];
          return 0;
        });
    }
}

LogicalResult lowerSort(Operation &op, Builder &b) {
  auto sort = cast<tile::SortOp>(op);
  auto payload = std::make_unique<SortPayload>();
  payload->shape = axisShape(shapeOf(sort.getKey().getType()), static_cast<unsigned>(sort.getAxis()));
  payload->descending = sort.getDescending();
  payload->payloads = static_cast<unsigned>(sort.getPayload().size());
  payload->hasValid = static_cast<bool>(sort.getValid());
  const Elem elem = b.in(sort.getKey()).elem;
  ExecFn exec;
  if (isFloat(elem))
    exec = dispatchAnyFloat<ExecFn>(elem, []<class T>() -> ExecFn { return sortAlong<T, FloatRank>; });
  else if (sort.getIsUnsigned())
    exec = dispatchInt<ExecFn>(elem, []<class T>() -> ExecFn { return sortAlong<T, UnsignedRank>; });
  else
    exec = dispatchInt<ExecFn>(elem, []<class T>() -> ExecFn { return sortAlong<T, SignedRank>; });
  b.emit(op, exec).extra = std::move(payload);
  return success();
}

// -- histogram ------------------------------------------------------------------------------------

/// A bin is compared as an unsigned 64-bit number: a negative value is above every bin.
template <class T, template <class> class Read> void countInto(const Inst &inst, Frame &frame) {
  const T *x = frame.in<T>(inst, 0);
  const Bool *mask = inst.in.size() == 2 ? frame.in<Bool>(inst, 1) : nullptr;
  const std::uint32_t bins = inst.out[0].count, n = inst.in[0].count;
  std::int32_t *counts = frame.out<std::int32_t>(inst);
  std::fill_n(counts, bins, 0);
  for (std::uint32_t i = 0; i != n; ++i) {
    const auto bin = static_cast<std::uint64_t>(std::int64_t(Read<T>::get(x[i])));
    if (bin < bins && (!mask || mask[i].bits))
      ++counts[bin];
  }
}

LogicalResult lowerHistogram(Operation &op, Builder &b) {
  auto histogram = cast<tile::HistogramOp>(op);
  const Elem elem = b.in(histogram.getSource()).elem;
  // An i1 counts as 0 or 1.
  const bool asUnsigned = histogram.getIsUnsigned() || elem == Elem::I1;
  b.emit(op, dispatchInt<ExecFn>(elem, [&]<class T>() -> ExecFn {
           return asUnsigned ? countInto<T, AsUnsigned> : countInto<T, AsSigned>;
         }));
  return success();
}

} // namespace

void registerSortOps(OpTable &table) {
  table.add<tile::SortOp>(lowerSort);
  table.add<tile::HistogramOp>(lowerHistogram);
}

} // namespace tessera::ir::interp
