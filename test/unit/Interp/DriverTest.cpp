//===- DriverTest.cpp - the interpreter as back end and device -------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Interp/InterpBackend.h"
#include "Target/Interp/InterpDriver.h"

#include "IRSupport/DiagnosticLog.h"
#include "Target/KernelAbi.h"

#include "tessera/core/Error.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace tessera::ir {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kScale = R"(
tile.kernel @scale(%x: !tile.ptr<f32> loc("x"("scale.cpp":3:1)), %out: !tile.ptr<f32> loc("out"("scale.cpp":3:9)), %by: f32, %n: i64) {
  %lane = tile.arange 0 to 8 : tensor<8xi32>
  %i = arith.extsi %lane : tensor<8xi32> to tensor<8xi64>
  %ns = tile.splat %n : tensor<8xi64>
  %mask = arith.cmpi slt, %i, %ns : tensor<8xi64>
  %xs = tile.splat %x : tensor<8x!tile.ptr<f32>>
  %os = tile.splat %out : tensor<8x!tile.ptr<f32>>
  %xp = tile.addptr %xs, %lane : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  %op = tile.addptr %os, %lane : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  %v = tile.load %xp mask %mask : tensor<8x!tile.ptr<f32>> loc("scale.cpp":7:12)
  %b = tile.splat %by : tensor<8xf32>
  %r = arith.mulf %v, %b : tensor<8xf32>
  tile.store %op, %r mask %mask : tensor<8x!tile.ptr<f32>>
  tile.return
})";

/// Runs the back end's stages over \p text. Returns the errors, empty when it worked.
std::string compile(std::string_view text, rt::Image &image) {
  const auto backend = createInterpBackend();
  mlir::DialectRegistry registry;
  backend->registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  DiagnosticLog diagnostics(context);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(llvm::StringRef(text.data(), text.size()), &context);
  if (!module)
    return diagnostics.text();
  const CompileRequest request{Target("interp"), {}, false, false};
  Compilation compilation{*module, request, {}, nullptr};
  compilation.image.target = "interp";
  if (mlir::failed(describeKernel(kernelOf(*module), {}, compilation.image)))
    return diagnostics.text();
  for (const Stage &stage : backend->stages())
    if (mlir::failed(stage.run(compilation)))
      return diagnostics.text();
  image = std::move(compilation.image);
  image.layOut();
  return {};
}

class Driver : public ::testing::Test {
protected:
  std::unique_ptr<rt::DeviceDriver> driver = createInterpDriver();
  std::vector<void *> buffers;
  void *stream = driver->createStream(0);

  ~Driver() override {
    for (void *b : buffers)
      driver->free(0, b);
    driver->destroyStream(0, stream);
  }
  float *allocate(std::size_t count) {
    buffers.push_back(driver->allocate(0, count * sizeof(float)));
    return static_cast<float *>(buffers.back());
  }
  float *upload(const std::vector<float> &values) {
    float *p = allocate(values.size());
    driver->copyToDevice(0, stream, p, values.data(), values.size() * sizeof(float));
    return p;
  }
  /// The words of the DeviceError, empty if there is none.
  std::string launch(const rt::Image &image, float *x, float *out, float by, std::int64_t n,
                     std::array<std::int64_t, 3> grid = {1, 1, 1}, std::vector<rt::PointerExtent> extents = {}) {
    alignas(64) std::byte packed[64] = {};
    const auto put = [&](std::size_t i, const auto &v) {
      std::memcpy(packed + image.arguments[i].offset, &v, sizeof(v));
    };
    put(0, x);
    put(1, out);
    put(2, by);
    put(3, n);
    extents.resize(image.arguments.size());
    try {
      const auto kernel = driver->load(0, image);
      driver->launch(0, stream, *kernel, {grid, std::span(packed).first(image.packedBytes), extents});
      driver->synchronize(0, stream);
    } catch (const DeviceError &error) {
      return error.what();
    }
    return {};
  }
};

TEST_F(Driver, launchesFromAnImage) {
  rt::Image image;
  ASSERT_EQ(compile(kScale, image), "");
  EXPECT_EQ(image.format, "mlir-bytecode");
  float *x = upload({1, 2, 3, 4, 5}), *out = allocate(5);
  EXPECT_EQ(launch(image, x, out, 2.0f, 5), "");
  std::vector<float> host(5);
  driver->copyToHost(0, stream, host.data(), out, 20);
  EXPECT_THAT(host, ElementsAre(2, 4, 6, 8, 10));
  EXPECT_EQ(launch(image, out, x, 0.5f, 5), ""); // what a kernel wrote counts as written
}

