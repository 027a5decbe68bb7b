//===- LaunchPlan.cpp - a kernel loaded onto a device ---------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/LaunchPlan.h"

#include "Runtime/DeviceRecords.h"

#include "tessera/core/Error.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <mutex>
#include <utility>

namespace tessera::rt {

static_assert(std::endian::native == std::endian::little, "the packed block holds the low bytes of words");

/// The argument block of one launch and what its pointers span. On the stack for all but very large kernels, where
/// nothing is cleared that a launch does not use.
struct LaunchPlan::Block {
  Block(std::size_t bytes, std::size_t arguments) {
    const std::size_t end = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    const std::size_t all = end + arguments * sizeof(PointerExtent) + (2 * arguments + 3) * sizeof(std::int64_t);
    std::byte *start = room;
    if (all > sizeof room) [[unlikely]] {
      heap = std::make_unique_for_overwrite<std::byte[]>(all + kAlignment);
      start = heap.get() + (kAlignment - reinterpret_cast<std::uintptr_t>(heap.get()) % kAlignment);
    }
    data = {start, bytes};
    extents = {reinterpret_cast<PointerExtent *>(start + end), arguments};
    values = {reinterpret_cast<std::int64_t *>(extents.data() + arguments), arguments};
    key = values.data() + arguments;
  }

  void put(const Argument &argument, std::uint64_t bits) {
    std::memcpy(data.data() + argument.offset, &bits, argument.packedBytes());
  }

