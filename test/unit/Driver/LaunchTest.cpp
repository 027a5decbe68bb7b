//===- LaunchTest.cpp - kernels from C++ to results -===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "unit/Driver/Kernels.h"
#include "unit/Expect.h"

#include <numeric>
#include <thread>
#include <vector>

using namespace tessera;
using namespace tessera::test;
using testing::ElementsAre;

namespace {
std::vector<float> ramp(std::size_t n, float step = 1) {
  std::vector<float> values(n);
  for (std::size_t i = 0; i != n; ++i)
    values[i] = static_cast<float>(i) * step;
  return values;
}
} // namespace

TEST(Launch, adds) {
  const std::int64_t n = 1000;
  const auto add = makeAdd<f32>();
  const Device dev = interp();
  const Buffer<f32> x = dev.upload(ramp(n)), y = dev.upload(ramp(n, 0.5f));
  Buffer<f32> out = dev.buffer<f32>(n);
  add.with({.block = 128}, {.num_warps = 8}).launch(dev.stream(), {cdiv(n, 128)}, x, y, out, n);
  const std::vector<float> result = out.download();
  for (std::int64_t i = 0; i != n; ++i)
    ASSERT_EQ(result[i], i * 1.5f);
}

TEST(Launch, gridMayBeAFunctionOfTheConfig) {
  const std::int64_t n = 100;
  const auto add = makeAdd<i32>();
  const Device dev = interp();
  const Buffer<i32> x = dev.upload(std::vector<int>(n, 3)), y = dev.upload(std::vector<int>(n, 4));
  Buffer<i32> out = dev.buffer<i32>(n);
  out.fill(0);
  add.with({.block = 16}).launch(dev, [&](const AddConfig &c) { return Grid{cdiv(n, c.block)}; }, x, y, out, n);
  EXPECT_EQ(out.download(), std::vector<int>(n, 7));
}

TEST(Launch, defaultConfigAndRawPointers) {
  const auto add = makeAdd<f32>();
  alignas(16) float x[64], y[64], out[64] = {};
  std::fill(x, x + 64, 1.0f);
  std::fill(y, y + 64, 2.0f);
  add.launch(interp(), {1}, borrow(x, 64), borrow(y, 64), borrow(out, 64), 64);
  EXPECT_EQ(out[63], 3.0f);
}

// SEMANTICS P1
TEST(Launch, threeAxes) {
  Buffer<i64> out = interp().buffer<i64>(2 * 3 * 4);
  makeCoordinates().launch(interp(), {2, 3, 4}, out);
  const std::vector<std::int64_t> result = out.download();
  for (int z = 0; z != 4; ++z)
    for (int y = 0; y != 3; ++y)
      for (int x = 0; x != 2; ++x)
        EXPECT_EQ(result[(z * 3 + y) * 2 + x], x * 10000 + y * 100 + z);
}

// SEMANTICS P1a
TEST(Launch, emptyGridLaunchesNothing) {
  const auto add = makeAdd<f32>();
  Buffer<f32> none;
  add.launch(interp(), {0}, none, none, none, 0);
  add.launch(interp(), {5, 0}, none, none, none, 0);
  EXPECT_TRUE(add.compilations().empty());
}

// SEMANTICS P1b
TEST(Launch, scalarsOfAllKinds) {
  const auto k = kernel(
      "scalars", [](Ptr<f64> out, I32 a, U32 b, I64 c, U64 d, F32 e, F64 f, Bool g, Scalar<i8> h, Scalar<f16> i) {
        store(out + 0, a.to(f64));
        store(out + 1, b.to(f64));
        store(out + 2, c.to(f64));
        store(out + 3, d.to(f64));
        store(out + 4, e.to(f64));
        store(out + 5, f);
        store(out + 6, where(g, 1.0, 0.0).to(f64));
        store(out + 7, h.to(f64));
        store(out + 8, i.to(f64));
      });
  Buffer<f64> out = interp().buffer<f64>(9);
  k.launch(interp(), 1, out, -5, 4000000000u, std::int64_t{-1} << 40, std::uint64_t{1} << 60, 0.5f, -0.25, true, -8,
           half(1.5f));
  EXPECT_THAT(out.download(), ElementsAre(-5, 4e9, -1099511627776.0, 1152921504606846976.0, 0.5, -0.25, 1, -8, 1.5));
}

// SEMANTICS P1b
TEST(Launch, elementTypeBoundAtLaunch) {
  const auto twice = kernel("twice", {"x"}, [](Ptr<any> x) { store(x, load(x) + load(x)); });
  Buffer<f32> floats = interp().upload(std::vector<float>{1.5f});
  Buffer<i16> shorts = interp().upload(std::vector<std::int16_t>{21});
  twice.launch(interp(), 1, floats);
  twice.launch(interp(), 1, shorts);
  EXPECT_EQ(floats.download()[0], 3.0f);
  EXPECT_EQ(shorts.download()[0], 42);
  ASSERT_EQ(twice.compilations().size(), 2u);
  EXPECT_EQ(twice.compilations()[1].reason, "other element types or optional arguments");
}

