//===- ImageFacts.cpp - from a host function to its image -----------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/CPU/ImageFacts.h"

#include "Conversion/TileToHost/TileToHost.h"
#include "IRSupport/LLVM.h"
#include "Runtime/CPU/CpuDriver.h"

#include <fmt/format.h>
#include <limits>
#include <optional>

namespace tessera::ir::host {

/// What one launch may print: 65 535 values.
static constexpr std::int64_t kPrintBytes = std::int64_t{1} << 22;

static std::optional<DType> dtypeNamed(StringRef name) {
  for (DType dtype : {i1, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64, e4m3, e5m2, e4m3fnuz, e5m2fnuz})
    if (name == dtype.name())
      return dtype;
  return std::nullopt;
}

/// A site; nothing if \p attribute is none.
static std::optional<rt::Site> siteOf(Attribute attribute) {
  auto fields = dyn_cast<DictionaryAttr>(attribute);
  auto text = fields ? fields.getAs<StringAttr>("text") : nullptr;
  auto location = fields ? fields.getAs<StringAttr>("location") : nullptr;
  if (!text || !location)
    return std::nullopt;
  rt::Site site;
  site.text = text.str();
  site.location = location.str();
  if (auto names = fields.getAs<ArrayAttr>("names"))
    for (auto name : names.getAsRange<StringAttr>())
      site.names.push_back(name.str());
  if (auto dtypes = fields.getAs<ArrayAttr>("dtypes"))
    for (auto name : dtypes.getAsRange<StringAttr>())
      // Pointers are printed as addresses.
      site.dtypes.push_back(dtypeNamed(name.getValue()).value_or(ptr_to(i8)));
  return site;
}

static void addArgument(rt::Image &image, rt::ArgumentKind kind, const char *name) {
  rt::Argument argument;
  argument.kind = kind;
  argument.name = name;
  if (kind == rt::ArgumentKind::PrintBuffer)
    argument.bytes = kPrintBytes;
  image.arguments.push_back(std::move(argument));
}

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
    addArgument(image, rt::ArgumentKind::PrintBuffer, "printed");
  if (function->hasAttr(kChecks))
    addArgument(image, rt::ArgumentKind::FaultFlag, "fault");
  if (auto sites = function->getAttrOfType<ArrayAttr>(kSites))
    for (Attribute attribute : sites) {
      std::optional<rt::Site> site = siteOf(attribute);
      if (!site)
        return fmt::format("the kernel's table of sites has an entry without text or location");
      image.sites.push_back(std::move(*site));
    }
  for (StringRef name : {StringRef(kArenaBytes), StringRef(kInGridOrder), StringRef(kDotPrecision), StringRef(kPrints),
                         StringRef(kChecks), StringRef(kSites)})
    function->removeAttr(name);
  image.layOut();
  return {};
}

} // namespace tessera::ir::host
