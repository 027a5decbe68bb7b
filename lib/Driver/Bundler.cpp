//===- Bundler.cpp - compile kernels ahead of time ------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Every kernel is recorded once to see which variants it needs, then compiled for each target and variant, side by
// side. The bundle is put together in the order in which things were added, so that it does not depend on who was
// faster.
//
//===---------------------------------------------------------------------===//

#include "tessera/runtime/Bundler.h"

#include "Arch/Capability.h"
#include "Driver/Backends.h"
#include "Driver/CompiledBefore.h"
#include "Runtime/Autotune/TuneFile.h"
#include "Runtime/Bundle/BundleFile.h"
#include "Runtime/Bundle/BundleHeaders.h"
#include "Support/Files.h"
#include "Support/Log.h"
#include "Support/Options.h"

#include "tessera/core/Error.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <thread>

namespace tessera {

using detail::BundleItem;
using detail::ParamLeaf;

namespace {

/// One of a bundle's targets: "cuda:sm_80+ptx".
struct BundleTarget {
  explicit BundleTarget(const std::string &text);

  std::string text;
  Target target{"interp"};
  bool ptx = false; ///< with PTX besides
  bool foldsGrids = false;
};

/// A kernel as one target and variant of an item.
struct BundleJob {
  std::size_t item = 0;
  const BundleTarget *target = nullptr;
  rt::VariantKey variant;
  std::vector<rt::CacheEntry> entries;
  std::exception_ptr error;
};

} // namespace

BundleTarget::BundleTarget(const std::string &text) : text(text) {
  constexpr std::string_view suffix = "+ptx";
  ptx = text.ends_with(suffix);
  target = Target(text.substr(0, text.size() - (ptx ? suffix.size() : 0)));
  const ir::Backend &backend = ir::backends().require(target);
  if (!backend.shipsImages())
    throw UsageError(fmt::format(
        "a bundle cannot hold kernels for {}, which runs them in the process that recorded them", target.str()));
  foldsGrids = backend.foldsGrids();
  if (ptx && target.family() != "cuda")
    throw UsageError(fmt::format("target {}: there is PTX for cuda only", text));
  if (ptx && arch::isBound(target.chip()))
    throw UsageError(fmt::format("target {}: code for {} runs on no other chip, so that later ones have no use for its "
                                 "PTX; try cuda:sm_80+ptx beside cuda:{}",
                                 text, target.chip(), target.chip()));
}

struct Bundler::State {
  /// Compiles all items, into \p writer, and tells what there is.
  rt::BundleIndex compileTo(rt::BundleWriter &writer);

