//===- TuneSession.cpp - choose a candidate for one key ----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

//
// What is on record is not measured again. The rest is compiled side by side, what cannot be used is skipped with its
// reason, and the others are timed in turn on a stream of their own while memory that launches change is put back
// before each. Then everything is recorded, and the choice is read from the records, so that threads and processes that
// tuned at the same time agree on it.
//
//===---------------------------------------------------------------------===//

#include "Driver/TuneSession.h"

#include "Driver/Backends.h"
#include "Driver/LaunchRequest.h"
#include "Driver/TuneMemory.h"
#include "Driver/TuneProgress.h"
#include "Runtime/Autotune/DeviceTrial.h"
#include "Runtime/Autotune/Snapshot.h"
#include "Runtime/Autotune/TuneApart.h"
#include "Runtime/Autotune/Watchdog.h"
#include "Runtime/DeviceRecords.h"
#include "Support/Environment.h"
#include "Support/Hash.h"
#include "Support/Log.h"
#include "Support/Milliseconds.h"
#include "Support/Options.h"
#include "Support/Version.h"

#include "tessera/core/Error.h"
#include "tessera/runtime/Runtime.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <random>
#include <thread>

namespace tessera::ir {

using support::Clock;
using support::msSince;
using tessera::detail::BoundView;
using tessera::detail::KernelBase;
using tessera::detail::LaunchSlot;

TuneMode tuneMode() {
  constexpr TuneMode modes[] = {TuneMode::On, TuneMode::Off, TuneMode::Again};
  return modes[support::environmentChoice(support::Variable::Tune, {"on", "off", "again"})];
}

/// One at a time tunes on a device; a hook that tunes something else is let through.
namespace {
class DeviceTurn {
public:
  explicit DeviceTurn(const rt::DeviceState &device) : nested(depth++ > 0) {
    if (!nested)
      lock = std::unique_lock(mutexOf(device));
  }
  ~DeviceTurn() { --depth; }
  DeviceTurn(const DeviceTurn &) = delete;
  DeviceTurn &operator=(const DeviceTurn &) = delete;

