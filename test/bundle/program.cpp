// Launches everything that the bundle of the tests holds on the device named first, without a compiler in the process,
// and compares. With a path behind it the bundle comes from that file.
#include "test_kernels.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

using namespace tessera;

static void expect(bool right, const char *what) {
  if (right)
    return;
  std::fprintf(stderr, "wrong: %s\n", what);
  std::exit(1);
}

static void addsVectors(const Device &device) {
  for (const std::int64_t n : {1, 256, 1001}) {
    std::vector<float> x(n), y(n, 0.5F);
    std::iota(x.begin(), x.end(), 0.0F);
    Buffer<f32> dx = device.upload(x), dy = device.upload(y), out = device.buffer<f32>(n);
    const auto grid = [&](const auto &c) { return Grid((n + c.block - 1) / c.block); };
    test_kernels::vector_add_f32.launch(device, grid, dx, dy, out, n);
    const std::vector<float> sums = out.download();
    for (std::int64_t i = 0; i != n; ++i)
      expect(sums[i] == x[i] + 0.5F, "vector_add_f32");
    // From the second element on, where nothing is aligned.
    if (n > 1) {
      test_kernels::vector_add_f32.launch(device, grid, dx.from(1), dy.from(1), out.from(1), n - 1);
      expect(out.download()[1] == x[1] + 0.5F, "vector_add_f32, misaligned");
    }
  }
  const std::vector<half> ones(130, half(1.0F));
  Buffer<f16> x = device.upload(ones), out = device.buffer<f16>(130);
  static_assert(test_kernels::vector_add_f16.config.block == 128);
  test_kernels::vector_add_f16.launch(device, 2, x, x, out, 130);
  for (const half value : out.download())
    expect(value == 2.0F, "vector_add_f16");
}

static void multiplies(const Device &device) {
  const std::int64_t m = 40, n = 48, k = 64;
  std::vector<half> a(m * k), b(k * n);
  for (std::size_t i = 0; i != a.size(); ++i)
    a[i] = half(static_cast<float>(i % 7) - 3);
  for (std::size_t i = 0; i != b.size(); ++i)
    b[i] = half(static_cast<float>(i % 5) - 2);
  Buffer<f16> da = device.upload(a), db = device.upload(b);
  // Dense, and with rows further apart, which no descriptor takes.
  for (const std::int64_t ldc : {n, n + 1}) {
    Buffer<f32> out = device.buffer<f32>(m * ldc);
    test_kernels::matmul_f16_f32.launch(
        device, [&](const auto &c) { return Grid((m + c.bm - 1) / c.bm, (n + c.bn - 1) / c.bn); }, view_arg(da, {m, k}),
        view_arg(db, {k, n}), view_arg(out, {m, n}, {ldc, 1}), k);
    const std::vector<float> found = out.download();
    for (std::int64_t i = 0; i != m; ++i)
      for (std::int64_t j = 0; j != n; ++j) {
        float want = 0;
        for (std::int64_t p = 0; p != k; ++p)
          want += static_cast<float>(a[i * k + p]) * static_cast<float>(b[p * n + j]);
        expect(found[i * ldc + j] == want, "matmul");
      }
  }
}

static void usesMemoryOfTheLauncher(const Device &device) {
  std::vector<float> x(1000);
  for (std::size_t i = 0; i != x.size(); ++i)
    x[i] = i % 4 ? 1.0F : -2.0F;
  Buffer<f32> dx = device.upload(x), sum = device.buffer<f32>(1);
  Buffer<i32> counts = device.buffer<i32>(2);
  counts.fill(77);
  for (int again = 0; again != 2; ++again) {
    test_kernels::count_signs_f32_i32.launch(device, 16, dx, counts, 1000);
    expect(counts.download() == std::vector<std::int32_t>{250, 750}, "count_signs");
    test_kernels::total_f32.launch(device, 16, dx, sum, 1000);
    expect(sum.download()[0] == 250.0F, "total");
  }
}

static void takesStridesAndOptionals(const Device &device) {
  std::vector<half> halves(64 * 16);
  std::vector<std::uint8_t> bytes(64 * 3);
  for (std::size_t i = 0; i != halves.size(); ++i)
    halves[i] = half(static_cast<float>(i % 100));
  for (std::size_t i = 0; i != bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(i);
  std::vector<float> bias(64, 0.25F);
  Buffer<f16> dh = device.upload(halves);
  Buffer<u8> db = device.upload(bytes);
  Buffer<f32> dbias = device.upload(bias), out = device.buffer<f32>(64);
  for (const std::int64_t stride : {1, 3, 16}) {
    test_kernels::scale_halves.launch(device, 1, dh, dbias, out, stride, 2.0F);
    const std::vector<float> found = out.download();
    for (std::size_t i = 0; i != 64; ++i)
      expect(found[i] == 2 * static_cast<float>(halves[i * stride]) + 0.25F, "scale_halves");
  }
  test_kernels::scale_bytes.launch(device, 1, db, out, 3, 0.5F);
  expect(out.download()[10] == 15.0F, "scale_bytes");
}

static void prints(const Device &device) {
  Buffer<f32> x = device.upload(std::vector<float>{4.5F});
  test_kernels::say_f32.launch(device, 1, x);
  device.synchronize();
}

int main(int argc, char **argv) {
  try {
    const Device device = Device::get(argc > 1 ? argv[1] : "cpu");
    if (argc > 2)
      test_kernels::use(Bundle::load(argv[2]));
    addsVectors(device);
    multiplies(device);
    usesMemoryOfTheLauncher(device);
    takesStridesAndOptionals(device);
    prints(device);
    std::printf("all right on %s\n", device.name().c_str());
    return 0;
  } catch (const Error &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
}
