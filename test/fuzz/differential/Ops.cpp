//===- Ops.cpp - the operations of random kernels -------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Ops.h"

#include "DTypes.h"

#include <algorithm>
#include <stdexcept>

namespace tessera::fuzz {

using Args = std::span<const Tile>;
using Types = std::span<const Type>;
using Result = std::optional<Type>;

static Shape shapeOf(const Extents &extents) {
  Shape shape;
  for (std::int64_t extent : extents)
    shape.push_back(extent);
  return shape;
}

Tile places(const Extents &shape, std::int64_t order) {
  Tile at = Tile(0);
  std::int64_t count = 1;
  for (std::int64_t extent : shape)
    count *= extent;
  std::int64_t stride = order == 2 ? 1 : count;
  for (std::size_t axis = 0; axis != shape.size(); ++axis) {
    if (order != 2)
      stride /= shape[axis];
    Extents around(shape.size(), 1);
    around[axis] = shape[axis];
    at = at + reshape(arange(0, static_cast<int>(shape[axis])), shapeOf(around)) * stride;
    if (order == 2)
      stride *= shape[axis];
  }
  return order == 1 ? Tile(count - 1 - at) : at;
}

namespace {

bool isNumber(DType t) { return t.isInt() || t.isFloat(); }
bool isInteger(DType t) { return t.isInt(); }
bool isBits(DType t) { return t.isInt() || t.isBool(); }
bool isWideFloat(DType t) { return t == f16 || t == bf16 || t == f32 || t == f64; }

/// How the dtypes that an operation takes are told.
using Takes = bool (*)(DType);
const Takes anything = [](DType) { return true; };

/// All arguments have one type, which is the result's.
auto same(Takes takes) {
  return [takes](Types args, const Statement &) -> Result {
    for (const Type &arg : args)
      if (arg != args[0] || !takes(arg.dtype))
        return std::nullopt;
    return args[0];
  };
}
/// All arguments have one type, the result has another dtype.
auto sameTo(Takes takes, DType result) {
  return [takes, result](Types args, const Statement &) -> Result {
    for (const Type &arg : args)
      if (arg != args[0] || !takes(arg.dtype))
        return std::nullopt;
    return Type{result, args[0].shape};
  };
}

std::size_t axisOf(const Type &type, const Statement &s) {
  return static_cast<std::size_t>(s.numbers.at(0)) % std::max<std::size_t>(type.shape.size(), 1);
}
int axis(const Tile &x, const Statement &s) { return static_cast<int>(s.numbers.at(0)) % std::max(x.rank(), 1); }

/// A reduction along the axis numbers[0]; `accumulates` as SEMANTICS R1 says.
auto reduced(Takes takes, DType (*result)(DType)) {
  return [takes, result](Types args, const Statement &s) -> Result {
    if (args[0].shape.empty() || !takes(args[0].dtype))
      return std::nullopt;
    Type type{result(args[0].dtype), args[0].shape};
    type.shape.erase(type.shape.begin() + static_cast<std::ptrdiff_t>(axisOf(args[0], s)));
    return type;
  };
}
/// The same type, of a tile.
auto along(Takes takes, DType (*result)(DType)) {
  return [takes, result](Types args, const Statement &) -> Result {
    if (args[0].shape.empty() || !takes(args[0].dtype))
      return std::nullopt;
    return Type{result(args[0].dtype), args[0].shape};
  };
}
DType itself(DType t) { return t; }
DType toI32(DType) { return i32; }
DType toI1(DType) { return i1; }
DType summed(DType t) {
  if (t == i1)
    return i32;
  if (t.isInt() && t.bits() < 32)
    return t.isUnsigned() ? u32 : i32;
  return t;
}

struct Table {
  std::vector<Op> list;

  Op &add(std::string name, int args, std::string text, decltype(Op::infer) infer, decltype(Op::trace) trace) {
    list.push_back({std::move(name), args, std::move(text), std::move(infer), std::move(trace)});
    return list.back();
  }
  using Unary = Tile (*)(const Tile &);
  using Binary = Tile (*)(const Tile &, const Tile &);
  using Axial = Tile (*)(const Tile &, int axis);

