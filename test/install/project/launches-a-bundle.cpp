// Runs them where there is no compiler.
#include <shipped.h>

#include <cstdio>

int main() {
  try {
    const tessera::Device device = tessera::Device::get("cpu");
    tessera::Buffer<tessera::f32> x = device.upload(std::vector<float>(100, 1.5F));
    shipped::twice_f32.launch(device, 2, x, 100);
    return x.download()[99] == 3.0F ? 0 : 1;
  } catch (const tessera::Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
