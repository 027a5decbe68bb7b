//===- FakeDriver.h - a device that tests look into ------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TEST_UNIT_RUNTIME_FAKEDRIVER_H
#define TESSERA_TEST_UNIT_RUNTIME_FAKEDRIVER_H

#include "Runtime/HostMemory.h"

#include "tessera/core/Error.h"

#include <array>
#include <atomic>
#include <cstring>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace tessera::test {

/// Keeps every launch, counts what is alive, and runs a function of the test in place of the kernel.
class FakeDriver : public rt::HostMemoryDriver {
public:
  struct Launch {
    std::array<std::int64_t, 3> grid;
    std::vector<std::byte> packed;
    std::vector<rt::PointerExtent> extents;

    template <class T> T at(std::uint32_t offset) const {
      T value;
      std::memcpy(&value, packed.data() + offset, sizeof value);
      return value;
    }
  };

  explicit FakeDriver(std::string family = "fake", int devices = 1, int rank = -1)
      : name(std::move(family)), devices(devices), rank(rank) {}

  std::string_view family() const override { return name; }
  bool isNumbered() const override { return devices > 1; }
  std::string label(int device) const override {
    return labels.empty() ? std::string() : labels[static_cast<std::size_t>(device)];
  }
  int priority() const override { return rank; }
  int deviceCount() noexcept override { return devices; }
  std::string whyAbsent() noexcept override { return devices ? "" : "libfake.so was not found"; }
  rt::DeviceProperties properties(int) override {
    rt::DeviceProperties properties;
    properties.name = "a device of the tests";
    properties.target = Target("null");
    properties.warpSize = 32;
    properties.multiprocessors = 4;
    properties.maxGrid = {1000, 16, 8};
    properties.maxThreadsPerProgram = 256;
    properties.maxSharedBytes = 4096;
    return properties;
  }

  void *allocate(int device, std::size_t bytes) override {
    void *memory = HostMemoryDriver::allocate(device, bytes);
    std::memset(memory, 0xab, bytes);
    ++alive;
    return memory;
  }
  void free(int device, void *memory) noexcept override {
    --alive;
    HostMemoryDriver::free(device, memory);
  }
  void synchronize(int, void *) override {
    if (!failure.empty())
      throw DeviceError(std::exchange(failure, {}));
  }
  bool isCapturing(int, void *) override { return capturing; }

  std::unique_ptr<rt::LoadedKernel> load(int, const rt::Image &image) override {
    ++loads;
    if (image.format == "unloadable")
      throw DeviceError("fakeLoad failed with code 7 (invalid image)");
    struct Kernel : rt::LoadedKernel {
      std::vector<std::pair<std::string, std::string>> facts() const override { return {{"registers", "40"}}; }
    };
    return std::make_unique<Kernel>();
  }
  void launch(int, void *, rt::LoadedKernel &, const rt::LaunchParams &params) override {
    launches.push_back(
        {params.grid, {params.packed.begin(), params.packed.end()}, {params.extents.begin(), params.extents.end()}});
    if (kernel)
      kernel(launches.back());
  }
  void encodeTensorMap(int, const rt::TensorMapValues &values, std::byte *out) override {
    maps.push_back(values);
    std::memset(out, 0x5a, 128);
  }

  std::vector<Launch> launches;
  std::vector<rt::TensorMapValues> maps;
  std::function<void(Launch &)> kernel;
  std::string failure;             ///< what the next synchronize() throws
  std::vector<std::string> labels; ///< of the devices, if they are not called by numbers
  bool capturing = false;
  std::atomic<int> alive{0}, loads{0};

private:
  const std::string name;
  const int devices, rank;
};

} // namespace tessera::test

#endif // TESSERA_TEST_UNIT_RUNTIME_FAKEDRIVER_H
