//===- HostFeatures.h - what this processor can do -------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// The back end makes code for a subset of these instruction sets and names it in the image (fact "cpu_features"), so
// that a processor without them refuses the image instead of stopping at an illegal instruction.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_CPU_HOSTFEATURES_H
#define TESSERA_RUNTIME_CPU_HOSTFEATURES_H

#include <string>
#include <string_view>
#include <vector>

namespace tessera::rt::cpu {

/// The fact of an image that lists the features its code needs, separated by commas.
inline constexpr std::string_view kFeaturesFact = "cpu_features";

/// The instruction sets of this processor and its operating system that kernels may be compiled for, by LLVM's names
/// and in a fixed order. Sets that no kernel may use (their arithmetic breaks SEMANTICS) are left out.
const std::vector<std::string_view> &hostFeatures();

/// Those of \p features, a list separated by commas, that this processor lacks; in the same form.
std::string missingFeatures(std::string_view features);

/// "x86-64" or "aarch64": the architecture of this process.
std::string_view hostArchitecture();

/// What the processor calls itself; its architecture if it does not say.
std::string hostName();

/// Cores that this process may use: those of its affinity mask, or fewer if its control group has a smaller quota.
unsigned usableCores();

} // namespace tessera::rt::cpu

#endif // TESSERA_RUNTIME_CPU_HOSTFEATURES_H
