//===- DeviceHealth.cpp - whether a device still works --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/DeviceHealth.h"

#include "tessera/core/Error.h"

#include <algorithm>
#include <fmt/format.h>
#include <mutex>
#include <set>
#include <string_view>
#include <vector>

namespace tessera::rt {

const std::string &forever(const std::string &text) {
  static std::mutex mutex;
  static auto *const texts = new std::set<std::string>;
  const std::lock_guard lock(mutex);
  return *texts->insert(text).first;
}

std::string DeviceHealth::lastLaunches() const {
  std::vector<std::string_view> names;
  const unsigned count = launches.load(std::memory_order_relaxed);
  for (unsigned back = 1; back <= std::min<unsigned>(count, launched.size()); ++back)
    if (const std::string *kernel = launched[(count - back) % launched.size()].load(std::memory_order_relaxed);
        kernel && std::find(names.begin(), names.end(), *kernel) == names.end())
      names.push_back(*kernel);
  if (names.empty())
    return "no kernel was launched before";
  return fmt::format("launched last: `{}`", fmt::join(names, "`, `"));
}

void DeviceHealth::lose(const std::string &error, bool isAccess) {
  const auto *words = new std::string(
      fmt::format("{}; {}; the device is lost to this process, which must be restarted{}", error, lastLaunches(),
                  isAccess ? "; TESSERA_DEVICE=interp, or the compile option `checks`, finds the access" : ""));
  const std::string *none = nullptr;
  if (lost.compare_exchange_strong(none, words))
    throw DeviceError(*words);
  delete words;
  throwLost(*none);
}

void DeviceHealth::throwLost(const std::string &words) {
  throw DeviceError(fmt::format("the device was lost by an earlier error: {}", words));
}

} // namespace tessera::rt