  std::string name;
  std::vector<std::string> targetTexts;
  std::vector<BundleTarget> targets;
  std::vector<BundleItem> items;
  std::vector<std::string> suffixes; ///< of the names of items, where there are some
  std::string records;
};

Bundler::Bundler(std::string name, std::vector<std::string> targets) : state(std::make_unique<State>()) {
  if (!rt::isIdentifier(name))
    throw UsageError(fmt::format("a bundle cannot be called `{}`: its name is an identifier of C++", name));
  if (targets.empty())
    throw UsageError(fmt::format("bundle `{}` has no targets to compile for", name));
  for (const std::string &target : targets)
    state->targets.emplace_back(target);
  state->name = std::move(name);
  state->targetTexts = std::move(targets);
}

Bundler::~Bundler() = default;

const std::string &Bundler::name() const { return state->name; }
const std::vector<std::string> &Bundler::targets() const { return state->targetTexts; }

Bundler &Bundler::add(BundleItem item) {
  const auto refuse = [&](const std::string &words) {
    throw UsageError(item.at, fmt::format("bundling kernel `{}`: {}", item.kernel->name, words));
  };
  if (const std::string problem = support::checkOptions(item.options); !problem.empty())
    refuse(problem);
  if (!item.how.name.empty() && !rt::isIdentifier(item.how.name))
    refuse(fmt::format("`{}` is no name for a function in C++", item.how.name));
  for (const std::string &target : item.how.targets)
    if (std::ranges::find(state->targetTexts, target) == state->targetTexts.end())
      refuse(fmt::format("`{}` is none of the bundle's targets: {}", target, fmt::join(state->targetTexts, ", ")));
  state->items.push_back(std::move(item));
  return *this;
}

void Bundler::addCandidate(BundleItem item, std::size_t number) {
  add(std::move(item));
  state->suffixes.resize(state->items.size());
  state->suffixes.back() = fmt::format("_{}", number);
}

Bundler &Bundler::add_records(const std::string &path, std::source_location at) {
  std::string problem;
  const std::string text = rt::readTuneFile(path, problem);
  if (text.empty() && problem.empty())
    problem = "there is no such file, or it is empty";
  if (!problem.empty())
    throw UsageError(at, fmt::format("tuning records {}: {}", path, problem));
  std::size_t damaged = 0;
  for (const rt::TuneRecord &record : rt::parseRecords(text, damaged))
    state->records += rt::encodeRecord(record);
  if (damaged)
    throw UsageError(at, fmt::format("tuning records {}: {} lines are damaged", path, damaged));
  return *this;
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

static ir::TracedKernel trace(const BundleItem &item) {
  return ir::traceForLaunch(item.kernel->spec(item.config.get()), item.how.any, item.how.present, item.configText);
}

/// The strides that are 1 by the types of views.
static rt::SlotMask contiguousStrides(const ir::TracedKernel &traced) {
  rt::SlotMask unit;
  for (std::size_t i = 0; i != traced.leaves.size(); ++i) {
    const ParamLeaf &leaf = traced.leaves[i];
    if (leaf.role == ParamLeaf::Role::ViewStride && leaf.axis == leaf.contiguous && traced.facts.strides.test(i))
      unit.set(i);
  }
  return unit;
}

/// The strides that \p names lists.
static rt::SlotMask namedStrides(const BundleItem &item, const ir::KernelFacts &facts,
                                 const std::vector<std::string> &names) {
  rt::SlotMask unit;
  for (const std::string &name : names) {
    const auto found = std::ranges::find(facts.names, name);
    const auto number = static_cast<std::size_t>(found - facts.names.begin());
    if (found == facts.names.end() || !facts.strides.test(number)) {
      std::vector<std::string> strides;
      for (std::size_t i = 0; i != facts.names.size(); ++i)
        if (facts.strides.test(i))
          strides.push_back(facts.names[i]);
      throw UsageError(item.at, fmt::format("bundling kernel `{}`: BundleOptions::unit_strides names `{}`, which is no "
                                            "stride of the kernel; its strides: {}",
                                            item.kernel->name, name,
                                            strides.empty() ? "none" : fmt::format("{}", fmt::join(strides, ", "))));
    }
    unit.set(number);
  }
  return unit;
}

/// What \p item is compiled as for \p target. The last of them serves all arguments, but for grids to fold.
static std::vector<rt::VariantKey> variantsOf(const BundleItem &item, const ir::TracedKernel &traced,
                                              const BundleTarget &target) {
  const rt::SlotMask usual = contiguousStrides(traced);
  std::vector<rt::SlotMask> patterns{usual};
  for (const std::vector<std::string> &names : item.how.unit_strides)
    patterns.push_back(usual | namedStrides(item, traced.facts, names));
  std::vector<rt::VariantKey> variants;
  const auto add = [&](const rt::SlotMask &unit, bool aligned) {
    for (const bool fold : {false, true})
      if (const rt::VariantKey key{unit, aligned, fold};
          (!fold || (item.how.folded_grid && target.foldsGrids)) && std::ranges::find(variants, key) == variants.end())
        variants.push_back(key);
  };
  for (const rt::SlotMask &unit : patterns)
    for (const bool aligned : {true, false})
      add(unit, aligned);
  add({}, false);
  return variants;
}

static void compile(BundleJob &job, const BundleItem &item) {
  ir::TracedKernel traced = trace(item);
  rt::CacheEntry entry =
      ir::entryOf(ir::compileTraced(traced, job.variant, job.target->target, item.options), item.options);
  job.entries.push_back(entry);
  if (!job.target->ptx || entry.image.format == "ptx")
    return;
  ir::TracedKernel again = trace(item);
  const std::string text = ir::printTraced(again, job.variant, job.target->target, item.options, "asm");
  entry.image.format = "ptx";
  // What the assembler found out holds for its code alone.
  entry.image.metadata.clear();
  const auto bytes = std::as_bytes(std::span(text));
  entry.image.binary.assign(bytes.begin(), bytes.end());
  job.entries.push_back(std::move(entry));
}

/// Runs all jobs on all cores.
static void compileAll(std::vector<BundleJob> &jobs, const std::vector<BundleItem> &items) {
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < jobs.size(); i = next++)
      try {
        compile(jobs[i], items[jobs[i].item]);
      } catch (const ir::MissingKernel &missing) {
        jobs[i].error = std::make_exception_ptr(
            UsageError(items[jobs[i].item].at,
                       fmt::format("bundling kernel `{}`: {}", items[jobs[i].item].kernel->name, missing.words)));
      } catch (...) {
        jobs[i].error = std::current_exception();
      }
  };
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < std::min<std::size_t>(std::max(1u, std::thread::hardware_concurrency()), jobs.size());
       ++i)
    threads.emplace_back(work);
  work();
}

