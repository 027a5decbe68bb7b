//===- CopiesTest.cpp - copies beside the program on a simulated GPU ------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Kernels bring a tile into shared memory, or out of it, by threads or by boxes, as they are before shared memory is
// allocated; every result is compared with a plain loop. What is left out of a kernel must be found.
//
//===---------------------------------------------------------------------===//

#include "IRSupport/LLVM.h"
#include "Pipeline/Pipeline.h"
#include "Runtime/LaunchPlan.h"
#include "Runtime/Registry.h"
#include "Target/Gpu/Stages.h"
#include "Target/KernelAbi.h"
#include "Target/Sim/Launch.h"
#include "Target/Sim/SimBackend.h"
#include "Target/Sim/SimDriver.h"
#include "unit/Expect.h"

#include "tessera-ir/Dialect/Layout/IR/Layout.h"
#include "tessera-ir/Dialect/Layout/Transforms/Passes.h"

#include "tessera/core/Error.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <fmt/format.h>
#include <random>

using namespace tessera;
using namespace tessera::ir;
using tessera::layout::SharedLayout;
using testing::AnyOf;
using testing::HasSubstr;

namespace {

rt::DeviceState &deviceOf(const std::string &name) {
  static const bool added = (rt::Registry::get().add(createSimDriver()), true);
  (void)added;
  return *rt::Registry::get().find(name);
}

/// Allocates, places barriers, checks the border and compiles.
rt::Image compile(const std::string &text, const std::string &target) {
  const std::unique_ptr<Backend> whole = createSimBackend();
  mlir::DialectRegistry registry;
  whole->registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = mlir::parseSourceString<ModuleOp>(text, &context);
  EXPECT_TRUE(module) << text;
  rt::Image image;
  image.target = target;
  if (!module || failed(describeKernel(kernelOf(*module), {}, image)))
    return image;
  mlir::PassManager passes(&context);
  passes.addPass(ir::layout::createAllocateSharedPass({target}));
  passes.addPass(ir::layout::createInsertBarriersPass());
  passes.addPass(ir::layout::createVerifyStagePass());
  EXPECT_TRUE(succeeded(passes.run(*module))) << text;

  class AfterLayout final : public Backend {
  public:
    explicit AfterLayout(const Backend &whole) : whole(whole) {}
    llvm::StringRef family() const override { return "sim"; }
    llvm::ArrayRef<Stage> stages() const override {
      return whole.stages().drop_while([](const Stage &stage) { return stage.name != "llvm"; });
    }
    void registerDialects(mlir::DialectRegistry &known) const override { whole.registerDialects(known); }

  private:
    const Backend &whole;
  };
  const AfterLayout backend(*whole);
  Compilation compilation{*module, CompileRequest{Target(target), {}}, image, nullptr};
  const PipelineOutcome outcome = runBackendStages(backend, compilation, nullptr);
  EXPECT_TRUE(outcome.ok()) << outcome.stage << ": " << outcome.words << "\n" << text;
  return compilation.image;
}

/// Memory of the device that holds some bytes.
class DeviceBytes {
public:
  DeviceBytes(rt::DeviceState &device, const std::vector<std::uint8_t> &bytes) : device(device), bytes(bytes.size()) {
    memory = device.driver.allocate(device.index, bytes.size());
    device.driver.copyToDevice(device.index, nullptr, memory, bytes.data(), bytes.size());
  }
  ~DeviceBytes() { device.driver.free(device.index, memory); }
  DeviceBytes(const DeviceBytes &) = delete;
  DeviceBytes &operator=(const DeviceBytes &) = delete;

