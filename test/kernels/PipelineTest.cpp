//===- PipelineTest.cpp - loops that copy ahead of what they compute ------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Each kernel gives the same bits with every depth of its pipelines (SEMANTICS L2): with none, and with two to five
// stages, for loops of no, one, few and many rounds.
//
//===---------------------------------------------------------------------===//

#include "KernelTest.h"

#include <functional>
#include <limits>
#include <random>

using namespace tessera;

namespace {

/// Multiples of 1/8 in [-4, 4).
template <DType T> Buffer<T> eighths(std::int64_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> values(static_cast<std::size_t>(n));
  for (float &value : values)
    value = static_cast<float>(random() % 64) / 8 - 4;
  return Device::current().upload<T>(values);
}

/// Runs a kernel, without a pipeline and with several; \p launch gives the output, which must not change. A poisoned
/// output shows what was not written.
void sameForAllStages(const std::function<std::vector<float>(const CompileOptions &)> &launch,
                      const std::string &what) {
  const std::vector<float> want = launch({.num_warps = 4, .num_stages = 1});
  for (const int stages : {2, 3, 4, 5})
    EXPECT_EQ(launch({.num_warps = 4, .num_stages = stages}), want) << what << ", " << stages << " stages";
}

Buffer<f32> poisoned(std::int64_t n) {
  Buffer<f32> out = Device::current().buffer<f32>(static_cast<std::size_t>(n));
  out.fill(12345.0f);
  return out;
}

/// The same of a kernel that \p launch runs with an output of \p count elements.
void sameOutput(std::int64_t count, const std::string &what,
                const std::function<void(const CompileOptions &, Buffer<f32> &)> &launch) {
  sameForAllStages(
      [&](const CompileOptions &options) {
        Buffer<f32> out = poisoned(count);
        launch(options, out);
        return out.download();
      },
      what);
}

constexpr int kM = 32, kN = 32, kK = 16;

// What views say about bounds: depths that are no multiple of a step, too.
template <DType T> void throughViews() {
  const auto k =
      kernel("views", {"a", "b", "out", "depth", "lda"}, [](Ptr<T> a, Ptr<T> b, Ptr<f32> out, Int depth, Int lda) {
        View A = view(a, {kM, depth}, {lda, 1}), B = view(b, {depth, kN}, {kN, 1});
        View C = view(out, {kM, kN}, {kN, 1});
        Tile acc = zeros(f32, {kM, kN});
        for_range(0, depth, kK, [&](Int at) { acc = dot(A.load({0, at}, {kM, kK}), B.load({at, 0}, {kK, kN}), acc); });
        C.store({0, 0}, acc);
      });
  for (const int depth : {0, 1, 16, 17, 32, 48, 64, 80, 96, 111})
    for (const int gap : {0, 3}) {
      const int lda = (depth + 15) / 16 * 16 + gap;
      const Buffer<T> a = eighths<T>(std::max(1, kM * lda), 1), b = eighths<T>(std::max(1, depth * kN), 2);
      sameOutput(kM * kN, "depth " + std::to_string(depth) + ", rows " + std::to_string(lda) + " apart",
                 [&](const CompileOptions &options, Buffer<f32> &out) {
                   k.with({}, options).launch(Device::current(), 1, a, b, out, depth, lda);
                 });
    }
}

TEST(Pipeline, viewsOfHalves) { throughViews<f16>(); }
TEST(Pipeline, viewsOfFloats) { throughViews<f32>(); }
TEST(Pipeline, viewsOfDoubles) {
  const auto k = kernel("doubles", {"a", "b", "out", "depth"}, [](Ptr<f64> a, Ptr<f64> b, Ptr<f32> out, Int depth) {
    View A = view(a, {kM, depth}, {depth, 1}), B = view(b, {depth, kN}, {kN, 1});
    Tile acc = zeros(f64, {kM, kN});
    for_range(0, depth, kK, [&](Int at) { acc = dot(A.load({0, at}, {kM, kK}), B.load({at, 0}, {kK, kN}), acc); });
    view(out, {kM, kN}, {kN, 1}).store({0, 0}, acc.to(f32));
  });
  for (const int depth : {16, 48, 100}) {
    const Buffer<f64> a = eighths<f64>(kM * depth, 1), b = eighths<f64>(depth * kN, 2);
    sameOutput(kM * kN, "depth " + std::to_string(depth), [&](const CompileOptions &options, Buffer<f32> &out) {
      k.with({}, options).launch(Device::current(), 1, a, b, out, depth);
    });
  }
}

// Tiles of pointers go round the loop; masks are computed from its index.
TEST(Pipeline, carriedPointers) {
  const auto k = kernel("carried", {"a", "b", "out", "depth"}, [](Ptr<f16> a, Ptr<f16> b, Ptr<f32> out, Int depth) {
    Tile m = arange(0, kM), n = arange(0, kN), p = arange(0, kK);
    Tile x = a + (m.col() * depth + p.row()), y = b + (p.col() * kN + n.row());
    Tile acc = zeros(f32, {kM, kN});
    for_range(0, depth, kK, [&](Int at) {
      acc = dot(load(x, {.mask = (at + p).row() < depth}), load(y, {.mask = (at + p).col() < depth}), acc);
      x = x + kK;
      y = y + kK * kN;
    });
    store(out + m.col() * kN + n.row(), acc);
  });
  for (const int depth : {0, 5, 16, 32, 40, 48, 64, 96, 128}) {
    const Buffer<f16> a = eighths<f16>(std::max(1, kM * depth), 1), b = eighths<f16>(std::max(1, depth * kN), 2);
    sameOutput(kM * kN, "depth " + std::to_string(depth), [&](const CompileOptions &options, Buffer<f32> &out) {
      k.with({}, options).launch(Device::current(), 1, a, b, out, depth);
    });
  }
}

// Masked lanes yield what is asked for.
TEST(Pipeline, otherThanZero) {
  const auto k = kernel("other", {"a", "b", "out", "depth"}, [](Ptr<f32> a, Ptr<f32> b, Ptr<f32> out, Int depth) {
    Tile m = arange(0, kM), n = arange(0, kN), p = arange(0, kK);
    Tile acc = zeros(f32, {kM, kN});
    for_range(0, depth, kK, [&](Int at) {
      Tile x = load(a + (m.col() * depth + (at + p).row()), {.mask = (at + p).row() < depth, .other = 1.0f});
      Tile y = load(b + ((at + p).col() * kN + n.row()), {.mask = (at + p).col() < depth, .other = 2.0f});
      acc = dot(x, y, acc);
    });
    store(out + m.col() * kN + n.row(), acc);
  });
  for (const int depth : {8, 24, 72}) {
    const Buffer<f32> a = eighths<f32>(kM * depth, 1), b = eighths<f32>(depth * kN, 2);
    sameOutput(kM * kN, "depth " + std::to_string(depth), [&](const CompileOptions &options, Buffer<f32> &out) {
      k.with({}, options).launch(Device::current(), 1, a, b, out, depth);
    });
  }
}

// Two products share an operand; a third is of what is computed from loads.
TEST(Pipeline, severalProducts) {
  const auto k = kernel("several", {"a", "b", "c", "out", "depth"},
                        [](Ptr<f16> a, Ptr<f16> b, Ptr<i8> c, Ptr<f32> out, Int depth) {
                          View A = view(a, {kM, depth}, {depth, 1}), B = view(b, {depth, kN}, {kN, 1});
                          View C = view(c, {depth, kN}, {kN, 1});
                          Tile one = zeros(f32, {kM, kN}), two = zeros(f32, {kM, kN});
                          for_range(0, depth, kK, [&](Int at) {
                            Tile x = A.load({0, at}, {kM, kK}), y = B.load({at, 0}, {kK, kN}),
                                 z = C.load({at, 0}, {kK, kN}).to(f16) * 0.5f;
                            one = dot(x, y, one);
                            two = dot(x, z, two);
                            one = dot(x * 2.0f, y, one);
                          });
                          Tile at = arange(0, kM).col() * kN + arange(0, kN).row();
                          store(out + at, one);
                          store(out + kM * kN + at, two);
                        });
  std::vector<std::int8_t> bytes(160 * kN);
  for (std::size_t i = 0; i != bytes.size(); ++i)
    bytes[i] = static_cast<std::int8_t>(i * 37 % 31) - 15;
  const Buffer<i8> c = Device::current().upload(bytes);
  for (const int depth : {16, 32, 56, 160}) {
    const Buffer<f16> a = eighths<f16>(kM * depth, 1), b = eighths<f16>(depth * kN, 2);
    sameOutput(2 * kM * kN, "depth " + std::to_string(depth), [&](const CompileOptions &options, Buffer<f32> &out) {
      k.with({}, options).launch(Device::current(), 1, a, b, c, out, depth);
    });
  }
}

// Rows of b are those that a table names.
TEST(Pipeline, indirectRows) {
  const auto k =
      kernel("indirect", {"a", "b", "rows", "out", "depth"},
             [](Ptr<f16> a, Ptr<f16> b, Ptr<i32> rows, Ptr<f32> out, Int depth) {
               Tile m = arange(0, kM), n = arange(0, kN), p = arange(0, kK);
               Tile acc = zeros(f32, {kM, kN});
               for_range(0, depth, kK, [&](Int at) {
                 Tile row = load(rows + (at + p));
                 acc = dot(load(a + (m.col() * depth + (at + p).row())), load(b + (row.col() * kN + n.row())), acc);
               });
               store(out + m.col() * kN + n.row(), acc);
             });
  for (const int depth : {16, 32, 80}) {
    std::vector<std::int32_t> table(static_cast<std::size_t>(depth));
    for (std::size_t i = 0; i != table.size(); ++i)
      table[i] = static_cast<std::int32_t>(i * 7 % table.size());
    const Buffer<i32> rows = Device::current().upload(table);
    const Buffer<f16> a = eighths<f16>(kM * depth, 1), b = eighths<f16>(depth * kN, 2);
    sameOutput(kM * kN, "depth " + std::to_string(depth), [&](const CompileOptions &options, Buffer<f32> &out) {
      k.with({}, options).launch(Device::current(), 1, a, b, rows, out, depth);
    });
  }
}

// Some rounds load and multiply, others do not.
TEST(Pipeline, conditionalLoads) {
  const auto k =
      kernel("conditional", {"a", "b", "out", "rounds"}, [](Ptr<f16> a, Ptr<f16> b, Ptr<f32> out, Int rounds) {
        Tile m = arange(0, kM), n = arange(0, kN), p = arange(0, kK);
        Tile acc = zeros(f32, {kM, kN});
        for_range(0, rounds, 1, [&](Int i) {
          Tile x = load(a + (i * kM * kK + m.col() * kK + p.row()));
          if_(i % 3 != 1, [&] { acc = dot(x, load(b + (i * kK * kN + p.col() * kN + n.row())), acc); });
        });
        store(out + m.col() * kN + n.row(), acc);
      });
  for (const int rounds : {0, 1, 2, 3, 7}) {
    const Buffer<f16> a = eighths<f16>(8 * kM * kK, 1), b = eighths<f16>(8 * kK * kN, 2);
    sameOutput(kM * kN, std::to_string(rounds) + " rounds", [&](const CompileOptions &options, Buffer<f32> &out) {
      k.with({}, options).launch(Device::current(), 1, a, b, out, rounds);
    });
  }
}

// A loop stores what the next round loads (SEMANTICS M3).
TEST(Pipeline, loadsWhatTheRoundBeforeStored) {
  const auto k = kernel("stored", {"a", "b", "rounds"}, [](Ptr<f32> a, Ptr<f32> b, Int rounds) {
    Tile m = arange(0, kM), n = arange(0, kN);
    for_range(0, rounds, 1, [&](Int i) {
      Tile at = i * kM * kN + m.col() * kN + n.row();
      store(a + (at + kM * kN), dot(load(a + at), load(b + at)) * 0.0625f);
    });
  });
  for (const int rounds : {0, 1, 2, 5}) {
    const std::vector<float> start = eighths<f32>(6 * kM * kN, 1).download();
    const Buffer<f32> b = eighths<f32>(6 * kM * kN, 2);
    sameForAllStages(
        [&](const CompileOptions &options) {
          const Buffer<f32> a = Device::current().upload(start);
          k.with({}, options).launch(Device::current(), 1, a, b, rounds);
          return a.download();
        },
        std::to_string(rounds) + " rounds");
  }
}

// The pipeline starts again for every block of the output, as often as the outer loop says.
TEST(Pipeline, insideAnotherLoop) {
  const auto k = kernel(
      "nested", {"a", "b", "out", "blocks", "depth"}, [](Ptr<f16> a, Ptr<f16> b, Ptr<f32> out, Int blocks, Int depth) {
        View A = view(a, {blocks * kM, depth}, {depth, 1}), B = view(b, {depth, kN}, {kN, 1});
        View C = view(out, {blocks * kM, kN}, {kN, 1});
        for_range(0, blocks, 1, [&](Int block) {
          Tile acc = zeros(f32, {kM, kN});
          if_(block != 2, [&] {
            for_range(0, depth - block * kK, kK,
                      [&](Int at) { acc = dot(A.load({block * kM, at}, {kM, kK}), B.load({at, 0}, {kK, kN}), acc); });
          });
          C.store({block * kM, 0}, acc);
        });
      });
  for (const int blocks : {0, 1, 2, 5})
    for (const int depth : {16, 64, 80}) {
      const Buffer<f16> a = eighths<f16>(std::max(1, blocks * kM * depth), 1), b = eighths<f16>(depth * kN, 2);
      sameOutput(std::max(1, blocks * kM * kN), std::to_string(blocks) + " blocks, depth " + std::to_string(depth),
                 [&](const CompileOptions &options, Buffer<f32> &out) {
                   k.with({}, options).launch(Device::current(), 1, a, b, out, blocks, depth);
                 });
    }
}

struct Stages {
  int stages = 1;
};

// Loads that feed no product, in a loop that asks for a pipeline; steps of either sign, near the ends of i64.
TEST(Pipeline, sumsAtTheEndsOfTheIndex) {
  const auto k =
      kernel("sums", {"x", "out", "lo", "hi", "step"},
             [](const Stages &c, Ptr<f32> x, Ptr<f32> out, Int lo, Int hi, Int step) {
               Tile i = arange(0, 512);
               Tile sum = zeros(f32, {512});
               for_range(lo, hi, step, [&](Int at) { sum = sum * 0.5f + load(x + ((at - lo) / step * 512 + i)); },
                         {.num_stages = c.stages});
               store(out + i, sum);
             });
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max(),
                         least = std::numeric_limits<std::int64_t>::min();
  struct Bounds {
    std::int64_t lo, hi, step;
  };
  const Buffer<f32> x = eighths<f32>(8 * 512, 1);
  for (const auto [lo, hi, step] : {Bounds{0, 6, 1},
                                    {0, 0, 1},
                                    {5, 0, 1},
                                    {0, 7, 3},
                                    {most - 5, most, 2},
                                    {most - 5, most, 1},
                                    {6, 0, -1},
                                    {6, 0, -4},
                                    {least + 3, least, -1},
                                    {least, least + 4, 1},
                                    {0, most, most / 2},
                                    {least, 0, most / 2 + 1}}) {
    std::vector<float> want;
    for (const int stages : {1, 2, 3, 5}) {
      Buffer<f32> out = poisoned(512);
      k.with(Stages{stages}).launch(Device::current(), 1, x, out, lo, hi, step);
      if (stages == 1)
        want = out.download();
      else
        EXPECT_EQ(out.download(), want) << lo << " to " << hi << " by " << step << ", " << stages << " stages";
    }
  }
}

} // namespace
