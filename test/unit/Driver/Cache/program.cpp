//===- program.cpp - a process for tests of the disk cache ----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
//   program launch [scale]            adds vectors on device cpu and says where the kernel came from
//   program checked [scale]           the same with a kernel that checks its numbers
//   program compile <target>...       compiles for these and says what came of it
//   program report <target>           compiles and prints the report
//   program contract <target>         the same with an option that the kernel does not keep to
//
//===---------------------------------------------------------------------===//

#include <tessera/tessera.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

using namespace tessera;

namespace {

struct Config {
  int block = 256;
  double scale = 1;
};

// The kernels stand where the build says, as if the text above them had been edited.
#line TESSERA_TEST_LINE "program.cpp"
const auto scaledAdd =
    kernel("scaled_add", {"x", "y", "out", "n"}, [](const Config &c, Ptr<f32> x, Ptr<f32> y, Ptr<f32> out, Int n) {
      Tile offs = program_id(0) * c.block + arange(0, c.block);
      Tile mask = offs < n;
      store(out + offs, (load(x + offs, {.mask = mask}) + load(y + offs, {.mask = mask})) * c.scale, {.mask = mask});
    });

const auto checkedAdd =
    kernel("checked_add", {"x", "y", "out", "n"}, [](const Config &c, Ptr<f32> x, Ptr<f32> y, Ptr<f32> out, Int n) {
      Tile offs = program_id(0) * c.block + arange(0, c.block);
      Tile mask = offs < n;
      Tile sum = load(x + offs, {.mask = mask}) + load(y + offs, {.mask = mask});
      device_assert(sum >= 0, "negative");
      store(out + offs, sum * c.scale, {.mask = mask});
    });

const auto everySecond = kernel("every_second", {"x", "out"}, [](Ptr<f32> x, Ptr<f32> out) {
  store(out + arange(0, 256), load(x + arange(0, 256) * 2));
});

template <class K> int launch(const K &kernel, const Config &config, const CompileOptions &options) {
  const Device dev = Device::get("cpu");
  constexpr int n = 10'007;
  std::vector<float> x(n), y(n);
  for (int i = 0; i != n; ++i)
    x[static_cast<std::size_t>(i)] = static_cast<float>(i), y[static_cast<std::size_t>(i)] = 0.5f;
  const auto a = dev.upload(x), b = dev.upload(y);
  Buffer<f32> out = dev.buffer<f32>(n);
  kernel.with(config, options).launch(dev, {cdiv(n, config.block)}, a, b, out, n);
  const std::vector<float> result = out.download();
  for (int i = 0; i != n; ++i)
    if (result[static_cast<std::size_t>(i)] != (static_cast<float>(i) + 0.5f) * static_cast<float>(config.scale)) {
      std::printf("wrong\n");
      return 1;
    }
  const CompileRecord record = kernel.compilations().at(0);
  std::printf("%s:", record.origin.c_str());
  for (const auto &[stage, ms] : record.stages)
    std::printf(" %s", stage.c_str());
  std::printf("\n");
  return 0;
}

int compile(const char *target) {
  const CacheStatistics before = cache_statistics();
  const Binary binary = scaledAdd.with(Config{}).compile(Target(target));
  const std::vector<std::byte> bytes = binary.serialize();
  std::uint64_t hash = 1469598103934665603u;
  for (std::byte byte : bytes)
    hash = (hash ^ static_cast<std::uint64_t>(byte)) * 1099511628211u;
  const CacheStatistics after = cache_statistics();
  std::printf("%s %s %zu %016llx found %d kept %d\n", target, binary.format().c_str(), binary.bytes().size(),
              static_cast<unsigned long long>(hash), static_cast<int>(after.found - before.found),
              static_cast<int>(after.kept - before.kept));
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  try {
    const std::string what = argc > 1 ? argv[1] : "";
    Config config;
    if (what == "compile") {
      for (int i = 2; i < argc; ++i)
        compile(argv[i]);
      return 0;
    }
    if (argc > 2 && (what == "report" || what == "contract")) {
      const CompileOptions options{.min_vector_bytes = what == "contract" ? 8 : 0};
      std::printf("%s", everySecond.with({}, options).compile(Target(argv[2])).report().text().c_str());
      return 0;
    }
    if (argc > 2)
      config.scale = std::atof(argv[2]);
    if (what == "launch")
      return launch(scaledAdd, config, {});
    if (what == "checked")
      return launch(checkedAdd, config, {.checks = true});
  } catch (const Error &error) {
    std::printf("%s\n", error.what());
    return 1;
  }
  return 2;
}
