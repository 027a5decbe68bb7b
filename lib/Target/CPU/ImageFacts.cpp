//===- ImageFacts.cpp - from a host function to its image -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/CPU/ImageFacts.h"

#include "Conversion/TileToHost/TileToHost.h"
#include "IRSupport/LLVM.h"
#include "Runtime/CPU/CpuDriver.h"
#include "Target/HiddenArguments.h"

#include <fmt/format.h>
#include <limits>

namespace tessera::ir::host {

std::string takeFacts(mlir::LLVM::LLVMFuncOp function, rt::Image &image) {
  auto arena = function->getAttrOfType<IntegerAttr>(kArenaBytes);
  if (!arena)
    return fmt::format("the kernel's function has no attribute {}", std::string_view(kArenaBytes));
  if (arena.getInt() < 0 || arena.getInt() > std::numeric_limits<std::uint32_t>::max())
    return fmt::format("the kernel wants {} bytes of arena", arena.getInt());
  image.sharedBytes = static_cast<std::uint32_t>(arena.getInt());
  if (function->hasAttr(kInGridOrder))
    image.setFact(std::string(rt::cpu::kInOrderFact), "1");
  if (auto precision = function->getAttrOfType<StringAttr>(kDotPrecision))
    image.setFact("dot_precision", precision.str());
  if (function->hasAttr(kPrints))
    addPrintBuffer(image);
  if (function->hasAttr(kChecks))
    addFaultFlag(image);
  if (auto sites = function->getAttrOfType<ArrayAttr>(kSites))
    if (std::string problem = addSites(sites, image); !problem.empty())
      return problem;
  for (StringRef name : {StringRef(kArenaBytes), StringRef(kInGridOrder), StringRef(kDotPrecision), StringRef(kPrints),
                         StringRef(kChecks), StringRef(kSites)})
    function->removeAttr(name);
  image.layOut();
  return {};
}

} // namespace tessera::ir::host
