//===- tessera-layout.cpp - draw layouts and plan conversions -------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Drawing.h"

#include "Layout/Conversion.h"
#include "Layout/LayoutText.h"
#include "Layout/Swizzle.h"

#include "CLI/CLI.hpp"
#include <algorithm>
#include <bit>
#include <cstdio>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <stdexcept>

using namespace tessera::layout;

/// Layouts as the command line takes them.
static constexpr const char *kForms = R"(Layouts:
  4x8, register = [(0, 1)], lane = [(0, 2), (0, 4), (1, 0), (2, 0)]   also within #layout.tile<...>
  blocked 16x64 thread 1x4 lanes 4x8 [warps 4x1] [order 1,0]
  mma accumulator 64x64 [bits 32] [warps 2x2]
  mma a 64x32 [bits 16] [warps 2x2]
  mma b 32x64 [bits 16] [warps 2x2]
  wgmma accumulator 64x128 [warps 4x1]
  wgmma a 64x32 [bits 16] [warps 4x1]
Layouts of buffers:
  4x8, offsets = [1, 2, 4, 9, 18]                                     also within #layout.shared<...>
  plain 32x32 [order 1,0]
  swizzled 64x64 vec 8 per_phase 1 max_phase 8 [order 1,0]
  tensor_copy 64x64 swizzle 128 element 2 [order 1,0])";

/// What \p parse reads from \p text.
template <class Layout>
static Layout read(const std::string &text, std::optional<Layout> (*parse)(std::string_view, TextProblem &)) {
  TextProblem problem;
  if (auto layout = parse(text, problem))
    return std::move(*layout);
  throw std::runtime_error(problem.str(text));
}

static void checkSize(std::string_view what, std::int64_t size, std::int64_t limit) {
  if (size > limit)
    throw std::runtime_error(fmt::format("{} {} are more than the limit of {}; --limit raises it", size, what, limit));
}

// -- Conversions ------------------------------------------------------------------------------------------------------

/// "lane & 4" for a bit; else "parity(lane & 5 ^ warp & 1)".
static std::string parityText(const ThreadParity &parity) {
  std::vector<std::string> parts;
  for (const auto &[name, mask] :
       {std::pair("lane", parity.lanes), std::pair("warp", parity.warps), std::pair("block", parity.blocks)})
    if (mask != 0)
      parts.push_back(fmt::format("{} & {}", name, mask));
  const bool oneBit = std::popcount(parity.lanes) + std::popcount(parity.warps) + std::popcount(parity.blocks) == 1;
  return oneBit ? parts.front() : fmt::format("parity({})", fmt::join(parts, " ^ "));
}

static std::string laneText(const ConversionPlan &plan, std::uint32_t laneXor) {
  if (plan.shufflesByXor())
    return fmt::format("lane ^ {}", laneXor);
  std::vector<std::string> parts;
  const auto add = [&](const char *name, std::span<const std::uint32_t> columns) {
    for (std::size_t bit = 0; bit != columns.size(); ++bit)
      if (columns[bit] != 0)
        parts.push_back(columns[bit] == 1 ? fmt::format("{}[{}]", name, bit)
                                          : fmt::format("{} * {}[{}]", columns[bit], name, bit));
  };
  add("lane", plan.laneColumns);
  add("warp", plan.warpColumns);
  add("block", plan.blockColumns);
  if (laneXor != 0 || parts.empty())
    parts.push_back(std::to_string(laneXor));
  return fmt::format("{}", fmt::join(parts, " ^ "));
}