  rt::CallArgument argument(std::size_t offset = 0) const {
    return {reinterpret_cast<std::uint64_t>(memory) + offset, bytes - offset, true};
  }
  std::vector<std::uint8_t> values() const {
    std::vector<std::uint8_t> result(bytes);
    device.driver.copyToHost(device.index, nullptr, result.data(), memory, bytes);
    return result;
  }

private:
  rt::DeviceState &device;
  std::size_t bytes;
  void *memory;
};

/// `#layout.tile` of rows and columns for four warps: neighbouring registers hold \p vector columns.
std::string tileLayout(int rows, int columns, int vector) {
  std::vector<std::string> bits;
  for (int column = 1; column != columns; column *= 2)
    bits.push_back(fmt::format("(0, {})", column));
  for (int row = 1; row != rows; row *= 2)
    bits.push_back(fmt::format("({}, 0)", row));
  std::size_t next = 0;
  std::string lists[3];
  const auto take = [&](std::string &list, const std::string &bit) { list += (list.empty() ? "" : ", ") + bit; };
  for (int bit = 1; bit < vector; bit *= 2)
    take(lists[0], bits[next++]);
  for (int bit = 0; bit != 5; ++bit)
    take(lists[1], next < bits.size() ? bits[next++] : "(0, 0)");
  for (int bit = 0; bit != 2; ++bit)
    take(lists[2], next < bits.size() ? bits[next++] : "(0, 0)");
  while (next < bits.size())
    take(lists[0], bits[next++]);
  return fmt::format("#layout.tile<{}x{}, register = [{}], lane = [{}], warp = [{}]>", rows, columns, lists[0],
                     lists[1], lists[2]);
}

/// What is copied: a tile of a view of m x n elements whose rows lie `stride` elements apart.
struct Case {
  const char *element = "f16";
  int bytes = 2;
  int rows = 32, columns = 64;
  int swizzle = 128;         ///< of the buffer; 0: rows one after another
  bool isTransposed = false; ///< rows of the buffer are columns of the view
  int vector = 8;
  const char *target = "sim:sm_90a";

  std::string shared() const {
    const std::vector<std::int64_t> shape{rows, columns};
    const std::vector<int> order = isTransposed ? std::vector{0, 1} : std::vector{1, 0};
    return "#layout.shared<" +
           (swizzle ? SharedLayout::tensorCopy(shape, order, swizzle, bytes) : SharedLayout::inOrder(shape, order))
               .str() +
           ">";
  }
};

/// A kernel around \p body, which has the view %v of x, coordinates %i and %j, and makes the tile %t, which is stored
/// to out.
std::string kernelOf(const Case &c, const std::string &body) {
  return fmt::format(R"(
#a = {0}
#c = {1}
#s = {2}
tile.kernel @k(%x: !tile.ptr<{3}>, %out: !tile.ptr<{3}>, %m: i64, %n: i64, %ld: i64, %i: i64, %j: i64)
    attributes {{layout.num_warps = 4, layout.warp_size = 32}} {{
  %one = arith.constant 1 : i64
  %true = arith.constant true
  %false = arith.constant false
  %v = tile.make_view %x, [%m, %n], [{7}] : !tile.view<{3}, 2>
  %b = layout.shared_alloc : !layout.buffer<{4}x{5}x{3}, #s>
  {6}
  layout.shared_free %b : !layout.buffer<{4}x{5}x{3}, #s>
  %columns = arith.constant {5} : i64
  %rows = arith.constant {4} : i64
  %o = tile.make_view %out, [%rows, %columns], [%columns, %one] : !tile.view<{3}, 2>
  %zero = arith.constant 0 : i64
  tile.view_store %o[%zero, %zero], %t : !tile.view<{3}, 2>, tensor<{4}x{5}x{3}, #c>
  tile.return
}})",
                     tileLayout(c.rows, c.columns, c.vector), tileLayout(c.rows, c.columns, 1), c.shared(), c.element,
                     c.rows, c.columns, body, c.isTransposed ? "%one, %ld" : "%ld, %one");
}

