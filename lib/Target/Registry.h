//===- Registry.h - the list of back ends ----------------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The back ends this library was built with. lib/Driver/Backends.cpp writes the list out, since only it stands above
// all of them; tests may use a list of their own.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_TARGET_REGISTRY_H
#define TESSERA_TARGET_REGISTRY_H

#include "Target/Backend.h"

#include <memory>
#include <string>
#include <vector>

namespace tessera::ir {

/// An immutable list of back ends, one per family. Thread-safe.
class BackendRegistry {
public:
  explicit BackendRegistry(std::vector<std::unique_ptr<Backend>> backends);

  /// The back end of the family, or null.
  const Backend *find(llvm::StringRef family) const;
  /// The back end for \p target; CompileError, naming the target and what there is, if this library has none.
  const Backend &require(const Target &target) const;
  /// The families of known targets there are, in order.
  std::vector<std::string> families() const;
  /// Registers the dialects of all back ends.
  void registerDialects(mlir::DialectRegistry &registry) const;

private:
  std::vector<std::unique_ptr<Backend>> backends;
};

} // namespace tessera::ir

#endif // TESSERA_TARGET_REGISTRY_H
