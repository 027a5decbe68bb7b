//===- InterpDriver.cpp - the device that checks every step -----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Interp/InterpDriver.h"

#include "IRSupport/DiagnosticLog.h"
#include "IRSupport/Locations.h"
#include "Support/Log.h"
#include "Target/Interp/Program.h"
#include "Target/Interp/TrackedMemory.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"
#include "tessera/core/Error.h"

#include "fmt/format.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

#include <atomic>
#include <thread>

namespace tessera::ir {

namespace {

/// Largest number of programs: the race check keeps them in 40 bits.
constexpr std::int64_t kMaxPrograms = std::int64_t(1) << 40;

struct InterpKernel final : rt::LoadedKernel {
  std::string name;
  std::unique_ptr<interp::Program> program;
  std::vector<std::uint32_t> offsets; ///< of the arguments in the packed block
  std::vector<DType> pointees;        ///< of the arguments; for pointers, what they point to
  std::vector<bool> zeroed;           ///< arguments whose memory the launcher fills
  std::atomic<bool> noted{false};     ///< that accesses are not checked
};

/// Reads the module back and builds it; null with the reason in \p error.
std::unique_ptr<interp::Program> buildFrom(std::span<const std::byte> bytecode, std::string &error) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<tile::TileDialect, mlir::arith::ArithDialect, mlir::math::MathDialect, mlir::scf::SCFDialect>();
  DiagnosticLog diagnostics(context);
  const llvm::StringRef bytes(reinterpret_cast<const char *>(bytecode.data()), bytecode.size());
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceString<mlir::ModuleOp>(bytes, &context);
  if (!module) {
    error = diagnostics.text();
    return nullptr;
  }
  interp::BuildError why;
  auto program = interp::Program::build(*module, why);
  const std::string at = why.at ? locationText(*why.at) : "";
  error = at.empty() ? why.text : at + ": " + why.text;
  return program;
}

class InterpDriver final : public interp::TrackedMemoryDriver {
public:
  std::string_view family() const override { return "interp"; }
  int priority() const override { return 10; }
  int deviceCount() noexcept override { return 1; }

  rt::DeviceProperties properties(int) override {
    rt::DeviceProperties p;
    p.name = "interpreter with checks";
    p.target = Target("interp");
    p.multiprocessors = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    p.maxGrid = {kMaxPrograms, kMaxPrograms, kMaxPrograms};
    return p;
  }

  std::unique_ptr<rt::LoadedKernel> load(int, const rt::Image &image) override {
    if (image.target != "interp" || image.format != "mlir-bytecode")
      throw DeviceError(
          fmt::format("kernel `{}` was compiled for {} as {}, and device interp runs mlir-bytecode for interp",
                      image.kernel, image.target, image.format));
    auto kernel = std::make_unique<InterpKernel>();
    kernel->name = image.kernel;
    std::string error;
    kernel->program = buildFrom(image.binary, error);
    if (!kernel->program)
      throw DeviceError(fmt::format("device interp cannot load kernel `{}`: {}", image.kernel, error));
    const llvm::ArrayRef<interp::Parameter> parameters = kernel->program->parameters();
    bool fits = parameters.size() == image.arguments.size();
    for (std::size_t i = 0; fits && i != parameters.size(); ++i) {
      fits = interp::bytesOf(parameters[i].elem) == image.arguments[i].packedBytes();
      kernel->offsets.push_back(image.arguments[i].offset);
      kernel->pointees.push_back(image.arguments[i].dtype);
      kernel->zeroed.push_back(image.arguments[i].zeroed);
    }
    if (!fits)
      throw DeviceError(
          fmt::format("device interp cannot load kernel `{}`: its argument table does not fit its code", image.kernel));
    return kernel;
  }

  void launch(int, void *, rt::LoadedKernel &loaded, const rt::LaunchParams &params) override {
    auto &kernel = static_cast<InterpKernel &>(loaded);
    std::int64_t programs = 1;
    for (std::int64_t extent : params.grid)
      if (__builtin_mul_overflow(programs, extent, &programs) || programs > kMaxPrograms)
        throw DeviceError(
            fmt::format("kernel `{}` is launched with a grid of {} x {} x {} programs; device interp runs at "
                        "most 2^40; launch several smaller grids",
                        kernel.name, params.grid[0], params.grid[1], params.grid[2]));
    std::vector<const void *> arguments;
    for (std::uint32_t offset : kernel.offsets)
      arguments.push_back(params.packed.data() + offset);
    noteUnchecked(kernel, params.extents);
    const std::vector<interp::LiveBuffer> buffers = live.forLaunch(params.extents, lentTo(kernel, params.extents));
    interp::LaunchRequest request;
    request.grid = params.grid;
    request.arguments = arguments;
    request.buffers = buffers;
    request.pointees = kernel.pointees;
    const interp::Faults faults = kernel.program->run(request);
    if (!faults.none())
      throw DeviceError(fmt::format("kernel `{}`: checked execution found {} fault{}\n{}", kernel.name, faults.total,
                                    faults.total == 1 ? "" : "s", faults.text()));
  }

private:
  /// The workspaces of a launch.
  static std::vector<interp::Lent> lentTo(const InterpKernel &kernel, std::span<const rt::PointerExtent> extents) {
    const llvm::ArrayRef<interp::Parameter> parameters = kernel.program->parameters();
    std::vector<interp::Lent> lent;
    for (std::size_t i = 0; i != parameters.size(); ++i)
      if (parameters[i].workspace)
        lent.push_back({extents[i].address, extents[i].bytes, kernel.zeroed[i]});
    return lent;
  }

  /// Says which arguments of the kernel's first launch are raw pointers that may reach anything.
  void noteUnchecked(InterpKernel &kernel, std::span<const rt::PointerExtent> extents) const {
    std::string names;
    for (std::size_t i = 0; i != extents.size(); ++i)
      if (extents[i].address && !extents[i].sized && !live.owns(extents[i].address))
        names += fmt::format("{}`{}`", names.empty() ? "" : ", ", kernel.program->parameters()[i].name);
    if (!names.empty() && !kernel.noted.exchange(true))
      support::note(
          fmt::format("kernel `{}` is given raw pointers of unknown size ({}): how far it reaches behind them "
                      "is not checked; pass borrow(pointer, count)",
                      kernel.name, names));
  }
};

} // namespace

std::unique_ptr<rt::DeviceDriver> createInterpDriver() { return std::make_unique<InterpDriver>(); }

} // namespace tessera::ir