std::string bufferOf(const Case &c) {
  return fmt::format("!layout.buffer<{}x{}x{}, #s>", c.rows, c.columns, c.element);
}
std::string viewOf(const Case &c) { return fmt::format("!tile.view<{}, 2>", c.element); }
std::string read(const Case &c) {
  return fmt::format("%t = layout.shared_load %b : {} -> tensor<{}x{}x{}, #c>\n", bufferOf(c), c.rows, c.columns,
                     c.element);
}

std::string byThreads(const Case &c, const std::string &wait = "layout.async_wait pending 0\n") {
  return fmt::format("layout.view_async_copy %v[%i, %j] by #a into %b {{layout.vector = {}}} : {}, {}\n"
                     "layout.async_commit {{}}\n{}{}",
                     c.vector, viewOf(c), bufferOf(c), wait, read(c));
}

const char *const kMake = "%f = layout.mbarrier_alloc : !layout.mbarrier\n"
                          "layout.mbarrier_init %f count 1 : !layout.mbarrier\n";
const char *const kWait = "layout.mbarrier_wait %f parity %false : !layout.mbarrier\n";
std::string expect(const Case &c) {
  return fmt::format("layout.mbarrier_expect %f bytes {} : !layout.mbarrier\n", c.rows * c.columns * c.bytes);
}
std::string load(const Case &c) {
  return fmt::format("layout.tensor_load %v[%i, %j] into %b signals %f : {}, {}, !layout.mbarrier\n", viewOf(c),
                     bufferOf(c));
}
std::string byBoxes(const Case &c) { return kMake + expect(c) + load(c) + kWait + read(c); }

/// Where the tile lies.
struct Place {
  std::int64_t m, n, ld, i, j;
};

struct Found {
  bool launched = false;
  std::string faults;
  std::vector<std::uint8_t> out, expected;
};

std::vector<std::uint8_t> randomBytes(std::size_t count) {
  static std::mt19937 random(7);
  std::vector<std::uint8_t> bytes(count);
  for (std::uint8_t &byte : bytes)
    byte = static_cast<std::uint8_t>(random());
  return bytes;
}

Found run(const rt::Image &image, const Case &c, const Place &p) {
  rt::DeviceState &device = deviceOf(c.target);
  const std::int64_t lines = c.isTransposed ? p.n : p.m, across = c.isTransposed ? p.m : p.n;
  const std::vector<std::uint8_t> x =
      randomBytes(static_cast<std::size_t>(std::max<std::int64_t>(1, (lines - 1) * p.ld + across)) * c.bytes);
  const DeviceBytes from(device, x), to(device, randomBytes(std::size_t(c.rows) * c.columns * c.bytes));
  const auto word = [](std::int64_t number) { return rt::CallArgument{static_cast<std::uint64_t>(number)}; };
  const rt::CallArgument arguments[] = {from.argument(), to.argument(), word(p.m), word(p.n),
                                        word(p.ld),      word(p.i),     word(p.j)};
  Found found;
  try {
    const rt::LaunchPlan plan(device, image);
    found.launched = plan.launch(*device.defaultStream, {1, 1, 1}, arguments);
  } catch (const DeviceError &error) {
    found.faults = error.what();
  }
  found.out = to.values();
  for (std::int64_t row = 0; row != c.rows; ++row)
    for (std::int64_t column = 0; column != c.columns; ++column) {
      // Coordinates that overflow are outside, too.
      const auto inside = [](std::int64_t start, std::int64_t at, std::int64_t extent) {
        std::int64_t sum = 0;
        return !__builtin_add_overflow(start, at, &sum) && sum >= 0 && sum < extent;
      };
      const bool isInside = inside(p.i, row, p.m) && inside(p.j, column, p.n);
      const std::int64_t line = c.isTransposed ? p.j + column : p.i + row,
                         at = c.isTransposed ? p.i + row : p.j + column;
      for (int byte = 0; byte != c.bytes; ++byte)
        found.expected.push_back(isInside ? x[static_cast<std::size_t>((line * p.ld + at) * c.bytes + byte)] : 0);
    }
  return found;
}

