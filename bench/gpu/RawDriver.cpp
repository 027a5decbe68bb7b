//===- RawDriver.cpp - what a program without us would call --------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "RawDriver.h"

#include <dlfcn.h>

#include <stdexcept>

namespace tessera::bench {

void RawDriver::check(const char *what, int code) {
  if (code)
    throw std::runtime_error(std::string(what) + " failed with " + std::to_string(code));
}

template <class Function> void RawDriver::find(Function *&function, const char *symbol) {
  function = reinterpret_cast<Function *>(dlsym(library, symbol));
  if (!function)
    throw std::runtime_error(std::string("the driver has no ") + symbol);
}

bool RawDriver::open() {
  library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return false;
  find(retain, "cuDevicePrimaryCtxRetain");
  find(setCurrent, "cuCtxSetCurrent");
  find(moduleLoad, "cuModuleLoadData");
  find(getFunction, "cuModuleGetFunction");
  find(launchKernel, "cuLaunchKernelEx");
  find(copyAsync, "cuMemcpyDtoDAsync_v2");
  find(beginCapture, "cuStreamBeginCapture_v2");
  find(endCapture, "cuStreamEndCapture");
  find(instantiate, "cuGraphInstantiateWithFlags");
  find(graphLaunch, "cuGraphLaunch");
  find(graphExecDestroy, "cuGraphExecDestroy");
  find(graphDestroy, "cuGraphDestroy");
  int (*init)(unsigned) = nullptr;
  find(init, "cuInit");
  return init(0) == 0;
}

const RawDriver *RawDriver::get() {
  static const std::unique_ptr<RawDriver> driver = [] {
    auto opened = std::make_unique<RawDriver>();
    return opened->open() ? std::move(opened) : nullptr;
  }();
  return driver.get();
}

void RawDriver::useDevice() const {
  void *context = nullptr;
  check("cuDevicePrimaryCtxRetain", retain(&context, 0));
  check("cuCtxSetCurrent", setCurrent(context));
}

RawDriver::Graph::~Graph() {
  if (executable)
    driver.graphExecDestroy(executable);
}

void RawDriver::Graph::launch(void *stream) const { check("cuGraphLaunch", driver.graphLaunch(executable, stream)); }

std::unique_ptr<RawDriver::Graph> RawDriver::capture(void *stream, const std::function<void()> &enqueue) const {
  constexpr int threadLocal = 1;
  std::unique_ptr<Graph> graph(new Graph(*this));
  useDevice(); // which graphs are made for
  check("cuStreamBeginCapture", beginCapture(stream, threadLocal));
  void *recorded = nullptr;
  try {
    enqueue();
  } catch (...) {
    endCapture(stream, &recorded);
    throw;
  }
  check("cuStreamEndCapture", endCapture(stream, &recorded));
  const int code = instantiate(&graph->executable, recorded, 0);
  graphDestroy(recorded);
  check("cuGraphInstantiateWithFlags", code);
  return graph;
}

void *RawDriver::load(const std::string &ptx, const std::string &entry) const {
  void *module = nullptr, *function = nullptr;
  check("cuModuleLoadData", moduleLoad(&module, ptx.c_str()));
  check("cuModuleGetFunction", getFunction(&function, module, entry.c_str()));
  return function;
}

void RawDriver::copy(void *to, const void *from, std::size_t bytes, void *stream) const {
  check("cuMemcpyDtoDAsync",
        copyAsync(reinterpret_cast<unsigned long long>(to), reinterpret_cast<unsigned long long>(from), bytes, stream));
}

} // namespace tessera::bench
