//===- ViewOps.cpp - access through views ------------------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A view in a register is base, extents, strides. An access turns coordinates into addresses and a mask of the lanes
// inside the extents (SEMANTICS M6), then goes the way of loads and stores: a lane inside the extents whose address is
// in no buffer is a view that promises too much, and is reported.
//
//===---------------------------------------------------------------------===//

#include "Target/Interp/Lowering.h"
#include "Target/Interp/Ops/Families.h"
#include "Target/Interp/Ops/MemoryLoops.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace tessera::ir::interp {

using namespace mlir;

namespace {

void makeView(const Inst &inst, Frame &frame) {
  std::uint64_t *view = frame.out<std::uint64_t>(inst);
  for (std::size_t i = 0; i != inst.in.size(); ++i)
    view[i] = *frame.in<std::uint64_t>(inst, static_cast<unsigned>(i));
  if (!frame.checks())
    return;
  for (std::size_t axis = 0; axis != inst.in.size() / 2; ++axis)
    if (const auto extent = static_cast<std::int64_t>(view[1 + axis]); extent < 0)
      frame.fault(
          inst, 0, 1, [&] { return fmt::format("a view with extent {} on axis {}", extent, axis); },
          "extents are at least 0");
}

/// Operands: the view, the coordinates (one per axis, or rows and column), then the stored value or the pad.
struct ViewPayload : MemoryPayload {
  Shape shape;         ///< of the tile
  unsigned rank = 0;   ///< of the view
  bool byRows = false; ///< operand 1 is a tile of row numbers
  Elem rowElem = Elem::I64;
  bool hasPad = false;
  unsigned last = 0; ///< operand number of value or pad
};

std::int64_t rowAt(const Inst &inst, Frame &frame, Elem e, std::int64_t i) {
  switch (e) {
  case Elem::I8:
    return frame.in<std::int8_t>(inst, 1)[i];
  case Elem::I16:
    return frame.in<std::int16_t>(inst, 1)[i];
  case Elem::I32:
    return frame.in<std::int32_t>(inst, 1)[i];
  default:
    return frame.in<std::int64_t>(inst, 1)[i];
  }
}

/// Coordinates of lane (i, j, …) of an access.
class Coordinates {
public:
  Coordinates(const Inst &inst, Frame &frame, const ViewPayload &p) : inst(inst), frame(frame), p(p) {}
  /// The coordinate along \p axis of a lane that stands at \p at along it; nullopt where it leaves 64 bits, which is
  /// outside every view.
  std::optional<std::int64_t> along(unsigned axis, std::int64_t at) const {
    std::int64_t c;
    if (p.byRows && axis == 0)
      return rowAt(inst, frame, p.rowElem, at);
    if (__builtin_add_overflow(frame.scalar<std::int64_t>(inst, 1 + axis), at, &c))
      return std::nullopt;
    return c;
  }

private:
  const Inst &inst;
  Frame &frame;
  const ViewPayload &p;
};

/// Whether offsets in bytes of lanes inside the extents may leave 64 bits, by a bound on their magnitudes.
bool mayLeaveAddresses(const Coordinates &coordinates, Frame &frame, const Inst &inst, const ViewPayload &p,
                       unsigned size) {
  const std::int64_t *extents = frame.in<std::int64_t>(inst, 0) + 1, *strides = extents + p.rank;
  double reach = 0;
  for (unsigned axis = 0; axis != p.rank; ++axis) {
    std::int64_t last = extents[axis] - 1;
    if (!(p.byRows && axis == 0))
      last = std::min(last, coordinates.along(axis, p.shape.extent[axis] - 1).value_or(last));
    reach += static_cast<double>(last) * std::abs(static_cast<double>(strides[axis]));
  }
  return reach * size >= 0x1p62;
}

/// Reports lanes inside the extents whose offset in bytes leaves 64 bits, and takes them out of \p mask.
void checkOffsets(const Coordinates &coordinates, Frame &frame, const Inst &inst, const ViewPayload &p, unsigned size,
                  Bool *mask, std::uint32_t n) {
  const std::int64_t *strides = frame.in<std::int64_t>(inst, 0) + 1 + p.rank;
  using Place = std::array<std::int64_t, 6>;
  const auto placeOf = [&](std::int64_t lane) {
    Place place{};
    for (unsigned axis = p.shape.rank; axis-- != 0; lane /= p.shape.extent[axis])
      place[axis] = coordinates.along(axis, lane % p.shape.extent[axis]).value_or(0);
    return place;
  };
  const auto leaves = [&](const Place &place) {
    std::int64_t offset = 0;
    for (unsigned axis = 0; axis != p.rank; ++axis) {
      std::int64_t part;
      if (__builtin_mul_overflow(place[axis], strides[axis], &part) ||
          __builtin_mul_overflow(part, static_cast<std::int64_t>(size), &part) ||
          __builtin_add_overflow(offset, part, &offset))
        return true;
    }
    return false;
  };
  std::uint64_t first = 0, lanes = 0;
  for (std::uint32_t lane = n; lane-- != 0;)
    if (mask[lane].bits && leaves(placeOf(lane))) {
      mask[lane].bits = 0;
      first = lane;
      ++lanes;
    }
  if (lanes)
    frame.fault(
        inst, first, lanes,
        [&] {
          const Place place = placeOf(static_cast<std::int64_t>(first));
          return fmt::format("place [{}] of a view with strides [{}] in elements of {} bytes overflows the address",
                             fmt::join(place.begin(), place.begin() + p.rank, ", "),
                             fmt::join(strides, strides + p.rank, ", "), size);
        },
        "index arithmetic must not overflow");
}

/// Addresses and mask of all lanes, in scratch memory.
template <unsigned size> Lanes lanesOf(const Inst &inst, Frame &frame, const ViewPayload &p) {
  const auto n = static_cast<std::uint32_t>(p.shape.count());
  std::uint64_t *address = frame.scratch<std::uint64_t>(1, n);
  Bool *mask = frame.scratch<Bool>(2, n);
  const std::int64_t *view = frame.in<std::int64_t>(inst, 0), *extents = view + 1, *strides = view + 1 + p.rank;

  // Outer axes as an odometer, the innermost as a loop. Sums may leave 64 bits only in lanes outside the extents.
  const Coordinates coordinates(inst, frame, p);
  const unsigned inner = p.shape.rank - 1;
  const std::int64_t length = p.shape.extent[inner];
  std::array<std::int64_t, 6> at{};
  for (std::uint32_t lane = 0; lane != n;) {
    bool inside = true;
    std::uint64_t base = static_cast<std::uint64_t>(view[0]);
    const auto place = [&](unsigned axis, std::int64_t coordinate) {
      inside &= coordinate >= 0 && coordinate < extents[axis];
      base += static_cast<std::uint64_t>(coordinate) * static_cast<std::uint64_t>(strides[axis]) * size;
    };
    for (unsigned axis = 0; axis != inner; ++axis)
      place(axis, coordinates.along(axis, at[axis]).value_or(-1));
    const std::int64_t start = frame.scalar<std::int64_t>(inst, 1 + inner), step = strides[inner];
    const std::int64_t from = start < 0 ? (start < -length ? length : -start) : 0; // first lane not before the axis
    const std::int64_t left = start < extents[inner] ? extents[inner] - std::max<std::int64_t>(start, 0) : 0;
    const std::int64_t to = left < length - from ? from + left : length;
    base += static_cast<std::uint64_t>(start) * static_cast<std::uint64_t>(step) * size;
    for (std::int64_t i = 0; i != length; ++i) {
      address[lane + i] = base + static_cast<std::uint64_t>(i) * static_cast<std::uint64_t>(step) * size;
      mask[lane + i].bits = inside && i >= from && i < to;
    }
    lane += static_cast<std::uint32_t>(length);
    for (unsigned axis = inner; axis-- != 0;) {
      if (++at[axis] != p.shape.extent[axis])
        break;
      at[axis] = 0;
    }
  }
  if (frame.checks() && mayLeaveAddresses(coordinates, frame, inst, p, size))
    checkOffsets(coordinates, frame, inst, p, size, mask, n);
  return {address, mask, n};
}

template <class W, bool isBool> void viewLoad(const Inst &inst, Frame &frame) {
  const auto &p = inst.payload<ViewPayload>();
  const Lanes lanes = lanesOf<sizeof(W)>(inst, frame, p);
  const Admitted admitted = admit(frame, inst, frame.code.memory[p.memory], lanes, AccessKind::Read);
  const W *pad = nullptr;
  if (p.hasPad) {
    W *filled = frame.scratch<W>(3, lanes.n);
    std::fill_n(filled, lanes.n, frame.scalar<W>(inst, p.last));
    pad = filled;
  }
  readLanes<W, isBool>(lanes, admitted, pad, frame.out<W>(inst));
}

template <class W> void viewStore(const Inst &inst, Frame &frame) {
  const auto &p = inst.payload<ViewPayload>();
  const Lanes lanes = lanesOf<sizeof(W)>(inst, frame, p);
  const Admitted admitted = admit(frame, inst, frame.code.memory[p.memory], lanes, AccessKind::Write);
  writeLanes(lanes, admitted, frame.in<W>(inst, p.last));
}

LogicalResult lowerMakeView(Operation &op, Builder &b) {
  b.emit(op, makeView);
  return success();
}

/// \p rows is null for access by coordinates. \p value is the stored tile of a store, null for a load.
LogicalResult lowerAccess(Operation &op, Builder &b, Value view, Value rows, ValueRange coords, Value value,
                          Value pad) {
  const Type tileType = value ? value.getType() : op.getResult(0).getType();
  const Elem e = *elemOf(tileType);
  auto payload = std::make_unique<ViewPayload>();
  payload->memory = b.memorySite(op, view, e, value != nullptr, false, value);
  payload->shape = shapeOf(tileType);
  payload->rank = cast<tile::ViewType>(view.getType()).getRank();
  SmallVector<Slot, 8> in{b.in(view)};
  if (rows) {
    payload->byRows = true;
    payload->rowElem = *elemOf(rows.getType());
    in.push_back(b.in(rows));
  }
  for (Value coordinate : coords)
    in.push_back(b.in(coordinate));
  payload->last = static_cast<unsigned>(in.size());
  payload->hasPad = pad != nullptr;
  if (Value extra = value ? value : pad)
    in.push_back(b.in(extra));
  const std::uint32_t site = b.site(op, payload->shape);
  b.code.memory[payload->memory].site = site;
  const ExecFn exec = dispatchWidth<ExecFn>(e, [&]<class W>() -> ExecFn {
    if (value)
      return viewStore<W>;
    if constexpr (sizeof(W) == 1)
      if (e == Elem::I1)
        return viewLoad<W, true>;
    return viewLoad<W, false>;
  });
  SmallVector<Slot, 1> out;
  if (!value)
    out.push_back(b.out(op.getResult(0)));
  Inst &inst = b.emit(op, exec, in, out);
  inst.site = site;
  inst.extra = std::move(payload);
  return success();
}

LogicalResult lowerViewLoad(Operation &op, Builder &b) {
  auto o = cast<tile::ViewLoadOp>(op);
  return lowerAccess(op, b, o.getView(), {}, o.getCoords(), {}, o.getPad());
}
LogicalResult lowerViewStore(Operation &op, Builder &b) {
  auto o = cast<tile::ViewStoreOp>(op);
  return lowerAccess(op, b, o.getView(), {}, o.getCoords(), o.getValue(), {});
}
LogicalResult lowerViewLoadRows(Operation &op, Builder &b) {
  auto o = cast<tile::ViewLoadRowsOp>(op);
  return lowerAccess(op, b, o.getView(), o.getRows(), o.getCol(), {}, o.getPad());
}
LogicalResult lowerViewStoreRows(Operation &op, Builder &b) {
  auto o = cast<tile::ViewStoreRowsOp>(op);
  return lowerAccess(op, b, o.getView(), o.getRows(), o.getCol(), o.getValue(), {});
}

} // namespace

void registerViewOps(OpTable &table) {
  table.add<tile::MakeViewOp>(lowerMakeView);
  table.add<tile::ViewLoadOp>(lowerViewLoad);
  table.add<tile::ViewStoreOp>(lowerViewStore);
  table.add<tile::ViewLoadRowsOp>(lowerViewLoadRows);
  table.add<tile::ViewStoreRowsOp>(lowerViewStoreRows);
}

} // namespace tessera::ir::interp