void expectRight(const rt::Image &image, const Case &c, const Place &p) {
  const Found found = run(image, c, p);
  EXPECT_TRUE(found.launched);
  EXPECT_EQ(found.faults, "");
  EXPECT_TRUE(found.out == found.expected) << c.element << " " << c.rows << "x" << c.columns << " swizzle " << c.swizzle
                                           << " of " << p.m << "x" << p.n << " at " << p.i << ", " << p.j;
}

constexpr std::int64_t kHuge = std::int64_t(1) << 62, kLeast = std::numeric_limits<std::int64_t>::min(),
                       kMost = std::numeric_limits<std::int64_t>::max();

} // namespace

//===----------------------------------------------------------------------===//
// By threads
//===----------------------------------------------------------------------===//

TEST(SimCopies, threadsCopyTiles) {
  for (const char *target : {"sim:sm_80", "sim:sm_90a"})
    for (const Case &c : {Case{"f16", 2, 32, 64, 128, false, 8, target}, Case{"i8", 1, 32, 64, 64, false, 16, target},
                          Case{"f32", 4, 16, 32, 0, false, 1, target}, Case{"f32", 4, 64, 32, 128, false, 4, target},
                          Case{"bf16", 2, 32, 32, 0, false, 2, target}, Case{"i64", 8, 16, 16, 0, false, 1, target},
                          Case{"i8", 1, 32, 64, 32, false, 4, target}, Case{"f64", 8, 8, 16, 128, false, 2, target},
                          Case{"f16", 2, 8, 8, 0, false, 4, target}}) {
      const rt::Image image = compile(kernelOf(c, byThreads(c)), c.target);
      const std::int64_t step = c.vector;
      expectRight(image, c, {100, 80, 80, 0, 0});
      expectRight(image, c, {100, 80, 96, 90, 48});
      expectRight(image, c, {100, 80, 80, -5, -step});
      expectRight(image, c, {37, 5 * step, 9 * step, 20, 2 * step});
      expectRight(image, c, {0, 0, step, 0, 0});
      expectRight(image, c, {16, 16, 16, kHuge, 0});
    }
}

TEST(SimCopies, aMissingWaitOfThreadsIsFound) {
  const Case c;
  EXPECT_THAT(run(compile(kernelOf(c, byThreads(c, "")), c.target), c, {64, 64, 64, 0, 0}).faults,
              HasSubstr("asynchronous copy is still writing"));
  EXPECT_THAT(
      run(compile(kernelOf(c, byThreads(c, "layout.async_wait pending 1\n")), c.target), c, {64, 64, 64, 0, 0}).faults,
      HasSubstr("asynchronous copy is still writing"));
}

