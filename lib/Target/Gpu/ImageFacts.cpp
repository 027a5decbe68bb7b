//===- ImageFacts.cpp - from a kernel's function to its image -------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Target/Gpu/ImageFacts.h"

#include "Conversion/LayoutToLLVM/LayoutToLLVM.h"
#include "Conversion/LayoutToLLVM/RecipeAttrs.h"
#include "IRSupport/LLVM.h"
#include "Runtime/CodeFacts.h"
#include "Target/HiddenArguments.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>
#include <limits>

namespace tessera::ir::gpu {

using mlir::LLVM::LLVMFuncOp;
using rt::Expr;

/// The grid to launch where programs share blocks, take several, or all lie on axis x. Empty: that of the programs.
static std::vector<Expr> launchGridOf(std::int64_t programsPerBlock, std::int64_t blocks, bool isFolded) {
  if (programsPerBlock == 1 && blocks == 1 && !isFolded)
    return {};
  Expr x = Expr::numPrograms(0);
  if (isFolded)
    x = x * Expr::numPrograms(1) * Expr::numPrograms(2);
  if (programsPerBlock != 1)
    x = Expr::divCeil(x, programsPerBlock);
  if (blocks != 1)
    x = x * blocks;
  if (isFolded)
    return {x, 1, 1};
  return {x, Expr::numPrograms(1), Expr::numPrograms(2)};
}

/// What \p multiples must divide, argument by argument.
static std::vector<Expr> requirementsOf(ArrayRef<std::int64_t> multiples) {
  std::vector<Expr> requirements;
  for (auto [number, multiple] : llvm::enumerate(multiples))
    if (multiple != 1) {
      const Expr rest = Expr::binary(rt::ExprCode::RemTrunc, Expr::argument(static_cast<int>(number)), multiple);
      requirements.push_back(Expr::binary(rt::ExprCode::Eq, rest, 0));
    }
  return requirements;
}

/// Moves recipes of descriptors and what they require.
static std::string takeTensorMaps(LLVMFuncOp function, rt::Image &image) {
  SmallVector<DType> dtypes;
  for (const rt::Argument &argument : image.arguments)
    dtypes.push_back(argument.dtype);
  if (auto maps = function->getAttrOfType<ArrayAttr>(kTensorMaps))
    for (Attribute attribute : maps) {
      std::optional<rt::TensorMapRecipe> recipe = recipeOf(attribute, dtypes);
      if (!recipe)
        return "the kernel's function has a descriptor that is none";
      addTensorMap(image, std::move(*recipe));
    }
  if (auto requirements = function->getAttrOfType<ArrayAttr>(kRequirements))
    for (Attribute attribute : requirements) {
      std::optional<Expr> requirement = exprOf(attribute, dtypes);
      if (!requirement)
        return "the kernel's function has a requirement that is no expression";
      image.requirements.push_back(std::move(*requirement));
    }
  return {};
}

/// Moves what reports say of the code (Runtime/CodeFacts.h).
static void takeNotes(LLVMFuncOp function, rt::Image &image) {
  const auto textOf = [](DictionaryAttr line, StringRef name) { return line.getAs<StringAttr>(name).str(); };
  const auto numberOf = [](DictionaryAttr line, StringRef name) { return line.getAs<IntegerAttr>(name).getInt(); };
  if (auto lines = function->getAttrOfType<ArrayAttr>(kAccesses)) {
    std::vector<MemoryAccess> accesses;
    for (auto line : lines.getAsRange<DictionaryAttr>())
      accesses.push_back({textOf(line, "at"), textOf(line, "kind"), numberOf(line, "bytes"), numberOf(line, "held")});
    rt::setAccesses(image, accesses);
  }
  if (auto lines = function->getAttrOfType<ArrayAttr>(kProducts)) {
    std::vector<MatrixProduct> products;
    for (auto line : lines.getAsRange<DictionaryAttr>())
      products.push_back({textOf(line, "at"), textOf(line, "unit")});
    rt::setProducts(image, products);
  }
  if (auto wavefronts = function->getAttrOfType<mlir::DenseI64ArrayAttr>(kWavefronts))
    image.setFact(std::string(rt::kWavefrontsFact), fmt::format("{} of {}", wavefronts[0], wavefronts[1]));
}

std::string takeFacts(LLVMFuncOp function, rt::Image &image) {
  std::int64_t threads = 0, programs = 0, blocks = 0, shared = 0;
  for (auto [name, value] :
       {std::pair(StringRef(kThreads), &threads), std::pair(StringRef(kProgramsPerBlock), &programs),
        std::pair(StringRef(kBlocks), &blocks), std::pair(StringRef(kSharedBytes), &shared)}) {
    auto attribute = function->getAttrOfType<IntegerAttr>(name);
    if (!attribute || attribute.getInt() < 0 || attribute.getInt() > std::numeric_limits<std::int32_t>::max())
      return fmt::format("the kernel's function does not say its {}", std::string_view(name));
    *value = attribute.getInt();
  }
  image.threadsPerProgram = static_cast<std::uint32_t>(threads);
  image.sharedBytes = static_cast<std::uint32_t>(shared);
  image.setFact("threads", fmt::format("{}", threads));
  if (programs != 1)
    image.setFact("programs_per_block", fmt::format("{}", programs));
  if (blocks != 1)
    image.setFact("blocks_of_program", fmt::format("{}", blocks));
  image.cluster = {static_cast<std::uint32_t>(blocks), 1, 1};
  if (function->hasAttr(kPrints))
    addPrintBuffer(image);
  if (function->hasAttr(kChecks))
    addFaultFlag(image);
  if (auto multiples = function->getAttrOfType<mlir::DenseI64ArrayAttr>(kRequiredMultiples))
    image.requirements = requirementsOf(multiples.asArrayRef());
  takeNotes(function, image);
  bool isFolded = false;
  if (auto axes = function->getAttrOfType<ArrayAttr>(kGridAxes)) {
    for (auto axis : axes.getAsRange<IntegerAttr>())
      addGridExtent(image, static_cast<int>(axis.getInt()));
    isFolded = axes.size() > 1;
  }
  image.launchGrid = launchGridOf(programs, blocks, isFolded);
  if (std::string problem = takeTensorMaps(function, image); !problem.empty())
    return problem;
  if (auto sites = function->getAttrOfType<ArrayAttr>(kSites))
    if (std::string problem = addSites(sites, image); !problem.empty())
      return problem;
  for (StringRef name : {StringRef(kThreads), StringRef(kProgramsPerBlock), StringRef(kBlocks), StringRef(kSharedBytes),
                         StringRef(kPrints), StringRef(kChecks), StringRef(kGridAxes), StringRef(kAccesses),
                         StringRef(kProducts), StringRef(kWavefronts), StringRef(kTensorMaps), StringRef(kRequirements),
                         StringRef(kSites), StringRef(kRequiredMultiples)})
    function->removeAttr(name);
  image.layOut();
  return {};
}

} // namespace tessera::ir::gpu
