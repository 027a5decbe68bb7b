// A program with the compiler that launches one of the tests' kernels, perhaps frozen, perhaps with a bundle:
// frozen <what> [bundle]
#include "kernels.cpp"

#include <cstdio>
#include <string>
#include <vector>

namespace {

// The same name and config, another text.
const auto edited =
    kernel("vector_add", {"x", "y", "out", "n"}, [](const AddConfig &c, Ptr<f32> x, Ptr<f32> y, Ptr<f32> out, Int n) {
      Tile offs = program_id(0) * c.block + arange(0, c.block);
      Tile mask = offs < n;
      store(out + offs, load(y + offs, {.mask = mask}) + load(x + offs, {.mask = mask}), {.mask = mask});
    });

int launch(const std::string &what, const Device &device) {
  Buffer<f32> x = device.buffer<f32>(4096), out = device.buffer<f32>(4096);
  x.fill(1.5F);
  out.fill(0);
  const auto grid = [](const AddConfig &c) { return Grid(4096 / c.block); };
  const auto &chosen = what == "edited" ? edited : vector_add<f32>;
  if (what == "tune") {
    const auto tuned =
        autotune(vector_add<f32>, Space<AddConfig>{{{.block = 256}, {}}, {{.block = 1024}, {}}}, key("n"));
    tuned.launch(device, grid, x, x, out, 4096);
    std::printf("chose {block=%d}\n", tuned.best_config()->config.block);
  } else {
    chosen.with({.block = what == "other" ? 512 : 256}).launch(device, grid, x, x, out, 4096);
    std::printf("from: %s\n", chosen.compilations().back().origin.c_str());
  }
  return out.download()[4095] == 3.0F ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) {
  try {
    const std::string what = argc > 1 ? argv[1] : "launch";
    if (argc > 2)
      Bundle::load(argv[2]).serve();
    if (what == "freeze")
      Runtime::freeze();
    return launch(what, Device::get("cpu"));
  } catch (const Error &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
}