TEST(SimCopies, threadsCopyWhatPointersSay) {
  const Case c{"f32", 4, 16, 32, 0, false, 4, "sim:sm_80"};
  const std::string body = fmt::format(R"(
  %r = tile.arange 0 to 16 : tensor<16xi32, #rows>
  %q = tile.arange 0 to 32 : tensor<32xi32, #columns>
  %r2 = tile.expand_dims %r axis 1 : tensor<16xi32, #rows> -> tensor<16x1xi32, #rows2>
  %q2 = tile.expand_dims %q axis 0 : tensor<32xi32, #columns> -> tensor<1x32xi32, #columns2>
  %rb = tile.broadcast %r2 : tensor<16x1xi32, #rows2> -> tensor<16x32xi32, #a>
  %qb = tile.broadcast %q2 : tensor<1x32xi32, #columns2> -> tensor<16x32xi32, #a>
  %ld32 = arith.trunci %ld : i64 to i32
  %lds = tile.splat %ld32 : tensor<16x32xi32, #a>
  %line = arith.muli %rb, %lds : tensor<16x32xi32, #a>
  %at = arith.addi %line, %qb : tensor<16x32xi32, #a>
  %xs = tile.splat %x : tensor<16x32x!tile.ptr<f32>, #a>
  %p = tile.addptr %xs, %at : tensor<16x32x!tile.ptr<f32>, #a>, tensor<16x32xi32, #a>
  %n32 = arith.trunci %n : i64 to i32
  %ns = tile.splat %n32 : tensor<16x32xi32, #a>
  %in = arith.cmpi slt, %qb, %ns : tensor<16x32xi32, #a>
  layout.async_copy %p mask %in into %b {{layout.vector = 4}} : tensor<16x32x!tile.ptr<f32>, #a>, {0}
  layout.async_commit
  layout.async_wait pending 0
  {1})",
                                       bufferOf(c), read(c));
  // The layouts of rows and columns are those of the tile without the other coordinate.
  const std::string lists =
      "#rows = #layout.tile<16, register = [(0), (0)], lane = [(0), (0), (0), (1), (2)], warp = "
      "[(4), (8)]>\n"
      "#columns = #layout.tile<32, register = [(1), (2)], lane = [(4), (8), (16), (0), (0)], warp "
      "= [(0), (0)]>\n"
      "#rows2 = #layout.tile<16x1, register = [(0, 0), (0, 0)], lane = [(0, 0), (0, 0), (0, 0), "
      "(1, 0), (2, 0)], warp = [(4, 0), (8, 0)]>\n"
      "#columns2 = #layout.tile<1x32, register = [(0, 1), (0, 2)], lane = [(0, 4), (0, 8), (0, "
      "16), (0, 0), (0, 0)], warp = [(0, 0), (0, 0)]>\n";
  const rt::Image image = compile(lists + kernelOf(c, body), c.target);
  expectRight(image, c, {16, 32, 32, 0, 0});
  expectRight(image, c, {16, 20, 48, 0, 0});
}

//===----------------------------------------------------------------------===//
// By boxes
//===----------------------------------------------------------------------===//

TEST(SimCopies, boxesAreLoaded) {
  for (const Case &c : {Case{"f16", 2, 32, 64, 128}, Case{"bf16", 2, 64, 128, 128}, Case{"i8", 1, 32, 64, 64},
                        Case{"f32", 4, 16, 32, 128}, Case{"f16", 2, 16, 16, 32}, Case{"f64", 8, 8, 16, 128},
                        Case{"i32", 4, 512, 16, 64}, Case{"f8E4M3FN", 1, 16, 256, 128},
                        Case{"f16", 2, 64, 32, 128, true}, Case{"f16", 2, 128, 16, 64, true}}) {
    const rt::Image image = compile(kernelOf(c, byBoxes(c)), c.target);
    const std::int64_t step = 16 / c.bytes;
    const auto expectAt = [&](Place p) {
      std::int64_t &along = c.isTransposed ? p.i : p.j; // begins at a multiple of 16 bytes
      along &= -step;
      expectRight(image, c, p);
    };
    expectAt({700, 700, 704, 0, 0});
    expectAt({100, 80, 96 + 4 * step, 90, 51});
    expectAt({100, 80, 96 + 4 * step, -5, -3});
    expectAt({37, 41, 48 + 3 * step, 20, 29});
    expectAt({1, 1, step, 0, 0});
    for (const std::int64_t far : {kHuge, kMost, -kHuge, kLeast, std::int64_t(1) << 31, std::int64_t(1) << 32,
                                   -(std::int64_t(1) << 32), (std::int64_t(1) << 32) - 1}) {
      expectRight(image, c, {16, 16, 16, far, 0});
      expectRight(image, c, {16, 16, 16, 0, far});
    }
  }
}

