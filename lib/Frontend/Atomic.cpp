//===- Atomic.cpp - memory shared by programs ----------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// SEMANTICS M5, and last_program of M4.
//
//===---------------------------------------------------------------------===//

#include "tessera/lang/Atomic.h"

#include "Frontend/Access.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tessera::ir {

namespace {

enum class Atomic : std::uint8_t { Add, Sub, Max, Min, And, Or, Xor, Xchg };

/// What all atomics check first.
struct Place {
  Typed pointers;
  DType dtype; ///< of the elements
  Value mask;  ///< null if there is none
};

} // namespace

static tile::MemoryOrder orderOf(Order order) {
  switch (order) {
  case Order::relaxed:
    return tile::MemoryOrder::Relaxed;
  case Order::acquire:
    return tile::MemoryOrder::Acquire;
  case Order::release:
    return tile::MemoryOrder::Release;
  case Order::acq_rel:
    return tile::MemoryOrder::AcqRel;
  }
  return tile::MemoryOrder::AcqRel;
}

static tile::MemoryScope scopeOf(Scope scope) {
  switch (scope) {
  case Scope::block:
    return tile::MemoryScope::Block;
  case Scope::device:
    return tile::MemoryScope::Device;
  case Scope::system:
    return tile::MemoryScope::System;
  }
  return tile::MemoryScope::System;
}

static std::string_view nameOf(Order order) {
  switch (order) {
  case Order::relaxed:
    return "Order::relaxed";
  case Order::acquire:
    return "Order::acquire";
  case Order::release:
    return "Order::release";
  case Order::acq_rel:
    return "Order::acq_rel";
  }
  return "Order";
}

static Place placeFor(Recorder &r, const Operand &pointers, const OptionalOperand &mask, std::string_view verb) {
  r.refuseInCombine(verb);
  Place place;
  place.pointers = pointerOperand(r, pointers, std::string(verb) + " on");
  place.dtype = place.pointers.dtype.pointee();
  if (place.dtype.isBool())
    r.fail("{} on {}; i1 has no atomics; use u8 or a wider integer", verb, describe(place.pointers));
  if (mask.isPresent())
    place.mask = maskFor(r, mask, place.pointers).value;
  return place;
}

static std::optional<tile::AtomicKind> kindFor(Atomic atomic, DType dtype) {
  const bool isFloat = dtype.isFloat() && !dtype.isFp8();
  switch (atomic) {
  case Atomic::Add:
    if (isFloat)
      return tile::AtomicKind::FAdd;
    return dtype.isInt() ? std::optional(tile::AtomicKind::Add) : std::nullopt;
  case Atomic::Sub:
    if (isFloat)
      return tile::AtomicKind::FSub;
    return dtype.isInt() ? std::optional(tile::AtomicKind::Sub) : std::nullopt;
  case Atomic::Max:
    if (isFloat)
      return tile::AtomicKind::FMax;
    return dtype.isSigned()     ? std::optional(tile::AtomicKind::Max)
           : dtype.isUnsigned() ? std::optional(tile::AtomicKind::UMax)
                                : std::nullopt;
  case Atomic::Min:
    if (isFloat)
      return tile::AtomicKind::FMin;
    return dtype.isSigned()     ? std::optional(tile::AtomicKind::Min)
           : dtype.isUnsigned() ? std::optional(tile::AtomicKind::UMin)
                                : std::nullopt;
  case Atomic::And:
    return dtype.isInt() ? std::optional(tile::AtomicKind::And) : std::nullopt;
  case Atomic::Or:
    return dtype.isInt() ? std::optional(tile::AtomicKind::Or) : std::nullopt;
  case Atomic::Xor:
    return dtype.isInt() ? std::optional(tile::AtomicKind::Xor) : std::nullopt;
  case Atomic::Xchg:
    return tile::AtomicKind::Xchg;
  }
  return std::nullopt;
}

static Tile readModifyWrite(Atomic atomic, std::string_view verb, const Operand &pointers, const Operand &value,
                            const OptionalOperand &mask, Order order, Scope scope, At at) {
  Recorder r(at);
  const Place place = placeFor(r, pointers, mask, verb);
  const std::optional<tile::AtomicKind> kind = kindFor(atomic, place.dtype);
  if (!kind)
    r.fail("{} on {}; it works on integers of 8 to 64 bits{}", verb, describe(place.pointers),
           atomic <= Atomic::Min ? " and on f16, bf16, f32 and f64; keep the sum in one of these"
                                 : "; read the memory as one with .as(dtype)");
  const Typed operand = valueFor(r, value, place.pointers, "the value");
  return r.tile({tile::AtomicRMWOp::create(r.builder(), r.loc, *kind, orderOf(order), scopeOf(scope),
                                           place.pointers.value, operand.value, place.mask),
                 place.dtype});
}

/// Throws unless \p order is relaxed or \p other.
static void checkOneWay(const Recorder &r, std::string_view verb, Order order, Order other) {
  if (order != Order::relaxed && order != other)
    r.fail("{} with {}; it takes Order::relaxed or {}", verb, nameOf(order), nameOf(other));
}

