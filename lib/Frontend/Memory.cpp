//===- Memory.cpp - loads and stores through pointers --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "tessera/lang/Memory.h"

#include "Frontend/Access.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

namespace tessera::ir {

tile::CacheHint loadCache(const Recorder &r, Cache cache) {
  switch (cache) {
  case Cache::normal:
    return tile::CacheHint::None;
  case Cache::all:
    return tile::CacheHint::All;
  case Cache::global:
    return tile::CacheHint::Global;
  case Cache::streaming:
    return tile::CacheHint::Streaming;
  case Cache::again:
    return tile::CacheHint::Volatile;
  case Cache::write_back:
    break;
  }
  r.fail("Cache::write_back on a load; it is for stores; loads take all, global, streaming and again");
}

tile::CacheHint storeCache(const Recorder &r, Cache cache) {
  switch (cache) {
  case Cache::normal:
    return tile::CacheHint::None;
  case Cache::global:
    return tile::CacheHint::Global;
  case Cache::streaming:
    return tile::CacheHint::Streaming;
  case Cache::write_back:
    return tile::CacheHint::WriteBack;
  case Cache::all:
  case Cache::again:
    break;
  }
  r.fail("Cache::{} on a store; it is for loads; stores take global, streaming and write_back",
         cache == Cache::all ? "all" : "again");
}

tile::EvictHint evictHint(Evict evict) {
  switch (evict) {
  case Evict::normal:
    return tile::EvictHint::Normal;
  case Evict::first:
    return tile::EvictHint::First;
  case Evict::last:
    return tile::EvictHint::Last;
  }
  return tile::EvictHint::Normal;
}

Typed pointerOperand(Recorder &r, const Operand &operand, std::string_view verb) {
  const Typed pointers = r.operand(operand);
  if (!pointers.dtype.isPointer() || isView(pointers))
    r.fail("cannot {} {}; {} takes pointers; add offsets to a Ptr parameter, or use the view's own .load and .store",
           verb, describe(pointers), verb.substr(0, verb.find(' ')));
  return pointers;
}

Typed maskFor(Recorder &r, const Operand &mask, Typed pointers) {
  const Typed condition = r.condition(mask, "the mask");
  if (!Recorder::broadcasts(shapeOf(condition), shapeOf(pointers)))
    r.fail("the mask is {} for {}; it must broadcast to the shape of the pointers", describe(condition),
           describe(pointers));
  return r.broadcast(condition, shapeOf(pointers));
}

Typed valueFor(Recorder &r, const Operand &value, Typed pointers, std::string_view what) {
  const Typed typed = r.operandAs(value, pointers.dtype.pointee(), what);
  if (!Recorder::broadcasts(shapeOf(typed), shapeOf(pointers)))
    r.fail("{} is {} for {}; it must broadcast to the shape of the pointers, which are never broadcast to it", what,
           describe(typed), describe(pointers));
  return r.broadcast(typed, shapeOf(pointers));
}

} // namespace tessera::ir

namespace tessera {

using ir::Recorder;
using ir::Typed;

Tile load(Operand pointers, LoadOptions options, std::source_location at) {
  Recorder r(at);
  r.refuseInCombine("load");
  Typed from = ir::pointerOperand(r, pointers, "load from");
  const DType dtype = from.dtype.pointee();
  if (options.other.isPresent() && !options.mask.isPresent())
    r.fail("load with `other` but without `mask`; `other` is what masked lanes yield");
  ir::Value mask, other;
  if (options.mask.isPresent()) { // the pointers and the mask broadcast together
    const ir::Operands both =
        r.broadcastAll("load with these pointers and this mask:", {from, r.condition(options.mask, "the mask")});
    from = both[0];
    mask = both[1].value;
  }
  if (options.other.isPresent())
    other = ir::valueFor(r, options.other, from, "`other`").value;
  return r.tile({ir::tile::LoadOp::create(r.builder(), r.loc, from.value, mask, other, ir::loadCache(r, options.cache),
                                          ir::evictHint(options.evict), options.reload),
                 dtype});
}

void store(Operand pointers, Operand value, StoreOptions options, std::source_location at) {
  Recorder r(at);
  r.refuseInCombine("store");
  const Typed to = ir::pointerOperand(r, pointers, "store to");
  const Typed stored = ir::valueFor(r, value, to, "the value stored");
  const ir::Value mask = options.mask.isPresent() ? ir::maskFor(r, options.mask, to).value : ir::Value();
  ir::tile::StoreOp::create(r.builder(), r.loc, to.value, stored.value, mask, ir::storeCache(r, options.cache),
                            ir::evictHint(options.evict));
}

} // namespace tessera