TEST(SimCopies, descriptorsHaveRequirements) {
  const Case c;
  const rt::Image image = compile(kernelOf(c, byBoxes(c)), c.target);
  ASSERT_EQ(image.arguments.size(), 8u);
  EXPECT_EQ(image.arguments[7].kind, rt::ArgumentKind::TensorMap);
  EXPECT_FALSE(image.requirements.empty());
  EXPECT_EQ(image.check(), "");
  EXPECT_FALSE(run(image, c, {0, 64, 64, 0, 0}).launched);
  EXPECT_FALSE(run(image, c, {1, 0, 64, 0, 0}).launched);
  EXPECT_FALSE(run(image, c, {-1, 64, 64, 0, 0}).launched);
  EXPECT_FALSE(run(image, c, {1, 64, 0, 0, 0}).launched);
  EXPECT_FALSE(run(image, c, {1, 64, std::int64_t(1) << 39, 0, 0}).launched);
  EXPECT_TRUE(run(image, c, {1, 64, (std::int64_t(1) << 39) - 8, 0, 0}).launched);
  EXPECT_FALSE(run(image, c, {1, 64, kMost, 0, 0}).launched); // its bytes overflow
  EXPECT_TRUE(run(image, c, {1, 64, 64, 0, 0}).launched);
}

TEST(SimCopies, whatIsLeftOutOfBoxesIsFound) {
  const Case c;
  const Place p{64, 64, 64, 0, 0};
  const auto faults = [&](const std::string &body) { return run(compile(kernelOf(c, body), c.target), c, p).faults; };
  EXPECT_EQ(faults(byBoxes(c)), "");
  // Expected bytes.
  EXPECT_THAT(faults(kMake + std::string("layout.mbarrier_arrive %f : !layout.mbarrier\n") + load(c) + kWait + read(c)),
              AnyOf(HasSubstr("asynchronous copy is still writing"), HasSubstr("waits for ever")));
  EXPECT_THAT(faults(kMake + load(c) + kWait + read(c)), HasSubstr("waits for ever"));
  // The wait.
  EXPECT_THAT(faults(kMake + expect(c) + load(c) + read(c)), HasSubstr("asynchronous copy is still writing"));
  // The barrier's beginning.
  EXPECT_THAT(faults("%f = layout.mbarrier_alloc : !layout.mbarrier\n" + expect(c) + load(c) + kWait + read(c)),
              HasSubstr("uses a barrier that was not made"));
}

namespace {

/// A kernel that fills a tile, and stores it as boxes at (i, j) of x.
std::string storing(const Case &c, const std::string &fence, const std::string &wait) {
  return kernelOf(c, fmt::format(R"(
  %o0 = tile.make_view %out, [%m0, %n0], [%n0, %one] : !tile.view<{0}, 2>
  %z0 = arith.constant 0 : i64
  %y = tile.view_load %o0[%z0, %z0] : !tile.view<{0}, 2> -> tensor<{1}x{2}x{0}, #c>
  layout.shared_store %b, %y : {3}, tensor<{1}x{2}x{0}, #c>
  {4}
  layout.tensor_store %b into %v[%i, %j] : {3}, !tile.view<{0}, 2>
  layout.tensor_commit
  {5}
  %t = layout.shared_load %b : {3} -> tensor<{1}x{2}x{0}, #c>)",
                                 c.element, c.rows, c.columns, bufferOf(c), fence, wait));
}

/// Runs it: what is found wrong; "" if x is what it should be.
std::string store(const Case &c, const Place &p, const std::string &fence = "layout.proxy_fence shared",
                  const std::string &wait = "layout.tensor_wait pending 0 read") {
  std::string text = storing(c, fence, wait);
  text.replace(text.find("%o0 ="), 0,
               fmt::format("%m0 = arith.constant {} : i64\n  %n0 = arith.constant {} : i64\n  ", c.rows, c.columns));
  const rt::Image image = compile(text, c.target);
  rt::DeviceState &device = deviceOf(c.target);
  std::vector<std::uint8_t> x = randomBytes(static_cast<std::size_t>((p.m - 1) * p.ld + p.n) * c.bytes);
  const std::vector<std::uint8_t> y = randomBytes(std::size_t(c.rows) * c.columns * c.bytes);
  const DeviceBytes to(device, x), from(device, y);
  const auto word = [](std::int64_t number) { return rt::CallArgument{static_cast<std::uint64_t>(number)}; };
  const rt::CallArgument arguments[] = {to.argument(), from.argument(), word(p.m), word(p.n),
                                        word(p.ld),    word(p.i),       word(p.j)};
  try {
    const rt::LaunchPlan plan(device, image);
    EXPECT_TRUE(plan.launch(*device.defaultStream, {1, 1, 1}, arguments));
  } catch (const DeviceError &error) {
    return error.what();
  }
  for (std::int64_t row = 0; row != c.rows; ++row)
    for (std::int64_t column = 0; column != c.columns; ++column) {
      const std::int64_t i = p.i + row, j = p.j + column;
      if (i >= 0 && i < p.m && j >= 0 && j < p.n)
        std::copy_n(y.begin() + (row * c.columns + column) * c.bytes, c.bytes, x.begin() + (i * p.ld + j) * c.bytes);
    }
  return to.values() == x ? "" : "other values";
}

} // namespace