/// `true` in the last of \p arrivals (an i64) programs to arrive.
static Typed lastOf(Recorder &r, const Operand &counter, Value arrivals) {
  OpBuilder &b = r.builder();
  const Place place = placeFor(r, counter, {}, "last_program");
  if (rankOf(place.pointers) != 0 || !place.dtype.isInt() || place.dtype.bits() < 32)
    r.fail(
        "the counter is {}; it must be one pointer to i32, u32, i64 or u64, whose memory was zeroed before the launch",
        describe(place.pointers));
  const Typed one = r.constantInt(place.dtype, 1);
  const Value old = tile::AtomicRMWOp::create(b, r.loc, tile::AtomicKind::Add, tile::MemoryOrder::AcqRel,
                                              tile::MemoryScope::Device, place.pointers.value, one.value);
  const Typed total = r.convert({arrivals, i64}, place.dtype);
  const Value last = mlir::arith::SubIOp::create(b, r.loc, total.value, one.value);
  return {mlir::arith::CmpIOp::create(b, r.loc, mlir::arith::CmpIPredicate::eq, old, last), i1};
}

} // namespace tessera::ir

namespace tessera {

using ir::Atomic;
using ir::Recorder;
using ir::Typed;
namespace tile = ir::tile;

Tile atomic_add(Operand pointers, Operand value, AtomicOptions options, std::source_location at) {
  return ir::readModifyWrite(Atomic::Add, "atomic_add", pointers, value, options.mask, options.order, options.scope,
                             at);
}
Tile atomic_sub(Operand pointers, Operand value, AtomicOptions options, std::source_location at) {
  return ir::readModifyWrite(Atomic::Sub, "atomic_sub", pointers, value, options.mask, options.order, options.scope,
                             at);
}
Tile atomic_max(Operand pointers, Operand value, AtomicOptions options, std::source_location at) {
  return ir::readModifyWrite(Atomic::Max, "atomic_max", pointers, value, options.mask, options.order, options.scope,
                             at);
}
Tile atomic_min(Operand pointers, Operand value, AtomicOptions options, std::source_location at) {
  return ir::readModifyWrite(Atomic::Min, "atomic_min", pointers, value, options.mask, options.order, options.scope,
                             at);
}
Tile atomic_and(Operand pointers, Operand value, AtomicOptions options, std::source_location at) {
  return ir::readModifyWrite(Atomic::And, "atomic_and", pointers, value, options.mask, options.order, options.scope,
                             at);
}
Tile atomic_or(Operand pointers, Operand value, AtomicOptions options, std::source_location at) {
  return ir::readModifyWrite(Atomic::Or, "atomic_or", pointers, value, options.mask, options.order, options.scope, at);
}
Tile atomic_xor(Operand pointers, Operand value, AtomicOptions options, std::source_location at) {
  return ir::readModifyWrite(Atomic::Xor, "atomic_xor", pointers, value, options.mask, options.order, options.scope,
                             at);
}
Tile atomic_xchg(Operand pointers, Operand value, ExchangeOptions options, std::source_location at) {
  return ir::readModifyWrite(Atomic::Xchg, "atomic_xchg", pointers, value, options.mask, options.order, options.scope,
                             at);
}

Tile atomic_cas(Operand pointers, Operand expected, Operand desired, ExchangeOptions options, std::source_location at) {
  Recorder r(at);
  const ir::Place place = ir::placeFor(r, pointers, options.mask, "atomic_cas");
  const Typed old = ir::valueFor(r, expected, place.pointers, "the expected value");
  const Typed replacement = ir::valueFor(r, desired, place.pointers, "the desired value");
  return r.tile({tile::AtomicCASOp::create(r.builder(), r.loc, ir::orderOf(options.order), ir::scopeOf(options.scope),
                                           place.pointers.value, old.value, replacement.value, place.mask),
                 place.dtype});
}

Tile atomic_load(Operand pointers, AtomicOptions options, std::source_location at) {
  Recorder r(at);
  const ir::Place place = ir::placeFor(r, pointers, options.mask, "atomic_load");
  ir::checkOneWay(r, "atomic_load", options.order, Order::acquire);
  return r.tile({tile::AtomicLoadOp::create(r.builder(), r.loc, ir::orderOf(options.order), ir::scopeOf(options.scope),
                                            place.pointers.value, place.mask),
                 place.dtype});
}

void atomic_store(Operand pointers, Operand value, AtomicOptions options, std::source_location at) {
  Recorder r(at);
  const ir::Place place = ir::placeFor(r, pointers, options.mask, "atomic_store");
  ir::checkOneWay(r, "atomic_store", options.order, Order::release);
  const Typed operand = ir::valueFor(r, value, place.pointers, "the value");
  tile::AtomicStoreOp::create(r.builder(), r.loc, ir::orderOf(options.order), ir::scopeOf(options.scope),
                              place.pointers.value, operand.value, place.mask);
}

Bool last_program(Operand counter, std::source_location at) {
  Recorder r(at);
  r.refuseInCombine("last_program");
  ir::Value all;
  for (const tile::Axis axis : {tile::Axis::X, tile::Axis::Y, tile::Axis::Z}) {
    const ir::Value extent = tile::NumProgramsOp::create(r.builder(), r.loc, axis);
    all = all ? ir::Value(mlir::arith::MulIOp::create(r.builder(), r.loc, all, extent)) : extent;
  }
  return Bool(r.snapshot(ir::lastOf(r, counter, all)), at);
}

Bool last_program(Operand counter, IndexOperand arrivals, std::source_location at) {
  Recorder r(at);
  r.refuseInCombine("last_program");
  if (arrivals.form == Operand::Form::Integer && (arrivals.negative || arrivals.integer == 0))
    throw UsageError(arrivals.at, fmt::format("last_program of {} arrivals; at least 1 program arrives",
                                              static_cast<std::int64_t>(arrivals.integer)));
  const Typed count = r.index(arrivals, "the number of arrivals");
  return Bool(r.snapshot(ir::lastOf(r, counter, count.value)), at);
}

} // namespace tessera