/// Throws all that went wrong as one error, of the kind of the first.
static void throwErrors(const std::vector<BundleJob> &jobs) {
  std::vector<std::string> words;
  bool usage = true, internal = false;
  for (const BundleJob &job : jobs) {
    if (!job.error)
      continue;
    try {
      std::rethrow_exception(job.error);
    } catch (const std::exception &error) {
      usage &= dynamic_cast<const UsageError *>(&error) != nullptr;
      internal |= dynamic_cast<const CompileError *>(&error) == nullptr && !usage;
      if (std::ranges::find(words, error.what()) == words.end())
        words.emplace_back(error.what());
    }
  }
  if (words.empty())
    return;
  const std::string text = fmt::format("{}", fmt::join(words, "\n"));
  if (usage)
    throw UsageError(text);
  if (internal)
    throw InternalError(text);
  throw CompileError(text);
}

//===----------------------------------------------------------------------===//
// Putting together
//===----------------------------------------------------------------------===//

static rt::BundleRole roleOf(ParamLeaf::Role role) {
  switch (role) {
  case ParamLeaf::Role::Plain:
    return rt::BundleRole::Plain;
  case ParamLeaf::Role::ViewBase:
    return rt::BundleRole::ViewBase;
  case ParamLeaf::Role::ViewExtent:
    return rt::BundleRole::ViewExtent;
  case ParamLeaf::Role::ViewStride:
    return rt::BundleRole::ViewStride;
  }
  return rt::BundleRole::Plain;
}

/// `vector_add_f32`: the kernel and the types its pointers have, each once.
static std::string symbolFor(const std::string &kernel, const ir::KernelFacts &facts) {
  std::string symbol = rt::identifierOf(kernel);
  std::vector<std::string> seen;
  for (std::size_t i = 0; i != facts.dtypes.size(); ++i)
    if (const std::string name = rt::identifierOf(facts.dtypes[i].name());
        facts.pointers.test(i) && std::ranges::find(seen, name) == seen.end()) {
      symbol += "_" + name;
      seen.push_back(name);
    }
  return symbol;
}

namespace {
/// What recording said of an item.
struct RecordedItem {
  ir::KernelFacts facts;
  std::vector<ParamLeaf> leaves;
};
} // namespace

/// What there is to compile, item by item, and what is known of each item.
static std::vector<BundleJob> jobsFor(const std::vector<BundleItem> &items, const std::vector<BundleTarget> &targets,
                                      std::vector<RecordedItem> &recorded) {
  std::vector<BundleJob> jobs;
  for (std::size_t i = 0; i != items.size(); ++i) {
    const std::vector<std::string> &wanted = items[i].how.targets;
    const ir::TracedKernel traced = trace(items[i]);
    for (const BundleTarget &target : targets)
      if (wanted.empty() || std::ranges::find(wanted, target.text) != wanted.end())
        for (const rt::VariantKey &variant : variantsOf(items[i], traced, target))
          jobs.push_back({i, &target, variant, {}, nullptr});
    recorded.push_back({traced.facts, traced.leaves});
  }
  return jobs;
}

/// Tells arguments which parts of views they are.
static void describeViews(rt::BundleFunction &function, const std::vector<ParamLeaf> &leaves) {
  for (std::size_t i = 0; i != function.arguments.size() && i != leaves.size(); ++i) {
    function.arguments[i].role = roleOf(leaves[i].role);
    function.arguments[i].rank = static_cast<std::uint8_t>(leaves[i].viewRank);
    function.arguments[i].contiguous = static_cast<std::uint8_t>(std::max(leaves[i].contiguous, 0));
  }
}

/// Adds the images of \p job, one of those for \p item, to \p function, which the first of them makes.
static void addImages(std::optional<rt::BundleFunction> &function, const BundleJob &job, const BundleItem &item,
                      const std::string &symbol, const RecordedItem &recorded, rt::BundleWriter &writer) {
  for (const rt::CacheEntry &entry : job.entries) {
    rt::BundleFunction one = rt::functionOf(entry, symbol, writer);
    one.constants = item.constants;
    describeViews(one, recorded.leaves);
    if (!function)
      function = std::move(one);
    else if (!rt::mergeFunction(*function, one))
      throw InternalError(fmt::format("kernel `{}` takes other arguments for {} than for other targets",
                                      item.kernel->name, job.target->text));
  }
}