TEST(SimCopies, boxesAreStored) {
  for (const Case &c : {Case{"f16", 2, 32, 64, 128}, Case{"f32", 4, 64, 64, 128}, Case{"bf16", 2, 16, 16, 32}}) {
    EXPECT_EQ(store(c, {100, 96, 96, 0, 0}), "");
    EXPECT_EQ(store(c, {70, 81, 96, 57, 40}), "");
    EXPECT_EQ(store(c, {70, 81, 96, -7, -9}), "");
    EXPECT_EQ(store(c, {70, 81, 96, 70, 0}), "");
  }
}

TEST(SimCopies, whatIsLeftOutOfStoresIsFound) {
  const Case c;
  const Place p{64, 64, 64, 0, 0};
  EXPECT_EQ(store(c, p), "");
  EXPECT_THAT(store(c, p, ""), HasSubstr("without a proxy fence"));
  EXPECT_THAT(store(c, p, "layout.proxy_fence global"), HasSubstr("without a proxy fence"));
  EXPECT_EQ(store(c, p, "layout.proxy_fence all"), "");
  EXPECT_NE(store(c, p, "layout.proxy_fence shared", ""), "");
}

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

/// Adds up tiles that a ring of three slots brings, two rounds ahead; %count of them are there.
static std::string ringOf(bool byBoxes) {
  const Case c{"f32", 4, 32, 32, 128, false, 4};
  const std::string start =
      byBoxes ? "layout.mbarrier_expect %f[{0}] bytes 4096 : !layout.mbarrier<3>\n"
                "layout.tensor_load %v[%i, {1}] into %w{2} signals %f[{0}] : !tile.view<f32, 2>, "
                "!layout.buffer<32x32xf32, #s>, !layout.mbarrier<3>\n"
              : "layout.view_async_copy %v[%i, {1}] by #a into %w{2} {{layout.vector = 4}} : !tile.view<f32, 2>, "
                "!layout.buffer<32x32xf32, #s>\n";
  const auto begin = [&](const std::string &slot, const std::string &column, const std::string &name) {
    return fmt::format("%w{0} = layout.shared_slot %ring[{1}] : !layout.buffer<3x32x32xf32, #s>, i32\n", name, slot) +
           fmt::format(fmt::runtime(start), slot, column, name);
  };
  const std::string commit = byBoxes ? "" : "layout.async_commit {}\n";
  return kernelOf(c, fmt::format(R"(
  %ring = layout.shared_alloc : !layout.buffer<3x32x32xf32, #s>
  {0}
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 32 : i64
  %k2 = arith.constant 64 : i64
  {1}{3}{2}{3}
  %zeros = arith.constant dense<0.0> : tensor<32x32xf32, #c>
  %t, %last, %p = scf.for %k = %k0 to %n step %k1 iter_args(%sum = %zeros, %slot = %c0, %parity = %false)
      -> (tensor<32x32xf32, #c>, i32, i1) : i64 {{
    {4}
    %now = layout.shared_slot %ring[%slot] : !layout.buffer<3x32x32xf32, #s>, i32
    %y = layout.shared_load %now : !layout.buffer<32x32xf32, #s> -> tensor<32x32xf32, #c>
    %more = arith.addf %sum, %y : tensor<32x32xf32, #c>
    %ahead = arith.addi %k, %k2 : i64
    %s2 = arith.addi %slot, %c2 : i32
    %wraps2 = arith.cmpi sge, %s2, %c3 : i32
    %s2w = arith.subi %s2, %c3 : i32
    %free = arith.select %wraps2, %s2w, %s2 : i32
    %goes = arith.cmpi slt, %ahead, %n : i64
    scf.if %goes {{
      {5}
    }}
    {3}
    %s1 = arith.addi %slot, %c1 : i32
    %wraps1 = arith.cmpi sge, %s1, %c3 : i32
    %next = arith.select %wraps1, %c0, %s1 : i32
    %flip = arith.xori %parity, %wraps1 : i1
    scf.yield %more, %next, %flip : tensor<32x32xf32, #c>, i32, i1
  }}
  {6}
  layout.shared_free %ring : !layout.buffer<3x32x32xf32, #s>)",
                                 byBoxes ? "%f = layout.mbarrier_alloc : !layout.mbarrier<3>\n"
                                           "layout.mbarrier_init %f count 1 : !layout.mbarrier<3>\n"
                                         : "",
                                 begin("%c0", "%k0", "0"), begin("%c1", "%k1", "1"), commit,
                                 byBoxes ? "layout.mbarrier_wait %f[%slot] parity %parity : !layout.mbarrier<3>"
                                         : "layout.async_wait pending 1",
                                 begin("%free", "%ahead", "2"), byBoxes ? "" : "layout.async_wait pending 0"));
}