TEST_F(Driver, findingsAreADeviceError) {
  rt::Image image;
  ASSERT_EQ(compile(kScale, image), "");
  float *x = upload({1, 2, 3, 4, 5}), *out = allocate(5);
  EXPECT_THAT(launch(image, x, out, 2.0f, 6),
              AllOf(HasSubstr("kernel `scale`: checked execution found 2 faults"),
                    HasSubstr("scale.cpp:7:12: load of element 5 of `x`, which has 5, "),
                    HasSubstr("store to element 5 of `out`, which has 5, ")));
}

TEST_F(Driver, memoryNeverWrittenIsReported) {
  rt::Image image;
  ASSERT_EQ(compile(kScale, image), "");
  float *x = allocate(5), *y = allocate(5), *out = allocate(5);
  EXPECT_THAT(launch(image, x, out, 2.0f, 5), AllOf(HasSubstr("load of element 0 of `x`, which nothing has written"),
                                                    HasSubstr("at [0] and 4 more lanes")));
  driver->fill(0, stream, x, 0, 4, 3);
  EXPECT_THAT(launch(image, x, out, 2.0f, 5), HasSubstr("element 3 of `x`"));
  driver->copyOnDevice(0, stream, y, x, 20); // carries along which elements are there
  EXPECT_EQ(launch(image, y, out, 2.0f, 3), "");
  EXPECT_THAT(launch(image, y, out, 2.0f, 4), HasSubstr("element 3 of `x`"));
  EXPECT_TRUE(std::isnan(x[4])); // fresh memory looks like a mistake
}

TEST_F(Driver, freedMemoryIsNotLive) {
  rt::Image image;
  ASSERT_EQ(compile(kScale, image), "");
  float *x = upload({1, 2, 3, 4}), *out = allocate(4);
  void *gone = buffers.front();
  buffers.erase(buffers.begin());
  driver->free(0, gone);
  EXPECT_THAT(launch(image, x, out, 1.0f, 4), HasSubstr("load of "));
}

// Borrowed host memory is known by what the launcher tells
TEST_F(Driver, borrowedMemory) {
  rt::Image image;
  ASSERT_EQ(compile(kScale, image), "");
  float x[4] = {1, 2, 3, 4}, out[4] = {};
  EXPECT_EQ(launch(image, x, out, 3.0f, 4, {1, 1, 1}, {{x, 16, true}, {out, 16, true}}), "");
  EXPECT_THAT(out, ElementsAre(3, 6, 9, 12));
  EXPECT_THAT(launch(image, x, out, 3.0f, 4, {1, 1, 1}, {{x, 12, true}, {out, 16, true}}),
              HasSubstr("load of element 3 of `x`, which has 3, "));
  EXPECT_EQ(launch(image, x, out, 3.0f, 4, {1, 1, 1}, {{x, 0}, {out, 0}}), ""); // sizes unknown
  EXPECT_THAT(launch(image, x, out, 3.0f, 4), HasSubstr("load of f32 at 0x"));
}

TEST_F(Driver, refusesWhatItCannotRun) {
  rt::Image image;
  ASSERT_EQ(compile(kScale, image), "");
  float *x = upload({1, 2}), *out = allocate(2);
  EXPECT_THAT(
      launch(image, x, out, 1.0f, 2, {std::int64_t(1) << 40, 2, 1}),
      HasSubstr(
          "kernel `scale` is launched with a grid of 1099511627776 x 2 x 1 programs; device interp runs at most 2^40"));
  rt::Image other = image;
  other.target = "cuda:sm_90a";
  EXPECT_THAT(
      launch(other, x, out, 1.0f, 2),
      HasSubstr("was compiled for cuda:sm_90a as mlir-bytecode, and device interp runs mlir-bytecode for interp"));
  other = image;
  other.binary.resize(other.binary.size() / 2);
  EXPECT_THAT(launch(other, x, out, 1.0f, 2), HasSubstr("device interp cannot load kernel `scale`"));
  other = image;
  other.arguments.pop_back();
  EXPECT_THAT(launch(other, x, out, 1.0f, 2), HasSubstr("its argument table does not fit its code"));
}

TEST(InterpBackend, refusesUnknownOperationsAtTheirLine) {
  rt::Image image;
  EXPECT_THAT(compile("tile.kernel @k(%x: f32) {\n%y = math.sinh %x : f32 loc(\"k.cpp\":2:3)\ntile.return\n}", image),
              HasSubstr("k.cpp:2:3: `math.sinh` is not an operation of this target"));
}

} // namespace
} // namespace tessera::ir
