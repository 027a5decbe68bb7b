//===- Compiler.cpp - from a kernel's function to an image ----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Driver/Compiler.h"

#include "Analysis/KernelArguments.h"
#include "Driver/Backends.h"
#include "Driver/CompiledBefore.h"
#include "Driver/Contracts.h"
#include "Frontend/KernelTrace.h"
#include "IRSupport/DiagnosticLog.h"
#include "IRSupport/Locations.h"
#include "IRSupport/ModuleHash.h"
#include "Pipeline/Pipeline.h"
#include "Runtime/Bundle/ServedBundles.h"
#include "Runtime/CodeFacts.h"
#include "Support/Files.h"
#include "Support/Milliseconds.h"
#include "Support/Options.h"
#include "Target/KernelAbi.h"

#include "tessera/core/Error.h"
#include "tessera/runtime/Runtime.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <fmt/format.h>

namespace tessera::ir {

using support::Clock;
using support::msSince;
using tessera::detail::ParamLeaf;

//===----------------------------------------------------------------------===//
// Tracing
//===----------------------------------------------------------------------===//

/// A context for recording. The dialects of a back end come when it is certain that it has something to do.
static std::unique_ptr<MLIRContext> makeContext() {
  auto context = std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
  loadTraceDialects(*context);
  return context;
}

static void addDialects(MLIRContext &context, const Backend &backend) {
  mlir::DialectRegistry registry;
  backend.registerDialects(registry);
  context.appendDialectRegistry(registry);
}

/// The leaves that this trace has, with the element types bound.
static std::vector<ParamLeaf> presentLeaves(const tessera::detail::KernelSpec &spec, const std::vector<DType> &any,
                                            const std::vector<bool> &present) {
  std::vector<ParamLeaf> leaves;
  std::size_t bound = 0;
  for (ParamLeaf &leaf : spec.describe(spec.names).leaves) {
    const auto optional = static_cast<std::size_t>(leaf.optional);
    if (leaf.optional >= 0 && !(optional < present.size() && present[optional]))
      continue;
    if (leaf.form == ParamLeaf::Form::Pointer && leaf.dtype.kind == Kind::Any) {
      if (bound == any.size())
        throw UsageError(spec.at,
                         fmt::format("kernel `{}`: the element type of parameter `{}` is bound at launch; name it "
                                     "in Variant::any to compile without one",
                                     spec.name, leaf.path));
      leaf.dtype = any[bound++];
    }
    leaves.push_back(std::move(leaf));
  }
  return leaves;
}

static KernelFacts collectFacts(tile::KernelOp kernel, ArrayRef<ParamLeaf> leaves, const std::string &name) {
  if (!kernel || kernel.getNumArguments() != leaves.size())
    throw InternalError(
        fmt::format("tracing kernel `{}` gave a function of {} arguments; its parameters have {} leaves", name,
                    kernel ? kernel.getNumArguments() : 0, leaves.size()));
  KernelFacts facts;
  const SmallVector<ArgumentFacts> used = analyzeArguments(kernel, &facts.storesElsewhere);
  for (std::size_t i = 0; i != leaves.size(); ++i) {
    if (leaves[i].form == ParamLeaf::Form::Pointer)
      facts.pointers.set(i);
    if (used[i].stored || leaves[i].zeroed)
      facts.stored.set(i);
    if (used[i].read)
      facts.read.set(i);
    if (leaves[i].zeroed)
      facts.zeroed.set(i);
    if (used[i].asStride && leaves[i].dtype.isInt())
      facts.strides.set(i);
    if (used[i].inAddress && leaves[i].dtype.isInt())
      facts.addresses.set(i);
    facts.names.push_back(leaves[i].path);
    facts.dtypes.push_back(leaves[i].dtype);
  }
  return facts;
}

TracedKernel traceForLaunch(const tessera::detail::KernelSpec &spec, std::vector<DType> any, std::vector<bool> present,
                            const std::string &configText) {
  TracedKernel traced;
  traced.name = spec.name;
  traced.config = configText;
  traced.title = configText == "{}" ? spec.name : fmt::format("{} {}", spec.name, configText);
  traced.leaves = presentLeaves(spec, any, present);
  const Clock::time_point start = Clock::now();
  traced.context = makeContext();
  tessera::detail::Specialization specialization;
  specialization.any = std::move(any);
  specialization.present = std::move(present);
  traced.module = traceKernel(spec, specialization, *traced.context);
  traced.facts = collectFacts(kernelOf(*traced.module), traced.leaves, spec.name);
  traced.facts.program = hashModule(*traced.module, [](Operation *) { return false; }).program;
  traced.traceMs = msSince(start);
  return traced;
}

//===----------------------------------------------------------------------===//
// Specialising
//===----------------------------------------------------------------------===//

/// Folds unit strides and notes what is a multiple of 16.
static void specialize(tile::KernelOp kernel, const KernelFacts &facts, const VariantKey &variant) {
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  for (BlockArgument argument : kernel.getArguments()) {
    const unsigned number = argument.getArgNumber();
    if (variant.unit.test(number)) {
      auto one =
          mlir::arith::ConstantOp::create(builder, argument.getLoc(), builder.getIntegerAttr(argument.getType(), 1));
      argument.replaceAllUsesWith(one);
    } else if (variant.aligned && (facts.pointers.test(number) || facts.addresses.test(number))) {
      kernel.setArgAttr(number, tile::TileDialect::kMultipleOf, builder.getI64IntegerAttr(16));
    }
  }
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

/// Throws what \p outcome deserves, if it failed.
static void throwFailure(const PipelineOutcome &outcome, const TracedKernel &traced, const Target &target) {
  if (outcome.ok())
    return;
  if (outcome.blame == PipelineOutcome::Kernel)
    throw CompileError(
        fmt::format("kernel `{}` cannot be compiled for {}: {}", traced.name, target.str(), outcome.words));
  throw InternalError(
      fmt::format("stage {}{} failed on kernel `{}` for {}: {}; please report this with the reproducer {}",
                  outcome.stage, outcome.pass.empty() ? "" : " (pass " + outcome.pass + ")", traced.name, target.str(),
                  outcome.words, outcome.reproducer));
}

static Dump makeDump(const TracedKernel &traced, const VariantKey &variant, const CompileRequest &request) {
  const std::string title = fmt::format("{} for {}, arguments: {}, options: {}, variant: {}", traced.title,
                                        request.target.str(), typesText(traced.facts.dtypes, traced.facts.pointers),
                                        support::describeOptions(request.options), variant.str(traced.facts));
  const std::string stem =
      fmt::format("{}-{}-{}", support::fileNamePart(traced.name), support::fileNamePart(request.target.str()),
                  support::hashText(title).hex().substr(0, 8));
  return Dump::fromEnvironment(knownStages(), title, stem);
}

/// Runs the tile stage on the kernel and gives what the stages of \p backend start from: the canonical form, or what
/// was traced (kept alive by \p asTraced) once it has passed the border.
static ModuleOp runTile(TracedKernel &traced, const CompileRequest &request, const Backend *backend, Dump *dump,
                        OwningOpRef<ModuleOp> &asTraced, PipelineOutcome &outcome) {
  if (backend && backend->takesTraced())
    asTraced = cast<ModuleOp>(traced.module.get()->clone());
  outcome = runTileStage(*traced.module, request, dump);
  return asTraced ? *asTraced : *traced.module;
}

/// The compilation of \p module behind the tile stage, with its argument table. CompileError if that cannot be made.
static Compilation startCompilation(ModuleOp module, const TracedKernel &traced, const CompileRequest &request) {
  Compilation compilation{module, request, {}, nullptr};
  compilation.image.target = request.target.str();
  std::string words;
  {
    DiagnosticLog log(*traced.context);
    if (failed(describeKernel(kernelOf(module), traced.facts.dtypes, compilation.image)))
      words = log.text();
  }
  if (!words.empty())
    throw CompileError(
        fmt::format("kernel `{}` cannot be compiled for {}: {}", traced.name, request.target.str(), words));
  for (std::size_t i = 0; i != traced.facts.names.size(); ++i)
    compilation.image.arguments[i].name = traced.facts.names[i];
  return compilation;
}

static void append(CompiledKernel &compiled, const PipelineOutcome &outcome) {
  for (const StageTime &time : outcome.times)
    compiled.stages.emplace_back(time.stage, time.ms);
  compiled.notes.insert(compiled.notes.end(), outcome.notes.begin(), outcome.notes.end());
}

/// What a frozen process says it lacks.
static std::string missingWords(const TracedKernel &traced, const VariantKey &variant, const CompileRequest &request) {
  return fmt::format(
      "the runtime is frozen, and neither the cache nor a bundle has arguments: {}, config {}, options: {}, "
      "target: {}, variant: {}; add it to the bundle, or launch it once where compiling is allowed",
      typesText(traced.facts.dtypes, traced.facts.pointers), traced.config, support::describeOptions(request.options),
      request.target.str(), variant.str(traced.facts));
}

static CompiledKernel compileImage(TracedKernel &traced, const VariantKey &variant, const Target &target,
                                   const CompileOptions &options) {
  const Backend &backend = backends().require(target);
  const CompileRequest request{target, options, variant.aligned, variant.fold};
  Dump dump = makeDump(traced, variant, request);
  CompiledKernel compiled;
  compiled.stages.emplace_back("trace", traced.traceMs);

  specialize(kernelOf(*traced.module), traced.facts, variant);
  const Clock::time_point start = Clock::now();
  compiled.identity = identify(traced, variant, request, backend);
  const KernelIdentity &identity = compiled.identity;
  const bool found = !dump.active() && findCompiled(identity, request, backend, dump.keptStages(), compiled);
  compiled.stages.emplace_back("find", msSince(start));
  if (found)
    return compiled;
  if (Runtime::is_frozen())
    throw MissingKernel{missingWords(traced, variant, request)};

  addDialects(*traced.context, backend);
  PipelineOutcome outcome;
  OwningOpRef<ModuleOp> asTraced;
  const ModuleOp module = runTile(traced, request, &backend, &dump, asTraced, outcome);
  append(compiled, outcome);
  throwFailure(outcome, traced, target);

  Compilation compilation = startCompilation(module, traced, request);
  outcome = runBackendStages(backend, compilation, &dump);
  append(compiled, outcome);
  throwFailure(outcome, traced, target);
  compilation.image.setFact("key", identity.key.hex());
  if (const std::string problem = compilation.image.check(); !problem.empty())
    throw InternalError(fmt::format("the back end for {} made an image of kernel `{}` that breaks the launch ABI: {}",
                                    target.str(), traced.name, problem));
  compiled.image = std::make_shared<const rt::Image>(std::move(compilation.image));
  keepCompiled(identity, request, backend, dump.takeTexts(), compiled);
  return compiled;
}

/// CompileError if \p image is not what \p options ask for.
static void requireContracts(const rt::Image &image, const TracedKernel &traced, const VariantKey &variant,
                             const CompileOptions &options, const std::string &at) {
  const Report report = tessera::detail::reportOf(image.target, image.metadata);
  if (const std::string broken = brokenContracts(report, options, variant.aligned, at); !broken.empty())
    throw CompileError(fmt::format("kernel `{}` for {} is not what its options ask for:\n{}{}{}", traced.name,
                                   image.target, broken, report.source_changed ? "\n" : "",
                                   report.source_changed ? rt::kSourceChanged : ""));
}

CompiledKernel compileTraced(TracedKernel &traced, const VariantKey &variant, const Target &target,
                             const CompileOptions &options) {
  const std::string at = locationText(kernelOf(*traced.module).getLoc());
  CompiledKernel compiled = compileImage(traced, variant, target, options);
  requireContracts(*compiled.image, traced, variant, options, at);
  return compiled;
}

std::optional<CompiledKernel> findBundled(const TracedKernel &traced, const VariantKey &variant,
                                          const rt::DeviceProperties &device, const CompileOptions &options) {
  const Clock::time_point start = Clock::now();
  std::optional<rt::ServedImage> served =
      rt::findServed({traced.name, typesText(traced.facts.dtypes, traced.facts.pointers), traced.config,
                      support::optionKey(options), traced.facts.program, variant},
                     device, Runtime::is_frozen());
  if (!served)
    return std::nullopt;
  requireContracts(served->image, traced, variant, options, locationText(kernelOf(*traced.module).getLoc()));
  CompiledKernel compiled;
  compiled.origin = "bundle";
  compiled.identity.contents = served->contents;
  compiled.image = std::make_shared<const rt::Image>(std::move(served->image));
  compiled.stages = {{"trace", traced.traceMs}, {"find", msSince(start)}};
  return compiled;
}

std::string printTraced(TracedKernel &traced, const VariantKey &variant, const Target &target,
                        const CompileOptions &options, llvm::StringRef stage) {
  const CompileRequest request{target, options, variant.aligned, variant.fold};
  const Backend *backend = nullptr;
  if (stage != kTileStage) {
    backend = &backends().require(target);
    std::vector<std::string> names{kTileStage.str()};
    for (const Stage &known : backend->stages())
      names.push_back(known.name.str());
    if (!llvm::is_contained(names, stage))
      throw UsageError(fmt::format("target {} has no stage `{}`; its stages: {}", target.str(), std::string_view(stage),
                                   fmt::join(names, ", ")));
  }
  specialize(kernelOf(*traced.module), traced.facts, variant);
  if (backend)
    addDialects(*traced.context, *backend);
  PipelineOutcome outcome;
  OwningOpRef<ModuleOp> asTraced;
  const ModuleOp module = runTile(traced, request, backend, nullptr, asTraced, outcome);
  throwFailure(outcome, traced, target);
  if (!backend)
    return printModule(module, false);
  std::string text;
  Compilation compilation = startCompilation(module, traced, request);
  throwFailure(runBackendStages(*backend, compilation, nullptr, stage, &text), traced, target);
  return text;
}

} // namespace tessera::ir