TEST(SimCopies, ringsRunAhead) {
  const Case c{"f32", 4, 32, 32, 128, false, 4};
  for (const bool byBoxes : {false, true}) {
    const rt::Image image = compile(ringOf(byBoxes), c.target);
    for (const std::int64_t n : {64, 96, 128, 160, 288}) {
      rt::DeviceState &device = deviceOf(c.target);
      std::vector<float> x(static_cast<std::size_t>(32 * n));
      for (std::size_t at = 0; at != x.size(); ++at)
        x[at] = static_cast<float>(at * 7 % 101);
      std::vector<std::uint8_t> bytes(x.size() * 4);
      std::memcpy(bytes.data(), x.data(), bytes.size());
      const DeviceBytes from(device, bytes), to(device, randomBytes(4096));
      const auto word = [](std::int64_t number) { return rt::CallArgument{static_cast<std::uint64_t>(number)}; };
      const rt::CallArgument arguments[] = {from.argument(), to.argument(), word(32), word(n),
                                            word(n),         word(0),       word(0)};
      const rt::LaunchPlan plan(device, image);
      ASSERT_NO_THROW(EXPECT_TRUE(plan.launch(*device.defaultStream, {1, 1, 1}, arguments)));
      std::vector<float> sums(1024);
      const std::vector<std::uint8_t> out = to.values();
      std::memcpy(sums.data(), out.data(), out.size());
      for (std::int64_t row = 0; row != 32; ++row)
        for (std::int64_t column = 0; column != 32; ++column) {
          float sum = 0;
          for (std::int64_t k = 0; k < n; k += 32)
            sum += x[static_cast<std::size_t>(row * n + k + column)];
          ASSERT_EQ(sums[static_cast<std::size_t>(row * 32 + column)], sum) << byBoxes << " " << n;
        }
    }
  }
}
