//===- main.cpp - a server without a compiler -----------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Answers requests with kernels that were compiled ahead of time and are a part of the program, which links
// libtessera_runtime.so alone. Prints when the device was ready and when the first answer was there, in milliseconds
// since main began, then the time of the answers that follow: bundle_server [requests] [device].
//
//===---------------------------------------------------------------------===//

#include "server_kernels.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

using namespace tessera;
using Clock = std::chrono::steady_clock;

static constexpr std::int64_t kRows = 64, kFeatures = 256, kClasses = 128;

static double msSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

namespace {

/// The model on a device, with memory for one request.
class Model {
public:
  explicit Model(const Device &device)
      : stream(device.stream()), weights(device.upload(std::vector<float>(kFeatures * kClasses, 0.01F))),
        rows(device.buffer<f32>(kRows * kFeatures)), scores(device.buffer<f32>(kRows * kClasses)),
        answer(device.buffer<f32>(kRows * kClasses)) {}

  std::vector<float> run(const std::vector<float> &request) {
    rows.copy_from(request);
    server_kernels::scores.launch(stream, [](const auto &c) {
      return Grid(((kRows + c.bm - 1) / c.bm) * ((kClasses + c.bn - 1) / c.bn));
    }, rows, weights, scores, kRows, kClasses, kFeatures, kFeatures, kClasses, kClasses);
    server_kernels::softmax.launch(stream, Grid(kRows), scores, answer, kClasses, kClasses);
    return answer.download();
  }

private:
  Stream stream;
  Buffer<f32> weights, rows, scores, answer;
};

} // namespace

int main(int argc, char **argv) {
  const Clock::time_point start = Clock::now();
  const int requests = argc > 1 ? std::atoi(argv[1]) : 100;
  try {
    const Device device = argc > 2 ? Device::get(argv[2]) : Device::current();
    Model model(device);
    device.synchronize();
    const double ready = msSince(start);
    std::vector<float> answer;
    double first = 0;
    const std::vector<float> request(kRows * kFeatures, 1.0F);
    for (int i = 0; i <= requests; ++i) {
      answer = model.run(request);
      if (i == 0)
        first = msSince(start);
    }
    // All weights are equal, and so are all classes.
    for (const float share : answer)
      if (std::abs(share - 1.0F / kClasses) > 1e-6F) {
        std::fprintf(stderr, "wrong: a class has %g\n", share);
        return 1;
      }
    std::printf("device %s ready after %.2f ms, first answer after %.2f ms, then %.3f ms each\n", device.name().c_str(),
                ready, first, requests > 0 ? (msSince(start) - first) / requests : 0.0);
    return 0;
  } catch (const Error &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
}