rt::BundleIndex Bundler::State::compileTo(rt::BundleWriter &writer) {
  if (items.empty())
    throw UsageError(fmt::format("bundle `{}` has no kernels: Bundler::add adds them", name));
  std::vector<RecordedItem> recorded;
  std::vector<BundleJob> jobs = jobsFor(items, targets, recorded);
  compileAll(jobs, items);
  throwErrors(jobs);

  rt::BundleIndex index;
  index.name = name;
  auto job = jobs.begin(); // they are in the order of items
  for (std::size_t i = 0; i != items.size(); ++i) {
    const BundleItem &item = items[i];
    const std::string base = item.how.name.empty() ? symbolFor(item.kernel->name, recorded[i].facts) : item.how.name;
    const std::string symbol = base + (i < suffixes.size() ? suffixes[i] : "");
    if (index.find(symbol))
      throw UsageError(item.at, fmt::format("bundling kernel `{}`: two functions of the bundle would be called `{}`; "
                                            "name one of them with BundleOptions::name",
                                            item.kernel->name, symbol));
    std::optional<rt::BundleFunction> function;
    for (; job != jobs.end() && job->item == i; ++job)
      addImages(function, *job, item, symbol, recorded[i], writer);
    index.creator = jobs.front().entries.front().toolchain;
    index.functions.push_back(std::move(function.value()));
  }
  if (!records.empty()) {
    const auto bytes = std::as_bytes(std::span(records));
    index.records = writer.add({bytes.begin(), bytes.end()});
  }
  if (const std::string problem = rt::headerProblem(index); !problem.empty())
    throw UsageError(problem);
  return index;
}

/// Says for which of \p targets there was no assembler.
static void noteMissingAssembler(const rt::BundleIndex &index, const std::vector<BundleTarget> &targets) {
  for (const BundleTarget &target : targets) {
    bool ptx = false, cubin = false;
    for (const rt::BundleFunction &function : index.functions)
      for (const rt::BundleImage &image : function.images)
        if (image.target == target.target.str()) {
          ptx |= image.format == "ptx";
          cubin |= image.format == "cubin";
        }
    if (ptx && !cubin)
      support::note(fmt::format("bundle `{}` has PTX and no machine code for {}, which the driver compiles whenever a "
                                "program loads it: no assembler was found (ptxas, or what TESSERA_PTXAS names)",
                                index.name, target.target.str()));
  }
}

void Bundler::write(const std::string &folder) {
  rt::BundleWriter writer;
  const rt::BundleIndex index = state->compileTo(writer);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw UsageError(fmt::format("bundle `{}`: folder {} cannot be made: {}", state->name, folder, error.message()));
  const std::string path = (std::filesystem::absolute(folder) / (state->name + ".tbundle")).string();
  const std::vector<std::byte> bytes = writer.finish(index);
  rt::writeBundle(path, bytes);
  const auto text = [&](const std::string &suffix, const std::string &contents) {
    if (const std::string problem = support::writeFile(folder, state->name + suffix, contents); !problem.empty())
      throw UsageError(problem);
  };
  text(".h", rt::bundleHeader(index));
  text("_c.h", rt::bundleHeaderForC(index));
  text("_bundle.cpp", rt::bundleSource(index, path));
  noteMissingAssembler(index, state->targets);
  std::size_t images = 0;
  for (const rt::BundleFunction &function : index.functions)
    images += function.images.size();
  fmt::print("{}: {} function{}, {} image{}, {} bytes\n", path, index.functions.size(),
             index.functions.size() == 1 ? "" : "s", images, images == 1 ? "" : "s", bytes.size());
}

//===----------------------------------------------------------------------===//
// The main function
//===----------------------------------------------------------------------===//

namespace {
struct BundlerArguments {
  std::string name, folder = ".";
  std::vector<std::string> targets, records;
};
} // namespace

/// UsageError for words that are none of run_bundler's.
static BundlerArguments parse(int argc, char **argv) {
  BundlerArguments arguments;
  for (int i = 1; i < argc; i += 2) {
    const std::string_view option = argv[i];
    const std::string value = i + 1 < argc ? argv[i + 1] : "";
    if (option == "--name")
      arguments.name = value;
    else if (option == "--out")
      arguments.folder = value;
    else if (option == "--target")
      arguments.targets.push_back(value);
    else if (option == "--records")
      arguments.records.push_back(value);
    else
      throw UsageError(fmt::format(
          "unknown option {}; there are --name NAME, --out FOLDER, --target TARGET, --records FILE", option));
    if (value.empty())
      throw UsageError(fmt::format("{} needs a value", option));
  }
  return arguments;
}

int run_bundler(int argc, char **argv, void (*fill)(Bundler &)) {
  try {
    const BundlerArguments arguments = parse(argc, argv);
    Bundler bundler(arguments.name, arguments.targets);
    for (const std::string &path : arguments.records)
      bundler.add_records(path, {});
    fill(bundler);
    bundler.write(arguments.folder);
    return 0;
  } catch (const std::exception &error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
}

} // namespace tessera
