//===- HipApi.cpp - the HIP runtime's interface, by hand ------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/HIP/HipApi.h"

#include <cstring>
#include <dlfcn.h>
#include <fmt/format.h>
#include <type_traits>

namespace tessera::rt::hip {

static std::string versionText(int version) {
  return fmt::format("{}.{}", version / 10000000, version % 10000000 / 100000);
}

std::string Api::describe(Result code) const {
  hipGetLastError();
  const char *name = hipGetErrorName(code), *text = hipGetErrorString(code);
  if (!name)
    return fmt::format("{}", static_cast<int>(code));
  return fmt::format("{} ({}: {})", static_cast<int>(code), name, text ? text : "");
}

Result Api::chipName(int device, std::string &name) const {
  PropertiesBlock block;
  std::memset(&block, 0, sizeof block);
  const PropertiesLayout &layout = hipGetDevicePropertiesR0600 ? kProperties6 : kProperties5;
  const Result code =
      (hipGetDevicePropertiesR0600 ? hipGetDevicePropertiesR0600 : hipGetDeviceProperties)(&block, device);
  const char *text = block.bytes + layout.archOffset;
  name.assign(text, strnlen(text, layout.archBytes));
  return code;
}

/// The library, or null with the reason why the first of \p names cannot be opened.
static void *openAny(std::span<const std::string> names, std::string &used, std::string &why) {
  for (const int further : {RTLD_NOLOAD, 0})
    for (const std::string &name : names) {
      used = name;
      if (void *library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL | further))
        return library;
      const char *text = dlerror();
      if (why.empty() && !further)
        why = fmt::format("AMD's HIP runtime {} could not be opened: {}", name, text ? text : "no reason given");
    }
  return nullptr;
}

std::unique_ptr<const Api> Api::open(std::span<const std::string> names, std::string &why) {
  std::string path;
  void *library = openAny(names, path, why);
  if (!library)
    return nullptr;
  why.clear();
  auto api = std::make_unique<Api>();
  std::string missing;
  const auto find = [&](auto &function, const char *symbol, bool needed) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, symbol));
    if (!function && needed && missing.empty())
      missing = symbol;
  };
#define TESSERA_HIP_SYMBOL(result, name, needed, parameters) find(api->name, #name, needed);
#include "Runtime/HIP/Symbols.def"

  const bool known = api->hipRuntimeGetVersion && api->hipRuntimeGetVersion(&api->version) == Result::Success;
  if (known && api->version < kOldestVersion) {
    why = fmt::format("AMD's HIP runtime {} is version {}, and tessera needs {} or newer; update ROCm", path,
                      versionText(api->version), versionText(kOldestVersion));
    return nullptr;
  }
  if (!missing.empty()) {
    why = fmt::format("AMD's HIP runtime {} has no function {}; update ROCm", path, missing);
    return nullptr;
  }
  if (const Result code = api->hipInit(0); code != Result::Success) {
    why = code == Result::NoDevice || code == Result::InvalidDevice
              ? "AMD's HIP runtime found no device"
              : fmt::format("AMD's HIP runtime does not start: hipInit failed with {}", api->describe(code));
    return nullptr;
  }
  return api;
}

} // namespace tessera::rt::hip
