// Sees what a user of tessera::tessera sees: records, compiles, launches and checks a kernel.
#include <tessera/tessera.h>

#include <cstdio>
#include <vector>

using namespace tessera;

struct AddConfig {
  int block = 256;
};

const auto add =
    kernel("add", {"x", "y", "out", "n"}, [](const AddConfig &c, Ptr<f32> x, Ptr<f32> y, Ptr<f32> out, Int n) {
      Tile offs = program_id(0) * c.block + arange(0, c.block);
      Tile mask = offs < n;
      store(out + offs, load(x + offs, {.mask = mask}) + load(y + offs, {.mask = mask}), {.mask = mask});
    });

int main() {
  try {
    const std::int64_t n = 1001;
    std::vector<float> ones(n, 1.0f), twos(n, 2.0f);
    for (const char *name : {"interp", "cpu"}) {
      const Device device = Device::get(name);
      Buffer<f32> x = device.upload(ones), y = device.upload(twos), out = device.buffer<f32>(n);
      add.launch(device.stream(), {cdiv(n, 256)}, x, y, out, n);
      for (const float value : out.download())
        if (value != 3.0f)
          return 1;
    }
    return 0;
  } catch (const Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
