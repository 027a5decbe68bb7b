//===- Program.cpp - the grid and tiles from nothing ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "tessera/lang/Program.h"

#include "Frontend/Recorder.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"
#include "tessera/lang/Math.h"

#include <limits>

namespace tessera {

using ir::Recorder;

static ir::tile::Axis gridAxis(const Recorder &r, int axis) {
  if (axis < 0 || axis > 2)
    r.fail("axis {} of the grid; a grid has the axes 0, 1 and 2", axis);
  return static_cast<ir::tile::Axis>(axis);
}

Int program_id(int axis, std::source_location at) {
  Recorder r(at);
  const ir::Value id = ir::tile::ProgramIdOp::create(r.builder(), r.loc, r.builder().getI64Type(), gridAxis(r, axis));
  return Int(r.snapshot({id, i64}), at);
}

Int num_programs(int axis, std::source_location at) {
  Recorder r(at);
  const ir::Value count =
      ir::tile::NumProgramsOp::create(r.builder(), r.loc, r.builder().getI64Type(), gridAxis(r, axis));
  return Int(r.snapshot({count, i64}), at);
}

ProgramPlace grouped_program_id(Int blocks_m, Int blocks_n, Int group, std::source_location at) {
  using Arg = ScalarOperand<i64>;
  const Int id = program_id(0, at);
  const Int per_group = Arg(group, at) * Arg(blocks_n, at);
  const Int first = (Arg(id, at) / Arg(per_group, at)) * Arg(group, at);
  const Int left = Arg(blocks_m, at) - Arg(first, at);
  const Int rows(minimum(Operand(left, at), Operand(group, at), {}, at), at);
  const Int within = Arg(id, at) % Arg(per_group, at);
  return {Arg(first, at) + Arg(Arg(within, at) % Arg(rows, at), at), Arg(within, at) / Arg(rows, at)};
}

Tile arange(std::int64_t first, std::int64_t last, std::source_location at) {
  Recorder r(at);
  constexpr std::int64_t least = std::numeric_limits<std::int32_t>::min(),
                         most = std::numeric_limits<std::int32_t>::max();
  if (first < least || last > most || first >= last)
    r.fail("arange({}, {}); it counts up through values of i32, so {} <= first < last <= {}", first, last, least, most);
  const std::int64_t extent = last - first;
  if (extent & (extent - 1))
    r.fail("arange({}, {}) has {} elements; the number of elements is a power of two; use arange({}, {}) and mask the "
           "elements from {} on",
           first, last, extent, first, first + ir::nextPowerOfTwo(extent), last);
  ir::checkBlock({extent}, fmt::format("arange({}, {})", first, last), at);
  return r.tile({ir::tile::ArangeOp::create(r.builder(), r.loc, static_cast<std::int32_t>(first),
                                            static_cast<std::int32_t>(last)),
                 i32});
}

static ir::SmallVector<std::int64_t> filledShape(const Recorder &r, DType dtype, const Shape &shape) {
  if (dtype.isPointer() || dtype.kind <= Kind::Any)
    r.fail("a tile of {} filled with a number; name a number type, as in zeros(f32, {{128}})", ir::nameOf(dtype));
  return ir::blockShape(shape, "a tile of " + ir::nameOf(dtype), r.at);
}

Tile zeros(DType dtype, const Shape &shape, std::source_location at) {
  Recorder r(at);
  return r.tile(r.constantInt(dtype, 0, filledShape(r, dtype, shape)));
}

Tile ones(DType dtype, const Shape &shape, std::source_location at) {
  Recorder r(at);
  return r.tile(r.constantInt(dtype, 1, filledShape(r, dtype, shape)));
}

Tile full(DType dtype, const Shape &shape, Operand value, std::source_location at) {
  Recorder r(at);
  const ir::SmallVector<std::int64_t> extents = filledShape(r, dtype, shape);
  const ir::Typed scalar = r.operandAs(value, dtype, "the value");
  if (ir::rankOf(scalar) != 0)
    r.fail("a tile filled with {}; the value is one number; use broadcast_to for tiles", ir::describe(scalar));
  return r.tile(r.broadcast(scalar, extents));
}

} // namespace tessera