// SEMANTICS P1b
TEST(Launch, optionalArguments) {
  const auto k = kernel("bias", {"out", "bias", "scale"}, [](Ptr<f32> out, Opt<Ptr<f32>> bias, Opt<F32> scale) {
    Tile value = full(f32, {1}, 10.0);
    if (bias)
      value = value + load(*bias);
    if (scale)
      value = value * *scale;
    store(out + arange(0, 1), value);
  });
  Buffer<f32> out = interp().buffer<f32>(1);
  const Buffer<f32> bias = interp().upload(std::vector<float>{5});
  const auto run = [&](const auto &b, const auto &s) {
    k.launch(interp(), 1, out, b, s);
    return out.download()[0];
  };
  EXPECT_EQ(run(none, none), 10);
  EXPECT_EQ(run(bias, none), 15);
  EXPECT_EQ(run(none, 2.0f), 20);
  EXPECT_EQ(run(bias, 2.0f), 30);
  EXPECT_EQ(run(bias, std::optional<float>(3.0f)), 45);
  EXPECT_EQ(run(bias, std::optional<float>()), 15);
  EXPECT_EQ(k.compilations().size(), 4u);
}

namespace {
struct Pair {
  Ptr<f32> data;
  Int offset;
};
struct HostPair {
  Borrowed<f32> data;
  int offset;
};
} // namespace

// SEMANTICS P1b
TEST(Launch, structsAndArrays) {
  const auto k = kernel("structs", [](Ptr<f32> out, Pair p, std::array<Ptr<f32>, 2> xs, std::array<Int, 2> at) {
    store(out + 0, load(p.data + p.offset));
    store(out + 1, load(xs[0] + at[0]) + load(xs[1] + at[1]));
  });
  const Buffer<f32> x = interp().upload(ramp(8)), y = interp().upload(ramp(8, 100));
  Buffer<f32> out = interp().buffer<f32>(2);
  k.launch(interp(), 1, out, std::tuple(x.from(0), 3), std::array{x.from(0), y.from(0)}, std::array{1, 2});
  EXPECT_THAT(out.download(), ElementsAre(3, 201));
  k.launch(interp(), 1, out, HostPair{y.from(0), 3}, std::array{x.from(0), y.from(0)}, std::array{1, 2});
  EXPECT_THAT(out.download(), ElementsAre(300, 201));
}

// SEMANTICS P1b M6
TEST(Launch, views) {
  const auto transpose = kernel("transpose", {"in", "out"}, [](View<f32, 2> in, View<f32, 2> out) {
    out.store({0, 0}, trans(in.load({0, 0}, {8, 8})));
  });
  const Buffer<f32> in = interp().upload(ramp(6));
  Buffer<f32> out = interp().buffer<f32>(6);
  transpose.launch(interp(), 1, view_arg(in, {2, 3}), view_arg(out, {3, 2}));
  EXPECT_THAT(out.download(), ElementsAre(0, 3, 1, 4, 2, 5));
  transpose.launch(interp(), 1, view_arg(in, {3, 2}, {1, 3}), view_arg(out, {2, 3}));
  EXPECT_THAT(out.download(), ElementsAre(0, 1, 2, 3, 4, 5));
}

// SEMANTICS P1b: without strides, dense along the axis the view's type names.
TEST(Launch, viewsFollowTheirContiguousAxis) {
  const auto copy =
      kernel("copy", [](View<f32, 2, 0> in, View<f32, 2> out) { out.store({0, 0}, in.load({0, 0}, {2, 2})); });
  const Buffer<f32> in = interp().upload(ramp(4));
  Buffer<f32> out = interp().buffer<f32>(4);
  copy.launch(interp(), 1, view_arg(in, {2, 2}), view_arg(out, {2, 2}));
  EXPECT_THAT(out.download(), ElementsAre(0, 2, 1, 3));
}

// SEMANTICS P1b
TEST(Launch, zeroedOutputsAndWorkspace) {
  const auto k = kernel("hidden", {"count", "n"}, [](Zeroed<i32> count, Int n) {
    Ptr<i32> scratch = workspace<i32>(n * num_programs(0));
    Int pid = program_id(0);
    store(scratch + pid, 7);
    atomic_add(count, load(scratch + pid));
  });
  Buffer<i32> count = interp().upload(std::vector<int>{99});
  k.launch(interp(), 5, count, 1);
  EXPECT_THAT(count.download(), ElementsAre(35));
  k.launch(interp(), 2, count, 1);
  EXPECT_THAT(count.download(), ElementsAre(14));
}

// SEMANTICS P1b: a table of addresses.
TEST(Launch, pointersToPointers) {
  const auto gather = kernel("table", [](Ptr<ptr_to(f32)> table, Ptr<f32> out) {
    Int i = program_id(0);
    store(out + i, load(load(table + i)));
  });
  const Buffer<f32> a = interp().upload(std::vector<float>{1}), b = interp().upload(std::vector<float>{2});
  Buffer<ptr_to(f32)> table = interp().buffer<ptr_to(f32)>(2);
  table.copy_from(std::vector<void *>{b.data(), a.data()});
  Buffer<f32> out = interp().buffer<f32>(2);
  gather.launch(interp(), 2, table, out);
  EXPECT_THAT(out.download(), ElementsAre(2, 1));
}

