//===- AxisTest.cpp - reductions, scans, sorts and changes of shape -------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "conformance/Conformance.h"

namespace tessera::conformance {
namespace {

using Extents = std::vector<std::int64_t>;

const Extents kShapes[] = {{1},       {8},      {128},    {1024},  {4096},     {4, 256},   {64, 64},
                           {128, 32}, {256, 4}, {1, 512}, {16, 1}, {2, 8, 64}, {8, 32, 4}, {32, 128}};

/// What is done along an axis: a tile to a tile.
struct AxisOp {
  const char *name;
  bool (*takes)(DType);
  Tile (*apply)(const Tile &x, int axis);
};

bool anyNumber(DType) { return true; }
bool anyInteger(DType dtype) { return dtype.isInt(); }
const AxisOp kReductions[] = {
    {"sum", anyNumber, [](const Tile &x, int axis) { return sum(x, {.axis = axis}); }},
    {"sum, deterministic", anyNumber,
     [](const Tile &x, int axis) { return sum(x, {.axis = axis, .deterministic = true}); }},
    {"sum, kept", anyNumber, [](const Tile &x, int axis) { return sum(x, {.axis = axis, .keep_dims = true}); }},
    {"max", anyNumber, [](const Tile &x, int axis) { return max(x, {.axis = axis}); }},
    {"min", anyNumber, [](const Tile &x, int axis) { return min(x, {.axis = axis}); }},
    {"argmax", anyNumber, [](const Tile &x, int axis) { return argmax(x, {.axis = axis}); }},
    {"argmin", anyNumber, [](const Tile &x, int axis) { return argmin(x, {.axis = axis}); }},
    {"xor_sum", anyInteger, [](const Tile &x, int axis) { return xor_sum(x, {.axis = axis}); }},
    {"all", anyNumber, [](const Tile &x, int axis) { return all(x > 0, {.axis = axis}); }},
    {"any", anyNumber, [](const Tile &x, int axis) { return any(x > 3, {.axis = axis}); }},
    {"reduce", anyInteger,
     [](const Tile &x, int axis) { return reduce(x, axis, [](Tile a, Tile b) { return maximum(a, b); }); }},
};

const AxisOp kScans[] = {
    {"cumsum", anyNumber, [](const Tile &x, int axis) { return cumsum(x, {.axis = axis}); }},
    {"cumsum from behind", anyNumber,
     [](const Tile &x, int axis) { return cumsum(x, {.axis = axis, .reverse = true, .exclusive = true}); }},
    {"cummax", anyNumber, [](const Tile &x, int axis) { return cummax(x, {.axis = axis}); }},
    {"cummin", anyNumber, [](const Tile &x, int axis) { return cummin(x, {.axis = axis}); }},
    {"scan", anyInteger, [](const Tile &x, int axis) { return scan(x, axis, [](Tile a, Tile b) { return a + b; }); }},
};

const AxisOp kSorts[] = {
    {"sort", anyNumber, [](const Tile &x, int axis) { return sort(x, {.axis = axis}); }},
    {"sort, descending", anyNumber,
     [](const Tile &x, int axis) { return sort(x, {.axis = axis, .descending = true}); }},
    {"argsort", anyNumber, [](const Tile &x, int axis) { return argsort(x, {.axis = axis}); }},
    {"sort, some", anyNumber, [](const Tile &x, int axis) { return sort(x, {.axis = axis, .valid = x > 0}); }},
    {"topk values", anyNumber,
     [](const Tile &x, int axis) {
       return topk(x, static_cast<int>((x.shape()[axis] + 1) / 2), {.axis = axis}).values;
     }},
    {"topk indices", anyNumber,
     [](const Tile &x, int axis) {
       return topk(x, static_cast<int>((x.shape()[axis] + 1) / 2), {.axis = axis, .smallest = true}).indices;
     }},
};

const AxisOp kMoves[] = {
    {"flip", anyNumber, [](const Tile &x, int axis) { return flip(x, axis); }},
    {"cat", anyNumber, [](const Tile &x, int axis) { return cat(x, flip(x, axis), axis); }},
    {"interleave", anyNumber, [](const Tile &x, int axis) { return interleave(x, flip(x, axis)); }},
    {"trans", anyNumber, [](const Tile &x, int) { return x.rank() < 2 ? x : trans(x); }},
    {"join and split", anyNumber,
     [](const Tile &x, int axis) {
       const auto [first, second] = split(join(x, flip(x, axis)));
       return cat(second, first, axis);
     }},
    {"reshape", anyNumber,
     [](const Tile &x, int) {
       std::int64_t count = 1;
       for (std::int64_t extent : x.shape())
         count *= extent;
       return count < 4 ? x : trans(reshape(x, {4, count / 4}));
     }},
    {"gather", anyNumber,
     [](const Tile &x, int axis) {
       const Shape all = x.shape();
       return gather(x, (places(Extents(all.begin(), all.end())) * 7 + 3) & (all[axis] - 1), axis);
     }},
};

/// Runs a family's part.
void runAxis(std::span<const AxisOp> ops, std::size_t part) {
  const std::size_t levels[] = {ops.size(), std::size(kNumbers), std::size(kShapes), 3, kWarps, kStages, kClusters};
  runPart(levels, part, [&](const Choice &c, std::uint64_t seed) {
    const AxisOp &op = ops[c[0]];
    const DType dtype = kNumbers[c[1]];
    const Extents &shape = kShapes[c[2]];
    const int axis = static_cast<int>(c[3] % shape.size());
    if (!op.takes(dtype))
      return;
    SCOPED_TRACE(std::string(op.name) + " of " + describe(dtype, shape) + " along " + std::to_string(axis));
    const std::int64_t count = countOf(shape);
    // The dtype of results is found out while tracing.
    const auto traced = std::make_shared<DType>(u8);
    expectSame({.body =
                    [=](const Ptr<u8> &a, const Ptr<u8> &, const Ptr<u8> &out, const Int &) {
                      Tile x = load(a.as(dtype) + (program_id(0) * count + places(shape)));
                      Tile result = op.apply(x, axis);
                      *traced = result.dtype();
                      std::int64_t results = 1;
                      Extents extents;
                      for (std::int64_t extent : result.shape()) {
                        extents.push_back(extent);
                        results *= extent;
                      }
                      Tile to = out.as(result.dtype()) + program_id(0) * results;
                      store(extents.empty() ? to : to + places(extents), result);
                    },
                .a = smallElements(dtype, 2 * count, seed),
                .out = unwritten(2 * 2 * 8 * count),
                .grid = {2},
                .traced = traced},
               optionsOf(c[4], c[5], c[6]));
  });
}

class Axis : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Part, Axis, testing::Range<std::size_t>(0, kParts));

TEST_P(Axis, reductions) { runAxis(kReductions, GetParam()); }
TEST_P(Axis, scans) { runAxis(kScans, GetParam()); }
TEST_P(Axis, sorts) { runAxis(kSorts, GetParam()); }
TEST_P(Axis, moves) { runAxis(kMoves, GetParam()); }

TEST_P(Axis, products) {
  const std::size_t levels[] = {2, std::size(kNumbers), std::size(kShapes), 3, kWarps, kClusters};
  runPart(levels, GetParam(), [&](const Choice &c, std::uint64_t seed) {
    const DType dtype = kNumbers[c[1]];
    const Extents &shape = kShapes[c[2]];
    if (dtype.isUnsigned())
      return; // their products wrap, which integers of every width may
    const int axis = static_cast<int>(c[3] % shape.size());
    SCOPED_TRACE(describe(dtype, shape) + " along " + std::to_string(axis));
    const std::int64_t count = countOf(shape);
    const auto traced = std::make_shared<DType>(u8);
    expectSame({.body =
                    [=](const Ptr<u8> &a, const Ptr<u8> &, const Ptr<u8> &out, const Int &) {
                      Tile x = load(a.as(dtype) + places(shape));
                      Tile all = cumprod(x, {.axis = axis}), one = prod(x, {.axis = axis, .keep_dims = true});
                      Tile result = c[0] ? all : all * one.to(all.dtype());
                      *traced = result.dtype();
                      store(out.as(result.dtype()) + places(shape), result);
                    },
                .a = unitElements(dtype, count, seed),
                .out = unwritten(8 * count),
                .traced = traced},
               optionsOf(c[4], 1, c[5]));
  });
}

TEST_P(Axis, histograms) {
  constexpr DType dtypes[] = {i8, i16, i32, i64, u8, u16, u32, u64};
  constexpr std::int64_t counts[] = {1, 32, 256, 4096}, bins[] = {2, 16, 256};
  const std::size_t levels[] = {std::size(dtypes), std::size(counts), std::size(bins), kWarps, 2, kClusters};
  runPart(levels, GetParam(), [&](const Choice &c, std::uint64_t seed) {
    const DType dtype = dtypes[c[0]];
    const std::int64_t count = counts[c[1]], length = bins[c[2]];
    SCOPED_TRACE(describe(dtype, {count}) + ", " + std::to_string(length) + " bins");
    expectSame({.body =
                    [=](const Ptr<u8> &a, const Ptr<u8> &, const Ptr<u8> &out, const Int &) {
                      Tile x = load(a.as(dtype) + arange(0, count));
                      HistogramOptions options;
                      if (c[4])
                        options.mask = x != 2;
                      store(out.as(i32) + arange(0, length), histogram(x, length, options));
                    },
                .a = smallElements(dtype, count, seed),
                .out = unwritten(4 * length),
                .result = i32},
               optionsOf(c[3], 1, c[5]));
  });
}

} // namespace
} // namespace tessera::conformance
