//===- from-triton.cpp - every spelling of docs/from-triton.md ------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// One kernel a section of the page, launched on the interpreter. spellings.py looks for each spelling of the page here.
//
//===---------------------------------------------------------------------===//

#include "tessera/tessera.h"

#include <array>
#include <cstdio>
#include <iostream>
#include <tuple>

using namespace tessera;

namespace {

struct Config {
  int block = 128;
};

/// Keeps what a section computes: adds it up into out[0].
void keep(Ptr<f32> out, std::initializer_list<Tile> tiles) {
  for (const Tile &tile : tiles) {
    Tile total = tile.dtype().isBool() ? any(tile).to(f32) : sum(tile.to(f32));
    store(out, load(out) + total);
  }
}

const auto add = kernel("add", [](const Config &c, Ptr<f32> x, Int n) {
  Tile i = program_id(0) * c.block + arange(0, c.block);
  Tile m = i < n;
  store(x + i, load(x + i, {.mask = m}) + 1, {.mask = m});
});

template <DType T> const auto scale = kernel("scale", [](Ptr<T> x, Scalar<T> factor) { store(x, load(x) * factor); });

void programs(const Stream &stream, Buffer<f32> &x) {
  float *pointer = x.data();
  std::int64_t count = x.size();
  scale<f32>.launch(stream, {1}, borrow(pointer, count), 2.0f);
  const struct {
    void *memory;
    void *data_ptr() const { return memory; }
  } tensor{pointer};
  scale<bf16>.launch(stream, {1}, borrow<bf16>(tensor.data_ptr(), count), 2.0f);
  const std::int64_t n = x.size(), g = cdiv(n, 128);
  add.launch(stream, {g}, x, n);
  add.with({.block = 256}, {.num_warps = 8}).launch(stream, {g}, x, n);
  add.with({.block = 256}, {.cluster = 2}).launch(stream, {g}, x, n);
  const auto tuned = autotune(add.params({"x", "n"}), {{{.block = 256}, {.num_warps = 8}}, {{.block = 512}}}, key("n"));
  tuned.launch(stream, {g}, x, n);
  add.launch(stream, [&](const Config &c) { return Grid{cdiv(n, c.block)}; }, x, n);
}

struct Pair {
  F32 low, high;
};

const auto parameters =
    kernel("parameters", [](Ptr<any> x, Ptr<f32> p, Opt<Ptr<f32>> bias, View<f32, 2> V, Ptr<ptr_to(f32)> table, I32 n,
                            F32 s, Pair pair, std::array<Int, 2> sizes) {
      Tile total = load(x).to(f32) + load(p) + sum(V.load({0, 0}, {2, 4})) + n + s + pair.high;
      if (bias) // known while recording
        total += load(*bias);
      std::cout << "";
      static_assert(Ptr<ptr_to(i32)>::type == ptr_to(i32));
      keep(p, {total + (sizes[0] + sizes[1]).to(f32), load(load(table).as(f32))});
    });

const auto control = kernel("control", [](Ptr<f32> x, Int n) {
  auto [pm, pn] = grouped_program_id(cdiv(n, 128), num_programs(0), 8);
  Int blocks_m = cdiv(n, 128), blocks_n = 1, group = 4, k = 0;
  auto place = grouped_program_id(blocks_m, blocks_n, group);
  Tile total = load(x);
  for (int step = 0; step < 2; ++step) // a loop of C++: recorded twice
    total += step;
  for_range(0, n, 32, [&](Int k) { total += k.to(f32); }, {.num_stages = 2, .unroll = 4, .warp_specialize = true});
  for_range(0, n, [&](Int j) {
    Bool c = j > 3;
    break_if(c);
    total += 1;
  });
  while_([&] { return k < n; }, [&] { k += 1; });
  Bool c = n > 100;
  if_(c, [&] { total += 1; }, [&] { total -= 1; });
  return_if(c);
  keep(x, {total, pm.to(f32) + pn.to(f32) + place.m.to(f32)});
});

const auto making = kernel("making", [](Ptr<f32> p, Ptr<f32> out) {
  Tile x = load(p + arange(0, 32));
  std::array types = {i1, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64, e4m3, e5m2, e4m3fnuz, e5m2fnuz};
  DType last = types.back();
  keep(out, {full(f32, {4, 8}, 2.5), zeros(f32, {4, 8}), zeros(x.dtype(), x.shape()), Tile(3), x.to(f16),
             x.to(f16, {.rounding = Rounding::toward_zero}), x.bitcast(i32) & 1, load(p.as<i32>()) & 1, x.to(last),
             Tile(x.shape().elements())});
});

const auto memory = kernel("memory", [](Ptr<f32> p, Ptr<f32> out) {
  Tile i = arange(0, 32), m = i < 8, v = zeros(f32, {32});
  keep(out, {load(p + i, {.mask = m, .other = 0}), load(p + i, {.mask = m, .cache = Cache::all}),
             load(p + i, {.cache = Cache::global, .evict = Evict::first}), load(p + i, {.cache = Cache::streaming}),
             load(p + i, {.cache = Cache::again, .reload = true})});
  store(p + i, v, {.mask = m});
  store(p + i, v, {.cache = Cache::write_back});
});

const auto views = kernel("views", [](Ptr<f32> p, Ptr<f32> out, Int m, Int n, Int s) {
  View V = view(p, {m, n}, {s, 1});
  Int i = 0, j = 0;
  Tile v = V.load({i, j}, {8, 16}), rows = 7 - arange(0, 8);
  Tile padded = V.load({i, j}, {8, 16}, {.pad = nan_value});
  keep(out, {v, V.load({i, j + 16}, {8, 16}), V.load_rows(rows, j, {8, 16}), where(isnan(padded), 0, padded)});
  V.store({i, j}, v);
  V.store_rows(rows, j, v);
});

const auto shapes = kernel("shapes", [](Ptr<f32> p, Ptr<f32> out) {
  Tile i = arange(0, 8), grid = load(p + i.col() * 4 + arange(0, 4).row());
  auto a = load(p + i), b = a + 1;
  {
    Tile x = a, y = expand_dims(x, 0);
    keep(out, {reshape(y, {8}), broadcast_to(x, y.shape()), flip(x), join(a, b), interleave(a, b), cat(a, b, 0),
               i.row(), gather(x, i, 0)});
    Tile index = i;
    keep(out, {gather(x, index, 0)});
  }
  {
    Tile x = grid;
    keep(out, {reshape(x, {32}), reshape(x, {x.shape().elements()}), trans(x), flip(x, 0)});
  }
  {
    Tile x = arange(0, 8).row();
    keep(out, {broadcast_to(x, {4, 8})});
  }
  {
    Tile x = reshape(grid, {2, 4, 4});
    keep(out, {trans(x, {2, 0, 1})});
  }
  Tile x = reshape(grid, {4, 4, 2});
  auto [even, odd] = split(x);
  keep(out, {even, odd});
});

const auto arithmetic = kernel("arithmetic", [](Ptr<f32> p, Ptr<f32> out, F32 lo, F32 hi) {
  Tile i = arange(0, 8), j = i + 1, u = i.to(u32), w = u + 1, m = i < 4;
  Tile x = load(p + i) + 1, a = x, b = x + 1, c = x;
  keep(out, {i / j,
             fdiv(i, j),
             fast_div(a, b),
             a / b,
             where(m, a, b),
             maximum(a, b),
             minimum(a, b),
             maximum(a, b, {.nan = Nan::propagate}),
             clamp(x, lo, hi),
             abs(x),
             floor(x),
             ceil(x),
             fma(a, b, c),
             umulhi(u, w),
             exp(x),
             exp2(x),
             log(x),
             log2(x),
             fast_exp(x),
             fast_exp2(x),
             fast_log(x),
             fast_log2(x),
             sin(x),
             cos(x),
             fast_sin(x),
             fast_cos(x),
             fast_sqrt(x),
             sqrt(x),
             rsqrt(x),
             erf(x),
             sigmoid(x),
             tanh(x),
             pow(a, b),
             atan2(a, b),
             tan(x),
             fast_tanh(x),
             expm1(x),
             log1p(x),
             log10(x),
             round(x),
             rint(x),
             trunc(x),
             fmod(a, b),
             isnan(x),
             isinf(x),
             isfinite(x),
             copysign(a, b),
             ldexp(x, 3),
             ilogb(x),
             popcount(i),
             clz(i)});
});

const auto assembly = kernel("assembly", [](Ptr<f32> out) {
  Tile x = load(out);
  store(out, inline_asm({{"cuda", "ex2.approx.f32 $0, $1;", "=f,f"}}, f32, {x}));
});

const auto reductions = kernel("reductions", [](Ptr<f32> p, Ptr<f32> out) {
  Tile i = arange(0, 16), m = i < 8;
  {
    Tile x = load(p + i.col() * 2 + arange(0, 2).row());
    keep(out, {sum(x, {.axis = 1, .keep_dims = true}), cumsum(x, {.axis = 0})});
  }
  Tile x = load(p + i);
  auto f = [](Tile a, Tile ai, Tile b, Tile bi) {
    Tile left = a >= b;
    return std::tuple{where(left, a, b), where(left, ai, bi)};
  };
  auto [best, place] = reduce(std::tuple{x, i}, 0, f);
  keep(out,
       {best, place, sum(x), sum(x, {.dtype = f64}), max(x, {.axis = 0}), min(x, {.axis = 0}), argmax(x, {.axis = 0}),
        argmin(x, {.axis = 0}), xor_sum(i), reduce(i, 0, [](Tile a, Tile b) { return a | b; }),
        reduce(x, 0, [](Tile a, Tile b) { return a + b; }), scan(x, 0, [](Tile a, Tile b) { return a * b; }),
        cumprod(x, {.axis = 0}), cumsum(x, {.reverse = true}), sort(x), sort(x, {.descending = true}),
        topk(x, 4).values, topk(x, 4).indices, histogram(i, 16, {.mask = m})});
});

const auto products = kernel("products", [](Ptr<f32> p, Ptr<f32> out) {
  Tile i = arange(0, 16), a = load(p + i.col() * 16 + i.row()), b = trans(a), acc = zeros(f32, {16, 16});
  keep(out, {dot(a, b, acc), dot(a, b), dot(a, b, acc, {.precision = Precision::tf32}),
             dot(a, b, acc, {.precision = Precision::tf32x3}), dot(a.to(e4m3), b.to(e5m2), {.max_imprecise_k = 32})});
});

const auto atomics = kernel("atomics", [](Ptr<f32> x, Ptr<i32> words, Zeroed<i32> counter, Ptr<f32> out) {
  Tile i = arange(0, 8), m = i < 4, p = x + i, q = words + i, v = ones(f32, {8}), w = i;
  keep(out, {atomic_add(p, v, {.mask = m}), atomic_max(p, v), atomic_min(p, v), atomic_and(q, w), atomic_or(q, w),
             atomic_xor(q, w), atomic_xchg(q, w), atomic_cas(q, 0, w),
             atomic_load(q, {.order = Order::acquire, .scope = Scope::device}), atomic_load(q, {.scope = Scope::block}),
             atomic_load(q, {.scope = Scope::system})});
  if_(last_program(counter), [&] { store(out, 0); });
});

const auto numbers = kernel("numbers", [](Ptr<f32> out, Int seed) {
  Tile i = arange(0, 8), c0 = i, c1 = i, c2 = i, c3 = i;
  auto [w0, w1, w2, w3] = philox(seed, i, 0, 0, 0);
  keep(out, {rand(seed, i), randn(seed, i), randint(seed, i), philox(seed, c0, c1, c2, c3).w3,
             (w0 >> 8).to(f32) * 0x1p-24, w1, w2, w3});
});

const auto hints = kernel("hints", [](Ptr<f32> p, Int n) {
  {
    Tile i = 16 * arange(0, 16);
    i = multiple_of(i, 16);
    store(p + i, 0);
  }
  Tile i = arange(0, 16);
  i = max_contiguous(i, 16);
  assume(n > 0);
  Tile x = load(p + i);
  device_print("x", x);
  device_print("x", {i, x}, {.when = x < 0});
  device_assert(x < 1, "text");
});

template <class Launch> void section(const char *name, Launch launch) {
  std::printf("%s\n", name);
  launch();
}

} // namespace

