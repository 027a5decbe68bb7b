//===- HiddenArguments.cpp - what a launcher fills in ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/HiddenArguments.h"

#include <optional>

namespace tessera::ir {

/// What one launch may print: 65 535 values.
static constexpr std::int64_t kPrintBytes = std::int64_t{1} << 22;

static rt::Argument &addArgument(rt::Image &image, rt::ArgumentKind kind, std::string name) {
  rt::Argument argument;
  argument.kind = kind;
  argument.name = std::move(name);
  return image.arguments.emplace_back(std::move(argument));
}

void addPrintBuffer(rt::Image &image) {
  addArgument(image, rt::ArgumentKind::PrintBuffer, "printed").bytes = kPrintBytes;
}

void addFaultFlag(rt::Image &image) { addArgument(image, rt::ArgumentKind::FaultFlag, "fault"); }

void addGridExtent(rt::Image &image, int axis) {
  rt::Argument &extent = addArgument(image, rt::ArgumentKind::Value, std::string("grid.") + "xyz"[axis]);
  extent.dtype = i64;
  extent.value = rt::Expr::numPrograms(axis);
}

void addTensorMap(rt::Image &image, rt::TensorMapRecipe recipe) {
  const auto base = static_cast<std::size_t>(recipe.base);
  std::string name = base < image.arguments.size() ? image.arguments[base].name : std::string();
  rt::Argument &map = addArgument(image, rt::ArgumentKind::TensorMap, std::move(name) + ".map");
  map.dtype = recipe.dtype;
  map.tensorMap = std::move(recipe);
}

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

std::string addSites(ArrayAttr table, rt::Image &image) {
  for (Attribute attribute : table) {
    std::optional<rt::Site> site = siteOf(attribute);
    if (!site)
      return "the kernel's table of sites has an entry without text or location";
    image.sites.push_back(std::move(*site));
  }
  return {};
}

} // namespace tessera::ir
