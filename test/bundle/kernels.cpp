// What the tests of bundles compile ahead of time: every kind of parameter and of hidden argument.
#include <tessera/tessera.h>

using namespace tessera;

struct AddConfig {
  int block = 256;
};

template <DType T>
const auto vector_add =
    kernel("vector_add", {"x", "y", "out", "n"}, [](const AddConfig &c, Ptr<T> x, Ptr<T> y, Ptr<T> out, Int n) {
      Tile offs = program_id(0) * c.block + arange(0, c.block);
      Tile mask = offs < n;
      store(out + offs, load(x + offs, {.mask = mask}) + load(y + offs, {.mask = mask}), {.mask = mask});
    });

struct MatmulConfig {
  int bm = 32, bn = 32, bk = 32;
};

// Views, which are tensor copies on chips that have them.
const auto matmul = kernel("matmul", {"a", "b", "out", "k"},
                           [](const MatmulConfig &c, View<f16, 2> a, View<f16, 2> b, View<f32, 2> out, Int k) {
                             Int row = program_id(0) * c.bm, col = program_id(1) * c.bn;
                             Tile acc = zeros(f32, {c.bm, c.bn});
                             for_range(0, k, c.bk, [&](Int kk) {
                               acc = dot(a.load({row, kk}, {c.bm, c.bk}), b.load({kk, col}, {c.bk, c.bn}), acc);
                             });
                             out.store({row, col}, acc);
                           });

// Memory that the launcher zeroes.
const auto count_signs = kernel("count_signs", {"x", "counts", "n"}, [](Ptr<f32> x, Zeroed<i32> counts, Int n) {
  Tile offs = program_id(0) * 64 + arange(0, 64);
  atomic_add(counts + where(load(x + offs, {.mask = offs < n}) < 0, 0, 1), 1, {.mask = offs < n});
});

// Memory of the launcher's own: partial sums, and a counter that says whose is the last program.
const auto total = kernel("total", {"x", "out", "n"}, [](Ptr<f32> x, Ptr<f32> out, Int n) {
  Int block = program_id(0), blocks = num_programs(0);
  Tile offs = block * 64 + arange(0, 64);
  Ptr<f32> parts = workspace<f32>(num_programs(0));
  Ptr<i32> arrived = workspace<i32>(1, {.zeroed = true});
  store(parts + block, sum(load(x + offs, {.mask = offs < n})));
  if_(last_program(arrived, blocks), [&] {
    Tile acc = zeros(f32, {});
    for_range(0, blocks, 1, [&](Int part) { acc += load(parts + part); });
    store(out, acc);
  });
});

// A stride that may be 1, an optional argument, an element type bound when it is bundled.
const auto scale_rows = kernel("scale_rows", {"x", "bias", "out", "stride", "factor"},
                               [](Ptr<any> x, Opt<Ptr<f32>> bias, Ptr<f32> out, Int stride, F32 factor) {
                                 Tile i = arange(0, 64);
                                 Tile v = load(x + i * stride).to(f32) * factor;
                                 if (bias)
                                   v += load(*bias + i);
                                 store(out + i, v);
                               });

const auto say = kernel("say", {"x"}, [](Ptr<f32> x) { device_print("first", load(x)); });

#ifdef TESSERA_TEST_BUNDLER
#include <tessera/runtime/Bundler.h>

void bundle(Bundler &b) {
  b.add(vector_add<f32>).add(vector_add<f16>.with({.block = 128}, {.num_warps = 2}));
  b.add(matmul).add(count_signs).add(total).add(say);
  b.add(scale_rows, {.name = "scale_halves", .any = {f16}, .present = {true}, .unit_strides = {{"stride"}}});
  b.add(scale_rows, {.name = "scale_bytes", .any = {u8}});
}
#endif
