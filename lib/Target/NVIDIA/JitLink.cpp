//===- JitLink.cpp - the PTX assembler in libnvJitLink --------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Opened at run time; the declarations are those of nvJitLink.h, which is the same from CUDA 12.0 on.
//
//===---------------------------------------------------------------------===//

#include "Target/NVIDIA/Assembler.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace tessera::ir::nvidia {

namespace {

using Handle = void *;
constexpr int kInputPtx = 2;

/// The library's functions; it stays open.
struct JitLink {
  int (*create)(Handle *, std::uint32_t, const char **) = nullptr;
  int (*destroy)(Handle *) = nullptr;
  int (*addData)(Handle, int, const void *, std::size_t, const char *) = nullptr;
  int (*complete)(Handle) = nullptr;
  int (*cubinSize)(Handle, std::size_t *) = nullptr;
  int (*cubin)(Handle, void *) = nullptr;
  int (*errorSize)(Handle, std::size_t *) = nullptr;
  int (*error)(Handle, char *) = nullptr;
  int (*infoSize)(Handle, std::size_t *) = nullptr;
  int (*info)(Handle, char *) = nullptr;

  /// False if a function is missing.
  bool load(void *library) {
    bool complete = true;
    const auto find = [&](auto &function, const char *name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, name));
      complete = complete && function;
    };
    find(create, "nvJitLinkCreate");
    find(destroy, "nvJitLinkDestroy");
    find(addData, "nvJitLinkAddData");
    find(this->complete, "nvJitLinkComplete");
    find(cubinSize, "nvJitLinkGetLinkedCubinSize");
    find(cubin, "nvJitLinkGetLinkedCubin");
    find(errorSize, "nvJitLinkGetErrorLogSize");
    find(error, "nvJitLinkGetErrorLog");
    find(infoSize, "nvJitLinkGetInfoLogSize");
    find(info, "nvJitLinkGetInfoLog");
    return complete;
  }
};

/// A log, cut at its terminator.
std::string readLog(Handle handle, int (*size)(Handle, std::size_t *), int (*get)(Handle, char *)) {
  std::size_t bytes = 0;
  if (size(handle, &bytes) != 0 || bytes == 0)
    return {};
  std::string text(bytes, '\0');
  if (get(handle, text.data()) != 0)
    return {};
  return text.c_str();
}

} // namespace

std::string findJitLink() {
  static constexpr const char *kNames[] = {"libnvJitLink.so.13", "libnvJitLink.so.12",
                                           "/usr/local/cuda/lib64/libnvJitLink.so"};
  for (const char *name : kNames) {
    void *library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library)
      continue;
    // The path it was found at tells one version from another.
    void *symbol = ::dlsym(library, "nvJitLinkCreate");
    Dl_info where{};
    if (symbol && ::dladdr(symbol, &where) != 0 && where.dli_fname)
      return where.dli_fname;
    ::dlclose(library);
  }
  return {};
}

llvm::Expected<Assembled> assembleByJitLink(const std::string &library, llvm::StringRef ptx, const arch::Chip &chip,
                                            bool lineInfo) {
  void *opened = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  JitLink jit;
  if (!opened || !jit.load(opened))
    return llvm::createStringError(fmt::format("nvJitLink: cannot use {}", library));

  const std::string arch = fmt::format("-arch={}", chip.name);
  const char *options[] = {arch.c_str(), "-O3", "-lineinfo"};
  Handle handle = nullptr;
  int code = jit.create(&handle, lineInfo ? 3 : 2, options);
  if (code != 0)
    return llvm::createStringError(
        fmt::format("nvJitLink: nvJitLinkCreate failed for {} with code {}", chip.name, code));
  const std::string text = ptx.str(); // it wants a terminator
  std::size_t bytes = 0;
  Assembled assembled;
  assembled.format = "cubin";
  code = jit.addData(handle, kInputPtx, text.c_str(), text.size() + 1, "kernel.ptx");
  if (code == 0)
    code = jit.complete(handle);
  if (code == 0)
    code = jit.cubinSize(handle, &bytes);
  if (code == 0) {
    assembled.code.resize(bytes);
    code = jit.cubin(handle, assembled.code.data());
  }
  assembled.warnings = warningsIn(readLog(handle, jit.infoSize, jit.info));
  const std::string words = readLog(handle, jit.errorSize, jit.error);
  jit.destroy(&handle);
  if (code != 0)
    return llvm::createStringError(fmt::format("nvJitLink: code {}: {}", code, llvm::StringRef(words).trim().str()));
  return assembled;
}

} // namespace tessera::ir::nvidia
