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
#include <optional>

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
  /// "cuda:1", "sim:sm_80", "interp".
  static std::string nameOf(const DeviceDriver &driver, int index) {
    if (const std::string label = driver.label(index); !label.empty())
      return fmt::format("{}:{}", driver.family(), label);
    return driver.isNumbered() ? fmt::format("{}:{}", driver.family(), index) : std::string(driver.family());
  }
  /// Names of the devices of \p driver.
  static std::vector<std::string> namesOf(DeviceDriver &driver) {
    std::vector<std::string> names;
    for (int i = 0, count = driver.deviceCount(); i < count; ++i)
      names.push_back(nameOf(driver, i));
    return names;
  }
  /// The number of the device called "family:\p label", or -1. Without a label it is the first one.
  static int numberOf(DeviceDriver &driver, std::optional<std::string_view> label) {
    const int count = driver.deviceCount();
    int number = -1;
    if (!label)
      number = 0;
    else if (const char *end = label->data() + label->size();
             std::from_chars(label->data(), end, number).ptr != end || label->empty())
      number = -1;
    for (int i = 0; label && !label->empty() && i < count; ++i)
      if (driver.label(i) == *label)
        return i;
    return number < count ? number : -1;
  }
  /// The device, which exists.
  DeviceState &device(DeviceDriver &driver, int index) {
    std::unique_ptr<DeviceState> &state = devices[{&driver, index}];
    if (!state)
      state = std::make_unique<DeviceState>(driver, index, nameOf(driver, index));
    return *state;
  }
};

/// "cuda:1" in its parts.
static std::pair<std::string_view, std::optional<std::string_view>> split(std::string_view name) {
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos)
    return {name, std::nullopt};
  return {name.substr(0, colon), name.substr(colon + 1)};
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
  const auto [family, label] = split(name);
  DeviceDriver *driver = contents->driver(family);
  const int number = driver ? Contents::numberOf(*driver, label) : -1;
  return number < 0 ? nullptr : &contents->device(*driver, number);
}

std::string Registry::describeMissing(std::string_view name) {
  const std::vector<std::string> names = available();
  const std::lock_guard lock(contents->mutex);
  const std::string_view family = split(name).first;
  std::string text = fmt::format("there is no device `{}`", name);
  if (DeviceDriver *driver = contents->driver(family)) {
    const int count = driver->deviceCount();
    const std::string why = driver->whyAbsent();
    if (count && !driver->label(0).empty())
      text += fmt::format(" ({} has {})", family, fmt::join(Contents::namesOf(*driver), ", "));
    else if (count)
      text += fmt::format(" ({} has {} device{})", family, count, count == 1 ? "" : "s");
    else if (!why.empty())
      text += fmt::format(" ({})", why);
  } else if (!addCompilerDrivers) {
    std::vector<std::string_view> families;
    for (const auto &known : contents->drivers)
      if (known->priority() >= 0)
        families.push_back(known->family());
    text += fmt::format(" (a program without the compiler, libtessera.so, has none but those of {})",
                        fmt::join(families, ", "));
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
    if (driver->priority() >= 0)
      for (std::string &device : Contents::namesOf(*driver))
        names.push_back(std::move(device));
  return names;
}

void Registry::add(std::unique_ptr<DeviceDriver> driver) {
  const std::lock_guard lock(contents->mutex);
  if (contents->driver(driver->family()))
    throw UsageError(fmt::format("there already is a driver for devices called `{}`", driver->family()));
  contents->insert(std::move(driver));
}

} // namespace tessera::rt
