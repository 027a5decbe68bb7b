//===- Log.cpp - events a user may ask to see -----------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Support/Log.h"

#include "Support/Environment.h"

#include "tessera/core/Error.h"

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <fmt/format.h>
#include <mutex>
#include <set>
#include <string>

namespace tessera::support {

static constexpr std::string_view kTopics[] = {"compile", "launch", "tune"};
static constexpr std::uint32_t kUnread = ~0u;

/// One bit per topic; kUnread until TESSERA_LOG was looked at.
static std::atomic<std::uint32_t> topics{kUnread};

namespace {
struct Sink {
  std::mutex mutex;
  std::function<void(std::string_view)> function;
  std::set<std::string, std::less<>> noted; ///< by noteOnce
};
} // namespace

static Sink &sink() {
  static Sink instance;
  return instance;
}

static std::uint32_t readTopics() {
  std::uint32_t bits = 0;
  for (const std::string &entry : environmentList(Variable::Log)) {
    std::uint32_t bit = 0;
    for (std::size_t i = 0; i != std::size(kTopics); ++i)
      if (entry == kTopics[i] || entry == "all")
        bit |= 1u << i;
    if (!bit)
      throw UsageError(fmt::format("TESSERA_LOG names `{}`; it takes a list of: {}, all", entry,
                                   fmt::join(std::begin(kTopics), std::end(kTopics), ", ")));
    bits |= bit;
  }
  return bits;
}

bool logs(LogTopic topic) {
  std::uint32_t bits = topics.load(std::memory_order_relaxed);
  if (bits == kUnread) {
    bits = readTopics();
    topics.store(bits, std::memory_order_relaxed);
  }
  return bits >> static_cast<int>(topic) & 1;
}

static void write(std::string_view kind, std::string_view line) {
  const std::string text = fmt::format("tessera: {}: {}\n", kind, line);
  const std::lock_guard lock(sink().mutex);
  if (sink().function)
    sink().function(text);
  else
    std::fputs(text.c_str(), stderr);
}

void log(LogTopic topic, std::string_view line) { write(kTopics[static_cast<std::size_t>(topic)], line); }
void note(std::string_view line) { write("note", line); }

void noteOnce(std::string_view line) {
  {
    const std::lock_guard lock(sink().mutex);
    if (!sink().noted.emplace(line).second)
      return;
  }
  note(line);
}

void resetLog(std::function<void(std::string_view)> function) {
  const std::lock_guard lock(sink().mutex);
  sink().function = std::move(function);
  sink().noted.clear();
  topics.store(kUnread, std::memory_order_relaxed);
}

} // namespace tessera::support