TEST(Launch, preparedLaunches) {
  const auto add = makeAdd<f32>();
  const Buffer<f32> x = interp().upload(ramp(64)), y = interp().upload(ramp(64));
  Buffer<f32> out = interp().buffer<f32>(64);
  auto go = add.prepare({1}, x, y, out, 0);
  const Stream stream = interp().stream();
  out.fill(-1);
  go(stream);
  EXPECT_EQ(out.download()[0], -1);
  go.set<3>(2);
  go(stream);
  EXPECT_EQ(out.download()[1], 2);
  EXPECT_EQ(out.download()[2], -1);
  go.set<0>(out).set<3>(1);
  go(stream);
  EXPECT_EQ(out.download()[0], 0);
  go.set_grid(0);
  go(stream);
  auto sized = add.with({.block = 32}).prepare([&](const AddConfig &c) { return Grid(64 / c.block); }, x, y, out, 64);
  sized(stream);
  EXPECT_EQ(out.download()[63], 126);
}

// What a prepared launch remembers of its last call holds for the same arguments on the same device.
TEST(Launch, preparedLaunchesCheckWhatChanged) {
  const Device cpu = Device::get("cpu");
  const auto strided = makeStrided();
  std::vector<std::int64_t> memory(100, -1);
  auto go = strided.prepare({3}, borrow(memory.data(), 96), 16);
  for (int i = 0; i != 2; ++i)
    go(cpu);
  cpu.synchronize();
  EXPECT_EQ(memory[32], 2);
  EXPECT_EQ(strided.compilations().size(), 1u);
  // Another variant each: an odd address, a stride of one.
  const auto copy = go;
  go.set<0>(borrow(memory.data() + 1, 96));
  for (int i = 0; i != 2; ++i)
    go(cpu);
  cpu.synchronize();
  EXPECT_EQ(memory[33], 2);
  EXPECT_EQ(strided.compilations().size(), 2u);
  go.set<1>(1);
  go(cpu);
  cpu.synchronize();
  EXPECT_EQ(memory[2], 1);
  EXPECT_EQ(strided.compilations().size(), 3u);
  memory.assign(100, -1);
  copy(cpu);
  cpu.synchronize();
  EXPECT_EQ(memory[32], 2);
  EXPECT_EQ(memory[33], -1);
  EXPECT_EQ(strided.compilations().size(), 3u);

  go.set<0>(static_cast<std::int64_t *>(nullptr));
  EXPECT_THAT(wordsOf<UsageError>([&] { go(cpu); }), testing::HasSubstr("is a null pointer"));
  const Buffer<i64> ours = cpu.buffer<i64>(4);
  go.set<0>(ours);
  go(cpu);
  EXPECT_THAT(wordsOf<UsageError>([&] { go(interp()); }), testing::HasSubstr("is memory of device cpu"));
  go(cpu);
  go.set_grid({-1});
  EXPECT_THAT(wordsOf<UsageError>([&] { go(cpu); }), testing::HasSubstr("negative extent"));
  cpu.synchronize();
}

TEST(Launch, preparedLaunchesFromManyThreads) {
  const auto count = kernel("count", {"out"}, [](Ptr<i64> out) { atomic_add(out, Int(1)); });
  std::int64_t counted[2] = {};
  const auto go = count.prepare({3}, borrow(counted, 2));
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i != 8; ++i)
      threads.emplace_back([&, device = Device::get(i % 2 ? "cpu" : "interp")] {
        const Stream stream = device.create_stream();
        for (int j = 0; j != 50; ++j)
          go(stream);
        stream.synchronize();
      });
  }
  EXPECT_EQ(counted[0], 8 * 50 * 3);
  EXPECT_EQ(count.compilations().size(), 2u);
}

TEST(Launch, kernelsAreHandles) {
  const auto add = makeAdd<f32>();
  const auto copy = add;
  const auto named = add.params({"a", "b", "c", "count"});
  const Buffer<f32> x = interp().upload(ramp(64));
  Buffer<f32> out = interp().buffer<f32>(64);
  copy.launch(interp(), 1, x, x, out, 64);
  EXPECT_EQ(add.compilations().size(), 1u);
  EXPECT_TRUE(named.compilations().empty());
  EXPECT_NE(named.print().find("%count"), std::string::npos);
  EXPECT_EQ(add.name(), "add");
}

TEST(Launch, streamsOfOneDeviceShareKernels) {
  const auto add = makeAdd<f32>();
  const Buffer<f32> x = interp().upload(ramp(64));
  Buffer<f32> out = interp().buffer<f32>(64);
  for (int i = 0; i != 3; ++i) {
    const Stream stream = interp().create_stream();
    add.launch(stream, 1, x, x, out, 64);
    stream.synchronize();
  }
  EXPECT_EQ(out.download()[63], 126);
  EXPECT_EQ(add.compilations().size(), 1u);
}
