//===- Binary.h - compiled kernels and how they came to be -----*- C++ -*-===//
// Part of the tessera project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//

#ifndef TESSERA_RUNTIME_BINARY_H
#define TESSERA_RUNTIME_BINARY_H

#include "tessera/core/DType.h"
#include "tessera/core/Export.h"
#include "tessera/runtime/Report.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tessera {

namespace rt {
struct Image;
} // namespace rt

/// What a launch would have told the compiler, for compiling without one.
struct Variant {
  /// All pointers and strides are multiples of 16.
  bool aligned = true;
  /// The element type of each `Ptr<any>` and `View<any, …>`, in order.
  std::vector<DType> any = {};
  /// Whether each Opt is there, in order; those beyond the list are absent.
  std::vector<bool> present = {};
};

/// A kernel compiled for a target. An immutable value; copies share its contents.
class TESSERA_API Binary {
public:
  /// "cuda:sm_90a".
  const std::string &target() const;
  /// What bytes() holds: "cubin", "ptx", "hsaco", "shared-object", "mlir-bytecode" …
  const std::string &format() const;
  std::span<const std::byte> bytes() const;
  /// Facts by name, sorted: "registers", "shared_bytes", "key" …
  const std::vector<std::pair<std::string, std::string>> &facts() const;
  /// What facts() say, as numbers and a table.
  Report report() const { return detail::reportOf(target(), facts()); }
  /// Everything a runtime without a compiler needs to launch it.
  std::vector<std::byte> serialize() const;

  /// \name For other parts of this library
  /// @{
  explicit Binary(std::shared_ptr<const rt::Image> image) : image_(std::move(image)) {}
  const rt::Image &image() const { return *image_; }
  /// @}

private:
  std::shared_ptr<const rt::Image> image_;
};

/// One compilation of a kernel: why it happened and what it cost.
struct CompileRecord {
  std::string target;
  std::string arguments; ///< `f32*, f32*, i64`, views and structs taken apart
  std::string config;    ///< `{block=1024}`
  std::string options;   ///< what differs from the defaults
  std::string variant;   ///< `aligned, stride 1: ldb`
  std::string reason;    ///< `first launch`, `new config` …
  /// Where the binary came from: "compiled"; "process", which compiled an equal kernel before; "cache", the one on
  /// disk; "bundle", one that was made ahead of time.
  std::string origin;
  /// Milliseconds by stage in order: "trace", "find" (the key, and looking for it), unless it was found "tile" and the
  /// back end's own, "load".
  std::vector<std::pair<std::string, double>> stages;
  /// Facts about the binary by name, sorted.
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<std::string> notes; ///< the compiler's warnings and remarks

  /// What became of it.
  Report report() const {
    Report report = detail::reportOf(target, facts);
    report.stages = stages;
    return report;
  }
  /// The sum of the stages.
  double milliseconds() const {
    double sum = 0;
    for (const auto &[stage, ms] : stages)
      sum += ms;
    return sum;
  }
};

} // namespace tessera

#endif // TESSERA_RUNTIME_BINARY_H
