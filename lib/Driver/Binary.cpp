//===- Binary.cpp - compile without a device ------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "tessera/runtime/Binary.h"

#include "Driver/Compiler.h"
#include "Pipeline/Pipeline.h"
#include "Runtime/Image.h"
#include "Support/Options.h"

#include "tessera/core/Error.h"
#include "tessera/runtime/Launch.h"

#include <fmt/format.h>

namespace tessera {

const std::string &Binary::target() const { return image_->target; }
const std::string &Binary::format() const { return image_->format; }
std::span<const std::byte> Binary::bytes() const { return image_->binary; }
const std::vector<std::pair<std::string, std::string>> &Binary::facts() const { return image_->metadata; }
std::vector<std::byte> Binary::serialize() const { return image_->serialize(); }

namespace detail {

static ir::TracedKernel traceVariant(const BoundView &bound, const Variant &variant, std::source_location at) {
  if (isTracing())
    throw UsageError(at, fmt::format("kernel `{}` cannot be compiled while a kernel is being recorded on this thread",
                                     bound.kernel.name));
  if (const std::string problem = support::checkOptions(bound.options); !problem.empty())
    throw UsageError(at, fmt::format("kernel `{}`: {}", bound.kernel.name, problem));
  return ir::traceForLaunch(bound.kernel.spec(bound.config), variant.any, variant.present,
                            bound.kernel.configText(bound.config));
}

static ir::VariantKey keyFor(const Variant &variant) {
  ir::VariantKey key;
  key.aligned = variant.aligned;
  return key;
}

tessera::Binary compile(const BoundView &bound, const Target &target, const Variant &variant, std::source_location at) {
  ir::TracedKernel traced = traceVariant(bound, variant, at);
  try {
    return tessera::Binary(ir::compileTraced(traced, keyFor(variant), target, bound.options).image);
  } catch (const ir::MissingKernel &missing) {
    throw UsageError(at, fmt::format("kernel `{}`: {}", bound.kernel.name, missing.words));
  }
}

std::string emit(const BoundView &bound, const Target &target, std::string_view stage, const Variant &variant,
                 std::source_location at) {
  const llvm::ArrayRef<llvm::StringRef> known = ir::knownStages();
  if (!llvm::is_contained(known, llvm::StringRef(stage)))
    throw UsageError(at, fmt::format("there is no stage `{}`; stages are: {}", stage,
                                     fmt::join(std::vector<std::string>(known.begin(), known.end()), ", ")));
  ir::TracedKernel traced = traceVariant(bound, variant, at);
  return ir::printTraced(traced, keyFor(variant), target, bound.options, llvm::StringRef(stage));
}

} // namespace detail

} // namespace tessera
