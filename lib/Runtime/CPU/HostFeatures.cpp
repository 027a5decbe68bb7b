//===- HostFeatures.cpp - what this processor can do ----------------------===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#include "Runtime/CPU/HostFeatures.h"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace tessera::rt::cpu {

std::string_view hostArchitecture() {
#if defined(__x86_64__)
  return "x86-64";
#elif defined(__aarch64__)
  return "aarch64";
#else
  return "unknown";
#endif
}

#if defined(__x86_64__)

static std::vector<std::string_view> findFeatures() {
  // avx512fp16, avx512bf16 and amx are missing on purpose: their conversions and products flush denormals or round
  // otherwise than SEMANTICS says.
  std::vector<std::string_view> found;
  __builtin_cpu_init();
#define TESSERA_CPU_FEATURE(name)                                                                                      \
  if (__builtin_cpu_supports(name))                                                                                    \
    found.push_back(name);
  TESSERA_CPU_FEATURE("sse3")
  TESSERA_CPU_FEATURE("ssse3")
  TESSERA_CPU_FEATURE("sse4.1")
  TESSERA_CPU_FEATURE("sse4.2")
  TESSERA_CPU_FEATURE("popcnt")
  TESSERA_CPU_FEATURE("avx")
  TESSERA_CPU_FEATURE("avx2")
  TESSERA_CPU_FEATURE("bmi")
  TESSERA_CPU_FEATURE("bmi2")
  TESSERA_CPU_FEATURE("f16c")
  TESSERA_CPU_FEATURE("fma")
  TESSERA_CPU_FEATURE("lzcnt")
  TESSERA_CPU_FEATURE("movbe")
  TESSERA_CPU_FEATURE("avx512f")
  TESSERA_CPU_FEATURE("avx512bw")
  TESSERA_CPU_FEATURE("avx512cd")
  TESSERA_CPU_FEATURE("avx512dq")
  TESSERA_CPU_FEATURE("avx512vl")
  TESSERA_CPU_FEATURE("avx512ifma")
  TESSERA_CPU_FEATURE("avx512vbmi")
  TESSERA_CPU_FEATURE("avx512vbmi2")
  TESSERA_CPU_FEATURE("avx512vnni")
  TESSERA_CPU_FEATURE("avx512bitalg")
  TESSERA_CPU_FEATURE("avx512vpopcntdq")
  TESSERA_CPU_FEATURE("gfni")
#undef TESSERA_CPU_FEATURE
  return found;
}

std::string hostName() {
  unsigned words[12] = {};
  for (unsigned part = 0; part != 3; ++part)
    if (!__get_cpuid(0x80000002 + part, words + 4 * part, words + 4 * part + 1, words + 4 * part + 2,
                     words + 4 * part + 3))
      return std::string(hostArchitecture());
  char text[sizeof words + 1] = {};
  std::memcpy(text, words, sizeof words);
  std::string name(text);
  name.erase(0, name.find_first_not_of(' '));
  name.erase(name.find_last_not_of(' ') + 1);
  return name.empty() ? std::string(hostArchitecture()) : name;
}

#else

// Kernels for other architectures are made for the baseline.
static std::vector<std::string_view> findFeatures() { return {}; }
std::string hostName() { return std::string(hostArchitecture()); }

#endif

const std::vector<std::string_view> &hostFeatures() {
  static const std::vector<std::string_view> *const features = new std::vector<std::string_view>(findFeatures());
  return *features;
}

std::string missingFeatures(std::string_view features) {
  std::string missing;
  while (!features.empty()) {
    const std::size_t comma = std::min(features.find(','), features.size());
    const std::string_view name = features.substr(0, comma);
    features.remove_prefix(std::min(comma + 1, features.size()));
    const std::vector<std::string_view> &present = hostFeatures();
    if (!name.empty() && std::find(present.begin(), present.end(), name) == present.end())
      missing.append(missing.empty() ? "" : ",").append(name);
  }
  return missing;
}

} // namespace tessera::rt::cpu
