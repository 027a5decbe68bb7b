//===- CastOps.cpp - conversions between element types ---------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Interp/Lowering.h"
#include "Target/Interp/Ops/Elementwise.h"
#include "Target/Interp/Ops/Families.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

namespace tessera::ir::interp {

using namespace mlir;

void copyBits(const Inst &inst, Frame &frame) {
  std::memcpy(frame.out<char>(inst), frame.in<char>(inst, 0), inst.out[0].bytes());
}

namespace {

template <class To, class From, class Fn> void convertLoop(const Inst &inst, Frame &frame) {
  const From *__restrict x = frame.in<From>(inst, 0);
  To *__restrict r = frame.out<To>(inst);
  for (std::uint32_t i = 0, n = inst.n; i != n; ++i)
    r[i] = Fn::template apply<To>(x[i]);
}

// -- Integer to integer (SEMANTICS C3) ------------------------------------------------------------

struct SignExtend {
  template <class To, class From> static To apply(From x) {
    return AsSigned<To>::put(static_cast<typename AsSigned<To>::type>(AsSigned<From>::get(x)));
  }
};
struct ZeroExtend {
  template <class To, class From> static To apply(From x) {
    return AsUnsigned<To>::put(static_cast<typename AsUnsigned<To>::type>(AsUnsigned<From>::get(x)));
  }
};

template <class Fn> LogicalResult lowerIntToInt(Operation &op, Builder &b) {
  const Elem from = *elemOf(op.getOperand(0).getType()), to = *elemOf(op.getResult(0).getType());
  b.emit(op, dispatchInt<ExecFn>(from, [&]<class From>() -> ExecFn {
           return dispatchInt<ExecFn>(to, []<class To>() -> ExecFn { return convertLoop<To, From, Fn>; });
         }));
  return success();
}

// -- Integer to float, rounding once (SEMANTICS C2) -----------------------------------------------

template <template <class> class Read> struct IntToFloat {
  template <class To, class From> static To apply(From x) {
    const auto v = Read<From>::get(x);
    if constexpr (std::is_same_v<To, float> || std::is_same_v<To, double>)
      return static_cast<To>(v);
    else if constexpr (std::is_signed_v<decltype(v)>)
      return fromDouble<To>(toDoubleSticky(static_cast<std::int64_t>(v)));
    else
      return fromDouble<To>(toDoubleSticky(static_cast<std::uint64_t>(v)));
  }
};

template <template <class> class Read> LogicalResult lowerIntToFloat(Operation &op, Builder &b) {
  const Elem from = *elemOf(op.getOperand(0).getType()), to = *elemOf(op.getResult(0).getType());
  b.emit(op, dispatchInt<ExecFn>(from, [&]<class From>() -> ExecFn {
           return dispatchAnyFloat<ExecFn>(
               to, []<class To>() -> ExecFn { return convertLoop<To, From, IntToFloat<Read>>; });
         }));
  return success();
}

// -- Float to integer (SEMANTICS C2) --------------------------------------------------------------

template <bool isUnsigned> struct FloatToInt {
  template <class To, class From> static To apply(From x) {
    using V = std::conditional_t<isUnsigned, typename AsUnsigned<To>::type, typename AsSigned<To>::type>;
    return static_cast<To>(truncateSaturating<V>(toDouble(x)));
  }
};

LogicalResult lowerFloatToInt(Operation &op, Builder &b) {
  const bool isUnsigned = cast<tile::FloatToIntOp>(op).getIsUnsigned();
  const Elem from = *elemOf(op.getOperand(0).getType()), to = *elemOf(op.getResult(0).getType());
  const ExecFn exec = dispatchAnyFloat<ExecFn>(from, [&]<class From>() -> ExecFn {
    return dispatchInt<ExecFn>(to, [&]<class To>() -> ExecFn {
      if constexpr (std::is_same_v<To, Bool>)
        return nullptr;
      else
        return isUnsigned ? convertLoop<To, From, FloatToInt<true>> : convertLoop<To, From, FloatToInt<false>>;
    });
  });
  if (!exec)
    return b.refuse(op, "does not convert to i1");
  b.emit(op, exec);
  return success();
}

// -- Float to float (SEMANTICS C1) ----------------------------------------------------------------

struct Nearest {
  template <class To, class From> static To apply(From x) {
    if constexpr (std::is_same_v<To, double>)
      return widen(x);
    else if constexpr (!std::is_same_v<From, double>)
      return narrow<To>(widen(x)); // f32 holds every narrower value exactly
    else
      return fromDouble<To>(x);
  }
};

struct ConvertPayload : Payload {
  Rounding rounding;
  bool saturate;
};

template <class To, class From> void roundingLoop(const Inst &inst, Frame &frame) {
  const auto &how = inst.payload<ConvertPayload>();
  const From *x = frame.in<From>(inst, 0);
  const std::uint32_t *random = inst.in.size() > 1 ? frame.in<std::uint32_t>(inst, 1) : nullptr;
  To *r = frame.out<To>(inst);
  for (std::uint32_t i = 0; i != inst.n; ++i)
    r[i] = fromDouble<To>(toDouble(x[i]), how.rounding, how.saturate, random ? random[i] : 0);
}

LogicalResult lowerConvert(Operation &op, Builder &b, Rounding rounding, bool saturate) {
  const Elem from = *elemOf(op.getOperand(0).getType()), to = *elemOf(op.getResult(0).getType());
  const bool plain = rounding == Rounding::Nearest && !saturate;
  const ExecFn exec = dispatchAnyFloat<ExecFn>(from, [&]<class From>() -> ExecFn {
    return dispatchAnyFloat<ExecFn>(
        to, [&]<class To>() -> ExecFn { return plain ? convertLoop<To, From, Nearest> : roundingLoop<To, From>; });
  });
  Inst &inst = b.emit(op, exec);
  if (!plain) {
    auto payload = std::make_unique<ConvertPayload>();
    payload->rounding = rounding;
    payload->saturate = saturate;
    inst.extra = std::move(payload);
  }
  return success();
}

LogicalResult lowerConvertFloat(Operation &op, Builder &b) {
  auto convert = cast<tile::ConvertFloatOp>(op);
  const auto rounding = [&] {
    switch (convert.getRounding()) {
    case tile::FloatRounding::Nearest:
      return Rounding::Nearest;
    case tile::FloatRounding::TowardZero:
      return Rounding::TowardZero;
    case tile::FloatRounding::Stochastic:
      return Rounding::Stochastic;
    }
    return Rounding::Nearest;
  }();
  return lowerConvert(op, b, rounding, convert.getSaturate());
}

LogicalResult lowerPlainConvert(Operation &op, Builder &b) { return lowerConvert(op, b, Rounding::Nearest, false); }

LogicalResult lowerCopy(Operation &op, Builder &b) {
  b.emit(op, copyBits);
  return success();
}

} // namespace

void registerCastOps(OpTable &table) {
  table.add("arith.extsi", lowerIntToInt<SignExtend>);
  table.add("arith.extui", lowerIntToInt<ZeroExtend>);
  table.add("arith.trunci", lowerIntToInt<ZeroExtend>);
  table.add("arith.sitofp", lowerIntToFloat<AsSigned>);
  table.add("arith.uitofp", lowerIntToFloat<AsUnsigned>);
  table.add("arith.extf", lowerPlainConvert);
  table.add("arith.truncf", lowerPlainConvert);
  table.add("arith.bitcast", lowerCopy);
  table.add<tile::ConvertFloatOp>(lowerConvertFloat);
  table.add<tile::FloatToIntOp>(lowerFloatToInt);
  table.add<tile::BitcastOp>(lowerCopy); // part 0 of a split element holds the lowest bits, as in memory
  table.add<tile::PtrToIntOp>(lowerCopy);
  table.add<tile::IntToPtrOp>(lowerCopy);
  table.add<tile::PtrCastOp>(lowerCopy);
}

} // namespace tessera::ir::interp