static std::string counted(int count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

static void printSteps(const ConversionPlan &plan) {
  for (const ConversionStep &step : plan.steps) {
    if (step.kind == ConversionStep::Kind::Select) {
      fmt::print("  v{} = {} ? v{} : v{}\n", step.firstResult, parityText(step.parity), step.values[1], step.values[0]);
      continue;
    }
    std::vector<std::uint32_t> results(step.values.size());
    std::iota(results.begin(), results.end(), step.firstResult);
    fmt::print("  v{} = shuffle v{} of {}\n", fmt::join(results, ", v"), fmt::join(step.values, ", v"),
               laneText(plan, step.laneXor));
  }
  fmt::print("  registers = v{}\n", fmt::join(plan.results, ", v"));
}

static void printAccesses(const char *what, const TileLayout &layout, const Swizzle &swizzle, std::uint32_t elements,
                          int elementBytes) {
  const Wavefronts wavefronts = bankConflicts(layout, swizzle.shared, elements, elementBytes);
  const auto count = static_cast<int>(accessGroups(layout, swizzle.shared, elements).size() / elements);
  fmt::print("  {} of {} bytes, each of {}; banks allow {}\n", counted(count, what),
             elements * static_cast<std::uint32_t>(elementBytes), counted(wavefronts.actual, "wavefront"),
             wavefronts.ideal);
}

/// Says how to convert elements of \p elementBytes.
static void printConversion(const TileLayout &from, const TileLayout &to, int elementBytes, bool steps) {
  if (!std::ranges::equal(from.shape(), to.shape()))
    throw std::runtime_error(
        fmt::format("the layouts are of tiles of {} and {}", fmt::join(from.shape(), "x"), fmt::join(to.shape(), "x")));
  const ConversionPlan plan = planConversion(from, to, 8 * elementBytes);
  switch (plan.kind) {
  case ConversionKind::Identity:
    fmt::print("nothing to do\n");
    return;
  case ConversionKind::Registers:
    fmt::print("registers of the thread in another order\n");
    break;
  case ConversionKind::Warp:
    fmt::print("inside warps: {}, {}\n", counted(plan.shuffles(), "shuffle"), counted(plan.selects(), "select"));
    break;
  case ConversionKind::Shared: {
    const Swizzle swizzle = chooseSwizzle(from, to, elementBytes);
    fmt::print("through a buffer: {}\n", swizzle.shared.str());
    printAccesses("store", from, swizzle, swizzle.storeElements, elementBytes);
    printAccesses("load", to, swizzle, swizzle.loadElements, elementBytes);
    return;
  }
  }
  if (steps)
    printSteps(plan);
}

// -- The command line -------------------------------------------------------------------------------------------------

namespace {

struct Options {
  std::string layout, to;
  bool shared = false, svg = false, steps = false;
  int elementBytes = 4;
  std::int64_t limit = 4096;
};

} // namespace

static void run(const Options &options) {
  const auto show = [&](const Drawing &drawing) { fmt::print("{}", options.svg ? drawing.asSvg() : drawing.asText()); };
  if (options.shared) {
    const SharedLayout layout = read(options.layout, parseSharedLayout);
    checkSize("elements", layout.elements(), options.limit);
    return show(drawingOf(layout, options.elementBytes));
  }
  const TileLayout layout = read(options.layout, parseTileLayout);
  if (options.to.empty()) {
    checkSize("elements", layout.elements(), options.limit);
    return show(drawingOf(layout));
  }
  const TileLayout to = read(options.to, parseTileLayout);
  for (const TileLayout *side : {&layout, &to})
    checkSize("registers of a thread", side->size(Dim::Register), options.limit);
  printConversion(layout, to, options.elementBytes, options.steps);
}

int main(int argc, char **argv) {
  CLI::App app("Draws who holds which element of a tile, and tells how to convert between layouts.");
  Options options;
  app.add_option("layout", options.layout, "The layout; see below")->required();
  app.add_flag("--shared", options.shared, "It is the layout of a buffer; draws rows of 128 bytes and banks");
  app.add_option("--to", options.to, "Tells how to convert a tile to this layout, instead of drawing")
      ->excludes("--shared");
  app.add_flag("--steps", options.steps, "Lists the steps of the conversion")->needs("--to");
  app.add_flag("--svg", options.svg, "Draws an SVG picture instead of text")->excludes("--to");
  app.add_option("--element", options.elementBytes, "Bytes of an element")
      ->check(CLI::IsMember({1, 2, 4, 8}))
      ->capture_default_str();
  app.add_option("--limit", options.limit, "The most elements or registers")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  app.footer(kForms);
  CLI11_PARSE(app, argc, argv);
  try {
    run(options);
  } catch (const std::exception &error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
  return 0;
}