  Op &unary(std::string name, std::string text, decltype(Op::infer) infer, Unary fn) {
    return add(std::move(name), 1, std::move(text), std::move(infer),
               [fn](Args a, const Statement &, const Arguments &) { return fn(a[0]); });
  }
  Op &binary(std::string name, std::string text, decltype(Op::infer) infer, Binary fn) {
    return add(std::move(name), 2, std::move(text), std::move(infer),
               [fn](Args a, const Statement &, const Arguments &) { return fn(a[0], a[1]); });
  }
  Op &axial(std::string name, std::string text, decltype(Op::infer) infer, Axial fn) {
    return add(std::move(name), 1, std::move(text), std::move(infer),
               [fn](Args a, const Statement &s, const Arguments &) { return fn(a[0], axis(a[0], s)); });
  }
};

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

void addLeaves(Table &t) {
  const auto chosen = [](Types, const Statement &s) -> Result { return s.type; };
  // numbers: input, first element, order of places
  const auto place = [](const Statement &s, const Arguments &a) {
    const auto input = static_cast<std::size_t>(s.numbers[0]);
    return Tile(a.inputs[input] + (places(s.type.shape, s.numbers[2]) + s.numbers[1]));
  };
  t.add("load", 0, "load(in{n0} + (places({sh}, {n2}) + {n1}))", chosen,
        [=](Args, const Statement &s, const Arguments &a) { return load(place(s, a)); })
      .weight = 40;
  t.add(
       "load_masked", 1, "load(in{n0} + (places({sh}, {n2}) + {n1}), {{.mask = {0}, .other = 1}})",
       [](Types args, const Statement &s) -> Result {
         return args[0] == Type{i1, s.type.shape} ? Result(s.type) : std::nullopt;
       },
       [=](Args args, const Statement &s, const Arguments &a) {
         return load(place(s, a), {.mask = args[0], .other = 1});
       })
      .weight = 15;
  t.add("load_first", 0, "load(in{n0} + (places({sh}, {n2}) + {n1}), {{.mask = places({sh}, 0) < n}})", chosen,
        [=](Args, const Statement &s, const Arguments &a) {
          return load(place(s, a), {.mask = places(s.type.shape, 0) < a.n});
        })
      .weight = 15;
  t.add(
       "load_at", 1, "load(in{n0} + ({0}.to(i32) & 4095))",
       [](Types args, const Statement &s) -> Result {
         return isInteger(args[0].dtype) && args[0].shape == s.type.shape ? Result(s.type) : std::nullopt;
       },
       [](Args args, const Statement &s, const Arguments &a) {
         return load(a.inputs[static_cast<std::size_t>(s.numbers[0])] + (args[0].to(i32) & 4095));
       })
      .weight = 8;
  // Through a view whose edges cut the block. numbers: input, row, column
  t.add(
       "view_load", 0, "view(Ptr<{t}>(in{n0}), {{n + 5, 24}}).load({{{n1} - 2, {n2} - 3}}, {sh}, {{.pad = 1}})",
       [](Types, const Statement &s) -> Result { return s.type.shape.size() == 2 ? Result(s.type) : std::nullopt; },
       [](Args, const Statement &s, const Arguments &a) {
         return withDType(s.type.dtype, [&]<DType T>() {
           return view(Ptr<T>(a.inputs[static_cast<std::size_t>(s.numbers[0])]), {Int(a.n) + 5, 24})
               .load({s.numbers[1] - 2, s.numbers[2] - 3}, shapeOf(s.type.shape), {.pad = 1});
         });
       })
      .weight = 15;
  // What products take, round after round of a loop; args[0] counts. numbers: input, first element, order of places,
  // distance of the rounds
  const auto isRound = [](Types args, const Statement &s) -> Result {
    return args[0] == Type{i64, {}} ? Result(s.type) : std::nullopt;
  };
  const auto placeOfRound = [=](Args args, const Statement &s, const Arguments &a) {
    return Tile(place(s, a) + args[0] * s.numbers[3]);
  };
  t.add("load_round", 1, "load(in{n0} + (places({sh}, {n2}) + {n1}) + {0} * {n3})", isRound,
        [=](Args args, const Statement &s, const Arguments &a) { return load(placeOfRound(args, s, a)); })
      .weight = 0;
  t.add("load_round_first", 1,
        "load(in{n0} + (places({sh}, {n2}) + {n1}) + {0} * {n3}, {{.mask = places({sh}, 0) < n * 40 - {0} * 8}})",
        isRound,
        [=](Args args, const Statement &s, const Arguments &a) {
          return load(placeOfRound(args, s, a), {.mask = places(s.type.shape, 0) < a.n * 40 - args[0] * 8});
        })
      .weight = 0;
  // numbers: input, row, axis of the memory's rows, distance of the rounds along the other
  t.add(
       "view_round", 1,
       "view(Ptr<{t}>(in{n0}), {{n * 4 + 29, n * 4 + 29}}, {{{n2} ? 64 : 1, {n2} ? 1 : 64}})"
       ".load({{{n1} - 2, {0} * {n3} - 3}}, {sh})",
       [=](Types args, const Statement &s) -> Result {
         return s.type.shape.size() == 2 ? isRound(args, s) : std::nullopt;
       },
       [](Args args, const Statement &s, const Arguments &a) {
         return withDType(s.type.dtype, [&]<DType T>() {
           const Ptr<T> base(a.inputs[static_cast<std::size_t>(s.numbers[0])]);
           const Int extent = Int(a.n) * 4 + 29;
           const auto memory =
               s.numbers[2] ? view(base, {extent, extent}, {64, 1}) : view(base, {extent, extent}, {1, 64});
           return memory.load({s.numbers[1] - 2, args[0] * s.numbers[3] - 3}, shapeOf(s.type.shape));
         });
       })
      .weight = 0;
  // Pointers that a loop carries.
  t.add("pointers", 0, "in{n0} + (places({sh}, {n2}) + {n1})", chosen,
        [=](Args, const Statement &s, const Arguments &a) { return place(s, a); })
      .weight = 0;
  t.add(
       "advance", 1, "{0} + {n0}",
       [](Types args, const Statement &) -> Result {
         return args[0].dtype.isPointer() ? Result(args[0]) : std::nullopt;
       },
       [](Args args, const Statement &s, const Arguments &) { return Tile(args[0] + s.numbers[0]); })
      .weight = 0;
  t.add(
       "load_through", 1, "load({0})",
       [](Types args, const Statement &) -> Result {
         return args[0].dtype.isPointer() ? Result(Type{args[0].dtype.pointee(), args[0].shape}) : std::nullopt;
       },
       [](Args args, const Statement &, const Arguments &) { return load(args[0]); })
      .weight = 0;
  t.add("full", 0, "full({t}, {sh}, {n0})", chosen, [](Args, const Statement &s, const Arguments &) {
    return full(s.type.dtype, shapeOf(s.type.shape), s.numbers[0]);
  });
  t.add(
      "arange", 0, "arange({n0}, {n0} + {count})",
      [](Types, const Statement &s) -> Result {
        return s.type.dtype == i32 && s.type.shape.size() == 1 ? Result(s.type) : std::nullopt;
      },
      [](Args, const Statement &s, const Arguments &) {
        const auto first = static_cast<int>(s.numbers[0]);
        return arange(first, first + static_cast<int>(s.type.shape[0]));
      });
  const auto scalar = [](Types, const Statement &) -> Result { return Type{i64, {}}; };
  t.add("program", 0, "Tile(program_id(0))", scalar,
        [](Args, const Statement &, const Arguments &a) { return a.program; });
  t.add("n", 0, "Tile(n)", scalar, [](Args, const Statement &, const Arguments &a) { return a.n; });
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

void addArithmetic(Table &t) {
  t.binary("add", "{0} + {1}", same(isNumber), [](const Tile &a, const Tile &b) { return a + b; }).weight = 25;
  t.binary("sub", "{0} - {1}", same(isNumber), [](const Tile &a, const Tile &b) { return a - b; }).weight = 20;
  t.binary("mul", "{0} * {1}", same(isNumber), [](const Tile &a, const Tile &b) { return a * b; }).weight = 20;
  t.binary("fdiv", "{0} / {1}", same([](DType d) { return d.isFloat(); }),
           [](const Tile &a, const Tile &b) { return a / b; });
  t.binary("fmod", "fmod({0}, {1})", same(isWideFloat), [](const Tile &a, const Tile &b) { return fmod(a, b); });
  t.binary("copysign", "copysign({0}, where(isnan({1}), 0, {1}))", same(isWideFloat), // a NaN has any sign
           [](const Tile &a, const Tile &b) { return copysign(a, where(isnan(b), 0, b)); });
  t.binary("div", "{0} / (({1} & 7) | 1)", same(isInteger),
           [](const Tile &a, const Tile &b) { return a / ((b & 7) | 1); });
  t.binary("rem", "{0} % (({1} & 31) | 1)", same(isInteger),
           [](const Tile &a, const Tile &b) { return a % ((b & 31) | 1); });
  t.binary("floor_div", "floor_div({0}, ({1} & 7) | 1)", same(isInteger),
           [](const Tile &a, const Tile &b) { return floor_div(a, (b & 7) | 1); });
  t.binary("floor_mod", "floor_mod({0}, ({1} & 31) | 1)", same(isInteger),
           [](const Tile &a, const Tile &b) { return floor_mod(a, (b & 31) | 1); });
  t.binary("cdiv", "cdiv({0}, ({1} & 7) | 1)", same(isInteger),
           [](const Tile &a, const Tile &b) { return cdiv(a, (b & 7) | 1); });
  t.binary("and", "{0} & {1}", same(isBits), [](const Tile &a, const Tile &b) { return a & b; });
  t.binary("or", "{0} | {1}", same(isBits), [](const Tile &a, const Tile &b) { return a | b; });
  t.binary("xor", "{0} ^ {1}", same(isBits), [](const Tile &a, const Tile &b) { return a ^ b; });
  t.binary("shl", "{0} << ({1} & ({bits} - 1))", same(isInteger),
           [](const Tile &a, const Tile &b) { return a << (b & (a.dtype().bits() - 1)); });
  t.binary("shr", "{0} >> ({1} & ({bits} - 1))", same(isInteger),
           [](const Tile &a, const Tile &b) { return a >> (b & (a.dtype().bits() - 1)); });
  t.binary("umulhi", "umulhi({0}, {1})", same([](DType d) { return d == u32 || d == u64; }),
           [](const Tile &a, const Tile &b) { return umulhi(a, b); });
  t.binary("maximum", "maximum({0}, {1})", same(isNumber), [](const Tile &a, const Tile &b) { return maximum(a, b); });
  t.binary("minimum", "minimum({0}, {1}, {{.nan = Nan::propagate}})", same([](DType d) { return d.isFloat(); }),
           [](const Tile &a, const Tile &b) { return minimum(a, b, {.nan = Nan::propagate}); });
  t.add("fma", 3, "fma({0}, {1}, {2})", same(isWideFloat),
        [](Args a, const Statement &, const Arguments &) { return fma(a[0], a[1], a[2]); });
  t.add("clamp", 3, "clamp({0}, {1}, {2})", same(isNumber),
        [](Args a, const Statement &, const Arguments &) { return clamp(a[0], a[1], a[2]); });
  t.unary("not", "~{0}", same(isBits), [](const Tile &a) { return ~a; });
  t.unary("neg", "-{0}", same(isNumber), [](const Tile &a) { return -a; }).keepsBound = true;
  t.unary("abs", "abs({0})", same([](DType d) { return isNumber(d) && !d.isUnsigned(); }), [](const Tile &a) {
     return abs(a);
   }).keepsBound = true;
  t.unary("sqrt", "sqrt({0})", same(isWideFloat), [](const Tile &a) { return sqrt(a); });
  t.unary("floor", "floor({0})", same(isWideFloat), [](const Tile &a) { return floor(a); });
  t.unary("ceil", "ceil({0})", same(isWideFloat), [](const Tile &a) { return ceil(a); });
  t.unary("trunc", "trunc({0})", same(isWideFloat), [](const Tile &a) { return trunc(a); });
  t.unary("rint", "rint({0})", same(isWideFloat), [](const Tile &a) { return rint(a); });
  t.unary("round", "round({0})", same(isWideFloat), [](const Tile &a) { return round(a); });
  t.unary("popcount", "popcount({0})", same(isInteger), [](const Tile &a) { return popcount(a); });
  t.unary("clz", "clz({0})", same(isInteger), [](const Tile &a) { return clz(a); });
  t.unary("ilogb", "ilogb({0})", sameTo(isWideFloat, i32), [](const Tile &a) { return ilogb(a); });
  t.add(
      "ldexp", 2, "ldexp({0}, {1} & 15)",
      [](Types args, const Statement &) -> Result {
        return isWideFloat(args[0].dtype) && args[1] == Type{i32, args[0].shape} ? Result(args[0]) : std::nullopt;
      },
      [](Args a, const Statement &, const Arguments &) { return ldexp(a[0], a[1] & 15); });
}

void addComparisons(Table &t) {
  t.binary("lt", "{0} < {1}", sameTo(isNumber, i1), [](const Tile &a, const Tile &b) { return a < b; });
  t.binary("le", "{0} <= {1}", sameTo(isNumber, i1), [](const Tile &a, const Tile &b) { return a <= b; });
  t.binary("eq", "{0} == {1}", sameTo(isNumber, i1), [](const Tile &a, const Tile &b) { return a == b; });
  t.binary("ne", "{0} != {1}", sameTo(isNumber, i1), [](const Tile &a, const Tile &b) { return a != b; });
  t.unary("isnan", "isnan({0})", sameTo([](DType d) { return d.isFloat(); }, i1),
          [](const Tile &a) { return isnan(a); });
  t.unary("isfinite", "isfinite({0})", sameTo([](DType d) { return d.isFloat(); }, i1),
          [](const Tile &a) { return isfinite(a); });
  t.add(
       "where", 3, "where({0}, {1}, {2})",
       [](Types args, const Statement &) -> Result {
         return args[0] == Type{i1, args[1].shape} && args[1] == args[2] ? Result(args[1]) : std::nullopt;
       },
       [](Args a, const Statement &, const Arguments &) { return where(a[0], a[1], a[2]); })
      .weight = 20;
}

void addCasts(Table &t) {
  const auto chosen = [](Types args, const Statement &s) -> Result { return Type{s.type.dtype, args[0].shape}; };
  t.add(
       "to", 1, "{0}.to({t})",
       [=](Types args, const Statement &s) -> Result { return s.type.dtype == i1 ? std::nullopt : chosen(args, s); },
       [](Args a, const Statement &s, const Arguments &) { return a[0].to(s.type.dtype); })
      .weight = 40;
  const auto narrows = [=](Types args, const Statement &s) -> Result {
    const DType from = args[0].dtype, to = s.type.dtype;
    return from.isFloat() && to.isFloat() && to.bits() < from.bits() ? chosen(args, s) : std::nullopt;
  };
  t.add("to_rtz", 1, "{0}.to({t}, {{.rounding = Rounding::toward_zero}})", narrows,
        [](Args a, const Statement &s, const Arguments &) {
          return a[0].to(s.type.dtype, {.rounding = Rounding::toward_zero});
        });
  t.add("to_saturate", 1, "{0}.to({t}, {{.saturate = true}})", narrows,
        [](Args a, const Statement &s, const Arguments &) { return a[0].to(s.type.dtype, {.saturate = true}); });
  // NaN is replaced, since its bits are not defined.
  t.add(
      "bits", 1, "where(isnan({0}), 0, {0}).bitcast({t})",
      [=](Types args, const Statement &s) -> Result {
        const DType from = args[0].dtype, to = s.type.dtype;
        return from.isFloat() && isInteger(to) && to.bits() == from.bits() ? chosen(args, s) : std::nullopt;
      },
      [](Args a, const Statement &s, const Arguments &) { return where(isnan(a[0]), 0, a[0]).bitcast(s.type.dtype); });
  t.add(
      "from_bits", 1, "{0}.bitcast({t})",
      [=](Types args, const Statement &s) -> Result {
        const DType from = args[0].dtype, to = s.type.dtype;
        return isInteger(from) && isNumber(to) && to.bits() == from.bits() ? chosen(args, s) : std::nullopt;
      },
      [](Args a, const Statement &s, const Arguments &) { return a[0].bitcast(s.type.dtype); });
  t.add(
       "split_bits", 1, "{0}.bitcast(u8)",
       [](Types args, const Statement &) -> Result {
         if (!isInteger(args[0].dtype) || args[0].dtype.bits() < 16 || args[0].shape.size() > 3)
           return std::nullopt;
         Type type{u8, args[0].shape};
         type.shape.push_back(args[0].dtype.bits() / 8);
         return type;
       },
       [](Args a, const Statement &, const Arguments &) { return a[0].bitcast(u8); })
      .weight = 4;
  t.add(
       "join_bits", 1, "{0}.bitcast(u32)",
       [](Types args, const Statement &) -> Result {
         if (args[0].dtype != u8 || args[0].shape.empty() || args[0].shape.back() != 4)
           return std::nullopt;
         return Type{u32, Extents(args[0].shape.begin(), args[0].shape.end() - 1)};
       },
       [](Args a, const Statement &, const Arguments &) { return a[0].bitcast(u32); })
      .weight = 4;
}

void addFunctions(Table &t) {
  const auto add = [&](const char *name, Table::Unary fn) {
    Op &op =
        t.unary(name, std::string(name) + "({0})", same([](DType d) { return d == f16 || d == bf16 || d == f32; }), fn);
    op.isExact = false;
    op.weight = 3;
  };
  add("exp", [](const Tile &x) { return exp(x); });
  add("exp2", [](const Tile &x) { return exp2(x); });
  add("expm1", [](const Tile &x) { return expm1(x); });
  add("log", [](const Tile &x) { return log(x); });
  add("log2", [](const Tile &x) { return log2(x); });
  add("log10", [](const Tile &x) { return log10(x); });
  add("log1p", [](const Tile &x) { return log1p(x); });
  add("sin", [](const Tile &x) { return sin(x); });
  add("cos", [](const Tile &x) { return cos(x); });
  add("tan", [](const Tile &x) { return tan(x); });
  add("tanh", [](const Tile &x) { return tanh(x); });
  add("sigmoid", [](const Tile &x) { return sigmoid(x); });
  add("erf", [](const Tile &x) { return erf(x); });
  add("softplus", [](const Tile &x) { return softplus(x); });
  add("rsqrt", [](const Tile &x) { return rsqrt(x); });
  for (auto [name, fn] :
       {std::pair<const char *, Table::Binary>{"pow", [](const Tile &a, const Tile &b) { return pow(a, b); }},
        {"atan2", [](const Tile &a, const Tile &b) { return atan2(a, b); }}}) {
    Op &op = t.binary(name, std::string(name) + "({0}, {1})", same([](DType d) { return d == f32; }), fn);
    op.isExact = false;
    op.weight = 3;
  }
  const auto words = [](Types args, const Statement &) -> Result {
    return args[0] == Type{i32, args[0].shape} ? Result(Type{u32, args[0].shape}) : std::nullopt;
  };
  t.add("randint", 1, "randint({n0}, {0})", words, [](Args a, const Statement &s, const Arguments &) {
     return randint(s.numbers[0], a[0]);
   }).weight = 4;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

void addShapes(Table &t) {
  t.add(
       "reshape", 1, "reshape({0}, {sh})",
       [](Types args, const Statement &s) -> Result {
         const Type type{args[0].dtype, s.type.shape};
         return type.count() == args[0].count() ? Result(type) : std::nullopt;
       },
       [](Args a, const Statement &s, const Arguments &) { return reshape(a[0], shapeOf(s.type.shape)); })
      .keepsBound = true;
  t.add(
       "trans", 1, "trans({0})",
       [](Types args, const Statement &) -> Result {
         if (args[0].shape.size() < 2)
           return std::nullopt;
         Type type = args[0];
         std::swap(type.shape[type.shape.size() - 1], type.shape[type.shape.size() - 2]);
         return type;
       },
       [](Args a, const Statement &, const Arguments &) { return trans(a[0]); })
      .keepsBound = true;
  t.add(
       "expand_dims", 1, "expand_dims({0}, {axis})",
       [](Types args, const Statement &s) -> Result {
         if (args[0].shape.empty() || args[0].shape.size() > 3)
           return std::nullopt;
         Type type = args[0];
         type.shape.insert(type.shape.begin() + static_cast<std::ptrdiff_t>(axisOf(args[0], s)), 1);
         return type;
       },
       [](Args a, const Statement &s, const Arguments &) { return expand_dims(a[0], axis(a[0], s)); })
      .keepsBound = true;
  t.add(
       "broadcast", 1, "broadcast_to({0}, {sh})",
       [](Types args, const Statement &s) -> Result {
         const Extents &from = args[0].shape, &to = s.type.shape;
         if (from.size() > to.size())
           return std::nullopt;
         for (std::size_t i = 1; i <= from.size(); ++i)
           if (from[from.size() - i] != 1 && from[from.size() - i] != to[to.size() - i])
             return std::nullopt;
         return Type{args[0].dtype, to};
       },
       [](Args a, const Statement &s, const Arguments &) { return broadcast_to(a[0], shapeOf(s.type.shape)); })
      .keepsBound = true;
  t.binary(
      "join", "join({0}, {1})",
      [](Types args, const Statement &) -> Result {
        if (args[0] != args[1] || args[0].shape.size() > 3)
          return std::nullopt;
        Type type = args[0];
        type.shape.push_back(2);
        return type;
      },
      [](const Tile &a, const Tile &b) { return join(a, b); });
  const auto half = [](Types args, const Statement &) -> Result {
    if (args[0].shape.empty() || args[0].shape.back() != 2)
      return std::nullopt;
    return Type{args[0].dtype, Extents(args[0].shape.begin(), args[0].shape.end() - 1)};
  };
  t.unary("split_first", "split({0}).first", half, [](const Tile &a) { return split(a).first; }).weight = 25;
  t.unary("split_second", "split({0}).second", half, [](const Tile &a) { return split(a).second; }).weight = 25;
  t.add(
      "cat", 2, "cat({0}, {1}, {axis})",
      [](Types args, const Statement &s) -> Result {
        if (args[0] != args[1] || args[0].shape.empty())
          return std::nullopt;
        Type type = args[0];
        type.shape[axisOf(type, s)] *= 2;
        return type;
      },
      [](Args a, const Statement &s, const Arguments &) { return cat(a[0], a[1], axis(a[0], s)); });
  t.binary(
      "interleave", "interleave({0}, {1})",
      [](Types args, const Statement &) -> Result {
        if (args[0] != args[1] || args[0].shape.empty())
          return std::nullopt;
        Type type = args[0];
        type.shape.back() *= 2;
        return type;
      },
      [](const Tile &a, const Tile &b) { return interleave(a, b); });
  t.axial("flip", "flip({0}, {axis})", along(anything, itself), [](const Tile &a, int axis) {
     return flip(a, axis);
   }).keepsBound = true;
  const auto halved = [](Types args, const Statement &s) -> Result {
    if (args[0].shape.empty() || args[0].shape[axisOf(args[0], s)] < 2)
      return std::nullopt;
    Type type = args[0];
    type.shape[axisOf(type, s)] /= 2;
    return type;
  };
  const auto halves = [](const Tile &x, int axis) {
    std::pair<Extents, Extents> result;
    for (int i = 0; i != x.rank(); ++i) {
      const std::int64_t extent = x.shape()[i];
      result.first.push_back(i == axis ? extent / 2 : 0);
      result.second.push_back(i == axis ? extent / 2 : extent);
    }
    return result;
  };
  t.add("slice", 1, "upper_half({0}, {axis})", halved, [=](Args a, const Statement &s, const Arguments &) {
    const auto [offsets, sizes] = halves(a[0], axis(a[0], s));
    return slice(a[0], shapeOf(offsets), shapeOf(sizes));
  });
  t.add(
      "insert", 2, "insert_upper_half({0}, {1}, {axis})",
      [=](Types args, const Statement &s) -> Result {
        const Result part = halved(args.first(1), s);
        return part && *part == args[1] ? Result(args[0]) : std::nullopt;
      },
      [=](Args a, const Statement &s, const Arguments &) {
        return insert(a[0], a[1], shapeOf(halves(a[0], axis(a[0], s)).first));
      });
  t.add(
      "gather", 2, "gather({0}, {1} & ({extent} - 1), {axis})",
      [](Types args, const Statement &s) -> Result {
        return !args[0].shape.empty() && args[1].dtype == i32 && args[1].shape == args[0].shape &&
                       axisOf(args[0], s) < args[0].shape.size()
                   ? Result(args[0])
                   : std::nullopt;
      },
      [](Args a, const Statement &s, const Arguments &) {
        const int at = axis(a[0], s);
        return gather(a[0], a[1] & (a[0].shape()[at] - 1), at);
      });
  t.add(
      "extract_at", 2, "extract_at({0}, {axis}, {1} & ({extent} - 1))",
      [](Types args, const Statement &s) -> Result {
        if (args[0].shape.empty() || args[1] != Type{i64, {}})
          return std::nullopt;
        Type type = args[0];
        type.shape.erase(type.shape.begin() + static_cast<std::ptrdiff_t>(axisOf(args[0], s)));
        return type;
      },
      [](Args a, const Statement &s, const Arguments &) {
        const int at = axis(a[0], s);
        return extract_at(a[0], at, a[1] & (a[0].shape()[at] - 1));
      });
  t.add(
      "insert_at", 3, "insert_at({0}, {axis}, {1} & ({extent} - 1), {2})",
      [](Types args, const Statement &s) -> Result {
        if (args[0].shape.empty() || args[1] != Type{i64, {}})
          return std::nullopt;
        Type type = args[0];
        type.shape.erase(type.shape.begin() + static_cast<std::ptrdiff_t>(axisOf(args[0], s)));
        return args[2] == type ? Result(args[0]) : std::nullopt;
      },
      [](Args a, const Statement &s, const Arguments &) {
        const int at = axis(a[0], s);
        return insert_at(a[0], at, a[1] & (a[0].shape()[at] - 1), a[2]);
      });
}

//===----------------------------------------------------------------------===//
// Along an axis
//===----------------------------------------------------------------------===//

void addReductions(Table &t) {
  const Takes number = [](DType d) { return isNumber(d) || d.isBool(); };
  const Takes ordered = isNumber;
  t.axial("sum", "sum({0}, {{.axis = {axis}}})", reduced(number, summed), [](const Tile &x, int axis) {
     return sum(x, {.axis = axis});
   }).weight = 20;
  t.axial("prod", "prod({0}, {{.axis = {axis}}})", reduced(ordered, summed),
          [](const Tile &x, int axis) { return prod(x, {.axis = axis}); });
  t.axial("max", "max({0}, {{.axis = {axis}}})", reduced(ordered, itself),
          [](const Tile &x, int axis) { return max(x, {.axis = axis}); });
  t.axial("min", "min({0}, {{.axis = {axis}, .nan = Nan::propagate}})",
          reduced([](DType d) { return d.isFloat(); }, itself),
          [](const Tile &x, int axis) { return min(x, {.axis = axis, .nan = Nan::propagate}); });
  t.axial("argmax", "argmax({0}, {{.axis = {axis}}})", reduced(ordered, toI32),
          [](const Tile &x, int axis) { return argmax(x, {.axis = axis}); });
  t.axial("argmin", "argmin({0}, {{.axis = {axis}}})", reduced(ordered, toI32),
          [](const Tile &x, int axis) { return argmin(x, {.axis = axis}); });
  t.axial("all", "all({0}, {{.axis = {axis}}})", reduced([](DType d) { return d == i1; }, toI1),
          [](const Tile &x, int axis) { return all(x, {.axis = axis}); });
  t.axial("any", "any({0}, {{.axis = {axis}}})", reduced([](DType d) { return d == i1; }, toI1),
          [](const Tile &x, int axis) { return any(x, {.axis = axis}); });
  t.axial("xor_sum", "xor_sum({0}, {{.axis = {axis}}})", reduced(isInteger, itself),
          [](const Tile &x, int axis) { return xor_sum(x, {.axis = axis}); });
  t.axial("reduce", "reduce({0}, {axis}, [](Tile a, Tile b) {{ return a * 3 + b * 3 - a * b * 2 - (a + b) * 2; }})",
          reduced([](DType d) { return d == i32 || d == u32 || d == i64; }, itself), [](const Tile &x, int axis) {
            return reduce(x, axis, [](Tile a, Tile b) { return a * 3 + b * 3 - a * b * 2 - (a + b) * 2; });
          });
  t.axial("cumsum", "cumsum({0}, {{.axis = {axis}}})", along(ordered, summed),
          [](const Tile &x, int axis) { return cumsum(x, {.axis = axis}); });
  t.axial("cumsum_exclusive", "cumsum({0}, {{.axis = {axis}, .reverse = true, .exclusive = true}})",
          along(ordered, summed),
          [](const Tile &x, int axis) { return cumsum(x, {.axis = axis, .reverse = true, .exclusive = true}); });
  t.axial("cummax", "cummax({0}, {{.axis = {axis}}})", along(ordered, itself),
          [](const Tile &x, int axis) { return cummax(x, {.axis = axis}); });
  t.axial("cumprod", "cumprod({0}, {{.axis = {axis}, .reverse = true}})", along(ordered, summed),
          [](const Tile &x, int axis) { return cumprod(x, {.axis = axis, .reverse = true}); });
  t.axial("sort", "sort({0}, {{.axis = {axis}}})", along(ordered, itself),
          [](const Tile &x, int axis) { return sort(x, {.axis = axis}); });
  t.axial("argsort", "argsort({0}, {{.axis = {axis}, .descending = true}})", along(ordered, toI32),
          [](const Tile &x, int axis) { return argsort(x, {.axis = axis, .descending = true}); });
  t.add(
      "sort_pair", 3, "std::get<1>(sort({0}, {1}, {{.axis = {axis}, .valid = {2}}}))",
      [](Types args, const Statement &) -> Result {
        if (args[0].shape.empty() || args[0].dtype == i1 || args[1].shape != args[0].shape ||
            args[2] != Type{i1, args[0].shape})
          return std::nullopt;
        return args[1];
      },
      [](Args a, const Statement &s, const Arguments &) {
        return std::get<1>(sort(a[0], a[1], {.axis = axis(a[0], s), .valid = a[2]}));
      });
  t.axial(
      "topk", "topk({0}, {extent} / 2, {{.axis = {axis}}}).values",
      [=](Types args, const Statement &s) -> Result {
        if (args[0].shape.empty() || args[0].dtype == i1 || args[0].shape[axisOf(args[0], s)] < 2)
          return std::nullopt;
        Type type = args[0];
        type.shape[axisOf(type, s)] /= 2;
        return type;
      },
      [](const Tile &x, int axis) { return topk(x, static_cast<int>(x.shape()[axis] / 2), {.axis = axis}).values; });
  t.add(
      "histogram", 1, "histogram({0}, 16)",
      [](Types args, const Statement &) -> Result {
        return isInteger(args[0].dtype) && args[0].shape.size() == 1 ? Result(Type{i32, {16}}) : std::nullopt;
      },
      [](Args a, const Statement &, const Arguments &) { return histogram(a[0], 16); });
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

void addDots(Table &t) {
  // Of small integers, so that every order of adding gives the same.
  static const std::pair<DType, DType> kinds[] = {{f32, f32}, {f64, f64},  {f16, f32}, {bf16, f32},
                                                  {i8, i32},  {e4m3, f32}, {e5m2, f32}};
  for (const auto &[operand, result] : kinds) {
    const std::string name = operand.name();
    t.add(
         "dot_" + name, 3,
         "dot(({0} & 3).to(" + name + "), ({1} & 3).to(" + name + "), ({2} & 255).to(" + result.name() + "))",
         [result](Types args, const Statement &) -> Result {
           const Extents &a = args[0].shape, &b = args[1].shape, &c = args[2].shape;
           for (const Type &arg : args)
             if (arg.dtype != i32)
               return std::nullopt;
           if (a.size() < 2 || a.size() > 3 || b.size() != a.size() || a[a.size() - 1] != b[b.size() - 2])
             return std::nullopt;
           Extents shape = a;
           shape.back() = b.back();
           if (c != shape || (a.size() == 3 && a[0] != b[0]))
             return std::nullopt;
           return Type{result, shape};
         },
         [operand, result](Args a, const Statement &, const Arguments &) {
           return dot((a[0] & 3).to(operand), (a[1] & 3).to(operand), (a[2] & 255).to(result));
         })
        .weight = 12;
  }
  // Of elements as they are loaded, where inputs are small. numbers: precision
  t.add(
       "product", 3, "dot({0}, {1}, {2}, {{.precision = Precision({n0})}})",
       [](Types args, const Statement &) -> Result {
         const auto kind = std::ranges::find(kinds, args[0].dtype, &std::pair<DType, DType>::first);
         const Extents &a = args[0].shape, &b = args[1].shape;
         if (kind == std::end(kinds) || args[1].dtype != args[0].dtype || a.size() != 2 || b.size() != 2 ||
             a[1] != b[0] || args[2] != Type{kind->second, {a[0], b[1]}})
           return std::nullopt;
         return args[2];
       },
       [](Args a, const Statement &s, const Arguments &) {
         return dot(a[0], a[1], a[2], {.precision = static_cast<Precision>(s.numbers[0])});
       })
      .weight = 0;
}

} // namespace

const std::vector<Op> &ops() {
  static const std::vector<Op> list = [] {
    Table table;
    addLeaves(table);
    addArithmetic(table);
    addComparisons(table);
    addCasts(table);
    addFunctions(table);
    addShapes(table);
    addReductions(table);
    addDots(table);
    return table.list;
  }();
  return list;
}

int opNamed(std::string_view name) {
  for (std::size_t i = 0; i != ops().size(); ++i)
    if (ops()[i].name == name)
      return static_cast<int>(i);
  throw std::logic_error("no operation is called " + std::string(name));
}

} // namespace tessera::fuzz
