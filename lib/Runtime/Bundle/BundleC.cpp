//===- BundleC.cpp - bundles for C ----------------------------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// No exception leaves these functions: each becomes a status and words of the calling thread.
//
//===---------------------------------------------------------------------===//

#include "tessera/c/bundle.h"

#include "Runtime/Bundle/BundleState.h"
#include "Runtime/DeviceState.h"
#include "Runtime/LaunchCheck.h"
#include "Runtime/Registry.h"

#include "tessera/core/Error.h"
#include "tessera/runtime/Bundle.h"
#include "tessera/runtime/Device.h"

#include <fmt/format.h>
#include <map>
#include <mutex>
#include <new>

using namespace tessera;
using namespace tessera::rt;
using tessera::detail::LaunchSlot;

static thread_local std::string lastError;

/// Runs \p action and says how that went.
template <class Action> static tessera_status attempt(Action action) noexcept {
  const auto failed = [](tessera_status status, const char *words) {
    try {
      lastError = words;
    } catch (const std::bad_alloc &) { // whatever was said before stays
    }
    return status;
  };
  try {
    action();
    return TESSERA_OK;
  } catch (const UsageError &error) {
    return failed(TESSERA_USAGE_ERROR, error.what());
  } catch (const CompileError &error) {
    return failed(TESSERA_COMPILE_ERROR, error.what());
  } catch (const DeviceError &error) {
    return failed(TESSERA_DEVICE_ERROR, error.what());
  } catch (const std::exception &error) {
    return failed(TESSERA_INTERNAL_ERROR, error.what());
  }
}

/// Where a function is to put what it gives back.
template <class Result> static Result &placeFor(Result *place, const char *what) {
  if (!place)
    throw UsageError(fmt::format("the address for {} is NULL", what));
  return *place;
}

static DeviceState &stateOf(tessera_device *device) {
  if (!device)
    throw UsageError("the device is NULL; tessera_open_device gives one");
  return *reinterpret_cast<DeviceState *>(device);
}

static std::shared_ptr<StreamState> streamOf(const tessera_queue &queue) {
  return stateOf(queue.device).borrow(queue.stream);
}

/// Where a problem of C code is said to be: nowhere, as C has no lines to pass.
static std::source_location nowhere() { return {}; }

/// A bundle that stays open for as long as the process lives.
static tessera_bundle *keep(const Bundle &bundle) { return reinterpret_cast<tessera_bundle *>(new Bundle(bundle)); }

static const BundleState &stateOf(const tessera_bundle *bundle) {
  if (!bundle)
    throw UsageError("the bundle is NULL; tessera_load_bundle or the function of the generated header gives one");
  return reinterpret_cast<const Bundle *>(bundle)->state();
}

const char *tessera_error(void) { return lastError.c_str(); }

tessera_status tessera_open_device(const char *name, tessera_device **device) {
  return attempt([&] {
    const Device found = name ? Device::get(name, nowhere()) : Device::current(nowhere());
    placeFor(device, "the device") = reinterpret_cast<tessera_device *>(&found.state());
  });
}

const char *tessera_device_name(const tessera_device *device) {
  return device ? reinterpret_cast<const DeviceState *>(device)->name.c_str() : "";
}

const char *tessera_device_target(const tessera_device *device) {
  if (!device)
    return "";
  // Kept with the device's name, whose lifetime it shares.
  static std::mutex mutex;
  static auto *const texts = new std::map<const tessera_device *, std::string>;
  const std::lock_guard lock(mutex);
  std::string &text = (*texts)[device];
  if (text.empty())
    text = reinterpret_cast<const DeviceState *>(device)->properties.target.str();
  return text.c_str();
}

tessera_status tessera_allocate(tessera_device *device, size_t bytes, void **memory) {
  return attempt([&] {
    DeviceState &state = stateOf(device);
    void *&place = placeFor(memory, "the memory");
    place = state.driver.allocate(state.index, bytes);
  });
}

void tessera_free(tessera_device *device, void *memory) {
  if (!device || !memory)
    return;
  DeviceState &state = stateOf(device);
  state.driver.free(state.index, memory);
}

