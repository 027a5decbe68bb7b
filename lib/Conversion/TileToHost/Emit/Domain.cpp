//===- Domain.cpp - loops and branches of emitted code -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Loops that turn once and branches whose condition is known are not emitted.
//
//===---------------------------------------------------------------------===//

#include "Conversion/TileToHost/Emit/Core.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

namespace tessera::ir::host {

namespace scf = mlir::scf;

//===----------------------------------------------------------------------===//
// Ranges and branches
//===----------------------------------------------------------------------===//

/// How often the loop turns, where that is known.
static std::optional<int64_t> turnsOf(Value low, Value high, int64_t step) {
  APInt from, to;
  if (!mlir::matchPattern(low, mlir::m_ConstantInt(&from)) || !mlir::matchPattern(high, mlir::m_ConstantInt(&to)))
    return std::nullopt;
  const int64_t length = to.getSExtValue() - from.getSExtValue();
  return length <= 0 ? 0 : (length - 1) / step + 1;
}

SmallVector<Value> Emitter::forRange(Value low, Value high, int64_t step, ValueRange init,
                                     function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  const std::optional<int64_t> turns = turnsOf(low, high, step);
  if (turns == 0)
    return SmallVector<Value>(init);
  if (turns == 1)
    return body(low, init);
  auto loop = scf::ForOp::create(s->b, s->loc, low, high, i64(step), init,
                                 [](OpBuilder &, Location, Value, ValueRange) {}); // the body is filled below
  OpBuilder::InsertionGuard guard(s->b);
  s->b.setInsertionPointToEnd(loop.getBody());
  const SmallVector<Value> next = body(loop.getInductionVar(), loop.getRegionIterArgs());
  scf::YieldOp::create(s->b, s->loc, next);
  return SmallVector<Value>(loop.getResults());
}

void Emitter::forRange(Value low, Value high, int64_t step, function_ref<void(Value)> body) {
  forRange(low, high, step, {}, [&](Value index, ValueRange) -> SmallVector<Value> {
    body(index);
    return {};
  });
}

SmallVector<Value> Emitter::ifElse(Value condition, TypeRange results, function_ref<SmallVector<Value>()> then,
                                   function_ref<SmallVector<Value>()> otherwise) {
  APInt known;
  if (mlir::matchPattern(condition, mlir::m_ConstantInt(&known)))
    return known.getBoolValue() ? then() : otherwise();
  auto branch = scf::IfOp::create(s->b, s->loc, results, condition, /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(s->b);
  s->b.setInsertionPointToEnd(branch.thenBlock());
  scf::YieldOp::create(s->b, s->loc, then());
  s->b.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(s->b, s->loc, otherwise());
  return SmallVector<Value>(branch.getResults());
}

void Emitter::ifThen(Value condition, function_ref<void()> then) {
  APInt known;
  if (mlir::matchPattern(condition, mlir::m_ConstantInt(&known))) {
    if (known.getBoolValue())
      then();
    return;
  }
  auto branch = scf::IfOp::create(s->b, s->loc, TypeRange(), condition, /*addThenBlock=*/true, /*addElseBlock=*/false);
  OpBuilder::InsertionGuard guard(s->b);
  s->b.setInsertionPointToEnd(branch.thenBlock());
  then();
  scf::YieldOp::create(s->b, s->loc);
}

//===----------------------------------------------------------------------===//
// Domains
//===----------------------------------------------------------------------===//

unsigned Emitter::preferredLanes(ArrayRef<Type> elements) {
  unsigned bytes = 1;
  for (Type element : elements) {
    const bool computesWider = isa<FloatType>(element) && tile::bitsOf(element) < 32;
    bytes = std::max(bytes, computesWider ? 4u : storedBytes(element));
  }
  return std::clamp(s->options.vectorBytes / bytes, 1u, 64u);
}

SmallVector<LaneBlock, 4> blocksFrom(Emitter &e, const LaneBlock &first, unsigned count) {
  SmallVector<LaneBlock, 4> blocks(count, first);
  for (unsigned i = 1; i < count; ++i)
    blocks[i].index[first.axis] = e.add(first.index[first.axis], e.i64(int64_t(i) * first.lanes));
  return blocks;
}

namespace {

/// The loops of forDomain().
struct Nest {
  Emitter &e;
  const Domain &domain;
  unsigned unroll;
  function_ref<SmallVector<Value>(ArrayRef<LaneBlock>, ValueRange)> body;
  SmallVector<DomainLoop, 5> loops;
  LaneBlock at;

  SmallVector<Value> run(size_t depth, ValueRange carried) {
    if (depth == loops.size())
      return body(at, carried);
    const DomainLoop loop = loops[depth];
    const bool isInner = depth + 1 == loops.size();
    const auto turns = isInner ? std::min<int64_t>(unroll, loop.extent / domain.lanes) : 1;
    const int64_t step = isInner ? turns * domain.lanes : 1;
    return e.forRange(e.i64(0), e.i64(loop.extent), step, carried, [&](Value index, ValueRange inside) {
      at.index[loop.axis] = index;
      return isInner ? body(blocksFrom(e, at, static_cast<unsigned>(turns)), inside) : run(depth + 1, inside);
    });
  }
};

} // namespace

SmallVector<Value> Emitter::forDomain(const Domain &domain, unsigned unroll, ValueRange init,
                                      function_ref<SmallVector<Value>(ArrayRef<LaneBlock>, ValueRange)> body) {
  Nest nest{*this, domain, unroll, body, loopsOf(domain), {}};
  nest.at.index.assign(domain.shape.size(), i64(0));
  nest.at.axis = domain.axis;
  nest.at.lanes = domain.lanes;
  return nest.run(0, init);
}

void Emitter::forDomain(const Domain &domain, unsigned unroll, function_ref<void(ArrayRef<LaneBlock>)> body) {
  forDomain(domain, unroll, {}, [&](ArrayRef<LaneBlock> blocks, ValueRange) -> SmallVector<Value> {
    body(blocks);
    return {};
  });
}

//===----------------------------------------------------------------------===//
// Lanes one by one
//===----------------------------------------------------------------------===//

SmallVector<Value> Emitter::mapLanes(ArrayRef<Value> vectors, TypeRange elements,
                                     function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  const unsigned lanes = vectors.empty() ? 1 : lanesOf(vectors[0]);
  if (lanes == 1)
    return body(i64(0), vectors);
  const uint64_t keep = s->scratchUsed;
  const auto line = [&](Type element) { return scratchBuffer({int64_t(lanes)}, element); };
  const LaneBlock whole{{i64(0)}, 0, lanes};
  SmallVector<Buffer> in, out;
  for (Value vector : vectors) {
    in.push_back(line(cast<mlir::VectorType>(vector.getType()).getElementType()));
    writeBuffer(in.back(), vector, whole);
  }
  for (Type element : elements)
    out.push_back(line(element));
  forRange(i64(0), i64(lanes), 1, [&](Value lane) {
    const LaneBlock one{{lane}, 0, 1};
    SmallVector<Value> scalars;
    for (const Buffer &buffer : in)
      scalars.push_back(readBuffer(buffer, one));
    for (auto [buffer, result] : llvm::zip_equal(out, body(lane, scalars)))
      writeBuffer(buffer, result, one);
  });
  SmallVector<Value> results;
  for (const Buffer &buffer : out)
    results.push_back(readBuffer(buffer, whole));
  s->scratchUsed = keep;
  return results;
}

void Emitter::forLanes(ArrayRef<Value> vectors, function_ref<void(Value, ValueRange)> body) {
  mapLanes(vectors, {}, [&](Value lane, ValueRange scalars) -> SmallVector<Value> {
    body(lane, scalars);
    return {};
  });
}

} // namespace tessera::ir::host