  const bool nested;

private:
  static std::mutex &mutexOf(const rt::DeviceState &device) {
    static std::mutex guard;
    static auto *const all = new std::map<const rt::DeviceState *, std::mutex>;
    const std::lock_guard guarded(guard);
    return (*all)[&device];
  }
  static thread_local int depth;
  std::unique_lock<std::mutex> lock;
};
thread_local int DeviceTurn::depth = 0;
} // namespace

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

TuneSession::TuneSession(const TuneRequest &request)
    : request(request), state(request.state), kernel(*state.kernel), device(request.stream.device) {
  const rt::DeviceProperties &properties = device.properties;
  problem.kernel = kernel.name;
  problem.arguments = typesText(request.slots);
  if (request.present)
    problem.arguments += fmt::format("; present {:x}", request.present);
  problem.key = state.key.text(request.slots, request.present);
  problem.device = fmt::format("{} ({})", properties.name, properties.target.str());
  driver = properties.software;
  toolchain = fmt::format("tessera {}, {}", support::libraryVersion(),
                          backends().require(properties.target).toolchain(properties.target));
  candidates.resize(state.items.size());
  for (std::size_t i = 0; i != candidates.size(); ++i)
    candidates[i].name = {kernel.configText(state.items[i].config), support::optionKey(state.items[i].options)};
}

LaunchRequest TuneSession::launchRequest(const BoundView &bound, rt::StreamState &stream) const {
  return {bound, stream, request.slots, request.present, request.at, "tuning"};
}

Grid TuneSession::gridOf(std::size_t index) const {
  return request.grid.call(request.grid.function, state.items[index].config);
}

std::string TuneSession::titleOf(std::size_t index) const {
  const std::string options = support::describeOptions(state.items[index].options);
  return options == "defaults" ? candidates[index].name.config
                               : fmt::format("{} {}", candidates[index].name.config, options);
}

/// Marks twins, and candidates that the model of costs leaves out.
void TuneSession::prune() {
  for (std::size_t i = 0; i != candidates.size(); ++i)
    for (std::size_t j = 0; j != i && candidates[i].skipped.empty(); ++j)
      if (candidates[j].name == candidates[i].name)
        candidates[i].skipped = "is listed twice";
  if (!state.settings.cost)
    return;
  TuneProblem asked{device.properties.target, {}};
  const auto leaves = state.key.leavesOf(request.present);
  for (std::size_t i = 0; i != request.slots.size(); ++i) {
    const LaunchSlot &slot = request.slots[i];
    if (slot.form != LaunchSlot::Form::Scalar || !slot.dtype.isInt())
      continue;
    const int spare = 64 - std::max(slot.dtype.bits(), 1);
    const auto value = slot.dtype.isSigned() ? static_cast<std::int64_t>(slot.bits << spare) >> spare
                                             : static_cast<std::int64_t>(slot.bits);
    asked.integers.emplace_back(leaves[i]->path, value);
  }
  std::vector<std::pair<double, std::size_t>> costs;
  for (std::size_t i = 0; i != candidates.size(); ++i) {
    if (!candidates[i].skipped.empty())
      continue;
    const double cost = state.settings.cost(i, asked);
    if (std::isfinite(cost))
      costs.emplace_back(cost, i);
    else
      candidates[i].skipped = "the cost model rules it out";
  }
  std::ranges::stable_sort(costs, {}, &std::pair<double, std::size_t>::first);
  for (std::size_t i = static_cast<std::size_t>(state.settings.keep); i < costs.size(); ++i)
    candidates[costs[i].second].skipped =
        fmt::format("its cost is guessed as {:g}, and the {} cheapest are tried", costs[i].first, state.settings.keep);
}

/// Compiles one candidate; what is wrong with it becomes the reason to skip it.
void TuneSession::compile(std::size_t index) {
  Known &known = candidates[index];
  if (known.compiled)
    return;
  const Clock::time_point start = Clock::now();
  try {
    const BoundView bound = state.bound(index);
    const ReadyKernel ready = makeReady(launchRequest(bound, request.stream), gridOf(index), state.settings.isolate);
    known.facts = ready.facts;
    known.code = ready.code;
    known.general = ready.general;
    known.program = ready.facts->program.hex();
    if (const std::string *spill = ready.image->fact("spill_bytes"); spill && *spill != "0" && !known.measured())
      known.spills = fmt::format("spills {} bytes of registers", *spill);
  } catch (const Error &error) {
    known.skipped = error.what();
    known.error = std::current_exception();
    known.passing = dynamic_cast<const DeviceError *>(&error) || dynamic_cast<const InternalError *>(&error);
  } catch (const std::exception &error) {
    known.skipped = error.what();
    known.error = std::current_exception();
    known.passing = true;
  }
  known.compiled = true;
  known.compileMs = msSince(start);
}

/// Compiles all of \p indices on all cores.
void TuneSession::compileAll(const std::vector<std::size_t> &indices) {
  const Clock::time_point start = Clock::now();
  TuneProgress progress(kernel.name, "compiling");
  std::atomic<std::size_t> next{0}, done{0};
  const auto work = [&](bool shows) {
    for (std::size_t i = next++; i < indices.size(); i = next++) {
      compile(indices[i]);
      ++done;
      if (shows)
        progress.show(static_cast<double>(done) / static_cast<double>(indices.size()));
    }
  };
  {
    std::vector<std::jthread> threads;
    const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
    for (std::size_t i = 1; i < std::min(cores, indices.size()); ++i)
      threads.emplace_back(work, false);
    work(true);
  }
  report.compile_ms += msSince(start);
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

/// Takes over the first batch of records that is about this text of the kernel. True if it covers every candidate.
bool TuneSession::readRecords() {
  std::vector<rt::CandidateName> names;
  for (const Known &candidate : candidates)
    names.push_back(candidate.name);
  const std::vector<rt::TuneRecord> records =
      rt::TuneStore::get().find(problem, driver, toolchain, state.settings.records);
  for (rt::TuneBatch &found : rt::batchesOf(records, names)) {
    if (mode == TuneMode::Again && found.id != batch)
      continue;
    std::vector<rt::TimeEstimate> times(candidates.size());
    for (std::size_t i = 0; i != candidates.size(); ++i)
      if (found.records[i])
        times[i] = found.records[i]->time;
    std::optional<std::size_t> witness = rt::fastest(times);
    // What took a process with it is on record before anything else is.
    for (std::size_t i = 0; i != candidates.size() && !witness; ++i)
      if (found.records[i] && found.records[i]->lethal)
        witness = i;
    if (!witness)
      continue;
    compile(*witness);
    if (candidates[*witness].program != found.records[*witness]->program)
      continue;
    batch = found.id;
    bool complete = true;
    for (std::size_t i = 0; i != candidates.size(); ++i) {
      Known &known = candidates[i];
      if (found.records[i])
        known.record = std::move(found.records[i]);
      complete &= known.record || !known.skipped.empty();
    }
    return complete;
  }
  return false;
}

rt::TuneRecord TuneSession::recordOf(std::size_t index) const {
  const Known &known = candidates[index];
  rt::TuneRecord record;
  record.problem = problem;
  record.driver = driver;
  record.toolchain = toolchain;
  record.config = known.name.config;
  record.options = known.name.options;
  record.program = known.program;
  record.batch = batch;
  record.again = mode == TuneMode::Again;
  record.time = known.time;
  record.skipped = known.skipped;
  record.lethal = known.lethal;
  record.compileMs = known.compileMs;
  record.timingMs = known.timingMs;
  record.recorded =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  return record;
}

static std::string newBatch() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

/// Compiles and times the candidates nothing is known of.
void TuneSession::measure() {
  std::vector<std::size_t> unknown;
  for (std::size_t i = 0; i != candidates.size(); ++i)
    if (!candidates[i].record && candidates[i].skipped.empty())
      unknown.push_back(i);
  if (batch.empty() || mode == TuneMode::Again)
    batch = newBatch();
  compileAll(unknown);

  const auto left = [&](bool spilling) {
    std::vector<std::size_t> usable;
    for (const std::size_t i : unknown)
      if (candidates[i].skipped.empty() && candidates[i].spills.empty() != spilling)
        usable.push_back(i);
    return usable;
  };
  std::vector<std::size_t> usable = left(false);
  const std::vector<std::size_t> spilling = left(true);
  const bool known = std::ranges::any_of(candidates, &Known::measured);
  if (state.settings.allowSpills || (usable.empty() && !known)) // slow is better than nothing
    usable.insert(usable.end(), spilling.begin(), spilling.end());
  else
    for (const std::size_t i : spilling)
      candidates[i].skipped = candidates[i].spills;
  std::ranges::sort(usable);
  // A candidate by itself need not be timed, but then another process could not tell it from those that fail.
  if (!usable.empty())
    state.settings.isolate ? timeAllApart(usable) : timeAll(usable);
  std::vector<rt::TuneRecord> fresh;
  for (const std::size_t i : unknown)
    if (!candidates[i].passing && !candidates[i].lethal)
      fresh.push_back(recordOf(i));
  if (std::ranges::any_of(candidates, &Known::measured))
    rt::TuneStore::get().add(fresh);
}

/// What tuning must put back; UsageError at the user's line if it cannot.
std::vector<rt::MemoryRange> TuneSession::memoryToSave(const std::vector<std::size_t> &indices) const {
  ArgumentUse use;
  for (const std::size_t i : indices)
    use.add(*candidates[i].facts);
  ChangedMemory changed = changedMemory(request.slots, state.key.leavesOf(request.present), use);
  const auto refuse = [&](const std::string &words) { throwLaunchError(kernel, request.at, words); };
  const char *hint = "set TuneOptions::pre_hook to a function that makes it as it was";
  if (!state.settings.preHook && changed.unknown)
    refuse(fmt::format("{} is read and written, and nobody said how much memory it is, so that tuning could not undo "
                       "what it does; pass borrow(pointer, count), or {}",
                       argumentText(kernel, request.slots[*changed.unknown].parameter), hint));
  if (!state.settings.preHook && changed.elsewhere)
    refuse(fmt::format("the kernel stores through addresses that it loads or computes, and nobody said how much memory "
                       "that is, so that tuning could not undo what it does; {}",
                       hint));
  checkCopies(changed.ranges, "reads and writes");
  return changed.ranges;
}

/// UsageError if copies of \p ranges would take more memory than they may.
void TuneSession::checkCopies(const std::vector<rt::MemoryRange> &ranges, const char *verb) const {
  std::uint64_t bytes = 0;
  for (const rt::MemoryRange &range : ranges)
    bytes += range.bytes();
  std::uint64_t limit = static_cast<std::uint64_t>(state.settings.snapshotBytes);
  if (!limit)
    limit = device.properties.memoryBytes ? static_cast<std::uint64_t>(device.properties.memoryBytes) / 4
                                          : std::uint64_t{1} << 30;
  if (bytes > limit)
    throwLaunchError(kernel, request.at,
                     fmt::format("it {} {} bytes, which tuning would have to copy, and TuneOptions::snapshot_bytes "
                                 "allows {}; allow more, or tune with smaller arguments",
                                 verb, bytes, limit));
}

/// Times \p indices in a process of their own, which gets copies of all memory.
void TuneSession::timeAllApart(const std::vector<std::size_t> &indices) {
  const auto refuse = [&](const std::string &words) {
    throwLaunchError(kernel, request.at, "TuneOptions::isolate: " + words);
  };
  if (const std::string &family = device.properties.target.family();
      family != "cpu" && family != "cuda" && family != "hip")
    refuse(fmt::format("candidates on device {} cannot be timed in another process; on cpu, cuda and hip they can",
                       device.name));
  const auto leaves = state.key.leavesOf(request.present);
  const PointedMemory memory = pointedMemory(request.slots, leaves);
  if (memory.unknown)
    refuse(fmt::format("nobody said how much memory {} is, so that another process cannot have a copy; pass "
                       "borrow(pointer, count)",
                       argumentText(kernel, request.slots[*memory.unknown].parameter)));
  if (memory.table)
    refuse(fmt::format("{} holds addresses, which mean nothing in another process",
                       argumentText(kernel, request.slots[*memory.table].parameter)));
  checkCopies(memory.ranges, "uses");
  ArgumentUse use;
  for (const std::size_t i : indices)
    use.add(*candidates[i].facts);
  const ChangedMemory changed = changedMemory(request.slots, leaves, use);

  const Clock::time_point start = Clock::now();
  request.stream.synchronize();
  rt::ApartJob job{device.name, {state.settings.budgetMs, state.settings.timeLimitMs}, {}, {}, {}};
  for (const LaunchSlot &slot : request.slots)
    job.arguments.push_back({slot.bits, slot.bytes, slot.form == LaunchSlot::Form::Pointer, slot.readOnly});
  for (const rt::MemoryRange &range : memory.ranges) {
    rt::ApartMemory &copy = job.memory.emplace_back();
    copy.range = range;
    copy.restored =
        std::ranges::any_of(changed.ranges, [&](const rt::MemoryRange &other) { return other.overlaps(range); });
    copy.contents.resize(range.bytes());
    device.driver.copyToHost(device.index, request.stream.native, copy.contents.data(),
                             reinterpret_cast<const void *>(range.begin), range.bytes());
  }
  request.stream.synchronize();
  for (const std::size_t i : indices)
    job.candidates.push_back({candidates[i].code, candidates[i].general, gridOf(i).extents()});
  const rt::ApartOutcome outcome = rt::timeApart(job);
  for (std::size_t number = 0; number != indices.size(); ++number) {
    Known &known = candidates[indices[number]];
    known.time = outcome.trials[number].time;
    known.timingMs = outcome.trials[number].spentMs;
    known.skipped = outcome.trials[number].gaveUp;
  }
  report.ending = outcome.ending;
  report.timing_ms += msSince(start);
}

/// A candidate that takes the process with it is on record before it does.
void TuneSession::recordLethal(std::size_t index, const std::string &reason) {
  Known known = candidates[index];
  std::swap(known, candidates[index]);
  candidates[index].skipped = reason;
  candidates[index].lethal = true;
  candidates[index].time = {};
  const rt::TuneRecord record = recordOf(index);
  std::swap(known, candidates[index]);
  rt::TuneStore::get().add({&record, 1});
}

/// Times \p indices in turn. The memory is as before afterwards, whatever happens.
void TuneSession::timeAll(const std::vector<std::size_t> &indices) {
  const std::vector<rt::MemoryRange> ranges = memoryToSave(indices);
  const Clock::time_point start = Clock::now();
  request.stream.synchronize();
  const rt::MutedPrints muted;
  rt::TimingStream timing(device);
  const Stream stream(timing.handle());
  const rt::Snapshot snapshot(timing.stream(), ranges);
  struct Restore {
    const rt::Snapshot &snapshot;
    rt::StreamState &stream;
    ~Restore() {
      try {
        snapshot.restore();
        stream.synchronize();
      } catch (const std::exception &) { // a device that is lost has no memory to put right
      }
    }
  } const restore{snapshot, timing.stream()};

  std::vector<BoundView> bound;
  std::vector<std::unique_ptr<rt::DeviceTrial>> owned;
  std::vector<rt::Trial *> trials;
  for (const std::size_t i : indices)
    bound.push_back(state.bound(i));
  for (std::size_t number = 0; number != indices.size(); ++number) {
    rt::TimedLaunch launched;
    launched.enqueue = [&, number, grid = gridOf(indices[number])] {
      launch(launchRequest(bound[number], timing.stream()), grid);
    };
    if (!snapshot.empty() || state.settings.preHook)
      launched.prepare = [&] {
        snapshot.restore();
        if (state.settings.preHook)
          state.settings.preHook(stream);
      };
    if (state.settings.postHook)
      launched.finish = [&] { state.settings.postHook(stream); };
    owned.push_back(std::make_unique<rt::DeviceTrial>(timing, std::move(launched)));
    trials.push_back(owned.back().get());
  }

  TuneProgress progress(kernel.name, "timing");
  rt::Watchdog watchdog(state.settings.timeLimitMs, [&](std::size_t number) {
    const std::string title = titleOf(indices[number]);
    recordLethal(indices[number], fmt::format("did not end within {:.0f} ms", state.settings.timeLimitMs));
    support::note(
        fmt::format("tuning kernel `{}` on {}: candidate {} has not ended after {:.0f} ms; if it never does, "
                    "end this process: the next one leaves it out, and TuneOptions::isolate tunes in a process "
                    "of its own",
                    kernel.name, device.name, title, state.settings.timeLimitMs));
  });
  rt::TimingHooks hooks;
  hooks.before = [&](std::size_t number) { watchdog.start(number); };
  hooks.after = [&] { watchdog.stop(); };
  hooks.progress = [&](double share) { progress.show(share); };
  std::string lost;
  hooks.failed = [&](std::size_t number, const std::string &reason) {
    try {
      timing.stream().synchronize();
    } catch (const DeviceError &) {
      recordLethal(indices[number], reason);
      throw DeviceError(
          fmt::format("tuning kernel `{}`: candidate {} made device {} unusable: {}; the next process leaves "
                      "it out, and TuneOptions::isolate tunes in a process of its own",
                      kernel.name, titleOf(indices[number]), device.name, reason));
    }
  };
  const rt::TimingOutcome outcome =
      rt::timeInTurn(trials, {state.settings.budgetMs, state.settings.timeLimitMs}, hooks);
  for (std::size_t number = 0; number != indices.size(); ++number) {
    Known &known = candidates[indices[number]];
    known.time = outcome.trials[number].time;
    known.timingMs = outcome.trials[number].spentMs;
    known.skipped = outcome.trials[number].gaveUp;
    if (!known.skipped.empty())
      known.error = outcome.trials[number].error;
  }
  report.ending = outcome.ending;
  report.timing_ms += msSince(start);
}

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

/// The fastest candidate by what is known; nothing if there is none.
std::optional<std::size_t> TuneSession::best() const {
  std::vector<rt::TimeEstimate> times;
  for (const Known &known : candidates)
    times.push_back(known.record ? known.record->time : known.time);
  return rt::fastest(times);
}

/// The error of a tuning that left no candidate: that of the first, which is the one by default.
void TuneSession::throwNone() const {
  const auto first = std::ranges::find_if(candidates, [](const Known &known) { return !known.skipped.empty(); });
  const std::string words =
      first == candidates.end()
          ? std::string("no candidate could be timed")
          : fmt::format("none of its {} candidates can run; {}: {}", candidates.size(),
                        titleOf(static_cast<std::size_t>(first - candidates.begin())), first->skipped);
  try {
    if (first != candidates.end() && first->error)
      std::rethrow_exception(first->error);
  } catch (const UsageError &) {
    throwLaunchError(kernel, request.at, words);
  } catch (const DeviceError &) {
    throw DeviceError(fmt::format("tuning kernel `{}`: {}", kernel.name, words));
  } catch (const InternalError &) {
    throw InternalError(fmt::format("tuning kernel `{}`: {}", kernel.name, words));
  } catch (const Error &) {
  }
  throw CompileError(fmt::format("tuning kernel `{}`: {}", kernel.name, words));
}

/// The best candidate on record; UsageError at the user's line if there is none.
std::size_t TuneSession::bestWithoutTuning() {
  if (const std::optional<std::size_t> known = best()) {
    report.ending = "best on record";
    return *known;
  }
  // A record counts only with the code it was measured of.
  const auto missing =
      std::ranges::find_if(candidates, [](const Known &known) { return known.compiled && !known.skipped.empty(); });
  throwLaunchError(
      kernel, request.at,
      fmt::format("the runtime is frozen, and no choice is on record for the key `{}`, arguments: {}, device: "
                  "{}; ship the records of a tuning for it{}",
                  problem.key, problem.arguments, problem.device,
                  missing == candidates.end() ? "" : fmt::format(" ({})", missing->skipped)));
}

TuneChoice TuneSession::choose() {
  mode = tuneMode();
  const bool frozen = Runtime::is_frozen();
  if (frozen && mode == TuneMode::Again)
    mode = TuneMode::On;
  std::size_t index = 0;
  const BoundView first = state.bound(0);
  checkArguments(launchRequest(first, request.stream));
  prune();
  const auto taking = [](const Known &known) { return known.skipped.empty(); };
  if (std::ranges::count_if(candidates, taking) == 1) {
    index = static_cast<std::size_t>(std::ranges::find_if(candidates, taking) - candidates.begin());
    report.ending = "only candidate";
    return finish(index);
  }
  if (std::ranges::none_of(candidates, taking))
    throwNone();
  if (device.driver.isCapturing(device.index, request.stream.native))
    throwLaunchError(
        kernel, request.at,
        fmt::format("the stream is being captured, and nothing was chosen yet for the key `{}`; call tune() "
                    "or launch once before the capture",
                    problem.key));
  bool complete = mode != TuneMode::Again && readRecords();
  if (mode == TuneMode::Off && !complete) {
    const std::optional<std::size_t> known = best();
    report.ending = known ? "best on record" : "first: nothing is on record";
    return finish(
        known.value_or(static_cast<std::size_t>(std::ranges::find_if(candidates, taking) - candidates.begin())));
  }
  if (!complete && frozen)
    return finish(bestWithoutTuning());
  if (!complete) {
    const DeviceTurn turn(device);
    const rt::FileLock shared(turn.nested ? std::string() : rt::TuneStore::get().lockPath(problem.device),
                              std::chrono::seconds(120));
    complete = mode != TuneMode::Again && readRecords();
    if (!complete) {
      measure();
      if (!best())
        throwNone();
      // Whoever measured the same meanwhile and was first is right.
      readRecords();
      return finish(*best());
    }
  }
  report.ending = "recorded";
  return finish(*best());
}

TuneChoice TuneSession::finish(std::size_t index) {
  report.kernel = kernel.name;
  report.arguments = problem.arguments;
  report.key = problem.key;
  report.device = problem.device;
  for (std::size_t i = 0; i != candidates.size(); ++i) {
    const Known &known = candidates[i];
    const rt::TimeEstimate &time = known.record ? known.record->time : known.time;
    TuneRow row;
    row.config = known.name.config;
    row.options = support::describeOptions(state.items[i].options);
    row.ms = time.ms, row.low = time.low, row.high = time.high, row.samples = time.samples;
    row.compile_ms = known.record ? known.record->compileMs : known.compileMs;
    row.timing_ms = known.record ? known.record->timingMs : known.timingMs;
    row.skipped = known.record && known.skipped.empty() ? known.record->skipped : known.skipped;
    row.recorded = known.record && !known.time.samples;
    row.chosen = i == index;
    report.rows.push_back(std::move(row));
  }
  if (support::logs(support::LogTopic::Tune))
    for (const std::string &line : tableOf(report))
      support::log(support::LogTopic::Tune, line);
  return {index, std::move(report)};
}

std::vector<std::string> tableOf(const TuneReport &report) {
  std::vector<std::string> lines{
      fmt::format("kernel `{}` on {}, arguments: {}, key: {}; {}; compiled in {:.0f} ms, timed in {:.0f} ms",
                  report.kernel, report.device, report.arguments, report.key.empty() ? "none" : report.key,
                  report.ending, report.compile_ms, report.timing_ms)};
  for (const TuneRow &row : report.rows) {
    std::string line = fmt::format("{} {}{}", row.chosen ? "->" : "  ", row.config,
                                   row.options == "defaults" ? "" : " " + row.options);
    if (row.samples)
      line += fmt::format(": {:.5f} ms, 95 % in [{:.5f}, {:.5f}], {} sample{}{}", row.ms, row.low, row.high,
                          row.samples, row.samples == 1 ? "" : "s", row.recorded ? ", recorded" : "");
    else if (!row.skipped.empty())
      line += fmt::format(": skipped: {}", row.skipped.substr(0, row.skipped.find('\n')));
    lines.push_back(std::move(line));
  }
  return lines;
}

TuneChoice chooseCandidate(const TuneRequest &request) { return TuneSession(request).choose(); }

} // namespace tessera::ir
