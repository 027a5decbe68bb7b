//===- Target.h - what a kernel is compiled for ----------------*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// A target names a family of back ends and a chip, `cuda:sm_90a`. It needs no device: any machine compiles for any
// target.
//
//===---------------------------------------------------------------------===//

#ifndef TESSERA_CORE_TARGET_H
#define TESSERA_CORE_TARGET_H

#include "tessera/core/Export.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// A target by name. A value; copies share nothing. Only known chips can be named, so every Target has facts.
class TESSERA_API Target {
public:
  /// Reads "cuda:sm_90a", "hip:gfx942", "cpu", "interp" or "sim:sm_90a". UsageError, listing the known ones, for
  /// others.
  explicit Target(std::string_view text);

  /// The family of back ends: "cuda", "hip", "cpu", "interp", "sim".
  const std::string &family() const { return family_; }
  /// The chip as its vendor spells it: "sm_90a"; empty for a family of one ("interp").
  const std::string &chip() const { return chip_; }
  /// The spelling the constructor reads.
  std::string str() const;

  /// Threads in a warp of this target; 0 where programs are not split over threads (interp, cpu).
  int warp_size() const;
  /// Bytes of shared memory (LDS) one program may use; 0 where there is none.
  std::int64_t shared_bytes() const;
  /// Threads one program may have; 0 where programs are not split over threads.
  int max_threads() const;
  /// Blocks that may compute one program together (CompileOptions::cluster) on every chip of the target; 1 where blocks
  /// form no clusters.
  int max_cluster() const;

  /// Every target this library knows by name and that computes, sorted by family and chip.
  static std::vector<std::string> known();

  bool operator==(const Target &) const = default;

private:
  std::string family_;
  std::string chip_;
};

} // namespace tessera

#endif // TESSERA_CORE_TARGET_H
