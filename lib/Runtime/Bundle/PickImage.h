//===- PickImage.h - which image runs best on a device ---------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_BUNDLE_PICKIMAGE_H
#define TESSERA_RUNTIME_BUNDLE_PICKIMAGE_H

#include "tessera/core/Target.h"

#include <cstddef>
#include <span>
#include <string_view>

namespace tessera::rt {

/// What decides which images a device runs.
struct DeviceCode {
  const Target &target;
  std::string_view instructionSets; ///< architecture and instruction sets of a processor, separated by commas
};

/// What decides where an image runs.
struct ImageKind {
  std::string_view target;          ///< "cuda:sm_80"
  std::string_view format;          ///< "cubin", "ptx" …
  std::string_view instructionSets; ///< that a processor must have, separated by commas
};

/// The number of the image that runs best on a device; -1 if none runs there. Made for that very chip comes first, then
/// machine code for a chip whose code it runs, the nearest one, then PTX, which the driver compiles. Of images for
/// processors that have all that they need, the one that needs most.
std::ptrdiff_t pickImage(const DeviceCode &device, std::span<const ImageKind> images);

} // namespace tessera::rt

#endif // TESSERA_RUNTIME_BUNDLE_PICKIMAGE_H
