//===- SimTest.cpp - kernels on the simulated devices ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// What is broken on purpose in a compiled kernel must be found.
//
//===---------------------------------------------------------------------===//

#include "Target/Sim/Launch.h"
#include "Target/Sim/SimDriver.h"
#include "unit/Driver/Kernels.h"
#include "unit/Expect.h"
#include "unit/ScopedEnvironment.h"

#include <chrono>
#include <numeric>
#include <string>
#include <vector>

using namespace tessera;
using namespace tessera::test;
using ir::sim::Sabotage;
using testing::HasSubstr;

namespace {

constexpr const char *kChips[] = {"sim:sm_80", "sim:sm_90a", "sim:gfx942", "sim:gfx1100"};

/// Breaks launches while it lives.
struct Broken {
  explicit Broken(const Sabotage &sabotage) { ir::sim::setSabotage(sabotage); }
  ~Broken() { ir::sim::setSabotage({}); }
};

auto makeSoftmax() {
  return kernel("softmax", {"x", "out", "cols"}, [](Ptr<f32> x, Ptr<f32> out, Int cols) {
    Tile col = arange(0, 1024);
    Tile mask = col < cols;
    Tile v = load(x + program_id(0) * cols + col, {.mask = mask, .other = -inf});
    v = exp(v - max(v));
    store(out + program_id(0) * cols + col, v / sum(v), {.mask = mask});
  });
}
auto makeSum() {
  return kernel("sums", {"x", "out", "cols"}, [](Ptr<f32> x, Ptr<f32> out, Int cols) {
    Tile col = arange(0, 1024);
    Tile v = load(x + program_id(0) * cols + col, {.mask = col < cols});
    store(out + program_id(0) * cols + col, cumsum(v), {.mask = col < cols});
  });
}
auto makeSort() {
  return kernel("sorted", {"x", "out", "cols"}, [](Ptr<f32> x, Ptr<f32> out, Int cols) {
    Tile col = arange(0, 1024);
    Tile v = load(x + program_id(0) * cols + col, {.mask = col < cols, .other = inf});
    store(out + program_id(0) * cols + col, sort(v), {.mask = col < cols});
  });
}
/// Stores and then loads what other warps stored.
auto makeMirror() {
  return kernel("mirror", {"x", "out", "cols"}, [](Ptr<f32> x, Ptr<f32> out, Int cols) {
    Tile i = arange(0, 1024);
    Tile mask = i < cols;
    store(out + i, load(x + i, {.mask = mask}), {.mask = mask});
    store(out + i, load(out + (cols - 1 - i), {.mask = mask}) + 1.0, {.mask = mask});
  });
}

/// One row through \p kernel; the faults, or nothing. What it computed is put in \p result.
template <class K>
std::string faultsOf(const K &kernel, const char *chip, std::vector<float> *result = nullptr,
                     std::int64_t cols = 1024) {
  const Device device = Device::get(chip);
  std::vector<float> values(static_cast<std::size_t>(cols));
  for (std::size_t i = 0; i != values.size(); ++i)
    values[i] = static_cast<float>(i * 7 % 31);
  const Buffer<f32> x = device.upload(values), out = device.buffer<f32>(cols);
  try {
    kernel.launch(device.stream(), {1}, x, out, cols);
    device.stream().synchronize();
  } catch (const DeviceError &error) {
    return error.what();
  }
  if (result)
    *result = out.download();
  return {};
}

int count(const std::string &text, const std::string &words) {
  int n = 0;
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1))
    ++n;
  return n;
}

/// Every barrier of \p kernel is dropped once.
template <class K> void expectBarriersMatter(const K &kernel, const char *name) {
  for (const char *chip : kChips) {
    EXPECT_EQ(faultsOf(kernel, chip), "") << name << chip;
    const std::string code = emit(kernel, Target(chip), "llvm");
    const int barriers =
        count(code, "call void @tessera.gpu.barrier()") + count(code, "call void @tessera.gpu.barrier.shared()");
    EXPECT_GT(barriers, 0) << name << chip;
    for (int which = 0; which != barriers; ++which) {
      Sabotage sabotage;
      sabotage.dropBarrier = which;
      const Broken broken(sabotage);
      EXPECT_NE(faultsOf(kernel, chip), "") << name << ": barrier " << which << " of " << barriers << " on " << chip;
    }
  }
}

} // namespace

TEST(Sim, areFoundByNameOnly) {
  for (const char *chip : kChips)
    EXPECT_EQ(Device::get(chip).name(), chip);
  EXPECT_EQ(Device::get("sim").name(), "sim:sm_80");
  EXPECT_THAT(Device::available(), testing::Not(testing::Contains(HasSubstr("sim"))));
  EXPECT_THAT(wordsOf<UsageError>([] { Device::get("sim:sm_1"); }), HasSubstr("sim:sm_80, sim:sm_90a"));
}

TEST(Sim, faultsNameTheUsersLineAndBuffer) {
  const Device device = Device::get("sim:sm_80");
  const Buffer<f32> x = device.upload(std::vector<float>(100)), out = device.buffer<f32>(128);
  EXPECT_THAT(wordsOf<DeviceError>([&] {
                makeSoftmax().launch(device.stream(), {1}, x, out, 128);
                device.stream().synchronize();
              }),
              testing::AllOf(HasSubstr("SimTest.cpp:"), HasSubstr("buffer `x` of 400 bytes"),
                             HasSubstr("in program (0, 0, 0)")));
}

