// Kernels that are compiled when the project is built.
#include <tessera/tessera.h>

using namespace tessera;

const auto twice = kernel("twice", {"x", "n"}, [](Ptr<f32> x, Int n) {
  Tile i = program_id(0) * 64 + arange(0, 64);
  store(x + i, 2 * load(x + i, {.mask = i < n}), {.mask = i < n});
});

void bundle(Bundler &b) { b.add(twice); }
