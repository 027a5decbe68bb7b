//===- HintOps.cpp - facts the user vouches for ----------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A compiler believes hints; the interpreter checks them (SEMANTICS P2).
//
//===---------------------------------------------------------------------===//

#include "Target/Interp/Lowering.h"
#include "Target/Interp/Ops/Elementwise.h"
#include "Target/Interp/Ops/Families.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "fmt/format.h"

#include <algorithm>
#include <limits>

namespace tessera::ir::interp {

using namespace mlir;

namespace {

struct HintPayload : Payload {
  Shape shape;
  std::array<std::int64_t, 6> multipleOf{}, maxContiguous{}; ///< per axis; 1 says nothing
  std::int64_t unit = 1;                                     ///< bytes of one element that a pointer counts
};

/// Along each axis, every aligned run of `run` elements counts up by one from a multiple of `divisor`.
template <class T> void hintLoop(const Inst &inst, Frame &frame) {
  copyBits(inst, frame);
  if (!frame.checks())
    return;
  const auto &p = inst.payload<HintPayload>();
  using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
  const T *x = frame.in<T>(inst, 0);
  std::int64_t stride = 1;
  for (unsigned axis = std::max(p.shape.rank, 1u); axis-- != 0;) {
    const std::int64_t extent = p.shape.rank ? p.shape.extent[axis] : 1;
    const std::int64_t run = p.maxContiguous[axis];
    std::int64_t divisor;
    if (__builtin_mul_overflow(p.multipleOf[axis], p.unit, &divisor))
      divisor = std::numeric_limits<std::int64_t>::max(); // only 0 is a multiple of so much
    std::uint64_t badMultiples = 0, firstMultiple = 0, badRuns = 0, firstRun = 0;
    for (std::uint32_t i = inst.n; i-- != 0;) {
      const std::int64_t along = (i / stride) % extent;
      if (along % run == 0) {
        if (static_cast<Wide>(x[i]) % static_cast<Wide>(divisor) != 0) {
          ++badMultiples;
          firstMultiple = i;
        }
      } else if (static_cast<std::uint64_t>(x[i]) - static_cast<std::uint64_t>(x[i - stride]) !=
                 static_cast<std::uint64_t>(p.unit)) {
        ++badRuns;
        firstRun = i;
      }
    }
    if (badMultiples)
      frame.fault(
          inst, firstMultiple, badMultiples,
          [&] { return fmt::format("false hint: {} is no multiple of {}", +x[firstMultiple], divisor); },
          "multiple_of must hold for every value; compiled code relies on it");
    if (badRuns)
      frame.fault(
          inst, firstRun, badRuns,
          [&] {
            return fmt::format("false hint: {} does not follow {} within a run of {}", +x[firstRun],
                               +x[firstRun - stride], run);
          },
          "max_contiguous must hold for every value; compiled code relies on it");
    stride *= extent;
  }
}

LogicalResult lowerHint(Operation &op, Builder &b) {
  auto hint = cast<tile::HintOp>(op);
  auto payload = std::make_unique<HintPayload>();
  payload->shape = shapeOf(hint.getSource().getType());
  payload->multipleOf.fill(1);
  payload->maxContiguous.fill(1);
  const Elem e = *elemOf(hint.getSource().getType());
  if (hint.getMultipleOf())
    llvm::copy(*hint.getMultipleOf(), payload->multipleOf.begin());
  if (hint.getMaxContiguous())
    llvm::copy(*hint.getMaxContiguous(), payload->maxContiguous.begin());
  if (e == Elem::Ptr)
    payload->unit =
        bytesOf(*elemOf(cast<tile::PtrType>(getElementTypeOrSelf(hint.getSource().getType())).getPointee()));
  const auto exec = [&]() -> ExecFn {
    switch (e) {
    case Elem::I8:
      return hintLoop<std::int8_t>;
    case Elem::I16:
      return hintLoop<std::int16_t>;
    case Elem::I32:
      return hintLoop<std::int32_t>;
    case Elem::I64:
      return hintLoop<std::int64_t>;
    case Elem::Ptr:
      return hintLoop<std::uint64_t>;
    default:
      return copyBits;
    }
  };
  b.emit(op, exec()).extra = std::move(payload);
  return success();
}

void assume(const Inst &inst, Frame &frame) {
  if (!frame.scalar<Bool>(inst, 0).bits && frame.checks())
    frame.fault(
        inst, 0, 1, [] { return std::string("false hint: an assumed condition is false"); },
        "assume must hold; compiled code relies on it");
}

LogicalResult lowerAssume(Operation &op, Builder &b) {
  b.emit(op, assume);
  return success();
}

} // namespace

void registerHintOps(OpTable &table) {
  table.add<tile::HintOp>(lowerHint);
  table.add<tile::AssumeOp>(lowerAssume);
}

} // namespace tessera::ir::interp