TEST(Sim, everyDroppedBarrierIsFound) {
  expectBarriersMatter(makeSoftmax(), "softmax");
  expectBarriersMatter(makeSum(), "sums");
  expectBarriersMatter(makeSort(), "sort");
  expectBarriersMatter(makeMirror(), "mirror");
}

TEST(Sim, swappedSwizzleBitsAreSeen) {
  for (const char *chip : kChips) {
    std::vector<float> right, wrong;
    EXPECT_EQ(faultsOf(makeSort(), chip, &right), "");
    Sabotage sabotage;
    sabotage.swapSwizzle = true;
    const Broken broken(sabotage);
    EXPECT_TRUE(!faultsOf(makeSort(), chip, &wrong).empty() || wrong != right) << chip;
  }
}

TEST(Sim, misorderedFragmentsAreSeen) {
  const auto square = kernel("square", {"x", "out"}, [](Ptr<f16> x, Ptr<f32> out) {
    Tile at = arange(0, 32).col() * 32 + arange(0, 32).row();
    Tile a = load(x + at);
    store(out + at, dot(a, a, zeros(f32, {32, 32})));
  });
  const auto run = [&](const char *chip) {
    const Device device = Device::get(chip);
    std::vector<half> values;
    for (int i = 0; i != 1024; ++i)
      values.push_back(half(static_cast<float>(i * 5 % 17)));
    const Buffer<f16> x = device.upload(values);
    Buffer<f32> out = device.buffer<f32>(1024);
    square.launch(device.stream(), {1}, x, out);
    return out.download();
  };
  const std::vector<float> right = run("interp");
  for (const auto &[chip, instruction] :
       {std::pair("sim:sm_80", "tessera.nv.mma.sync"), std::pair("sim:gfx942", "tessera.amd.mfma.f32.16x16x16f16"),
        std::pair("sim:gfx950", "tessera.amd.ds.read.tr16.b64"),
        std::pair("sim:gfx1100", "tessera.amd.wmma.f32.16x16x16.f16")}) {
    EXPECT_THAT(emit(square, Target(chip), "llvm"), HasSubstr(instruction));
    EXPECT_EQ(run(chip), right) << chip;
    Sabotage sabotage;
    sabotage.misorderFragment = true;
    const Broken broken(sabotage);
    EXPECT_NE(run(chip), right) << chip;
  }
}

/// Products from a ring that waves fill two rounds ahead: the wait of a round must be for all that the round reads, and
/// so must the barrier behind it.
TEST(Sim, weakerWaitsForCopiesAreFound) {
  const auto product = kernel("product", {"x", "out"}, [](Ptr<f16> x, Ptr<f32> out) {
    View a = view(x, {64, 256}, {256, 1});
    Tile sum = zeros(f32, {64, 64});
    for_range(0, 256, 32, [&](Int k) {
      Tile part = a.load({0, k}, {64, 32});
      sum = dot(part, trans(part), sum);
    });
    store(out + (arange(0, 64).col() * 64 + arange(0, 64).row()), sum);
  });
  const char *const chip = "sim:gfx950";
  std::vector<half> values;
  for (int i = 0; i != 64 * 256; ++i)
    values.push_back(half(static_cast<float>(i * 5 % 17)));
  const auto run = [&](const char *name) -> std::pair<std::string, std::vector<float>> {
    const Device device = Device::get(name);
    const Buffer<f16> x = device.upload(values);
    Buffer<f32> out = device.buffer<f32>(64 * 64);
    try {
      product.launch(device.stream(), {1}, x, out);
      return {"", out.download()};
    } catch (const DeviceError &error) {
      return {error.what(), {}};
    }
  };
  const std::string code = emit(product, Target(chip), "llvm");
  EXPECT_THAT(code, testing::AllOf(HasSubstr("copy_to_shared.v4i32"), HasSubstr("copy_wait(i32 1)")));
  EXPECT_EQ(run(chip), run("interp"));
  for (int Sabotage::*what : {&Sabotage::dropWait, &Sabotage::weakenWait, &Sabotage::dropBarrier}) {
    Sabotage sabotage;
    sabotage.*what = 0;
    const Broken broken(sabotage);
    EXPECT_THAT(run(chip).first, testing::AnyOf(HasSubstr("still writing"), HasSubstr("races")));
  }
}

TEST(Sim, seedsDrawOrders) {
  for (const char *seed : {"1", "2", "3"}) {
    const ScopedEnvironment set("TESSERA_SIM_SEED", seed);
    for (const char *chip : kChips)
      EXPECT_EQ(faultsOf(makeSort(), chip), "") << seed << chip;
  }
}

TEST(Sim, isFast) {
  const Device device = Device::get("sim:sm_80");
  const Buffer<f32> x = device.upload(std::vector<float>(256 * 1024, 1.0f)), out = device.buffer<f32>(256 * 1024);
  const auto softmax = makeSoftmax();
  softmax.launch(device.stream(), {1}, x, out, 1024);
  const auto start = std::chrono::steady_clock::now();
  softmax.launch(device.stream(), {256}, x, out, 1024);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_LT(seconds, 5) << "on a busy machine";
  RecordProperty("seconds", std::to_string(seconds));
}