int main() {
  try {
    Device device = Device::get("interp");
    Stream stream = device.stream();
    Buffer<f32> x = device.buffer<f32>(1024), out = device.buffer<f32>(1);
    Buffer<i32> words = device.buffer<i32>(8), counter = device.buffer<i32>(1);
    x.fill(0);
    out.fill(0);
    words.fill(0);
    std::vector<float *> addresses{x.data()};
    Buffer<ptr_to(f32)> table = device.upload(addresses);
    section("programs", [&] { programs(stream, x); });
    section("parameters", [&] {
      parameters.launch(stream, {1}, x, out, x, view_arg(x, {32, 32}), table, 1, 2.0f, std::tuple{0.5f, 1.5f},
                        std::array<std::int64_t, 2>{3, 4});
      parameters.launch(stream, {1}, words, out, none, view_arg(x, {32, 32}), table, 1, 2.0f, std::tuple{0.5f, 1.5f},
                        std::array<std::int64_t, 2>{3, 4});
    });
    section("control", [&] { control.launch(stream, {1}, x, 5); });
    section("making", [&] { making.launch(stream, {1}, x, out); });
    section("memory", [&] { memory.launch(stream, {1}, x, out); });
    section("views", [&] { views.launch(stream, {1}, x, out, 32, 32, 32); });
    section("shapes", [&] { shapes.launch(stream, {1}, x, out); });
    section("arithmetic", [&] { arithmetic.launch(stream, {1}, x, out, 0.0f, 1.0f); });
    section("reductions", [&] { reductions.launch(stream, {1}, x, out); });
    section("products", [&] { products.launch(stream, {1}, x, out); });
    section("atomics", [&] { atomics.launch(stream, {1}, x, words, counter, out); });
    section("numbers", [&] { numbers.launch(stream, {1}, out, 7); });
    x.fill(0);
    section("hints", [&] { hints.launch(stream, {1}, x, 1); });
    stream.synchronize();
    return 0;
  } catch (const Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
