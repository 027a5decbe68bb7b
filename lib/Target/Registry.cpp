//===- Registry.cpp - the list of back ends -------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Registry.h"

#include "tessera/core/Error.h"

#include <fmt/format.h>

namespace tessera::ir {

BackendRegistry::BackendRegistry(std::vector<std::unique_ptr<Backend>> backends) : backends(std::move(backends)) {}

const Backend *BackendRegistry::find(llvm::StringRef family) const {
  for (const std::unique_ptr<Backend> &backend : backends)
    if (backend->family() == family)
      return backend.get();
  return nullptr;
}

const Backend &BackendRegistry::require(const Target &target) const {
  if (const Backend *backend = find(target.family()))
    return *backend;
  throw CompileError(fmt::format("target {} has no back end in this build of tessera, which compiles for: {}",
                                 target.str(), fmt::join(families(), ", ")));
}

std::vector<std::string> BackendRegistry::families() const {
  const std::vector<std::string> known = Target::known();
  const auto isKnown = [&](llvm::StringRef family) {
    return llvm::any_of(known, [&](llvm::StringRef target) { return target.split(':').first == family; });
  };
  std::vector<std::string> names;
  for (const std::unique_ptr<Backend> &backend : backends)
    if (isKnown(backend->family()))
      names.push_back(backend->family().str());
  return names;
}

void BackendRegistry::registerDialects(mlir::DialectRegistry &registry) const {
  for (const std::unique_ptr<Backend> &backend : backends)
    backend->registerDialects(registry);
}

} // namespace tessera::ir