  std::span<std::byte> data;
  std::span<PointerExtent> extents;
  std::span<std::int64_t> values; ///< of caller's arguments, for expressions
  std::int64_t *key;              ///< room for all of them and the grid

private:
  static constexpr std::size_t kAlignment = 64;
  alignas(kAlignment) std::byte room[16 * 1024]; ///< for the 256 arguments that a caller can give, and hidden ones
  std::unique_ptr<std::byte[]> heap;
};

static std::uint64_t nextId() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

LaunchPlan::LaunchPlan(DeviceState &device, const Image &from) : state(device), id(nextId()) {
  if (const std::string problem = from.check(); !problem.empty())
    throw InternalError(
        fmt::format("the image of kernel `{}` for {} breaks the launch ABI: {}", from.kernel, from.target, problem));
  const auto limit = [&](const char *what, std::uint32_t wanted, std::uint32_t allowed) {
    if (wanted > allowed)
      throw CompileError(fmt::format("kernel `{}` needs {} {} per program; device {} allows {}; try a smaller block or "
                                     "fewer stages",
                                     from.kernel, wanted, what, device.name, allowed));
  };
  limit("threads", from.threadsPerProgram, device.properties.maxThreadsPerProgram);
  limit("bytes of shared memory", from.sharedBytes + from.staticSharedBytes, device.properties.maxSharedBytes);
  loaded = device.driver.load(device.index, from);
  image = from;
  image.binary.clear();
  image.binary.shrink_to_fit();
  for (auto &[key, value] : loaded->facts())
    image.setFact(key, value);

  clustered = image.cluster != std::array<std::uint32_t, 3>{1, 1, 1};
  hidden = clustered || !image.launchGrid.empty() || !image.requirements.empty();
  for (const Argument &argument : image.arguments) {
    callers += !argument.isHidden();
    if (!argument.isHidden())
      packing.push_back({argument.offset, argument.packedBytes(), argument.kind == ArgumentKind::Pointer});
    hidden |= argument.isHidden();
    zeroes |= argument.kind == ArgumentKind::Pointer && argument.zeroed;
    records |= argument.kind == ArgumentKind::PrintBuffer || argument.kind == ArgumentKind::FaultFlag;
    borrows |= argument.kind == ArgumentKind::Workspace || argument.kind == ArgumentKind::Counters;
  }
  borrows |= records;
  findInputs();
}

/// Finds what descriptors and requirements depend on.
void LaunchPlan::findInputs() {
  std::vector<std::uint32_t> offsets;
  const auto read = [&](const Expr &expr) {
    for (const Expr::Step &step : expr.steps()) {
      if (step.code == ExprCode::Argument)
        inputArguments.push_back(static_cast<int>(step.operand));
      inputPrograms |= step.code == ExprCode::NumPrograms;
    }
  };
  std::ranges::for_each(image.requirements, read);
  for (const Argument &argument : image.arguments) {
    if (argument.kind != ArgumentKind::TensorMap)
      continue;
    offsets.push_back(argument.offset);
    inputArguments.push_back(argument.tensorMap->base);
    read(argument.tensorMap->offset);
    std::ranges::for_each(argument.tensorMap->extents, read);
    std::ranges::for_each(argument.tensorMap->strides, read);
  }
  std::ranges::sort(inputArguments);
  inputArguments.erase(std::ranges::unique(inputArguments).begin(), inputArguments.end());
  if (!offsets.empty())
    descriptors =
        std::make_unique<DescriptorCache>(inputArguments.size() + (inputPrograms ? 3 : 0), std::move(offsets));
}

/// What decides the descriptors of this launch.
std::span<const std::int64_t> LaunchPlan::keyOf(Block &block, const ExprInputs &facts) const {
  std::int64_t *end = block.key;
  for (const int argument : inputArguments)
    *end++ = facts.arguments[static_cast<std::size_t>(argument)];
  if (inputPrograms)
    end = std::ranges::copy(facts.numPrograms, end).out;
  return {block.key, end};
}

LaunchPlan::~LaunchPlan() = default;

std::int64_t LaunchPlan::evaluate(const Expr &expr, const ExprInputs &inputs, const char *what,
                                  const Argument *argument) const {
  const ExprResult result = expr.evaluate(inputs);
  if (!result.error)
    return result.value;
  throw LaunchProblem(fmt::format("{}{}{} is {}, which cannot be computed from these arguments: {}", what,
                                  argument && !argument->name.empty() ? " of " : "", argument ? argument->name : "",
                                  expr.str(image.argumentNames()), result.error));
}

/// The value of an integer or address for expressions.
static std::int64_t valueOf(const Argument &argument, std::uint64_t bits) {
  if (argument.kind == ArgumentKind::Pointer)
    return static_cast<std::int64_t>(bits);
  const int width = argument.dtype.bits();
  if (width >= 64)
    return static_cast<std::int64_t>(bits);
  const std::uint64_t low = bits & ((std::uint64_t{1} << width) - 1);
  const bool negative = argument.dtype.isSigned() && (low >> (width - 1) & 1);
  return static_cast<std::int64_t>(negative ? low | ~std::uint64_t{0} << width : low);
}

void LaunchPlan::pack(Block &block, std::span<const CallArgument> arguments) const {
  if (arguments.size() != callers)
    throw InternalError(fmt::format("kernel `{}` was launched with {} arguments; its image has {}", image.kernel,
                                    arguments.size(), callers));
  for (std::size_t i = 0; i != callers; ++i) {
    const Packing &place = packing[i];
    const CallArgument &given = arguments[i];
    std::byte *to = block.data.data() + place.offset;
    // Sizes known here are moves; another one would be a call.
    switch (place.bytes) {
    case 8:
      std::memcpy(to, &given.bits, 8);
      break;
    case 4:
      std::memcpy(to, &given.bits, 4);
      break;
    default:
      std::memcpy(to, &given.bits, place.bytes);
    }
    if (place.pointer)
      block.extents[i] = {reinterpret_cast<const void *>(given.bits), given.bytes, given.sized, given.readOnly};
    else
      block.extents[i] = {};
  }
  std::ranges::fill(block.extents.subspan(callers), PointerExtent());
  if (hidden)
    for (std::size_t i = 0; i != callers; ++i)
      block.values[i] = valueOf(image.arguments[i], arguments[i].bits);
}

void LaunchPlan::zero(StreamState &stream, const Block &block) const {
  for (std::size_t i = 0; i != callers; ++i) {
    const Argument &argument = image.arguments[i];
    if (argument.kind != ArgumentKind::Pointer || !argument.zeroed)
      continue;
    const PointerExtent &extent = block.extents[i];
    if (!extent.sized)
      throw LaunchProblem("is to be zeroed, but its size is unknown; pass a Buffer or borrow(pointer, count)",
                          static_cast<int>(i));
    state.driver.fill(state.index, stream.native, const_cast<void *>(extent.address), 0, 1, extent.bytes);
  }
}

DeviceRecords &LaunchPlan::recordsOn(StreamState &stream, const ExprInputs &inputs) const {
  std::size_t printBytes = 0;
  bool fault = false;
  for (const Argument &argument : image.arguments) {
    if (argument.kind == ArgumentKind::PrintBuffer)
      printBytes =
          static_cast<std::size_t>(std::max<std::int64_t>(1, evaluate(argument.bytes, inputs, "the size", &argument)));
    fault |= argument.kind == ArgumentKind::FaultFlag;
  }
  std::unique_ptr<DeviceRecords> &kept = stream.records[id];
  if (kept && kept->printBytes() < printBytes) {
    state.driver.synchronize(state.index, stream.native);
    kept->drain();
    kept.reset();
  }
  if (!kept)
    kept = std::make_unique<DeviceRecords>(state, image.kernel, image.sites, printBytes, fault);
  return *kept;
}

void LaunchPlan::encode(const Argument &argument, Block &block, const ExprInputs &inputs) const {
  const TensorMapRecipe &recipe = *argument.tensorMap;
  TensorMapValues values;
  values.address = static_cast<std::uint64_t>(inputs.arguments[static_cast<std::size_t>(recipe.base)]) +
                   static_cast<std::uint64_t>(evaluate(recipe.offset, inputs, "the offset", &argument));
  values.dtype = recipe.dtype;
  values.rank = static_cast<int>(recipe.extents.size());
  values.swizzle = recipe.swizzle;
  values.fill = recipe.fill;
  for (std::size_t axis = 0; axis != recipe.extents.size(); ++axis) {
    values.extents[axis] = static_cast<std::uint64_t>(evaluate(recipe.extents[axis], inputs, "an extent", &argument));
    values.box[axis] = recipe.box[axis];
  }
  for (std::size_t axis = 0; axis != recipe.strides.size(); ++axis)
    values.strideBytes[axis] =
        static_cast<std::uint64_t>(evaluate(recipe.strides[axis], inputs, "a stride", &argument));
  if (const std::string problem = problemOf(values); !problem.empty())
    throw LaunchProblem(fmt::format("gives no descriptor: {}", problem), recipe.base);
  state.driver.encodeTensorMap(state.index, values, block.data.data() + argument.offset);
}

void LaunchPlan::fillHidden(StreamState &stream, Block &block, const ExprInputs &inputs, bool hasDescriptors) const {
  // Where each hidden block of memory starts in its arena; then the arenas, which may move while they grow.
  const auto place = [&](const Argument &argument, std::size_t &end) {
    const std::int64_t bytes = evaluate(argument.bytes, inputs, "the size", &argument);
    if (bytes < 0 || bytes > (std::int64_t{1} << 46))
      throw LaunchProblem(
          fmt::format("its workspace would take {} = {} bytes", argument.bytes.str(image.argumentNames()), bytes));
    const std::size_t start = (end + 255) / 256 * 256;
    end = start + static_cast<std::size_t>(bytes);
    return PointerExtent{reinterpret_cast<const void *>(start), static_cast<std::uint64_t>(bytes), true, false};
  };
  std::size_t scratchBytes = 0, counterBytes = 0;
  for (std::size_t i = callers; i != image.arguments.size(); ++i) {
    const Argument &argument = image.arguments[i];
    if (argument.kind == ArgumentKind::Workspace)
      block.extents[i] = place(argument, scratchBytes);
    else if (argument.kind == ArgumentKind::Counters)
      block.extents[i] = place(argument, counterBytes);
  }
  if ((scratchBytes || counterBytes || records) && state.driver.isCapturing(state.index, stream.native)) {
    if ((scratchBytes && stream.scratch.mustGrow(scratchBytes)) ||
        (counterBytes && stream.counters.mustGrow(counterBytes)) || (records && !stream.records.contains(id)))
      throw LaunchProblem(
          "the stream is being captured, and memory for this kernel's hidden arguments is missing; launch it "
          "once with these sizes before the capture");
    stream.scratch.keep();
    stream.counters.keep();
  }
  std::byte *scratch = scratchBytes ? stream.scratch.reserve(state, scratchBytes) : nullptr;
  std::byte *counters = nullptr;
  if (counterBytes) {
    bool fresh = !stream.countersAreZero;
    counters = stream.counters.reserve(state, counterBytes, &fresh);
    if (fresh)
      state.driver.fill(state.index, stream.native, counters, 0, 1, stream.counters.size());
    stream.countersAreZero = true;
  }
  DeviceRecords *kept = records ? &recordsOn(stream, inputs) : nullptr;

  for (std::size_t i = callers; i != image.arguments.size(); ++i) {
    const Argument &argument = image.arguments[i];
    PointerExtent &extent = block.extents[i];
    const auto start = reinterpret_cast<std::uintptr_t>(extent.address);
    switch (argument.kind) {
    case ArgumentKind::Value:
      block.put(argument, static_cast<std::uint64_t>(evaluate(argument.value, inputs, "the value", &argument)));
      break;
    case ArgumentKind::Workspace:
      extent.address = scratch + start;
      block.put(argument, reinterpret_cast<std::uint64_t>(extent.address));
      if (argument.zeroed && extent.bytes)
        state.driver.fill(state.index, stream.native, scratch + start, 0, 1, extent.bytes);
      break;
    case ArgumentKind::Counters:
      extent.address = counters + start;
      block.put(argument, reinterpret_cast<std::uint64_t>(extent.address));
      break;
    case ArgumentKind::PrintBuffer:
      block.put(argument, reinterpret_cast<std::uint64_t>(kept->printBuffer()));
      break;
    case ArgumentKind::FaultFlag:
      block.put(argument, reinterpret_cast<std::uint64_t>(kept->faultFlag()));
      break;
    case ArgumentKind::TensorMap:
      if (!hasDescriptors)
        encode(argument, block, inputs);
      break;
    default:
      break;
    }
  }
}

void LaunchPlan::enqueue(StreamState &stream, Block &block, const std::array<std::int64_t, 3> &grid) const {
  LaunchParams params;
  params.grid = grid;
  params.packed = block.data;
  params.extents = block.extents;
  state.driver.launch(state.index, stream.native, *loaded, params);
}

ExprInputs LaunchPlan::inputs(const Block &block, const std::array<std::int64_t, 3> &programs) const {
  ExprInputs inputs;
  inputs.arguments = block.values;
  inputs.numPrograms = programs;
  inputs.device = {state.properties.multiprocessors, state.properties.warpSize};
  return inputs;
}

std::array<std::int64_t, 3> LaunchPlan::gridFor(const std::array<std::int64_t, 3> &programs,
                                                const ExprInputs &facts) const {
  std::array<std::int64_t, 3> grid = programs;
  for (std::size_t axis = 0; axis != image.launchGrid.size(); ++axis) {
    grid[axis] = evaluate(image.launchGrid[axis], facts, "the grid", nullptr);
    if (grid[axis] < 1 || grid[axis] > state.properties.maxGrid[axis])
      throw LaunchProblem(fmt::format("extent {} of its grid on axis {} does not fit device {}, which takes 1 to "
                                      "{}",
                                      grid[axis], "xyz"[axis], state.name, state.properties.maxGrid[axis]));
  }
  for (std::size_t axis = 0; clustered && axis != 3; ++axis)
    if (grid[axis] % image.cluster[axis])
      throw LaunchProblem(fmt::format("extent {} of its grid on axis {} is no multiple of its cluster's {}; round "
                                      "the grid up and mask, or compile with cluster = 1",
                                      grid[axis], "xyz"[axis], image.cluster[axis]));
  return grid;
}

bool LaunchPlan::meetsRequirements(const ExprInputs &facts) const {
  // A requirement that cannot even be computed is not met.
  return std::ranges::all_of(image.requirements, [&](const Expr &requirement) {
    const ExprResult result = requirement.evaluate(facts);
    return !result.error && result.value;
  });
}

bool LaunchPlan::launch(StreamState &stream, const std::array<std::int64_t, 3> &programs,
                        std::span<const CallArgument> arguments) const {
  Block block(image.packedBytes, image.arguments.size());
  pack(block, arguments);
  if (!hidden) {
    if (zeroes)
      zero(stream, block);
    enqueue(stream, block, programs);
    return true;
  }
  const ExprInputs facts = inputs(block, programs);
  std::span<const std::int64_t> key;
  if (descriptors)
    key = keyOf(block, facts);
  // Where descriptors were made before, all that is required was found to hold.
  const bool known = descriptors && descriptors->find(key, block.data.data());
  if (!known && !meetsRequirements(facts))
    return false;
  if (zeroes)
    zero(stream, block);
  const std::array<std::int64_t, 3> grid = gridFor(programs, facts);
  // Kernels of one stream share its scratch memory, one after another: nobody may move it between here and the launch.
  std::unique_lock lock(stream.mutex, std::defer_lock);
  if (borrows)
    lock.lock();
  fillHidden(stream, block, facts, known);
  if (descriptors && !known)
    descriptors->keep(key, block.data.data());
  enqueue(stream, block, grid);
  return true;
}

} // namespace tessera::rt
