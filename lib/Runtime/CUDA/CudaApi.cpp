//===- CudaApi.cpp - the CUDA driver's interface, by hand -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/CUDA/CudaApi.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace tessera::rt::cuda {

static std::string versionText(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

std::string Api::describe(Result code) const {
  const char *name = nullptr, *text = nullptr;
  if (cuGetErrorName(code, &name) != Result::Success || !name)
    return fmt::format("{}", static_cast<int>(code));
  if (cuGetErrorString(code, &text) != Result::Success || !text)
    return fmt::format("{} ({})", static_cast<int>(code), name);
  return fmt::format("{} ({}: {})", static_cast<int>(code), name, text);
}

std::unique_ptr<const Api> Api::open(const std::string &path, std::string &why) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *text = dlerror();
    why = fmt::format("NVIDIA's driver library {} could not be opened: {}", path, text ? text : "no reason given");
    return nullptr;
  }
  auto api = std::make_unique<Api>();
  std::string missing;
  const auto find = [&](auto &function, const char *symbol, bool needed) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, symbol));
    if (!function && needed && missing.empty())
      missing = symbol;
  };
#define TESSERA_CUDA_SYMBOL(name, symbol, needed, parameters) find(api->name, symbol, needed);
#include "Runtime/CUDA/Symbols.def"

  const bool known = api->cuDriverGetVersion && api->cuDriverGetVersion(&api->version) == Result::Success;
  if (known && api->version < kOldestVersion) {
    why = fmt::format("NVIDIA's driver supports CUDA {}, and tessera needs {} or newer; update the driver",
                      versionText(api->version), versionText(kOldestVersion));
    return nullptr;
  }
  if (!missing.empty()) {
    why = fmt::format("NVIDIA's driver library {} has no function {}; update the driver", path, missing);
    return nullptr;
  }
  if (const Result code = api->cuInit(0); code != Result::Success) {
    why = code == Result::NoDevice
              ? "NVIDIA's driver found no device"
              : fmt::format("NVIDIA's driver does not start: cuInit failed with {}", api->describe(code));
    return nullptr;
  }
  return api;
}

} // namespace tessera::rt::cuda
