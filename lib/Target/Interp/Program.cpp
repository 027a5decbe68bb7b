//===- Program.cpp - build and run a tile module ----------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Interp/Program.h"

#include "Target/Interp/Checks/Rehearsal.h"
#include "Target/Interp/Checks/Waiting.h"
#include "Target/Interp/Frame.h"
#include "Target/Interp/Launch.h"
#include "Target/Interp/Lowering.h"
#include "Target/Interp/Ops/Families.h"

#include "tessera-ir/Dialect/Tile/IR/Tile.h"

#include "Support/Environment.h"

#include "fmt/format.h"
#include "mlir/IR/BuiltinOps.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <thread>

namespace tessera::ir::interp {

namespace {

const OpTable &knownOps() {
  static const OpTable table = [] {
    OpTable t;
    registerProgramOps(t);
    registerControlOps(t);
    registerIntOps(t);
    registerFloatOps(t);
    registerCastOps(t);
    registerShapeOps(t);
    registerMemoryOps(t);
    registerViewOps(t);
    registerHintOps(t);
    registerReduceOps(t);
    registerScanOps(t);
    registerSortOps(t);
    registerGatherOps(t);
    registerDotOps(t);
    registerAtomicOps(t);
    registerDebugOps(t);
    return t;
  }();
  return table;
}

/// Parameters that are not what the kernel was promised (SEMANTICS P2).
void checkParameters(const Code &code, const Launch &launch, FaultLog &log) {
  for (std::size_t i = 0; i != code.parameters.size(); ++i) {
    const Parameter &parameter = code.parameters[i];
    if (parameter.multipleOf <= 1)
      continue;
    const unsigned bytes = bytesOf(parameter.elem);
    std::int64_t value = 0;
    std::memcpy(&value, launch.arguments[i], bytes);
    value = value << (64 - 8 * bytes) >> (64 - 8 * bytes); // the sign of narrow ones
    if (value % parameter.multipleOf != 0)
      log.add(0, fmt::format("parameter {}", i), "multiple_of must hold for every launch", [&] {
        return fmt::format("false hint: `{}` is {:#x}, no multiple of {}", parameter.name, value, parameter.multipleOf);
      });
  }
}

/// Runs programs until none is left. Each thread takes ascending numbers, so its fault log is in order.
void work(Frame &frame, std::atomic<std::uint64_t> &next, std::uint64_t chunk) {
  const std::uint64_t programs = frame.launch.programs;
  while (true) {
    const std::uint64_t begin = next.fetch_add(chunk);
    if (begin >= programs)
      return;
    for (std::uint64_t p = begin, end = std::min(programs, begin + chunk); p != end; ++p) {
      frame.begin(p);
      execute(frame.code.body, frame);
    }
  }
}

} // namespace

Program::Program(std::unique_ptr<const Code> code) : code(std::move(code)) {}
Program::~Program() = default;

llvm::ArrayRef<Parameter> Program::parameters() const { return code->parameters; }

std::unique_ptr<Program> Program::build(mlir::ModuleOp module, BuildError &error) {
  auto kernels = module.getOps<tile::KernelOp>();
  if (kernels.empty() || !llvm::hasSingleElement(kernels)) {
    error.text = "the module must hold one tile.kernel";
    return nullptr;
  }
  tile::KernelOp kernel = *kernels.begin();
  auto code = std::make_unique<Code>();
  code->name = kernel.getSymName().str();
  Builder builder(knownOps(), *code, kernel);
  builder.debugger = Debugger::fromEnvironment(kernel, error.text);
  if (!error.text.empty())
    return nullptr;
  code->stops = builder.debugger != nullptr;
  if (failed(builder.lowerKernel(kernel.getBody().front()))) {
    error = builder.error;
    return nullptr;
  }
  return std::unique_ptr<Program>(new Program(std::move(code)));
}

Faults Program::run(const LaunchRequest &given) const {
  LaunchRequest request = given;
  RunOptions &options = request.options;
  if (options.threads == 0)
    options.threads = static_cast<unsigned>(support::environmentNumber(
        support::Variable::CpuThreads, std::max(1u, std::thread::hardware_concurrency()), 1, 4096));
  if (options.maxFaults == 0)
    options.maxFaults = static_cast<unsigned>(support::environmentNumber(support::Variable::Faults, 20, 1, 1'000'000));

  Launch launch(*code, request);
  if (launch.programs == 0)
    return {};

  FaultLog rehearsed;
  if (wantsRehearsal(launch))
    rehearsed = rehearse(*code, request);

  const std::uint64_t threads = code->inGridOrder ? 1 : std::min<std::uint64_t>(options.threads, launch.programs);
  const std::uint64_t chunk = std::clamp<std::uint64_t>(launch.programs / (threads * 16), 1, 64);
  std::vector<std::unique_ptr<Frame>> frames;
  for (std::uint64_t i = 0; i != threads; ++i)
    frames.push_back(std::make_unique<Frame>(*code, launch));
  FaultLog log;
  if (options.checks)
    checkParameters(*code, launch, log);

  std::atomic<std::uint64_t> next{0};
  std::vector<std::exception_ptr> failures(threads);
  const auto body = [&](std::uint64_t i) {
    try {
      work(*frames[i], next, chunk);
    } catch (const StopLaunch &) { // its fault is logged
      next.store(launch.programs);
    } catch (...) { // memory for the checks' tables may run out
      failures[i] = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  for (std::uint64_t i = 1; i != threads; ++i)
    others.emplace_back(body, i);
  body(0);
  for (std::thread &thread : others)
    thread.join();
  for (const std::exception_ptr &failure : failures)
    if (failure)
      std::rethrow_exception(failure);

  for (const std::unique_ptr<Frame> &frame : frames)
    log.merge(frame->log);
  if (launch.races) {
    FaultLog races(kAfterOrder);
    launch.races->finish(launch, races);
    log.merge(races);
  }
  log.mergeMissing(rehearsed);
  return log.result(options.maxFaults);
}

} // namespace tessera::ir::interp
