//===- Random.cpp - random numbers from a counter ------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// SEMANTICS N1. The formulas stand in the header.
//
//===---------------------------------------------------------------------===//

#include "tessera/lang/Random.h"

#include "Frontend/Recorder.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace tessera::ir {

namespace arith = mlir::arith;
namespace math = mlir::math;

static constexpr std::int64_t kMaxRounds = 16;

namespace {

/// The two halves of a 64-bit integer, as u32.
struct Words {
  Typed low, high;
};

} // namespace

/// An integer operand; \p what names its role.
static Typed integer(Recorder &r, const Operand &operand, std::string_view what) {
  if (operand.isLiteral() && operand.form != Operand::Form::Integer)
    throw UsageError(operand.at, fmt::format("{} is {}; it must be an integer", what, describe(operand)));
  const Typed value = r.operand(operand);
  if (!value.dtype.isInt())
    r.fail("{} is {}; it must be an integer; convert with .to(i64)", what, describe(value));
  return value;
}

static Typed shiftRight(Recorder &r, Typed value, int count) {
  const Typed by = r.constantInt(value.dtype, count, shapeOf(value));
  return {tile::ShrOp::create(r.builder(), r.loc, value.value, by.value, /*is_unsigned=*/true), value.dtype};
}

static Words wordsOf(Recorder &r, Typed value) {
  const Typed wide = r.convert(value, u64);
  return {r.convert(wide, u32), r.convert(shiftRight(r, wide, 32), u32)};
}

static tile::PhiloxOp draw(Recorder &r, const Words &key, ArrayRef<Typed> counter, const RandomOptions &options) {
  if (options.rounds < 1 || options.rounds > kMaxRounds)
    r.fail("philox with {} rounds; it has 1 to {}, 10 unless speed matters more than quality", options.rounds,
           kMaxRounds);
  SmallVector<Typed> words{key.low, key.high};
  words.append(counter.begin(), counter.end());
  const Operands w = r.broadcastAll("draw random numbers from", words);
  return tile::PhiloxOp::create(r.builder(), r.loc, w[0].value, w[1].value, w[2].value, w[3].value, w[4].value,
                                w[5].value, static_cast<std::uint32_t>(options.rounds));
}

/// Philox at an offset: the counter is (low, high, 0, 0).
static tile::PhiloxOp drawAt(Recorder &r, const Operand &seed, const Operand &offset, const RandomOptions &options,
                             std::string_view verb) {
  r.refuseInCombine(verb);
  const Words key = wordsOf(r, integer(r, seed, "the seed"));
  const Words place = wordsOf(r, integer(r, offset, "the offset"));
  const Typed zero = r.constantInt(u32, 0);
  return draw(r, key, {place.low, place.high, zero, zero}, options);
}

/// `((word >> 8) + first) * 2^-24` as f32, exact.
static Value uniform(Recorder &r, Value word, std::int64_t first) {
  OpBuilder &b = r.builder();
  Typed bits = shiftRight(r, {word, u32}, 8);
  if (first != 0)
    bits.value = arith::AddIOp::create(b, r.loc, bits.value, r.constantInt(u32, first, shapeOf(bits)).value);
  const Typed number = r.convert(bits, f32);
  return arith::MulFOp::create(b, r.loc, number.value, r.constant(f32, 0x1p-24, shapeOf(number)).value);
}

static Value normal(Recorder &r, Value w0, Value w1) {
  OpBuilder &b = r.builder();
  const auto times = [&](Value x, double factor) -> Value {
    return arith::MulFOp::create(b, r.loc, x, r.constant(f32, factor, shapeOf(x)).value);
  };
  const Value u = uniform(r, w0, 1), v = uniform(r, w1, 0);
  const Value radius = math::SqrtOp::create(b, r.loc, times(math::LogOp::create(b, r.loc, u), -2.0));
  const Value cosine = math::CosOp::create(b, r.loc, times(v, 6.283185307179586));
  return arith::MulFOp::create(b, r.loc, radius, cosine);
}

} // namespace tessera::ir

namespace tessera {

using ir::Recorder;
using ir::Typed;

RandomWords philox(Operand key, Operand c0, Operand c1, Operand c2, Operand c3, RandomOptions options,
                   std::source_location at) {
  Recorder r(at);
  r.refuseInCombine("philox");
  const ir::Words words = ir::wordsOf(r, ir::integer(r, key, "the key"));
  ir::SmallVector<Typed> counter;
  for (const Operand *word : {&c0, &c1, &c2, &c3})
    counter.push_back(r.convert(ir::integer(r, *word, "the counter"), u32));
  auto op = ir::draw(r, words, counter, options);
  return {r.tile({op.getR0(), u32}), r.tile({op.getR1(), u32}), r.tile({op.getR2(), u32}), r.tile({op.getR3(), u32})};
}

Tile randint(Operand seed, Operand offset, RandomOptions options, std::source_location at) {
  Recorder r(at);
  return r.tile({ir::drawAt(r, seed, offset, options, "randint").getR0(), u32});
}

Tile rand(Operand seed, Operand offset, RandomOptions options, std::source_location at) {
  Recorder r(at);
  return r.tile({ir::uniform(r, ir::drawAt(r, seed, offset, options, "rand").getR0(), 0), f32});
}

Tile randn(Operand seed, Operand offset, RandomOptions options, std::source_location at) {
  Recorder r(at);
  auto words = ir::drawAt(r, seed, offset, options, "randn");
  return r.tile({ir::normal(r, words.getR0(), words.getR1()), f32});
}

} // namespace tessera
