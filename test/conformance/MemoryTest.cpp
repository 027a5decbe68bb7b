//===- MemoryTest.cpp - loads, stores, views, casts and atomics -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "conformance/Conformance.h"
#include "fuzz/differential/DTypes.h"

namespace tessera::conformance {
namespace {

using fuzz::withDType;

class Memory : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Part, Memory, testing::Range<std::size_t>(0, kParts));

TEST_P(Memory, maskedLoadsAndStores) {
  constexpr std::int64_t blocks[] = {1, 4, 32, 128, 1024, 4096}, sizes[] = {1, 7, 255, 781, 1000, 4095, 10007};
  constexpr std::int64_t strides[] = {1, 1, 2, 3}, starts[] = {0, 1, 3, 16};
  const std::size_t levels[] = {std::size(kNumbers),
                                std::size(blocks),
                                std::size(sizes),
                                std::size(strides),
                                std::size(starts),
                                kWarps,
                                kStages,
                                2,
                                kClusters};
  runPart(levels, GetParam(), [&](const Choice &c, std::uint64_t seed) {
    const DType dtype = kNumbers[c[0]];
    const std::int64_t stride = strides[c[3]], start = starts[c[4]];
    // The interpreter takes a while for many programs.
    const std::int64_t block = blocks[c[1]], n = std::min(sizes[c[2]], block * 512), programs = cdiv(n, block);
    const bool other = c[7];
    SCOPED_TRACE(dtype.name() + ", block " + std::to_string(block) + ", n " + std::to_string(n) + ", stride " +
                 std::to_string(stride) + ", start " + std::to_string(start));
    expectSame({.body =
                    [=](const Ptr<u8> &a, const Ptr<u8> &, const Ptr<u8> &out, const Int &count) {
                      Tile offs = program_id(0) * block + arange(0, block);
                      Tile mask = offs < count;
                      Tile from = a.as(dtype) + (offs * stride + start);
                      Tile value = other ? load(from, {.mask = mask, .other = 3}) : load(from, {.mask = mask});
                      store(out.as(dtype) + offs, value);                                      // the masked lanes too
                      store(out.as(dtype) + (programs * block + offs), value, {.mask = mask}); // and without them
                    },
                .a = anyElements(dtype, start + n * stride, seed),
                .out = unwritten(2 * programs * block * dtype.bytes()),
                .result = dtype,
                .grid = {programs},
                .n = n},
               optionsOf(c[5], c[6], c[8]));
  });
}

TEST_P(Memory, viewsInBothDirections) {
  using Extents = std::vector<std::int64_t>;
  const Extents tiles[] = {{8, 16}, {16, 64}, {32, 32}, {64, 128}, {1, 256}, {128, 8}};
  const Extents sizes[] = {{1, 1}, {7, 13}, {33, 65}, {64, 128}, {100, 257}};
  const std::size_t levels[] = {std::size(kNumbers), std::size(tiles), std::size(sizes), kWarps, kStages, 3, kClusters};
  runPart(levels, GetParam(), [&](const Choice &c, std::uint64_t seed) {
    const DType dtype = kNumbers[c[0]];
    const std::int64_t bm = tiles[c[1]][0], bn = tiles[c[1]][1], rows = sizes[c[2]][0], cols = sizes[c[2]][1];
    const std::int64_t pitch = cols + static_cast<std::int64_t>(c[5]); // rows further apart than they are long
    SCOPED_TRACE(describe(dtype, sizes[c[2]]) + " in " + describe(dtype, tiles[c[1]]));
    expectSame({.body =
                    [=](const Ptr<u8> &a, const Ptr<u8> &, const Ptr<u8> &out, const Int &) {
                      withDType(dtype, [&]<DType T>() {
                        const auto from = view(a.as<T>(), {rows, cols}, {pitch, 1});
                        const auto straight = view(out.as<T>(), {rows, cols}, {pitch, 1});
                        const auto turned = view(Ptr<T>(out.as(T) + rows * pitch), {cols, rows}, {rows, 1});
                        Int i = program_id(0) * bm, j = program_id(1) * bn;
                        Tile tile = from.load({i, j}, {bm, bn});
                        straight.store({i, j}, tile);
                        turned.store({j, i}, trans(tile));
                        return 0;
                      });
                    },
                .a = anyElements(dtype, rows * pitch, seed),
                .out = unwritten((rows * pitch + rows * cols) * dtype.bytes()),
                .result = dtype,
                .grid = {cdiv(rows, bm), cdiv(cols, bn)}},
               optionsOf(c[3], c[4], c[6]));
  });
}

TEST_P(Memory, casts) {
  const std::size_t levels[] = {std::size(kNumbers) + 1, std::size(kNumbers) + 1, 3, kWarps};
  runPart(levels, GetParam(), [&](const Choice &c, std::uint64_t seed) {
    const auto dtypeOf = [](std::size_t i) { return i < std::size(kNumbers) ? kNumbers[i] : i1; };
    const DType from = dtypeOf(c[0]), to = dtypeOf(c[1]);
    const std::int64_t count = std::int64_t{64} << 2 * c[2];
    SCOPED_TRACE(from.name() + " to " + to.name() + ", " + std::to_string(count));
    expectSame({.body =
                    [=](const Ptr<u8> &a, const Ptr<u8> &, const Ptr<u8> &out, const Int &) {
                      Tile i = arange(0, count);
                      store(out.as(to) + i, load(a.as(from) + i).to(to));
                    },
                .a = c[2] == 1 ? smallElements(from, count, seed) : anyElements(from, count, seed),
                .out = unwritten(count * to.bytes()),
                .result = to},
               optionsOf(c[3], 2));
  });
}

// SEMANTICS A3: correctly rounded, also where a reciprocal serves a whole row.
TEST_P(Memory, rowsDividedByNumbers) {
  constexpr DType floats[] = {f32, f16, bf16, f64};
  constexpr std::int64_t shapes[][2] = {{1, 32}, {1, 1024}, {8, 512}, {64, 64}, {2, 4096}};
  const std::size_t levels[] = {std::size(floats), std::size(shapes), 3, kWarps};
  runPart(levels, GetParam(), [&](const Choice &c, std::uint64_t seed) {
    const DType dtype = floats[c[0]];
    const std::int64_t rows = shapes[c[1]][0], cols = shapes[c[1]][1];
    const bool anyBits = c[2] == 0, nearOne = c[2] == 1;
    SCOPED_TRACE(describe(dtype, {rows, cols}) + ", form " + std::to_string(c[2]));
    const auto key = static_cast<std::int64_t>(seed);
    // Else products of exact factors: numbers between 1 and 2, and powers of two far apart.
    const auto element = [=](const Tile &at, int stream, int spread) {
      Tile exponent = (randint(key + stream, at) % (2 * spread + 1)).to(i32) - spread;
      return ldexp(rand(key + stream + 1, at) + 1, exponent).to(dtype);
    };
    expectSame({.body =
                    [=](const Ptr<u8> &a, const Ptr<u8> &b, const Ptr<u8> &out, const Int &) {
                      Tile row = arange(0, rows).col(), at = row * cols + arange(0, cols).row();
                      const int spread = nearOne ? 3 : 120;
                      Tile x = anyBits ? load(a.as(dtype) + at) : element(at, 0, spread);
                      Tile by = anyBits ? load(b.as(dtype) + row) : element(row, 2, std::min(spread, 19));
                      store(out.as(dtype) + at, x / by);
                    },
                .a = anyElements(dtype, rows * cols, seed),
                .b = anyElements(dtype, rows, seed + 1),
                .out = unwritten(rows * cols * dtype.bytes()),
                .result = dtype},
               optionsOf(c[3], 2));
  });
}

TEST_P(Memory, bitsAsOtherElements) {
  const std::size_t levels[] = {std::size(kNumbers), std::size(kNumbers), 3, kWarps};
  runPart(levels, GetParam(), [&](const Choice &c, std::uint64_t seed) {
    const DType from = kNumbers[c[0]], to = kNumbers[c[1]];
    const std::int64_t count = std::int64_t{8} << 4 * c[2], ratio = from.bytes() / to.bytes();
    SCOPED_TRACE(from.name() + " as " + to.name() + ", " + std::to_string(count));
    if (ratio < 1)
      return; // the other way round is undone below
    expectSame({.body =
                    [=](const Ptr<u8> &a, const Ptr<u8> &, const Ptr<u8> &out, const Int &) {
                      Tile i = arange(0, count);
                      Tile parts = load(a.as(from) + i).bitcast(to); // more of them along a new axis
                      if (ratio == 1) {
                        store(out.as(to) + i, parts);
                      } else {
                        store(out.as(to) + places({count, ratio}), parts);
                      }
                      store(out.as(from) + (count + i), parts.bitcast(from));
                    },
                // Numbers: bits of a NaN may change.
                .a = smallElements(from, count, seed),
                .out = unwritten(2 * count * from.bytes()),
                .result = u8},
               optionsOf(c[3], 2));
  });
}

/// Whether \p name has atomics of \p dtype.
bool hasAtomic(const std::string &name, DType dtype) {
  if (name == "and" || name == "or" || name == "xor")
    return dtype.isInt();
  return name == "add" || dtype.isInt() || dtype == f32 || dtype == f64;
}

TEST_P(Memory, atomics) {
  const std::string names[] = {"add", "max", "min", "and", "or", "xor", "sub"};
  constexpr DType dtypes[] = {i32, u32, i64, u64, f32, f64, f16, bf16};
  constexpr std::int64_t places[] = {1, 8, 1000}, blocks[] = {1, 64, 1024};
  constexpr Order orders[] = {Order::relaxed, Order::acquire, Order::release, Order::acq_rel};
  constexpr Scope scopes[] = {Scope::block, Scope::device, Scope::system};
  const std::size_t levels[] = {std::size(names),
                                std::size(dtypes),
                                std::size(places),
                                std::size(blocks),
                                std::size(orders),
                                std::size(scopes),
                                kWarps,
                                2};
  runPart(levels, GetParam(), [&](const Choice &c, std::uint64_t seed) {
    const std::string &name = names[c[0]];
    const DType dtype = dtypes[c[1]];
    if (!hasAtomic(name == "sub" ? "add" : name, dtype))
      return;
    const std::int64_t count = places[c[2]], block = blocks[c[3]];
    const bool masked = c[7];
    SCOPED_TRACE("atomic_" + name + " of " + dtype.name() + ", " + std::to_string(count) + " places, block " +
                 std::to_string(block));
    // f16 and bf16 hold few sums exactly: not many of 1 and -1 stay small enough.
    const bool isSmall = dtype.bytes() == 2;
    // Of a block's scope only where one block works.
    const std::int64_t programs = scopes[c[5]] == Scope::block || (isSmall && block / count > 64) ? 1 : 5;
    expectSame({.body =
                    [=](const Ptr<u8> &a, const Ptr<u8> &, const Ptr<u8> &out, const Int &) {
                      Tile i = program_id(0) * block + arange(0, block);
                      AtomicOptions options{.order = orders[c[4]], .scope = scopes[c[5]]};
                      if (masked)
                        options.mask = i % 3 != 1;
                      Tile at = out.as(dtype) + i % count, value = load(a.as(dtype) + i);
                      if (name == "add")
                        atomic_add(at, value, options);
                      else if (name == "sub")
                        atomic_sub(at, value, options);
                      else if (name == "max")
                        atomic_max(at, value, options);
                      else if (name == "min")
                        atomic_min(at, value, options);
                      else if (name == "and")
                        atomic_and(at, value, options);
                      else if (name == "or")
                        atomic_or(at, value, options);
                      else
                        atomic_xor(at, value, options);
                    },
                .a = (isSmall ? unitElements : smallElements)(dtype, programs * block, seed),
                .out = (isSmall ? unitElements : smallElements)(dtype, count, seed + 1),
                .result = dtype,
                .grid = {programs}},
               optionsOf(c[6], 2));
  });
}

TEST_P(Memory, exchangesOfEveryElement) {
  constexpr DType dtypes[] = {i32, u32, i64, u64, f32, f64};
  constexpr std::int64_t blocks[] = {1, 32, 256, 1024};
  const std::size_t levels[] = {std::size(dtypes), std::size(blocks), kWarps, 2, kClusters};
  runPart(levels, GetParam(), [&](const Choice &c, std::uint64_t seed) {
    const DType dtype = dtypes[c[0]];
    const std::int64_t block = blocks[c[1]], count = 3 * block;
    SCOPED_TRACE(describe(dtype, {block}));
    expectSame({.body =
                    [=](const Ptr<u8> &a, const Ptr<u8> &b, const Ptr<u8> &out, const Int &) {
                      Tile i = program_id(0) * block + arange(0, block);
                      Tile at = out.as(dtype) + i, value = load(a.as(dtype) + i);
                      Tile old = c[3] ? atomic_cas(at, load(b.as(dtype) + i), value) : atomic_xchg(at, value);
                      store(out.as(dtype) + count + i, old);
                    },
                .a = smallElements(dtype, count, seed),
                .b = smallElements(dtype, count, seed + 1),
                .out = smallElements(dtype, 2 * count, seed + 1), // half of them as expected
                .result = dtype,
                .grid = {3}},
               optionsOf(c[2], 2, c[4]));
  });
}

} // namespace
} // namespace tessera::conformance