tessera_status tessera_write(tessera_queue queue, void *to, const void *from, size_t bytes) {
  return attempt([&] {
    DeviceState &state = stateOf(queue.device);
    state.driver.copyToDevice(state.index, queue.stream, to, from, bytes);
    streamOf(queue)->synchronize();
  });
}

tessera_status tessera_read(tessera_queue queue, void *to, const void *from, size_t bytes) {
  return attempt([&] {
    DeviceState &state = stateOf(queue.device);
    state.driver.copyToHost(state.index, queue.stream, to, from, bytes);
    streamOf(queue)->synchronize();
  });
}

tessera_status tessera_synchronize(tessera_queue queue) {
  return attempt([&] { streamOf(queue)->synchronize(); });
}

tessera_status tessera_load_bundle(const char *path, tessera_bundle **bundle) {
  return attempt([&] {
    if (!path)
      throw UsageError("the path of the bundle is NULL");
    tessera_bundle *&place = placeFor(bundle, "the bundle");
    place = keep(Bundle(std::make_shared<BundleState>(BundleFile::open(path))));
  });
}

tessera_status tessera_preload(tessera_bundle *bundle, tessera_device *device) {
  return attempt([&] {
    for (const BundledFunction &function : stateOf(bundle).functions())
      function.preload(stateOf(device), nowhere());
  });
}

tessera_status tessera_linked_bundle(const char *name, const unsigned char *begin, const unsigned char *end,
                                     tessera_bundle **bundle) {
  return attempt([&] {
    static std::mutex mutex;
    static auto *const opened = new std::map<const unsigned char *, tessera_bundle *>;
    if (!begin || !end)
      throw UsageError(fmt::format("bundle `{0}` is not linked into this program: link the library of "
                                   "tessera_add_bundle({0} …), or load its file with tessera_load_bundle",
                                   name));
    const std::lock_guard lock(mutex);
    tessera_bundle *&known = (*opened)[begin];
    if (!known)
      known = keep(Bundle(std::make_shared<BundleState>(BundleFile::view(
          std::as_bytes(std::span(begin, end)), fmt::format("the bundle `{}` in this program", name)))));
    placeFor(bundle, "the bundle") = known;
  });
}

/// The slots of a function's arguments.
static void fill(std::span<LaunchSlot> slots, const BundleFunction &function, const tessera_argument *arguments) {
  std::uint16_t parameter = 0;
  for (std::size_t i = 0; i != slots.size(); ++i) {
    const BundleArgument &described = function.arguments[i];
    if (i && (described.role == BundleRole::Plain || described.role == BundleRole::ViewBase))
      ++parameter;
    LaunchSlot &slot = slots[i];
    slot.bits = arguments[i].bits;
    slot.dtype = described.dtype;
    slot.parameter = parameter;
    if (!described.pointer)
      continue;
    slot.form = LaunchSlot::Form::Pointer;
    slot.sized = arguments[i].count >= 0;
    if (slot.sized)
      slot.bytes = static_cast<std::uint64_t>(arguments[i].count) * static_cast<std::uint64_t>(described.dtype.bytes());
  }
}

tessera_status tessera_launch(const tessera_bundle *bundle, uint32_t number, uint64_t signature, tessera_queue queue,
                              tessera_grid grid, const tessera_argument *arguments, size_t count) {
  return attempt([&] {
    const BundleState &state = stateOf(bundle);
    if (number >= state.functions().size() || state.functions()[number].signature() != signature)
      throw UsageError(fmt::format("{} was not made with the header this program was built with; build the program "
                                   "with the header that was made with it",
                                   state.file().title()));
    const BundledFunction &function = state.functions()[number];
    if (count != function.info().arguments.size())
      throw UsageError(fmt::format("launch of kernel `{}`: it takes {} arguments and was given {}",
                                   function.info().kernel, function.info().arguments.size(), count));
    if (count && !arguments)
      throw UsageError(fmt::format("launch of kernel `{}`: its arguments are NULL", function.info().kernel));
    const auto launch = [&](std::span<LaunchSlot> slots) {
      fill(slots, function.info(), arguments);
      function.launch(*streamOf(queue), Grid(grid.x, grid.y, grid.z), slots, nowhere());
    };
    if (count <= 32) {
      LaunchSlot slots[32];
      launch({slots, count});
    } else {
      LaunchSlot slots[256];
      launch({slots, count});
    }
  });
}
