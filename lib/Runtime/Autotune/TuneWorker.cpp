//===- TuneWorker.cpp - times candidates for another process -----------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

//
// Lines on standard output: `ready` once the job is read and its memory is in place, `at N` before each sample of
// candidate N, `lethal WHY` if it ends because of that candidate, at the end `result N MS LOW HIGH SAMPLES SPENT WHY`
// for each and `ending HOW`.
//
//===---------------------------------------------------------------------===//

#include "Runtime/Autotune/DeviceTrial.h"
#include "Runtime/Autotune/TuneApart.h"
#include "Runtime/Autotune/Watchdog.h"
#include "Runtime/DeviceRecords.h"
#include "Runtime/Registry.h"

#include "tessera/core/Error.h"

#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace tessera::rt {

namespace {

/// Writes a line at once: whoever reads must know it even if the next thing is the end of this process.
void say(const std::string &line) {
  const std::string text = line + "\n";
  [[maybe_unused]] const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
}

std::string oneLine(std::string text) {
  text.resize(std::min(text.find('\n'), text.size()));
  return text;
}

/// The job's memory on the device, at addresses as aligned as the old ones.
class Memory {
public:
  Memory(DeviceState &device, const std::vector<ApartMemory> &memory) : device(device) {
    for (const ApartMemory &each : memory) {
      constexpr std::uint64_t page = 4096;
      auto *block = static_cast<std::byte *>(device.driver.allocate(device.index, each.range.bytes() + 2 * page));
      const auto start = reinterpret_cast<std::uint64_t>(block);
      const std::uint64_t begin = (start + page - 1) / page * page + each.range.begin % page;
      device.driver.copyToDevice(device.index, nullptr, reinterpret_cast<void *>(begin), each.contents.data(),
                                 each.contents.size());
      blocks.push_back({each.range, begin, block});
      if (each.restored)
        restored.push_back({begin, begin + each.range.bytes()});
    }
    device.defaultStream->synchronize();
  }
  ~Memory() {
    for (const Block &block : blocks)
      device.driver.free(device.index, block.memory);
  }
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  /// Where \p address is now.
  std::uint64_t moved(std::uint64_t address) const {
    for (const Block &block : blocks)
      if (address >= block.from.begin && address <= block.from.end)
        return block.begin + (address - block.from.begin);
    return address;
  }
  std::vector<MemoryRange> restored;

private:
  struct Block {
    MemoryRange from;
    std::uint64_t begin;
    void *memory;
  };
  DeviceState &device;
  std::vector<Block> blocks;
};

} // namespace

static void work(const ApartJob &job, DeviceState &device) {
  const Memory memory(device, job.memory);
  std::vector<CallArgument> arguments = job.arguments;
  for (CallArgument &argument : arguments)
    if (argument.sized)
      argument.bits = memory.moved(argument.bits);
  TimingStream timing(device);
  const Snapshot snapshot(timing.stream(), united(memory.restored));
  std::vector<std::unique_ptr<LaunchPlan>> plans;
  std::vector<std::unique_ptr<DeviceTrial>> owned;
  std::vector<Trial *> trials;
  say("ready");
  for (const ApartCandidate &candidate : job.candidates) {
    say(fmt::format("at {}", trials.size()));
    plans.push_back(std::make_unique<LaunchPlan>(device, *candidate.image));
    const LaunchPlan *plan = plans.back().get(), *general = nullptr;
    if (candidate.general) {
      plans.push_back(std::make_unique<LaunchPlan>(device, *candidate.general));
      general = plans.back().get();
    }
    TimedLaunch launched;
    launched.enqueue = [&, plan, general, programs = candidate.programs] {
      if (!plan->launch(timing.stream(), programs, arguments) &&
          (!general || !general->launch(timing.stream(), programs, arguments)))
        throw InternalError("a candidate has requirements that the arguments break");
    };
    if (!snapshot.empty())
      launched.prepare = [&] { snapshot.restore(); };
    owned.push_back(std::make_unique<DeviceTrial>(timing, std::move(launched)));
    trials.push_back(owned.back().get());
  }
  const auto die = [](const std::string &why) {
    say("lethal " + oneLine(why));
    ::_exit(3);
  };
  Watchdog watchdog(job.limits.timeLimitMs,
                    [&](std::size_t) { die(fmt::format("did not end within {:.0f} ms", job.limits.timeLimitMs)); });
  TimingHooks hooks;
  hooks.before = [&](std::size_t number) {
    say(fmt::format("at {}", number));
    watchdog.start(number);
  };
  hooks.after = [&] { watchdog.stop(); };
  hooks.failed = [&](std::size_t, const std::string &reason) {
    try {
      timing.stream().synchronize();
    } catch (const DeviceError &) {
      die(reason);
    }
  };
  const TimingOutcome outcome = timeInTurn(trials, job.limits, hooks);
  for (std::size_t i = 0; i != outcome.trials.size(); ++i) {
    const TrialResult &result = outcome.trials[i];
    say(fmt::format("result {} {} {} {} {} {} {}", i, result.time.ms, result.time.low, result.time.high,
                    result.time.samples, result.spentMs, oneLine(result.gaveUp)));
  }
  say(fmt::format("ending {}", outcome.ending));
}

int runApart(const std::string &file) {
  try {
    const MutedPrints muted;
    std::ifstream stream(file, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    const ApartJob job = ApartJob::deserialize(std::as_bytes(std::span(text)));
    DeviceState *device = Registry::get().find(job.device);
    if (!device)
      throw UsageError(Registry::get().describeMissing(job.device));
    work(job, *device);
    // Nothing is left to be done in order, and a device that a candidate has shaken may not let go of memory.
    std::fflush(nullptr);
    ::_exit(0);
  } catch (const std::exception &error) {
    say(fmt::format("error: {}", error.what()));
    return 1;
  }
}

} // namespace tessera::rt
