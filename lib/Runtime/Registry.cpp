//===- Registry.cpp - the devices of this process -------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The registry is never destroyed: kernels and buffers in static variables may outlive every other object.
//
//===---------------------------------------------------------------------===//

#include "Runtime/Registry.h"

#include "Runtime/DeviceState.h"
#include "Support/Environment.h"

#include "tessera/core/Error.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <mutex>

namespace tessera::rt {

struct Registry::Contents {
  std::mutex mutex;
  DriverList drivers; ///< by falling priority
  std::map<std::pair<DeviceDriver *, int>, std::unique_ptr<DeviceState>> devices;

  /// Puts \p driver behind those it does not precede.
  void insert(std::unique_ptr<DeviceDriver> driver) {
    const auto place = std::find_if(drivers.begin(), drivers.end(),
                                    [&](const auto &other) { return other->priority() < driver->priority(); });
    drivers.insert(place, std::move(driver));
  }
  DeviceDriver *driver(std::string_view family) {
    for (const auto &driver : drivers)
      if (driver->family() == family)
        return driver.get();
    return nullptr;
  }
  /// The device, which exists.
  DeviceState &device(DeviceDriver &driver, int index) {
    std::unique_ptr<DeviceState> &state = devices[{&driver, index}];
    if (!state)
      state = std::make_unique<DeviceState>(driver, index,
                                            driver.isNumbered() ? fmt::format("{}:{}", driver.family(), index)
                                                                : std::string(driver.family()));
    return *state;
  }
};

/// "cuda:1" in its parts; the number is -1 if what follows the colon is none.
static std::pair<std::string_view, int> split(std::string_view name) {
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos)
    return {name, 0};
  const std::string_view digits = name.substr(colon + 1);
  int number = -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size())
    number = -1;
  return {name.substr(0, colon), number};
}

Registry &Registry::get() {
  static Registry *const instance = new Registry;
  return *instance;
}

Registry::Registry() : contents(std::make_unique<Contents>()) {
  DriverList list;
  addRuntimeDrivers(list);
  if (addCompilerDrivers)
    addCompilerDrivers(list);
  for (std::unique_ptr<DeviceDriver> &driver : list)
    contents->insert(std::move(driver));
}

DeviceState *Registry::find(std::string_view name) {
  const std::lock_guard lock(contents->mutex);
  const auto [family, number] = split(name);
  DeviceDriver *driver = contents->driver(family);
  if (!driver || number < 0 || number >= driver->deviceCount())
    return nullptr;
  return &contents->device(*driver, number);
}

std::string Registry::describeMissing(std::string_view name) {
  const std::vector<std::string> names = available();
  const std::lock_guard lock(contents->mutex);
  const auto [family, number] = split(name);
  std::string text = fmt::format("there is no device `{}`", name);
  if (DeviceDriver *driver = contents->driver(family)) {
    const int count = driver->deviceCount();
    const std::string why = driver->whyAbsent();
    if (count)
      text += fmt::format(" ({} has {} device{})", family, count, count == 1 ? "" : "s");
    else if (!why.empty())
      text += fmt::format(" ({})", why);
  }
  return text + fmt::format("; available: {}", fmt::join(names, ", "));
}

DeviceState &Registry::current() {
  if (const std::string wanted = support::environment(support::Variable::Device); !wanted.empty()) {
    if (DeviceState *device = find(wanted))
      return *device;
    throw UsageError(fmt::format("TESSERA_DEVICE is `{}`, but {}", wanted, describeMissing(wanted)));
  }
  const std::lock_guard lock(contents->mutex);
  std::string reasons;
  for (const auto &driver : contents->drivers) {
    if (driver->priority() < 0)
      break;
    if (driver->deviceCount() > 0)
      return contents->device(*driver, 0);
    reasons += fmt::format("; {}: {}", driver->family(), driver->whyAbsent());
  }
  throw DeviceError("no device of any kind is present" + reasons);
}

std::vector<std::string> Registry::available() {
  const std::lock_guard lock(contents->mutex);
  std::vector<std::string> names;
  for (const auto &driver : contents->drivers)
    for (int i = 0, count = driver->priority() < 0 ? 0 : driver->deviceCount(); i != count; ++i)
      names.push_back(driver->isNumbered() ? fmt::format("{}:{}", driver->family(), i) : std::string(driver->family()));
  return names;
}

void Registry::add(std::unique_ptr<DeviceDriver> driver) {
  const std::lock_guard lock(contents->mutex);
  if (contents->driver(driver->family()))
    throw UsageError(fmt::format("there already is a driver for devices called `{}`", driver->family()));
  contents->insert(std::move(driver));
}

} // namespace tessera::rt
